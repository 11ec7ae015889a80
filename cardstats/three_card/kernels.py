"""Three-card kernels: arrays of hands in, arrays of codes out, every card checked on the way.

The public functions check and normalise their arguments; the kernels below them go over an array
in one loop where that keeps 32 lanes, else in blocks through the stages of `lanes`. Rules reach
them as scalars, so that a rule set never seen before needs no compilation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats import cards as _cards
from cardstats._jit import as_integers, as_uint8, deliver, kernel, prepare_out, read_only
from cardstats._random import LANES
from cardstats.three_card.lanes import (
    CATEGORY,
    SCRATCH_BYTES,
    categories,
    category_of,
    decide,
    is_fault,
    provokes_235,
    raise_235,
    rank_strength,
    sort_cards,
    sort_columns,
    sort_rows,
    top_cards,
)
from cardstats.three_card.rules import (
    MAX_PLAYERS,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_POINTS,
    PointCodes,
    RuleCodes,
    Rules,
    checked_rules,
    row_labels,
)

_SEARCHED_AT_ONCE = 1 << 16  # tables, when a fault is searched for

_u8 = np.uint8
_u32 = np.uint32
_u64 = np.uint64


def all_hands() -> NDArray[np.uint8]:
    """Every three-card hand, cards ascending, in lexicographic order.

    Returns
    -------
    ndarray of uint8, shape (22100, 3)
        A new array, yours to change.

    Examples
    --------
    >>> all_hands().shape, all_hands()[-1].tolist()
    ((22100, 3), [49, 50, 51])
    """
    low, middle, high = np.ogrid[: _cards.DECK_SIZE, : _cards.DECK_SIZE, : _cards.DECK_SIZE]
    return np.argwhere((low < middle) & (middle < high)).astype(np.uint8)


def classify(
    hands: ArrayLike, *, rules: Rules = ZHA_JIN_HUA, out: NDArray[np.uint8] | None = None
) -> Any:
    """Category of each hand.

    Parameters
    ----------
    hands : array_like of int, shape (n, 3), (n, players, 3) or (3,)
        Card codes 0…51, in any order within a hand, any integer dtype. C-ordered and
        column-contiguous uint8 arrays are read as they are; others are copied first. Three
        dimensions are tables: no card may lie twice at one.
    rules : Rules
        Only `Rules.a23` matters here.
    out : ndarray of uint8, optional
        Filled and returned; its shape is that of `hands` without the last axis.

    Returns
    -------
    ndarray of uint8, or uint8 for a single hand
        Codes of `Category`.

    Raises
    ------
    TypeError, ValueError
        If `hands` is not made of three different cards each; the message names row and card.

    Examples
    --------
    >>> from cardstats.three_card import Category, parse
    >>> Category(classify(parse("♠A ♥A ♦A"))).label
    'three of a kind'
    >>> classify([[0, 4, 8], [51, 50, 3]]).tolist()
    [4, 1]
    """
    hands_in = Hands(hands)
    filled = prepare_out(out, hands_in.shape, np.uint8, hands_in.flat)
    hands_in.run(_classify, checked_rules(rules).codes, filled.reshape(-1))
    return deliver(filled, out)


def strength(
    hands: ArrayLike, *, rules: Rules = ZHA_JIN_HUA, out: NDArray[Any] | None = None
) -> Any:
    """Weigh each hand by one number: the larger wins, equal ones tie.

    Parameters
    ----------
    hands : array_like of int, shape (n, 3), (n, players, 3) or (3,)
        As for `classify`.
    rules : Rules
        What decides: ranks, then suits where they count, or points.
    out : ndarray, optional
        Filled and returned; of the dtype below.

    Returns
    -------
    ndarray or scalar
        uint16; uint32 where suits rank or points decide. Numbers of different rules do not compare.

    Raises
    ------
    ValueError
        If `rules` have a special 2-3-5, which leaves no total order (2-3-5 beats three aces,
        which beat a pair, which beats 2-3-5): `winners` settles such tables.
    TypeError, ValueError
        If `hands` is not made of three different cards each.

    Examples
    --------
    >>> from cardstats.three_card import parse
    >>> bool(strength(parse("A♠3♥2♦")) > strength(parse("K♠Q♣J♥")))
    True
    """
    if not checked_rules(rules).transitive:
        raise ValueError(
            f"rules: {rules.name!r} has special_235={rules.special_235!r}, which leaves no total "
            "order of hands; use winners"
        )
    hands_in = Hands(hands)
    wide = rules.suit_tiebreak is not None or rules.points is not None
    filled = prepare_out(out, hands_in.shape, np.uint32 if wide else np.uint16, hands_in.flat)
    if wide:
        hands_in.run(_decide, rules.codes, rules.multipliers, filled.reshape(-1))
    else:
        hands_in.run(_strength_by_rank, rules.codes, filled.reshape(-1).view(np.uint8))
    return deliver(filled, out)


def points(
    hands: ArrayLike, *, rules: Rules = ZHA_JIN_HUA_POINTS, out: NDArray[np.uint32] | None = None
) -> Any:
    """Points of each hand: the sum of its ranks (ace 14) times its category's multiplier.

    A pair's multiplier applies to its two equal cards only; the third adds its rank.

    Parameters
    ----------
    hands : array_like of int, shape (n, 3), (n, players, 3) or (3,)
        As for `classify`.
    rules : Rules
        Rules with `points`.
    out : ndarray of uint32, optional
        Filled and returned.

    Returns
    -------
    ndarray of uint32, or uint32 for a single hand

    Raises
    ------
    ValueError
        If `rules` have no points.
    TypeError, ValueError
        If `hands` is not made of three different cards each.

    Examples
    --------
    >>> from cardstats.three_card import parse
    >>> int(points(parse("Q♦5♠K♠"))), int(points(parse("2♠2♦10♥")))
    (30, 18)
    """
    if checked_rules(rules).points is None:
        raise ValueError(f"rules: {rules.name!r} has no points")
    return strength(hands, rules=rules, out=out)


def winners(hands: ArrayLike, *, rules: Rules = ZHA_JIN_HUA) -> NDArray[np.bool_]:
    """Who wins each table: all who share the best hand, whatever the seats.

    Parameters
    ----------
    hands : array_like of int, shape (n, players, 3) or (players, 3)
        Card codes; no card may lie twice at a table.
    rules : Rules
        Any, also those with a special 2-3-5, where who wins depends on the whole table.

    Returns
    -------
    ndarray of bool, shape (n, players) or (players,)

    Raises
    ------
    TypeError, ValueError
        If a table is no deal of one deck; the message names row, seat and card.

    Examples
    --------
    >>> from cardstats.three_card import ZHA_JIN_HUA_235, parse
    >>> table = [parse("2♠3♥5♦"), parse("A♠A♥A♦"), parse("K♠K♥9♣")]
    >>> winners(table, rules=ZHA_JIN_HUA_235).tolist()
    [True, False, False]
    """
    rules = checked_rules(rules)
    array = as_integers(hands, "hands")
    if array.ndim not in (2, 3) or array.shape[-1] != 3:
        raise ValueError(
            f"hands: expected shape (n, players, 3) or (players, 3), got {array.shape}"
        )
    tables = Hands(array if array.ndim == 3 else array[np.newaxis])
    n, players = tables.shape
    won = np.empty((n, players), np.bool_)
    if not _winners(tables.flat, n, players, rules.codes, rules.multipliers, won):
        tables.refuse()
    return won if array.ndim == 3 else won[0]


def tally_block(
    flat: NDArray[np.uint8], columns: bool, rules: RuleCodes, by_top_card: bool
) -> NDArray[np.int64] | None:
    """Count the classes of some hands; None if one of them is no hand."""
    totals = np.zeros(len(row_labels("top_card" if by_top_card else "category")[0]), np.int64)
    good = _tally(read_only(flat), columns, flat.size // 3, rules, by_top_card, totals)
    return totals if good else None


class Hands:
    """Hands made ready for kernels: a flat read-only uint8 array, by rows or by columns."""

    def __init__(self, hands: ArrayLike) -> None:
        self.given = as_integers(hands, "hands")
        if self.given.ndim not in (1, 2, 3) or self.given.shape[-1] != 3:
            raise ValueError(
                f"hands: expected shape (n, 3), (n, players, 3) or (3,), got {self.given.shape}"
            )
        if self.given.ndim == 3 and not 1 <= self.given.shape[1] <= MAX_PLAYERS:
            raise ValueError(
                f"hands: {self.given.shape[1]} players at a table is outside 1..{MAX_PLAYERS}"
            )
        self.shape = self.given.shape[:-1]
        self.count = self.given.size // 3
        narrow = as_uint8(self.given, _cards.DECK_SIZE - 1, lambda _: self.refuse())
        self.columns = narrow.ndim == 2 and narrow.flags.f_contiguous and self.count > 1
        flat = narrow.T.reshape(-1) if self.columns else np.ascontiguousarray(narrow).reshape(-1)
        self.flat = read_only(flat)
        if self.given.ndim == 3:
            self._check_tables()

    def run(self, block_kernel: Any, *args: Any) -> None:
        """Run a kernel over all hands, or say which of them is none."""
        if not block_kernel(self.flat, self.columns, self.count, *args):
            self.refuse()

    def parts(self, size: int) -> Iterator[NDArray[np.uint8]]:
        """Cut the hands into flat arrays of at most `size`, laid out as all of them are."""
        for start in range(0, self.count, size):
            if self.columns:
                yield self.flat.reshape(3, -1)[:, start : start + size].reshape(-1)
            else:
                yield self.flat[3 * start : 3 * (start + size)]

    def _check_tables(self) -> None:
        if self.flat.size and self.flat.max() >= _cards.DECK_SIZE:
            self.refuse()
        n, players, _ = self.given.shape
        if not _tables_hold_each_card_once(self.flat, n, 3 * players):
            self.refuse()

    def refuse(self) -> None:
        """Raise the ValueError that names the first fault. This may take its time."""
        seats = 1 if self.given.ndim < 3 else self.given.shape[1]
        tables = self.given.reshape(-1, 3 * seats)
        for start in range(0, len(tables), _SEARCHED_AT_ONCE):
            block = tables[start : start + _SEARCHED_AT_ONCE]
            outside = ((block < 0) | (block >= _cards.DECK_SIZE)).any(axis=1)
            ordered = np.sort(block, axis=1)
            twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
            for row in np.flatnonzero(outside | twice)[:1]:
                raise ValueError(_fault(block[row].tolist(), start + int(row), seats))
        raise AssertionError("hands: a kernel refused hands in which no fault is found")


def _fault(cards: list[int], row: int, seats: int) -> str:
    def seat(place: int) -> str:
        return f", seat {place // 3}" if seats > 1 else ""

    for place, card in enumerate(cards):
        if not 0 <= card < _cards.DECK_SIZE:
            return f"hands: card {card} at row {row}{seat(place)} is outside 0..51"
    for place, card in enumerate(cards):
        if card in cards[:place]:
            name = _cards.format([card])
            first = cards.index(card)
            also = f" and{seat(place)[1:]}" if first // 3 != place // 3 else ""
            return f"hands: card {card} ({name}) comes twice at row {row}{seat(first)}{also}"
    raise AssertionError("unreachable: called for a table with a fault")


# --- Kernels over whole arrays ----------------------------------------------------------------
# Each returns False if it met something that is no hand; `Hands.refuse` then searches for it.


@kernel
def sort_block(
    flat: NDArray[np.uint8],
    columns: bool,
    hands: int,
    start: int,
    size: int,
    scratch: NDArray[np.uint8],
) -> np.bool_:
    """Sort the cards of a block of hands; True if one of them is no hand."""
    if columns:
        return sort_columns(flat, hands, start, size, scratch)
    return sort_rows(flat, start, size, scratch)


@kernel
def _classify(
    flat: NDArray[np.uint8], columns: bool, hands: int, rules: RuleCodes, out: NDArray[np.uint8]
) -> bool:
    if columns:
        return _classify_columns(flat, hands, rules.a23, out)
    return _classify_rows(flat, hands, rules.a23, out)


@kernel
def _classify_rows(
    flat: NDArray[np.uint8], hands: int, a23: np.uint8, out: NDArray[np.uint8]
) -> bool:
    # One loop without a stop in scratch, which would cost a third of the time again.
    fault = _u8(0)
    for hand in range(_u64(hands)):
        at = _u64(_u64(3) * hand)
        low, middle, high = sort_cards(flat[at], flat[at + _u64(1)], flat[at + _u64(2)])
        out[hand] = category_of(low, middle, high, a23)
        fault = _u8(fault | is_fault(low, middle, high))
    return bool(fault == _u8(0))


@kernel
def _classify_columns(
    flat: NDArray[np.uint8], hands: int, a23: np.uint8, out: NDArray[np.uint8]
) -> bool:
    fault, n = _u8(0), _u64(hands)
    for hand in range(n):
        low, middle, high = sort_cards(flat[hand], flat[n + hand], flat[n + n + hand])
        out[hand] = category_of(low, middle, high, a23)
        fault = _u8(fault | is_fault(low, middle, high))
    return bool(fault == _u8(0))


@kernel
def _strength_by_rank(
    flat: NDArray[np.uint8], columns: bool, hands: int, rules: RuleCodes, out: NDArray[np.uint8]
) -> bool:
    """Write uint16 strengths as their bytes, lower first: as one number they would be 16 lanes."""
    fault, n, two = _u8(0), _u64(hands), _u64(2)
    if columns:
        for hand in range(n):
            low, middle, high = sort_cards(flat[hand], flat[n + hand], flat[n + n + hand])
            upper, lower = rank_strength(low, middle, high, rules)
            out[two * hand] = lower
            out[two * hand + _u64(1)] = upper
            fault = _u8(fault | is_fault(low, middle, high))
        return bool(fault == _u8(0))
    for hand in range(n):
        at = _u64(_u64(3) * hand)
        low, middle, high = sort_cards(flat[at], flat[at + _u64(1)], flat[at + _u64(2)])
        upper, lower = rank_strength(low, middle, high, rules)
        out[two * hand] = lower
        out[two * hand + _u64(1)] = upper
        fault = _u8(fault | is_fault(low, middle, high))
    return bool(fault == _u8(0))


@kernel
def _decide(
    flat: NDArray[np.uint8],
    columns: bool,
    hands: int,
    rules: RuleCodes,
    points: PointCodes,
    out: NDArray[np.uint32],
) -> bool:
    scratch = np.empty(SCRATCH_BYTES, np.uint8)
    for start in range(0, hands, LANES):
        size = min(LANES, hands - start)
        if sort_block(flat, columns, hands, start, size, scratch):
            return False
        decide(scratch, size, rules, points, out, start)
    return True


@kernel
def _winners(
    flat: NDArray[np.uint8],
    tables: int,
    players: int,
    rules: RuleCodes,
    points: PointCodes,
    out: NDArray[np.bool_],
) -> bool:
    scratch = np.empty(SCRATCH_BYTES, np.uint8)
    strength = np.empty(LANES, np.uint32)
    tables_a_block = LANES // players
    for start in range(0, tables, tables_a_block):
        stop = min(start + tables_a_block, tables)
        size = (stop - start) * players
        if sort_rows(flat, start * players, size, scratch):
            return False
        decide(scratch, size, rules, points, strength, 0)
        for table in range(start, stop):
            _settle_table(strength, (table - start) * players, players, rules, out, table)
    return True


@kernel
def _settle_table(
    strength: NDArray[np.uint32],
    first: int,
    players: int,
    rules: RuleCodes,
    out: NDArray[np.bool_],
    table: int,
) -> None:
    # Indices into whole arrays: slices, which count references, made this ten times slower.
    provoked, best = _u8(0), _u32(0)
    if rules.special_235 != _u8(0):
        for seat in range(players):
            provoked = _u8(provoked | provokes_235(strength[first + seat], rules))
    for seat in range(players):
        if provoked != _u8(0):
            strength[first + seat] = raise_235(strength[first + seat], rules)
        best = max(best, strength[first + seat])
    for seat in range(players):
        out[table, seat] = strength[first + seat] == best


@kernel
def _tables_hold_each_card_once(flat: NDArray[np.uint8], tables: int, cards: int) -> bool:
    """Whether no table holds a card twice; the cards themselves are in 0…51."""
    for table in range(tables):
        seen, twice = _u64(0), _u64(0)
        for card in range(cards):
            bit = _u64(1) << _u64(flat[table * cards + card])
            twice |= seen & bit
            seen |= bit
        if twice != _u64(0):
            return False
    return True


@kernel
def _tally(
    flat: NDArray[np.uint8],
    columns: bool,
    hands: int,
    rules: RuleCodes,
    by_top_card: bool,
    totals: NDArray[np.int64],
) -> bool:
    scratch = np.empty(SCRATCH_BYTES, np.uint8)
    for start in range(0, hands, LANES):
        size = min(LANES, hands - start)
        if sort_block(flat, columns, hands, start, size, scratch):
            return False
        categories(scratch, size, rules.a23)
        if by_top_card:
            top_cards(scratch, size)
        for row in range(totals.size):
            count, code = _u32(0), _u8(row)
            for lane in range(_u64(size)):
                count = _u32(count + _u32(scratch[CATEGORY + lane] == code))
            totals[row] += np.int64(count)
    return True
