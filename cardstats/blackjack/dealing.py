"""Kernels that play blackjack, in lanes of games, and count how the games end.

A game's cards are drawn in the order in which they are dealt: player, dealer, player, dealer, then
those that the player and after him the dealer take. The first nine are dealt to all lanes at once;
a table of plays is followed in lanes too, and the few games that need more cards are then played
again from their fifth card, one by one. Policies over compositions are played so throughout.

Cards are drawn as in other games (`_lanes`): without bias, each lifted past the earlier ones. The
numbers of one deck are bytes, those of several are 16 bits wide; the kernels take either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
from cardstats.blackjack.rules import BEST, DEALER_STANDS, Result

IN_LANES = 9  # cards of each game that are dealt to all lanes: more than 98 games of 100 need
MOST_CARDS = 48  # no game takes more: 21 aces and a dealer's hand
SEEN = 11  # up-cards of a table of plays: none, then 1 to 10

_u8 = np.uint8
_u16 = np.uint16
_u32 = np.uint32
_u64 = np.uint64
_N = np.uint64(LANES)

# Rows of a block of games, each LANES bytes wide: values of the cards, then what is known.
_OWN, _HIS, _STAGE, _HITS, _NATURALS, RESULT = (
    np.uint64((IN_LANES + row) * LANES) for row in range(6)
)
BLOCK_BYTES = (IN_LANES + 6) * LANES

_PLAYER, _DEALER, _OVER = _u8(0), _u8(1), _u8(2)  # stages: who takes the next card
_ALL_OVER = np.uint64(0x0202020202020202)  # the stages of eight games
_NATURAL, _WIN, _DRAW, _LOSE = (_u8(result) for result in Result)


class GameCodes(NamedTuple):
    """What is dealt from, and the rules, as small integers."""

    deck: np.int64  # cards; 13 where the deck is endless
    endless: np.uint8
    of_rank: np.uint16  # 2^16 over the cards of a rank, rounded up
    shift: np.uint8  # its logarithm to base 2, 0 where a rank has one card; NO_SHIFT if not whole
    hit_soft_17: np.uint8
    natural_beats_21: np.uint8


NO_SHIFT = 255


class Plays(NamedTuple):
    """A policy, as what kernels of lanes can follow and as a play for each composition.

    Compositions are numbered as in `decks.compositions`; the number after the last is a bust.
    """

    threshold: np.uint8  # draw below this total, whatever else; 0 where that is not the policy
    masks: NDArray[np.uint32]  # bit t: draw to a total of t; by soft, then by up-card; or empty
    seen: np.int64  # cards of the dealer that the policy looks at
    hits: NDArray[np.uint8]  # 1 to draw; by composition, then by what is seen of the dealer
    after: NDArray[np.uint16]  # composition with one more card, by composition and value less 1
    about: NDArray[np.uint8]  # of each composition its best total, and SOFT where an ace counts 11


SOFT = 128


@kernel
def count_games(
    state: NDArray[np.uint32],
    multipliers: NDArray[np.uint16],
    like: NDArray[Any],
    games: int,
    codes: GameCodes,
    plays: Plays,
    totals: NDArray[np.int64],
) -> None:
    """Play `games` games and add the `Result` of each to `totals`.

    Parameters
    ----------
    multipliers : ndarray of uint16
        Row j holds the cards that are left for card j in every lane, the last row
        `GameCodes.of_rank`: as scalars they would be multiplied as 32 bits, many times slower.
    like : ndarray of uint8 or uint16, shape (0,)
        Of the type that holds the deck's numbers.
    """
    state, words, halves, draws, cards, dropped, block, masks, counters = _workspace(state, like)
    hands, waiting = np.empty(4 * LANES, np.uint16), np.empty(LANES, np.int64)
    in_lanes = plays.threshold != _u8(0) or plays.masks.size > 0
    rounds, left = 0, np.int64(games)
    while left > 0:
        dropped[:] = _u8(0)
        for card in range(IN_LANES):
            if card % 3 == 0:
                fill_words(state, words)
            _deal_row(halves, card, multipliers, codes, draws, cards, dropped, block)
        if in_lanes:
            _play_in_lanes(block, masks, codes, plays)
        else:
            for lane in range(_N):
                block[_STAGE + lane] = _PLAYER
        _finish(state, words, halves, draws, block, codes, plays, hands, waiting, dropped)
        left -= close_round(dropped, left)
        for lane in range(_N):
            block[RESULT + lane] = _u8(block[RESULT + lane] | dropped[lane])
        count_classes(block, RESULT, totals.size, counters)
        rounds += 1
        if rounds == 255:  # a lane's counter holds a byte
            flush_counters(counters, totals)
            rounds = 0
    flush_counters(counters, totals)


@kernel
def _workspace(state: NDArray[np.uint32], like: NDArray[Any]) -> tuple[Any, ...]:
    """Lay out what a round reads and writes."""
    row = LANES * like.itemsize
    numbers = (MOST_CARDS * row, IN_LANES * row)
    sizes = (4 * state.size, 12 * WORD_LANES, *numbers, LANES, BLOCK_BYTES, 8 * LANES)
    buffer = aligned_bytes(sum(sizes) + 6 * LANES)
    own_state = buffer[: sizes[0]].view(np.uint32)
    own_state[:] = state
    at = sizes[0]
    words = buffer[at : at + sizes[1]].view(np.uint32)
    at += sizes[1]
    draws = buffer[at : at + sizes[2]].view(like.dtype)
    at += sizes[2]
    cards = buffer[at : at + sizes[3]].view(like.dtype)
    at += sizes[3]
    dropped = buffer[at : at + sizes[4]]
    at += sizes[4]
    block = buffer[at : at + sizes[5]]
    at += sizes[5]
    masks = buffer[at : at + sizes[6]].view(np.uint32)
    counters = buffer[at + sizes[6] :]
    return own_state, words, words.view(np.uint16), draws, cards, dropped, block, masks, counters


# --- Cards --------------------------------------------------------------------------------------


@kernel
def _deal_row(
    halves: NDArray[np.uint16],
    card: int,
    multipliers: NDArray[np.uint16],
    codes: GameCodes,
    draws: NDArray[Any],
    cards: NDArray[Any],
    dropped: NDArray[np.uint8],
    block: NDArray[np.uint8],
) -> None:
    """Deal one card to every lane, and write its value to the block."""
    left = codes.deck if codes.endless != _u8(0) else codes.deck - card
    draw_row(halves, card % 3, multipliers, card, _u16(65536 % left), draws, dropped)
    if codes.endless != _u8(0):
        _values_by_shift(draws, card, _u8(0), block)
        return
    lift_row(draws, card, cards)
    if codes.shift != _u8(NO_SHIFT):
        _values_by_shift(cards, card, codes.shift, block)
    else:
        _values_by_multiplier(cards, card, multipliers, block)


# Cards of equal rank have neighbouring numbers: their number over that of a rank is the rank.


@kernel
def _values_by_shift(
    cards: NDArray[Any], card: int, shift: np.uint8, block: NDArray[np.uint8]
) -> None:
    of, to = cards.dtype.type, _u64(card) * _N
    for lane in range(_N):
        rank = _u8(of(cards[to + lane] >> of(shift)))
        block[to + lane] = _u8((rank if rank < _u8(9) else _u8(9)) + _u8(1))


@kernel
def _values_by_multiplier(
    cards: NDArray[Any], card: int, multipliers: NDArray[np.uint16], block: NDArray[np.uint8]
) -> None:
    to, of_rank = _u64(card) * _N, _u64(IN_LANES) * _N
    for lane in range(_N):
        product = _u32(_u32(cards[to + lane]) * _u32(multipliers[of_rank + lane]))
        rank = _u16(product >> _u32(16))
        block[to + lane] = _u8(_u8(rank if rank < _u16(9) else _u16(9)) + _u8(1))


# --- Games in lanes -----------------------------------------------------------------------------
# A hand is one byte here: the sum of its values, an ace as 1, and HAS_ACE if it holds one.

_HAS_ACE = _u8(128)


@kernel
def _sum(hand: np.uint8) -> np.uint8:
    return _u8(hand & _u8(127))


@kernel
def _is_soft(hand: np.uint8) -> np.uint8:
    return _u8(_u8(hand >= _HAS_ACE) & _u8(_sum(hand) <= _u8(11)))


@kernel
def _best(hand: np.uint8) -> np.uint8:
    return _u8(_sum(hand) + (_u8(10) if _is_soft(hand) != _u8(0) else _u8(0)))


@kernel
def _with_card(hand: np.uint8, value: np.uint8) -> np.uint8:
    return _u8(_u8(hand + value) | (_HAS_ACE if value == _u8(1) else _u8(0)))


@kernel
def _stage_after(
    stage: np.uint8, hits: np.uint8, own: np.uint8, his: np.uint8, hit_soft_17: np.uint8
) -> np.uint8:
    """Who takes the next card: the player, then the dealer unless the player is bust."""
    best = _best(his)
    soft_17 = _u8(_u8(best == _u8(17)) & _u8(_is_soft(his) & hit_soft_17))
    draws = _u8(_u8(best < _u8(DEALER_STANDS)) | soft_17)
    after = _DEALER if draws != _u8(0) else _OVER
    bust = _sum(own) > _u8(BEST)
    after = _OVER if bust else after
    more = _u8(_u8(stage == _PLAYER) & hits)
    return _PLAYER if more != _u8(0) and not bust else after


@kernel
def _play_in_lanes(
    block: NDArray[np.uint8], masks: NDArray[np.uint32], codes: GameCodes, plays: Plays
) -> None:
    _start(block)
    if plays.threshold != _u8(0):
        _begin_by_threshold(block, plays.threshold, codes.hit_soft_17)
        for card in range(4, IN_LANES):
            _go_on_by_threshold(block, card, plays.threshold, codes.hit_soft_17)
    else:
        _choose_masks(block, masks, plays)
        _read_masks(block, masks)
        _mark_naturals(block)
        _move_on(block, codes.hit_soft_17)
        for card in range(4, IN_LANES):
            _take(block, card)
            _read_masks(block, masks)
            _move_on(block, codes.hit_soft_17)
    _judge(block, codes.natural_beats_21)


@kernel
def _start(block: NDArray[np.uint8]) -> None:
    for lane in range(_N):
        own = _with_card(_u8(0), block[lane])
        his = _with_card(_u8(0), block[_N + lane])
        block[_OWN + lane] = _with_card(own, block[_N + _N + lane])
        block[_HIS + lane] = _with_card(his, block[_N + _N + _N + lane])
        block[_STAGE + lane] = _PLAYER


@kernel
def _begin_by_threshold(
    block: NDArray[np.uint8], threshold: np.uint8, hit_soft_17: np.uint8
) -> None:
    for lane in range(_N):
        block[_HITS + lane] = _u8(_best(block[_OWN + lane]) < threshold)
    _mark_naturals(block)
    _move_on(block, hit_soft_17)


@kernel
def _go_on_by_threshold(
    block: NDArray[np.uint8], card: int, threshold: np.uint8, hit_soft_17: np.uint8
) -> None:
    """Deal a card to whoever takes it and move on: one loop, where a table needs three."""
    at = _u64(card) * _N
    for lane in range(_N):
        value, stage = block[at + lane], block[_STAGE + lane]
        own, his = block[_OWN + lane], block[_HIS + lane]
        own = _with_card(own, value) if stage == _PLAYER else own
        his = _with_card(his, value) if stage == _DEALER else his
        block[_OWN + lane] = own
        block[_HIS + lane] = his
        hits = _u8(_best(own) < threshold)
        block[_STAGE + lane] = _stage_after(stage, hits, own, his, hit_soft_17)


@kernel
def _choose_masks(block: NDArray[np.uint8], masks: NDArray[np.uint32], plays: Plays) -> None:
    """Look up the plays against each dealer's up-card, once a game: the rest is shifts."""
    for lane in range(_N):
        seen = _u64(block[_N + lane]) if plays.seen > 0 else _u64(0)
        masks[lane] = plays.masks[seen]
        masks[_N + lane] = plays.masks[_u64(SEEN) + seen]


