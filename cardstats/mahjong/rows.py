"""What one hand is, as it lies in a row of 34 bytes: the kernels for hands in C order.

Eight counts at a time are one 64-bit word, so that the index of a suit takes three
multiplications: no byte of a hand is touched alone but the ninth of two suits. What is found is
kept in the rows of a block as `lanes` has it, and the look-ups are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._random import LANES
from cardstats.mahjong.lanes import (
    INDEX_1,
    INDEX_2,
    INDEX_3,
    INDEX_4,
    MANY,
    RESULT,
    SIZE,
    TO_ORPHANS,
    TO_PAIRS,
    find_nearest,
    look_up,
    new_block,
)
from cardstats.mahjong.rules import Form, RuleCodes
from cardstats.mahjong.suits import AT, ROW, WIDE_ROW
from cardstats.mahjong.tiles import FIRST_HONOUR, HONOURS, KINDS, ORPHANS, SUIT

_u8 = np.uint8
_u32 = np.uint32
_u64 = np.uint64

_EACH = _u64(0x0101010101010101)  # 1 in every byte
_NINTH = _u64(5**8)
_MANY = _u64(MANY)


@kernel
def _word(flat: NDArray[np.uint8], at: np.uint64) -> np.uint64:
    """Eight bytes as one number; LLVM makes one load of it."""
    word = _u64(flat[at]) | _u64(flat[at + _u64(1)]) << _u64(8)
    word |= _u64(flat[at + _u64(2)]) << _u64(16) | _u64(flat[at + _u64(3)]) << _u64(24)
    word |= _u64(flat[at + _u64(4)]) << _u64(32) | _u64(flat[at + _u64(5)]) << _u64(40)
    return word | _u64(flat[at + _u64(6)]) << _u64(48) | _u64(flat[at + _u64(7)]) << _u64(56)


@kernel
def words_of(
    flat: NDArray[np.uint8], at: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Read a hand: kinds 0–7, 9–16, 18–25 and 26–33 of a row, and what is left.

    The fifth word holds the first kind of each suit again, then the ninth of the first two: with
    the fourth it has all terminals and honours.
    """
    first, second = _word(flat, at), _word(flat, at + _u64(9))
    third, fourth = _word(flat, at + _u64(18)), _word(flat, at + _u64(26))
    ends = first & _u64(255) | (second & _u64(255)) << _u64(8) | (third & _u64(255)) << _u64(16)
    ends |= _u64(flat[at + _u64(8)]) << _u64(24) | _u64(flat[at + _u64(17)]) << _u64(32)
    return first, second, third, fourth, ends


@kernel
def _bytes_added(word: np.uint64) -> np.uint64:
    return _u64(_u64(word * _EACH) >> _u64(56))


@kernel
def _read_base_5(word: np.uint64) -> np.uint64:
    """Eight base-5 digits as a number: pairs, then fours, then all, each by a multiplication."""
    word = _u64(word * _u64(5 + 2**8)) >> _u64(8) & _u64(0x00FF00FF00FF00FF)
    word = _u64(word * _u64(25 + 2**16)) >> _u64(16) & _u64(0x0000FFFF0000FFFF)
    return _u64(_u64(word * _u64(625 + 2**32)) >> _u64(32))


# What the bytes of a word hold, of bytes up to 7; the sum over five words stays below 256 a byte.


@kernel
def _held(word: np.uint64) -> np.uint64:
    return (word | word >> _u64(1) | word >> _u64(2)) & _EACH


@kernel
def _twice(word: np.uint64) -> np.uint64:
    return (word >> _u64(1) | word >> _u64(2)) & _EACH


@kernel
def _halves(word: np.uint64) -> np.uint64:
    return word >> _u64(1) & _u64(3) * _EACH


@kernel
def _too_many(
    one: np.uint64, two: np.uint64, three: np.uint64, four: np.uint64, ends: np.uint64
) -> np.uint64:
    """Not 0 if a count is above four: then it, or three more, has a bit of eight or above."""
    bits = one | one + _u64(3) * _EACH | two | two + _u64(3) * _EACH
    bits |= three | three + _u64(3) * _EACH | four | four + _u64(3) * _EACH
    bits |= ends | ends + _u64(3) * _EACH
    return bits & _u64(0xF8) * _EACH


