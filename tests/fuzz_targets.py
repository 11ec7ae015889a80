"""Every public callable, as data: what it takes, and what the plain answer is.

`test_fuzz` fails where one is missing. The oracles are `naive`, `naive_mahjong` and
`naive_blackjack`, kept for hands that come again; what has no plain answer that is quick enough
(counts over all deals) is held against the same call with plain arguments.
"""

from __future__ import annotations

import functools
import inspect
import math
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mahjong_samples
import naive
import naive_blackjack
import naive_mahjong
import numpy as np
from fuzzing import (
    ANY,
    TEXTS,
    UNSURE,
    Answer,
    Checkpoint,
    Fixed,
    Flag,
    Is,
    Kind,
    Numbers,
    Out,
    Real,
    Refused,
    Seed,
    Target,
    Text,
    Whole,
    Word,
    Workers,
    anything,
    filled,
    folder,
    hostile,
)
from three_card_samples import RULE_SETS, some_tables

from cardstats import (
    Comparison,
    Distribution,
    Showdown,
    Tally,
    benchmark,
    blackjack,
    cards,
    compare,
    mahjong,
    plot,
    published,
    reproduce,
    results,
    three_card,
    throughput,
)

TARGETS: dict[str, Target] = {}

LANG = Word("en", "zh")
QUIET = Fixed(False)  # `progress` is any truth; a bar in the log is of no use


# --- Cards, and three of them -----------------------------------------------------------------

DECK = range(52)
CARD_STYLES = ("ascii", "unicode", "zh")
RULES_3 = Is(*RULE_SETS.values())
TRANSITIVE = Is(*(rules for rules in RULE_SETS.values() if rules.transitive))
BY_3 = Word("category", "top_card")


def draw_cards(r: random.Random) -> np.ndarray:
    return np.array([r.choice(DECK) for _ in range(r.randint(1, 8))])


def read_cards(codes: Any, shape: tuple[int, ...]) -> Any:
    """Read card codes, of which equal ones are allowed."""
    if shape == ():
        codes, shape = [codes], (1,)
    if len(shape) != 1 or any(code not in DECK for code in codes):
        raise Refused
    return codes


def write_cards(codes: Iterable[int], style: str) -> str:
    """Write cards, plainly."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    suits = {"ascii": "dchs", "unicode": "♦♣♥♠", "zh": ["方块", "梅花", "红心", "黑桃"]}[style]
    if style == "ascii":
        return " ".join(ranks[c // 4].replace("10", "T") + suits[c % 4] for c in codes)
    return " ".join(suits[c % 4] + ranks[c // 4] for c in codes)


def say_cards(r: random.Random) -> str:
    codes = r.choices(DECK, k=r.randint(1, 7))
    text = write_cards(codes, r.choice(CARD_STYLES))
    return r.choice([text, text.replace(" ", ", "), f"[{text}]", text.upper()])


CARD_LETTERS = set(
    "23456789010tjqkadchs♦♢♣♧♥♡♠♤方块塊片梅花草红紅心桃黑 ,;、·|/'\"[](){}\ufe0f"
) | set("diamonds clubs hearts spades blocks boxes squares plum blossoms red")


def read_card_text(text: str) -> Any:
    """Read what `write_cards` writes; of other text tell only when it cannot be cards."""
    clean = unicodedata.normalize("NFKC", text)
    written = re.findall(r"(10|[2-9TJQKA])([dchs])", clean)
    if written and " ".join(map("".join, written)) == clean:
        return [
            4 * "23456789TJQKA".index(a.replace("10", "T")) + "dchs".index(b) for a, b in written
        ]
    known = all(letter.lower() in CARD_LETTERS or letter.isspace() for letter in clean)
    if not known or not any(letter.isalnum() for letter in clean):
        raise Refused
    return UNSURE


def hand_of_three(codes: list[int]) -> list[int]:
    if len(codes) != 3 or len(set(codes)) != 3:
        raise Refused
    return codes


def as_codes(codes: Iterable[int]) -> np.ndarray:
    return np.array(list(codes), dtype=np.uint8)


def read_three_text(text: str) -> Any:
    codes = read_card_text(text)
    return codes if codes is UNSURE else hand_of_three(codes)


def say_three(r: random.Random) -> str:
    return write_cards(r.sample(DECK, 3), r.choice(CARD_STYLES))


class Cards(Numbers):
    """Is any cards; of none at all it does not matter what they would have been."""

    def read(self, value: Any) -> Any:
        empty = (
            value.shape == (0,)
            if isinstance(value, np.ndarray)
            else isinstance(value, list | tuple) and not value
        )
        return UNSURE if empty else super().read(value)


CARDS = Cards(draw_cards, read_cards)
CARD_TEXT = Text(say_cards, read_card_text)


def read_three(codes: Any, shape: tuple[int, ...]) -> Any:
    if shape != (3,):
        raise Refused
    return hand_of_three(read_cards(codes, shape))


THREE = Numbers(lambda r: np.array(r.sample(DECK, 3)), read_three)
STYLE = Word(*CARD_STYLES)

TARGETS |= {
    "cards.parse": Target(cards.parse, {"text": CARD_TEXT}, lambda text: as_codes(text), tries=400),
    "cards.format": Target(
        cards.format,
        {"cards": CARDS, "style": STYLE},
        lambda cards, style: write_cards(cards, style),
        tries=500,
    ),
    "three_card.parse": Target(
        three_card.parse,
        {"text": Text(say_three, read_three_text)},
        lambda text: as_codes(text),
        tries=400,
    ),
    "three_card.format": Target(
        three_card.format,
        {"hand": THREE, "style": STYLE},
        lambda hand, style: write_cards(hand, style),
        tries=500,
    ),
}


def draw_hands(r: random.Random) -> np.ndarray:
    """Draw hands, or tables, or a hand; sometimes more than a block of lanes."""
    shape = r.choice(["hand", "hands", "hands", "tables", "many"])
    if shape == "hand":
        return np.array(r.sample(DECK, 3))
    if shape == "tables":
        return draw_tables(r)
    if shape == "many" and r.random() < 0.1:
        return np.resize(np.array(SOME_HANDS), (r.choice([1025, 4099]), 3))
    return np.array([r.choice(SOME_HANDS) for _ in range(r.randint(1, 9))])


SOME_HANDS = [hand for table in some_tables(5) for hand in table]


def draw_tables(r: random.Random) -> np.ndarray:
    players = r.choice([1, 2, 3, 5, 17])
    return np.array([r.choice(some_tables(players)) for _ in range(r.randint(1, 4))])


def read_hands(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read hands as tables of hands, with the shape of the answer."""
    if len(shape) not in (1, 2, 3) or shape[-1] != 3:
        raise Refused
    if len(shape) == 3 and not 1 <= shape[1] <= 17:
        raise Refused
    tables = {1: lambda: [[nested]], 2: lambda: [[hand] for hand in nested], 3: lambda: nested}
    checked = tables[len(shape)]()
    for table in checked:
        held = [card for hand in table for card in hand]
        if len(set(held)) != len(held) or any(card not in DECK for card in held):
            raise Refused
    return SimpleNamespace(tables=checked, shape=shape[:-1])


def read_tables(nested: Any, shape: tuple[int, ...]) -> Any:
    if len(shape) not in (2, 3):
        raise Refused
    found = read_hands([nested] if len(shape) == 2 else nested, (1, *shape)[-3:])
    found.many = len(shape) == 3
    return found


HANDS = Numbers(draw_hands, read_hands)
TABLES = Numbers(draw_tables, read_tables)


def each_hand(hands: Any, of_one: Callable[[Any], Any]) -> Any:
    """Answer hand by hand, in the shape of the hands."""
    answers = [of_one(tuple(hand)) for table in hands.tables for hand in table]
    return np.array(answers, dtype=object).reshape(hands.shape)


@cache
def strength_of(rules: three_card.Rules) -> Mapping[tuple[int, ...], int]:
    """A number for each of some hands: the place among all hands, weakest 0."""
    if rules.points is not None:
        return {hand: naive.points(hand, rules) for hand in naive.all_hands()}
    keys = {hand: naive.sort_key(hand, rules) for hand in naive.all_hands()}
    places = {key: place for place, key in enumerate(sorted(set(keys.values())))}
    return {hand: places[key] for hand, key in keys.items()}


@cache
def strength_found(rules: three_card.Rules) -> Mapping[int, int]:
    """The numbers that `strength` gives, and the place of each: an order is what it promises."""
    found = three_card.strength(naive.all_hands(), rules=rules).tolist()
    places: dict[int, int] = {}
    for number, hand in zip(found, naive.all_hands(), strict=True):
        place = strength_of(rules)[hand]
        assert places.setdefault(number, place) == place
    assert [places[number] for number in sorted(places)] == sorted(set(places.values()))
    return places


def strength_answer(hands: Any, rules: three_card.Rules, out: Any) -> Any:
    if not rules.transitive:
        raise Refused("rules")
    wide = rules.suit_tiebreak is not None or rules.points is not None
    dtype = np.dtype(np.uint32 if wide else np.uint16)
    places = each_hand(hands, lambda hand: strength_of(rules)[tuple(sorted(hand))])
    wanted = filled(places, out, dtype)
    if rules.points is not None:
        return wanted

    def holds(answer: Any) -> bool:
        found = np.asarray(answer)
        given = [strength_found(rules)[number] for number in found.ravel().tolist()]
        return (
            found.dtype == dtype
            and found.shape == wanted.shape
            and given == wanted.ravel().tolist()
        )

    return Answer(holds)


def points_answer(hands: Any, rules: three_card.Rules, out: Any) -> Any:
    if rules.points is None:
        raise Refused("rules")
    return filled(each_hand(hands, lambda hand: naive.points(hand, rules)), out, np.uint32)


def tally_answer(hands: Any, rules: three_card.Rules, by: str, workers: Any) -> Any:
    rows = Counter(naive.row(hand, by, rules) for table in hands.tables for hand in table)
    refuse_losses(workers, len(hands.tables))
    wanted = [rows[row] for row in range(6 if by == "category" else 15)]
    players = hands.shape[1] if len(hands.shape) == 2 else 1
    return Answer(lambda tally: (tally.counts.tolist(), tally.players) == (wanted, players))


def winners_answer(hands: Any, rules: three_card.Rules) -> Any:
    won = [naive.winners(table, rules) for table in hands.tables]
    wanted = won if hands.many else won[0]

    def holds(answer: Any) -> bool:
        return answer.dtype == bool and answer.tolist() == wanted

    return Answer(holds)


