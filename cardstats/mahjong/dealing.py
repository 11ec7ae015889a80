"""Kernels that deal Mahjong hands, in lanes of games, and count what they see.

The 136 (or 108) tiles are all different here; tile t is of kind t // 4. Tile j of a hand is drawn
from those that are left and lifted past each earlier draw (`_lanes`); a hand's counts are found by
comparing its tiles with each kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._lanes import (
    aligned_bytes,
    close_round,
    count_classes,
    draw_row,
    flush_counters,
    lift_row,
)
from cardstats._random import LANES, WORD_LANES, fill_words
from cardstats.mahjong.lanes import BLOCK_BYTES, RESULT, find_forms, find_lacking
from cardstats.mahjong.rules import MAX_SIZE, RuleCodes
from cardstats.mahjong.tiles import KINDS

_u8 = np.uint8
_u16 = np.uint16
_u32 = np.uint32
_u64 = np.uint64
_N = np.uint64(LANES)
_NO_KIND = np.uint8(255)


@kernel
def _deal_round(
    state: NDArray[np.uint32],
    words: NDArray[np.uint32],
    halves: NDArray[np.uint16],
    multipliers: NDArray[np.uint16],
    deck: int,
    size: int,
    left: np.int64,
    draws: NDArray[np.uint8],
    kinds: NDArray[np.uint8],
    dropped: NDArray[np.uint8],
) -> np.int64:
    """Deal `size` tiles in every lane; return how many hands are kept."""
    dropped[:] = _u8(0)
    for tile in range(size):
        if tile % 3 == 0:
            fill_words(state, words)
        bound = _u16(65536 % (deck - tile))
        draw_row(halves, tile % 3, multipliers, tile, bound, draws, dropped)
        lift_row(draws, tile, kinds)
        _to_kinds(kinds, tile)
    return close_round(dropped, left)


@kernel
def _to_kinds(tiles: NDArray[np.uint8], tile: int) -> None:
    to = _u64(tile) * _N
    for lane in range(_N):
        tiles[to + lane] = _u8(tiles[to + lane] >> _u8(2))


@kernel
def _count_kinds(kinds: NDArray[np.uint8], block: NDArray[np.uint8]) -> None:
    """Fill the counts of a block."""
    half = _u64(MAX_SIZE // 2) * _N
    for kind in range(KINDS):
        to, here = _u64(kind) * _N, _u8(kind)
        for lane in range(_N):
            block[to + lane] = _u8(
                _of_seven(kinds, _u64(lane), here) + _of_seven(kinds, half + _u64(lane), here)
            )


@kernel
def _of_seven(kinds: NDArray[np.uint8], at: np.uint64, kind: np.uint8) -> np.uint8:
    """How many of seven tiles, LANES apart, are of a kind."""
    found = _u8(_u8(kinds[at] == kind) + _u8(kinds[at + _N] == kind))
    at = at + _N + _N
    found = _u8(found + _u8(_u8(kinds[at] == kind) + _u8(kinds[at + _N] == kind)))
    at = at + _N + _N
    found = _u8(found + _u8(_u8(kinds[at] == kind) + _u8(kinds[at + _N] == kind)))
    return _u8(found + _u8(kinds[at + _N + _N] == kind))


@kernel
def _workspace(
    state: NDArray[np.uint32], multipliers: NDArray[np.uint16], rows: int
) -> tuple[Any, ...]:
    """Lay out what a round reads and writes, and `rows` more rows of LANES bytes, all 0."""
    tiles = MAX_SIZE * LANES
    sizes = (4 * state.size, 12 * WORD_LANES, 2 * tiles, tiles, tiles, LANES, BLOCK_BYTES)
    buffer = aligned_bytes(sum(sizes) + rows * LANES)
    own_state = buffer[: sizes[0]].view(np.uint32)
    own_state[:] = state
    at = sizes[0]
    words = buffer[at : at + sizes[1]].view(np.uint32)
    at += sizes[1]
    own_multipliers = buffer[at : at + sizes[2]].view(np.uint16)
    own_multipliers[:] = multipliers
    at += sizes[2]
    draws = buffer[at : at + sizes[3]]
    at += sizes[3]
    kinds = buffer[at : at + sizes[4]]
    kinds[:] = _NO_KIND  # of the tiles that a smaller hand does not have
    at += sizes[4]
    dropped = buffer[at : at + sizes[5]]
    at += sizes[5]
    block = buffer[at : at + sizes[6]]
    counters = buffer[at + sizes[6] :]
    return (
        own_state,
        words,
        words.view(np.uint16),
        own_multipliers,
        draws,
        kinds,
        dropped,
        block,
        counters,
    )


@kernel
def tally_hands(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    deck: int,
    size: int,
    hands: int,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    by_form: bool,
    lowest: int,
    totals: NDArray[np.int64],
) -> None:
    """Deal `hands` hands and add the class of each to `totals`.

    The class is the code of its form, or its shanten number less `lowest`.
    """
    state, words, halves, multipliers, draws, kinds, dropped, block, counters = _workspace(
        state, multipliers, totals.size + 2
    )
    rounds, left = 0, np.int64(hands)
    while left > 0:
        left -= _deal_round(
            state, words, halves, multipliers, deck, size, left, draws, kinds, dropped
        )
        _count_kinds(kinds, block)
        if by_form:
            find_forms(block, rules, table)
            _finish_classes(block, _u8(0), dropped)
        else:
            find_lacking(block, rules, table)
            _finish_classes(block, _u8(lowest + 1), dropped)
        count_classes(block, RESULT, totals.size, counters)
        rounds += 1
        if rounds == 255:  # a lane's counter holds a byte
            flush_counters(counters, totals)
            rounds = 0
    flush_counters(counters, totals)


@kernel
def _finish_classes(block: NDArray[np.uint8], less: np.uint8, dropped: NDArray[np.uint8]) -> None:
    for lane in range(_N):
        block[RESULT + lane] = _u8(_u8(block[RESULT + lane] - less) | dropped[lane])


@kernel
def deal_hands(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    deck: int,
    size: int,
    hands: int,
    out: NDArray[np.uint8],
) -> None:
    """Deal into `out`, flat, all 0, 34 counts a hand, the same hands that `tally_hands` counts."""
    state, words, halves, multipliers, draws, kinds, dropped, _, _ = _workspace(
        state, multipliers, 0
    )
    done = np.int64(0)
    while done < hands:
        kept = _deal_round(
            state, words, halves, multipliers, deck, size, hands - done, draws, kinds, dropped
        )
        at = _u64(done) * _u64(KINDS)
        for lane in range(_N):
            if dropped[lane] == _u8(0):
                for tile in range(_u64(size)):
                    kind = at + _u64(kinds[tile * _N + lane])
                    out[kind] = _u8(out[kind] + _u8(1))
                at += _u64(KINDS)
        done += kept
