"""Throughput: the result of measuring how many hands a second each way of doing a job takes.

Knows rates and how they read; knows nothing of cards, nor of how time is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from cardstats._checks import items, real, set_field, set_labels, shown
from cardstats._table import Column, Lang, Table

Kind = Literal["limit", "cardstats", "plain", "peer", "another job"]

_INDENT = "\u2003"  # Markdown and HTML drop plain spaces
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How fast one contestant does a job.

    Parameters
    ----------
    job, job_zh : str
        What is done, such as "category of three cards"; rows of one job follow each other.
    label, label_zh : str
        Who does it, and to what: unique in a `Throughput`.
    kind : {"limit", "cardstats", "plain", "peer", "another job"}
        Copying the hands, this library, the seed's way in plain Python, another package, or
        something that does another job, harder or easier, and is shown for scale only.
    hands : float
        Hands (games, decisions) a second.
    of_limit : float, optional
        `hands` as a share of the limit of the same job, from 0; None if there is none.
    times : float, optional
        How many times as many hands cardstats does in the same time; None for its own rows,
        limits and other jobs.
    answers, answers_zh : str
        How the answers compare with those of cardstats; empty if they are not compared.
    """

    job: str
    job_zh: str
    label: str
    label_zh: str
    kind: Kind
    hands: float
    of_limit: float | None = None
    times: float | None = None
    answers: str = ""
    answers_zh: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Throughput(Table):
    """What `cardstats.benchmark.benchmark` measured, as text, Markdown, HTML, CSV and DataFrame.

    Parameters
    ----------
    rows : tuple of Rate
        By job.
    title, title_zh : str
    notes, notes_zh : tuple of str
        Disagreements, what was measured on, which versions.

    Raises
    ------
    ValueError
        If a label names two rows, the rows of a job do not follow each other, or a rate is no
        positive number.

    Examples
    --------
    >>> from dataclasses import replace
    >>> copy = Rate(job="category", job_zh="牌型", label="copy", label_zh="复制", kind="limit",
    ...             hands=3e9)
    >>> own = replace(copy, label="classify", label_zh="分类", kind="cardstats", hands=2.4e9,
    ...               of_limit=0.8)
    >>> print(Throughput((copy, own), "one core").to_csv())
    label,label_zh,job,kind,hands,of_limit,times,answers
    copy,复制,category,limit,3000000000.0,,,
    classify,分类,category,cardstats,2400000000.0,0.8,,
    <BLANKLINE>
    """

    rows: tuple[Rate, ...]
    title: str = ""
    title_zh: str = ""
    notes: tuple[str, ...] = ()
    notes_zh: tuple[str, ...] = ()

    labels: tuple[str, ...] = field(init=False)
    labels_zh: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Take the labels from the rows, and check them."""
        set_field(self, "rows", items("rows", self.rows))
        for row in self.rows:
            if not isinstance(row, Rate):
                raise TypeError(f"rows: expected a Rate, got {shown(row)}")
        set_field(self, "labels", tuple(row.label for row in self.rows))
        set_field(self, "labels_zh", tuple(row.label_zh for row in self.rows))
        set_labels(self)
        jobs = [rows[0].job for rows in self.jobs()]
        for job in jobs:
            if jobs.count(job) > 1:
                raise ValueError(f"rows: those of {job!r} do not follow each other")
        for row in self.rows:
            if not 0 < real("rows", row.hands) < math.inf:
                raise ValueError(f"rows: {row.label!r} does {row.hands!r} hands a second")

    def jobs(self) -> Iterator[tuple[Rate, ...]]:
        """Give the rows job by job."""
        return (tuple(rows) for _, rows in groupby(self.rows, key=lambda row: row.job))

    def _label_heading(self, lang: Lang) -> str:
        return "方法" if lang == "zh" else "who"

    def _columns(self) -> Sequence[Column]:
        return (
            Column("hands/s", "手/秒", [rate_text(row.hands) for row in self.rows]),
            Column("of limit", "占上限", [_share_text(row.of_limit) for row in self.rows]),
            Column("slower by", "慢（倍）", [times_text(row.times) for row in self.rows]),
        )

    def _grid(self, lang: Lang) -> list[list[str]]:
        """Put each job's name above its rows, and the answers, which are words, on the right."""
        head, *rows = super()._grid(lang)
        zh = lang == "zh"
        grid, job = [[*head, "答案" if zh else "answers"]], None
        for row, (label, *numbers) in zip(self.rows, rows, strict=True):
            if row.job != job:
                job = row.job
                grid.append([row.job_zh if zh else job, *[""] * len(head)])
            grid.append([_INDENT + label, *numbers, row.answers_zh if zh else row.answers])
        return grid

    def _data(self) -> Mapping[str, Sequence[Any]]:
        names = ("job", "kind", "hands", "of_limit", "times", "answers")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def _notes(self, lang: Lang) -> Sequence[str]:
        return self.notes_zh if lang == "zh" else self.notes


def rate_text(hands: float) -> str:
    """Write how many a second to two digits.

    Examples
    --------
    >>> [rate_text(hands) for hands in (4.08e9, 523e6, 12_345, 999.7, 3.21)]
    ['4.1 G', '520 M', '12 k', '1.0 k', '3.2']
    """
    rounded = float(f"{real('hands', hands):.2g}")
    size, prefix = next((part for part in _PREFIXES if rounded >= part[0]), (1.0, ""))
    value = rounded / size
    return f"{value:.{1 if value < 10 else 0}f} {prefix}".rstrip()


def times_text(times: float | None) -> str:
    """Write how many times as fast to two digits; nothing for None.

    Examples
    --------
    >>> times_text(12_345), times_text(1.26), times_text(0.849), times_text(None)
    ('12,000 ×', '1.3 ×', '0.85 ×', '')
    """
    if times is None:
        return ""
    rounded = float(f"{real('times', times):.2g}")
    return f"{rounded:,.0f} ×" if rounded >= 10 else f"{rounded:.{1 if rounded >= 1 else 2}f} ×"


def _share_text(share: float | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.0f} %" if share >= 0.01 else "< 1 %"
