"""Pictures: what is called, and what the plain answer is."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_kinds import UNSURE, Answer, Is, Kind, Line, Real, Refused, Word, anything, folder
from fuzz_results import (
    COINS,
    COMPARED,
    DUEL,
    FOUGHT,
    PAIRS,
    PUBLISHED,
    RATES,
    SEEN,
    SHARED,
    File,
    OrNone,
)
from fuzzing import Target

from cardstats import plot

TARGETS: dict[str, Target] = {}


def closing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Draw as a function does, and close what it drew on."""

    @functools.wraps(function)
    def drawn(**arguments: Any) -> Any:
        from matplotlib import pyplot as plt

        try:
            return function(**arguments)
        finally:
            plt.close("all")

    return drawn


class Place(Kind):
    """Is None, or Axes to draw on."""

    def good(self, r: random.Random) -> Any:
        return None

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        from matplotlib.figure import Figure

        if r.random() < 0.5:
            return anything(r)
        return r.choice([Figure().subplots(), Figure(), Figure().subplots(1, 2), [], ()])

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if value is not None and not isinstance(value, Axes):
            raise Refused
        return None


class TwoPlaces(Place):
    """Is None, or two of them."""

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if value is None:
            return None
        try:
            places = list(value)
        except Exception:
            raise Refused from None
        if len(places) != 2 or not all(isinstance(place, Axes) for place in places):
            raise Refused
        return None


class OptionalLine(Line):
    """Is text, or None."""

    def good(self, r: random.Random) -> Any:
        return r.choice([None, "", "a title"])

    def read(self, value: Any) -> Any:
        return None if value is None else super().read(value)


class Matrix(Kind):
    """Is a matrix of numbers, two by three."""

    def good(self, r: random.Random) -> Any:
        cells = np.arange(6).reshape(2, 3) / 6
        return r.choice([cells, cells.tolist(), np.asfortranarray(cells), cells.astype("f4")])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        cells = np.arange(6).reshape(2, 3) / 6
        ways = [cells.T, cells[0], cells[np.newaxis], cells.astype("U4"), [[1, 2, 3], [4]],
                cells * np.nan,
                cells + 1j, cells.astype("M8[s]"), cells.astype(object), [["a"] * 3] * 2,
                cells > 0.3,
                np.full((2, 3), np.inf), [[None] * 3] * 2, np.empty((0, 0)), cells.astype(">f8"),
                np.ma.array(cells, mask=cells > 0.3), cells * 1e300,
                cells.astype(np.longdouble)]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        return (
            None
            if isinstance(value, np.ndarray) and value.dtype == float and value.shape == (2, 3)
            else UNSURE
        )


PICTURE = {
    "ax": Place(),
    "labels": Word("auto", "en"),
    "title": OptionalLine(),
}
IS_AXES = Answer(lambda ax: hasattr(ax, "barh"))


class Drawn(Kind):
    """Is Axes, one or several."""

    def good(self, r: random.Random) -> Any:
        from matplotlib.figure import Figure

        one = Figure(figsize=(1, 1)).subplots()
        return r.choice([one, [one], (one, one)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice([[], (), [None], "ax", None]) if r.random() < 0.5 else anything(r)

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if isinstance(value, list | tuple) and value:
            value = value[0]
        if not isinstance(value, Axes):
            raise Refused
        return None


class Dots(Real):
    """Is a number of dots an inch; of very few, or of very many, nothing is promised."""

    def __init__(self) -> None:
        super().__init__(20, 200)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        value = super().odd(r, others)
        number = isinstance(value, int | np.number) and not isinstance(value, np.timedelta64)
        return -1 if number and not isinstance(value, complex) and abs(value) > 200 else value

    def read(self, value: Any) -> Any:
        number = isinstance(value, int | float | Fraction | np.number)
        number = number and not isinstance(
            value, bool | complex | np.timedelta64 | np.complexfloating
        )
        return UNSURE if number and value > 0 else super().read(value)


class Picture(File):
    """Is a path that ends like a picture."""

    def good(self, r: random.Random) -> Any:
        return folder() / r.choice(["a.png", "a.svg", "a.pdf"])

    def read(self, value: Any) -> Any:
        if isinstance(value, Path) and value.suffix in (".png", ".svg", ".pdf"):
            return str(value)
        raise Refused


def picture(function: Callable[..., Any], tries: int, **kinds: Kind) -> Target:
    return Target(closing(function), {**PICTURE, **kinds}, lambda **_: IS_AXES, tries=tries)


def shown_answer(result: Any, simulated: Any, **_: Any) -> Any:
    if simulated is not None and (result, simulated) != (DUEL, FOUGHT):
        raise Refused("result", "simulated")
    return IS_AXES


TARGETS |= {
    "plot.bars": picture(
        plot.bars, 120, result=Is(COMPARED, COINS, SEEN, SHARED), published=PUBLISHED
    ),
    "plot.residuals": picture(plot.residuals, 80, comparison=Is(COMPARED)),
    "plot.throughput": picture(plot.throughput, 80, result=Is(RATES)),
    "plot.agreement": Target(
        closing(plot.agreement),
        {
            "comparison": Is(COMPARED),
            "axes": TwoPlaces(),
            "labels": PICTURE["labels"],
            "title": PICTURE["title"],
        },
        lambda **_: Answer(lambda axes: len(axes) == 2),
        tries=80,
    ),
    "plot.showdown": Target(
        closing(plot.showdown),
        {
            "result": Is(DUEL, FOUGHT),
            "simulated": Is(FOUGHT, none=True),
            "of": Word("win", "draw", "lose", "share", "best"),
            **PICTURE,
        },
        shown_answer,
        tries=120,
        cross=("result", "simulated"),
    ),
    "plot.convergence": picture(
        plot.convergence,
        120,
        tallies=OrNone([], [SEEN, SEEN], [SHARED], SEEN, [None], good=([SEEN], (SEEN,))),
        expected=Is(COINS, PAIRS),
        rows=OrNone([], ["x"], "one", [1], ["one", "one"], [None], 3, good=(None, ["one"])),
    ),
    "plot.heatmap": picture(
        plot.heatmap,
        160,
        matrix=Matrix(),
        row_labels=OrNone(
            "ab", ["a"], [1, 2], None, DUEL, [None, 2], good=(["a", "b"], ("x", "y"))
        ),
        column_labels=OrNone(
            "abc", ["a"], [1, 2, 3], COINS, [None] * 3, good=(["c", "d", "e"], COINS)
        ),
        text=OrNone("{", "{x}", "{:d}", "%d", "{0.real}", [["a"] * 3] * 2, ["a"], good=("{:.3g}",)),
        xlabel=Line(),
        ylabel=Line(),
        title=Line("", "a title"),
    ),
    "plot.save": Target(
        closing(plot.save),
        {"axes": Drawn(), "path": Picture(), "dpi": Dots()},
        tries=100,
        files=True,
        cross=("axes", "path"),
    ),
}
