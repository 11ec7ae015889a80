"""Tiles as numbers, three ways: kinds, codes that part suits by gaps, and one number a tile.

Every number is checked in the pass that counts it; each way is a table of kinds by number.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._jit import as_integers, as_uint8, kernel, read_only
from cardstats.mahjong.rules import COPIES
from cardstats.mahjong.tiles import KINDS, checked_hand, tile_name

# What the numbers of `from_codes` mean, in words.
CODES_MEAN = (
    "characters are 1–9, bamboo 11–19, dots 21–29, winds 31 33 35 37, dragons 41 43 45 (中發白)"
)
CODES_MEAN_ZH = "万 1–9，条 11–19，饼 21–29，东南西北 31 33 35 37，中发白 41 43 45"


def from_codes(codes: ArrayLike) -> NDArray[np.uint8]:
    """Count tiles that are numbered so that no run crosses a suit or honours.

    Parameters
    ----------
    codes : array_like of int, shape (k,) or (n, k)
        万 1–9, 条 11–19, 饼 21–29, 东南西北 31 33 35 37, 中发白 41 43 45, in any order.

    Returns
    -------
    ndarray of uint8, shape (34,) or (n, 34)
        How many there are of each kind.

    Raises
    ------
    TypeError, ValueError
        If a number is no tile, or there are more than four of a kind; the message names the
        place, or the row.

    Examples
    --------
    >>> from cardstats.mahjong import format
    >>> format(from_codes([1, 1, 2, 2, 2, 2, 3, 3]))
    '11222233m'
    """
    return _counted(codes, _CODES)


def to_codes(hand: ArrayLike) -> NDArray[np.uint8]:
    """Give a hand's tiles as the numbers that `from_codes` takes.

    Parameters
    ----------
    hand : array_like of int, shape (34,)
        How many it holds of each kind.

    Returns
    -------
    ndarray of uint8, shape (k,)
        One number a tile, ascending: 万, 条, 饼, 东南西北, 中发白.

    Raises
    ------
    TypeError, ValueError
        If `hand` is no hand.

    Examples
    --------
    >>> from cardstats.mahjong import parse
    >>> to_codes(parse("99m 1s 17z")).tolist()
    [9, 9, 11, 31, 41]
    """
    return np.sort(np.repeat(_CODE_OF_KIND, checked_hand(hand)))


def counts(tiles: ArrayLike) -> NDArray[np.uint8]:
    """Count tiles given one by one.

    Parameters
    ----------
    tiles : array_like of int, shape (k,) or (n, k)
        Kinds 0…33, in any order.

    Returns
    -------
    ndarray of uint8, shape (34,) or (n, 34)
        How many there are of each kind.

    Raises
    ------
    TypeError, ValueError
        If a number is no kind, or there are more than four of one; the message names the place,
        or the row.

    Examples
    --------
    >>> counts([[0, 0, 33], [1, 2, 3]])[:, :4].tolist()
    [[2, 0, 0, 0], [0, 1, 1, 1]]
    """
    return _counted(tiles, _KINDS)


def from_ids(ids: ArrayLike) -> NDArray[np.uint8]:
    """Count tiles of which each of the 136 has a number of its own.

    Parameters
    ----------
    ids : array_like of int, shape (k,) or (n, k)
        0…135; the kind is a quarter of it, rounded down.

    Returns
    -------
    ndarray of uint8, shape (34,) or (n, 34)
        How many there are of each kind.

    Raises
    ------
    TypeError, ValueError
        If a number is no tile, or comes twice; the message names the place, or the row.

    Examples
    --------
    >>> from cardstats.mahjong import format
    >>> format(from_ids([0, 3, 4, 135]))
    '112m7z'
    """
    return _counted(ids, _IDS)


def kind_of_code(code: int) -> int | None:
    """Kind of a tile as `from_codes` numbers it, None if there is none.

    Examples
    --------
    >>> kind_of_code(11), kind_of_code(10)
    (18, None)
    """
    return _known_kind(code, _CODES)


_NONE = 255  # the kind of a number that is no tile
_CODE_OF_KIND = np.array(
    [*range(1, 10), *range(21, 30), *range(11, 20), 31, 33, 35, 37, 45, 43, 41], dtype=np.uint8
)


class _Numbering(NamedTuple):
    """A way to number tiles: how messages speak of it, and the kind of each byte."""

    argument: str
    word: str
    limit: str
    most: int
    kinds: NDArray[np.uint8]
    each_once: bool  # whether a number is one tile rather than a kind


def _by_number(numbers: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """Table of kinds, from the numbers of kind 0, of kind 1, …: equally many of each."""
    table = np.full(256, _NONE, np.uint8)
    table[numbers] = np.arange(numbers.size) // (numbers.size // KINDS)
    return table


_KINDS = _Numbering(
    argument="tiles",
    word="kind",
    limit="is outside 0..33",
    most=KINDS - 1,
    kinds=_by_number(np.arange(KINDS)),
    each_once=False,
)
_CODES = _Numbering(
    argument="codes",
    word="code",
    limit=f"is no tile; {CODES_MEAN}",
    most=int(_CODE_OF_KIND.max()),
    kinds=_by_number(_CODE_OF_KIND),
    each_once=False,
)
_IDS = _Numbering(
    argument="ids",
    word="id",
    limit="is outside 0..135",
    most=KINDS * COPIES - 1,
    kinds=_by_number(np.arange(KINDS * COPIES)),
    each_once=True,
)


def _known_kind(number: int, numbering: _Numbering) -> int | None:
    kind = int(numbering.kinds[number]) if 0 <= number <= numbering.most else _NONE
    return None if kind == _NONE else kind


def _counted(numbers: ArrayLike, numbering: _Numbering) -> NDArray[np.uint8]:
    given = as_integers(numbers, numbering.argument)
    if given.ndim not in (1, 2):
        raise ValueError(f"{numbering.argument}: expected shape (k,) or (n, k), got {given.shape}")
    rows = np.atleast_2d(given)
    if rows.dtype == np.int8:  # seen as a byte, -121 would be the tile 135
        rows = rows.astype(np.int16)

    def refuse_number(_: NDArray[Any]) -> None:
        outside = ((rows < 0) | (rows > numbering.most)).any(axis=1)
        _refuse(given, int(np.flatnonzero(outside)[0]), numbering)

    narrow = np.ascontiguousarray(as_uint8(rows, numbering.most, refuse_number))
    held = np.zeros((len(rows), KINDS), np.uint8)
    faulty = int(_count(read_only(narrow), numbering.kinds, numbering.each_once, held))
    if faulty >= 0:
        _refuse(given, faulty, numbering)
    return held if given.ndim == 2 else held[0]


def _refuse(given: NDArray[Any], row: int, numbering: _Numbering) -> NoReturn:
    """Raise the ValueError that says what is wrong with a row."""
    argument, word, limit = numbering[:3]
    numbers = np.atleast_2d(given)[row].tolist()
    at = f" at row {row}" if given.ndim == 2 else ""
    held = [0] * KINDS
    for place, number in enumerate(numbers):
        kind = _known_kind(number, numbering)
        if kind is None:
            where = f"{at}, place {place}" if at else f" at place {place}"
            raise ValueError(f"{argument}: {word} {number}{where} {limit}")
        if numbering.each_once and number in numbers[:place]:
            raise ValueError(f"{argument}: {word} {number}{at} comes twice")
        held[kind] += 1
    kind = next(kind for kind, count in enumerate(held) if count > COPIES)
    raise ValueError(f"{argument}: {held[kind]} of {tile_name(kind)}{at}; there are four")


@kernel
def _count(
    numbers: NDArray[np.uint8], kinds: NDArray[np.uint8], each_once: bool, held: NDArray[np.uint8]
) -> int:
    """Count each row's tiles; gives the first row that is none, or -1."""
    last_row = np.full(256, -1, np.int64)  # where a number was seen last
    for row in range(numbers.shape[0]):
        for place in range(numbers.shape[1]):
            number = numbers[row, place]
            kind = kinds[number]
            if kind == _NONE or (each_once and last_row[number] == row):
                return row
            if held[row, kind] == COPIES:
                return row
            last_row[number] = row
            held[row, kind] += np.uint8(1)
    return -1
