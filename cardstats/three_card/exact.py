"""What three-card hands are worth, counted over all deals: integers and Fractions, no float.

Hands are counted by inclusion and exclusion over shared cards: how many hands of a set hold a
card, or a pair of cards, tells how many of them avoid a given hand. `exact_table` counts tables
that are too large for that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._engine import RNG, whole
from cardstats.cards import DECK_SIZE
from cardstats.results import Distribution, Showdown
from cardstats.three_card.exact_heroes import count_sharers, count_sharers_by_row
from cardstats.three_card.exact_table import best_counts
from cardstats.three_card.kernels import all_hands, classify
from cardstats.three_card.rules import (
    LOWEST_TOP_CARD,
    MAX_PLAYERS,
    ZHA_JIN_HUA,
    By,
    Category,
    Rules,
    class_places,
    row_labels,
)

MAX_BEST_PLAYERS = 6
_MAX_LISTED_PLAYERS = 3  # beyond them deals are not gone through hand by hand
_SIMULATE = "simulate_showdown() deals to more"


@dataclass(frozen=True)
class Equity:
    """What one given hand is worth against unknown ones.

    Parameters
    ----------
    win, draw, lose : int
        Deals in which the hand beats everyone, shares the best hand, or meets a better one.
    share : Fraction
        Sum over the deals of the hand's part of the pot: 1 for a win, 1/k where k share it.
    total : int
        All deals: win + draw + lose.
    se : float
        Standard error of `equity`; 0 where all deals were counted.
    exact : bool
        Whether all deals were counted, or some were drawn.

    Examples
    --------
    >>> print(Equity(win=3, draw=1, lose=4, share=Fraction(7, 2), total=8, se=0.0))
    win 37.5000 %, draw 12.5000 %, lose 50.0000 %; equity 43.7500 % (exact, 8 deals)
    """

    win: int
    draw: int
    lose: int
    share: Fraction
    total: int
    se: float
    exact: bool = True

    @property
    def equity(self) -> Fraction:
        """The hand's average part of the pot."""
        return self.share / self.total

    def __str__(self) -> str:
        """Rates in percent, and how they were found."""
        rates = ", ".join(
            f"{name} {100 * count / self.total:.4f} %"
            for name, count in (("win", self.win), ("draw", self.draw), ("lose", self.lose))
        )
        how = "exact" if self.exact else f"± {100 * self.se:.4f} % standard error, simulated"
        equity = 100 * float(self.equity)
        return f"{rates}; equity {equity:.4f} % ({how}, {self.total:,} deals)"


def exact_categories(*, rules: Rules = ZHA_JIN_HUA, by: By = "category") -> Distribution:
    """Count the 22,100 hands by class, and the pairs of disjoint hands by both classes.

    Parameters
    ----------
    rules : Rules
        Only whether A-2-3 is a straight matters here.
    by : {"category", "top_card"}
        The six categories, or fifteen rows with the high cards split by their top card.

    Returns
    -------
    Distribution
        ``joint[i][j]`` counts ordered pairs of hands of one deal.

    Raises
    ------
    ValueError
        If `by` is unknown.

    Examples
    --------
    >>> hands = exact_categories()
    >>> hands.counts
    (16440, 3744, 720, 1096, 48, 52)
    >>> hands.expectation({"pair": 1, "flush": "3:1"})
    Fraction(1758, 5525)
    """
    labels, labels_zh = row_labels(by)
    row_of_hand = _rows(rules, by)
    counts, holding, holding_pair = _degrees(row_of_hand, len(labels))
    # Pairs of hands of rows i and j less those that share a card, by inclusion and exclusion
    # over what they share: a card, two cards, all three.
    joint = np.outer(counts, counts) - holding.T @ holding + holding_pair.T @ holding_pair
    joint -= np.diag(counts)
    return Distribution(
        f"hands of three cards, {rules.name}",
        labels,
        labels_zh,
        tuple(counts.tolist()),
        tuple(map(tuple, joint.tolist())),
    )


