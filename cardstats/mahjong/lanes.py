"""What a block of hands is, lane by lane: the stages that array and dealing kernels share.

A block is one buffer of bytes with a row of LANES bytes for each kind's counts and for each
intermediate, at constant offsets. First stages are loops over bytes that LLVM turns into 32 or 64
lanes; the look-ups that follow take one hand after the other, and in `find_forms` only those that
have the right numbers of tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._lanes import aligned_bytes
from cardstats._random import LANES
from cardstats.mahjong.rules import Form, RuleCodes
from cardstats.mahjong.suits import AT, ROW, SETS, WIDE_ROW, WIN, WITH_PAIR
from cardstats.mahjong.tiles import KINDS, ORPHANS

_u8 = np.uint8
_u32 = np.uint32
_u64 = np.uint64
_N = np.uint64(LANES)

# Rows of a block. Kind k's counts are row k; then come three base-5 digits of an index a row, three
# rows a suit, and the like for the honours; then the four indices, of four bytes each.
_DIGITS = KINDS * LANES
_INDICES = _DIGITS + 12 * LANES
INDEX_1, INDEX_2, INDEX_3, INDEX_4 = (np.uint64(_INDICES // 4 + part * LANES) for part in range(4))
# Tiles in the hand; what is asked for; tiles lacking for seven pairs, for orphans; room.
SIZE, RESULT, TO_PAIRS, TO_ORPHANS, _FOUND, _ALSO, _CANDIDATE = (
    np.uint64(_INDICES + (16 + row) * LANES) for row in range(7)
)
BLOCK_BYTES = _INDICES + 23 * LANES

MANY = _u8(100)  # tiles lacking for a form that does not apply


@kernel
def new_block() -> NDArray[np.uint8]:
    """Make room for a block."""
    return aligned_bytes(BLOCK_BYTES)


@kernel
def load_block(flat: NDArray[np.uint8], hands: int, first: int, block: NDArray[np.uint8]) -> None:
    """Copy LANES of `hands` hands that lie column by column."""
    for kind in range(KINDS):
        at, to = _u64(kind * hands + first), _u64(kind) * _N
        for lane in range(_N):
            block[to + lane] = flat[at + lane]


@kernel
def _max(a: np.uint8, b: np.uint8) -> np.uint8:
    return a if a > b else b


@kernel
def _min(a: np.uint8, b: np.uint8) -> np.uint8:
    return a if a < b else b


@kernel
def _five_times(a: np.uint8) -> np.uint8:
    twice = _u8(a + a)  # sums: there is no instruction that multiplies bytes
    return _u8(_u8(twice + twice) + a)


@kernel
def _three_digits(a: np.uint8, b: np.uint8, c: np.uint8) -> np.uint8:
    return _u8(a + _five_times(_u8(b + _five_times(c))))


@kernel
def _is_no_size(size: np.uint8) -> np.uint8:
    """Return 1 for more tiles than a hand has, and for a multiple of three."""
    found = _u8(_u8(size == _u8(0)) | _u8(size == _u8(3)))
    found = _u8(found | _u8(_u8(size == _u8(6)) | _u8(size == _u8(9))))
    return _u8(found | _u8(_u8(size == _u8(12)) | _u8(size > _u8(14))))


# --- Shanten ----------------------------------------------------------------------------------


@kernel
def find_lacking(block: NDArray[np.uint8], rules: RuleCodes, table: NDArray[np.uint8]) -> bool:
    """Fill RESULT with the tiles that each hand lacks, its shanten number plus one.

    Returns False, and fills nothing, if a lane holds no hand.
    """
    if not _read_block(block, rules.honours):
        return False
    _clear_special(block)
    if rules.quads != _u8(0):
        _lacking_quads(block)
    if rules.distinct != _u8(0):
        _lacking_distinct(block)
    if rules.orphans != _u8(0):
        _lacking_orphans(block)
    words = block.view(np.uint32)
    _join_digits(block, words)
    look_up(block, words, LANES, table)
    find_nearest(block)
    return True


@kernel
def _clear_special(block: NDArray[np.uint8]) -> None:
    """Let no special form apply."""
    for lane in range(_N):
        block[TO_PAIRS + lane] = MANY
        block[TO_ORPHANS + lane] = MANY


@kernel
def find_nearest(block: NDArray[np.uint8]) -> None:
    """Lower RESULT to what a special form lacks, where the hand has its size.

    A loop of its own: beside the look-ups it would be branches, often mispredicted.
    """
    for lane in range(_N):
        small = _u8(block[SIZE + lane] < _u8(13))
        pairs = MANY if small != _u8(0) else block[TO_PAIRS + lane]
        orphans = MANY if small != _u8(0) else block[TO_ORPHANS + lane]
        block[TO_PAIRS + lane] = pairs
        block[TO_ORPHANS + lane] = orphans
        block[RESULT + lane] = _min(block[RESULT + lane], _min(pairs, orphans))


@kernel
def _read_block(block: NDArray[np.uint8], honours: np.uint8) -> bool:
    """Fill the digits and SIZE; False if a lane holds no hand."""
    for lane in range(_N):
        block[SIZE + lane] = _u8(0)
    most = _u8(0)
    for row in range(12):
        most = _max(most, _read_three(block, row))
    fault, refused = _u8(most > _u8(4)), _u8(0)
    for lane in range(_N):
        fault = _u8(fault | _is_no_size(block[SIZE + lane]))
        last = _u8(block[_u64(_DIGITS + 11 * LANES) + lane])
        some = _u8(block[_u64(_DIGITS + 9 * LANES) + lane])
        more = _u8(block[_u64(_DIGITS + 10 * LANES) + lane])
        refused = _u8(refused | _u8(_u8(some | more) | last))
    return bool(fault == _u8(0)) and bool(honours != _u8(0) or refused == _u8(0))


@kernel
def _read_three(block: NDArray[np.uint8], row: int) -> np.uint8:
    """Fold three kinds' counts into one row of digits; return the largest count."""
    most, at, to = _u8(0), _u64(3 * row) * _N, _u64(_DIGITS) + _u64(row) * _N
    if row == 11:  # the last honour has a row of its own
        for lane in range(_N):
            a = block[at + lane]
            block[to + lane] = a
            block[SIZE + lane] = _u8(block[SIZE + lane] + a)
            most = _max(most, a)
        return most
    for lane in range(_N):
        a, b, c = block[at + lane], block[at + _N + lane], block[at + _N + _N + lane]
        block[to + lane] = _three_digits(a, b, c)
        block[SIZE + lane] = _u8(block[SIZE + lane] + _u8(_u8(a + b) + c))
        most = _max(most, _max(a, _max(b, c)))
    return most


