"""Three-card poker: what is called, and what the plain answer is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from types import SimpleNamespace
from typing import Any

import naive
import numpy as np
from fuzz_cards import CARD_STYLES, DECK, STYLE, as_codes, read_card_text, read_cards, write_cards
from fuzz_kinds import (
    NAME,
    UNSURE,
    Answer,
    Fixed,
    Is,
    Kind,
    Label,
    Numbers,
    Out,
    Refused,
    Seed,
    Text,
    Whole,
    Word,
    Workers,
    anything,
    as_before,
    filled,
    hostile,
    refuse_losses,
    simulation,
)
from fuzzing import Target
from three_card_samples import RULE_SETS, some_tables

from cardstats import three_card

TARGETS: dict[str, Target] = {}

RULES_3 = Is(*RULE_SETS.values())
TRANSITIVE = Is(*(rules for rules in RULE_SETS.values() if rules.transitive))
BY_3 = Word("category", "top_card")


def hand_of_three(codes: list[int]) -> list[int]:
    if len(codes) != 3 or len(set(codes)) != 3:
        raise Refused
    return codes


def read_three_text(text: str) -> Any:
    codes = read_card_text(text)
    return codes if codes is UNSURE else hand_of_three(codes)


def say_three(r: random.Random) -> str:
    return write_cards(r.sample(DECK, 3), r.choice(CARD_STYLES))


def read_three(codes: Any, shape: tuple[int, ...]) -> Any:
    if shape != (3,):
        raise Refused
    return hand_of_three(read_cards(codes, shape))


class ThreeInAnyWords(Kind):
    """Is a hand as `equity` takes it: text, or codes."""

    def good(self, r: random.Random) -> Any:
        return r.choice((THREE_TEXT, THREE)).good(r)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice((THREE_TEXT, THREE)).odd(r, others)

    def read(self, value: Any) -> Any:
        return (THREE_TEXT if isinstance(value, str) else THREE).read(value)


THREE = Numbers(lambda r: np.array(r.sample(DECK, 3)), read_three)
THREE_TEXT = Text(say_three, read_three_text)
THREE_IN_ANY_WORDS = ThreeInAnyWords()

TARGETS |= {
    "three_card.parse": Target(
        three_card.parse,
        {"text": THREE_TEXT},
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
            "hand": THREE_IN_ANY_WORDS,
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


# --- Rules ------------------------------------------------------------------------------------


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
        listed = isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim)
        if not listed or len(value) != 6:
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
}
