"""What the plots of results show: numbers a row, and the words of both languages.

Knows nothing of drawing; `plot` draws what is found here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import check_text, items
from cardstats._table import Lang, Table, p_text
from cardstats.comparison import covariance, wilson
from cardstats.results import Comparison, Distribution, Showdown, Tally

Of = Literal["win", "draw", "lose", "share", "best"]  # what to show of each class of a Showdown
Floats: TypeAlias = NDArray[np.float64]

CONFIDENCE = 0.95  # of the intervals of tallies and showdowns; a Comparison brings its own
BAND = 2  # standard deviations

_COMMON_DECIMALS = 3  # with more of them, large percentages have digits that nobody reads
_MAX_DECIMALS = 6  # beyond them a small percentage is written with an exponent

_WORDS: dict[str, tuple[str, str]] = {
    "probability": ("Probability, %", "概率（%）"),
    "frequency": ("Frequency, %", "频率（%）"),
    "win": ("Win rate, %", "胜率（%）"),
    "draw": ("Draw rate, %", "平局率（%）"),
    "lose": ("Loss rate, %", "负率（%）"),
    "share": ("Equity: average share of the pot, %", "权益：平均分得的底池（%）"),
    "best": ("Best hand at the table, %", "全桌最大牌属于该类（%）"),
    "exact": ("exact", "精确"),
    "simulated": ("simulated", "模拟"),
    "observed": ("observed", "观测"),
    "interval": ("{} interval", "{} 区间"),
    "published": ("published", "公布值"),
    "z": ("Deviation from exact, z", "与精确值的偏差（z）"),
    "games": ("Games", "局数"),
    "deviation": ("Deviation, % of the exact value", "与精确值的相对偏差（%）"),
    "closing row": ("{}, exact {}", "{}，精确 {}"),
    "band": (f"±{BAND} standard deviations", f"±{BAND} 倍标准差"),
    "rare": ("rare: exact p", "稀少：精确 p 值"),
    "hands": ("Hands per second", "每秒手数"),
    "times": ("(n ×): cardstats is n times as fast", "(n ×)：cardstats 的速度是它的 n 倍"),
    "cardstats": ("cardstats", "cardstats"),
    "plain": ("plain Python", "纯 Python"),
    "peer": ("other packages", "其他软件包"),
    "another job": ("another job, for scale", "任务不同，仅供参照"),
    "closing": ("simulated frequency closing on exact", "模拟频率趋近精确值"),
}


@dataclass(frozen=True)
class Rows:
    """What horizontal bars need to know; all numbers are shares from 0 to 1, NaN if unknown."""

    title: str
    labels: tuple[str, ...]
    quantity: str  # what the horizontal axis shows, a key of _WORDS
    series: str  # what the bars are, a key of _WORDS
    values: Floats  # a class of which no hand was dealt has none, and no interval
    low: Floats | None = None
    high: Floats | None = None
    exact: Floats | None = None
    published: Floats | None = None
    confidence: float = CONFIDENCE  # of the intervals from low to high

    @property
    def reach(self) -> Floats:
        """How far bar, interval and marks of each row go."""
        ends = (self.values, self.high, self.exact, self.published)
        reach: Floats = np.fmax.reduce([end for end in ends if end is not None])
        return np.nan_to_num(reach)

    @property
    def longest_interval(self) -> float:
        """From low to high; 0 without any."""
        if self.low is None or self.high is None:
            return 0.0
        return float(np.nan_to_num(self.high - self.low).max())


def rows_of(result: Comparison | Distribution | Tally, lang: Lang) -> Rows:
    """Take frequencies or probabilities; hands that share a deal have no interval of their own."""
    if not isinstance(result, Comparison | Distribution | Tally):
        raise wrong_type("result", result, "a Comparison, a Distribution or a Tally")
    labels = labels_of(result, lang)
    if isinstance(result, Comparison):
        rows = Rows(result.title_in(lang), labels, "frequency", "observed", result.observed)
        rows = replace(rows, exact=result.expected, published=result.published)
        return _with_intervals(rows, result.low, result.high, result.confidence)
    if isinstance(result, Distribution):
        exact = np.array(result.probabilities, dtype=np.float64)
        return Rows(result.title_in(lang), labels, "probability", "exact", exact)
    series = "observed" if result.source is None else "simulated"
    rows = Rows(result.title_in(lang), labels, "frequency", series, result.frequencies)
    if result.players > 1:
        return rows
    trials = np.full(len(labels), result.total, dtype=np.float64)
    return _with_intervals(rows, *wilson(rows.values, trials, CONFIDENCE))


def showdown_rows(result: Showdown, of: Of, lang: Lang) -> Rows:
    """Take what the hero gets with each class; the hero plays once a deal, hence intervals.

    A share of the pot lies between 0 and 1, and so varies no more than a win that comes as often:
    Wilson's interval is wide enough for both.
    """
    parts: Sequence[int | Fraction] = getattr(result, of)
    wholes = [result.total] * len(parts) if of == "best" else result.deals
    shares = zip(parts, wholes, strict=True)
    values = np.array([part / whole if whole else math.nan for part, whole in shares], np.float64)
    series = "exact" if result.exact else "simulated"
    rows = Rows(result.title_in(lang), labels_of(result, lang), of, series, values)
    if result.exact:
        return rows
    return _with_intervals(rows, *wilson(values, np.array(wholes, np.float64), CONFIDENCE))


def wrong_type(argument: str, value: object, expected: str) -> TypeError:
    """Make the error for an argument that is no such result."""
    return TypeError(f"{argument}: expected {expected}, got a {type(value).__name__}")


def check_pair(exact: Showdown, simulated: Showdown) -> None:
    """Refuse showdowns that are not an exact and a simulated one of the same thing."""
    if not isinstance(simulated, Showdown):
        raise wrong_type("simulated", simulated, "a Showdown")
    if not exact.exact or simulated.exact:
        raise TypeError("result, simulated: expected an exact and a simulated Showdown, in order")
    for name in ("labels", "players"):
        one, other = getattr(exact, name), getattr(simulated, name)
        if one != other:
            raise ValueError(f"{name}: {one} of the exact one are not {other} of the simulated")


def overall_text(comparison: Comparison, lang: Lang) -> str:
    """Write the test of all rows at once."""
    chi2, dof, p = comparison.chi2, comparison.dof, p_text(comparison.p_value)
    if dof == 0:
        return f"数目太少，不作 χ² 检验，p ≤ {p}" if lang == "zh" else f"too few for χ², p ≤ {p}"
    if lang == "zh":
        return f"χ² = {chi2:.2f}，自由度 {dof}，p = {p}"
    return f"χ² = {chi2:.2f}, {dof} degree{'s' if dof != 1 else ''} of freedom, p = {p}"


def closing_title(expected: Distribution, lang: Lang) -> str:
    """Say what simulated frequencies close on."""
    parts = (say("closing", lang), expected.title_in(lang))
    return ("：" if lang == "zh" else ": ").join(filter(None, parts))


def growing_runs(tallies: Iterable[Tally]) -> list[Tally]:
    """Check that tallies can be drawn as one run."""
    if not isinstance(tallies, Iterable):
        raise wrong_type("tallies", tallies, "Tally after Tally")
    runs = list(items("tallies", tallies))
    if not runs:
        raise ValueError("tallies: there is none")
    for number, tally in enumerate(runs):
        if not isinstance(tally, Tally):
            raise wrong_type(f"tallies: number {number}", tally, "a Tally")
        if (tally.players, tally.labels) != (runs[0].players, runs[0].labels):
            raise ValueError(f"tallies: number {number} has other players or labels than the first")
    games = [tally.games for tally in runs]
    if games[0] < 1 or min(np.diff(games), default=1) < 1:
        raise ValueError(f"tallies: games do not grow from 1 on: {games}")
    return runs


def chosen_rows(rows: Sequence[str] | None, expected: Distribution, players: int) -> list[int]:
    """Find rows by label; without any, the most and the least likely of those that can vary."""
    # Of a class that cannot come, must come, or comes as often in every game.
    fixed = (np.diag(covariance(expected, players)) == 0).tolist()
    if rows is None:
        varying = [row for row, is_fixed in enumerate(fixed) if not is_fixed]
        if not varying:
            raise ValueError("expected: no row can deviate; each comes always or never")
        by_count = sorted(varying, key=expected.counts.__getitem__)
        return list(dict.fromkeys((by_count[-1], by_count[0])))
    try:
        chosen = [expected.index(label) for label in items("rows", rows)]
    except ValueError as error:
        raise ValueError(f"rows: {error}") from None
    for row in chosen:
        if fixed[row]:
            kind = "certain" if expected.counts[row] else "impossible"
            raise ValueError(f"rows: {expected.labels[row]!r} is {kind}; nothing can deviate")
    if not chosen:
        raise ValueError("rows: name at least one row")
    return chosen


def deviations(tallies: Sequence[Tally], expected: Distribution, row: int) -> tuple[Floats, Floats]:
    """Compare ever longer runs with one row's probability: how far off, how far is usual.

    Parameters
    ----------
    tallies : sequence of Tally
        As `growing_runs` returns them.
    expected : Distribution
    row : int
        Of `expected`.

    Returns
    -------
    off, band : ndarray of float64
        One a tally: the deviation and two standard deviations, both as parts of the probability.
    """
    label, chance = expected.labels[row], float(expected.probabilities[row])
    seen = np.array([tally.frequencies[tally.index(label)] for tally in tallies])
    players = tallies[0].players
    variance = covariance(expected, players)[row, row] / players**2
    games = np.array([tally.games for tally in tallies])
    return seen / chance - 1, BAND * np.sqrt(variance / games) / chance


def closing_names(expected: Distribution, lang: Lang) -> list[str]:
    """Name rows with the probability that they close on."""
    texts = value_texts(rows_of(expected, lang))
    pairs = zip(labels_of(expected, lang), texts, strict=True)
    return [say("closing row", lang).format(*pair) for pair in pairs]


def value_texts(rows: Rows) -> list[str]:
    """Write each value in per cent, with one number of decimals for all where that can be.

    It is what the coarsest row has by itself, as its interval or three digits allow, or what two
    digits of the smallest value need. Where those are too many for the other rows, each row has
    its own. What is not 0 or 1 is never written as "0 %" or "100 %".
    """
    sizes = np.minimum(rows.values, 1 - rows.values)
    sizes[~(sizes > 0)] = np.nan  # these need no decimals
    precisions = sizes / 100
    if rows.low is not None and rows.high is not None:
        precisions = np.minimum((rows.high - rows.low) / 2, sizes)
    decimals = _decimals(precisions)
    common = max(np.fmin.reduce(decimals), np.fmax.reduce(_decimals(sizes / 10)))
    if common <= _COMMON_DECIMALS:
        decimals[:] = common
    pairs = zip(rows.values.tolist(), decimals.tolist(), strict=True)
    return [_percent(value, places) for value, places in pairs]


def labels_of(
    source: Sequence[str] | Table, lang: Lang, argument: str = "labels"
) -> tuple[str, ...]:
    """Take a result's labels in one language, or labels as they were given."""
    if isinstance(source, Table):
        return source.labels_zh if lang == "zh" else source.labels
    labels = items(argument, source)
    for label in labels:
        check_text(argument, label)
    return labels


def say(word: str, lang: Lang) -> str:
    """Look up a word or phrase of the plots."""
    return _WORDS[word][lang == "zh"]


def _with_intervals(rows: Rows, low: Floats, high: Floats, confidence: float = CONFIDENCE) -> Rows:
    """Add intervals; a class of which no hand was dealt has none."""
    none = np.isnan(rows.values)
    low, high = (np.where(none, np.nan, end) for end in (low, high))
    return replace(rows, low=low, high=high, confidence=confidence)


def _decimals(precisions: Floats) -> Floats:
    """Count the decimals of a percentage that is known so precisely, as a share."""
    # Rounded, for 1 − 0.9 is a little less than 0.1.
    return np.maximum(0, np.ceil(np.round(-np.log10(100 * precisions), 9)))


def _percent(value: float, decimals: float) -> str:
    if math.isnan(value):
        return "–"
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    if decimals > _MAX_DECIMALS and value < 0.5:
        return f"{100 * value:.2e} %"
    return f"{100 * value:.{min(int(decimals), _MAX_DECIMALS)}f} %"