@kernel
def _lacking_quads(block: NDArray[np.uint8]) -> None:
    _clear(block, _FOUND)
    for kind in range(KINDS):
        at = _u64(kind) * _N
        for lane in range(_N):
            block[_FOUND + lane] = _u8(block[_FOUND + lane] + _u8(block[at + lane] >> _u8(1)))
    for lane in range(_N):
        block[TO_PAIRS + lane] = _u8(_u8(7) - block[_FOUND + lane])


@kernel
def _lacking_distinct(block: NDArray[np.uint8]) -> None:
    _clear(block, _FOUND)
    _clear(block, _ALSO)
    for kind in range(KINDS):
        at = _u64(kind) * _N
        for lane in range(_N):
            count = block[at + lane]
            block[_FOUND + lane] = _u8(block[_FOUND + lane] + _u8(count >= _u8(2)))
            block[_ALSO + lane] = _u8(block[_ALSO + lane] + _u8(count >= _u8(1)))
    for lane in range(_N):
        kinds = _min(block[_ALSO + lane], _u8(7))
        block[TO_PAIRS + lane] = _u8(_u8(_u8(14) - block[_FOUND + lane]) - kinds)


@kernel
def _lacking_orphans(block: NDArray[np.uint8]) -> None:
    _clear(block, _FOUND)
    _clear(block, _ALSO)
    for place in range(13):
        at = _u64(ORPHANS[place]) * _N
        for lane in range(_N):
            count = block[at + lane]
            block[_FOUND + lane] = _u8(block[_FOUND + lane] | _u8(count >= _u8(2)))
            block[_ALSO + lane] = _u8(block[_ALSO + lane] + _u8(count >= _u8(1)))
    for lane in range(_N):
        held = _u8(block[_ALSO + lane] + block[_FOUND + lane])
        block[TO_ORPHANS + lane] = _u8(_u8(14) - held)