TARGETS |= {
    "three_card.classify": Target(
        three_card.classify,
        {"hands": HANDS, "rules": RULES_3, "out": Out(np.uint8)},
        lambda hands, rules, out: filled(
            each_hand(hands, lambda hand: int(naive.category(hand, rules))), out, np.uint8
        ),
        tries=1400,
    ),
    "three_card.strength": Target(
        three_card.strength,
        {"hands": HANDS, "rules": RULES_3, "out": Out(np.uint16)},
        strength_answer,
        tries=1200,
        cross=("out", "rules"),
    ),
    "three_card.points": Target(
        three_card.points,
        {"hands": HANDS, "rules": RULES_3, "out": Out(np.uint32)},
        points_answer,
        tries=900,
        cross=("out", "rules"),
    ),
    "three_card.winners": Target(
        three_card.winners, {"hands": TABLES, "rules": RULES_3}, winners_answer, tries=1000
    ),
    "three_card.tally": Target(
        three_card.tally,
        {"hands": HANDS, "rules": RULES_3, "by": BY_3, "workers": Workers()},
        tally_answer,
        tries=900,
    ),
    "three_card.all_hands": Target(
        three_card.all_hands, {}, lambda: np.array(naive.all_hands(), np.uint8), tries=1
    ),
}

# Exact counts: of the seldom changing arguments only a few, so that most answers are kept.
EXACT_RULES = Is(three_card.ZHA_JIN_HUA, three_card.ZHA_JIN_HUA_235, three_card.ZHA_JIN_HUA_POINTS)


def as_before(function: Callable[..., Any], **fixed: Any) -> Callable[..., Any]:
    """Answer as the same call does with plain arguments, once for all."""
    kept: dict[str, Any] = {}

    def answer(**arguments: Any) -> Any:
        # Python writes no int of thousands of digits, but in base 16.
        key = str([hex(v) if type(v) is int else repr(v) for v in arguments.values()])
        if key not in kept:
            kept[key] = function(**{**arguments, **fixed})
        return kept[key]

    return answer


def best_answer(players: int, rules: three_card.Rules, by: str) -> Any:
    if rules.points is not None and players > 3:
        raise Refused("players")
    return _best(players=players, rules=rules, by=by)


_best = as_before(three_card.exact_best)


def disagreement_answer(rules: three_card.Rules, other: three_card.Rules) -> Any:
    if not (rules.transitive and other.transitive):
        raise Refused(*(["rules"] * (not rules.transitive) + ["other"] * (not other.transitive)))
    return _disagreement(rules=rules, other=other)


_disagreement = as_before(three_card.exact_disagreement)


def equity_answer(hand: list[int], opponents: int, rules: Any, rng: Any, games: int) -> Any:
    if opponents <= 2:
        return _equity(hand=sorted(hand), opponents=opponents, rules=rules)
    return _equity(hand=sorted(hand), opponents=opponents, rules=rules, rng=rng, games=games)


_equity = as_before(three_card.equity)

TARGETS |= {
    "three_card.exact_categories": Target(
        three_card.exact_categories,
        {"rules": EXACT_RULES, "by": BY_3},
        as_before(three_card.exact_categories),
        tries=150,
    ),
    "three_card.exact_showdown": Target(
        three_card.exact_showdown,
        {"players": Whole(2, 3), "rules": EXACT_RULES, "by": BY_3},
        as_before(three_card.exact_showdown),
        tries=200,
    ),
    "three_card.exact_best": Target(
        three_card.exact_best,
        {"players": Whole(1, 6, cap=3), "rules": EXACT_RULES, "by": BY_3},
        best_answer,
        tries=200,
    ),
    "three_card.exact_disagreement": Target(
        three_card.exact_disagreement,
        {"rules": EXACT_RULES, "other": EXACT_RULES},
        disagreement_answer,
        tries=60,
    ),
    "three_card.equity": Target(
        three_card.equity,
        {
            "hand": THREE,
            "opponents": Whole(1, 16),
            "rules": EXACT_RULES,
            "rng": Seed(),
            "games": Whole(1, cap=2000),
        },
        equity_answer,
        tries=400,
        games="games",
    ),
}

GAMES = Whole(0, cap=2000)


def dealt_tables(games: int, players: int, rng: Any) -> list[Any]:
    return three_card.deal(games, players=players, rng=rng).tolist()


def simulate_answer(
    games: int, players: int, rules: Any, by: str, rng: Any, workers: Any, **_: Any
):
    """What is dealt from the same seed, counted one by one."""
    refuse_losses(workers, games * players)
    hands = [hand for table in dealt_tables(games, players, rng) for hand in table]
    rows = Counter(naive.row(hand, by, rules) for hand in hands)
    wanted = [rows[row] for row in range(6 if by == "category" else 15)]
    return Answer(lambda tally: (tally.counts.tolist(), tally.games) == (wanted, games))


def refuse_losses(workers: Any, work: int) -> None:
    if callable(workers) and work:
        raise Refused("workers")


def showdown_answer(
    games: int, players: int, rules: Any, by: str, rng: Any, workers: Any, **_: Any
):
    refuse_losses(workers, games)
    rows = 6 if by == "category" else 15
    win, draw, hands = [0] * rows, [0] * rows, [0] * rows
    for table in dealt_tables(games, players, rng):
        row, won = naive.row(table[0], by, rules), naive.winners(table, rules)
        hands[row] += 1
        win[row] += won[0] and sum(won) == 1
        draw[row] += won[0] and sum(won) > 1
    wanted = tuple(hands), tuple(win), tuple(draw)
    return Answer(lambda shown: (shown.hands, shown.win, shown.draw) == wanted)


def simulated_disagreement(
    games: int, players: int, rules: Any, other: Any, rng: Any, workers: Any, **_: Any
):
    refuse_losses(workers, games)
    counts = [0, 0, 0]
    for table in dealt_tables(games, players, rng):
        one, two = naive.winners(table, rules), naive.winners(table, other)
        both = any(a and b for a, b in zip(one, two, strict=True))
        counts[0 if one == two else 1 if both else 2] += 1
    return Answer(lambda tally: tally.counts.tolist() == counts)


def deal_answer(n: int, players: int | None, rng: Any) -> Any:
    seats = players or 1

    def holds(hands: np.ndarray) -> bool:
        shape = (n, 3) if players is None else (n, players, 3)
        tables = hands.reshape(n, -1).tolist() if n else []
        one_deck = all(len(set(table)) == 3 * seats and max(table) < 52 for table in tables)
        again = three_card.deal(n, players=players, rng=rng)
        return (
            hands.dtype == np.uint8 and hands.shape == shape and one_deck and (again == hands).all()
        )

    return Answer(holds)


def simulation(**kinds: Kind) -> dict[str, Kind]:
    """What all simulators take besides."""
    return {
        "games": Whole(0, cap=400),
        **kinds,
        "rng": Seed(),
        "workers": Workers(),
        "progress": QUIET,
        "checkpoint": Checkpoint(),
    }


