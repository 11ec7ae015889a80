"""The dealer's hands: all that can come, in how many orders, and how a player fares who stands.

The dealer has no choice, so a finished hand is reached in a number of orders that does not depend
on the deck; how often each order is drawn depends on how many cards of each value are left.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats.blackjack.decks import NATURAL_HAND, Deck, Hand, best_total, compositions, seen_hands
from cardstats.blackjack.rules import BEST, DEALER_STANDS, VALUES, Rules

TOTALS = tuple(range(DEALER_STANDS, BEST + 1))
FINALS = (*map(str, TOTALS), "natural", "bust")
FINALS_ZH = (*map(str, TOTALS), "黑杰克", "爆牌")
NATURAL, BUST = len(TOTALS), len(TOTALS) + 1  # rows of the above
DRAWS_ON = -1

_BEATS_21 = BEST + 1  # the strength of a natural that beats any other 21


class DealerHands(NamedTuple):
    """The dealer's hands on the way and at the end, each after the hand that it grew from."""

    parent: NDArray[np.intp]
    """Number of a hand of one card less, shape (hands,)."""
    value: NDArray[np.intp]
    """Place, 0 to 9, of the value of the card that was added to it."""
    held: NDArray[np.int64]
    """Cards of that value that the parent holds."""
    cards: NDArray[np.intp]
    """Cards of the hand."""
    final: NDArray[np.intp]
    """Row of `FINALS`, or `DRAWS_ON`."""
    same: NDArray[np.int64]
    """Arrangements of its equal cards among themselves."""
    orders: NDArray[np.int64]
    """Orders in which the hand comes of two first cards, shape (hands, 55); see `seen_hands`."""


@cache
def dealer_hands(hit_soft_17: bool) -> DealerHands:
    """List the dealer's hands, whatever the deck."""
    pairs = seen_hands(2)
    hands: list[Hand] = [()]
    numbers = {hands[0]: 0}
    grown = [(0, 0, 0)]
    orders = [np.zeros(len(pairs), np.int64)]
    for number, hand in enumerate(hands):  # which grows while it is gone through
        if len(hand) == 2:
            orders[number] = np.array([hand == pair for pair in pairs], dtype=np.int64)
        if final_of(hand, hit_soft_17) != DRAWS_ON:
            continue
        for place, value in enumerate(VALUES):
            longer = tuple(sorted((*hand, value)))
            if longer not in numbers:
                numbers[longer] = len(hands)
                hands.append(longer)
                grown.append((number, place, hand.count(value)))
                orders.append(np.zeros(len(pairs), np.int64))
            orders[numbers[longer]] += orders[number]
    parent, value_place, held = np.array(grown, dtype=np.int64).T.copy()
    return DealerHands(
        parent=parent.astype(np.intp),
        value=value_place.astype(np.intp),
        held=held,
        cards=np.array([len(hand) for hand in hands], dtype=np.intp),
        final=np.array([final_of(hand, hit_soft_17) for hand in hands], dtype=np.intp),
        same=np.array([math.prod(math.factorial(hand.count(v)) for v in VALUES) for hand in hands]),
        orders=np.array(orders),
    )


def final_of(hand: Hand, hit_soft_17: bool) -> int:
    """Tell with which row of `FINALS` the dealer stops here, or `DRAWS_ON`."""
    total, soft = best_total(hand)
    if hand == NATURAL_HAND:
        return NATURAL
    if total > BEST:
        return BUST
    draws = total < DEALER_STANDS or (total == DEALER_STANDS and soft and hit_soft_17)
    return DRAWS_ON if draws else total - DEALER_STANDS


@cache
def orders_seen(hit_soft_17: bool, dealer_cards_seen: int) -> NDArray[np.int64]:
    """Count the orders in which each dealer's hand comes, by the first cards that are seen.

    Returns
    -------
    ndarray of int64, shape (hands, 1), (hands, 10) or (hands, 55)
        A pair is counted in one order, that of its values.
    """
    of_pairs = dealer_hands(hit_soft_17).orders
    if dealer_cards_seen == 2:
        return of_pairs
    pairs = np.array(seen_hands(2))
    first_card = (pairs[:, :, np.newaxis] == VALUES).any(axis=1).astype(np.int64)
    of_upcards: NDArray[np.int64] = of_pairs @ first_card
    return of_upcards if dealer_cards_seen == 1 else of_upcards.sum(axis=1, keepdims=True)


def ways_of(deck: Deck, hit_soft_17: bool) -> list[int]:
    """Count the ways to draw each dealer's hand in one given order."""
    hands = dealer_hands(hit_soft_17)
    ways = [1]
    grown = zip(hands.parent.tolist(), hands.value.tolist(), hands.held.tolist(), strict=True)
    for parent, value, held in list(grown)[1:]:
        ways.append(ways[parent] * (deck.counts[value] - (0 if deck.endless else held)))
    return ways


def longest_hand(deck: Deck, hit_soft_17: bool) -> int:
    """Count the cards that a dealer may need from this deck, if it is not to run out."""
    hands = dealer_hands(hit_soft_17)
    possible = np.array([way > 0 for way in ways_of(deck, hit_soft_17)])
    return 1 + int(hands.cards[possible & (hands.final == DRAWS_ON)].max())


