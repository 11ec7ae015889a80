"""Parts of a hand, for exact counts: a suit, the honours, or several of them.

What counts alike is one group. Parts are joined as polynomials are multiplied: numbers of tiles
add, numbers of ways multiply, and equal keys merge again, so that few groups are left each time.
What the keys mean is the caller's business.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardstats.mahjong.rules import COPIES, MAX_SIZE, Rules
from cardstats.mahjong.suits import BASE, Bytes, tile_counts
from cardstats.mahjong.tiles import HONOURS, SUIT


class Groups(NamedTuple):
    """What a part may be with some number of tiles."""

    keys: Bytes  # what a group counts as, shape (coordinates, groups)
    ways: NDArray[np.int64]  # how many there are in it, shape (groups,)


Part: TypeAlias = dict[int, Groups]  # by number of tiles
Combine: TypeAlias = Callable[[Bytes, Bytes], Sequence[Bytes]]  # keys of two parts: keys of both


def suit_and_honours(size: int, rules: Rules) -> list[tuple[int, range]]:
    """Give the kinds, and the numbers of tiles there may be, of a suit and of the honours."""
    any_size = range(size + 1)
    return [(SUIT, any_size), (HONOURS, any_size if rules.honours else range(1))]


def can_be_pairs(size: int, rules: Rules) -> bool:
    """Tell whether hands of that size can be, or become, seven pairs: not with open melds."""
    return size >= MAX_SIZE - 1 and rules.seven_pairs != "off"


def can_be_orphans(size: int, rules: Rules) -> bool:
    """Tell whether hands of that size can be, or become, thirteen orphans."""
    return size >= MAX_SIZE - 1 and rules.thirteen_orphans


def states_of(kinds: int, coordinates: Sequence[Bytes], weighted: bool, sizes: range) -> Part:
    """Group the states of a suit or of the honours.

    Parameters
    ----------
    kinds : {9, 7}
        Of the suit, or the honours.
    coordinates : sequence of uint8 arrays
        The keys of every state, by its index.
    weighted : bool
        Whether each tile is a thing of its own.
    sizes : range
        Numbers of tiles to consider.
    """
    ways = of_states([ways_to_hold(weighted)] * kinds, np.multiply)
    keys = np.stack(coordinates)
    found = {size: np.flatnonzero(tile_counts(kinds) == size) for size in sizes}
    return {size: _gathered(keys[:, at], ways[at]) for size, at in found.items()}


def of_states(values: Sequence[Sequence[int]], combine: np.ufunc) -> NDArray[np.int64]:
    """Combine, for every state by its index, one value a kind: ``values[kind][count]``."""
    found = np.array(values[0])
    for value in values[1:]:
        found = combine.outer(np.array(value), found).reshape(-1)
    return found


def ways_to_hold(weighted: bool) -> list[int]:
    """Count the ways to hold 0 to 4 tiles of a kind.

    Examples
    --------
    >>> ways_to_hold(True), ways_to_hold(False)
    ([1, 4, 6, 4, 1], [1, 1, 1, 1, 1])
    """
    return [math.comb(COPIES, count) if weighted else 1 for count in range(BASE)]


def whole_hands(
    suit: Part, honours: Part, size: int, two_suits: Combine, with_suit: Combine, last: Combine
) -> Groups:
    """Put three suits and the honours together to hands of one size.

    Parameters
    ----------
    suit, honours : Part
    size : int
        Tiles of a hand.
    two_suits, with_suit, last : callable
        Make the keys of two suits, of the honours and a suit, and of these two together, from
        keys whose shapes broadcast.
    """
    any_size = range(size + 1)
    one = _joined(suit, suit, two_suits, any_size)
    other = _joined(honours, suit, with_suit, any_size)
    return _joined(one, other, last, [size])[size]


def _joined(one: Part, other: Part, combine: Combine, sizes: Iterable[int]) -> Part:
    return {
        size: _merged(
            _pairs(groups, other[size - tiles], combine)
            for tiles, groups in one.items()
            if size - tiles in other
        )
        for size in sizes
    }


def _pairs(one: Groups, other: Groups, combine: Combine) -> Groups:
    keys = np.stack(combine(one.keys[:, :, None], other.keys[:, None, :]))
    return _gathered(keys.reshape(len(keys), -1), np.outer(one.ways, other.ways).reshape(-1))


def _merged(groups: Iterable[Groups]) -> Groups:
    keys, ways = zip(*groups, strict=True)
    return _gathered(np.concatenate(keys, axis=1), np.concatenate(ways))


def _gathered(keys: Bytes, ways: NDArray[np.int64]) -> Groups:
    """Add up the ways of equal keys.

    64 bits are enough: every number here, summed or not, counts sets of tiles of one size of at
    most 14, all different, so it is no more than C(136, 14) = 4.25e18 < 2**63.
    """
    limits = [int(key.max()) + 1 for key in keys]
    place = np.zeros(len(ways), np.int64)
    for key, limit in zip(keys, limits, strict=True):
        place *= limit
        place += key
    total = np.zeros(math.prod(limits), np.int64)
    np.add.at(total, place, ways)
    found = np.flatnonzero(total)
    return Groups(np.array(np.unravel_index(found, limits), np.uint8), total[found])
