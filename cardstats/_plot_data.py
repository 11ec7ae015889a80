"""What the plots of results show: numbers a row, and the words of both languages.

Knows nothing of drawing; `plot` draws what is found here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardstats._table import Lang, Table, p_text
from cardstats.comparison import RARE, covariance
from cardstats.results import Comparison, Distribution, Showdown, Tally

Rate = Literal["win", "draw", "lose", "share", "best"]
Floats: TypeAlias = NDArray[np.float64]

CONFIDENCE = 0.95  # of the intervals of tallies and showdowns; a Comparison brings its own
BAND = 2  # standard deviations

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
    "z": ("Standard deviations from exact (z)", "与精确值相差的标准差数（z）"),
    "games": ("Games", "局数"),
    "deviation": ("Relative deviation, %", "相对偏差（%）"),
    "band": ("2 standard deviations", "2 倍标准差"),
}


@dataclass(frozen=True)
class Rows:
    """What horizontal bars need to know; all numbers are shares from 0 to 1, NaN if unknown."""

    title: str
    labels: tuple[str, ...]
    quantity: str  # what the horizontal axis shows, a key of _WORDS
    series: str  # what the bars are, a key of _WORDS
    values: Floats
    low: Floats | None = None
    high: Floats | None = None
    exact: Floats | None = None
    published: Floats | None = None
    confidence: float = CONFIDENCE  # of the intervals from low to high


def rows_of(result: Comparison | Distribution | Tally, lang: Lang) -> Rows:
    """Take frequencies or probabilities; hands that share a deal have no interval of their own."""
    labels = labels_of(result, lang)
    if isinstance(result, Comparison):
        rows = Rows(result.title_in(lang), labels, "frequency", "observed", result.observed)
        rows = replace(rows, low=result.low, high=result.high, confidence=result.confidence)
        return replace(rows, exact=result.expected, published=result.published)
    if isinstance(result, Distribution):
        exact = np.array(result.probabilities, dtype=np.float64)
        return Rows(result.title_in(lang), labels, "probability", "exact", exact)
    if isinstance(result, Tally):
        series = "observed" if result.source is None else "simulated"
        rows = Rows(result.title_in(lang), labels, "frequency", series, result.frequencies)
        if result.players > 1:
            return rows
        low, high = _wilson(result.counts.tolist(), [result.total] * len(labels))
        return replace(rows, low=low, high=high)
    kind = type(result).__name__
    raise TypeError(f"result: expected a Comparison, a Distribution or a Tally, got a {kind}")


def showdown_rows(result: Showdown, of: Rate, lang: Lang) -> Rows:
    """Take what the hero gets with each class; the hero plays once a deal, hence intervals."""
    parts: Sequence[int | Fraction] = getattr(result, of)
    wholes = [result.total] * len(parts) if of == "best" else result.deals
    shares = zip(parts, wholes, strict=True)
    values = np.array([part / whole if whole else math.nan for part, whole in shares], np.float64)
    series = "exact" if result.exact else "simulated"
    rows = Rows(result.title_in(lang), labels_of(result, lang), of, series, values)
    if result.exact:
        return rows
    low, high = _wilson(parts, wholes)
    return replace(rows, low=low, high=high)


def check_pair(exact: Showdown, simulated: Showdown) -> None:
    """Refuse showdowns that are not an exact and a simulated one of the same thing."""
    if not exact.exact or simulated.exact:
        raise TypeError("result, simulated: expected an exact and a simulated Showdown, in order")
    for name in ("labels", "players"):
        one, other = getattr(exact, name), getattr(simulated, name)
        if one != other:
            raise ValueError(f"{name}: {one} of the exact one are not {other} of the simulated")


def rare_rows(comparison: Comparison) -> NDArray[np.bool_]:
    """Find the rows of which `compare` took an exact p: n·p or n·(1 − p) below `RARE`."""
    chance, count = comparison.expected, comparison.expected_counts
    absent = np.full(len(chance), np.inf)
    np.divide(count * (1 - chance), chance, out=absent, where=chance > 0)
    size = np.minimum(count, absent)
    rare: NDArray[np.bool_] = (size > 0) & (size < RARE)
    return rare


def overall_text(comparison: Comparison, lang: Lang) -> str:
    """Write the test of all rows at once."""
    chi2, dof, p = comparison.chi2, comparison.dof, p_text(comparison.p_value)
    if lang == "zh":
        return f"χ² = {chi2:.2f}，自由度 {dof}，p = {p}"
    return f"χ² = {chi2:.2f}, {dof} degree{'s' if dof != 1 else ''} of freedom, p = {p}"


def growing_games(tallies: Sequence[Tally]) -> NDArray[np.int64]:
    """Check that tallies can be drawn as one run, and count the games of each."""
    if not tallies:
        raise ValueError("tallies: there is none")
    first = tallies[0]
    for number, tally in enumerate(tallies):
        if (tally.players, tally.labels) != (first.players, first.labels):
            raise ValueError(f"tallies: number {number} has other players or labels than the first")
    games = np.array([tally.games for tally in tallies])
    if games[0] < 1 or np.any(np.diff(games) < 1):
        raise ValueError(f"tallies: games do not grow from 1 on: {games.tolist()}")
    return games


def chosen_rows(rows: Sequence[str] | None, expected: Distribution) -> list[int]:
    """Find rows by label; without any, the most and the least likely of those that can come."""
    possible = [row for row, count in enumerate(expected.counts) if count]
    if rows is None:
        by_count = sorted(possible, key=expected.counts.__getitem__)
        return list(dict.fromkeys((by_count[-1], by_count[0])))
    try:
        chosen = [expected.index(label) for label in rows]
    except ValueError as error:
        raise ValueError(f"rows: {error}") from None
    for row in chosen:
        if row not in possible:
            raise ValueError(f"rows: {expected.labels[row]!r} is impossible; nothing can deviate")
    if not chosen:
        raise ValueError("rows: name at least one row")
    return chosen


def deviations(tallies: Sequence[Tally], expected: Distribution, row: int) -> tuple[Floats, Floats]:
    """Compare ever longer runs with one row's probability: how far off, how far is usual.

    Parameters
    ----------
    tallies : sequence of Tally
        As `growing_games` wants them.
    expected : Distribution
    row : int
        Of `expected`.

    Returns
    -------
    off, band : ndarray of float64
        One a tally: the deviation, without its sign, and two standard deviations; both as parts
        of the probability.
    """
    label, chance = expected.labels[row], float(expected.probabilities[row])
    seen = np.array([tally.frequencies[tally.index(label)] for tally in tallies])
    players = tallies[0].players
    variance = covariance(expected, players)[row, row] / players**2
    games = np.array([tally.games for tally in tallies])
    return np.abs(seen / chance - 1), BAND * np.sqrt(variance / games) / chance


def value_texts(rows: Rows) -> list[str]:
    """Write each value in per cent, as finely as its interval allows, or to three digits.

    What is not 0 or 1 is never rounded to it.
    """
    sizes = np.minimum(rows.values, 1 - rows.values)
    if rows.low is None or rows.high is None:
        precisions = sizes / 100
    else:
        precisions = np.minimum((rows.high - rows.low) / 2, sizes)
    pairs = zip(rows.values.tolist(), precisions.tolist(), strict=True)
    return [_percent(value, precision) for value, precision in pairs]


def labels_of(source: Sequence[str] | Table, lang: Lang) -> tuple[str, ...]:
    """Take a result's labels in one language, or labels as they were given."""
    if isinstance(source, Table):
        return source.labels_zh if lang == "zh" else source.labels
    return tuple(source)


