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
    flush_counters,
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
_BUST = 0xFFFF  # in a table of compositions

# Rows of a block of games, each LANES bytes wide: values of the cards, then what is known.
_HARD, _ACE, _DEALT, _DEALT_ACE, _STAGE, _HITS, _NATURALS, RESULT = (
    np.uint64((IN_LANES + row) * LANES) for row in range(8)
)
BLOCK_BYTES = (IN_LANES + 8) * LANES

_PLAYER, _DEALER, _OVER = _u8(0), _u8(1), _u8(2)  # stages: who takes the next card
_NATURAL, _WIN, _DRAW, _LOSE = (_u8(result) for result in Result)


class GameCodes(NamedTuple):
    """What is dealt from, and the rules, as small integers."""

    deck: np.int64  # cards; 13 where the deck is endless
    endless: np.uint8
    of_rank: np.uint16  # 2^16 over the cards of a rank, rounded up
    hit_soft_17: np.uint8
    natural_beats_21: np.uint8


class Plays(NamedTuple):
    """A policy, three ways: what kernels of lanes can follow, and a play for each composition."""

    threshold: np.uint8  # draw below this total, whatever else; 0 where that is not the policy
    masks: NDArray[np.uint32]  # bit t: draw to a total of t; by soft, then by up-card
    seen: np.int64  # cards of the dealer that the policy looks at
    hits: NDArray[np.uint8]  # 1 to draw; by composition, then by what is seen of the dealer
    after: NDArray[np.uint16]  # composition with one more card, by composition and value less 1
    total: NDArray[np.uint8]
    soft: NDArray[np.uint8]


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
    players, dealers = np.empty(LANES, np.uint16), np.empty(LANES, np.uint16)
    drawn, waiting = np.empty(LANES, np.uint8), np.empty(LANES, np.int64)
    in_lanes = plays.seen < 2 and (plays.threshold != _u8(0) or plays.masks.size > 0)
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
        _finish(
            state,
            words,
            halves,
            draws,
            block,
            codes,
            plays,
            players,
            dealers,
            drawn,
            waiting,
            dropped,
        )
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
    numbers = MOST_CARDS * LANES * like.itemsize
    sizes = (4 * state.size, 12 * WORD_LANES, numbers, numbers, LANES, BLOCK_BYTES, 8 * LANES)
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
        _values_of_ranks(draws, card, block)
    else:
        lift_row(draws, card, cards)
        _values_of_cards(cards, card, multipliers, block)


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
    """Turn a row of 16-bit numbers into draws; mark games to drop."""
    of = draws.dtype.type
    at, to = _u64(row) * _N, _u64(card) * _N
    for lane in range(_N):
        number, left = halves[at + lane], multipliers[to + lane]
        draws[to + lane] = of(_u16(_u32(_u32(number) * _u32(left)) >> _u32(16)))
        biased = _u8(_u16(number * left) < bound)
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
def _values_of_cards(
    cards: NDArray[Any], card: int, multipliers: NDArray[np.uint16], block: NDArray[np.uint8]
) -> None:
    """Cards of equal rank have neighbouring numbers: divide by their number, by multiplication."""
    to, of_rank = _u64(card) * _N, _u64(MOST_CARDS) * _N
    for lane in range(_N):
        product = _u32(_u32(cards[to + lane]) * _u32(multipliers[of_rank + lane]))
        rank = _u16(product >> _u32(16))
        block[to + lane] = _u8(_u8(rank if rank < _u16(9) else _u16(9)) + _u8(1))


@kernel
def _values_of_ranks(draws: NDArray[Any], card: int, block: NDArray[np.uint8]) -> None:
    to = _u64(card) * _N
    for lane in range(_N):
        rank = _u8(draws[to + lane])
        block[to + lane] = _u8((rank if rank < _u8(9) else _u8(9)) + _u8(1))


# --- Games in lanes -----------------------------------------------------------------------------


@kernel
def _best(hard: np.uint8, ace: np.uint8) -> np.uint8:
    return _u8(hard + (_u8(10) if _u8(ace & _u8(hard <= _u8(11))) != _u8(0) else _u8(0)))


@kernel
def _play_in_lanes(
    block: NDArray[np.uint8], masks: NDArray[np.uint32], codes: GameCodes, plays: Plays
) -> None:
    _start(block)
    by_table = plays.threshold == _u8(0)
    if by_table:
        _choose_masks(block, masks, plays)
    for card in range(3, IN_LANES):
        if card > 3:
            _take(block, card)
        if by_table:
            _read_masks(block, masks)
        else:
            _compare(block, plays.threshold)
        if card == 3:
            _mark_naturals(block)
        _move_on(block, codes.hit_soft_17)
    _judge(block, codes.natural_beats_21)


