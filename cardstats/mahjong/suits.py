"""What one suit is worth: tables over the states of a suit and of the honours.

A state is how many of each kind a hand holds in one suit (9 kinds) or of the honours (7); its
index reads the counts as digits to base 5, the first kind's the least significant. What a state
contributes to a hand is its cost vector: the fewest tiles that it still lacks for m sets and p
pairs, m 0…4 and p 0…1, no kind more than four times. Only 126 vectors occur among the 405,350
states of up to 14 tiles, 55 among those of the honours; states of equal vector are one class.
The tables are built when they are first used, from the definition alone.
"""

from __future__ import annotations

from functools import cache
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import read_only
from cardstats.mahjong.rules import COPIES, MAX_SIZE
from cardstats.mahjong.tiles import HONOURS, SUIT

BASE = COPIES + 1
MAX_SETS = MAX_SIZE // 3

# What a complete state is; the parts of a winning hand, and of no other, add up to WIN.
SETS, WITH_PAIR = 1, 16
WIN = 3 * SETS + WITH_PAIR

Bytes = NDArray[np.uint8]
T = TypeVar("T")


class Tables(NamedTuple, Generic[T]):
    """Shanten in seven look-ups: a class a suit and for the honours, two joins, one cost.

    Flat arrays of uint8, or numbers that belong to them.
    """

    suit: T  # class of each suit state
    honours: T  # class of each state of the honours
    two_suits: T  # joined class, at 128 * class + class
    suit_and_honours: T  # joined class, at 128 * class of the honours + class of the suit
    cost: T  # tiles lacking, at (sets * 256 + joined two suits) * 256 + joined with honours
    complete: T  # SETS or WITH_PAIR for each suit state that is complete, else 0


ROW = 128  # entries a row of the join tables takes: there are at most 126 classes of a suit
WIDE_ROW = 256  # and of the cost table
_SIZES = Tables(
    suit=BASE**SUIT,
    honours=BASE**HONOURS,
    two_suits=ROW * ROW,
    suit_and_honours=ROW * ROW,
    cost=(MAX_SETS + 1) * WIDE_ROW * WIDE_ROW,
    complete=BASE**SUIT,
)
# Where each table starts in the one array that kernels take: six would be copied at each call
# between kernels, and none of those that take them is inlined.
AT = Tables(*(np.uint64(sum(_SIZES[:place])) for place in range(len(_SIZES))))


class Vectors(NamedTuple):
    """Cost vectors of the classes: arrays of uint8, shape (classes, 5, 2)."""

    suit: Bytes
    honours: Bytes
    two_suits: Bytes
    suit_and_honours: Bytes


@cache
def tables() -> Tables[Bytes]:
    """Build the look-up tables, once."""
    suit, honours = classes(SUIT), classes(HONOURS)
    vectors = class_vectors()
    return Tables(
        suit=suit,
        honours=honours,
        two_suits=_join_table(vectors.suit, vectors.suit, vectors.two_suits),
        suit_and_honours=_join_table(vectors.honours, vectors.suit, vectors.suit_and_honours),
        cost=_cost_table(vectors),
        complete=complete(SUIT),
    )


@cache
def kernel_tables() -> Bytes:
    """Lay all tables into one read-only array, each at its place in `AT`."""
    return read_only(np.concatenate(tables()))


@cache
def class_vectors() -> Vectors:
    """Cost vectors of all classes and of their joins."""
    one, few = (_unpack(np.unique(_packed(kinds))) for kinds in (SUIT, HONOURS))
    return Vectors(one, few, *(_unpack(np.unique(_pack(_joined(a, one)))) for a in (one, few)))


@cache
def classes(kinds: int) -> Bytes:
    """Class of every state, by index: the place of its cost vector among those that occur.

    States of more than 14 tiles, which no hand has, are of class 0.
    """
    found = np.zeros(BASE**kinds, np.uint8)
    found[states(kinds)] = np.searchsorted(np.unique(_packed(kinds)), _packed(kinds))
    return read_only(found)


