"""Blackjack kernels: arrays of hands in, totals out, every card and all padding checked on the way.

The public functions check and normalise their arguments; the kernels below them bring a block of
hands into rows of LANES bytes, one row a card, and add up row after row in loops over bytes that
LLVM turns into 32 or 64 lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats import cards as _cards
from cardstats._jit import as_integers, as_uint8, deliver, kernel, prepare_out, read_only
from cardstats._lanes import aligned_bytes
from cardstats._random import LANES
from cardstats.blackjack.hands import PADDING, fault_of
from cardstats.blackjack.rules import BEST

# So many tens still add up to a byte. No play leads to more than 22: 21 aces and one card more.
MAX_CARDS = 25
_SEARCHED_AT_ONCE = 1 << 16  # hands, when a fault is searched for

_u8 = np.uint8
_u64 = np.uint64
_N = np.uint64(LANES)

# Rows of a block, LANES bytes each: what is known of each hand, then its cards, place by place.
_HARD, _ACES, _CARDS, _ENDED, _FAULT = (np.uint64(row * LANES) for row in range(5))
_TOTAL, _SOFT, _NATURAL = (np.uint64(row * LANES) for row in range(5, 8))
_FIRST_CARD = 8
_BLOCK_BYTES = (_FIRST_CARD + MAX_CARDS) * LANES

_PADDING = _u8(PADDING)
_TEN_RANK, _ACE_RANK = _u8(8), _u8(12)
_BEST = _u8(BEST)


def total(hands: ArrayLike, *, out: NDArray[np.uint8] | None = None) -> Any:
    """Best total of each hand: aces count 11 and fall to 1, one at a time, to avoid a bust.

    Parameters
    ----------
    hands : array_like of int, shape (n, k) or (k,)
        Card codes 0…51, 1 to 25 a hand, in any order; shorter hands are padded on the right with
        255. Equal cards are allowed, any integer dtype is. C-ordered and column-contiguous uint8
        arrays are read as they are; others are copied first.
    out : ndarray of uint8, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of uint8, or uint8 for a single hand
        A bust keeps its total, above 21, all aces counting 1.

    Raises
    ------
    TypeError, ValueError
        If a row is no hand: a code that is no card, a card after padding, no card at all or too
        many; the message names card, row and place.

    Examples
    --------
    >>> from cardstats.blackjack import parse
    >>> int(total(parse("♠A ♦5 ♥8"))), int(total(parse("♣10 ♦J ♥Q")))
    (14, 30)
    >>> total([[48, 44, 255], [48, 49, 28]]).tolist()
    [21, 21]
    """
    return _ask(hands, _TOTAL, np.uint8, out)


def is_soft(hands: ArrayLike, *, out: NDArray[np.bool_] | None = None) -> Any:
    """Whether an ace counts 11 in the best total of each hand.

    Parameters
    ----------
    hands : array_like of int, shape (n, k) or (k,)
        As for `total`.
    out : ndarray of bool, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, or bool for a single hand

    Raises
    ------
    TypeError, ValueError
        As for `total`.

    Examples
    --------
    >>> from cardstats.blackjack import parse
    >>> bool(is_soft(parse("♦2 ♠A ♥5"))), bool(is_soft(parse("♦2 ♠A ♥5 ♣4")))
    (True, False)
    """
    return _ask(hands, _SOFT, np.bool_, out)


def is_natural(hands: ArrayLike, *, out: NDArray[np.bool_] | None = None) -> Any:
    """Whether each hand is an ace and a ten-valued card, and no more.

    Parameters
    ----------
    hands : array_like of int, shape (n, k) or (k,)
        As for `total`.
    out : ndarray of bool, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, or bool for a single hand

    Raises
    ------
    TypeError, ValueError
        As for `total`.

    Examples
    --------
    >>> from cardstats.blackjack import parse
    >>> bool(is_natural(parse("♠A ♥K"))), bool(is_natural(parse("♠7 ♥7 ♣7")))
    (True, False)
    """
    return _ask(hands, _NATURAL, np.bool_, out)


def _ask(
    hands: ArrayLike, row: np.uint64, dtype: type[np.generic], out: NDArray[Any] | None
) -> Any:
    given = Hands(hands)
    filled = prepare_out(out, given.shape, dtype, given.flat)
    given.write(row, filled.reshape(-1).view(np.uint8))
    return deliver(filled, out)


class Hands:
    """Hands made ready for kernels: a flat read-only uint8 array, by rows or by columns."""

    def __init__(self, hands: ArrayLike) -> None:
        self.given = as_integers(hands, "hands")
        if self.given.ndim not in (1, 2) or self.given.shape[-1] == 0:
            raise ValueError(
                f"hands: expected shape (n, k) or (k,), k at least 1, got {self.given.shape}"
            )
        self.shape = self.given.shape[:-1]
        self.table = self.given.reshape(-1, self.given.shape[-1])
        if (self.table[:, MAX_CARDS:] != PADDING).any():
            self.refuse()
        narrow = self._narrow(self.table[:, :MAX_CARDS])
        self.count, self.places = narrow.shape
        self.columns = narrow.flags.f_contiguous and self.count > 1
        flat = narrow.T.reshape(-1) if self.columns else np.ascontiguousarray(narrow).reshape(-1)
        self.flat = read_only(flat)

    def _narrow(self, table: NDArray[Any]) -> NDArray[np.uint8]:
        # As a byte, an int8 of -1 would pass for padding.
        if table.dtype == np.int8 and table.size and table.min() < 0:
            self.refuse()
        return as_uint8(table, PADDING, lambda _: self.refuse())

    def write(self, row: np.uint64, out: NDArray[np.uint8]) -> None:
        """Fill `out` with what a row of the blocks says, or say which of the hands is none."""
        if not _write(self.flat, self.columns, self.count, self.places, row, out):
            self.refuse()

    def refuse(self) -> None:
        """Raise the ValueError that names the first fault. This may take its time."""
        for start in range(0, len(self.table), _SEARCHED_AT_ONCE):
            block = self.table[start : start + _SEARCHED_AT_ONCE]
            padded = block == PADDING
            bad = (((block < 0) | (block >= _cards.DECK_SIZE)) & ~padded).any(axis=1)
            bad |= (padded[:, :-1] & ~padded[:, 1:]).any(axis=1) | padded[:, 0]
            bad |= ~padded[:, MAX_CARDS:].all(axis=1)
            for row in np.flatnonzero(bad)[:1]:
                raise ValueError(f"hands: {_fault(block[row].tolist(), start + int(row))}")
        raise AssertionError("hands: a kernel refused hands in which no fault is found")


def _fault(hand: list[int], row: int) -> str:
    found = fault_of(hand, f"row {row}, ")
    if found is not None:
        return found
    return f"{len(hand) - hand.count(PADDING)} cards at row {row}; expected at most {MAX_CARDS}"


# --- Kernels on single numbers ----------------------------------------------------------------


@kernel
def counts_eleven(hard: np.uint8, aces: np.uint8) -> np.uint8:
    """Return 1 if an ace counts 11: there is one, and 10 more are no bust; two never do."""
    return _u8(_u8(aces != _u8(0)) & _u8(hard <= _u8(_BEST - _u8(10))))


@kernel
def best_total(hard: np.uint8, aces: np.uint8) -> np.uint8:
    """Best total of a hand, from its total with every ace counting 1 and its aces."""
    return _u8(hard + _u8(10)) if counts_eleven(hard, aces) != _u8(0) else hard


@kernel
def value_of(card: np.uint8) -> np.uint8:
    """Value of a card's code: 1 for an ace, 10 for ten, jack, queen and king."""
    rank = _u8(card >> _u8(2))
    low = rank if rank < _TEN_RANK else _TEN_RANK
    return _u8(1) if rank == _ACE_RANK else _u8(low + _u8(2))


