"""Three-card poker beside its yardsticks: the seeds' ways in plain Python, and other packages."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats import cards
from cardstats import three_card as tc
from cardstats._benchmark import (
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
from cardstats.comparison import compare

PEERS = ("pokerkit", "eval7", "phevaluator", "treys")

_HANDS = 1 << 26  # 200 MB: of fewer, NumPy's copy does not bypass the caches, and is slower
_ONE_BY_ONE = 20_000
_GAMES = 1 << 24
_PLAIN_GAMES = 2000

# The order that pokerkit's three-card game has as well.
_ORDER = tc.THREE_CARD_POKER

_CLASSIFY = Words("classify, rows", "classify，按行")
_STRENGTH = Words("strength, rows", "strength，按行")
_POINTS = Words("points, rows", "points，按行")
_SEED_001 = Words("seed 001, plain Python", "原文 001，纯 Python")
_SEED_000 = Words("seed 000, plain Python", "原文 000，纯 Python")

Evaluator = tuple[Callable[[Any], object], Callable[[str], object]]  # and what makes it a card
PlainHand = Sequence[tuple[int, int]]  # rank from 2 to 14, suit
Hands = NDArray[np.uint8]


def contests(peers: bool) -> Iterator[Contest]:
    """Make the contests of this game."""
    hands, notes = tc.deal(_HANDS, rng=1), list[Words]()
    few = hands[:_ONE_BY_ONE]
    makers = _makers(few) if peers else {}
    worth = [*_kernels(hands), *_seeds(few), *packages(makers, notes)]
    yield Contest(Words("what three cards are", "三张牌的牌型与大小"), worth, notes)
    dealing = list(_dealing(hands))
    yield Contest(Words("dealing three cards and counting", "发三张牌并统计"), dealing)


def plain_category(hand: PlainHand) -> tc.Category:
    """Tell a category step by step, as seed 001 describes it."""
    low, middle, high = sorted(rank for rank, _ in hand)
    one_suit = len({suit for _, suit in hand}) == 1
    if low == high:
        return tc.Category.THREE_OF_A_KIND
    if (low + 1 == middle and middle + 1 == high) or (low, middle, high) == (2, 3, 14):
        return tc.Category.STRAIGHT_FLUSH if one_suit else tc.Category.STRAIGHT
    if one_suit:
        return tc.Category.FLUSH
    return tc.Category.PAIR if middle in (low, high) else tc.Category.HIGH_CARD


_MULTIPLIERS = {
    tc.Category.HIGH_CARD: 1,
    tc.Category.FLUSH: 9,
    tc.Category.STRAIGHT: 81,
    tc.Category.THREE_OF_A_KIND: 666,
    tc.Category.STRAIGHT_FLUSH: 999,
}


def plain_points(hand: PlainHand) -> int:
    """Score a hand as seed 000 does."""
    category = plain_category(hand)
    ranks = [rank for rank, _ in hand]
    if category == tc.Category.PAIR:
        paired = next(rank for rank in ranks if ranks.count(rank) == 2)
        return sum(ranks) + 2 * paired
    return sum(ranks) * _MULTIPLIERS[category]


def plain_simulation(games: int, rng: random.Random) -> Counter[str]:
    """Deal from one deck and count categories, in plain Python."""
    deck = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
    return Counter(plain_category(rng.sample(deck, 3)).label for _ in range(games))


def _kernels(hands: Hands) -> Iterator[Contestant]:
    columns = np.asfortranarray(hands)
    codes, strengths, points = (np.zeros(len(hands), f"u{size}") for size in (1, 2, 4))
    yield copying(Words("copy three cards", "复制三张牌"), hands)
    for label, ask, given, out in (
        (Words("classify, columns", "classify，按列"), tc.classify, columns, codes),
        (_CLASSIFY, tc.classify, hands, codes),
        (_STRENGTH, partial(tc.strength, rules=_ORDER), hands, strengths),
        (_POINTS, tc.points, hands, points),
    ):
        yield kernel(label, ask, given, out, tc.format)


def _seeds(few: Hands) -> Iterator[Contestant]:
    plain = [[(card // 4 + 2, card % 4) for card in hand] for hand in few.tolist()]
    for label, answer, own, row in (
        (_SEED_001, plain_category, tc.classify(few), _CLASSIFY),
        (_SEED_000, plain_points, tc.points(few), _POINTS),
    ):
        yield one_by_one(
            label,
            answer,
            plain,
            kind="plain",
            slower_than=row.en,
            own=own.tolist(),
            show=_shown(few),
        )


def _makers(few: Hands) -> dict[str, Callable[[], Iterable[Contestant]]]:
    """Say how to make the contestants of each package."""
    five = {name: partial(_five_cards, name, make) for name, make in _FIVE_CARDS.items()}
    return {"pokerkit": partial(_pokerkit, few), **five}


def _five_cards(package: str, make: Callable[[], Evaluator]) -> Iterator[Contestant]:
    evaluate, card = make()
    deals = np.random.default_rng(1).random((_ONE_BY_ONE, 52)).argsort(axis=1)[:, :5]
    hands = [[card(text) for text in cards.format(hand).split()] for hand in deals]
    label = Words(f"{package}, five cards", f"{package}，五张牌")
    yield one_by_one(label, evaluate, hands, kind="another job")


def _pokerkit(few: Hands) -> Iterator[Contestant]:
    from pokerkit import Card, Label, RhodeIslandHoldemLookup

    lookup = RhodeIslandHoldemLookup()
    hands = [tuple(Card.parse(tc.format(hand))) for hand in few]
    words = {
        tc.Category.HIGH_CARD: Label.HIGH_CARD,
        tc.Category.PAIR: Label.ONE_PAIR,
        tc.Category.STRAIGHT: Label.STRAIGHT,
        tc.Category.FLUSH: Label.FLUSH,
        tc.Category.STRAIGHT_FLUSH: Label.STRAIGHT_FLUSH,
        tc.Category.THREE_OF_A_KIND: Label.THREE_OF_A_KIND,
    }
    yield one_by_one(
        Words("pokerkit, category", "pokerkit，牌型"),
        lambda hand: lookup.get_entry(hand).label,
        hands,
        slower_than=_CLASSIFY.en,
        own=[words[tc.Category(code)] for code in tc.classify(few).tolist()],
        show=_shown(few),
    )
    # It numbers the different hands from the weakest on: so are ours, once they are sorted.
    levels = np.unique(tc.strength(tc.all_hands(), rules=_ORDER))
    yield one_by_one(
        Words("pokerkit, place", "pokerkit，名次"),
        lambda hand: lookup.get_entry(hand).index,
        hands,
        slower_than=_STRENGTH.en,
        own=np.searchsorted(levels, tc.strength(few, rules=_ORDER)).tolist(),
        show=_shown(few),
    )


def _eval7() -> Evaluator:
    from eval7 import Card, evaluate

    return evaluate, Card


def _phevaluator() -> Evaluator:
    from phevaluator import Card, evaluate_5cards

    return lambda hand: evaluate_5cards(*hand), lambda text: Card(text).id_


def _treys() -> Evaluator:
    from treys import Card, Evaluator

    evaluator = Evaluator()
    return lambda hand: evaluator.evaluate([], hand), Card.new


# Of another game: nothing is compared.
_FIVE_CARDS = {"eval7": _eval7, "phevaluator": _phevaluator, "treys": _treys}


def _dealing(hands: Hands) -> Iterator[Contestant]:
    exact, duel = tc.exact_categories(), tc.exact_showdown()
    one = Words("simulate, 1 player", "simulate，1 人")
    five = Words("simulate, 5 players", "simulate，5 人")
    two = Words("simulate_showdown, 2 players", "simulate_showdown，2 人")
    games, deals = _GAMES // 5, _GAMES // 2
    yield copying(Words("copy dealt cards", "复制发好的三张牌"), hands)
    yield drawing(Words("NumPy draws three numbers", "NumPy 抽三个随机数"), 3)
    yield simulator(
        one, lambda: tc.simulate(_GAMES, rng=1), _GAMES, lambda seen: compare(seen, exact)
    )
    yield simulator(
        five,
        lambda: tc.simulate(games, players=5, rng=1),
        5 * games,
        lambda seen: compare(seen, exact),
    )
    yield simulator(
        two,
        lambda: tc.simulate_showdown(deals, rng=1),
        2 * deals,
        lambda seen: compare(seen, duel, of="win"),
    )
    rng = random.Random(1)
    yield Contestant(
        Words("seed 001's dealing, plain Python", "原文 001 的发牌，纯 Python"),
        "plain",
        lambda: plain_simulation(_PLAIN_GAMES, rng),
        _PLAIN_GAMES,
        one.en,
        lambda: fitting_answers(plain_simulation(100 * _PLAIN_GAMES, random.Random(1)), exact),
    )


def _shown(hands: Hands) -> Callable[[int], str]:
    return lambda i: tc.format(hands[i])