def exact_showdown(
    *, players: int = 2, rules: Rules = ZHA_JIN_HUA, by: By = "category"
) -> Showdown:
    """Count what a hand of each class is worth against one or two others, over all deals.

    Parameters
    ----------
    players : {2, 3}
        Hands at the table, the hero's included.
    rules : Rules
        Any.
    by : {"category", "top_card"}
        The six categories, or fifteen rows with the high cards split by their top card.

    Returns
    -------
    Showdown
        Counts of ordered deals of disjoint hands, as Python ints. Where points tie across
        classes, `best` credits the class that stands higher in `rules.order`; a special 2-3-5
        that wins is credited to the high cards, which it looks like.

    Raises
    ------
    TypeError, ValueError
        If `players` is not 2 or 3, or `by` is unknown.

    Examples
    --------
    >>> duel = exact_showdown()
    >>> duel.win[Category.PAIR], duel.draw[Category.PAIR], duel.lose[Category.PAIR]
    (57094704, 11232, 11873520)
    """
    labels, labels_zh = row_labels(by)
    players = _checked("players", players, 2, _MAX_LISTED_PLAYERS, _SIMULATE)
    row_of_hand = _rows(rules, by)
    hands = np.bincount(row_of_hand, minlength=len(labels)).tolist()
    sharers = count_sharers_by_row(rules, players, row_of_hand)
    credited = sharers
    if rules.points is not None:  # which can tie across classes
        place_of_hand = class_places(rules, by)[row_of_hand].astype(np.intp)
        credited = count_sharers_by_row(rules, players, row_of_hand, place_of_hand)
    win = [row[0] for row in sharers]
    draw = [sum(row[1:]) for row in sharers]
    deals_per_hand = _ordered_deals(players) // sum(hands)
    lose = [n * deals_per_hand - w - d for n, w, d in zip(hands, win, draw, strict=True)]
    return Showdown(
        f"showdown of {players} players, {rules.name}",
        labels,
        labels_zh,
        players=players,
        exact=True,
        hands=tuple(hands),
        win=tuple(win),
        draw=tuple(draw),
        lose=tuple(lose),
        share=tuple(map(_share, sharers)),
        # Each seat holds its part of the best hand in as many deals as any other.
        best=tuple(int(players * _share(row)) for row in credited),
    )


def exact_best(*, players: int, rules: Rules = ZHA_JIN_HUA, by: By = "category") -> Distribution:
    """Count all deals to a whole table by the class of the best hand.

    Parameters
    ----------
    players : int
        1 to 6; up to 3 where points decide.
    rules : Rules
        Any. Suits that break ties do not matter.
    by : {"category", "top_card"}
        The six categories, or fifteen rows with the high cards split by their top card.

    Returns
    -------
    Distribution
        Counts of ordered deals of disjoint hands. A special 2-3-5 that wins is credited to
        the high cards, which it looks like.

    Raises
    ------
    TypeError, ValueError
        If `players` is outside its range, or `by` is unknown.

    Examples
    --------
    >>> best = exact_best(players=4)
    >>> best.counts[Category.PAIR]
    29653346629922976
    """
    labels, labels_zh = row_labels(by)
    players = _checked("players", players, 1, MAX_BEST_PLAYERS, _SIMULATE)
    if rules.points is None:
        counts = best_counts(players, rules, by)
    elif players == 1:
        counts = list(exact_categories(rules=rules, by=by).counts)
    elif players <= _MAX_LISTED_PLAYERS:
        counts = list(exact_showdown(players=players, rules=rules, by=by).best)
    else:
        raise ValueError(
            f"players: {players} are too many for exact counts under {rules.name}, where points "
            f"decide; up to {_MAX_LISTED_PLAYERS} are counted, {_SIMULATE}"
        )
    title = f"best hand of {players} players, {rules.name}"
    return Distribution(title, labels, labels_zh, tuple(counts))