@kernel
def _take(block: NDArray[np.uint8], card: int) -> None:
    """Give a card to whoever takes it."""
    at = _u64(card) * _N
    for lane in range(_N):
        value, stage = block[at + lane], block[_STAGE + lane]
        own, his = block[_OWN + lane], block[_HIS + lane]
        block[_OWN + lane] = _with_card(own, value) if stage == _PLAYER else own
        block[_HIS + lane] = _with_card(his, value) if stage == _DEALER else his


@kernel
def _read_masks(block: NDArray[np.uint8], masks: NDArray[np.uint32]) -> None:
    for lane in range(_N):
        own = block[_OWN + lane]
        mask = masks[_N + lane] if _is_soft(own) != _u8(0) else masks[lane]
        # A bust, of at most 31, finds no bit: the masks end at 21.
        block[_HITS + lane] = _u8(_u32(mask >> _u32(_best(own))) & _u32(1))


@kernel
def _mark_naturals(block: NDArray[np.uint8]) -> None:
    """Note naturals, the player's in bit 0 and the dealer's in bit 1; one that draws is none."""
    for lane in range(_N):
        own = _u8(block[_OWN + lane] == _u8(_HAS_ACE | _u8(11)))
        own = _u8(own & _u8(block[_HITS + lane] == _u8(0)))
        his = _u8(block[_HIS + lane] == _u8(_HAS_ACE | _u8(11)))
        block[_NATURALS + lane] = _u8(own | _u8(his + his))


