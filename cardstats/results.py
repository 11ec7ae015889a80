"""What the games hand back: exact distributions, tallies, showdowns, comparisons.

All are frozen, print themselves in English and Chinese, and export themselves (`_table`). This
module checks that numbers are consistent; it counts nothing itself and knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import (
    check_choice,
    exact_fraction,
    float_row,
    fractions,
    int64_row,
    items,
    one_a_row,
    set_field,
    set_labels,
    shown,
    whole,
    whole_numbers,
)
from cardstats._source import Run, Source, check_equal, check_source, merged, source_notes
from cardstats._table import (
    Column,
    Lang,
    Table,
    count_text,
    p_text,
    percent_text,
    z_text,
)

__all__ = ["Comparison", "Distribution", "Payout", "Run", "Showdown", "Source", "Tally"]

Payout: TypeAlias = int | Fraction | str | float
_Number = TypeVar("_Number", int, Fraction)


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(Table):
    """How many of all hands fall into each class: exact.

    Parameters
    ----------
    title : str
        What was counted, under which rules.
    labels, labels_zh : sequence of str, length k
        English and Chinese names of the classes.
    counts : sequence of int, length k
        Hands (or deals) of each class, as Python ints of any size.
    joint : sequence of k sequences of k ints, optional
        ``joint[i][j]``: ordered pairs of disjoint hands of one deal, the first of class i and
        the second of class j. `cardstats.compare` needs it where hands share a deal.
    title_zh : str, optional
        The title in Chinese.

    Raises
    ------
    TypeError, ValueError
        If a count is not a whole number or negative, labels repeat, lengths differ, or `joint`
        is not symmetric or not in proportion to `counts`.

    Examples
    --------
    >>> coins = Distribution("two coins", ("none", "one", "two"), ("无", "一", "二"), (1, 2, 1))
    >>> coins.probabilities[1]
    Fraction(1, 2)
    >>> print(coins)
    two coins
    label  count  probability %
    ---------------------------
    none       1        25.0000
    one        2        50.0000
    two        1        25.0000
    ---------------------------
    total      4       100.0000
    """

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    counts: tuple[int, ...]
    joint: tuple[tuple[int, ...], ...] | None = None
    title_zh: str = ""

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            title: str,
            labels: Sequence[str],
            labels_zh: Sequence[str],
            counts: Sequence[int],
            joint: Sequence[Sequence[int]] | None = ...,
            title_zh: str = ...,
        ) -> None: ...

    _derived = ("total", "probabilities")

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        set_labels(self)
        set_field(self, "counts", whole_numbers("counts", self.counts, self.labels))
        if self.total == 0:
            raise ValueError("counts: all are 0; a distribution needs at least one hand")
        if self.joint is not None:
            rows = one_a_row("joint", self.joint, self.labels)
            joint = tuple(whole_numbers("joint", row, self.labels) for row in rows)
            _check_joint(joint, self.counts, self.labels)
            set_field(self, "joint", joint)

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.counts)

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """Probability of each class."""
        total = self.total
        return tuple(Fraction(count, total) for count in self.counts)

    def expectation(self, payouts: Mapping[str, Payout]) -> Fraction:
        """Average payout of one hand.

        Parameters
        ----------
        payouts : mapping of label to int, Fraction, str or float
            What each class pays, under its English or Chinese label; a class that is not
            mentioned pays 0. Text may be ``"3/2"``, ``"3:2"`` or ``"0.1"``; a float is taken
            only where it is meant exactly, as 1.5 is and 0.1 cannot be.

        Returns
        -------
        Fraction
            Sum of probability times payout.

        Raises
        ------
        TypeError
            If a payout is no number or text.
        ValueError
            If a label is unknown or given twice, or a payout cannot be read exactly.

        Examples
        --------
        >>> coins = Distribution("two coins", ("none", "one", "two"), ("无", "一", "二"), (1, 2, 1))
        >>> coins.expectation({"two": "3:2", "none": -1})
        Fraction(1, 8)
        """
        if not isinstance(payouts, Mapping):
            raise TypeError(f"payouts: expected payouts by label, got {shown(payouts)}")
        try:
            rows = [self.index(label) for label in payouts]
        except ValueError as error:
            raise ValueError(f"payouts: {error}") from None
        for label, row in zip(payouts, rows, strict=True):
            if rows.count(row) > 1:
                raise ValueError(f"payouts: {label!r} names a row that another label names too")
        values = [_payout(label, value) for label, value in payouts.items()]
        weighted = (self.counts[row] * value for row, value in zip(rows, values, strict=True))
        return sum(weighted, Fraction(0)) / self.total

    def _columns(self) -> Sequence[Column]:
        counts = [count_text(count) for count in self.counts]
        shares = [percent_text(share) for share in self.probabilities]
        return (
            Column("count", "数目", counts, count_text(self.total)),
            Column("probability %", "概率 %", shares, percent_text(1)),
        )

    def _data(self) -> Mapping[str, Sequence[Any]]:
        return {"count": self.counts, "probability": [float(p) for p in self.probabilities]}


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Table):
    """How many hands were seen of each class: simulated, dealt by hand, or read in a book.

    Two tallies of disjoint runs of the same thing add up: ``a + b``.

    Parameters
    ----------
    title : str
        What was counted.
    labels, labels_zh : sequence of str, length k
        English and Chinese names of the classes.
    counts : array_like of int, shape (k,)
        Hands of each class; kept as a read-only int64 array.
    players : int
        Hands that share a deal.
    source : Source, optional
        How the games were drawn; None for hands and counts of a user's own.
    title_zh : str, optional
        The title in Chinese.

    Raises
    ------
    TypeError, ValueError
        If a count is not a whole number, negative or beyond 64 bits, labels repeat, lengths
        differ, `players` is less than 1, or `source` tells of other games.

    Examples
    --------
    >>> seen = Tally.from_counts({"heads": 49, "tails": 51})
    >>> seen.total, seen.frequencies.tolist()
    (100, [0.49, 0.51])
    """

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    counts: NDArray[np.int64]
    players: int = 1
    source: Source | None = None
    title_zh: str = ""

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            title: str,
            labels: Sequence[str],
            labels_zh: Sequence[str],
            counts: ArrayLike,
            players: int = ...,
            source: Source | None = ...,
            title_zh: str = ...,
        ) -> None: ...

    _derived = ("total", "games")

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        set_labels(self)
        set_field(self, "counts", int64_row("counts", self.counts, self.labels))
        set_field(self, "players", whole(self.players, "players", 1))
        check_source(self.source, self.players, hands=self.total)

    @classmethod
    def from_counts(
        cls,
        mapping: Mapping[str, int],
        *,
        players: int = 1,
        title: str = "",
        labels_zh: Sequence[str] | None = None,
    ) -> Tally:
        """Make a tally of counts that you have.

        Parameters
        ----------
        mapping : mapping of label to int
            Hands of each class.
        players : int
            Hands that share a deal.
        title : str
            What was counted.
        labels_zh : sequence of str, optional
            Chinese labels in the mapping's order; by default the same labels.

        Returns
        -------
        Tally
            One without a source.

        Raises
        ------
        TypeError, ValueError
            As `Tally` does.

        Examples
        --------
        >>> print(Tally.from_counts({"pair": 170, "other": 830}, players=5, title="200 rounds"))
        200 rounds
        label  count  frequency %
        -------------------------
        pair     170      17.0000
        other    830      83.0000
        -------------------------
        total  1,000     100.0000
        200 games of 5 hands
        """
        if not isinstance(mapping, Mapping):
            raise TypeError(f"mapping: expected counts by label, got {type(mapping).__name__}")
        labels = tuple(mapping)
        zh = labels if labels_zh is None else items("labels_zh", labels_zh)
        return cls(title, labels, zh, np.array(list(mapping.values()), dtype=object), players)

    @property
    def total(self) -> int:
        """All hands: games times players."""
        return int(self.counts.sum())

    @property
    def games(self) -> int:
        """Deals that the hands come from."""
        return self.total // self.players

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Share of each class among all hands, shape (k,); NaN where there is no hand at all."""
        return self.counts / (self.total or np.nan)

    def __add__(self, other: Tally) -> Tally:
        """Merge disjoint runs of the same thing."""
        if not isinstance(other, Tally):
            return NotImplemented
        _check_same_rows(self, other)
        source = merged(self.source, other.source)
        counts = np.array(_sums(tuple(self.counts.tolist()), tuple(other.counts.tolist())), object)
        return replace(self, counts=counts, source=source)

    def _columns(self) -> Sequence[Column]:
        counts = [count_text(count) for count in self.counts.tolist()]
        shares = [percent_text(share) for share in self.frequencies.tolist()]
        whole = percent_text(1 if self.total else None)
        return (
            Column("count", "数目", counts, count_text(self.total)),
            Column("frequency %", "频率 %", shares, whole),
        )

    def _data(self) -> Mapping[str, Sequence[Any]]:
        return {"count": self.counts.tolist(), "frequency": self.frequencies.tolist()}

    def _notes(self, lang: Lang) -> Sequence[str]:
        notes = []
        if self.players > 1 and lang == "zh":
            notes.append(f"{self.games:,} 局，每局 {self.players} 手")
        elif self.players > 1:
            notes.append(f"{self.games:,} games of {self.players} hands")
        return (*notes, *source_notes(self.source, lang))


