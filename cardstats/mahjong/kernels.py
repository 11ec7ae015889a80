"""Mahjong kernels: arrays of hands in, forms, shanten numbers and useful tiles out.

The public functions check and normalise their arguments. Hands in C order are taken one by one
(`rows`), column-contiguous ones in blocks of lanes (`lanes`), where the question has an answer
there. Rules reach the kernels as scalars, so that a rule set never seen before needs no
compilation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._jit import as_integers, as_uint8, deliver, kernel, prepare_out, read_only
from cardstats._random import LANES
from cardstats.mahjong.lanes import RESULT, find_forms, find_lacking, load_block, new_block
from cardstats.mahjong.rows import code_rows, mark_rows
from cardstats.mahjong.rules import (
    CHINESE,
    COPIES,
    SIZES,
    WAITING_SIZES,
    WINNING_SIZES,
    Form,
    RuleCodes,
    Rules,
    checked_rules,
)
from cardstats.mahjong.suits import kernel_tables
from cardstats.mahjong.tiles import FIRST_HONOUR, KINDS, tile_name

_SEARCHED_AT_ONCE = 1 << 16  # hands, when a fault is searched for
_ANY_NUMBER = 14  # tiles lacking: none lacks more
_ANY_CODE = 255
_u8 = np.uint8
_u64 = np.uint64


def classify(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.uint8] | None = None
) -> Any:
    """Form of each hand: whether and how it wins.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        How many of each kind; 2, 5, 8, 11 or 14 tiles, fewer than 14 meaning open melds, with
        which only the standard form wins. Any integer dtype. C-ordered uint8 arrays, and
        column-contiguous ones of 1,024 hands or more, are read as they are; others are copied.
    rules : Rules
        Which forms win.
    out : ndarray of uint8, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of uint8, or uint8 for a single hand
        Codes of `Form`; of two forms the larger.

    Raises
    ------
    TypeError, ValueError
        If a hand has five of a kind, a number of tiles that no hand has, or honours where there
        are none; the message names row, tile and number.

    Examples
    --------
    >>> from cardstats.mahjong import Form, parse
    >>> Form(classify(parse("11223344556677m"))).label
    'seven pairs'
    """
    given = Hands(hands, WINNING_SIZES, rules)
    filled = prepare_out(out, given.shape, np.uint8, given.flat)
    _write_codes(given, True, Form.THIRTEEN_ORPHANS, filled.reshape(-1))
    return deliver(filled, out)


def is_win(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.bool_] | None = None
) -> Any:
    """Whether each hand wins.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        As for `classify`.
    rules : Rules
        Which forms win.
    out : ndarray of bool, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, or bool for a single hand

    Raises
    ------
    TypeError, ValueError
        As for `classify`.

    Examples
    --------
    >>> from cardstats.mahjong import parse
    >>> bool(is_win(parse("11222233m")))
    True
    """
    given = Hands(hands, WINNING_SIZES, rules)
    filled = prepare_out(out, given.shape, np.bool_, given.flat)
    _write_codes(given, True, Form.STANDARD, filled.reshape(-1).view(np.uint8))
    return deliver(filled, out)


def shanten(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.int8] | None = None
) -> Any:
    """Shanten number of each hand: how many tiles must be exchanged until it is ready.

    A tile of which four are held already is no way forward.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        How many of each kind; 3k+1 or 3k+2 tiles, up to 14; rows may differ. Fewer than 13 mean
        open melds, with which only the standard form counts.
    rules : Rules
        Which forms count.
    out : ndarray of int8, shape (n,), optional
        Filled and returned.

    Returns
    -------
    ndarray of int8, or int8 for a single hand
        -1 for a complete hand, 0 for a ready one.

    Raises
    ------
    TypeError, ValueError
        As for `classify`.

    Examples
    --------
    >>> from cardstats.mahjong import RIICHI, parse
    >>> int(shanten(parse("123456789m1111z"), rules=RIICHI))
    1
    """
    given = Hands(hands, SIZES, rules)
    filled = prepare_out(out, given.shape, np.int8, given.flat)
    _write_codes(given, False, _ANY_CODE, filled.reshape(-1).view(np.uint8))
    return deliver(filled, out)


def waits(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Kinds that complete each hand; none where it is not ready.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        How many of each kind; 1, 4, 7, 10 or 13 tiles. Only C-ordered uint8 arrays are read as
        they are.
    rules : Rules
        Which forms win.
    out : ndarray of bool, shape (n, 34), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, of the shape of `hands`
        A kind of which the hand holds all four is no wait.

    Raises
    ------
    TypeError, ValueError
        As for `classify`.

    Examples
    --------
    >>> from cardstats.mahjong import format, parse
    >>> format(waits(parse("1112345678999m")))
    '123456789m'
    """
    return _mark(hands, WAITING_SIZES, rules, out, adding=True, most=1)