@kernel
def _move_on(block: NDArray[np.uint8], hit_soft_17: np.uint8) -> None:
    for lane in range(_N):
        stage, hits = block[_STAGE + lane], block[_HITS + lane]
        own, his = block[_OWN + lane], block[_HIS + lane]
        block[_STAGE + lane] = _stage_after(stage, hits, own, his, hit_soft_17)


@kernel
def _judge(block: NDArray[np.uint8], natural_beats_21: np.uint8) -> None:
    for lane in range(_N):
        own, his = _best(block[_OWN + lane]), _best(block[_HIS + lane])
        block[RESULT + lane] = judge(own, his, block[_NATURALS + lane], natural_beats_21)


@kernel
def judge(
    best: np.uint8, dealt: np.uint8, naturals: np.uint8, natural_beats_21: np.uint8
) -> np.uint8:
    """Give the result of a game from both best totals and who has a natural, without a branch."""
    # A natural stands above 21 where it beats it: as 22, which bust hands are put below.
    own = _u8(best + _u8(naturals & natural_beats_21))
    his = _u8(dealt + _u8(_u8(naturals >> _u8(1)) & natural_beats_21))
    own = _u8(0) if best > _u8(BEST) else own
    his = _u8(1) if dealt > _u8(BEST) else his
    won = _NATURAL if _u8(naturals & _u8(1)) != _u8(0) else _WIN
    result = _DRAW if own == his else _LOSE
    return won if own > his else result