@dataclass(frozen=True, eq=False, repr=False)
class Showdown(Table):
    """What a hand of each class is worth against the rest of the table.

    The hero is the player in seat 0: each deal counts once, so the rows are independent of each
    other. Two simulated showdowns of disjoint runs of the same thing add up: ``a + b``.

    Parameters
    ----------
    title : str
        What was counted, under which rules.
    labels, labels_zh : sequence of str, length k
        English and Chinese names of the classes.
    players : int
        Hands at the table, the hero's included.
    exact : bool
        Whether all ordered deals were counted, or some were drawn.
    hands : sequence of int, length k
        Hands of each class; in a simulated showdown the same as `deals`.
    win, draw, lose : sequence of int, length k
        Deals in which the hero's hand of this class beats everyone, shares the best hand, or
        meets a better one.
    share : sequence of Fraction or int, length k
        Sum over the deals of the hero's part of the pot: 1 for a win, 1/k where k share the best
        hand. It therefore includes `win`.
    best : sequence of int, length k
        Deals in which the best hand at the table is of this class.
    source : Source, optional
        How the games were drawn; None for exact ones and for figures of a user's own.
    title_zh : str, optional
        The title in Chinese.

    Raises
    ------
    TypeError, ValueError
        If numbers are not whole, negative, or contradict each other.

    Examples
    --------
    Two players get one card each from A, K, K:

    >>> table = Showdown(
    ...     "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=True, hands=(2, 1),
    ...     win=(0, 2), draw=(2, 0), lose=(2, 0), share=(1, 2), best=(2, 4),
    ... )
    >>> table.deals, table.total
    ((4, 2), 6)
    >>> table.equity
    (Fraction(1, 4), Fraction(1, 1))
    """

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    players: int
    exact: bool
    hands: tuple[int, ...]
    win: tuple[int, ...]
    draw: tuple[int, ...]
    lose: tuple[int, ...]
    share: tuple[Fraction, ...]
    best: tuple[int, ...]
    source: Source | None = None
    title_zh: str = ""

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            title: str,
            labels: Sequence[str],
            labels_zh: Sequence[str],
            players: int,
            exact: bool,
            hands: Sequence[int],
            win: Sequence[int],
            draw: Sequence[int],
            lose: Sequence[int],
            share: Sequence[Fraction | int],
            best: Sequence[int],
            source: Source | None = ...,
            title_zh: str = ...,
        ) -> None: ...

    _derived = ("deals", "total", "equity")

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        set_labels(self)
        set_field(self, "players", whole(self.players, "players", 2))
        for name in ("hands", "win", "draw", "lose", "best"):
            set_field(self, name, whole_numbers(name, getattr(self, name), self.labels))
        set_field(self, "share", fractions("share", self.share, self.labels))
        self._check_deals()
        if self.exact and self.source is not None:
            raise ValueError("source: an exact showdown is not drawn from a random stream")
        check_source(self.source, self.players, hands=self.total * self.players)

    def _check_deals(self) -> None:
        if sum(self.best) != self.total:
            raise ValueError(
                f"best: sums to {shown(sum(self.best))}, but there are {shown(self.total)} deals"
            )
        if not self.exact and self.hands != self.deals:
            raise ValueError("hands: a simulated showdown has one hand a deal; give win+draw+lose")
        rows = zip(self.labels, self.win, self.draw, self.share, strict=True)
        for label, win, draw, share in rows:
            low, high = win + Fraction(draw, self.players), win + Fraction(draw, 2)
            if not low <= share <= high:
                raise ValueError(
                    f"share: row {label!r}: {share} is outside {low}..{high}, which {win} wins "
                    f"and {draw} draws of {self.players} players allow"
                )

    @property
    def deals(self) -> tuple[int, ...]:
        """Deals in which the hero's hand is of each class: win + draw + lose."""
        return tuple(map(sum, zip(self.win, self.draw, self.lose, strict=True)))

    @property
    def total(self) -> int:
        """All deals."""
        return sum(self.deals)

    @property
    def equity(self) -> tuple[Fraction | None, ...]:
        """The hero's average part of the pot with each class; None for one never dealt."""
        return tuple(map(_ratio, self.share, self.deals))

    def __add__(self, other: Showdown) -> Showdown:
        """Merge disjoint runs of the same thing."""
        if not isinstance(other, Showdown):
            return NotImplemented
        if self.exact or other.exact:
            raise ValueError("exact: exact showdowns hold every deal already; they do not add up")
        _check_same_rows(self, other)
        return replace(
            self,
            hands=_sums(self.hands, other.hands),
            win=_sums(self.win, other.win),
            draw=_sums(self.draw, other.draw),
            lose=_sums(self.lose, other.lose),
            share=_sums(self.share, other.share),
            best=_sums(self.best, other.best),
            source=merged(self.source, other.source),
        )

    def _columns(self) -> Sequence[Column]:
        deals, total = self.deals, self.total
        return (
            Column("hands", "手数", list(map(count_text, self.hands)), count_text(sum(self.hands))),
            _rate_column("win %", "胜 %", self.win, deals),
            _rate_column("draw %", "平 %", self.draw, deals),
            _rate_column("lose %", "负 %", self.lose, deals),
            _rate_column("equity %", "权益 %", self.share, deals),
            _rate_column("best %", "最大 %", self.best, [total] * len(deals), total=total),
        )

    def _data(self) -> Mapping[str, Sequence[Any]]:
        return {
            "hands": self.hands,
            "deals": self.deals,
            "win": self.win,
            "draw": self.draw,
            "lose": self.lose,
            "share": [float(share) for share in self.share],
            "equity": [None if equity is None else float(equity) for equity in self.equity],
            "best": self.best,
        }

    def _notes(self, lang: Lang) -> Sequence[str]:
        if lang == "zh":
            kind = "全部" if self.exact else "模拟"
            note = f"{self.players} 人，{kind} {self.total:,} 局；最大：全桌最大牌属于该类"
        else:
            kind = "all" if self.exact else "simulated"
            note = (
                f"{self.players} players, {kind} {self.total:,} deals; "
                "best: the best hand at the table is of this class"
            )
        return (note, *source_notes(self.source, lang))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Table):
    """Observed against expected, row by row and over all: what `cardstats.compare` returns.

    Parameters
    ----------
    title : str
        What was compared.
    labels, labels_zh : sequence of str, length k
        English and Chinese names of the rows.
    expected, observed : array_like of float, shape (k,)
        Exact probabilities, and frequencies seen.
    expected_counts : array_like of float, shape (k,)
        How often each row was to be expected.
    counts : array_like of int, shape (k,)
        How often it was seen.
    low, high : array_like of float, shape (k,)
        Interval around the observed frequency that holds the true one with `confidence`.
    z : array_like of float, shape (k,)
        Deviation in standard deviations; infinite where nothing could deviate and did.
    p : array_like of float, shape (k,)
        Two-sided p-value of each row.
    chi2, dof, p_value : float, int, float
        The overall test.
    confidence : float
        Of the intervals, between 0 and 1.
    published : array_like of float, shape (k,), optional
        Probabilities that somebody printed, NaN where there is none; a column of its own.
    title_zh : str, optional
        The title in Chinese.
    """

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    expected: NDArray[np.float64]
    observed: NDArray[np.float64]
    expected_counts: NDArray[np.float64]
    counts: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    z: NDArray[np.float64]
    p: NDArray[np.float64]
    chi2: float
    dof: int
    p_value: float
    confidence: float
    published: NDArray[np.float64] | None = None
    title_zh: str = ""

    _derived = ("outside",)

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        set_labels(self)
        for name in ("expected", "observed", "expected_counts", "low", "high", "z", "p"):
            set_field(self, name, float_row(name, getattr(self, name), self.labels))
        set_field(self, "counts", int64_row("counts", self.counts, self.labels))
        if self.published is not None:
            set_field(self, "published", float_row("published", self.published, self.labels))

    @property
    def outside(self) -> str:
        """How many expected values lie outside their row's interval, and how many are to."""
        return self._outside("en")

    def _outside(self, lang: Lang) -> str:
        rows = len(self.labels)
        outside = int(np.sum((self.expected < self.low) | (self.expected > self.high)))
        open_rows = (self.expected > 0) & (self.expected < 1) & (self.expected_counts > 0)
        chance = (1 - self.confidence) * int(np.sum(open_rows))
        if lang == "zh":
            return f"{rows} 行中 {outside} 行在区间之外，预期 {chance:.1f} 行"
        return f"{outside} of {rows} rows outside their interval, {chance:.1f} expected"

    def _columns(self) -> Sequence[Column]:
        level = f"{100 * self.confidence:g} %"
        bounds = zip(self.low.tolist(), self.high.tolist(), strict=True)
        intervals = [f"[{percent_text(low)}, {percent_text(high)}]" for low, high in bounds]
        published: tuple[Column, ...] = ()
        if self.published is not None:
            cells = list(map(percent_text, self.published.tolist()))
            published = (Column("publ. %", "公布 %", cells),)
        return (
            *published,
            Column("expected %", "理论 %", list(map(percent_text, self.expected.tolist()))),
            Column("observed %", "观测 %", list(map(percent_text, self.observed.tolist()))),
            Column(f"{level} interval", f"{level} 区间", intervals),
            Column("z", "z", list(map(z_text, self.z.tolist()))),
            Column("p", "p", list(map(p_text, self.p.tolist()))),
        )

    def _data(self) -> Mapping[str, Sequence[Any]]:
        published = {} if self.published is None else {"published": self.published.tolist()}
        return {
            **published,
            "expected": self.expected.tolist(),
            "observed": self.observed.tolist(),
            "expected_count": self.expected_counts.tolist(),
            "count": self.counts.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "z": self.z.tolist(),
            "p": self.p.tolist(),
        }

    def fit_in(self, lang: Lang) -> str:
        """Say in one line how well all rows together fit."""
        check_choice("lang", lang, get_args(Lang))
        p = p_text(self.p_value)
        if self.dof == 0:
            few = ("too few for chi2, p <= {}", "数目太少，不作卡方检验，p <= {}")
            return few[lang == "zh"].format(p)
        if lang == "zh":
            return f"卡方 {self.chi2:.2f}，自由度 {self.dof}，p = {p}"
        return f"chi2 {self.chi2:.2f}, dof {self.dof}, p = {p}"

    def _notes(self, lang: Lang) -> Sequence[str]:
        stop = "；" if lang == "zh" else "; "
        return (self.fit_in(lang) + stop + self._outside(lang),)


