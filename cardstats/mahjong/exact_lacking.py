"""Hands counted by how many tiles they lack: shanten numbers.

A part of a hand is keyed by its class (`suits`), which says what it lacks of sets and a pair, and
by a few sums, such as the pairs that it holds, which say what it lacks of the other forms.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from cardstats.mahjong.exact_parts import (
    Combine,
    can_be_orphans,
    can_be_pairs,
    of_states,
    states_of,
    suit_and_honours,
    whole_hands,
)
from cardstats.mahjong.rules import Rules
from cardstats.mahjong.suits import BASE, ROW, WIDE_ROW, Bytes, classes, tables
from cardstats.mahjong.tiles import FIRST_HONOUR, HONOURS, KINDS, ORPHANS


class _Coordinate(NamedTuple):
    """A sum over kinds, of a number that depends on how many the hand holds of the kind."""

    values: tuple[int, ...]  # for 0 to 4 of it
    most: int  # more does not help
    kinds: tuple[int, ...] = tuple(range(KINDS))  # those that are looked at


class _Way(NamedTuple):
    """A form other than the standard one: how many tiles it lacks."""

    most: int  # tiles that a hand can lack of it
    coordinates: tuple[_Coordinate, ...]  # each of them brings it so many tiles nearer


_SEVEN_PAIRS = {
    "quads": _Way(7, (_Coordinate((0, 0, 1, 1, 2), most=7),)),  # pairs
    "distinct": _Way(
        14, (_Coordinate((0, 0, 1, 1, 1), most=7), _Coordinate((0, 1, 1, 1, 1), most=7))
    ),  # pairs, and kinds
}
_THIRTEEN_ORPHANS = _Way(
    14,
    (
        _Coordinate((0, 1, 1, 1, 1), most=13, kinds=ORPHANS),  # kinds
        _Coordinate((0, 0, 1, 1, 1), most=1, kinds=ORPHANS),  # whether there is a pair
    ),
)


@cache
def shanten_counts(size: int, rules: Rules, weighted: bool) -> dict[int, int]:
    """Count hands by shanten number. The keys of a part are its class and the coordinates."""
    ways = _other_ways(size, rules)
    coordinates = [coordinate for way in ways for coordinate in way.coordinates]
    suit, honours = (
        states_of(
            kinds,
            [classes(kinds), *(_of_every_state(each, kinds) for each in coordinates)],
            weighted,
            sizes,
        )
        for kinds, sizes in suit_and_honours(size, rules)
    )

    def sums(one: Bytes, other: Bytes) -> list[Bytes]:
        both = zip(one[1:], other[1:], coordinates, strict=True)
        return [np.minimum(a + b, np.uint8(each.most)) for a, b, each in both]

    def by_table(table: Bytes) -> Combine:
        def combine(one: Bytes, other: Bytes) -> list[Bytes]:
            return [table[one[0].astype(np.intp) * ROW + other[0]], *sums(one, other)]

        return combine

    def lacking(one: Bytes, other: Bytes) -> list[Bytes]:
        fewest = cost[one[0].astype(np.intp) * WIDE_ROW + other[0]]
        held = iter(sums(one, other))
        for way in ways:
            nearer = sum(islice(held, len(way.coordinates)))
            fewest = np.minimum(fewest, np.uint8(way.most) - nearer)
        return [fewest]

    table = tables()
    cost = table.cost[size // 3 * WIDE_ROW**2 :]
    with_honours = by_table(table.suit_and_honours)
    hands = whole_hands(suit, honours, size, by_table(table.two_suits), with_honours, lacking)
    shanten = hands.keys[0].astype(int) - 1
    return dict(zip(shanten.tolist(), hands.ways.tolist(), strict=True))


def _of_every_state(coordinate: _Coordinate, kinds: int) -> Bytes:
    """Give the coordinate of every state of a suit, or of the honours."""
    first = FIRST_HONOUR if kinds == HONOURS else 0  # all suits are alike
    ignored = (0,) * BASE
    looked_at = [first + kind in coordinate.kinds for kind in range(kinds)]
    sums = of_states([coordinate.values if seen else ignored for seen in looked_at], np.add)
    return np.minimum(sums, coordinate.most).astype(np.uint8)


def _other_ways(size: int, rules: Rules) -> list[_Way]:
    """Give the ways to win besides sets and a pair."""
    ways = [_SEVEN_PAIRS[rules.seven_pairs]] if can_be_pairs(size, rules) else []
    return ways + [_THIRTEEN_ORPHANS] * can_be_orphans(size, rules)
