"""Kernels that deal three cards to up to 17 players, in lanes of games, and count what they see.

A game's cards come from its own draws, so a lane never waits for another. Card j is drawn from
the 52 - j that are left (`_lanes.draw`). A draw counts the cards that are left, so it is lifted
past each earlier draw, last to first: no deck, no sorting.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel
from cardstats._lanes import (
    DROPPED,
    aligned_bytes,
    close_round,
    count_classes,
    draw,
    flush_counters,
)
from cardstats._random import LANES, WORD_LANES, fill_words
from cardstats.three_card.lanes import (
    CATEGORY,
    HIGH,
    LOW,
    MIDDLE,
    SCRATCH_BYTES,
    category_of,
    decide,
    provokes_235,
    raise_235,
    sort_cards,
    top_cards,
)
from cardstats.three_card.rules import PointCodes, RuleCodes

_i8 = np.int8
_u8 = np.uint8
_u16 = np.uint16
_u32 = np.uint32
_u64 = np.uint64
_N = np.uint64(LANES)
_MOST = np.uint16(63)  # a bound on cards that is one less than a power of two


@kernel
def _draw_hand(
    halves: NDArray[np.uint16],
    multipliers: NDArray[np.uint16],
    hand: int,
    draws: NDArray[np.uint8],
    dropped: NDArray[np.uint8],
) -> None:
    """Turn three rows of 16-bit numbers into the draws of one seat; mark games to drop."""
    first = _u64(3 * hand) * _N
    second, third = first + _N, first + _N + _N
    bound_1 = _u16(65536 % (52 - 3 * hand))
    bound_2 = _u16(65536 % (51 - 3 * hand))
    bound_3 = _u16(65536 % (50 - 3 * hand))
    for lane in range(_N):
        draw_1, biased_1 = draw(halves[lane], multipliers[first + lane], bound_1, _MOST)
        draw_2, biased_2 = draw(halves[_N + lane], multipliers[second + lane], bound_2, _MOST)
        draw_3, biased_3 = draw(halves[_N + _N + lane], multipliers[third + lane], bound_3, _MOST)
        draws[first + lane] = _u8(draw_1)
        draws[second + lane] = _u8(draw_2)
        draws[third + lane] = _u8(draw_3)
        biased = _u8(_u8(biased_1 | biased_2) | biased_3)
        dropped[lane] = _u8(dropped[lane] | _u8(biased << _u8(7)))


@kernel
def lift_hand(draws: NDArray[np.uint8], hand: int, cards: NDArray[np.uint8]) -> None:
    """Turn the draws of seat `hand` into its cards, as dealt: the rows LOW, MIDDLE and HIGH."""
    first = _u64(3 * hand) * _N
    second, third = first + _N, first + _N + _N
    for lane in range(_N):
        a, b, c = draws[first + lane], draws[second + lane], draws[third + lane]
        c = _u8(c + _u8(_i8(c) >= _i8(b)))
        cards[LOW + lane] = a
        cards[MIDDLE + lane] = _u8(b + _u8(_i8(b) >= _i8(a)))
        cards[HIGH + lane] = _u8(c + _u8(_i8(c) >= _i8(a)))
    for earlier in range(hand - 1, -1, -1):
        _lift_past(draws, earlier, cards)


@kernel
def _lift_past(draws: NDArray[np.uint8], earlier: int, cards: NDArray[np.uint8]) -> None:
    first = _u64(3 * earlier) * _N
    second, third = first + _N, first + _N + _N
    for lane in range(_N):
        x, y, z = draws[first + lane], draws[second + lane], draws[third + lane]
        cards[LOW + lane] = _lift(cards[LOW + lane], x, y, z)
        cards[MIDDLE + lane] = _lift(cards[MIDDLE + lane], x, y, z)
        cards[HIGH + lane] = _lift(cards[HIGH + lane], x, y, z)


@kernel
def _lift(card: np.uint8, x: np.uint8, y: np.uint8, z: np.uint8) -> np.uint8:
    # Cards are below 128, and AVX2 compares signed bytes in one instruction.
    card = _u8(card + _u8(_i8(card) >= _i8(z)))
    card = _u8(card + _u8(_i8(card) >= _i8(y)))
    return _u8(card + _u8(_i8(card) >= _i8(x)))


@kernel
def _deal_round(
    state: NDArray[np.uint32],
    words: NDArray[np.uint32],
    halves: NDArray[np.uint16],
    multipliers: NDArray[np.uint16],
    first_hand: int,
    players: int,
    left: int | np.int64,
    draws: NDArray[np.uint8],
    dropped: NDArray[np.uint8],
) -> np.int64:
    """Draw for the seats from `first_hand` on in every lane; return how many games are kept."""
    dropped[:] = _u8(0)
    for hand in range(first_hand, players):
        fill_words(state, words)
        _draw_hand(halves, multipliers, hand, draws, dropped)
    return close_round(dropped, left)


@kernel
def _workspace(
    state: NDArray[np.uint32], multipliers: NDArray[np.uint16], players: int, rows: int
) -> tuple[Any, ...]:
    """Lay out what a round reads and writes, and `rows` more rows of LANES bytes, all 0."""
    cards = 3 * players
    sizes = (4 * state.size, 12 * WORD_LANES, 2 * cards * LANES, cards * LANES, LANES)
    buffer = aligned_bytes(sum(sizes) + SCRATCH_BYTES + rows * LANES)
    at = 0
    own_state = buffer[at : at + sizes[0]].view(np.uint32)
    own_state[:] = state
    at += sizes[0]
    words = buffer[at : at + sizes[1]].view(np.uint32)
    at += sizes[1]
    own_multipliers = buffer[at : at + sizes[2]].view(np.uint16)
    own_multipliers[:] = multipliers[: cards * LANES]
    at += sizes[2]
    draws = buffer[at : at + sizes[3]]
    at += sizes[3]
    dropped = buffer[at : at + sizes[4]]
    at += sizes[4]
    scratch = buffer[at : at + SCRATCH_BYTES]
    at += SCRATCH_BYTES
    more = buffer[at : at + rows * LANES]
    halves = words.view(np.uint16)
    return own_state, words, halves, own_multipliers, draws, dropped, scratch, more


# --- Counting classes -----------------------------------------------------------------------


@kernel
def tally_games(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    games: int,
    players: int,
    rules: RuleCodes,
    by_top_card: bool,
    totals: NDArray[np.int64],
) -> None:
    """Deal `games` games and add the class of every hand to `totals`."""
    state, words, halves, multipliers, draws, dropped, scratch, counters = _workspace(
        state, multipliers, players, totals.size
    )
    rounds, left = 0, np.int64(games)
    while left > 0:
        left -= _deal_round(state, words, halves, multipliers, 0, players, left, draws, dropped)
        for hand in range(players):
            _classify_seat(draws, hand, rules, by_top_card, dropped, scratch)
            count_classes(scratch, CATEGORY, totals.size, counters)
        rounds += 1
        if rounds == 255 // players:  # a lane's counter holds a byte
            flush_counters(counters, totals)
            rounds = 0
    flush_counters(counters, totals)


@kernel
def _classify_seat(
    draws: NDArray[np.uint8],
    hand: int,
    rules: RuleCodes,
    by_top_card: bool,
    dropped: NDArray[np.uint8],
    scratch: NDArray[np.uint8],
) -> None:
    """Fill the sorted cards of a seat and its classes, which in dropped games are no class."""
    lift_hand(draws, hand, scratch)
    _classify_lanes(scratch, rules.a23, dropped)
    if by_top_card:
        top_cards(scratch, LANES)


@kernel
def _classify_lanes(scratch: NDArray[np.uint8], a23: np.uint8, dropped: NDArray[np.uint8]) -> None:
    for lane in range(_N):
        low, middle, high = sort_cards(
            scratch[LOW + lane], scratch[MIDDLE + lane], scratch[HIGH + lane]
        )
        scratch[LOW + lane] = low
        scratch[MIDDLE + lane] = middle
        scratch[HIGH + lane] = high
        scratch[CATEGORY + lane] = _u8(category_of(low, middle, high, a23) | dropped[lane])


# --- Showdowns ------------------------------------------------------------------------------


@kernel
def showdown_games(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    games: int,
    players: int,
    rules: RuleCodes,
    points: PointCodes,
    by_top_card: bool,
    hero_draws: NDArray[np.uint8],
    places: NDArray[np.uint8],
    totals: NDArray[np.int64],
) -> None:
    """Deal `games` games and add to `totals` what the hand of seat 0, the hero's, was worth.

    Parameters
    ----------
    hero_draws : ndarray of uint8, shape (0,) or (3,)
        The draws that give the hero's hand, where it is given.
    places : ndarray of uint8, shape (classes,)
        Where each class stands, for hands of different classes that tie (by points).
    totals : ndarray of int64, shape (players + 2, classes)
        Row 0: the hero's hands, by class. Row k: those that share the best place among k. The
        last row: the best hands at the table.
    """
    state, words, halves, multipliers, draws, dropped, scratch, more = _workspace(
        state, multipliers, players, 16 + 5 * players + 3 * places.size
    )
    strength = more[: 4 * players * LANES].view(np.uint32)
    classes = more[4 * players * LANES : 5 * players * LANES]
    running = more[5 * players * LANES : (5 * players + 12) * LANES].view(np.uint32)
    rows = more[(5 * players + 12) * LANES :].reshape(-1, LANES)
    sharing, won, best, provoked = rows[0], rows[1], rows[2], rows[3]
    counters = rows[4:].reshape(3, places.size * LANES)
    given = hero_draws.size // 3
    for card in range(hero_draws.size):
        draws[card * LANES : (card + 1) * LANES] = hero_draws[card]
    rounds, left = 0, np.int64(games)
    while left > 0:
        left -= _deal_round(state, words, halves, multipliers, given, players, left, draws, dropped)
        for hand in range(players):
            _classify_seat(draws, hand, rules, by_top_card, dropped, scratch)
            _copy_classes(scratch, classes, hand)
            decide(scratch, LANES, rules, points, strength, hand * LANES)
        if rules.special_235 != _u8(0):
            _raise_provoked_235(strength, players, rules, provoked)
        _find_best(strength, classes, players, running, sharing, won, best)
        _settle_ties(strength, classes, players, dropped, sharing, places, best, totals)
        count_classes(classes, 0, places.size, counters[0])
        count_classes(won, 0, places.size, counters[1])
        count_classes(best, 0, places.size, counters[2])
        rounds += 1
        if rounds == 255:  # a lane's counter holds a byte
            _flush_showdown(counters, totals)
            rounds = 0
    _flush_showdown(counters, totals)


@kernel
def _copy_classes(scratch: NDArray[np.uint8], classes: NDArray[np.uint8], hand: int) -> None:
    target = _u64(hand) * _N
    for lane in range(_N):
        classes[target + lane] = scratch[CATEGORY + lane]


@kernel
def _raise_provoked_235(
    strength: NDArray[np.uint32], players: int, rules: RuleCodes, provoked: NDArray[np.uint8]
) -> None:
    provoked[:] = _u8(0)
    for hand in range(players):
        start = _u64(hand) * _N
        for lane in range(_N):
            here = provokes_235(strength[start + lane], rules)
            provoked[lane] = _u8(provoked[lane] | here)
    for hand in range(players):
        start = _u64(hand) * _N
        for lane in range(_N):
            if provoked[lane] != _u8(0):
                strength[start + lane] = raise_235(strength[start + lane], rules)


@kernel
def _find_best(
    strength: NDArray[np.uint32],
    classes: NDArray[np.uint8],
    players: int,
    running: NDArray[np.uint32],
    sharing: NDArray[np.uint8],
    won: NDArray[np.uint8],
    best: NDArray[np.uint8],
) -> None:
    """Per lane: how many share the best place, the hero's class if it won alone, the best class.

    `running` is three rows of 32 bits, for all that is compared with strengths: one width a loop,
    because bytes and words together took twice the time.
    """
    for lane in range(_N):
        running[lane] = strength[lane]
        running[_N + lane] = _u32(1)
        running[_N + _N + lane] = _u32(classes[lane])
    for hand in range(1, players):
        start = _u64(hand) * _N
        for lane in range(_N):
            here, highest = strength[start + lane], running[lane]
            shared, best_class = running[_N + lane], running[_N + _N + lane]
            also = _u32(shared + _u32(here == highest))
            running[lane] = here if here > highest else highest
            running[_N + lane] = _u32(1) if here > highest else also
            seat_class = _u32(classes[start + lane])
            running[_N + _N + lane] = seat_class if here > highest else best_class
    for lane in range(_N):
        alone = _u32(_u32(strength[lane] == running[lane]) & _u32(running[_N + lane] == _u32(1)))
        running[lane] = _u32(classes[lane]) if alone != _u32(0) else _u32(DROPPED)
    _narrow(running, 0, won)
    _narrow(running, 1, sharing)
    _narrow(running, 2, best)


@kernel
def _narrow(running: NDArray[np.uint32], row: int, out: NDArray[np.uint8]) -> None:
    start = _u64(row) * _N
    for lane in range(_N):
        out[lane] = _u8(running[start + lane])


@kernel
def _settle_ties(
    strength: NDArray[np.uint32],
    classes: NDArray[np.uint8],
    players: int,
    dropped: NDArray[np.uint8],
    sharing: NDArray[np.uint8],
    places: NDArray[np.uint8],
    best: NDArray[np.uint8],
    totals: NDArray[np.int64],
) -> None:
    """Finish the shared places one by one: they are rare."""
    for lane in range(LANES):
        if sharing[lane] < _u8(2) or dropped[lane] != _u8(0):
            continue
        highest = _u32(0)
        for hand in range(players):
            highest = max(highest, strength[hand * LANES + lane])
        for hand in range(players):
            seat_class = classes[hand * LANES + lane]
            if strength[hand * LANES + lane] == highest:
                if places[seat_class] > places[best[lane]]:
                    best[lane] = seat_class
                if hand == 0:
                    totals[sharing[lane], seat_class] += 1


@kernel
def _flush_showdown(counters: NDArray[np.uint8], totals: NDArray[np.int64]) -> None:
    flush_counters(counters[0], totals[0])
    flush_counters(counters[1], totals[1])
    flush_counters(counters[2], totals[totals.shape[0] - 1])


# --- Hands to keep ----------------------------------------------------------------------------


@kernel
def deal_games(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    players: int,
    out: NDArray[np.uint8],
) -> None:
    """Deal into `out`, shape (games, players, 3), the same games that the others count."""
    state, words, halves, multipliers, draws, dropped, scratch, _ = _workspace(
        state, multipliers, players, 0
    )
    done = np.int64(0)
    while done < out.shape[0]:
        kept = _deal_round(
            state, words, halves, multipliers, 0, players, out.shape[0] - done, draws, dropped
        )
        for hand in range(players):
            lift_hand(draws, hand, scratch)
            game = done
            for lane in range(LANES):
                if dropped[lane] == _u8(0):
                    for card in range(3):
                        out[game, hand, card] = scratch[card * LANES + lane]
                    game += 1
        done += kept