def pot_share(sharing: Sequence[int]) -> Fraction:
    """Add up a player's part of the pot.

    Parameters
    ----------
    sharing : sequence of int
        Deals in which the player shares the best hand among 1 (who wins alone), 2, 3, …

    Returns
    -------
    Fraction
        Sum of 1/k over the deals that k share.

    Examples
    --------
    >>> pot_share([3, 1])
    Fraction(7, 2)
    """
    return sum((Fraction(deals, k) for k, deals in enumerate(sharing, start=1)), Fraction(0))


def _check_same_rows(one: Tally | Showdown, other: Tally | Showdown) -> None:
    for name in ("labels", "labels_zh", "players"):
        check_equal(name, getattr(one, name), getattr(other, name))


def _sums(one: tuple[_Number, ...], other: tuple[_Number, ...]) -> tuple[_Number, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _ratio(part: Fraction | int, whole: int) -> Fraction | None:
    return Fraction(part) / whole if whole else None


def _rate_column(
    heading: str,
    heading_zh: str,
    parts: Sequence[Fraction | int],
    wholes: Sequence[int],
    total: int | None = None,
) -> Column:
    """Make a column of percentages, closed by that of all rows together."""
    cells = [percent_text(_ratio(part, whole)) for part, whole in zip(parts, wholes, strict=True)]
    overall = _ratio(sum(parts, Fraction(0)), sum(wholes) if total is None else total)
    return Column(heading, heading_zh, cells, percent_text(overall))


def _check_joint(
    joint: tuple[tuple[int, ...], ...], counts: tuple[int, ...], labels: tuple[str, ...]
) -> None:
    """Check that both hands of a pair are alike, and each a hand like any other."""
    pairs, hands = sum(map(sum, joint)), sum(counts)
    if pairs == 0:
        raise ValueError("joint: all are 0; leave it out where no two hands come from one deal")
    columns = zip(*joint, strict=True)
    for label, row, column, count in zip(labels, joint, columns, counts, strict=True):
        if row != column:
            raise ValueError(f"joint: row {label!r} differs from its column; it is symmetric")
        if sum(row) * hands != count * pairs:
            raise ValueError(
                f"joint: row {label!r} is {sum(row)} of {pairs} pairs, which is not "
                f"the probability {count}/{hands} of that class"
            )


# A float with a larger denominator is more likely a rounded decimal than a payout.
_LARGEST_DENOMINATOR = 2**20


def _payout(label: str, value: Payout) -> Fraction:
    try:
        if isinstance(value, str):
            return exact_fraction(value)
        if isinstance(value, Integral):
            return Fraction(int(value))
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(
            f"payouts: {shown(label)}: cannot read {shown(value)}; "
            "write payouts like 2, '3/2' or '3:2'"
        ) from None
    except TypeError:
        raise TypeError(
            f"payouts: {shown(label)}: expected a number or text, got {shown(value)}"
        ) from None
    if isinstance(value, float) and exact.denominator > _LARGEST_DENOMINATOR:
        raise ValueError(
            f"payouts: {label!r}: the float {value!r} is not exact; give a Fraction or text, "
            f"like Fraction({str(value)!r}) or {str(value)!r}"
        )
    return exact
