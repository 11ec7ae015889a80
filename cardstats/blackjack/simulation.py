"""Blackjack by chance: play a policy as often as you like, and count how the games end.

Every game is dealt from a full deck of its own; nothing is drawn from a known distribution. What
comes out depends on the seed, the games, the policy and the rules.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cardstats import cards
from cardstats._checks import shown
from cardstats._engine import RNG, Work, Workers, run
from cardstats._lanes import close_round, draw_multipliers, draw_row, lift_row
from cardstats._random import LANES, WORD_LANES, fill_words, lane_states
from cardstats.blackjack.dealer import BUST, FINALS, NATURAL, longest_hand
from cardstats.blackjack.dealing import (
    IN_LANES,
    NO_SHIFT,
    SEEN,
    SOFT,
    GameCodes,
    Plays,
    count_games,
)
from cardstats.blackjack.decks import compositions, deck_of
from cardstats.blackjack.hands import values
from cardstats.blackjack.kernels import is_natural, total
from cardstats.blackjack.policy import TABLE_SHAPE, Policy
from cardstats.blackjack.rules import (
    ACE,
    BEST,
    DEALER_STANDS,
    SEED_RULES,
    VALUES,
    Rules,
    checked_rules,
    row_labels,
)
from cardstats.results import Tally

_SLOWNESS = 8  # of games played by composition, beside dealing three cards
_RANKS, _SUITS = len(cards.RANKS), len(cards.SUITS)


def simulate(
    games: int,
    policy: Policy,
    *,
    rules: Rules = SEED_RULES,
    rng: RNG = None,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Tally:
    """Play games by a policy and count how they end for the player.

    Parameters
    ----------
    games : int
        Games, each from a full deck.
    policy : Policy
        When the player draws.
    rules : Rules
        Any.
    rng : None, int, SeedSequence or Generator
        Seed. The result depends on it, on `games`, `policy` and `rules`, and on nothing else; a
        run is a prefix of every longer one.
    workers : int or map-like callable
        Threads, or anything that is called like `map`.
    progress : bool
        Whether to show a bar on stderr.
    checkpoint : path, optional
        A file that keeps finished work; the same call resumes it, a larger `games` continues it.

    Returns
    -------
    Tally
        Rows natural, win, draw and lose, as those of `Outcome.distribution`: a win by a natural
        is in its own row.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or out of range, or the checkpoint is of other work.

    Examples
    --------
    >>> from cardstats.blackjack import MIMIC_DEALER
    >>> simulate(100_000, MIMIC_DEALER, rng=1).total
    100000
    """
    rules = checked_rules(rules)
    if not isinstance(policy, Policy):
        raise TypeError(f"policy: expected blackjack.Policy, got {shown(policy)}")
    labels, labels_zh = row_labels()
    work = Work(
        count=_count_results,
        args=(policy, rules),
        shape=(len(labels),),
        game="blackjack.simulate",
        rules=repr(rules),
        by=f"{policy.name} ({_digest(policy)})",
        players=1,
        slowness=_SLOWNESS,
    )
    totals, source = run(
        work, games, rng=rng, workers=workers, progress=progress, checkpoint=checkpoint
    )
    return Tally(
        title=f"games played: {policy.name}, {rules.name}",
        title_zh=f"模拟对局：{policy.name_zh or policy.name}，{rules.name}",
        labels=labels,
        labels_zh=labels_zh,
        counts=totals,
        source=source,
    )


def dealt_dealers(
    hands: int, *, rng: RNG = None, workers: Workers = 1, progress: bool = False
) -> NDArray[np.int64]:
    """Deal hands from whole packs by the seed's rules of the dealer, and count where they end.

    Returns
    -------
    ndarray of int64, shape (10, 7)
        By the value of the up-card, then as `dealer.FINALS` has it.
    """
    most = longest_hand(deck_of(SEED_RULES), SEED_RULES.hit_soft_17)
    work = Work(
        count=_count_dealers,
        args=(most,),
        shape=(len(VALUES), len(FINALS)),
        game="blackjack dealers",
        rules=repr(SEED_RULES),
        by="final",
        players=1,
        slowness=_SLOWNESS,
    )
    return run(work, hands, rng=rng, workers=workers, progress=progress)[0]


def _digest(policy: Policy) -> str:
    """Tell policies of one name apart."""
    seen = str(policy.dealer_cards_seen).encode()
    return hashlib.sha256(seen + policy.by_composition().tobytes()).hexdigest()[:12]


# --- One chunk: module functions, so that they can be sent to other processes -----------------


def _count_results(
    seed: np.random.SeedSequence, games: int, policy: Policy, rules: Rules
) -> NDArray[np.int64]:
    totals = np.zeros(len(row_labels()[0]), np.int64)
    codes = _codes(rules)
    like = np.empty(0, np.uint8 if codes.deck <= 256 else np.uint16)
    multipliers = _multipliers(int(codes.deck), rules.decks == math.inf, int(codes.of_rank))
    count_games(lane_states(seed), multipliers, like, games, codes, _plays(policy), totals)
    return totals


def _count_dealers(seed: np.random.SeedSequence, hands: int, most: int) -> NDArray[np.int64]:
    counts = np.zeros((len(VALUES), len(FINALS)), np.int64)
    for dealt in _first_cards(seed, hands, most):
        totals = np.array([total(dealt[:held].T) for held in range(2, most + 1)], np.intp)
        stops = (totals >= DEALER_STANDS).argmax(axis=0)
        final = totals[stops, np.arange(dealt.shape[1])]
        row = np.where(final > BEST, BUST, final - DEALER_STANDS)
        row[is_natural(dealt[:2].T)] = NATURAL
        np.add.at(counts, (values(dealt[0]).astype(np.intp) - ACE, row), 1)
    return counts


def _first_cards(
    seed: np.random.SeedSequence, hands: int, most: int
) -> Iterator[NDArray[np.uint8]]:
    """Deal the first `most` cards of shuffled packs, many packs at a time: a column a pack."""
    state, multipliers = lane_states(seed), draw_multipliers(cards.DECK_SIZE, most)
    words = np.empty(3 * WORD_LANES, np.uint32)
    draws, dealt = np.empty((2, most * LANES), np.uint8)
    while hands > 0:
        dropped = np.zeros(LANES, np.uint8)
        for card in range(most):
            if card % 3 == 0:
                fill_words(state, words)
            bound = np.uint16(2**16 % (cards.DECK_SIZE - card))
            draw_row(words.view(np.uint16), card % 3, multipliers, card, bound, draws, dropped)
            lift_row(draws, card, dealt)
        hands -= int(close_round(dropped, hands))
        yield dealt.reshape(most, LANES)[:, dropped == 0]


def _codes(rules: Rules) -> GameCodes:
    endless = rules.decks == math.inf
    decks = 1 if endless else int(rules.decks)
    return GameCodes(
        deck=np.int64(_RANKS if endless else cards.DECK_SIZE * decks),
        endless=np.uint8(endless),
        of_rank=np.uint16(-(-(2**16) // (_SUITS * decks))),
        shift=np.uint8(_logarithm(_SUITS * decks)),
        hit_soft_17=np.uint8(rules.hit_soft_17),
        natural_beats_21=np.uint8(rules.natural_beats_21),
    )


def _logarithm(number: int) -> int:
    power = number.bit_length() - 1
    return power if number == 1 << power else NO_SHIFT


@lru_cache(maxsize=8)
def _multipliers(deck: int, endless: bool, of_rank: int) -> NDArray[np.uint16]:
    left = deck if endless else deck - np.arange(IN_LANES)
    rows = np.append(np.broadcast_to(left, IN_LANES), of_rank)
    return np.repeat(rows.astype(np.uint16), LANES)


@lru_cache(maxsize=8)
def _plays(policy: Policy) -> Plays:
    hands, plays = compositions(), policy.by_composition()
    bust = len(hands.hands)
    after = np.where(hands.after < 0, bust, hands.after)
    return Plays(
        threshold=np.uint8(_threshold(policy)),
        masks=_masks(policy.hit) if policy.is_table else np.empty(0, np.uint32),
        seen=np.int64(policy.dealer_cards_seen),
        hits=np.append(plays.reshape(-1), np.zeros(plays.shape[1])).astype(np.uint8),
        after=after.astype(np.uint16).reshape(-1),
        about=np.append(hands.total + SOFT * hands.soft, BEST + 1).astype(np.uint8),
    )


def _threshold(policy: Policy) -> int:
    """Give the total that a policy stands on, where that is all it goes by, else 0."""
    if not policy.is_table:
        return 0
    cells = policy.hit[:, :, 1:] if policy.dealer_cards_seen else policy.hit[:, :, :1]
    total = int(cells[:, 0, 0].argmin())
    below = np.arange(BEST + 1) < total
    return total if (cells == below[:, np.newaxis, np.newaxis]).all() else 0


def _masks(hit: NDArray[np.bool_]) -> NDArray[np.uint32]:
    bits = np.uint32(1) << np.arange(TABLE_SHAPE[0], dtype=np.uint32)
    masks = (hit * bits[:, np.newaxis, np.newaxis]).sum(axis=0, dtype=np.uint32)
    return np.ascontiguousarray(masks.reshape(2 * SEEN))