def say(word: str, lang: Lang) -> str:
    """Look up a word or phrase of the plots."""
    return _WORDS[word][lang == "zh"]


def width(text: str) -> int:
    """Count half-width characters: a Chinese one is as wide as two."""
    return len(text) + sum(map(is_chinese, text))


def is_chinese(character: str) -> bool:
    """Tell whether a character is Chinese, or punctuation of that width."""
    return "\u2e80" <= character <= "\uffef"


def _percent(value: float, precision: float) -> str:
    if math.isnan(value):
        return "–"
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    decimals = max(0, math.ceil(-math.log10(100 * precision)))
    if decimals > _MAX_DECIMALS and value < 0.5:
        return f"{100 * value:.2e} %"
    return f"{100 * value:.{min(decimals, _MAX_DECIMALS)}f} %"


def _wilson(parts: Sequence[int | Fraction], wholes: Sequence[int]) -> tuple[Floats, Floats]:
    """Find Wilson's interval of each part / whole, from 0 to 1 where there is no trial.

    A part that is not whole is rounded outwards.
    """
    from scipy.stats import binomtest

    bounds = np.tile([0.0, 1.0], (len(parts), 1))
    for row, (part, whole) in enumerate(zip(parts, wholes, strict=True)):
        if whole:
            ends = [
                binomtest(count, whole).proportion_ci(CONFIDENCE, "wilson")
                for count in (math.floor(part), math.ceil(part))
            ]
            bounds[row] = ends[0].low, ends[1].high
    return bounds[:, 0], bounds[:, 1]