@kernel
def _start(block: NDArray[np.uint8]) -> None:
    for lane in range(_N):
        one, two = block[lane], block[_N + _N + lane]
        block[_HARD + lane] = _u8(one + two)
        block[_ACE + lane] = _u8(_u8(one == _u8(1)) | _u8(two == _u8(1)))
        one, two = block[_N + lane], block[_N + _N + _N + lane]
        block[_DEALT + lane] = _u8(one + two)
        block[_DEALT_ACE + lane] = _u8(_u8(one == _u8(1)) | _u8(two == _u8(1)))
        block[_STAGE + lane] = _PLAYER


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
        ace = _u8(value == _u8(1))
        mine, his = _u8(stage == _PLAYER), _u8(stage == _DEALER)
        block[_HARD + lane] = _u8(block[_HARD + lane] + (value if mine != _u8(0) else _u8(0)))
        block[_ACE + lane] = _u8(block[_ACE + lane] | _u8(ace & mine))
        block[_DEALT + lane] = _u8(block[_DEALT + lane] + (value if his != _u8(0) else _u8(0)))
        block[_DEALT_ACE + lane] = _u8(block[_DEALT_ACE + lane] | _u8(ace & his))


@kernel
def _compare(block: NDArray[np.uint8], threshold: np.uint8) -> None:
    for lane in range(_N):
        best = _best(block[_HARD + lane], block[_ACE + lane])
        block[_HITS + lane] = _u8(best < threshold)


@kernel
def _read_masks(block: NDArray[np.uint8], masks: NDArray[np.uint32]) -> None:
    for lane in range(_N):
        hard = block[_HARD + lane]
        soft = _u8(block[_ACE + lane] & _u8(hard <= _u8(11)))
        best = _best(hard, block[_ACE + lane])
        mask = masks[_N + lane] if soft != _u8(0) else masks[lane]
        # A bust, of at most 31, finds no bit: the masks end at 21.
        block[_HITS + lane] = _u8(_u32(mask >> _u32(best)) & _u32(1))


@kernel
def _mark_naturals(block: NDArray[np.uint8]) -> None:
    """Note naturals, the player's in bit 0 and the dealer's in bit 1; one that draws is none."""
    for lane in range(_N):
        own = _u8(_u8(block[_HARD + lane] == _u8(11)) & block[_ACE + lane])
        own = _u8(own & _u8(block[_HITS + lane] == _u8(0)))
        his = _u8(_u8(block[_DEALT + lane] == _u8(11)) & block[_DEALT_ACE + lane])
        block[_NATURALS + lane] = _u8(own | _u8(his + his))


@kernel
def _move_on(block: NDArray[np.uint8], hit_soft_17: np.uint8) -> None:
    """Say who takes the next card: the player, then the dealer unless the player is bust."""
    for lane in range(_N):
        hard, hard_dealt = block[_HARD + lane], block[_DEALT + lane]
        best = _best(hard_dealt, block[_DEALT_ACE + lane])
        soft_17 = _u8(_u8(best == _u8(17)) & _u8(best != hard_dealt))
        draws = _u8(_u8(best < _u8(DEALER_STANDS)) | _u8(soft_17 & hit_soft_17))
        after = _DEALER if draws != _u8(0) else _OVER
        after = _OVER if hard > _u8(BEST) else after
        more = _u8(_u8(block[_STAGE + lane] == _PLAYER) & block[_HITS + lane])
        block[_STAGE + lane] = _PLAYER if _u8(more & _u8(hard <= _u8(BEST))) != _u8(0) else after


@kernel
def _judge(block: NDArray[np.uint8], natural_beats_21: np.uint8) -> None:
    for lane in range(_N):
        best = _best(block[_HARD + lane], block[_ACE + lane])
        dealt = _best(block[_DEALT + lane], block[_DEALT_ACE + lane])
        block[RESULT + lane] = judge(best, dealt, block[_NATURALS + lane], natural_beats_21)


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
    players: NDArray[np.uint16],
    dealers: NDArray[np.uint16],
    drawn: NDArray[np.uint8],
    waiting: NDArray[np.int64],
    dropped: NDArray[np.uint8],
) -> None:
    """Play the games that are not over again from their fifth card on, and write their RESULT.

    They wait for cards together: first those that the lanes have, then rows of new numbers. Here
    a number that would bias a draw is passed over, since only some games come to it.
    """
    games = 0
    for lane in range(_N):
        if block[_STAGE + lane] != _OVER and dropped[lane] == _u8(0):
            waiting[games] = lane
            games += 1
            players[lane] = _two_cards(block, lane, _u64(0), plays)
            dealers[lane] = _two_cards(block, lane, _N, plays)
            block[_STAGE + lane] = _PLAYER
            block[_NATURALS + lane] = _u8(0)
            drawn[lane] = _u8(IN_LANES)
    card = 4
    while True:
        games = _decide(block, codes, plays, players, dealers, waiting, games, card == 4)
        if games == 0:
            return
        if card >= IN_LANES and card % 3 == 0:
            fill_words(state, words)
        for game in range(games):
            lane = waiting[game]
            if card < IN_LANES:
                value = np.int64(block[card * LANES + lane])
            else:
                number = halves[(card % 3) * LANES + lane]
                value = _draw_value(number, lane, draws, drawn, codes)
            if value == 0:
                continue
            if block[_STAGE + _u64(lane)] == _PLAYER:
                players[lane] = plays.after[np.int64(players[lane]) * 10 + value - 1]
            else:
                dealers[lane] = plays.after[np.int64(dealers[lane]) * 10 + value - 1]
        card += 1