SEATS = Whole(2, 17)
TARGETS |= {
    "three_card.deal": Target(
        three_card.deal,
        {"n": Whole(0, 2**63 // 3, cap=2000), "players": Whole(1, 17, none=True), "rng": Seed()},
        deal_answer,
        tries=400,
    ),
    "three_card.simulate": Target(
        three_card.simulate,
        simulation(players=Whole(1, 17), rules=RULES_3, by=BY_3),
        simulate_answer,
        tries=600,
        files=True,
        games="games",
    ),
    "three_card.simulate_showdown": Target(
        three_card.simulate_showdown,
        simulation(players=SEATS, rules=RULES_3, by=BY_3),
        showdown_answer,
        tries=400,
        files=True,
        games="games",
    ),
    "three_card.simulate_disagreement": Target(
        three_card.simulate_disagreement,
        simulation(players=SEATS, rules=RULES_3, other=RULES_3),
        simulated_disagreement,
        tries=400,
        files=True,
        games="games",
    ),
}


# --- Mahjong ----------------------------------------------------------------------------------

RULES_M = Is(*mahjong_samples.RULE_SETS.values())
WINNING, WAITING = mahjong.rules.WINNING_SIZES, mahjong.rules.WAITING_SIZES
SIZES = (*WINNING, *WAITING)
TILE_STYLES = ("mpsz", "unicode", "zh")
KINDS = range(34)


@cache
def some_counts(sizes: tuple[int, ...]) -> list[list[int]]:
    """Some forty hands of these sizes: with honours and without, near and far."""
    rng = np.random.default_rng(len(sizes) + sizes[0])
    parts = [
        mahjong_samples.mixed_sizes(rng, 7 * len(sizes), sizes, rules)[:24]
        for rules in (mahjong.CHINESE, mahjong.SICHUAN)
    ]
    return np.vstack(parts).tolist()


def draw_counts(sizes: tuple[int, ...], r: random.Random) -> np.ndarray:
    shape = r.choice(["hand", "hands", "hands", "hands", "many"])
    if shape == "hand":
        return np.array(r.choice(some_counts(sizes)))
    if shape == "many" and r.random() < 0.1:
        return np.resize(np.array(some_counts(sizes)), (r.choice([1025, 4099]), 34))
    return np.array([r.choice(some_counts(sizes)) for _ in range(r.randint(1, 6))])


def read_counts(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read hands of tiles; whether rules and sizes allow them is for `each_tiles`."""
    if len(shape) not in (1, 2) or shape[-1] != 34:
        raise Refused
    hands = [nested] if len(shape) == 1 else nested
    if any(not 0 <= count <= 4 for hand in hands for count in hand):
        raise Refused
    return SimpleNamespace(hands=hands, shape=shape[:-1])


def counts_of(sizes: tuple[int, ...]) -> Numbers:
    return Numbers(partial(draw_counts, sizes), read_counts)


def check_tiles(hands: Any, sizes: tuple[int, ...], rules: mahjong.Rules) -> None:
    for hand in hands.hands:
        if sum(hand) not in sizes or (not rules.honours and any(hand[27:])):
            raise Refused("hands")


def of_tiles(
    oracle: Callable[..., Any], sizes: tuple[int, ...], dtype: Any, each: tuple[int, ...] = ()
) -> Callable[..., Any]:
    """Answer hand by hand; each hand that comes again is not thought of again."""
    known = cache(lambda hand, rules: oracle(hand, rules))

    def answer(hands: Any, rules: mahjong.Rules, out: Any) -> Any:
        check_tiles(hands, sizes, rules)
        found = [known(tuple(hand), rules) for hand in hands.hands]
        return filled(np.array(found, dtype=object).reshape((*hands.shape, *each)), out, dtype)

    return answer


def kernel(
    function: Callable[..., Any],
    oracle: Callable[..., Any],
    sizes: tuple[int, ...],
    dtype: Any,
    each: tuple[int, ...] = (),
    tries: int = 700,
    rules: Kind = RULES_M,
) -> Target:
    kinds = {"hands": counts_of(sizes), "rules": rules, "out": Out(dtype, each)}
    return Target(function, kinds, of_tiles(oracle, sizes, dtype, each), tries=tries)


FEW_RULES_M = Is(mahjong.CHINESE, mahjong.RIICHI)


def tally_m_answer(hands: Any, by: str, rules: mahjong.Rules, workers: Any) -> Any:
    check_tiles(hands, WINNING if by == "form" else SIZES, rules)
    refuse_losses(workers, len(hands.hands))
    of_one = naive_mahjong.form if by == "form" else shanten_kept
    seen = Counter(int(of_one(tuple(hand), rules)) for hand in hands.hands)

    def holds(tally: Any) -> bool:
        if by == "form":
            return tally.counts.tolist() == [seen[form] for form in range(4)]
        rows = dict(zip(map(int, tally.labels), tally.counts.tolist(), strict=True))
        return {row: count for row, count in rows.items() if count} == dict(seen)

    return Answer(holds)


@cache
def shanten_kept(hand: tuple[int, ...], rules: mahjong.Rules) -> int:
    return naive_mahjong.shanten(hand, rules)


TARGETS |= {
    "mahjong.classify": kernel(mahjong.classify, naive_mahjong.form, WINNING, np.uint8, tries=1000),
    "mahjong.is_win": kernel(mahjong.is_win, naive_mahjong.is_win, WINNING, np.bool_, tries=1000),
    "mahjong.shanten": kernel(mahjong.shanten, shanten_kept, SIZES, np.int8, tries=1000),
    "mahjong.waits": kernel(mahjong.waits, naive_mahjong.waits, WAITING, np.bool_, (34,)),
    "mahjong.acceptance": kernel(
        mahjong.acceptance, naive_mahjong.acceptance, WAITING, np.bool_, (34,), rules=FEW_RULES_M
    ),
    "mahjong.discards": kernel(
        mahjong.discards, naive_mahjong.discards, WINNING, np.bool_, (34,), rules=FEW_RULES_M
    ),
    "mahjong.tally": Target(
        mahjong.tally,
        {
            "hands": counts_of(SIZES),
            "by": Word("shanten", "form"),
            "rules": RULES_M,
            "workers": Workers(),
        },
        tally_m_answer,
        tries=700,
        cross=("hands",),
    ),
}


def draw_tiles(numbers: list[int], r: random.Random) -> np.ndarray:
    if r.random() < 0.5:
        return np.array(r.sample(numbers, r.randint(1, 14)))
    size = r.randint(1, 14)
    return np.array([r.sample(numbers, size) for _ in range(r.randint(1, 5))])


def read_tiles(kinds: Mapping[int, int], each_once: bool, nested: Any, shape: tuple[int, ...]):
    """Count tiles by number, plainly."""
    if len(shape) not in (1, 2):
        raise Refused
    counted = []
    for row in [nested] if len(shape) == 1 else nested:
        if any(number not in kinds for number in row) or (each_once and len(set(row)) < len(row)):
            raise Refused
        seen = Counter(kinds[number] for number in row)
        if max(seen.values(), default=0) > 4:
            raise Refused
        counted.append([seen[kind] for kind in KINDS])
    return np.array(counted if len(shape) == 2 else counted[0], np.uint8).reshape((*shape[:-1], 34))


CODES = {
    code: kind
    for kind, code in enumerate(
        [*range(1, 10), *range(21, 30), *range(11, 20), 31, 33, 35, 37, 45, 43, 41]
    )
}
NUMBERINGS: dict[str, tuple[Callable[..., Any], Mapping[int, int], bool]] = {
    "tiles": (mahjong.counts, {kind: kind for kind in KINDS}, False),
    "codes": (mahjong.from_codes, CODES, False),
    "ids": (mahjong.from_ids, {number: number // 4 for number in range(136)}, True),
}
for _argument, (_function, _kinds, _each_once) in NUMBERINGS.items():
    _kind = Numbers(partial(draw_tiles, list(_kinds)), partial(read_tiles, _kinds, _each_once))
    TARGETS[f"mahjong.{_function.__name__}"] = Target(
        _function,
        {_argument: _kind},
        lambda _argument=_argument, **plain: plain[_argument],
        tries=400,
    )


def read_hand(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read one hand of any size, as a list of counts."""
    if shape != (34,) or any(not 0 <= count <= 4 for count in nested):
        raise Refused
    return nested


def draw_hand(r: random.Random) -> np.ndarray:
    return np.array(r.choice(some_counts(SIZES)))


HAND = Numbers(draw_hand, read_hand)


class HandOrKinds(Numbers):
    """Is a hand, or an array of bool that says which kinds there are."""

    def read(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.dtype == bool:
            value = np.asarray(value).astype(np.uint8)
        return super().read(value)


def write_tiles(hand: list[int], style: str) -> str:
    """Write tiles, plainly."""
    symbols = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄"
    kinds = [kind for kind in KINDS for _ in range(hand[kind])]
    if style == "unicode":
        return "".join(symbols[kind] for kind in kinds)
    if style == "zh":
        names = [f"{digit}{suit}" for suit in "万饼条" for digit in "一二三四五六七八九"]
        return " ".join([*names, *"东南西北白发中"][kind] for kind in kinds)
    parts = ["".join(str(k % 9 + 1) for k in kinds if k // 9 == suit) for suit in range(4)]
    return "".join(part + "mpsz"[suit] for suit, part in enumerate(parts) if part)


def say_tiles(r: random.Random) -> str:
    return write_tiles(r.choice(some_counts(SIZES)), r.choice(TILE_STYLES))


TILE_LETTERS = set(
    "0123456789mpsz万萬饼餅筒条條索一二三四五六七八九伍东東风風南西北白板发財财發発红紅中"
) | set(" ,;、·|/'\"[](){}\ufe0e\ufe0f")


def read_tile_text(text: str, most: float = 4) -> Any:
    """Read what `write_tiles` writes in digits; of other text tell only when it cannot be."""
    clean = unicodedata.normalize("NFKC", text)
    if re.fullmatch(r"(?:[1-9]+[mps]|[1-7]+z)+", clean, re.ASCII):
        seen: Counter[int] = Counter()
        for digits, suit in re.findall(r"(\d+)([mpsz])", clean):
            seen.update(9 * "mpsz".index(suit) + int(digit) - 1 for digit in digits)
        if max(seen.values()) > most:
            raise Refused
        return [seen[kind] for kind in KINDS]
    tiles = {letter for letter in clean if "\U0001f000" <= letter <= "\U0001f021"}
    others = {
        letter for letter in clean.lower() if letter not in TILE_LETTERS and not letter.isspace()
    }
    if others - tiles or not (tiles or set(clean.lower()) - set(" ,;、·|/'\"[](){}\n")):
        raise Refused
    return UNSURE


def tile_name(kind: int) -> str:
    return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"


class HandInAnyWords(Kind):
    """Is a hand as `check` takes it: text, 34 counts, or codes."""

    def __init__(self) -> None:
        codes = [code for code, kind in CODES.items() for _ in range(4)]
        self.ways: list[Kind] = [
            Text(say_tiles, partial(read_tile_text, most=math.inf)),
            HAND,
            Numbers(partial(self._codes, codes), lambda nested, shape: UNSURE),
        ]

    @staticmethod
    def _codes(codes: list[int], r: random.Random) -> np.ndarray:
        return np.array(r.sample(codes, r.choice((2, 5, 8, 11, 14))))

    def good(self, r: random.Random) -> Any:
        return r.choice(self.ways).good(r)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice(self.ways).odd(r, others)

    def read(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.ways[0].read(value)
        try:
            return self.ways[1].read(value)
        except Refused:
            return UNSURE


class Kongs(Kind):
    """Is text, or kongs one by one; none most of the time."""

    def good(self, r: random.Random) -> Any:
        return r.choice(["", (), [], "  "])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = ["1111m", "1111m 2222p", ["1111z"], [[11, 11, 11, 11]], [11, 11, 11, 11], "111m",
                "11111m", ["1111m", "1111m"], [np.array([1, 1, 1, 1])], ("1111s" for _ in "x"),
                [None], [[]], [""], 5 * ["1111m"], {"1111m": 1}, "1111m2222m3333m4444m5555m",
                [np.zeros(34, int)], [[1.0] * 4], [hostile("__array__")], [[34, 34, 34,
                34]]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        empty = isinstance(value, str | tuple | list) and not (
            value.strip() if isinstance(value, str) else value
        )
        return () if empty else UNSURE


def check_answer(hand: list[int], rules: mahjong.Rules, kongs: Any) -> Any:
    def holds(found: Any) -> bool:
        legal = sum(hand) in WINNING and (rules.honours or not any(hand[27:]))
        form = naive_mahjong.form(hand, rules) if legal else mahjong.Form.NOT_WINNING
        return found.form == form and found.win == (form > 0) == (not found.reason)

    return Answer(holds)


def decompose_answer(hand: list[int], rules: mahjong.Rules) -> Any:
    if sum(hand) not in WINNING or (not rules.honours and any(hand[27:])):
        raise Refused("hand")

    def holds(found: Any) -> bool:
        standard = [way for way in found if way.form == mahjong.Form.STANDARD]
        form = max((way.form for way in found), default=mahjong.Form.NOT_WINNING)
        groups = sorted(tuple(sorted(way.groups)) for way in standard)
        return groups == naive_mahjong.decompositions(hand) and form == naive_mahjong.form(
            hand, rules
        )

    return Answer(holds)


def prospects_answer(hand: list[int], rules: mahjong.Rules, kongs: Any) -> Any:
    if sum(hand) not in SIZES or (not rules.honours and any(hand[27:])):
        raise Refused("hand")
    return Answer(lambda found: found.shanten == shanten_kept(tuple(hand), rules))


def simulate_m_answer(games: int, size: int, by: str, rules: Any, rng: Any, workers: Any, **_: Any):
    if size not in (WINNING if by == "form" else SIZES):
        raise Refused("size")
    refuse_losses(workers, games)
    hands = mahjong.deal(games, size=size, rules=rules, rng=rng)
    return Answer(
        lambda tally: _tallied(tally) == _tallied(mahjong.tally(hands, by=by, rules=rules))
    )


def _tallied(tally: Any) -> dict[str, int]:
    rows = zip(tally.labels, tally.counts.tolist(), strict=True)
    return {label: count for label, count in rows if count}


def deal_m_answer(n: int, size: int, rules: Any, rng: Any) -> Any:
    def holds(hands: np.ndarray) -> bool:
        honours = bool(hands[:, 27:].any()) and not rules.honours
        fair = (hands <= 4).all() and (hands.sum(axis=1) == size).all() and not honours
        again = mahjong.deal(n, size=size, rules=rules, rng=rng)
        return (
            hands.shape == (n, 34) and hands.dtype == np.uint8 and fair and (again == hands).all()
        )

    return Answer(holds)


class Size(Whole):
    """Is one of some sizes of hands."""

    def __init__(self, *sizes: int) -> None:
        super().__init__(min(sizes), max(sizes))
        self.sizes = sizes

    def good(self, r: random.Random) -> Any:
        return r.choice([r.choice(self.sizes), np.int64(r.choice(self.sizes))])

    def read(self, value: Any) -> Any:
        found = super().read(value)
        if found is not UNSURE and found not in self.sizes:
            raise Refused
        return found


ANY_HAND = HandInAnyWords()
OF_TILES = {"weighted": Flag(), "rules": FEW_RULES_M}
TARGETS |= {
    "mahjong.to_codes": Target(
        mahjong.to_codes,
        {"hand": HAND},
        lambda hand: as_codes(
            sorted(code for code, kind in CODES.items() for _ in range(hand[kind]))
        ),
        tries=250,
    ),
    "mahjong.format": Target(
        mahjong.format,
        {"hand": HandOrKinds(draw_hand, read_hand), "style": Word(*TILE_STYLES)},
        lambda hand, style: write_tiles(hand, style),
        tries=400,
    ),
    "mahjong.parse": Target(
        mahjong.parse,
        {"text": Text(say_tiles, read_tile_text)},
        lambda text: as_codes(text),
        tries=400,
    ),
    "mahjong.tile_name": Target(
        mahjong.tile_name, {"kind": Whole(0, 33)}, lambda kind: tile_name(kind), tries=150
    ),
    "mahjong.check": Target(
        mahjong.check,
        {"hand": ANY_HAND, "rules": RULES_M, "kongs": Kongs()},
        check_answer,
        tries=600,
        cross=("kongs", "hand"),
    ),
    "mahjong.prospects": Target(
        mahjong.prospects,
        {"hand": ANY_HAND, "rules": FEW_RULES_M, "kongs": Kongs()},
        prospects_answer,
        tries=400,
        cross=("kongs", "hand"),
    ),
    "mahjong.decompose": Target(
        mahjong.decompose,
        {"hand": HAND, "rules": RULES_M},
        decompose_answer,
        tries=400,
        cross=("hand",),
    ),
    "mahjong.deal": Target(
        mahjong.deal,
        {
            "n": Whole(0, 2**63 // 34, cap=2000),
            "size": Size(*SIZES),
            "rules": RULES_M,
            "rng": Seed(),
        },
        deal_m_answer,
        tries=300,
    ),
    "mahjong.simulate": Target(
        mahjong.simulate,
        simulation(size=Size(*SIZES), by=Word("shanten", "form"), rules=RULES_M),
        simulate_m_answer,
        tries=500,
        files=True,
        games="games",
        cross=("size",),
    ),
    "mahjong.exact_forms": Target(
        mahjong.exact_forms,
        {"size": Size(*WINNING), **OF_TILES},
        as_before(mahjong.exact_forms),
        tries=120,
    ),
    "mahjong.exact_shanten": Target(
        mahjong.exact_shanten,
        {"size": Size(*SIZES), **OF_TILES},
        as_before(mahjong.exact_shanten),
        tries=120,
    ),
    "mahjong.exact_waits": Target(
        mahjong.exact_waits,
        {"size": Size(*WAITING), **OF_TILES},
        as_before(mahjong.exact_waits),
        tries=120,
    ),
    "mahjong.exact_overlap": Target(
        mahjong.exact_overlap, OF_TILES, as_before(mahjong.exact_overlap), tries=80
    ),
}


# --- Blackjack --------------------------------------------------------------------------------

PADDING = 255
RULES_B = Is(
    blackjack.SEED_RULES,
    blackjack.Rules(name="six", decks=6, hit_soft_17=True, natural_payout="3:2"),
    blackjack.Rules(name="endless", decks=math.inf, natural_beats_21=False),
)
POLICIES = Is(
    blackjack.MIMIC_DEALER,
    blackjack.stand_on(15),
    blackjack.Policy.from_table(np.ones((22, 2, 11), bool), name="always", dealer_cards_seen=1),
    blackjack.optimal_policy(),
    blackjack.optimal_policy(dealer_cards_seen=2),
)


def draw_padded(r: random.Random) -> np.ndarray:
    """Draw a hand, or hands of a table with its padding."""
    if r.random() < 0.3:
        return draw_cards(r)
    many = r.choice([1025, 4099]) if r.random() < 0.03 else r.randint(1, 9)
    places = r.randint(1, 25)
    held = [r.randint(1, places) for _ in range(min(many, 40))]
    rows = [r.choices(DECK, k=size) + [PADDING] * (places - size) for size in held]
    return np.resize(np.array(rows), (many, places))


def read_padded(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read hands of any number of cards, padded on the right."""
    if len(shape) not in (1, 2) or shape[-1] == 0:
        raise Refused
    hands = []
    for row in [nested] if len(shape) == 1 else nested:
        held = [code for code in row if code != PADDING]
        padded = held + [PADDING] * (len(row) - len(held))
        if padded != row or not len(held) >= 1 or any(code not in DECK for code in held):
            raise Refused
        hands.append(held)
    return SimpleNamespace(hands=hands, shape=shape[:-1])


PADDED = Numbers(draw_padded, read_padded)


def of_padded(oracle: Callable[[Any], Any], dtype: Any) -> Callable[..., Any]:
    def answer(hands: Any, out: Any) -> Any:
        if any(len(hand) > 25 for hand in hands.hands):
            raise Refused("hands")
        found = [oracle([naive_blackjack.value(card) for card in hand]) for hand in hands.hands]
        return filled(np.array(found, dtype=object).reshape(hands.shape), out, dtype)

    return answer


class Ranks(Kind):
    """Is cards by their values, as people write them."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def good(self, r: random.Random) -> Any:
        held = [r.randint(1, 10) for _ in range(r.randint(self.least, self.most))]
        while sum(held) > 21:
            held.remove(max(held))
            held.append(1)
        names = [r.choice("TJQK") if v == 10 else "A" if v == 1 else str(v) for v in held]
        ways = [held, tuple(held), np.array(held, np.int8), " ".join(names), ",".join(names), names]
        return r.choice(ways)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [0, 11, -1, 5, "1", "11", "0", "5", "A", "10 x", "A♠", "Ａ", "А", [True], [1.0],
                ["A", None], [[1, 2]], [2**64], {1, 2}, {"A": 1}, (v for v in (2, 3)), 30 * [1],
                "A " * 1000, np.array(5), np.array([[1, 2]]), [51, 40], 5 * [7], b"7", range(2, 4),
                [np.int8(5), "K"], "2 3 4 5", [10, 10, 10], "K K", ["\ud800"]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._values(value.replace(",", " ").split())
        if isinstance(value, Mapping | Set):
            raise Refused
        if not isinstance(value, Iterable):
            return self._values([value])
        try:
            return self._values(list(value))
        except Refused:
            raise
        except Exception:
            raise Refused from None

    @staticmethod
    def _values(items: list[Any]) -> tuple[int, ...]:
        found = []
        for item in items:
            if isinstance(item, str):
                text = item.strip().upper()
                if text not in ("A", "T", "J", "Q", "K", *map(str, range(2, 11))):
                    raise Refused
                found.append({"A": 1}.get(text) or (10 if text in "TJQK" else int(text)))
                continue
            number = isinstance(item, int | np.integer)
            if not number or isinstance(item, bool | np.timedelta64) or not 1 <= item <= 10:
                raise Refused
            found.append(int(item))
        return tuple(sorted(found))


class Upcard(Ranks):
    """Is one card, or None."""

    def __init__(self) -> None:
        super().__init__(1, 1)

    def good(self, r: random.Random) -> Any:
        return r.choice([None, 1, 10, "A", "K", "7", np.uint8(5)])

    def read(self, value: Any) -> Any:
        return None if value is None else self._values([value])[0]


def missing(rules: blackjack.Rules, *hands: tuple[int, ...]) -> bool:
    """Whether a deck lacks some of these cards."""
    deck = naive_blackjack.pack(rules.decks)
    held = Counter(value for hand in hands for value in hand)
    return deck != naive_blackjack.ENDLESS and any(deck[v - 1] < n for v, n in held.items())


def advise_answer(player: Any, dealer: Any, removed: Any, rules: blackjack.Rules) -> Any:
    blamed = set()
    if len(player) < 2 or sum(player) > 21:
        blamed.add("player")
    if len(dealer) > 2:
        blamed.add("dealer")
    if missing(rules, player, dealer, removed):
        blamed |= {"player", "dealer", "removed"}
    if blamed:
        raise Refused(*blamed)

    def holds(advice: Any) -> bool:
        if len(dealer) == 2:
            deck = naive_blackjack.pack(rules.decks)
            deck = naive_blackjack.without(deck, *player, *dealer, *removed)
            chances = naive_blackjack.standing(player, tuple(sorted(dealer)), deck, rules)
            if naive_blackjack.ev(chances, rules) != advice.stand.ev:
                return False
        return all(sum(chances[:3]) == 1 and min(chances[:3]) >= 0 for chances in advice)

    return Answer(holds)


def dealer_answer(upcard: int | None, removed: Any, rules: blackjack.Rules) -> Any:
    if missing(rules, removed, () if upcard is None else (upcard,)):
        raise Refused("upcard", "removed")
    return _dealer(upcard=upcard, removed=removed, rules=rules)


def outcome_answer(policy: Any, removed: Any, rules: blackjack.Rules) -> Any:
    if missing(rules, removed):
        raise Refused("removed")
    return Answer(lambda outcome: outcome.win + outcome.draw + outcome.lose == 1)


def optimal_answer(dealer_cards_seen: int, removed: Any, rules: blackjack.Rules) -> Any:
    if missing(rules, removed):
        raise Refused("removed")
    return Answer(lambda policy: policy.dealer_cards_seen == dealer_cards_seen)


_dealer = as_before(blackjack.exact_dealer)


class Bools(Kind):
    """Is an array of booleans of a shape."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape

    def good(self, r: random.Random) -> Any:
        table = np.random.default_rng(r.getrandbits(32)).random(self.shape) < 0.5
        return r.choice([table, np.asfortranarray(table), table.tolist(), table[::-1]])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        table = np.random.default_rng(1).random(self.shape) < 0.5
        holes = table.tolist()
        holes[0] = None
        ways = [table.astype(int), table.astype(float), table.astype(object), table.astype("U5"),
                table[:-1], table.T, table[..., :1], table[np.newaxis], table.ravel(), holes,
                table.tolist()[:-1], table.astype(np.uint8).tolist(), np.ma.array(table,
                mask=table),
                np.zeros((22, 2, 11), bool), np.zeros(0, bool), True]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if np.ma.is_masked(value):
            return UNSURE
        try:
            table = np.asarray(value)
        except Exception:
            raise Refused from None
        if table.shape != self.shape or table.dtype != bool:
            raise Refused
        return table.tolist()


class Plays(Kind):
    """Is what is done with single hands."""

    def good(self, r: random.Random) -> Any:
        return r.choice([{}, {("10 2", "4"): True}, {((5, 5), (10,)): np.True_}])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [{"10 2": True}, {("10 2",): True}, {("10 2", "4"): 1}, {("10 2", "4"): None},
                {("10 10 10", "4"): True}, {("10", "4"): True}, {("10 2", "4 5 6"): True},
                {("10 2", "x"): True}, {("10 2", "4"): True, ("2 10", "4"): False},
                [(("10 2", "4"), True)], {("10 2", None): True}, {(None, "4"): True},
                {("\ud800", "4"): True}, {(frozenset([1]), "4"): True}]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise Refused
        return UNSURE


class Line(Kind):
    """Is text that names something."""

    def __init__(self, *good: str, empty: bool = True) -> None:
        self.words, self.empty = good or ("mine", "自己的", "x" * 200), empty

    def good(self, r: random.Random) -> Any:
        return r.choice(self.words)

    def read(self, value: Any) -> Any:
        if not isinstance(value, str) or not (value or self.empty):
            raise Refused
        return str(value)


NAME = Line(empty=False)
SEEN_CARDS = Whole(0, 2)


def table_answer(hit: Any, name: str, dealer_cards_seen: int) -> Any:
    if dealer_cards_seen > 1:
        raise Refused("dealer_cards_seen")
    return Answer(lambda policy: policy.hit.tolist() == hit and policy.name == name)


def policy_answer(hit: Any, name: str, dealer_cards_seen: int, name_zh: str, deck: Any) -> Any:
    return table_answer(hit, name, dealer_cards_seen)


def by_composition_answer(self: Any, dealer_cards_seen: int | None) -> Any:
    own = self.dealer_cards_seen
    if dealer_cards_seen not in (None, own) and own != 0:
        raise Refused("dealer_cards_seen")
    seen = own if dealer_cards_seen is None else dealer_cards_seen
    return Answer(lambda plays: plays.shape[1] == (1, 10, 55)[seen] and plays.dtype == bool)


def hits_answer(self: Any, player: Any, dealer: Any) -> Any:
    blamed = set()
    if len(player) < 2 or sum(player) > 21:
        blamed.add("player")
    if len(dealer) != self.dealer_cards_seen:
        blamed.add("dealer")
    if blamed:
        raise Refused(*blamed)
    if not self.is_table:
        return ANY
    cell = naive_blackjack.total(player), int(naive_blackjack.is_soft(player))
    return bool(self.hit[(*cell, *dealer)] if dealer else self.hit[(*cell, 0)])


def read_payout(value: Any) -> Any:
    """Read a payout, plainly."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise Refused
    if isinstance(value, str) and "e99" in value:
        raise Refused  # it could be read, if one had the time
    try:
        found = Fraction(value.replace(":", "/") if isinstance(value, str) else value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise Refused from None
    if found < 0 or (isinstance(value, float) and found.denominator > 64):
        raise Refused
    return found


class Payout(Kind):
    """Is what a natural pays."""

    def good(self, r: random.Random) -> Any:
        return r.choice([1, "3:2", "6/5", Fraction(6, 5), 1.5, 0, "0.1"])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [-1, 0.1, "3:0", "3:2:1", "", "½", "1e400", "３:２", True, [1], "3 : 2", "1e9999999"]
        return r.choice(ways) if r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        return read_payout(value)


class Decks(Whole):
    """Is 1 to 8, or endless."""

    def __init__(self) -> None:
        super().__init__(1, 8)

    def read(self, value: Any) -> Any:
        if isinstance(value, float) and value == math.inf:
            return math.inf
        return super().read(value)


def rules_b_answer(**fields: Any) -> Any:
    return Answer(lambda rules: all(getattr(rules, name) == fields[name] for name in fields))


class Nonsense(Kind):
    """Is what a person types: read as the answers that are clear."""

    CLEAR = ("y", "n", "", "Y", " no ", "ＹＥＳ", "要", "停牌", "hit", "STAND")

    def good(self, r: random.Random) -> Any:
        return [r.choice(self.CLEAR) for _ in range(r.randint(0, 12))]

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        unclear = [text for text in (*TEXTS, "maybe", "yn", "y\0", "ý", "у", "nn", "0")
                   if text.strip() and text.strip() not in self.CLEAR]  # fmt: skip
        return [r.choice(r.choice([self.CLEAR, unclear])) for _ in range(r.randint(1, 12))]

    def read(self, value: Any) -> Any:
        return [line for line in value if line in self.CLEAR]


UNCLEAR = ("没看懂", "please answer")


def played(
    *, rng: Any = 0, lang: Any = "zh", hints: bool = False, style: Any = "unicode",
    input: list[str] = ()
) -> list[str]:  # fmt: skip
    """Play as a person who types these lines and then leaves; give what was said."""
    answers, said = iter(input), []

    def ask(_: str) -> str:
        for line in answers:
            return line
        raise EOFError

    blackjack.play(rng=rng, lang=lang, hints=hints, style=style, input=ask, output=said.append)
    return said


def play_answer(rng: Any, lang: str, hints: bool, style: str, input: list[str]) -> Any:
    wanted = played(rng=rng, lang=lang, style=style, input=input)

    def holds(said: list[str]) -> bool:
        fitting = all(line.isprintable() and len(line) <= 80 for line in said)
        return fitting and [line for line in said if not line.startswith(UNCLEAR)] == wanted

    return Answer(holds)


def simulate_b_answer(games: int, policy: Any, rules: Any, rng: Any, workers: Any, **_: Any) -> Any:
    refuse_losses(workers, games)
    wanted = _simulate_b(games=games, policy=policy, rules=rules, rng=rng)
    return Answer(lambda tally: (tally.counts == wanted.counts).all() and tally.total == games)


_simulate_b = as_before(blackjack.simulate)
DROPPED = Ranks(0, 3)
ONE_TABLE = Fixed(*(policy for policy in POLICIES.values))

TARGETS |= {
    "blackjack.parse": Target(
        blackjack.parse, {"text": CARD_TEXT}, lambda text: as_codes(text), tries=200
    ),
    "blackjack.format": Target(
        blackjack.format,
        {"hand": PADDED, "style": STYLE},
        lambda hand, style: _one_padded(hand, lambda codes: write_cards(codes, style)),
        tries=300,
        cross=("hand",),
    ),
    "blackjack.values": Target(
        blackjack.values,
        {"hand": PADDED},
        lambda hand: _one_padded(hand, lambda codes: as_codes(map(naive_blackjack.value, codes))),
        tries=300,
    ),
    "blackjack.total": Target(
        blackjack.total,
        {"hands": PADDED, "out": Out(np.uint8)},
        of_padded(naive_blackjack.total, np.uint8),
        tries=900,
    ),
    "blackjack.is_soft": Target(
        blackjack.is_soft,
        {"hands": PADDED, "out": Out(np.bool_)},
        of_padded(naive_blackjack.is_soft, np.bool_),
        tries=600,
    ),
    "blackjack.is_natural": Target(
        blackjack.is_natural,
        {"hands": PADDED, "out": Out(np.bool_)},
        of_padded(naive_blackjack.is_natural, np.bool_),
        tries=600,
    ),
    "blackjack.stand_on": Target(
        blackjack.stand_on,
        {"total": Whole(4, 21)},
        lambda total: Answer(
            lambda policy: (
                policy.hits("10 6") == (total > 16) and policy.hits("A 9") == (total > 20)
            )
        ),
        tries=150,
    ),
    "blackjack.advise": Target(
        blackjack.advise,
        {"player": Ranks(2, 4), "dealer": Ranks(0, 2), "removed": DROPPED, "rules": RULES_B},
        advise_answer,
        tries=350,
        cross=("player", "dealer", "removed"),
    ),
    "blackjack.exact_dealer": Target(
        blackjack.exact_dealer,
        {"upcard": Upcard(), "removed": DROPPED, "rules": RULES_B},
        dealer_answer,
        tries=250,
        cross=("removed",),
    ),
    "blackjack.exact_outcome": Target(
        blackjack.exact_outcome,
        {"policy": POLICIES, "removed": DROPPED, "rules": RULES_B},
        outcome_answer,
        tries=80,
    ),
    "blackjack.optimal_policy": Target(
        blackjack.optimal_policy,
        {"dealer_cards_seen": SEEN_CARDS, "removed": DROPPED, "rules": RULES_B},
        optimal_answer,
        tries=80,
    ),
    "blackjack.simulate": Target(
        blackjack.simulate,
        simulation(policy=POLICIES, rules=RULES_B),
        simulate_b_answer,
        tries=400,
        files=True,
        games="games",
    ),
    "blackjack.play": Target(
        played,
        {
            "rng": Seed(),
            "lang": Word("zh", "en"),
            "hints": Fixed(False),
            "style": STYLE,
            "input": Nonsense(),
        },
        play_answer,
        tries=300,
    ),
    "blackjack.Rules": Target(
        blackjack.Rules,
        {
            "name": NAME,
            "decks": Decks(),
            "hit_soft_17": Flag(),
            "natural_beats_21": Flag(),
            "natural_payout": Payout(),
        },
        rules_b_answer,
        tries=400,
    ),
    "blackjack.Policy": Target(
        blackjack.Policy,
        {
            "name": NAME,
            "hit": Bools(22, 2, 11),
            "dealer_cards_seen": Whole(0, 1),
            "name_zh": Line(),
            "deck": Is(blackjack.MIMIC_DEALER.deck),
        },
        policy_answer,
        tries=250,
        cross=("hit",),
    ),
    "blackjack.Policy.from_table": Target(
        blackjack.Policy.from_table,
        {"hit": Bools(22, 2, 11), "name": NAME, "dealer_cards_seen": SEEN_CARDS},
        table_answer,
        tries=250,
        cross=("dealer_cards_seen",),
    ),
    "blackjack.Policy.from_compositions": Target(
        blackjack.Policy.from_compositions,
        {
            "plays": Plays(),
            "otherwise": POLICIES,
            "name": NAME,
            "dealer_cards_seen": Whole(0, 2, none=True),
        },
        tries=250,
        names=("dealer",),
    ),
    "blackjack.Policy.by_composition": Target(
        blackjack.Policy.by_composition,
        {"self": ONE_TABLE, "dealer_cards_seen": Whole(0, 2, none=True)},
        by_composition_answer,
        tries=150,
    ),
    "blackjack.Policy.hits": Target(
        blackjack.Policy.hits,
        {"self": ONE_TABLE, "player": Ranks(2, 4), "dealer": Ranks(0, 2)},
        hits_answer,
        tries=300,
        cross=("player", "dealer"),
    ),
    "blackjack.Policy.to_text": Target(
        blackjack.Policy.to_text, {"self": Fixed(POLICIES.values[0]), "lang": LANG}, tries=50
    ),
    "blackjack.Outcome.to_text": Target(
        blackjack.Outcome.to_text,
        {"self": Fixed(blackjack.exact_outcome(blackjack.MIMIC_DEALER)), "lang": LANG},
        tries=50,
    ),
}


def _one_padded(hand: Any, of_one: Callable[[list[int]], Any]) -> Any:
    if hand.shape != ():
        raise Refused("hand")
    return of_one(hand.hands[0])


# --- Rules of the other games, and names of their classes -------------------------------------


class Order(Kind):
    """Is the six categories, each once."""

    def good(self, r: random.Random) -> Any:
        order = r.sample(list(three_card.Category), 6)
        return r.choice([order, tuple(order), [c.label for c in order], [int(c) for c in order]])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        order = self.good(r)
        ways = [order[:-1], [*order, order[0]], [*order[:-1], order[0]], [*order[:-1], None],
                [*order[:-1], 6], [*order[:-1], -1], [*order[:-1], 2.0], [*order[:-1], "leaf"],
                [*order[:-1], [1]], set(order), (item for item in order), np.arange(6), "012345",
                [*order[:-1], True], [*order[:-1], hostile("__eq__")], [*order[:-1],
                10**5000]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, str | Set) or not isinstance(value, Iterable):
            raise Refused
        try:
            items = list(value)
        except Exception:
            raise Refused from None
        if any(isinstance(item, bool | float) for item in items):
            raise Refused
        found = []
        for item in items:
            of_text = {c.label: c for c in three_card.Category}
            number = isinstance(item, int | np.integer) and 0 <= item < 6
            if not number and (isinstance(item, Iterable) or item not in of_text):
                if isinstance(item, str) and item.strip():
                    if item not in of_text:
                        return UNSURE  # it may be another name
                else:
                    raise Refused
            found.append(three_card.Category(item) if number else of_text[item])
        if len(found) != 6 or len(set(found)) != 6:
            raise Refused
        return tuple(found)


class Multipliers(Kind):
    """Is None, or points for each category."""

    def good(self, r: random.Random) -> Any:
        values = [r.choice([0, 1, 9, 81, 70_000, (2**32 - 15) // 42]) for _ in range(6)]
        named = dict(zip(three_card.Category, values, strict=True))
        return r.choice([None, values, tuple(values), named, np.array(values)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [[1] * 5, [1] * 7, [1, 2, 3, 4, 5, -1], [1] * 5 + [2**32], [1.0] * 6, [True] * 6,
                "123456", {"pair": 1}, {"pair": 1, three_card.Category.PAIR: 2}, {None: 1},
                [None] * 6,
                iter([1] * 6), {1, 2, 3, 4, 5, 6}, np.ones(6), np.ones((6, 1), int), [10**5000] * 6,
                [np.timedelta64(1, "s")] * 6, dict.fromkeys(range(6), 1), [[1]] * 6]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list | tuple | np.ndarray) or len(value) != 6:
            return UNSURE
        for item in value:
            number = isinstance(item, int | np.integer)
            if not number or isinstance(item, bool | np.timedelta64):
                raise Refused
            if not 0 <= item <= (2**32 - 1 - 14) // 42:
                raise Refused
        return tuple(map(int, value))


class Rank(Kind):
    """Is the name of a rank."""

    def good(self, r: random.Random) -> Any:
        return r.choice(["A", "2", "3", "10", "T", "k", " q "])

    def read(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise Refused
        rank = value.strip().upper().replace("T", "10")
        if rank not in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"):
            raise Refused
        return rank


class ACategory(Is):
    """Is a category; its code and its names may do as well."""

    def read(self, value: Any) -> Any:
        return UNSURE if isinstance(value, str | int | np.integer) else super().read(value)


def rules_3_answer(**fields: Any) -> Any:
    """Points and a rule that only ranks can have contradict each other."""
    blamed = set()
    if fields["points"] is not None:
        blamed |= {"special_235"} if fields["special_235"] != "off" else set()
        blamed |= {"suit_tiebreak"} if fields["suit_tiebreak"] is not None else set()
    if blamed:
        raise Refused(*blamed)
    return Answer(lambda rules: all(getattr(rules, name) == fields[name] for name in fields))


def rules_m_answer(**fields: Any) -> Any:
    if fields["thirteen_orphans"] and not fields["honours"]:
        raise Refused("thirteen_orphans")
    return Answer(lambda rules: all(getattr(rules, name) == fields[name] for name in fields))


class Label(Kind):
    """Is a name of a category or of a form."""

    def __init__(self, kind: Any, *more: str) -> None:
        self.names = {item.label: item for item in kind} | {item.label_zh: item for item in kind}
        self.more = more

    def good(self, r: random.Random) -> Any:
        name = r.choice([*self.names, *self.more])
        return r.choice([name, name.upper(), f" {name}\n", name.replace(" ", "_")])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return anything(r) if r.random() < 0.5 else r.choice(list(self.names)).replace("r", "г")

    def read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return UNSURE
        plain = value.strip().lower().replace("_", " ")
        if plain in self.more:
            return UNSURE
        return self.names.get(plain, UNSURE)


TARGETS |= {
    "three_card.Rules": Target(
        three_card.Rules,
        {
            "name": NAME,
            "order": Order(),
            "a23": Word("second", "lowest", "highest", "none"),
            "special_235": Word("off", "beats_trips", "beats_aces"),
            "highest_trips": Rank(),
            "suit_tiebreak": Word(None, "top_card", "card_by_card"),
            "points": Multipliers(),
        },
        rules_3_answer,
        tries=900,
        cross=("special_235", "suit_tiebreak"),
    ),
    "three_card.Rules.position": Target(
        three_card.Rules.position,
        {"self": Fixed(three_card.TEEN_PATTI), "category": ACategory(*three_card.Category)},
        lambda self, category: self.order.index(category),
        tries=80,
    ),
    "three_card.Category.from_label": Target(
        three_card.Category.from_label,
        {"text": Label(three_card.Category, "trips", "同花顺", "leopard")},
        lambda text: text,
        tries=150,
        names=("category",),
    ),
    "mahjong.Rules": Target(
        mahjong.Rules,
        {
            "name": NAME,
            "seven_pairs": Word("quads", "distinct", "off"),
            "thirteen_orphans": Flag(),
            "honours": Flag(),
        },
        rules_m_answer,
        tries=300,
        cross=("thirteen_orphans",),
    ),
    "mahjong.Form.from_label": Target(
        mahjong.Form.from_label,
        {"text": Label(mahjong.Form, "kokushi", "国士无双")},
        lambda text: text,
        tries=150,
        names=("form",),
    ),
    "mahjong.Decomposition.format": Target(
        mahjong.Decomposition.format,
        {
            "self": Fixed(mahjong.decompose(mahjong.parse("11m234m"))[0]),
            "style": Word(*TILE_STYLES),
        },
        tries=60,
    ),
    "mahjong.WinCheck.to_text": Target(
        mahjong.WinCheck.to_text,
        {"self": Fixed(mahjong.check("11m234m"), mahjong.check("11m235m")), "lang": LANG},
        tries=60,
    ),
}


# --- Results ----------------------------------------------------------------------------------

LABELS, LABELS_ZH = ("none", "one", "two"), ("无", "一", "二")
COINS = Distribution("two coins", LABELS, LABELS_ZH, (1, 2, 1), title_zh="两枚硬币")
PAIRS = Distribution("pairs", LABELS, LABELS_ZH, (2, 1, 1), [[2, 1, 1], [1, 1, 0], [1, 0, 1]])
SEEN = Tally("seen", LABELS, LABELS_ZH, (26, 49, 25))
SHARED = Tally("shared", LABELS, LABELS_ZH, (30, 10, 10), players=5)
DUEL = Showdown(
    "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=True, hands=(2, 1),
    win=(0, 2), draw=(2, 0), lose=(2, 0), share=(1, 2), best=(2, 4),
)  # fmt: skip
FOUGHT = Showdown(
    "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=False, hands=(40, 20),
    win=(0, 20), draw=(22, 0), lose=(18, 0), share=(11, 20), best=(40, 20),
)  # fmt: skip
COMPARED = compare(SEEN, COINS)
COPY = throughput.Rate(job="j", job_zh="事", label="a", label_zh="甲", kind="limit", hands=3e9)
OWN = throughput.Rate(
    job="j", job_zh="事", label="b", label_zh="乙", kind="cardstats", hands=2e9, of_limit=0.67
)
RATES = throughput.Throughput((COPY, OWN), "one core", "单核")
CHART = blackjack.MIMIC_DEALER.chart()
TABLES_ = Fixed(COINS, SEEN, SHARED, DUEL, FOUGHT, COMPARED, RATES, CHART)
DRAWN = results.Source("coins", "fair", "heads", 1, (results.Run(7, (), 0, 100),))


class Labels(Kind):
    """Is one label a row, each on a line and each once."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels

    def good(self, r: random.Random) -> Any:
        return r.choice([self.labels, list(self.labels), np.array(self.labels)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        one, *more = self.labels
        ways = [one, more, [*self.labels, "x"], [one, one, one], [*more, ""], [*more, " "], [*more,
                3],
                [*more, None], [*more, "a\nb"], [*more, "\0"], [*more, "\ud800"], [*more, b"x"],
                (label for label in self.labels), set(self.labels), dict.fromkeys(self.labels),
                [*more, "x" * 10**5], [*more, "one"], [*more, "١"], [*more, "a\u202eb"],
                np.array([self.labels]), [*more, hostile("__eq__")]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        if isinstance(value, str):
            raise Refused
        try:
            labels = list(value)
        except Exception:
            raise Refused from None
        texts = all(isinstance(label, str) for label in labels) and labels
        if not texts or any(not (t.strip() and t.isprintable()) for t in labels):
            raise Refused
        if len(set(labels)) < len(labels):
            raise Refused
        return tuple(map(str, labels))


class Amounts(Kind):
    """Is one whole number a row."""

    def __init__(self, *numbers: int, dtype: bool = True) -> None:
        self.numbers, self.dtype = numbers, dtype

    def good(self, r: random.Random) -> Any:
        ways = [self.numbers, list(self.numbers), np.array(self.numbers, np.int16)]
        return r.choice([*ways, np.array(self.numbers, object)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        _, *more = self.numbers
        ways = [more, [*self.numbers, 1], [-1, *more], [1.0, *more], [True, *more], [None, *more],
                ["1", *more], [2**63, *more], [2**200, *more], [10**5000, *more], [math.nan, *more],
                [0] * len(self.numbers), np.array(self.numbers, float), np.array([self.numbers]),
                (number for number in self.numbers), set(self.numbers), [Fraction(1), *more],
                [np.timedelta64(1, "s"), *more], [np.datetime64("2020"), *more], 3, "123",
                np.array(3), [hostile("__int__"), *more], [[1], *more], [10**12,
                *more]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.75 else anything(r)

    def read(self, value: Any) -> Any:
        try:
            numbers = value.tolist() if isinstance(value, np.ndarray) else list(value)
            numbers = list(numbers)
        except Exception:
            raise Refused from None
        for number in numbers:
            whole = isinstance(number, int | np.integer)
            if not whole or isinstance(number, bool | np.timedelta64) or number < 0:
                raise Refused
        return tuple(map(int, numbers))


class OrNone(Kind):
    """Is None, or what may be taken or not: which is left to the function."""

    def __init__(self, *odd: Any, good: tuple[Any, ...] = (None,)) -> None:
        self._odd, self._good = odd, good

    def good(self, r: random.Random) -> Any:
        return r.choice(self._good)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice(self._odd) if self._odd and r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        return None if value is None else UNSURE


def in_rows(labels: tuple[str, ...], **rows: tuple[Any, ...]) -> None:
    blamed = {name for name, values in rows.items() if len(values) != len(labels)}
    zh = rows.get("labels_zh", ())
    if any(label in labels and labels.index(label) != row for row, label in enumerate(zh)):
        blamed.add("labels_zh")
    if blamed:
        raise Refused(*blamed)


def distribution_answer(labels: Any, labels_zh: Any, counts: Any, joint: Any, **_: Any) -> Any:
    in_rows(labels, labels_zh=labels_zh, counts=counts)
    if not sum(counts):
        raise Refused("counts")
    return Answer(lambda made: (made.labels, made.counts) == (labels, counts))


def tally_made(
    labels: Any, labels_zh: Any, counts: Any, players: Any, source: Any, **_: Any
) -> Any:
    in_rows(labels, labels_zh=labels_zh, counts=counts)
    if sum(counts) >= 2**63:
        raise Refused("counts")
    if source is not None and (sum(counts), players) != (100, 1):
        raise Refused("source")
    return Answer(
        lambda made: tuple(made.counts.tolist()) == counts and made.counts.dtype == np.int64
    )


def run_answer(entropy: Any, key: Any, start: int, stop: int) -> Any:
    if stop < start:
        raise Refused("stop")
    return Answer(lambda run: run.games == stop - start)


class Entropy(Whole):
    """Is an int, or several."""

    def good(self, r: random.Random) -> Any:
        return r.choice([7, (1, 2), [1, 2**40], np.array([3])])

    def read(self, value: Any) -> Any:
        if isinstance(value, Iterable):
            return Amounts().read(value)
        return super().read(value)


class Payouts(Kind):
    """Is what rows pay."""

    def good(self, r: random.Random) -> Any:
        return r.choice([{}, {"one": 1}, {"two": "3:2", "无": -1}, {"one": Fraction(1, 3)}])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [{"one": value} for value in (0.1, math.nan, math.inf, None, "x", "1:0", [1], 1j,
                True,
                "1e9999999", 10**5000, 2**200, b"1", np.float32(0.5),
                hostile("__float__"))]  # fmt: skip
        ways += [{"three": 1}, {"one": 1, "一": 2}, {3: 1}, {None: 1}, {"": 1}, ["one"], "one",
                 {("one",): 1}, {2: 1}, [("one", 1)], {"\ud800": 1}]  # fmt: skip
        return r.choice(ways) if r.random() < 0.75 else anything(r)

    def read(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise Refused
        return UNSURE


PUBLISHED = OrNone(
    {"one": 0.5, "一": 0.5}, {"one": 2}, {"one": -0.1}, {"one": math.nan}, {"one": "0.5"},
    {"x": 0.5},
    {"one": None}, {1: 0.5}, [0.5], "one", {"one": True}, {"one": 1j}, {"one": Fraction(1, 2)},
    {("one",): 0.5}, good=(None,),
)  # fmt: skip
CONFIDENCE = Real(0, 1)


def compare_answer(observed: Any, expected: Any, of: Any, confidence: float, **_: Any) -> Any:
    plain = isinstance(observed, Tally) and isinstance(expected, Distribution) and of is None
    fights = (observed, expected) == (FOUGHT, DUEL) and of is not None
    if plain and observed.players > 1 and expected is COINS:
        raise Refused("expected")
    if not (plain or fights):
        raise Refused("observed", "expected", "of")

    def holds(found: Any) -> bool:
        between = (found.low <= found.high).all() and 0 <= found.p_value <= 1
        return between and found.confidence == confidence and (found.low >= 0).all()

    return Answer(holds)


def showdown_made(**fields: Any) -> Any:
    """The fields of a right showdown, of which one may have been changed: only so much is known."""
    own = {"win": DUEL.win, "draw": DUEL.draw, "lose": DUEL.lose, "best": DUEL.best}
    if all(fields[name] == value for name, value in own.items()):
        in_rows(fields["labels"], labels_zh=fields["labels_zh"], hands=fields["hands"])
        return ANY if fields["players"] == 2 else UNSURE
    return UNSURE


def index_answer(self: Any, label: Any) -> Any:
    for labels in (self.labels, self.labels_zh):
        if label in labels:
            return labels.index(label)
    raise Refused("label")


class RowLabel(Kind):
    """Is a label of a row, or a number that is one as text."""

    def good(self, r: random.Random) -> Any:
        return r.choice(["one", "一", "king", "尖"])

    def read(self, value: Any) -> Any:
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64):
            return UNSURE
        if not isinstance(value, str):
            raise Refused
        return value


class AnyReal(Real):
    """Is any real number: of a NaN, or one of no float's size, nothing is promised."""

    def __init__(self, *_: object) -> None:
        super().__init__(0, math.inf)

    def read(self, value: Any) -> Any:
        if value is None:
            return UNSURE
        number = isinstance(value, int | float | Fraction | np.integer | np.floating)
        if not number or isinstance(value, bool | np.timedelta64):
            raise Refused
        return UNSURE


TEXT = Answer(lambda text: isinstance(text, str) and text != "")


def csv_answer(self: Any, path: Any) -> Any:
    return TEXT if path is None else None


class File(Checkpoint):
    """Is None or a path to write to."""

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        value = super().odd(r, others)
        return folder() if isinstance(value, int) else value  # 1 is the terminal

    def read(self, value: Any) -> Any:
        if isinstance(value, str | Path) and Path(value).name == "garbage.json":
            return UNSURE
        return super().read(value) if value is None else super().read(value) or str(value)


ROWS = {"labels": Labels(*LABELS), "labels_zh": Labels(*LABELS_ZH)}
TITLES = {"title": Line(), "title_zh": Line()}
OF_ROWS = ("labels", "labels_zh", "counts", "row")
WRITERS = ("to_text", "to_markdown", "to_html")
NUMBERS_OF_3 = OrNone(
    [1, 2], [1, 2, "x"], [0.1] * 3, [[0.1] * 3], good=(np.array([0.2, 0.5, 0.3]),)
)

TARGETS |= {
    "Distribution": Target(
        Distribution,
        {
            **ROWS,
            **TITLES,
            "counts": Amounts(1, 2, 1),
            "joint": OrNone(PAIRS.joint, [[1]], [[1, 2, 3]] * 3, [[0] * 3] * 3, [[1.0] * 3] * 3, 3),
        },
        distribution_answer,
        tries=600,
        cross=("labels", "labels_zh", "counts", "joint"),
    ),
    "Distribution.expectation": Target(
        Distribution.expectation,
        {"self": Fixed(COINS), "payouts": Payouts()},
        tries=250,
    ),
    "Tally": Target(
        Tally,
        {
            **ROWS,
            **TITLES,
            "counts": Amounts(26, 49, 25),
            "players": Whole(1),
            "source": Is(DRAWN, none=True),
        },
        tally_made,
        tries=500,
        cross=("labels", "labels_zh", "counts", "source"),
    ),
    "Tally.from_counts": Target(
        Tally.from_counts,
        {
            "mapping": OrNone(
                {},
                {"a": -1},
                {"a": 1.5},
                {"a": None},
                {1: 1},
                {"": 1},
                {"a": 2**63},
                [("a", 1)],
                {"a": 10**5000},
                {"a": True},
                {"a\nb": 1},
                good=({"a": 1, "b": 2},),
            ),
            "players": Whole(1),
            "title": Line(),
            "labels_zh": OrNone(["甲"], "甲乙", ["甲", "甲"], ["甲", 1], ["b", "a"], 3),
        },
        tries=300,
        names=("labels", "counts"),
    ),
    "Showdown": Target(
        Showdown,
        {
            "title": Line(),
            "labels": Labels("king", "ace"),
            "labels_zh": Labels("老K", "尖"),
            "players": Whole(2),
            "exact": Fixed(True),
            "hands": Amounts(2, 1),
            "win": Amounts(0, 2),
            "draw": Amounts(2, 0),
            "lose": Amounts(2, 0),
            "share": OrNone((1, 1), (1.0, 2), (None, 2), (1,), 3, ("1", 2), good=((1, 2),)),
            "best": Amounts(2, 4),
            "source": OrNone(DRAWN),
            "title_zh": Line(),
        },
        showdown_made,
        tries=600,
        cross=("labels", "labels_zh", "hands", "win", "draw", "lose", "share", "best", "source"),
    ),
    "Comparison": Target(
        Comparison,
        {
            **ROWS,
            **TITLES,
            "expected": NUMBERS_OF_3,
            "observed": NUMBERS_OF_3,
            "expected_counts": NUMBERS_OF_3,
            "counts": OrNone([1, 2], [1, 2, "x"], good=((1, 2, 3),)),
            "low": NUMBERS_OF_3,
            "high": NUMBERS_OF_3,
            "z": NUMBERS_OF_3,
            "p": NUMBERS_OF_3,
            "chi2": Fixed(1.0),
            "dof": Fixed(2),
            "p_value": Fixed(0.5),
            "confidence": Fixed(0.95),
            "published": NUMBERS_OF_3,
        },
        tries=400,
        cross=("labels", "labels_zh"),
    ),
    "Comparison.fit_in": Target(
        Comparison.fit_in, {"self": Fixed(COMPARED), "lang": LANG}, tries=40
    ),
    "results.Run": Target(
        results.Run,
        {
            "entropy": Entropy(),
            "key": Amounts(1, 2),
            "start": Whole(0),
            "stop": Whole(0, cap=10**6),
        },
        run_answer,
        tries=300,
        cross=("stop",),
    ),
    "results.Source": Target(
        results.Source,
        {
            "game": Line(),
            "rules": Line(),
            "by": Line(),
            "players": Whole(1),
            "runs": OrNone(
                [DRAWN.runs[0], DRAWN.runs[0]], [None], [7], DRAWN, good=((), DRAWN.runs)
            ),
        },
        tries=250,
    ),
    "compare": Target(
        compare,
        {
            "observed": Is(SEEN, SHARED, FOUGHT),
            "expected": Is(COINS, PAIRS, DUEL),
            "of": Word(None, "win", "draw", "lose", "best"),
            "confidence": CONFIDENCE,
            "published": PUBLISHED,
        },
        compare_answer,
        tries=500,
        cross=("observed", "expected", "of"),
        names=("players",),
    ),
    "Table.index": Target(
        results.Tally.index, {"self": TABLES_, "label": RowLabel()}, index_answer, tries=200
    ),
    "Table.to_csv": Target(
        results.Tally.to_csv, {"self": TABLES_, "path": File()}, csv_answer, tries=150, files=True
    ),
    "Table.title_in": Target(results.Tally.title_in, {"self": TABLES_, "lang": LANG}, tries=40),
    **{
        f"Table.{name}": Target(
            getattr(Tally, name), {"self": TABLES_, "lang": LANG}, lambda **_: TEXT, tries=80
        )
        for name in WRITERS
    },
    "throughput.Throughput": Target(
        throughput.Throughput,
        {
            "rows": OrNone(
                (), (COPY, COPY), [COPY], (None,), (COPY, 3), "ab", {COPY}, good=((COPY, OWN),)
            ),
            **TITLES,
            "notes": Fixed(("a note",)),
            "notes_zh": Fixed(("注",)),
        },
        tries=200,
        names=("labels", "labels_zh"),
        cross=("rows",),
    ),
    "throughput.rate_text": Target(throughput.rate_text, {"hands": AnyReal()}, tries=80),
    "throughput.times_text": Target(throughput.times_text, {"times": AnyReal()}, tries=80),
}


# --- Pictures ---------------------------------------------------------------------------------


def closing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Draw as a function does, and close what it drew on."""

    @functools.wraps(function)
    def drawn(**arguments: Any) -> Any:
        from matplotlib import pyplot as plt

        try:
            return function(**arguments)
        finally:
            plt.close("all")

    return drawn


class Place(Kind):
    """Is None, or Axes to draw on."""

    def good(self, r: random.Random) -> Any:
        return None

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        from matplotlib.figure import Figure

        if r.random() < 0.5:
            return anything(r)
        return r.choice([Figure().subplots(), Figure(), Figure().subplots(1, 2), [], ()])

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if value is not None and not isinstance(value, Axes):
            raise Refused
        return None


class TwoPlaces(Place):
    """Is None, or two of them."""

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if value is None:
            return None
        try:
            places = list(value)
        except Exception:
            raise Refused from None
        if len(places) != 2 or not all(isinstance(place, Axes) for place in places):
            raise Refused
        return None


class OptionalLine(Line):
    """Is text, or None."""

    def good(self, r: random.Random) -> Any:
        return r.choice([None, "", "a title"])

    def read(self, value: Any) -> Any:
        return None if value is None else super().read(value)


class Matrix(Kind):
    """Is a matrix of numbers, two by three."""

    def good(self, r: random.Random) -> Any:
        cells = np.arange(6).reshape(2, 3) / 6
        return r.choice([cells, cells.tolist(), np.asfortranarray(cells), cells.astype("f4")])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        cells = np.arange(6).reshape(2, 3) / 6
        ways = [cells.T, cells[0], cells[np.newaxis], cells.astype("U4"), [[1, 2, 3], [4]],
                cells * np.nan,
                cells + 1j, cells.astype("M8[s]"), cells.astype(object), [["a"] * 3] * 2,
                cells > 0.3,
                np.full((2, 3), np.inf), [[None] * 3] * 2, np.empty((0, 0)), cells.astype(">f8"),
                np.ma.array(cells, mask=cells > 0.3), cells * 1e300,
                cells.astype(np.longdouble)]  # fmt: skip
        return r.choice(ways) if r.random() < 0.7 else anything(r)

    def read(self, value: Any) -> Any:
        return (
            None
            if isinstance(value, np.ndarray) and value.dtype == float and value.shape == (2, 3)
            else UNSURE
        )


PICTURE = {
    "ax": Place(),
    "labels": Word("auto", "en"),
    "title": OptionalLine(),
}
IS_AXES = Answer(lambda ax: hasattr(ax, "barh"))


class Drawn(Kind):
    """Is Axes, one or several."""

    def good(self, r: random.Random) -> Any:
        from matplotlib.figure import Figure

        one = Figure(figsize=(1, 1)).subplots()
        return r.choice([one, [one], (one, one)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice([[], (), [None], "ax", None]) if r.random() < 0.5 else anything(r)

    def read(self, value: Any) -> Any:
        from matplotlib.axes import Axes

        if isinstance(value, list | tuple) and value:
            value = value[0]
        if not isinstance(value, Axes):
            raise Refused
        return None


class Dots(Real):
    """Is a number of dots an inch; of very few, or of very many, nothing is promised."""

    def __init__(self) -> None:
        super().__init__(20, 200)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        value = super().odd(r, others)
        number = isinstance(value, int | np.number) and not isinstance(value, np.timedelta64)
        return -1 if number and not isinstance(value, complex) and abs(value) > 200 else value

    def read(self, value: Any) -> Any:
        number = isinstance(value, int | float | Fraction | np.number)
        number = number and not isinstance(
            value, bool | complex | np.timedelta64 | np.complexfloating
        )
        return UNSURE if number and value > 0 else super().read(value)


class Picture(File):
    """Is a path that ends like a picture."""

    def good(self, r: random.Random) -> Any:
        return folder() / r.choice(["a.png", "a.svg", "a.pdf"])

    def read(self, value: Any) -> Any:
        if isinstance(value, Path) and value.suffix in (".png", ".svg", ".pdf"):
            return str(value)
        raise Refused


def picture(function: Callable[..., Any], tries: int, **kinds: Kind) -> Target:
    return Target(closing(function), {**PICTURE, **kinds}, lambda **_: IS_AXES, tries=tries)


def shown_answer(result: Any, simulated: Any, **_: Any) -> Any:
    if simulated is not None and (result, simulated) != (DUEL, FOUGHT):
        raise Refused("result", "simulated")
    return IS_AXES


TARGETS |= {
    "plot.bars": picture(
        plot.bars, 120, result=Is(COMPARED, COINS, SEEN, SHARED), published=PUBLISHED
    ),
    "plot.residuals": picture(plot.residuals, 80, comparison=Is(COMPARED)),
    "plot.throughput": picture(plot.throughput, 80, result=Is(RATES)),
    "plot.agreement": Target(
        closing(plot.agreement),
        {
            "comparison": Is(COMPARED),
            "axes": TwoPlaces(),
            "labels": PICTURE["labels"],
            "title": PICTURE["title"],
        },
        lambda **_: Answer(lambda axes: len(axes) == 2),
        tries=80,
    ),
    "plot.showdown": Target(
        closing(plot.showdown),
        {
            "result": Is(DUEL, FOUGHT),
            "simulated": Is(FOUGHT, none=True),
            "of": Word("win", "draw", "lose", "share", "best"),
            **PICTURE,
        },
        shown_answer,
        tries=120,
        cross=("result", "simulated"),
    ),
    "plot.convergence": picture(
        plot.convergence,
        120,
        tallies=OrNone([], [SEEN, SEEN], [SHARED], SEEN, [None], good=([SEEN], (SEEN,))),
        expected=Is(COINS, PAIRS),
        rows=OrNone([], ["x"], "one", [1], ["one", "one"], [None], 3, good=(None, ["one"])),
    ),
    "plot.heatmap": picture(
        plot.heatmap,
        160,
        matrix=Matrix(),
        row_labels=OrNone(
            "ab", ["a"], [1, 2], None, DUEL, [None, 2], good=(["a", "b"], ("x", "y"))
        ),
        column_labels=OrNone(
            "abc", ["a"], [1, 2, 3], COINS, [None] * 3, good=(["c", "d", "e"], COINS)
        ),
        text=OrNone("{", "{x}", "{:d}", "%d", "{0.real}", [["a"] * 3] * 2, ["a"], good=("{:.3g}",)),
        xlabel=Line(),
        ylabel=Line(),
        title=Line("", "a title"),
    ),
    "plot.save": Target(
        closing(plot.save),
        {"axes": Drawn(), "path": Picture(), "dpi": Dots()},
        tries=100,
        files=True,
        cross=("axes", "path"),
    ),
}


# --- What writes reports, and the command line ------------------------------------------------


class OutFolder(Kind):
    """Is no folder that can be made: the work that would fill one is not to be done here."""

    always = True

    def good(self, r: random.Random) -> Any:
        file = folder() / "file"
        file.write_text("no folder")
        return file / "below"

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        file = self.good(r).parent
        ways = [file, str(file), str(file).encode(), "a\0b", "x" * 5000, 3, None, [str(file)], b"",
                "\ud800", "/proc/none/x", hostile("__fspath__")]  # fmt: skip
        return r.choice(ways)

    def read(self, value: Any) -> Any:
        raise Refused


class NoSeconds(Kind):
    """Is no time that anything could be measured for."""

    always = True

    def good(self, r: random.Random) -> Any:
        return r.choice([-1, -0.5, math.nan, math.inf, "5", [5], True, 10**5000, 1j, np.array(1.0)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return self.good(r)

    def read(self, value: Any) -> Any:
        raise Refused


TARGETS |= {
    "reproduce": Target(
        reproduce.reproduce,
        {
            "out": OutFolder(),
            "only": Word(None, "three-card", "mahjong", "blackjack", "best-of-six"),
            "games": Whole(1, none=True),
            "rng": Whole(0, none=True),
            "workers": Whole(1),
            "lang": LANG,
        },
        tries=150,
        files=True,
    ),
    "benchmark.benchmark": Target(
        benchmark.benchmark,
        {"only": Word(None, "three-card", "mahjong", "blackjack"), "seconds": NoSeconds()},
        tries=150,
    ),
}


# --- Records: what functions return. They hold what they are given, and check nothing ----------


class Whatever(Kind):
    """Is anything."""

    def good(self, r: random.Random) -> Any:
        return anything(r)

    def read(self, value: Any) -> Any:
        return UNSURE


RECORDS = (
    three_card.Equity,
    mahjong.Decomposition,
    mahjong.Group,
    mahjong.Option,
    mahjong.Prospects,
    mahjong.WinCheck,
    blackjack.Advice,
    blackjack.Chances,
    blackjack.Outcome,
    throughput.Rate,
    *(
        item
        for item in vars(published).values()
        if isinstance(item, type) and item.__module__ == published.__name__
    ),
)
TARGETS |= {
    f"{record.__module__.split('.')[1]}.{record.__name__}": Target(
        record, {name: Whatever() for name in inspect.signature(record).parameters}, tries=25
    )
    for record in RECORDS
}
