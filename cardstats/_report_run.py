"""How a report's simulations are run, and the cells that its tables share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, get_args

import numpy as np

from cardstats._checks import check_choice, whole
from cardstats._table import Column, Lang, Words, p_text, percent_text, z_text
from cardstats.comparison import rare_rows
from cardstats.results import Comparison


@dataclass(frozen=True)
class Settings:
    """What the user asked for: how many games, from which seed, on how many threads, for whom."""

    games: int | None = None
    rng: int = 1
    workers: int = 1
    progress: bool = False
    lang: Lang = "en"

    def __post_init__(self) -> None:
        check_choice("lang", self.lang, get_args(Lang))
        if self.games is not None:
            whole(self.games, "games", least=1)
        whole(self.rng, "rng")
        whole(self.workers, "workers", least=1)

    def deals(self, default: int) -> int:
        """Games of a simulation that by default has `default`."""
        return default if self.games is None else self.games

    def run(self, number: int) -> dict[str, Any]:
        """Keyword arguments of simulation `number`, which has a stream of its own."""
        return {
            "rng": np.random.SeedSequence(self.rng, spawn_key=(number,)),
            "workers": self.workers,
            "progress": self.progress,
        }


def percent_column(heading: str, heading_zh: str, shares: Iterable[Any]) -> Column:
    """Make a column of percentages from shares."""
    return Column(heading, heading_zh, [percent_text(share) for share in shares])


def z_column(heading: str, heading_zh: str, comparison: Comparison) -> Column:
    """Make a column of the deviations of a comparison; of rare rows, of the exact p."""
    rows = zip(rare_rows(comparison), comparison.z.tolist(), comparison.p.tolist(), strict=True)
    cells = [f"p {p_text(p)}" if rare else z_text(z) for rare, z, p in rows]
    # What cannot be, and was not seen, deviates from nothing.
    never = (comparison.expected == 0) & (comparison.counts == 0)
    cells = ["-" if empty else cell for cell, empty in zip(cells, never.tolist(), strict=True)]
    return Column(heading, heading_zh, cells)


def fit_words(what: str, what_zh: str, comparison: Comparison) -> Words:
    """Say how well something fits, in one line."""
    return Words(f"{what}: {comparison.fit_in('en')}", f"{what_zh}：{comparison.fit_in('zh')}")


def rows_of(comparison: Comparison, rows: Sequence[int]) -> Comparison:
    """Pick rows of a comparison, in the given order; the overall test stays that of all."""
    picked: dict[str, Any] = {}
    for field in fields(comparison):
        value = getattr(comparison, field.name)
        if isinstance(value, np.ndarray):
            picked[field.name] = value[list(rows)]
        elif isinstance(value, tuple):
            picked[field.name] = tuple(value[row] for row in rows)
    return replace(comparison, **picked)


def agreement_column(agree: Sequence[bool], lang: Lang) -> Column:
    """Make a column that says where a published value is right."""
    yes, no = ("是", "否") if lang == "zh" else ("yes", "NO")
    return Column("agrees", "一致", [yes if item else no for item in agree])