# --- A block of hands, as `lanes` keeps it ----------------------------------------------------


@kernel
def find_lacking_rows(
    flat: NDArray[np.uint8],
    first: int,
    size: int,
    sizes: np.uint64,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    block: NDArray[np.uint8],
) -> bool:
    """Do what `lanes.find_lacking` does for `size` hands in C order.

    `sizes` has a bit set for each number of tiles that is allowed.
    """
    words = block.view(np.uint32)
    if not _read_rows(flat, first, size, sizes, rules, block, words):
        return False
    look_up(block, words, size, table)
    find_nearest(block)
    return True


@kernel
def _read_rows(
    flat: NDArray[np.uint8],
    first: int,
    size: int,
    sizes: np.uint64,
    rules: RuleCodes,
    block: NDArray[np.uint8],
    words: NDArray[np.uint32],
) -> bool:
    """Fill the indices, SIZE, TO_PAIRS and TO_ORPHANS; False if there is one that is no hand."""
    faults = _u64(0)
    for lane in range(_u64(size)):
        one, two, three, four, ends = words_of(flat, _u64(KINDS) * (_u64(first) + lane))
        ninths = ends >> _u64(24)
        honours = _read_base_5(four >> _u64(8))
        words[INDEX_1 + lane] = _u32(_read_base_5(one) + _NINTH * (ninths & _u64(255)))
        words[INDEX_2 + lane] = _u32(_read_base_5(two) + _NINTH * (ninths >> _u64(8)))
        words[INDEX_3 + lane] = _u32(_read_base_5(three) + _NINTH * (four & _u64(255)))
        words[INDEX_4 + lane] = _u32(honours)
        tiles = _bytes_added(one + two + three + four + ninths)
        block[SIZE + lane] = _u8(tiles)
        faults |= _too_many(one, two, three, four, ends)
        faults |= _u64(tiles > _u64(14)) | (~sizes >> (tiles & _u64(15)) & _u64(1))
        faults |= _u64(rules.honours == _u8(0)) & _u64(honours != _u64(0))
        pairs, orphans = _MANY, _MANY
        if rules.quads != _u8(0):
            halves = _halves(one) + _halves(two) + _halves(three) + _halves(four)
            pairs = _u64(7) - _bytes_added(halves + _halves(ninths))
        if rules.distinct != _u8(0):
            twice = _twice(one) + _twice(two) + _twice(three) + _twice(four)
            kinds = _held(one) + _held(two) + _held(three) + _held(four)
            kinds = _bytes_added(kinds + _held(ninths))
            pairs = _u64(14) - _bytes_added(twice + _twice(ninths))
            pairs -= kinds if kinds < _u64(7) else _u64(7)
        if rules.orphans != _u8(0):
            pair = _u64((_twice(four) | _twice(ends)) != _u64(0))
            orphans = _u64(14) - _bytes_added(_held(four) + _held(ends)) - pair
        block[TO_PAIRS + lane] = _u8(pairs)
        block[TO_ORPHANS + lane] = _u8(orphans)
    return bool(faults == _u64(0))


# --- Whole arrays: each returns False if it met something that is no hand --------------------


@kernel
def code_rows(
    flat: NDArray[np.uint8],
    hands: int,
    sizes: np.uint64,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    by_form: bool,
    highest: np.uint8,
    out: NDArray[np.uint8],
) -> bool:
    """Write a code for each hand, but none above `highest`: of its form, or its shanten number.

    A shanten number of -1 is 255.
    """
    block = new_block()
    for first in range(0, hands, LANES):
        size = min(LANES, hands - first)
        if not find_lacking_rows(flat, first, size, sizes, rules, table, block):
            return False
        for lane in range(_u64(size)):
            code = _form_of(block, lane) if by_form else _u8(block[RESULT + lane] - _u8(1))
            out[_u64(first) + lane] = code if code < highest else highest
    return True