@cache
def complete(kinds: int) -> Bytes:
    """Return SETS for each state that is all sets, WITH_PAIR for sets and a pair, by index."""
    tiles = tile_counts(kinds)[states(kinds)]
    found = np.zeros(BASE**kinds, np.uint8)
    for size in range(MAX_SIZE + 1):
        if size % 3 != 1:
            lacking = _packed(kinds) >> _SHIFTS[size // 3, size % 3 // 2] & _ENTRY
            word = WITH_PAIR if size % 3 else SETS
            found[states(kinds)[(tiles == size) & (lacking == 0)]] = word
    return read_only(found)


@cache
def states(kinds: int) -> NDArray[np.int64]:
    """Give the indices of the states that a hand of at most 14 tiles can have, ascending."""
    return read_only(np.flatnonzero(tile_counts(kinds) <= MAX_SIZE))


@cache
def tile_counts(kinds: int) -> Bytes:
    """Tiles of every state, by index."""
    count = np.arange(BASE, dtype=np.uint8)
    tiles = count
    for _ in range(kinds - 1):
        tiles = (count[:, None] + tiles).reshape(-1)
    return read_only(tiles)


def digits(indices: NDArray[np.int64], kinds: int) -> Bytes:
    """Give the counts of the states of given indices, shape (len(indices), kinds)."""
    counts = np.empty((len(indices), kinds), np.uint8)
    left = indices
    for kind in range(kinds):
        left, counts[:, kind] = np.divmod(left, BASE)
    return counts


# --- Cost vectors -----------------------------------------------------------------------------

_BITS = 4  # of a packed vector an entry takes; no cost is more than 14
_ENTRY = np.uint64(2**_BITS - 1)
_SHIFTS = _BITS * np.arange(2 * (MAX_SETS + 1), dtype=np.uint64).reshape(MAX_SETS + 1, 2)


@cache
def _packed(kinds: int) -> NDArray[np.uint64]:
    """Cost vector of each of `states`, packed into one number."""
    packed = np.zeros(len(states(kinds)), np.uint64)
    for pairs in range(2):
        for sets, targets in enumerate(_patterns(kinds, pairs)):
            cost = _cheapest(kinds, targets)[states(kinds)]
            packed |= cost.astype(np.uint64) << _SHIFTS[sets, pairs]
    return read_only(packed)


def _patterns(kinds: int, pairs: int) -> list[NDArray[np.int64]]:
    """Find the indices of all states that are m sets and `pairs` pairs, for m = 0…4."""
    place = BASE ** np.arange(kinds)
    sets = 3 * place
    if kinds == SUIT:  # honours form no runs
        sets = np.concatenate([sets, place[:-2] + place[1:-1] + place[2:]])
    found = [2 * place if pairs else np.zeros(1, np.int64)]
    for _ in range(MAX_SETS):
        # Each kind is looked at: a fifth tile would carry into the next digit.
        counts = digits(found[-1], kinds)[:, None] + digits(sets, kinds)
        sums = found[-1][:, None] + sets
        found.append(np.unique(sums[counts.max(axis=-1) <= COPIES]))
    return found


def _cheapest(kinds: int, targets: NDArray[np.int64]) -> Bytes:
    """Fewest tiles that every state lacks to contain one of the targets.

    The cost is a sum over kinds of max(0, target - count), so that the minimum over targets can
    be taken along one axis after the other.
    """
    cost = np.full(BASE**kinds, 2 * MAX_SIZE, np.uint8)
    cost[targets] = 0
    for axis in range(kinds):
        along = cost.reshape(-1, BASE, BASE**axis)
        for count in range(COPIES - 1, -1, -1):  # one tile fewer: one more is lacking
            np.minimum(along[:, count], along[:, count + 1] + np.uint8(1), out=along[:, count])
        for count in range(1, BASE):  # one tile too many costs nothing
            np.minimum(along[:, count], along[:, count - 1], out=along[:, count])
    return cost


def _pack(vectors: Bytes) -> NDArray[np.uint64]:
    packed: NDArray[np.uint64] = (vectors.astype(np.uint64) << _SHIFTS).sum(
        axis=(-2, -1), dtype=np.uint64
    )
    return packed


def _unpack(packed: NDArray[np.uint64]) -> Bytes:
    return (packed[..., None, None] >> _SHIFTS & _ENTRY).astype(np.uint8)


# --- Joins ------------------------------------------------------------------------------------


def _joined(one: Bytes, other: Bytes) -> Bytes:
    """Cost vectors of all pairs of classes: sets and the pair may lie in either."""
    shape = (len(one), len(other), MAX_SETS + 1, 2)
    best = np.full(shape, 2 * MAX_SIZE, np.uint8)
    for sets, pairs in np.ndindex(shape[2:]):
        for own_sets, own_pairs in np.ndindex(sets + 1, pairs + 1):
            here = one[:, own_sets, own_pairs, None] + other[:, sets - own_sets, pairs - own_pairs]
            np.minimum(best[:, :, sets, pairs], here, out=best[:, :, sets, pairs])
    return best


def _join_table(one: Bytes, other: Bytes, joined: Bytes) -> Bytes:
    table = np.zeros((ROW, ROW), np.uint8)
    found = np.searchsorted(_pack(joined), _pack(_joined(one, other)))
    table[: len(one), : len(other)] = found
    return table.reshape(-1)


def _cost_table(vectors: Vectors) -> Bytes:
    """Tiles that a hand lacks for m sets and a pair, m = 0…4."""
    table = np.zeros((MAX_SETS + 1, WIDE_ROW, WIDE_ROW), np.uint8)
    both = _joined(vectors.two_suits, vectors.suit_and_honours)[..., 1]
    table[:, : both.shape[0], : both.shape[1]] = np.moveaxis(both, -1, 0)
    return table.reshape(-1)