def equity(
    hand: ArrayLike,
    *,
    opponents: int = 1,
    rules: Rules = ZHA_JIN_HUA,
    rng: RNG = None,
    games: int = 10**7,
) -> Equity:
    """Weigh a given hand against unknown ones.

    One and two opponents are counted over all deals, more are simulated.

    Parameters
    ----------
    hand : array_like of int, shape (3,)
        Three cards.
    opponents : int
        1 to 16.
    rules : Rules
        Any.
    rng : None, int, SeedSequence or Generator
        Where the games are drawn from, with three or more opponents.
    games : int
        How many of them.

    Returns
    -------
    Equity
        ``se`` is 0 where all deals were counted.

    Raises
    ------
    TypeError, ValueError
        If `hand` is not three different cards, or a number is outside its range.

    Examples
    --------
    >>> equity([51, 45, 20]).win  # A♠ K♣ 7♦
    13540
    """
    cards = np.asarray(hand)
    if cards.shape != (3,):
        raise ValueError(f"hand: expected three cards, shape (3,), got shape {cards.shape}")
    classify(cards, rules=rules)  # refuses what is no hand
    most = MAX_PLAYERS - 1
    players = 1 + _checked("opponents", opponents, 1, most, "a deck lasts for no more")
    if players > _MAX_LISTED_PLAYERS:
        return _simulated_equity(np.sort(cards), players, rules, rng, games)
    index = np.flatnonzero((all_hands() == np.sort(cards)).all(axis=1))
    sharers: list[int] = count_sharers(rules, players, index)[0].tolist()
    win, draw = sharers[0], sum(sharers[1:])
    total = _ordered_deals(players) // len(all_hands())
    return Equity(win, draw, total - win - draw, _share(sharers), total, se=0.0)


def _simulated_equity(
    hand: NDArray[Any], players: int, rules: Rules, rng: RNG, games: int
) -> Equity:
    from cardstats.three_card.simulation import equity_counts

    games = whole(games, "games", 1)
    cards = hand.astype(np.uint8)
    sharers = equity_counts(cards, players=players, rules=rules, games=games, rng=rng)
    win, draw, share = sharers[0], sum(sharers[1:]), _share(sharers)
    mean_square = sum(Fraction(deals, games * k**2) for k, deals in enumerate(sharers, start=1))
    se = math.sqrt((mean_square - (share / games) ** 2) / games)
    return Equity(win, draw, games - win - draw, share, games, se, exact=False)


def _checked(argument: str, value: object, least: int, most: int, beyond: str) -> int:
    number = whole(value, argument, least)
    if number > most:
        raise ValueError(f"{argument}: {number} is more than {most}; {beyond}")
    return number


def _ordered_deals(players: int) -> int:
    """Count the ways to give each player three cards."""
    return math.prod(math.comb(DECK_SIZE - 3 * seat, 3) for seat in range(players))


def _share(sharers: list[int]) -> Fraction:
    """Sum 1/k over the deals in which k share the best hand."""
    return sum((Fraction(deals, k) for k, deals in enumerate(sharers, start=1)), Fraction(0))


def _rows(rules: Rules, by: By) -> NDArray[np.intp]:
    """Row of each of the 22,100 hands."""
    hands = all_hands()
    categories: NDArray[np.intp] = classify(hands, rules=rules).astype(np.intp)
    if by == "category":
        return categories
    tops = hands.max(axis=1).astype(np.intp) // 4 - LOWEST_TOP_CARD
    last_row = len(row_labels(by)[0]) - 1
    high_card = categories == Category.HIGH_CARD
    rows: NDArray[np.intp] = np.where(high_card, tops, last_row - (max(Category) - categories))
    return rows


def _degrees(
    row_of_hand: NDArray[np.intp], rows: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Count the hands of each row: all of them, by card held, by pair of cards held.

    The shapes are (rows,), (52, rows) and (52 × 52, rows).
    """
    low, middle, high = all_hands().T.astype(np.intp)
    holding = np.zeros((DECK_SIZE, rows), dtype=np.int64)
    holding_pair = np.zeros((DECK_SIZE, DECK_SIZE, rows), dtype=np.int64)
    for card in (low, middle, high):
        np.add.at(holding, (card, row_of_hand), 1)
    for pair in ((low, middle), (low, high), (middle, high)):
        np.add.at(holding_pair, (*pair, row_of_hand), 1)
    return np.bincount(row_of_hand, minlength=rows), holding, holding_pair.reshape(-1, rows)