@kernel
def tally_rows(
    flat: NDArray[np.uint8],
    hands: int,
    sizes: np.uint64,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    by_form: bool,
    counts: NDArray[np.int64],
) -> bool:
    """Add one to ``counts[tiles, code]`` for each hand: of its form, or of the tiles it lacks."""
    block = new_block()
    for first in range(0, hands, LANES):
        size = min(LANES, hands - first)
        if not find_lacking_rows(flat, first, size, sizes, rules, table, block):
            return False
        for lane in range(_u64(size)):
            code = _form_of(block, lane) if by_form else block[RESULT + lane]
            counts[block[SIZE + lane], code] += 1
    return True


@kernel
def _form_of(block: NDArray[np.uint8], lane: int | np.uint64) -> np.uint8:
    code = _u8(block[RESULT + lane] == _u8(0))
    code = _u8(Form.SEVEN_PAIRS) if block[TO_PAIRS + lane] == _u8(0) else code
    return _u8(Form.THIRTEEN_ORPHANS) if block[TO_ORPHANS + lane] == _u8(0) else code


@kernel
def mark_rows(
    flat: NDArray[np.uint8],
    hands: int,
    sizes: np.uint64,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    adding: bool,
    most: int,
    out: NDArray[np.uint8],
) -> bool:
    """Mark the kinds that bring a hand nearer when they come, or not farther when they go.

    Hands that lack more than `most` tiles get no mark.
    """
    block = new_block()
    words = block.view(np.uint32)
    for first in range(0, hands, LANES):
        size = min(LANES, hands - first)
        if not find_lacking_rows(flat, first, size, sizes, rules, table, block):
            return False
        _mark_standard(flat, first, size, block, words, rules, table, adding, most, out)
        if rules.quads | rules.distinct != _u8(0):
            _mark_pairs(flat, first, size, block, rules, adding, most, out)
        if rules.orphans != _u8(0):
            _mark_orphans(flat, first, size, block, adding, most, out)
    return True


# Each of these goes over a block: a call for each hand takes as long as the hand, since arrays that
# are passed between kernels are counted.


@kernel
def _mark_standard(
    flat: NDArray[np.uint8],
    first: int,
    size: int,
    block: NDArray[np.uint8],
    words: NDArray[np.uint32],
    rules: RuleCodes,
    table: NDArray[np.uint8],
    adding: bool,
    most: int,
    out: NDArray[np.uint8],
) -> None:
    """Mark by sets and a pair: look up what each suit would be with one tile more or less."""
    unmoved = _u8(4) if adding else _u8(0)  # a fifth tile cannot come, and none cannot go
    one, more = (_u64(1), _u8(0)) if adding else (~_u64(0), _u8(1))
    for lane in range(_u64(size)):
        at = _u64(KINDS) * (_u64(first) + lane)
        if block[RESULT + lane] > most:
            for place in range(at, at + _u64(KINDS)):
                out[place] = _u8(0)
            continue
        index_1, index_2 = _u64(words[INDEX_1 + lane]), _u64(words[INDEX_2 + lane])
        index_3, index_4 = _u64(words[INDEX_3 + lane]), _u64(words[INDEX_4 + lane])
        class_1, class_2 = _u64(table[AT.suit + index_1]), _u64(table[AT.suit + index_2])
        class_3, class_4 = _u64(table[AT.suit + index_3]), _u64(table[AT.honours + index_4])
        sets = _u64(block[SIZE + lane]) * _u64(171) >> _u64(9)
        below = _u8(block[RESULT + lane] + more)
        joins = AT.suit_and_honours + _u64(ROW) * class_4
        for suit in range(_u64(3)):
            index = index_1 if suit == _u64(0) else index_2 if suit == _u64(1) else index_3
            other_1 = class_2 if suit == _u64(0) else class_1
            other_2 = class_2 if suit == _u64(2) else class_3
            joined = _u64(table[AT.two_suits + _u64(ROW) * other_1 + other_2])
            costs = AT.cost + _u64(WIDE_ROW) * (_u64(WIDE_ROW) * sets + joined)
            step, start = one, at + _u64(SUIT) * suit
            for place in range(start, start + _u64(SUIT)):
                moves = flat[place] != unmoved
                class_then = _u64(table[AT.suit + index + (step if moves else _u64(0))])
                lacking = table[costs + _u64(table[joins + class_then])]
                out[place] = _u8(moves) & _u8(lacking < below)
                step *= _u64(5)
        joined = _u64(table[AT.two_suits + _u64(ROW) * class_1 + class_2])
        costs = AT.cost + _u64(WIDE_ROW) * (_u64(WIDE_ROW) * sets + joined)
        step, start = one, at + _u64(FIRST_HONOUR)
        for place in range(start, start + _u64(HONOURS)):
            moves = flat[place] != unmoved
            class_then = _u64(table[AT.honours + index_4 + (step if moves else _u64(0))])
            joins = AT.suit_and_honours + _u64(ROW) * class_then
            lacking = table[costs + _u64(table[joins + class_3])]
            out[place] = _u8(moves) & _u8(lacking < below) & rules.honours
            step *= _u64(5)