def acceptance(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Kinds that lower the shanten number of each hand; of a ready hand, its waits.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        How many of each kind; 1, 4, 7, 10 or 13 tiles.
    rules : Rules
        Which forms count.
    out : ndarray of bool, shape (n, 34), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, of the shape of `hands`
        A kind of which the hand holds all four is not accepted.

    Raises
    ------
    TypeError, ValueError
        As for `classify`.

    Examples
    --------
    >>> from cardstats.mahjong import format, parse
    >>> format(acceptance(parse("123m4455p7899s11z")))
    '3456p1z'
    """
    return _mark(hands, WAITING_SIZES, rules, out, adding=True, most=_ANY_NUMBER)


def discards(
    hands: ArrayLike, *, rules: Rules = CHINESE, out: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Kinds that each hand can discard and be no farther from complete.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        How many of each kind; 2, 5, 8, 11 or 14 tiles.
    rules : Rules
        Which forms count.
    out : ndarray of bool, shape (n, 34), optional
        Filled and returned.

    Returns
    -------
    ndarray of bool, of the shape of `hands`
        All False for a complete hand, which every discard breaks.

    Raises
    ------
    TypeError, ValueError
        As for `classify`.

    Examples
    --------
    >>> from cardstats.mahjong import format, parse
    >>> format(discards(parse("123m456p78s112234z")))
    '34z'
    """
    return _mark(hands, WINNING_SIZES, rules, out, adding=False, most=_ANY_NUMBER)


def _write_codes(given: Hands, by_form: bool, highest: int, out: NDArray[np.uint8]) -> None:
    given.run(_code_columns if given.columns else code_rows, by_form, np.uint8(highest), out)


def _mark(
    hands: ArrayLike,
    sizes: tuple[int, ...],
    rules: Rules,
    out: NDArray[np.bool_] | None,
    *,
    adding: bool,
    most: int,
) -> NDArray[np.bool_]:
    given = Hands(hands, sizes, rules, by_rows=True)
    filled = prepare_out(out, (*given.shape, KINDS), np.bool_, given.flat)
    given.run(mark_rows, adding, most, filled.reshape(-1).view(np.uint8))
    found: NDArray[np.bool_] = deliver(filled, out)
    return found


class Hands:
    """Hands made ready for kernels: a flat read-only uint8 array, by rows or by columns."""

    def __init__(
        self, hands: ArrayLike, sizes: tuple[int, ...], rules: Rules, by_rows: bool = False
    ) -> None:
        self.sizes, self.rules = sizes, checked_rules(rules)
        self.given = as_integers(hands, "hands")
        if self.given.ndim not in (1, 2) or self.given.shape[-1] != KINDS:
            raise ValueError(
                f"hands: expected counts of the {KINDS} kinds, shape (n, {KINDS}) or ({KINDS},), "
                f"got {self.given.shape}"
            )
        self.shape = self.given.shape[:-1]
        self.count = self.given.size // KINDS
        narrow = as_uint8(self.given, COPIES, lambda _: self.refuse())
        # A block of lanes is always full: the last one overlaps the one before.
        lanes = narrow.ndim == 2 and narrow.flags.f_contiguous and self.count >= LANES
        self.columns = lanes and not by_rows
        flat = narrow.T.reshape(-1) if self.columns else np.ascontiguousarray(narrow).reshape(-1)
        self.flat = read_only(flat)

    def run(self, array_kernel: Any, *args: Any) -> None:
        """Run a kernel for the layout over all hands, or say which of them is none."""
        context = kernel_context(self.sizes, self.rules)
        if not array_kernel(self.flat, self.count, *context, *args):
            self.refuse()

    def parts(self, size: int) -> Iterator[NDArray[np.uint8]]:
        """Cut the hands into arrays of at most `size` hands, columns left as columns."""
        hands = self.flat.reshape(KINDS, -1).T if self.columns else self.flat.reshape(-1, KINDS)
        for start in range(0, self.count, size):
            yield hands[start : start + size]

    def refuse(self) -> None:
        """Raise the ValueError that names the first fault. This may take its time."""
        hands = self.given.reshape(-1, KINDS)
        for start in range(0, len(hands), _SEARCHED_AT_ONCE):
            block = hands[start : start + _SEARCHED_AT_ONCE]
            bad = ((block < 0) | (block > COPIES)).any(axis=1)
            bad |= ~np.isin(block.sum(axis=1, dtype=np.int64), self.sizes)
            if not self.rules.honours:
                bad |= (block[:, FIRST_HONOUR:] != 0).any(axis=1)
            for row in np.flatnonzero(bad)[:1]:
                raise ValueError(self._fault(block[row].tolist(), start + int(row)))
        raise AssertionError("hands: a kernel refused hands in which no fault is found")

    def _fault(self, hand: list[int], row: int) -> str:
        for kind, count in enumerate(hand):
            if not 0 <= count <= COPIES:
                return f"hands: {count} of {tile_name(kind)} at row {row} is outside 0..{COPIES}"
        for kind, count in enumerate(hand[FIRST_HONOUR:], start=FIRST_HONOUR):
            if count and not self.rules.honours:
                return (
                    f"hands: {tile_name(kind)} at row {row} is no tile of rules "
                    f"{self.rules.name!r}, which have no honours"
                )
        *some, last = map(str, self.sizes)
        return f"hands: {sum(hand)} tiles at row {row}; expected {', '.join(some)} or {last}"


def kernel_context(
    sizes: tuple[int, ...], rules: Rules
) -> tuple[np.uint64, RuleCodes, NDArray[np.uint8]]:
    """Give what every array kernel takes after the hands: allowed sizes as bits, rules, tables."""
    return np.uint64(sum(1 << size for size in sizes)), rules.codes, kernel_tables()


@kernel
def _code_columns(
    flat: NDArray[np.uint8],
    hands: int,
    sizes: np.uint64,
    rules: RuleCodes,
    table: NDArray[np.uint8],
    by_form: bool,
    highest: np.uint8,
    out: NDArray[np.uint8],
) -> bool:
    """Do what `rows.code_rows` does for hands that lie column by column, at least LANES of them.

    `sizes` is here for the like of it: the stages allow the sizes that can win, or all.
    """
    block = new_block()
    for start in range(0, hands, LANES):
        first = min(start, hands - LANES)
        load_block(flat, hands, first, block)
        if by_form:
            good, less = find_forms(block, rules, table), _u8(0)
        else:
            good, less = find_lacking(block, rules, table), _u8(1)
        if not good:
            return False
        to = _u64(first)
        for lane in range(_u64(LANES)):
            code = _u8(block[RESULT + lane] - less)
            out[to + lane] = code if code < highest else highest
    return True
