"""Results and their comparison: what is called, and what the plain answer is."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_kinds import (
    ANY,
    LANG,
    UNSURE,
    Answer,
    Checkpoint,
    Fixed,
    Is,
    Kind,
    Line,
    Real,
    Refused,
    Whole,
    Word,
    anything,
    folder,
    hostile,
)
from fuzzing import Target

from cardstats import (
    Comparison,
    Distribution,
    Showdown,
    Tally,
    blackjack,
    compare,
    results,
    throughput,
)

TARGETS: dict[str, Target] = {}

LABELS, LABELS_ZH = ("none", "one", "two"), ("无", "一", "二")
COINS = Distribution("two coins", LABELS, LABELS_ZH, (1, 2, 1), title_zh="两枚硬币")
PAIRS = Distribution("pairs", LABELS, LABELS_ZH, (2, 1, 1), [[2, 1, 1], [1, 1, 0], [1, 0, 1]])
SEEN = Tally("seen", LABELS, LABELS_ZH, (26, 49, 25))
SHARED = Tally("shared", LABELS, LABELS_ZH, (30, 10, 10), players=5)
DUEL = Showdown(
    "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=True, hands=(2, 1),
    win=(0, 2), draw=(2, 0), lose=(2, 0), share=(1, 2), best=(2, 4),
)  # fmt: skip
FOUGHT = Showdown(
    "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=False, hands=(40, 20),
    win=(0, 20), draw=(22, 0), lose=(18, 0), share=(11, 20), best=(40, 20),
)  # fmt: skip
COMPARED = compare(SEEN, COINS)
COPY = throughput.Rate(job="j", job_zh="事", label="a", label_zh="甲", kind="limit", hands=3e9)
OWN = throughput.Rate(
    job="j", job_zh="事", label="b", label_zh="乙", kind="cardstats", hands=2e9, of_limit=0.67
)
RATES = throughput.Throughput((COPY, OWN), "one core", "单核")
CHART = blackjack.MIMIC_DEALER.chart()
TABLES_ = Fixed(COINS, SEEN, SHARED, DUEL, FOUGHT, COMPARED, RATES, CHART)
DRAWN = results.Source("coins", "fair", "heads", 1, (results.Run(7, (), 0, 100),))


class Labels(Kind):
    """Is one label a row, each on a line and each once."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels

    def good(self, r: random.Random) -> Any:
        return r.choice([self.labels, list(self.labels), np.array(self.labels)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        one, *more = self.labels
        ways = [one, more, [*self.labels, "x"], [one, one, one], [*more, ""], [*more, " "], [*more,
                3],
                [*more, None], [*more, "a\nb"], [*more, "\0"], [*more, "\ud800"], [*more, b"x"],
                (label for label in self.labels), set(self.labels), dict.fromkeys(self.labels),
                [*more, "x" * 10**5], [*more, "one"], [*more, "١"], [*more, "a\u202eb"],
                np.array([self.labels]), [*more, hostile("__eq__")]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, str):
            raise Refused
        try:
            labels = list(value)
        except Exception:
            raise Refused from None
        texts = all(isinstance(label, str) for label in labels) and labels
        if not texts or any(not (t.strip() and t.isprintable()) for t in labels):
            raise Refused
        if len(set(labels)) < len(labels):
            raise Refused
        return tuple(map(str, labels))


class Amounts(Kind):
    """Is one whole number a row."""

    def __init__(self, *numbers: int, dtype: bool = True) -> None:
        self.numbers, self.dtype = numbers, dtype

    def good(self, r: random.Random) -> Any:
        ways = [self.numbers, list(self.numbers), np.array(self.numbers, np.int16)]
        return r.choice([*ways, np.array(self.numbers, object)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        _, *more = self.numbers
        ways = [more, [*self.numbers, 1], [-1, *more], [1.0, *more], [True, *more], [None, *more],
                ["1", *more], [2**63, *more], [2**200, *more], [10**5000, *more], [math.nan, *more],
                [0] * len(self.numbers), np.array(self.numbers, float), np.array([self.numbers]),
                (number for number in self.numbers), set(self.numbers), [Fraction(1), *more],
                [np.timedelta64(1, "s"), *more], [np.datetime64("2020"), *more], 3, "123",
                np.array(3), [hostile("__int__"), *more], [[1], *more], [10**12,
                *more]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.75 else anything(r)

    def read(self, value: Any) -> Any:
        try:
            numbers = value.tolist() if isinstance(value, np.ndarray) else list(value)
            numbers = list(numbers)
        except Exception:
            raise Refused from None
        for number in numbers:
            whole = isinstance(number, int | np.integer)
            if not whole or isinstance(number, bool | np.timedelta64) or number < 0:
                raise Refused
        return tuple(map(int, numbers))


class OrNone(Kind):
    """Is None, or what may be taken or not: which is left to the function."""

    def __init__(self, *odd: Any, good: tuple[Any, ...] = (None,)) -> None:
        self._odd, self._good = odd, good

    def good(self, r: random.Random) -> Any:
        return r.choice(self._good)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice(self._odd) if self._odd and r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        return None if value is None else UNSURE


def in_rows(labels: tuple[str, ...], **rows: tuple[Any, ...]) -> None:
    blamed = {name for name, values in rows.items() if len(values) != len(labels)}
    zh = rows.get("labels_zh", ())
    if any(label in labels and labels.index(label) != row for row, label in enumerate(zh)):
        blamed.add("labels_zh")
    if blamed:
        raise Refused(*blamed)


def distribution_answer(labels: Any, labels_zh: Any, counts: Any, joint: Any, **_: Any) -> Any:
    in_rows(labels, labels_zh=labels_zh, counts=counts)
    if not sum(counts):
        raise Refused("counts")
    return Answer(lambda made: (made.labels, made.counts) == (labels, counts))


def tally_made(
    labels: Any, labels_zh: Any, counts: Any, players: Any, source: Any, **_: Any
) -> Any:
    in_rows(labels, labels_zh=labels_zh, counts=counts)
    if sum(counts) >= 2**63:
        raise Refused("counts")
    if source is not None and (sum(counts), players) != (100, 1):
        raise Refused("source")
    return Answer(
        lambda made: tuple(made.counts.tolist()) == counts and made.counts.dtype == np.int64
    )


def run_answer(entropy: Any, key: Any, start: int, stop: int) -> Any:
    if stop < start:
        raise Refused("stop")
    return Answer(lambda run: run.games == stop - start)


class Entropy(Whole):
    """Is an int, or several."""

    def good(self, r: random.Random) -> Any:
        return r.choice([7, (1, 2), [1, 2**40], np.array([3])])

    def read(self, value: Any) -> Any:
        if isinstance(value, Iterable):
            return Amounts().read(value)
        return super().read(value)


class Payouts(Kind):
    """Is what rows pay."""

    def good(self, r: random.Random) -> Any:
        return r.choice([{}, {"one": 1}, {"two": "3:2", "无": -1}, {"one": Fraction(1, 3)}])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [{"one": value} for value in (0.1, math.nan, math.inf, None, "x", "1:0", [1], 1j,
                True,
                "1e9999999", 10**5000, 2**200, b"1", np.float32(0.5),
                hostile("__float__"))]  # fmt: skip
        ways += [{"three": 1}, {"one": 1, "一": 2}, {3: 1}, {None: 1}, {"": 1}, ["one"], "one",
                 {("one",): 1}, {2: 1}, [("one", 1)], {"\ud800": 1}]  # fmt: skip
        return r.choice(ways) if r.random() < 0.75 else anything(r)

    def read(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise Refused
        return UNSURE


PUBLISHED = OrNone(
    {"one": 0.5, "一": 0.5}, {"one": 2}, {"one": -0.1}, {"one": math.nan}, {"one": "0.5"},
    {"x": 0.5},
    {"one": None}, {1: 0.5}, [0.5], "one", {"one": True}, {"one": 1j}, {"one": Fraction(1, 2)},
    {("one",): 0.5}, good=(None,),
)  # fmt: skip
CONFIDENCE = Real(0, 1)


def compare_answer(observed: Any, expected: Any, of: Any, confidence: float, **_: Any) -> Any:
    plain = isinstance(observed, Tally) and isinstance(expected, Distribution) and of is None
    fights = (observed, expected) == (FOUGHT, DUEL) and of is not None
    if plain and observed.players > 1 and expected is COINS:
        raise Refused("expected")
    if not (plain or fights):
        raise Refused("observed", "expected", "of")

    def holds(found: Any) -> bool:
        between = (found.low <= found.high).all() and 0 <= found.p_value <= 1
        return between and found.confidence == confidence and (found.low >= 0).all()

    return Answer(holds)


def showdown_made(**fields: Any) -> Any:
    """The fields of a right showdown, of which one may have been changed: only so much is known."""
    own = {"win": DUEL.win, "draw": DUEL.draw, "lose": DUEL.lose, "best": DUEL.best}
    if all(fields[name] == value for name, value in own.items()):
        in_rows(fields["labels"], labels_zh=fields["labels_zh"], hands=fields["hands"])
        return ANY if fields["players"] == 2 else UNSURE
    return UNSURE


def index_answer(self: Any, label: Any) -> Any:
    for labels in (self.labels, self.labels_zh):
        if label in labels:
            return labels.index(label)
    raise Refused("label")


class RowLabel(Kind):
    """Is a label of a row, or a number that is one as text."""

    def good(self, r: random.Random) -> Any:
        return r.choice(["one", "一", "king", "尖"])

    def read(self, value: Any) -> Any:
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64):
            return UNSURE
        if not isinstance(value, str):
            raise Refused
        return value


class AnyReal(Real):
    """Is any real number: of a NaN, or one of no float's size, nothing is promised."""

    def __init__(self, *_: object) -> None:
        super().__init__(0, math.inf)

    def read(self, value: Any) -> Any:
        if value is None:
            return UNSURE
        number = isinstance(value, int | float | Fraction | np.integer | np.floating)
        if not number or isinstance(value, bool | np.timedelta64):
            raise Refused
        return UNSURE


TEXT = Answer(lambda text: isinstance(text, str) and text != "")


def csv_answer(self: Any, path: Any) -> Any:
    return TEXT if path is None else None


class File(Checkpoint):
    """Is None or a path to write to."""

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        value = super().odd(r, others)
        return folder() if isinstance(value, int) else value  # 1 is the terminal

    def read(self, value: Any) -> Any:
        if isinstance(value, str | Path) and Path(value).name == "garbage.json":
            return UNSURE
        return super().read(value) if value is None else super().read(value) or str(value)


ROWS = {"labels": Labels(*LABELS), "labels_zh": Labels(*LABELS_ZH)}
TITLES = {"title": Line(), "title_zh": Line()}
OF_ROWS = ("labels", "labels_zh", "counts", "row")
WRITERS = ("to_text", "to_markdown", "to_html")
NUMBERS_OF_3 = OrNone(
    [1, 2], [1, 2, "x"], [0.1] * 3, [[0.1] * 3], good=(np.array([0.2, 0.5, 0.3]),)
)

TARGETS |= {
    "Distribution": Target(
        Distribution,
        {
            **ROWS,
            **TITLES,
            "counts": Amounts(1, 2, 1),
            "joint": OrNone(PAIRS.joint, [[1]], [[1, 2, 3]] * 3, [[0] * 3] * 3, [[1.0] * 3] * 3, 3),
        },
        distribution_answer,
        tries=600,
        cross=("labels", "labels_zh", "counts", "joint"),
    ),
    "Distribution.expectation": Target(
        Distribution.expectation,
        {"self": Fixed(COINS), "payouts": Payouts()},
        tries=250,
    ),
    "Tally": Target(
        Tally,
        {
            **ROWS,
            **TITLES,
            "counts": Amounts(26, 49, 25),
            "players": Whole(1),
            "source": Is(DRAWN, none=True),
        },
        tally_made,
        tries=500,
        cross=("labels", "labels_zh", "counts", "source"),
    ),
    "Tally.from_counts": Target(
        Tally.from_counts,
        {
            "mapping": OrNone(
                {},
                {"a": -1},
                {"a": 1.5},
                {"a": None},
                {1: 1},
                {"": 1},
                {"a": 2**63},
                [("a", 1)],
                {"a": 10**5000},
                {"a": True},
                {"a\nb": 1},
                good=({"a": 1, "b": 2},),
            ),
            "players": Whole(1),
            "title": Line(),
            "labels_zh": OrNone(["甲"], "甲乙", ["甲", "甲"], ["甲", 1], ["b", "a"], 3),
        },
        tries=300,
        names=("labels", "counts"),
    ),
    "Showdown": Target(
        Showdown,
        {
            "title": Line(),
            "labels": Labels("king", "ace"),
            "labels_zh": Labels("老K", "尖"),
            "players": Whole(2),
            "exact": Fixed(True),
            "hands": Amounts(2, 1),
            "win": Amounts(0, 2),
            "draw": Amounts(2, 0),
            "lose": Amounts(2, 0),
            "share": OrNone((1, 1), (1.0, 2), (None, 2), (1,), 3, ("1", 2), good=((1, 2),)),
            "best": Amounts(2, 4),
            "source": OrNone(DRAWN),
            "title_zh": Line(),
        },
        showdown_made,
        tries=600,
        cross=("labels", "labels_zh", "hands", "win", "draw", "lose", "share", "best", "source"),
    ),
    "Comparison": Target(
        Comparison,
        {
            **ROWS,
            **TITLES,
            "expected": NUMBERS_OF_3,
            "observed": NUMBERS_OF_3,
            "expected_counts": NUMBERS_OF_3,
            "counts": OrNone([1, 2], [1, 2, "x"], good=((1, 2, 3),)),
            "low": NUMBERS_OF_3,
            "high": NUMBERS_OF_3,
            "z": NUMBERS_OF_3,
            "p": NUMBERS_OF_3,
            "chi2": Fixed(1.0),
            "dof": Fixed(2),
            "p_value": Fixed(0.5),
            "confidence": Fixed(0.95),
            "published": NUMBERS_OF_3,
        },
        tries=400,
        cross=("labels", "labels_zh"),
    ),
    "Comparison.fit_in": Target(
        Comparison.fit_in, {"self": Fixed(COMPARED), "lang": LANG}, tries=40
    ),
    "results.Run": Target(
        results.Run,
        {
            "entropy": Entropy(),
            "key": Amounts(1, 2),
            "start": Whole(0),
            "stop": Whole(0, cap=10**6),
        },
        run_answer,
        tries=300,
        cross=("stop",),
    ),
    "results.Source": Target(
        results.Source,
        {
            "game": Line(),
            "rules": Line(),
            "by": Line(),
            "players": Whole(1),
            "runs": OrNone(
                [DRAWN.runs[0], DRAWN.runs[0]], [None], [7], DRAWN, good=((), DRAWN.runs)
            ),
        },
        tries=250,
    ),
    "compare": Target(
        compare,
        {
            "observed": Is(SEEN, SHARED, FOUGHT),
            "expected": Is(COINS, PAIRS, DUEL),
            "of": Word(None, "win", "draw", "lose", "best"),
            "confidence": CONFIDENCE,
            "published": PUBLISHED,
        },
        compare_answer,
        tries=500,
        cross=("observed", "expected", "of"),
        names=("players",),
    ),
    "Table.index": Target(
        results.Tally.index, {"self": TABLES_, "label": RowLabel()}, index_answer, tries=200
    ),
    "Table.to_csv": Target(
        results.Tally.to_csv, {"self": TABLES_, "path": File()}, csv_answer, tries=150, files=True
    ),
    "Table.title_in": Target(results.Tally.title_in, {"self": TABLES_, "lang": LANG}, tries=40),
    **{
        f"Table.{name}": Target(
            getattr(Tally, name), {"self": TABLES_, "lang": LANG}, lambda **_: TEXT, tries=80
        )
        for name in WRITERS
    },
    "throughput.Throughput": Target(
        throughput.Throughput,
        {
            "rows": OrNone(
                (), (COPY, COPY), [COPY], (None,), (COPY, 3), "ab", {COPY}, good=((COPY, OWN),)
            ),
            **TITLES,
            "notes": Fixed(("a note",)),
            "notes_zh": Fixed(("注",)),
        },
        tries=200,
        names=("labels", "labels_zh"),
        cross=("rows",),
    ),
    "throughput.rate_text": Target(throughput.rate_text, {"hands": AnyReal()}, tries=80),
    "throughput.times_text": Target(throughput.times_text, {"times": AnyReal()}, tries=80),
}