@kernel
def _clear(block: NDArray[np.uint8], row: np.uint64) -> None:
    for lane in range(_N):
        block[row + lane] = _u8(0)


@kernel
def _join_digits(block: NDArray[np.uint8], words: NDArray[np.uint32]) -> None:
    """Fill the indices. In lanes: one hand at a time this takes as long as all else together."""
    for part in range(4):
        low, to = _u64(_DIGITS) + _u64(3 * part) * _N, _u64(_INDICES // 4) + _u64(part) * _N
        middle, high = low + _N, low + _N + _N
        for lane in range(_N):
            index = _u32(_u32(125) * _u32(block[middle + lane]))
            index = _u32(index + _u32(_u32(15625) * _u32(block[high + lane])))
            words[to + lane] = _u32(index + _u32(block[low + lane]))


@kernel
def look_up(
    block: NDArray[np.uint8], words: NDArray[np.uint32], size: int, table: NDArray[np.uint8]
) -> None:
    """Fill RESULT with the tiles lacking for sets and a pair, from SIZE and the indices."""
    for lane in range(_u64(size)):
        suit_1 = table[AT.suit + _u64(words[INDEX_1 + lane])]
        suit_2 = table[AT.suit + _u64(words[INDEX_2 + lane])]
        suit_3 = table[AT.suit + _u64(words[INDEX_3 + lane])]
        honours = table[AT.honours + _u64(words[INDEX_4 + lane])]
        sets = _u64(block[SIZE + lane]) * _u64(171) >> _u64(9)  # a third
        two = _u64(table[AT.two_suits + _u64(_u64(ROW) * _u64(suit_1) + _u64(suit_2))])
        other = _u64(table[AT.suit_and_honours + _u64(_u64(ROW) * _u64(honours) + _u64(suit_3))])
        row = _u64(_u64(WIDE_ROW) * sets + two)
        block[RESULT + lane] = table[AT.cost + _u64(_u64(WIDE_ROW) * row + other)]


# --- Winning forms ----------------------------------------------------------------------------


@kernel
def find_forms(block: NDArray[np.uint8], rules: RuleCodes, table: NDArray[np.uint8]) -> bool:
    """Fill RESULT with the code of each hand's `Form`.

    Returns False, and fills nothing, if a lane holds no hand of 3k+2 tiles.
    """
    if not _read_block(block, rules.honours):
        return False
    if not _find_candidates(block):
        return False
    if rules.quads != _u8(0) or rules.distinct != _u8(0):
        _find_seven_pairs(block, rules.quads)
    if rules.orphans != _u8(0):
        _find_orphans(block)
    words = block.view(np.uint32)
    _join_digits(block, words)
    _win_candidates(block, words, block.view(np.uint64), table)
    return True


@kernel
def _find_candidates(block: NDArray[np.uint8]) -> bool:
    """Mark in CANDIDATE the hands whose honours are complete and whose suits may be, by numbers.

    RESULT is cleared. False if a hand has no size to win with.
    """
    fault = _u8(0)
    for lane in range(_N):
        numbers = _u8(_honours_word(block, lane) + _suit_word(block, 0, lane))
        numbers = _u8(numbers + _u8(_suit_word(block, 9, lane) + _suit_word(block, 18, lane)))
        block[_CANDIDATE + lane] = _u8(numbers == _u8(WIN))
        block[RESULT + lane] = _u8(0)
        fault = _u8(fault | _u8(_third_left(block[SIZE + lane]) != _u8(2)))
    return bool(fault == _u8(0))


@kernel
def _suit_word(block: NDArray[np.uint8], first: int, lane: int | np.uint64) -> np.uint8:
    """Say what a suit can be by its number of tiles: SETS, WITH_PAIR, or 0 for neither."""
    size = _u8(0)
    for kind in range(9):
        size = _u8(size + block[_u64(first + kind) * _N + lane])
    left = _third_left(size)
    word = _u8(WITH_PAIR) if left == _u8(2) else _u8(SETS)
    return _u8(0) if left == _u8(1) else word


@kernel
def _honours_word(block: NDArray[np.uint8], lane: int | np.uint64) -> np.uint8:
    lone, pairs = _u8(0), _u8(0)
    for kind in range(27, 34):
        count = block[_u64(kind) * _N + lane]
        lone = _u8(lone | _u8(_u8(count == _u8(1)) | _u8(count == _u8(4))))
        pairs = _u8(pairs + _u8(count == _u8(2)))
    word = _u8(WITH_PAIR) if pairs == _u8(1) else _u8(SETS)
    return _u8(0) if _u8(lone | _u8(pairs > _u8(1))) != _u8(0) else word


@kernel
def _third_left(size: np.uint8) -> np.uint8:
    """Remainder of at most 15 by three, where 3 stands for 0: four leaves one, as in base 4."""
    size = _u8(_u8(size & _u8(3)) + _u8(size >> _u8(2)))
    return _u8(_u8(size & _u8(3)) + _u8(size >> _u8(2)))


@kernel
def _find_seven_pairs(block: NDArray[np.uint8], quads: np.uint8) -> None:
    allowed = _u8(6) if quads != _u8(0) else _u8(2)  # bits that counts of 2, or of 2 and 4, have
    _clear(block, _FOUND)
    for kind in range(KINDS):
        at = _u64(kind) * _N
        for lane in range(_N):
            block[_FOUND + lane] = _u8(block[_FOUND + lane] | block[at + lane])
    for lane in range(_N):
        pairs = _u8(_u8(block[_FOUND + lane] | allowed) == allowed)
        pairs = _u8(pairs & _u8(block[SIZE + lane] == _u8(14)))
        block[RESULT + lane] = _u8(pairs * _u8(Form.SEVEN_PAIRS))


@kernel
def _find_orphans(block: NDArray[np.uint8]) -> None:
    _clear(block, _FOUND)
    for lane in range(_N):
        block[_ALSO + lane] = _u8(1)
    for place in range(13):
        at = _u64(ORPHANS[place]) * _N
        for lane in range(_N):
            count = block[at + lane]
            block[_FOUND + lane] = _u8(block[_FOUND + lane] + count)
            held = _u8(count > _u8(0))
            block[_ALSO + lane] = _u8(block[_ALSO + lane] & held)
    for lane in range(_N):
        orphans = _u8(block[_ALSO + lane] & _u8(block[_FOUND + lane] == _u8(14)))
        code = _u8(orphans * _u8(Form.THIRTEEN_ORPHANS))
        block[RESULT + lane] = _max(block[RESULT + lane], code)


@kernel
def _win_candidates(
    block: NDArray[np.uint8],
    words: NDArray[np.uint32],
    eights: NDArray[np.uint64],
    table: NDArray[np.uint8],
) -> None:
    """Look up the suits of the candidates, eight lanes passed over at once where there is none."""
    first = _CANDIDATE // _u64(8)
    for eight in range(_N // _u64(8)):
        if eights[first + eight] == _u64(0):
            continue
        for lane in range(_u64(8) * eight, _u64(8) * eight + _u64(8)):
            suit_1 = table[AT.complete + _u64(words[INDEX_1 + lane])]
            suit_2 = table[AT.complete + _u64(words[INDEX_2 + lane])]
            suit_3 = table[AT.complete + _u64(words[INDEX_3 + lane])]
            complete = _u8(_u8(suit_1 != _u8(0)) & _u8(suit_2 != _u8(0)))
            complete = _u8(complete & _u8(suit_3 != _u8(0)))
            wins = _u8(complete & block[_CANDIDATE + lane])  # 1, the code of the standard form
            block[RESULT + lane] = _max(block[RESULT + lane], wins)
