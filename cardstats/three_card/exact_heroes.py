"""Deals gone through hero by hero: how often each hand wins or shares against one or two others.

Hands are passed in ascending order while two tables grow: how many of the weaker hands, and of
the equal ones, hold each pair of cards. By inclusion and exclusion these tell how many hands,
and how many disjoint pairs of hands, avoid the hero, without listing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats.cards import DECK_SIZE, RANKS
from cardstats.three_card.kernels import all_hands, classify, strength
from cardstats.three_card.rules import Category, Rules

_ABSENT = np.int32(2**31 - 1)  # the level of a hand that takes no part
_TWO, _THREE, _FIVE, _ACE = (RANKS.index(rank) for rank in ("2", "3", "5", "A"))


def count_sharers_by_row(
    rules: Rules,
    players: int,
    row_of_hand: NDArray[np.intp],
    parting: NDArray[np.integer] | None = None,
) -> list[list[int]]:
    """Count the deals in which the hero is one of k who share the best hand, by the hero's row.

    Parameters
    ----------
    rules : Rules
        Any.
    players : {2, 3}
        Hands at the table, the hero's included.
    row_of_hand : ndarray of int, shape (22100,)
        Row of each hand of ``all_hands()``; every row has one.
    parting : ndarray of int, shape (22100,), optional
        Parts hands that tie: the larger number wins.

    Returns
    -------
    list of list of int, shape (rows, players)
        Ordered deals of disjoint hands, for k = 1, 2, …; the hero is in the first seat.
    """
    heroes, weights = _heroes(by_suit=rules.suit_tiebreak is not None)
    sharers = weights[:, np.newaxis] * count_sharers(rules, players, heroes, parting)
    by_row = np.zeros((row_of_hand.max() + 1, players), dtype=np.int64)
    np.add.at(by_row, row_of_hand[heroes], sharers)
    rows: list[list[int]] = by_row.tolist()
    return rows


def count_sharers(
    rules: Rules,
    players: int,
    heroes: NDArray[np.intp],
    parting: NDArray[np.integer] | None = None,
) -> NDArray[np.int64]:
    """Count the same for some hands each, given by their numbers in ``all_hands()``.

    Returns
    -------
    ndarray of int64, shape (heroes, players)
    """
    found = np.zeros((len(heroes), players), dtype=np.int64)
    for sign, levels in _orders(rules, parting):
        found += sign * _count(levels, players, heroes)
    return found


@cache
def _heroes(by_suit: bool) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Numbers of hands that stand for all, and for how many each.

    Where suits do not rank, hands that differ by a permutation of suits fare alike: the ranks
    tell hands apart, and which of the three suits are equal.
    """
    hands = all_hands().astype(np.int64)
    if by_suit:
        return np.arange(len(hands)), np.ones(len(hands), dtype=np.int64)
    ranks, suits = hands // 4, hands % 4
    alike = suits[:, [0, 0, 1]] == suits[:, [1, 2, 2]]
    _, heroes, weights = np.unique(
        np.hstack([ranks, alike]), axis=0, return_index=True, return_counts=True
    )
    return heroes, weights


