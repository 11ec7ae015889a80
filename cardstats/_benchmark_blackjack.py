"""Blackjack beside its yardsticks: seed 002's way in plain Python, and other packages."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from cardstats import blackjack as bj
from cardstats._benchmark import (
    Answers,
    Contest,
    Contestant,
    copying,
    drawing,
    fitting_answers,
    kernel,
    one_by_one,
    packages,
    simulator,
)
from cardstats._table import Words
from cardstats.blackjack.decks import Hand, best_total, card_name, compositions
from cardstats.blackjack.rules import ACE, TEN, VALUES, Result
from cardstats.cards import RANKS
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Tally

PEERS = ("gymnasium", "exactbj")

_HANDS = 1 << 25  # 170 MB: of fewer, NumPy's copy does not bypass the caches, and is slower
_ONE_BY_ONE = 20_000
_GAMES = 1 << 21
_PLAIN_GAMES = 500
_GYM_GAMES = 200

_TOTAL = Words("total, rows", "total，按行")
_MIMIC = Words("simulate, mimic the dealer", "simulate，照庄家规则")
_TABLE = Words("simulate, a policy table", "simulate，打法表")
_BEST = Words("optimal_policy", "optimal_policy")
_GAMES_PLAYED = Words("playing blackjack and counting", "玩 21 点并统计")
_BEST_PLAY = Words("the best play of each hand and up-card", "每手牌对每张明牌的最佳打法")

# The rules of gymnasium's game; and of exactbj, which knows a natural but gives it no precedence.
_GYM_RULES = bj.Rules(name="gymnasium", decks=math.inf, natural_beats_21=False)
_EXACTBJ_RULES = bj.Rules(name="exactbj", hit_soft_17=True, natural_beats_21=False)


def contests(peers: bool) -> Iterator[Contest]:
    """Make the contests of this game."""
    yield Contest(Words("totals of five cards", "五张牌的点数"), list(_totals()))
    for job, own, makers in (
        (_GAMES_PLAYED, _games, {"gymnasium": _gymnasium}),
        (_BEST_PLAY, _best_play, {"exactbj": _exactbj}),
    ):
        notes: list[Words] = []
        yield Contest(job, [*own(), *packages(makers if peers else {}, notes)], notes)


def plain_total(cards: Sequence[str]) -> int:
    """Add up ranks as seed 002 does: aces as 11, then as 1, one by one, while that is too much."""
    total = sum(_PLAIN_VALUES[card] for card in cards)
    aces = cards.count("A")
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total


_PLAIN_VALUES = {rank: min(10, place) for place, rank in enumerate(RANKS, 2)} | {"A": 11}


def plain_game(deck: list[str]) -> bj.Result:
    """Play a game as seed 002 does, the player drawing as the dealer must."""
    ahead = iter(deck)
    first, second, third, fourth = (next(ahead) for _ in range(4))
    player, dealer = [first, third], [second, fourth]
    while plain_total(player) < 17:
        player.append(next(ahead))
    own = plain_total(player)
    if own > 21:
        return Result.LOSE
    while plain_total(dealer) < 17:
        dealer.append(next(ahead))
    his = plain_total(dealer)
    own_natural, his_natural = own == 21 and len(player) == 2, his == 21 and len(dealer) == 2
    if own_natural and not his_natural:
        return Result.NATURAL
    if his > 21 or own > his:
        return Result.WIN
    return Result.LOSE if own < his or (his_natural and not own_natural) else Result.DRAW


def plain_games(games: int, rng: random.Random) -> Counter[str]:
    """Shuffle and play, and count how the games end."""
    deck, ends = list(RANKS) * 4, Counter[str]()
    for _ in range(games):
        rng.shuffle(deck)
        ends[plain_game(deck).label] += 1
    return ends


def familiar_table() -> bj.Policy:
    """Hit below 12, below 17 against a strong card, and soft totals below 18."""
    hit = np.zeros((22, 2, 11), np.bool_)
    hit[:12] = hit[:17, 0, 7:] = hit[:17, 0, ACE] = hit[:18, 1] = True
    return bj.Policy.from_table(hit, name="table")


def _totals() -> Iterator[Contestant]:
    hands = np.random.default_rng(1).integers(0, 52, (_HANDS, 5), dtype=np.uint8)
    columns, out = np.asfortranarray(hands), np.zeros(_HANDS, np.uint8)
    few = hands[:_ONE_BY_ONE]
    yield copying(Words("copy five cards", "复制五张牌"), hands)
    for label, given in (
        (Words("total, columns", "total，按列"), columns),
        (_TOTAL, hands),
    ):
        yield kernel(label, bj.total, given, out, bj.format)
    yield one_by_one(
        Words("seed 002's totals, plain Python", "原文 002 的点数，纯 Python"),
        plain_total,
        [[RANKS[card // 4] for card in hand] for hand in few.tolist()],
        kind="plain",
        slower_than=_TOTAL.en,
        own=bj.total(few).tolist(),
        show=lambda i: bj.format(few[i]),
    )


def _games() -> Iterator[Contestant]:
    yield drawing(Words("NumPy draws six numbers", "NumPy 抽六个随机数"), 6)
    for label, policy in ((_MIMIC, bj.MIMIC_DEALER), (_TABLE, familiar_table())):
        exact = bj.exact_outcome(policy).distribution
        yield simulator(
            label,
            partial(bj.simulate, _GAMES, policy, rng=1),
            _GAMES,
            partial(_against, exact=exact),
        )
    rng, exact = random.Random(1), bj.exact_outcome(bj.MIMIC_DEALER).distribution
    yield Contestant(
        Words("seed 002's games, plain Python", "原文 002 的对局，纯 Python"),
        "plain",
        lambda: plain_games(_PLAIN_GAMES, rng),
        _PLAIN_GAMES,
        _MIMIC.en,
        lambda: fitting_answers(plain_games(200 * _PLAIN_GAMES, random.Random(1)), exact),
    )


def _against(seen: Tally, exact: Distribution) -> Comparison:
    return compare(seen, exact)


def _gymnasium() -> Iterator[Contestant]:
    import gymnasium

    table = gymnasium.make("Blackjack-v1")

    def play() -> Result:
        (total, *_), _ = table.reset()
        done, reward = False, 0.0
        while not done:
            (total, *_), reward, done, *_ = table.step(int(total < 17))
        return Result.WIN if reward > 0 else Result.LOSE if reward < 0 else Result.DRAW

    def games(count: int) -> Counter[str]:
        return Counter(play().label for _ in range(count))

    def answers() -> Answers:
        table.reset(seed=1)
        return fitting_answers(games(50 * _GYM_GAMES), _without_naturals())

    yield Contestant(
        Words("gymnasium's Blackjack-v1", "gymnasium 的 Blackjack-v1"),
        "peer",
        lambda: games(_GYM_GAMES),
        _GYM_GAMES,
        _MIMIC.en,
        answers,
    )


def _without_naturals() -> Distribution:
    """Count how gymnasium's games end: it does not tell by what a game was won."""
    exact = bj.exact_outcome(bj.MIMIC_DEALER, rules=_GYM_RULES).distribution
    natural, win, draw, lose = exact.counts
    labels, labels_zh = exact.labels[1:], exact.labels_zh[1:]
    return Distribution(exact.title, labels, labels_zh, (natural + win, draw, lose))


