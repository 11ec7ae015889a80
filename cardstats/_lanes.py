"""What every game's dealing kernels share: draws without bias, rounds of games, counters by lane.

A draw is the high half of a 16-bit number times the cards that are left; where the low half is
below 2^16 mod that number the whole game is dropped, which makes every deal equally likely
(Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._random import LANES

_PAGE = 4096
DROPPED = 128  # no class: in the lanes of games that are not counted

_u8 = np.uint8
_u16 = np.uint16
_u32 = np.uint32
_u64 = np.uint64
_N = np.uint64(LANES)


def draw_multipliers(deck: int, cards: int) -> NDArray[np.uint16]:
    """Row j, of `cards` rows, holds deck - j in every lane.

    As a scalar the multiplier would make LLVM multiply 32 bits by 32, many times slower.
    """
    return np.repeat(np.arange(deck, deck - cards, -1, dtype=np.uint16), LANES)


@kernel
def aligned_bytes(size: int) -> NDArray[np.uint8]:
    """Make a buffer of zeros that starts at a page.

    What a dealing kernel reads and writes lies in one, each part a multiple of LANES bytes: where
    parts fall by chance, a load may wait for a store whose address differs by a multiple of 4096
    bytes, and dealing is up to twice as slow.
    """
    buffer = np.zeros(_PAGE + size, np.uint8)
    at = (-buffer.ctypes.data) % _PAGE
    return buffer[at : at + size]


@kernel
def draw(
    number: np.uint16, left: np.uint16, bound: np.uint16, most: np.uint16
) -> tuple[np.uint16, np.uint8]:
    """Turn a 16-bit number into one of `left` cards, and 1 where the game is to be dropped.

    `bound` is 2^16 mod `left`; `most`, a constant that no card exceeds, changes nothing, but keeps
    LLVM from going to bytes by way of 32 bits: half as long for AVX-512.
    """
    # In this form both halves of the product take one instruction each.
    high = _u16(_u32(_u32(number) * _u32(left)) >> _u32(16))
    return high if high < most else most, _u8(_u16(number * left) < bound)


@kernel
def draw_row(
    halves: NDArray[np.uint16],
    row: int,
    multipliers: NDArray[np.uint16],
    card: int,
    bound: np.uint16,
    draws: NDArray[Any],
    dropped: NDArray[np.uint8],
) -> None:
    """Turn row `row` of 16-bit numbers into draws of card `card`; mark games to drop.

    `draws` holds bytes or, for more than 256 cards, 16-bit numbers.
    """
    of, most = draws.dtype.type, _u16(255) if draws.itemsize == 1 else _u16(65535)
    at, to = _u64(row) * _N, _u64(card) * _N
    for lane in range(_N):
        drawn, biased = draw(halves[at + lane], multipliers[to + lane], bound, most)
        draws[to + lane] = of(drawn)
        dropped[lane] = _u8(dropped[lane] | _u8(biased << _u8(7)))


@kernel
def lift_row(draws: NDArray[Any], card: int, cards: NDArray[Any]) -> None:
    """Lift a row of draws past the earlier ones, last to first."""
    to = _u64(card) * _N
    for lane in range(_N):
        cards[to + lane] = draws[to + lane]
    earlier = card
    while earlier & 3 != 0:
        earlier -= 1
        _lift_past_one(draws, earlier, cards, card)
    while earlier > 0:
        earlier -= 4
        _lift_past_four(draws, earlier, cards, card)


@kernel
def _lift_past_one(draws: NDArray[Any], earlier: int, cards: NDArray[Any], card: int) -> None:
    of = draws.dtype.type
    at, to = _u64(earlier) * _N, _u64(card) * _N
    for lane in range(_N):
        lifted = cards[to + lane]
        cards[to + lane] = of(lifted + of(lifted >= draws[at + lane]))


@kernel
def _lift_past_four(draws: NDArray[Any], earlier: int, cards: NDArray[Any], card: int) -> None:
    of = draws.dtype.type
    first, to = _u64(earlier) * _N, _u64(card) * _N
    second, third, fourth = first + _N, first + _N + _N, first + _N + _N + _N
    for lane in range(_N):
        lifted = cards[to + lane]
        lifted = of(lifted + of(lifted >= draws[fourth + lane]))
        lifted = of(lifted + of(lifted >= draws[third + lane]))
        lifted = of(lifted + of(lifted >= draws[second + lane]))
        cards[to + lane] = of(lifted + of(lifted >= draws[first + lane]))


@kernel
def close_round(dropped: NDArray[np.uint8], left: int | np.int64) -> np.int64:
    """Count the games of the round that are kept.

    At most `left` are kept, in the order of the lanes: so a run is a prefix of any longer one.
    """
    kept = _u16(0)
    for lane in range(_N):
        kept = _u16(kept + _u16(dropped[lane] == _u8(0)))
    if kept <= left:
        return np.int64(kept)
    for lane in range(LANES - 1, -1, -1):
        if dropped[lane] == _u8(0) and kept > left:
            dropped[lane] = _u8(DROPPED)
            kept = _u16(kept - _u16(1))
    return np.int64(left)


@kernel
def count_classes(
    classes: NDArray[np.uint8],
    at: int | np.uint64,
    rows: int,
    counters: NDArray[np.uint8],
) -> None:
    """Add one to row `c` of the counters in every lane whose class is `c`.

    Rows are taken by threes: the counters have room for two more than `rows`.
    """
    source = _u64(at)
    for row in range(0, rows, 3):
        code, one = _u8(row), _u64(row) * _N
        two, three = one + _N, one + _N + _N
        for lane in range(_N):
            here = _u8(classes[source + lane] - code)
            counters[one + lane] = _u8(counters[one + lane] + _u8(here == _u8(0)))
            counters[two + lane] = _u8(counters[two + lane] + _u8(here == _u8(1)))
            counters[three + lane] = _u8(counters[three + lane] + _u8(here == _u8(2)))


@kernel
def flush_counters(counters: NDArray[np.uint8], totals: NDArray[np.int64]) -> None:
    """Move the lanes' counters into the totals."""
    for row in range(_u64(totals.size)):
        total, start = _u32(0), row * _N
        for lane in range(_N):
            total = _u32(total + _u32(counters[start + lane]))
            counters[start + lane] = _u8(0)
        totals[row] += np.int64(total)