# --- Kernels on blocks, and over whole arrays --------------------------------------------------


@kernel
def _write(
    flat: NDArray[np.uint8],
    columns: bool,
    hands: int,
    places: int,
    row: np.uint64,
    out: NDArray[np.uint8],
) -> bool:
    """Fill `out` with a row of each block; False at something that is no hand."""
    block = aligned_bytes(_BLOCK_BYTES)
    for start in range(0, hands, LANES):
        size = min(LANES, hands - start)
        if columns:
            _load_columns(flat, hands, places, start, size, block)
        else:
            _load_rows(flat, places, start, size, block)
        _clear(block)
        for place in range(places):
            _add_cards(block, place)
        if not _all_hands(block, size):
            return False
        _settle(block)
        at, to = _u64(row), _u64(start)
        for lane in range(_u64(size)):
            out[to + lane] = block[at + lane]
    return True


@kernel
def _load_columns(
    flat: NDArray[np.uint8],
    hands: int,
    places: int,
    start: int,
    size: int,
    block: NDArray[np.uint8],
) -> None:
    for place in range(places):
        at, to = _u64(place * hands + start), _u64(_FIRST_CARD + place) * _N
        for lane in range(_u64(size)):
            block[to + lane] = flat[at + lane]


@kernel
def _load_rows(
    flat: NDArray[np.uint8], places: int, start: int, size: int, block: NDArray[np.uint8]
) -> None:
    for place in range(places):
        at, to, step = _u64(start * places + place), _u64(_FIRST_CARD + place) * _N, _u64(places)
        for lane in range(_u64(size)):
            block[to + lane] = flat[at + step * lane]


@kernel
def _clear(block: NDArray[np.uint8]) -> None:
    for lane in range(_u64(_FIRST_CARD) * _N):
        block[lane] = _u8(0)


@kernel
def _add_cards(block: NDArray[np.uint8], place: int) -> None:
    """Add the cards at one place to all hands of a block."""
    at = _u64(_FIRST_CARD + place) * _N
    for lane in range(_N):
        card = block[at + lane]
        here = _u8(card != _PADDING)
        block[_HARD + lane] = _u8(
            block[_HARD + lane] + (value_of(card) if here != _u8(0) else _u8(0))
        )
        block[_ACES + lane] = _u8(block[_ACES + lane] + _u8(_u8(card >> _u8(2)) == _ACE_RANK))
        block[_CARDS + lane] = _u8(block[_CARDS + lane] + here)
        wrong = _u8(_u8(card >= _u8(_cards.DECK_SIZE)) | block[_ENDED + lane])
        block[_FAULT + lane] = _u8(block[_FAULT + lane] | _u8(wrong & here))
        block[_ENDED + lane] = _u8(here ^ _u8(1))


@kernel
def _all_hands(block: NDArray[np.uint8], size: int) -> bool:
    """Whether each hand has a card, and nothing is wrong with it."""
    fault = _u8(0)
    for lane in range(_u64(size)):
        fault = _u8(fault | block[_FAULT + lane] | _u8(block[_CARDS + lane] == _u8(0)))
    return bool(fault == _u8(0))


@kernel
def _settle(block: NDArray[np.uint8]) -> None:
    """Fill what is asked for, of all hands of a block."""
    for lane in range(_N):
        hard, aces = block[_HARD + lane], block[_ACES + lane]
        best = best_total(hard, aces)
        block[_TOTAL + lane] = best
        block[_SOFT + lane] = counts_eleven(hard, aces)
        block[_NATURAL + lane] = _u8(_u8(best == _BEST) & _u8(block[_CARDS + lane] == _u8(2)))