def _best_play() -> Iterator[Contestant]:
    # Decks of which no answer is kept, and whose hands are the same: no hand needs all their tens
    # or nines.
    lacking = [[TEN] * tens + [9] * nines for nines in (0, 1) for tens in range(1, 13)]
    decks = itertools.cycle(lacking)
    yield Contestant(
        _BEST,
        "cardstats",
        lambda: bj.optimal_policy(removed=next(decks), rules=_EXACTBJ_RULES),
        len(list(decisions())),
    )


def decisions() -> Iterator[tuple[Hand, int]]:
    """Go through the hands and up-cards that one deck can show together."""
    for hand in compositions().hands:
        for upcard in VALUES if len(hand) >= 2 else ():
            held = Counter((*hand, upcard))
            if all(number <= (16 if value == TEN else 4) for value, number in held.items()):
                yield hand, upcard


def question(hand: Hand, upcard: int) -> tuple[int, bool, int, list[int]]:
    """Write a decision as exactbj wants it: values from 2 to 10, then aces; the cards left."""
    left = [16 if value == TEN else 4 for value in _ITS_VALUES]
    for value in (*hand, upcard):
        left[_ITS_VALUES.index(value)] -= 1
    return (*best_total(hand), _ITS_VALUES.index(upcard), left)


def _exactbj() -> Iterator[Contestant]:
    from exactbj import best_action

    policy, asked = bj.optimal_policy(rules=_EXACTBJ_RULES), list(decisions())

    def shown(i: int) -> str:
        hand, upcard = asked[i]
        return f"{' '.join(map(card_name, hand))} v {card_name(upcard)}"

    yield one_by_one(
        Words("exactbj's best_action", "exactbj 的 best_action"),
        lambda decision: _PLAYS[best_action(*decision)],
        [question(hand, upcard) for hand, upcard in asked],
        slower_than=_BEST.en,
        own=[_PLAYS[not policy.hits(hand, upcard)] for hand, upcard in asked],
        show=shown,
    )


_ITS_VALUES = (*VALUES[1:], ACE)
_PLAYS = ("hit", "stand")  # by whether to stand