# --- The rest, game by game ---------------------------------------------------------------------


@kernel
def _finish(
    state: NDArray[np.uint32],
    words: NDArray[np.uint32],
    halves: NDArray[np.uint16],
    draws: NDArray[Any],
    block: NDArray[np.uint8],
    codes: GameCodes,
    plays: Plays,
    hands: NDArray[np.uint16],
    waiting: NDArray[np.int64],
    dropped: NDArray[np.uint8],
) -> None:
    """Play the games that are not over again from their fifth card on, and write their RESULT.

    They wait for cards together: first those that the lanes have, then rows of new numbers. Here
    a number that would bias a draw is passed over, since only some games come to it.

    Parameters
    ----------
    hands : ndarray of uint16, shape (4 * LANES,)
        Rows to work in: compositions of player and dealer, what the policy sees, cards drawn.
    waiting : ndarray of int64, shape (LANES,)
        Room for the lanes of games that are not over.
    """
    hits, after, about = plays.hits, plays.after, plays.about
    games = _wait(block, dropped, after, plays.seen, hands, waiting)
    columns = np.int64(1) if plays.seen == 0 else np.int64(10) if plays.seen == 1 else np.int64(55)
    card = 4
    while True:
        games = _decide(block, codes, hits, columns, about, hands, waiting, games, card == 4)
        if games == 0:
            return
        if card < IN_LANES:
            for game in range(games):
                lane = _u64(waiting[game])
                _give(block, lane, _u64(block[_u64(card) * _N + lane]), after, hands)
        else:
            if card % 3 == 0:
                fill_words(state, words)
            for game in range(games):
                lane = _u64(waiting[game])
                number = halves[_u64(card % 3) * _N + lane]
                value = _draw_value(number, lane, draws, hands, codes)
                if value > 0:
                    _give(block, lane, _u64(value), after, hands)
        card += 1


