"""Observed against expected: intervals, z, exact p of rare rows, chi-square.

Every comparison is put into one form, `_Rows`: how often each row was seen in how many trials,
its exact chance, and how the counts vary together. The statistics know no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import check_choice, real, shown
from cardstats._table import Lang, Table
from cardstats.results import Comparison, Distribution, Showdown, Tally

# Python ints and Fractions, which no dtype but object holds.
_Exact: TypeAlias = NDArray[Any]

Outcome = Literal["win", "draw", "lose", "best"]

# A row expected less often than this, or less often than this absent, is too far from normal.
RARE = 5


def compare(
    observed: Tally | Showdown,
    expected: Distribution | Showdown,
    *,
    of: Outcome | None = None,
    confidence: float = 0.95,
    published: Mapping[str, float] | None = None,
) -> Comparison:
    """Ask whether observed hands agree with exact probabilities.

    Hands of one deal are not independent: a `Tally` of several players is judged by the exact
    covariance of its rows (`covariance`), its intervals by the number of independent hands that
    would tell as much. The intervals are Wilson's ("Probable inference, the law of succession,
    and statistical inference", Journal of the American Statistical Association 22, 1927). Rows
    expected fewer than five times get an exact binomial p and Clopper and Pearson's interval
    ("The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika 26, 1934), which covers at least as often as it says, and are pooled for
    chi-square; where that leaves nothing to test, the overall p is Bonferroni's bound over the
    rows.

    Parameters
    ----------
    observed : Tally or Showdown
        What was seen. Rows are matched by label, English or Chinese, in any order; a tally
        without a source may leave out rows, which then count 0.
    expected : Distribution or Showdown
        The exact probabilities; a Distribution for a Tally, an exact Showdown for a Showdown, or
        with ``of="best"`` the Distribution of the best hand.
    of : {"win", "draw", "lose", "best"}
        Of two Showdowns only: compare how often the hero wins, draws or loses with a hand of
        each class, or of which class the best hand at the table is.
    confidence : float
        Of the intervals.
    published : mapping of label to probability, optional
        What somebody printed, from 0 to 1: a column beside the others. Rows may be left out.

    Returns
    -------
    Comparison
        One row for each row of `expected`. A row that cannot come and did has z = ±inf and
        p = 0, and then so has the overall test; a class of which no hand was dealt has no
        frequency (NaN), z = 0, p = 1 and the interval from 0 to 1.

    Raises
    ------
    TypeError
        If the two are not an observed and an exact result of one kind.
    ValueError
        If labels or players do not match, `of` is missing or out of place, there is no hand, a
        total is not a multiple of the players, or players share a deal and `expected` does not
        tell how two hands of one deal are joined.

    Examples
    --------
    >>> from cardstats.results import Distribution, Tally
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> result = compare(Tally.from_counts({"heads": 60, "tails": 40}), coin)
    >>> print(result)
    coin
    label  expected %  observed %       95 % interval      z       p
    ----------------------------------------------------------------
    heads     50.0000     60.0000  [50.2003, 69.0599]  +2.00  0.0455
    tails     50.0000     40.0000  [30.9401, 49.7997]  -2.00  0.0455
    chi2 4.00, dof 1, p = 0.0455; 2 of 2 rows outside their interval, 0.1 expected
    """
    confidence = real("confidence", confidence)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence!r} is outside 0..1")
    if of is not None:
        check_choice("of", of, get_args(Outcome))
    if isinstance(observed, Tally) and isinstance(expected, Distribution):
        if of is not None:
            raise ValueError(f"of: {of!r} is asked of two Showdowns; leave it out for a Tally")
        rows = _tally_rows(observed, expected)
    elif isinstance(observed, Showdown) and isinstance(expected, Showdown):
        rows = _showdown_rows(observed, expected, of)
    elif isinstance(observed, Showdown) and isinstance(expected, Distribution) and of == "best":
        rows = _tally_rows(_best_tally(observed), expected)
    else:
        raise TypeError(
            "observed, expected: compare takes a Tally and a Distribution, or a simulated and an "
            f"exact Showdown, in this order; got {_kind(observed)} and {_kind(expected)}"
        )
    comparison = _comparison(rows, confidence)
    if published is not None:
        comparison = replace(comparison, published=published_shares(comparison, published))
    return comparison


def published_shares(result: Table, published: Mapping[str, float]) -> NDArray[np.float64]:
    """Put published probabilities into the rows of a result, NaN where there is none.

    Raises
    ------
    TypeError
        If `published` is no mapping, or a value is no number.
    ValueError
        If a label is none of the result's, two name the same row, or a value is no probability.
    """
    if not isinstance(published, Mapping):
        raise TypeError(f"published: expected probabilities by label, got {shown(published)}")
    marks = np.full(len(result.labels), np.nan)
    for label, value in published.items():
        share = real(f"published: {shown(label)}", value)
        if not 0 <= share <= 1:
            raise ValueError(f"published: {shown(label)}: {value!r} is no probability from 0 to 1")
        try:
            row = result.index(label)
        except ValueError as error:
            raise ValueError(f"published: {error}") from None
        if not np.isnan(marks[row]):
            raise ValueError(f"published: {shown(label)} names a row that another label names too")
        marks[row] = share
    return marks


def rare_rows(comparison: Comparison) -> NDArray[np.bool_]:
    """Find the rows of a comparison that are too rare for z, and have an exact p instead.

    Returns
    -------
    ndarray of bool, shape (k,)
        Rows that were expected fewer than five times, or fewer than five times absent; one that
        cannot come, or cannot but come, is none of them.
    """
    chances, expected = comparison.expected, comparison.expected_counts
    trials = np.divide(expected, chances, out=np.zeros(len(chances)), where=chances > 0)
    return _is_rare(np.minimum(expected, np.rint(trials) - expected))


def covariance(expected: Distribution, players: int = 1) -> NDArray[np.float64]:
    """Covariance of one game's counts of each class.

    With p the probabilities and J the joint distribution of two hands of one deal, m hands have
    V = m(diag p − ppᵀ) + m(m−1)(J − ppᵀ): m variances of a hand, and m(m−1) ordered pairs.

    Parameters
    ----------
    expected : Distribution
        With its `joint` where there are several players.
    players : int
        Hands of one deal.

    Returns
    -------
    ndarray of float64, shape (k, k)
        Computed in whole numbers and divided once, so that cancellation costs nothing.

    Raises
    ------
    ValueError
        If `players` is less than 1, or more than 1 and `expected` has no joint distribution.

    Examples
    --------
    >>> from cardstats.results import Distribution
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> covariance(coin).tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    if players < 1:
        raise ValueError(f"players: {players} is less than 1")
    counts = np.array(expected.counts, dtype=object)
    squares, scale = np.outer(counts, counts), expected.total**2
    exact = players * (expected.total * np.diag(counts) - squares)
    if players > 1:
        joint, pairs = _joint_counts(expected, players)
        exact = pairs * exact + players * (players - 1) * (scale * joint - pairs * squares)
        scale *= pairs
    return (exact / scale).astype(np.float64)


def wilson(
    observed: NDArray[np.float64], trials: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wilson's interval: solve |observed − p| = q √(p (1 − p) / trials) for p.

    Parameters
    ----------
    observed : ndarray of float64, shape (k,)
        Shares from 0 to 1. Where there is no trial they do not matter, and may be NaN.
    trials : ndarray of float64, shape (k,)
        Need not be whole.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray of float64, shape (k,)
        From 0 to 1 where there is no trial.

    Examples
    --------
    >>> low, high = wilson(np.array([0.5, np.nan]), np.array([100.0, 0.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.404, 0.0], [0.596, 1.0])
    """
    from scipy.special import ndtri

    q = -ndtri((1 - confidence) / 2)
    share = np.where(trials == 0, 0.0, observed)
    centre = (trials * share + q**2 / 2) / (trials + q**2)
    half = q * np.sqrt(trials * share * (1 - share) + q**2 / 4) / (trials + q**2)
    # The ends are 0 and 1 there by algebra; rounding must not shut out an exact 0 or 1.
    low = np.where(share == 0, 0.0, centre - half)
    high = np.where((share == 1) | (trials == 0), 1.0, centre + half)
    return low, high


@dataclass(frozen=True, eq=False)
class _Rows:
    """What the statistics need to know of k rows, in the order of the expected result.

    Whole numbers and Fractions stay exact, in object arrays, until deviations are taken.
    """

    title: str
    title_zh: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    counts: _Exact
    trials: _Exact
    chances: _Exact
    deviations: NDArray[np.float64]  # of the counts from trials × chances
    covariance: NDArray[np.float64]  # of the counts, (k, k)


def _tally_rows(observed: Tally, expected: Distribution) -> _Rows:
    players, hands = observed.players, observed.total
    if hands == 0:
        raise ValueError("observed: there is no hand to compare")
    if hands % players:
        raise ValueError(f"observed: {hands} hands are not a multiple of {players} players")
    rows = _matched(observed, expected, may_miss=observed.source is None)
    counts = _in_rows(observed.counts.tolist(), rows)
    chances = np.array(expected.probabilities, dtype=object)
    return _Rows(
        title=_title(observed, expected),
        title_zh=_title(observed, expected, "zh"),
        labels=expected.labels,
        labels_zh=expected.labels_zh,
        counts=counts,
        trials=np.full(len(counts), hands, dtype=object),
        chances=chances,
        deviations=(counts - hands * chances).astype(np.float64),
        covariance=observed.games * covariance(expected, players),
    )


def _showdown_rows(observed: Showdown, expected: Showdown, of: Outcome | None) -> _Rows:
    if observed.exact or not expected.exact:
        raise TypeError(
            "observed, expected: compare takes a simulated Showdown and an exact one, in this "
            f"order; got {_kind(observed)} and {_kind(expected)}"
        )
    if of is None:
        choices = ", ".join(map(repr, get_args(Outcome)))
        raise ValueError(f"of: say what of the Showdowns to compare, one of {choices}; got None")
    if observed.players != expected.players:
        raise ValueError(
            f"players: observed has {observed.players} at the table, expected {expected.players}"
        )
    if observed.total == 0:
        raise ValueError("observed: there is no deal to compare")
    rows = _matched(observed, expected, may_miss=False)
    if of == "best":
        return _tally_rows(_best_tally(observed), _best_distribution(expected))
    counts = _in_rows(getattr(observed, of), rows)
    trials = _in_rows(observed.deals, rows)
    parts = zip(getattr(expected, of), expected.deals, strict=True)
    rates = [Fraction(part, deals) if deals else Fraction(0) for part, deals in parts]
    chances = np.array(rates, dtype=object)
    possible = np.array(expected.deals, dtype=bool)
    # A class that cannot come has no rate: each deal with it contradicts the expected ones.
    deviations = np.where(possible, counts - trials * chances, trials)
    return _Rows(
        title=f"{of}: {_title(observed, expected)}",
        title_zh=f"{_OUTCOME_ZH[of]}：{_title(observed, expected, 'zh')}",
        labels=expected.labels,
        labels_zh=expected.labels_zh,
        counts=counts,
        trials=trials,
        chances=chances,
        deviations=deviations.astype(np.float64),
        # The hero sits in seat 0 of each deal: rows share no deal, and are independent.
        covariance=np.diag((trials * chances * (1 - chances)).astype(np.float64)),
    )


def _title(observed: Tally | Showdown, expected: Distribution | Showdown, lang: Lang = "en") -> str:
    """Name both sides: whether they are under the same rules is for the reader to see."""
    sides = [side for side in (observed.title_in(lang), expected.title_in(lang)) if side]
    return ("，对照：" if lang == "zh" else ", against ").join(dict.fromkeys(sides))


_OUTCOME_ZH = {"win": "胜率", "draw": "平局率", "lose": "负率", "best": "全桌最大牌"}


def _best_tally(showdown: Showdown) -> Tally:
    title = f"best: {showdown.title}" if showdown.title else "best"
    best = np.array(showdown.best)
    title_zh = f"{_OUTCOME_ZH['best']}：{showdown.title_in('zh')}"
    return Tally(title, showdown.labels, showdown.labels_zh, best, title_zh=title_zh)


def _best_distribution(showdown: Showdown) -> Distribution:
    return Distribution(
        showdown.title,
        showdown.labels,
        showdown.labels_zh,
        showdown.best,
        title_zh=showdown.title_zh,
    )


def _joint_counts(expected: Distribution, players: int) -> tuple[_Exact, int]:
    """Give the ordered pairs of classes, and how many they are."""
    if expected.joint is None:
        raise ValueError(
            f"expected: {players} hands of one deal are not independent, and this distribution "
            "has no joint counts of two such hands; give it `joint`, or compare one hand a deal"
        )
    joint: _Exact = np.array(expected.joint, dtype=object)
    return joint, joint.sum()


def _matched(
    observed: Tally | Showdown, expected: Distribution | Showdown, *, may_miss: bool
) -> list[int | None]:
    """Find, for each row of `expected`, the row of `observed` with its label."""
    rows: list[int | None] = [None] * len(expected.labels)
    for row, label in enumerate(observed.labels):
        try:
            place = expected.index(label)
        except ValueError as error:
            raise ValueError(f"observed: {error}") from None
        if rows[place] is not None:
            raise ValueError(f"observed: {label!r} names a row that another label names too")
        rows[place] = row
    missing = [label for label, row in zip(expected.labels, rows, strict=True) if row is None]
    if missing and not may_miss:
        raise ValueError(f"observed: has no row for {', '.join(missing)}")
    return rows


def _in_rows(values: Sequence[int], rows: Sequence[int | None]) -> _Exact:
    return np.array([0 if row is None else values[row] for row in rows], dtype=object)


def _kind(result: object) -> str:
    name = type(result).__name__
    if isinstance(result, Showdown):
        return f"{'an exact' if result.exact else 'a simulated'} {name}"
    return f"a {name}"


def _comparison(rows: _Rows, confidence: float) -> Comparison:
    from scipy.special import ndtr

    variance = np.diag(rows.covariance)
    trials = rows.trials.astype(np.float64)
    counts = rows.counts.astype(np.int64)
    observed = np.divide(counts, trials, out=np.full(len(counts), np.nan), where=trials > 0)
    expected_counts = rows.trials * rows.chances
    # How far from certain, either way: n·p or n·(1 − p).
    sizes = np.minimum(expected_counts, rows.trials - expected_counts).astype(np.float64)
    sizes[variance == 0] = 0
    low, high = wilson(observed, _effective_trials(rows, variance), confidence)
    z = _z(rows.deviations, variance)
    p: NDArray[np.float64] = 2 * ndtr(-np.abs(z))
    rare = _is_rare(sizes)
    if rare.any():
        low[rare], high[rare] = _clopper_pearson(counts[rare], trials[rare], confidence)
        p[rare] = _binomial_p_values(rows, rare)
    chi2, dof, p_value = _chi_square(rows.deviations, rows.covariance, sizes)
    if dof == 0 and (sizes > 0).any():
        # Too few for chi-square: Bonferroni's bound over the rows that can vary.
        p_value = min(1.0, float(np.sum(sizes > 0) * p[sizes > 0].min()))
    if np.isinf(z).any():
        chi2, p_value = np.inf, 0.0
    return Comparison(
        title=rows.title,
        title_zh=rows.title_zh,
        labels=rows.labels,
        labels_zh=rows.labels_zh,
        expected=rows.chances.astype(np.float64),
        observed=observed,
        expected_counts=expected_counts.astype(np.float64),
        counts=counts,
        low=low,
        high=high,
        z=z,
        p=p,
        chi2=chi2,
        dof=dof,
        p_value=p_value,
        confidence=confidence,
    )


def _effective_trials(rows: _Rows, variance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count the independent hands of which the frequencies would vary as these do.

    A count that cannot vary at all keeps its number of trials; z tells whether it is right.
    """
    trials = rows.trials.astype(np.float64)
    independent = (rows.trials * rows.chances * (1 - rows.chances)).astype(np.float64)
    effective = trials.copy()
    np.divide(trials * independent, variance, out=effective, where=variance > 0)
    return effective


def _is_rare(sizes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell of which rows, n·p or n·(1 − p) times to be expected, z is no measure."""
    rare: NDArray[np.bool_] = (sizes > 0) & (sizes < RARE)
    return rare


def _z(deviations: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide by the standard deviation; what could not deviate and did is infinitely far off."""
    z: NDArray[np.float64] = np.where(deviations == 0, 0.0, np.copysign(np.inf, deviations))
    np.divide(deviations, np.sqrt(variance), out=z, where=variance > 0)
    return z


def _clopper_pearson(
    counts: NDArray[np.int64], trials: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Take for the ends what leaves exactly half of the error to counts as extreme as these.

    Wilson's interval of a single hand where 0.15 are expected leaves out the truth: it misses one
    time in seven, whatever its confidence.
    """
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    absent = trials - counts
    # No beta distribution has a parameter 0: an end there is 0 or 1 itself.
    low = beta.ppf(tail, np.maximum(counts, 1), absent + 1)
    high = beta.isf(tail, counts + 1, np.maximum(absent, 1))
    return np.where(counts == 0, 0.0, low), np.where(absent == 0, 1.0, high)


def _binomial_p_values(rows: _Rows, rare: NDArray[np.bool_]) -> list[float]:
    """Take the two-sided p of these rows from the exact binomial.

    For several players a rare count is not quite binomial. Chen and Stein's bound (Arratia,
    Goldstein and Gordon, "Two moments suffice for Poisson approximations", Annals of
    Probability 17, 1989) says how far off that is: by about (m − 1) J_ii / p_i, the chance that
    a hand of the class meets another of it in its deal, and a rare class seldom meets itself.
    """
    from scipy.stats import binomtest

    told = zip(rows.counts[rare], rows.trials[rare], rows.chances[rare], strict=True)
    return [binomtest(count, trials, float(chance)).pvalue for count, trials, chance in told]


def _chi_square(
    deviations: NDArray[np.float64], covariance: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[float, int, float]:
    """Test all rows at once: χ² = dᵀ V⁺ d over the pooled rows, with rank(V) degrees of freedom.

    V is singular: counts add up, and at a full table more is tied. Along such a direction the
    deviation is 0, or the counts cannot have come from these deals.
    """
    from scipy.special import chdtrc

    pooling = _pooling(sizes)
    # Scaled to variances of about 1, so that rank does not hang on how rare the rarest row is.
    scale = np.sqrt(pooling @ np.diag(covariance))
    deviation = pooling @ deviations / scale
    variances, axes = np.linalg.eigh(pooling @ covariance @ pooling.T / np.outer(scale, scale))
    free = variances > _NO_VARIANCE
    along = axes.T @ deviation
    dof = int(free.sum())
    if np.any(np.abs(along[~free]) > _NO_DEVIATION * (1 + np.linalg.norm(deviation))):
        return np.inf, dof, 0.0
    statistic = float(np.sum(along[free] ** 2 / variances[free]))
    return statistic, dof, float(chdtrc(dof, statistic)) if dof else 1.0


# Rounding leaves 1e-15 of either; one hand too many among 10^12 would leave 1e-6 of the second.
_NO_VARIANCE = 1e-10
_NO_DEVIATION = 1e-8


def _pooling(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make the (groups, rows) matrix of 0 and 1 that adds rare rows together.

    Rare rows are one group; while it is rare itself, the next smallest row joins. A row that
    cannot vary (size 0) is in no group, and a group that stays rare is left out.
    """
    ascending = [row for row in np.argsort(sizes, kind="stable").tolist() if sizes[row] > 0]
    pooled = [row for row in ascending if sizes[row] < RARE]
    others = ascending[len(pooled) :]
    while pooled and others and sizes[pooled].sum() < RARE:
        pooled.append(others.pop(0))
    groups = [group for group in (pooled, *([row] for row in others)) if sizes[group].sum() >= RARE]
    matrix = np.zeros((len(groups), len(sizes)))
    for number, group in enumerate(groups):
        matrix[number, group] = 1
    return matrix