class Draws(NamedTuple):
    """Ways to draw the dealer's finished hand, in order, against which a player fares so."""

    win: NDArray[np.int64]
    """By player's hand, first cards that are seen, number of cards: shape (n, s, k)."""
    draw: NDArray[np.int64]
    """The same."""
    unit: NDArray[np.int64]
    """What a count is to be multiplied by, by number of cards, shape (k,)."""


def count_standing(
    deck: Deck, rules: Rules, numbers: NDArray[np.intp], orders: NDArray[np.int64]
) -> Draws:
    """Count the dealer's draws against which a player who stands wins, and draws.

    Parameters
    ----------
    deck : Deck
        Before the player's cards were drawn.
    rules : Rules
        What the dealer does, and what a natural is worth.
    numbers : ndarray of int, shape (n,)
        Hands of the player, as `compositions` numbers them, which the deck can make.
    orders : ndarray of int64, shape (dealer's hands, s)
        Columns of `orders_seen`.

    Returns
    -------
    Draws
    """
    hands = dealer_hands(rules.hit_soft_17)
    natural = _BEATS_21 if rules.natural_beats_21 else BEST
    worth = np.array([*TOTALS, natural, 0])
    player = compositions().total[numbers]
    player[numbers == compositions().numbers[NATURAL_HAND]] = natural
    left = np.tile(np.array(deck.counts, dtype=np.int64), (len(numbers), 1))
    missing, divisor, arranged = np.zeros_like(hands.held), np.ones_like(hands.held), orders
    if not deck.endless:
        left -= compositions().counts[numbers]
        missing, divisor = hands.held, hands.held + 1
        arranged = orders * hands.same[:, np.newaxis]
    # A hand comes in orders × (arrangements of equal cards) × (sets of cards) ways. Sets, and the
    # others' product over what divides it for every hand of that size, stay below 2⁶² even with
    # eight decks, whose 416·415·… does not: long hands hold many equal small cards.
    ends, columns = np.nonzero(arranged * (hands.final != DRAWS_ON)[:, np.newaxis])
    unit = np.ones(hands.cards.max() + 1, np.int64)
    for cards in range(2, len(unit)):
        unit[cards] = np.gcd.reduce(arranged[ends, columns][hands.cards[ends] == cards])
    cells = columns * len(unit) + hands.cards[ends]
    counts = np.zeros((2, len(numbers), orders.shape[1] * len(unit)), np.int64)
    _count_standing(
        left,
        player,
        hands.parent,
        hands.value,
        missing,
        *_exact_division(divisor),
        ends,
        hands.final[ends] * counts.shape[2] + cells,
        arranged[ends, columns] // unit[hands.cards[ends]],
        worth,
        counts,
    )
    win, draw = counts.reshape(2, len(numbers), orders.shape[1], len(unit))
    return Draws(win, draw, unit)


def _exact_division(divisor: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find how far to shift, and what to multiply by modulo 2⁶⁴, to divide what is divisible."""
    twos = np.log2(divisor & -divisor).astype(np.int64)
    inverse = [pow(odd, -1, 1 << 64) for odd in (divisor >> twos).tolist()]
    return twos, np.array(inverse, dtype=np.uint64).view(np.int64)


_TOGETHER = 16  # player's hands, side by side in vector lanes


@kernel
def _count_standing(
    left: NDArray[np.int64],
    player: NDArray[np.intp],
    parent: NDArray[np.intp],
    value: NDArray[np.intp],
    missing: NDArray[np.int64],
    twos: NDArray[np.int64],
    inverse: NDArray[np.int64],
    ends: NDArray[np.intp],
    cells: NDArray[np.intp],
    arranged: NDArray[np.int64],
    worth: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count wins and draws of each of the player's hands, by cell.

    `cells` tells where each end belongs in a row of `counts`, the dealer's final before it.
    """
    hands, row = len(left), counts.shape[2]
    sets = np.ones((len(parent), _TOGETHER), np.int64)
    there = np.zeros((left.shape[1], _TOGETHER), np.int64)
    found = np.empty((len(worth) * row, _TOGETHER), np.int64)
    for first in range(0, hands, _TOGETHER):
        lanes = min(_TOGETHER, hands - first)
        for v in range(left.shape[1]):
            for lane in range(lanes):
                there[v, lane] = left[first + lane, v]
        for i in range(1, len(parent)):
            before, now, cards = sets[parent[i]], sets[i], there[value[i]]
            for lane in range(_TOGETHER):
                # A division took most of the time.
                ways = before[lane] * (cards[lane] - missing[i])
                now[lane] = (ways >> twos[i]) * inverse[i]
        found[:] = 0
        for end in range(len(ends)):
            ways_in_lanes, sums = sets[ends[end]], found[cells[end]]
            for lane in range(_TOGETHER):
                sums[lane] += arranged[end] * ways_in_lanes[lane]
        for final in range(len(worth)):
            for lane in range(lanes):
                if worth[final] <= player[first + lane]:
                    to = counts[int(worth[final] == player[first + lane]), first + lane]
                    for cell in range(row):
                        to[cell] += found[final * row + cell, lane]
