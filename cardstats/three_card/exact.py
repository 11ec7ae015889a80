"""What three-card hands are worth, counted over all deals: integers and Fractions, no float.

Hands are counted by inclusion and exclusion over shared cards: how many hands of a set hold a
card, or a pair of cards, tells how many of them avoid a given hand. `exact_table` counts tables
that are too large for that.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import whole
from cardstats.cards import DECK_SIZE
from cardstats.results import Distribution, Showdown, pot_share
from cardstats.three_card.exact_heroes import count_sharers_by_row
from cardstats.three_card.exact_table import best_counts
from cardstats.three_card.kernels import all_hands, classify
from cardstats.three_card.rules import (
    LOWEST_TOP_CARD,
    ZHA_JIN_HUA,
    By,
    Category,
    Rules,
    checked_rules,
    class_places,
    row_labels,
    titles,
)

MAX_BEST_PLAYERS = 6
MAX_LISTED_PLAYERS = 3  # beyond them deals are not gone through hand by hand
_SIMULATE = "simulate_showdown() deals to more"


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
        labels=labels,
        labels_zh=labels_zh,
        counts=tuple(counts.tolist()),
        joint=tuple(map(tuple, joint.tolist())),
        **titles("all three-card hands", "三张牌的全部手牌", rules),
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
    players = whole(players, "players", 2, MAX_LISTED_PLAYERS, _SIMULATE)
    row_of_hand = _rows(rules, by)
    hands = np.bincount(row_of_hand, minlength=len(labels)).tolist()
    sharers = count_sharers_by_row(rules, players, row_of_hand)
    credited = sharers
    if rules.points is not None:  # which can tie across classes
        place_of_hand = class_places(rules, by)[row_of_hand].astype(np.intp)
        credited = count_sharers_by_row(rules, players, row_of_hand, place_of_hand)
    win = [row[0] for row in sharers]
    draw = [sum(row[1:]) for row in sharers]
    deals_per_hand = ordered_deals(players) // sum(hands)
    lose = [n * deals_per_hand - w - d for n, w, d in zip(hands, win, draw, strict=True)]
    return Showdown(
        labels=labels,
        labels_zh=labels_zh,
        players=players,
        exact=True,
        hands=tuple(hands),
        win=tuple(win),
        draw=tuple(draw),
        lose=tuple(lose),
        share=tuple(map(pot_share, sharers)),
        # Each seat holds its part of the best hand in as many deals as any other.
        best=tuple(int(players * pot_share(row)) for row in credited),
        **titles("showdown, all deals", "比牌，全部发牌", rules, players),
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
    rules = checked_rules(rules)
    labels, labels_zh = row_labels(by)
    players = whole(players, "players", 1, MAX_BEST_PLAYERS, _SIMULATE)
    if rules.points is None:
        counts = best_counts(players, rules, by)
    elif players == 1:
        counts = list(exact_categories(rules=rules, by=by).counts)
    elif players <= MAX_LISTED_PLAYERS:
        counts = list(exact_showdown(players=players, rules=rules, by=by).best)
    else:
        raise ValueError(
            f"players: {players} are too many for exact counts under {rules.name}, where points "
            f"decide; up to {MAX_LISTED_PLAYERS} are counted, {_SIMULATE}"
        )
    return Distribution(
        labels=labels,
        labels_zh=labels_zh,
        counts=tuple(counts),
        **titles("best hand of all deals", "全部发牌中的最大牌", rules, players),
    )


def ordered_deals(players: int) -> int:
    """Count the ways to give each player three cards."""
    return math.prod(math.comb(DECK_SIZE - 3 * seat, 3) for seat in range(players))


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