@kernel
def _wait(
    block: NDArray[np.uint8],
    dropped: NDArray[np.uint8],
    after: NDArray[np.uint16],
    seen: np.int64,
    hands: NDArray[np.uint16],
    waiting: NDArray[np.int64],
) -> int:
    """List the games that are not over, with the first two cards of each hand."""
    games = 0
    stages = block.view(np.uint64)
    for eight in range(_N // _u64(8)):
        if stages[_STAGE // _u64(8) + eight] == _ALL_OVER:
            continue
        for near in range(_u64(8) * eight, _u64(8) * eight + _u64(8)):
            if block[_STAGE + near] != _OVER and dropped[near] == _u8(0):
                waiting[games] = np.int64(near)
                games += 1
    for game in range(games):
        lane = _u64(waiting[game])
        own_1, own_2 = _u64(block[lane]), _u64(block[_N + _N + lane])
        his_1, his_2 = _u64(block[_N + lane]), _u64(block[_N + _N + _N + lane])
        # The number of a single card is its value; pairs are numbered from 11 on.
        dealer = after[_u64(10) * his_1 + his_2 - _u64(1)]
        hands[lane] = after[_u64(10) * own_1 + own_2 - _u64(1)]
        hands[_N + lane] = dealer
        up_card, pair = _u16(his_1 - _u64(1)), _u16(dealer - _u16(11))
        hands[_N + _N + lane] = _u16(0) if seen == 0 else up_card if seen == 1 else pair
        hands[_N + _N + _N + lane] = _u16(IN_LANES)
        block[_STAGE + lane] = _PLAYER
    return games


@kernel
def _decide(
    block: NDArray[np.uint8],
    codes: GameCodes,
    hits: NDArray[np.uint8],
    columns: np.int64,
    about: NDArray[np.uint8],
    hands: NDArray[np.uint16],
    waiting: NDArray[np.int64],
    games: int,
    first: bool,
) -> int:
    """Let whoever may take a card decide; judge the games that are over; keep the others."""
    kept = 0
    for game in range(games):
        lane = _u64(waiting[game])
        player, column = np.int64(hands[lane]), np.int64(hands[_N + _N + lane])
        best = _u8(about[player] & _u8(SOFT - 1))
        shown = about[hands[_N + lane]]
        dealt, soft = _u8(shown & _u8(SOFT - 1)), _u8(shown >= _u8(SOFT))
        stage = block[_STAGE + lane]
        if stage == _PLAYER and hits[player * columns + column] == _u8(0):
            stage = _DEALER
        if first:
            own = _u8(best == _u8(BEST)) & _u8(stage == _DEALER)
            his = _u8(dealt == _u8(BEST))
            block[_NATURALS + lane] = _u8(own | _u8(his + his))
        if stage == _DEALER:
            soft_17 = _u8(dealt == _u8(17)) & soft & codes.hit_soft_17
            draws = _u8(dealt < _u8(DEALER_STANDS)) | soft_17
            stage = _DEALER if draws != _u8(0) and best <= _u8(BEST) else _OVER
        block[_STAGE + lane] = stage
        if stage == _OVER:
            naturals = block[_NATURALS + lane]
            block[RESULT + lane] = judge(best, dealt, naturals, codes.natural_beats_21)
        else:
            waiting[kept] = np.int64(lane)
            kept += 1
    return kept


@kernel
def _give(
    block: NDArray[np.uint8],
    lane: np.uint64,
    value: np.uint64,
    after: NDArray[np.uint16],
    hands: NDArray[np.uint16],
) -> None:
    """Add a card to the hand of whoever takes it."""
    at = lane if block[_STAGE + lane] == _PLAYER else _N + lane
    hands[at] = after[_u64(10) * _u64(hands[at]) + value - _u64(1)]


@kernel
def _draw_value(
    number: np.uint16,
    lane: np.uint64,
    draws: NDArray[Any],
    hands: NDArray[np.uint16],
    codes: GameCodes,
) -> np.int64:
    """Draw one card for one game and give its value; 0 if the number would bias the draw."""
    of = draws.dtype.type
    drawn = np.int64(hands[_N + _N + _N + lane])
    left = codes.deck if codes.endless != _u8(0) else codes.deck - drawn
    product = np.int64(number) * left
    if product & 0xFFFF < 65536 % left:
        return np.int64(0)
    card = product >> 16
    if codes.endless == _u8(0):
        draws[_u64(drawn) * _N + lane] = of(card)
        hands[_N + _N + _N + lane] = _u16(drawn + 1)
        for earlier in range(_u64(drawn)):
            card += card >= np.int64(draws[(_u64(drawn - 1) - earlier) * _N + lane])
        card = card * np.int64(codes.of_rank) >> 16
    return (card if card < 9 else np.int64(9)) + np.int64(1)