def _orders(
    rules: Rules, parting: NDArray[np.integer] | None
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Yield total orders of the hands, as levels, each with the sign of its result.

    A special 2-3-5 outranks three of a kind in deals that hold a trigger: those of all deals
    less those of the deals without a trigger, where it is an ordinary high card.
    """
    hands = all_hands()
    keys = strength(hands, rules=replace(rules, special_235="off")).astype(np.int64)
    if parting is not None:
        keys = keys * (parting.max() + 1) + parting
    levels = np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int32)
    if rules.transitive:
        yield 1, levels
        return
    categories = classify(hands, rules=rules)
    trips = categories == Category.THREE_OF_A_KIND
    triggers = trips if rules.special_235 == "beats_trips" else trips & (hands[:, 0] // 4 == _ACE)
    two_three_five = (np.sort(hands // 4) == [_TWO, _THREE, _FIVE]).all(axis=1)
    special = two_three_five & (categories == Category.HIGH_CARD)
    # Room above each level for all 2-3-5, which suits may part.
    room = np.int32(1 + np.count_nonzero(special))
    lifted = levels[trips].max() * room + 1 + levels - levels[special].min()
    raised = np.where(special, lifted, levels * room)
    yield 1, raised
    yield -1, np.where(triggers, _ABSENT, raised)
    yield 1, np.where(triggers, _ABSENT, levels)


def _count(levels: NDArray[np.int32], players: int, heroes: NDArray[np.intp]) -> NDArray[np.int64]:
    """Do what `count_sharers` does for one total order of those hands that are not absent."""
    present = np.count_nonzero(levels != _ABSENT)
    ascending = np.argsort(levels, kind="stable")[:present]
    place = np.full(len(levels), -1)
    place[heroes] = np.arange(len(heroes))
    found = np.zeros((len(heroes), players), dtype=np.int64)
    _pass_hands(all_hands(), levels, ascending, place, found)
    return found


@kernel
def _pass_hands(
    hands: NDArray[np.uint8],
    levels: NDArray[np.int32],
    ascending: NDArray[np.intp],
    place: NDArray[np.intp],
    found: NDArray[np.int64],
) -> None:
    """Go through the hands by level, and count at each hero; `place` is its row, or -1."""
    level_of = np.full((DECK_SIZE, DECK_SIZE, DECK_SIZE), _ABSENT)
    for hand in ascending:
        a, b, c = hands[hand]
        for i, j, k in ((a, b, c), (b, a, c), (c, a, b)):
            level_of[i, j, k] = level_of[i, k, j] = levels[hand]
    # How many hands hold a pair of cards: of those below this level, and of those on it.
    below = np.zeros((DECK_SIZE, DECK_SIZE), np.int32)
    tied = np.zeros((DECK_SIZE, DECK_SIZE), np.int32)
    first = 0
    while first < len(ascending):
        stop = first
        while stop < len(ascending) and levels[ascending[stop]] == levels[ascending[first]]:
            _add(tied, hands[ascending[stop]], 1)
            stop += 1
        for hand in ascending[first:stop]:
            if place[hand] >= 0:
                _count_hero(hands[hand], levels[hand], level_of, below, tied, found[place[hand]])
        for hand in ascending[first:stop]:
            _add(tied, hands[hand], -1)
            _add(below, hands[hand], 1)
        first = stop


@kernel
def _add(pairs: NDArray[np.int32], hand: NDArray[np.uint8], number: int) -> None:
    for i, j in ((0, 1), (0, 2), (1, 2)):
        pairs[hand[i], hand[j]] += number
        pairs[hand[j], hand[i]] += number


@kernel
def _count_hero(
    hero: NDArray[np.uint8],
    level: int,
    level_of: NDArray[np.int32],
    below: NDArray[np.int32],
    tied: NDArray[np.int32],
    found: NDArray[np.int64],
) -> None:
    """Count the deals in which the hero is one of 1, 2 or 3 who share the best hand."""
    # Among the hands that avoid the hero: twice the number that hold a card, and the sum over
    # pairs of cards of the products of the numbers that hold both.
    hold_below = np.zeros(DECK_SIZE, np.int64)
    hold_tied = np.zeros(DECK_SIZE, np.int64)
    two_below = two_tied = mixed = 0
    avoids = np.ones(DECK_SIZE, np.int32)
    for card in hero:
        avoids[card] = 0
    for i in range(DECK_SIZE):
        if not avoids[i]:
            continue
        with_a, with_b, with_c = level_of[hero[0], i], level_of[hero[1], i], level_of[hero[2], i]
        # A factor in place of a branch, which would cost the loop its lanes.
        for j in range(i + 1, DECK_SIZE):
            shared = (with_a[j] < level) + (with_b[j] < level) + (with_c[j] < level)
            lower = avoids[j] * np.int32(below[i, j] - shared)
            shared = (with_a[j] == level) + (with_b[j] == level) + (with_c[j] == level)
            equal = avoids[j] * np.int32(tied[i, j] - shared)
            hold_below[i] += lower
            hold_below[j] += lower
            hold_tied[i] += equal
            hold_tied[j] += equal
            two_below += lower * lower
            two_tied += equal * equal
            mixed += lower * equal
    hands_below, hands_tied = hold_below.sum() // 6, hold_tied.sum() // 6
    if len(found) == 2:
        found[0], found[1] = hands_below, hands_tied
        return
    # Ordered pairs of disjoint hands, by inclusion and exclusion over the cards they share.
    two_below += hands_below * (hands_below - 1) - (hold_below * hold_below).sum() // 4
    two_tied += hands_tied * (hands_tied - 1) - (hold_tied * hold_tied).sum() // 4
    mixed += hands_below * hands_tied - (hold_below * hold_tied).sum() // 4
    found[0], found[1], found[2] = two_below, 2 * mixed, two_tied