@kernel
def _mark_pairs(
    flat: NDArray[np.uint8],
    first: int,
    size: int,
    block: NDArray[np.uint8],
    rules: RuleCodes,
    adding: bool,
    most: int,
    out: NDArray[np.uint8],
) -> None:
    """Mark what brings seven pairs nearer, or may leave them, where they are nearest."""
    in_the_set = _u64(KINDS if rules.honours != _u8(0) else FIRST_HONOUR)
    for lane in range(_u64(size)):
        if block[TO_PAIRS + lane] != block[RESULT + lane] or block[RESULT + lane] > most:
            continue
        kinds, start = 0, _u64(KINDS) * (_u64(first) + lane)
        for place in range(start, start + in_the_set):
            kinds += flat[place] != _u8(0)
        fewer, more = _u8(kinds < 7), _u8(kinds > 7)
        # No branches here and below: one a kind, and as often as not mispredicted.
        for place in range(start, start + in_the_set):
            count = flat[place]
            if rules.quads != _u8(0):
                good = _u8(count & _u8(1))  # the half of a pair
            elif adding:
                good = _u8(count == _u8(1)) | _u8(count == _u8(0)) & fewer
            else:
                good = _u8(count > _u8(2)) | _u8(count == _u8(1)) & more
            out[place] = out[place] | good


@kernel
def _mark_orphans(
    flat: NDArray[np.uint8],
    first: int,
    size: int,
    block: NDArray[np.uint8],
    adding: bool,
    most: int,
    out: NDArray[np.uint8],
) -> None:
    """Mark what brings thirteen orphans nearer, or may leave them, where they are nearest."""
    orphans = _u64(0)
    for place in range(13):
        orphans |= _u64(1) << _u64(ORPHANS[place])
    for lane in range(_u64(size)):
        if block[TO_ORPHANS + lane] != block[RESULT + lane] or block[RESULT + lane] > most:
            continue
        at = _u64(KINDS) * (_u64(first) + lane)
        pairs = _u8(0)
        for kind in range(_u64(KINDS)):
            is_orphan = _u8(orphans >> kind & _u64(1))
            pairs = _u8(pairs + (is_orphan & _u8(flat[at + kind] >= _u8(2))))
        lone, double = _u8(pairs == _u8(0)), _u8(pairs > _u8(1))
        for kind in range(_u64(KINDS)):
            count, is_orphan = flat[at + kind], _u8(orphans >> kind & _u64(1))
            if adding:
                good = is_orphan & (_u8(count == _u8(0)) | _u8(count == _u8(1)) & lone)
            else:
                spare = _u8(count > _u8(2)) | _u8(count == _u8(2)) & double
                good = spare | _u8(count > _u8(0)) & (is_orphan ^ _u8(1))
            out[at + kind] = out[at + kind] | good