@kernel
def _two_cards(
    block: NDArray[np.uint8], lane: np.uint64, first: np.uint64, plays: Plays
) -> np.uint16:
    one = _u64(block[first + lane])
    two = _u64(block[first + _N + _N + lane])
    return plays.after[_u64(10) * one + two - _u64(1)]  # a single card's number is its value


@kernel
def _decide(
    block: NDArray[np.uint8],
    codes: GameCodes,
    plays: Plays,
    players: NDArray[np.uint16],
    dealers: NDArray[np.uint16],
    waiting: NDArray[np.int64],
    games: int,
    first: bool,
) -> int:
    """Let whoever may take a card decide; judge the games that are over; keep the others."""
    kept = 0
    for game in range(games):
        lane = _u64(waiting[game])
        player, dealer = players[lane], dealers[lane]
        stage = block[_STAGE + lane]
        if stage == _PLAYER:
            stage = _play_of(player, dealer, block, lane, plays)
            if first:
                own = _is_natural(player, plays) and stage == _DEALER
                his = _is_natural(dealer, plays)
                block[_NATURALS + lane] = _u8(_u8(own) | _u8(_u8(his) << _u8(1)))
        if stage == _DEALER and not _dealer_draws(dealer, codes, plays):
            stage = _OVER
        block[_STAGE + lane] = stage
        if stage == _OVER:
            best = _u8(BEST + 1) if player == _BUST else plays.total[player]
            dealt = _u8(BEST + 1) if dealer == _BUST else plays.total[dealer]
            block[RESULT + lane] = judge(
                best, dealt, block[_NATURALS + lane], codes.natural_beats_21
            )
        else:
            waiting[kept] = np.int64(lane)
            kept += 1
    return kept


@kernel
def _play_of(
    player: np.uint16,
    dealer: np.uint16,
    block: NDArray[np.uint8],
    lane: np.uint64,
    plays: Plays,
) -> np.uint8:
    """Stage after the player's decision: his own, the dealer's, or over if he is bust."""
    if player == _BUST:
        return _OVER
    seen, of = np.int64(0), np.int64(1)
    if plays.seen == 1:
        seen, of = np.int64(block[_N + lane]) - 1, np.int64(10)
    elif plays.seen == 2:  # the dealer has two cards yet: pairs are numbered after single cards
        seen, of = np.int64(dealer) - 11, np.int64(55)
    return _PLAYER if plays.hits[np.int64(player) * of + seen] != _u8(0) else _DEALER


@kernel
def _is_natural(hand: np.uint16, plays: Plays) -> bool:
    return bool(hand < _u16(66) and plays.total[hand] == _u8(BEST))


@kernel
def _dealer_draws(dealer: np.uint16, codes: GameCodes, plays: Plays) -> bool:
    if dealer == _BUST:
        return False
    total = plays.total[dealer]
    soft_17 = total == _u8(17) and plays.soft[dealer] != _u8(0)
    return bool(total < _u8(DEALER_STANDS) or (soft_17 and codes.hit_soft_17 != _u8(0)))


@kernel
def _draw_value(
    number: np.uint16,
    lane: int | np.int64,
    draws: NDArray[Any],
    drawn: NDArray[np.uint8],
    codes: GameCodes,
) -> int:
    """Draw one card for one game and give its value; 0 if the number would bias the draw."""
    of = draws.dtype.type
    cards = np.int64(drawn[lane])
    left = codes.deck if codes.endless != _u8(0) else codes.deck - cards
    product = np.int64(number) * left
    if product & 0xFFFF < 65536 % left:
        return 0
    card = product >> 16
    if codes.endless != _u8(0):
        return min(card, 9) + 1
    draws[cards * LANES + lane] = of(card)
    drawn[lane] = _u8(cards + 1)
    for earlier in range(cards - 1, -1, -1):
        card += card >= np.int64(draws[earlier * LANES + lane])
    return min(card * np.int64(codes.of_rank) >> 16, 9) + 1
