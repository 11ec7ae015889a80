"""Blackjack: what is called, and what the plain answer is."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import naive_blackjack
import numpy as np
from fuzz_cards import CARD_TEXT, DECK, STYLE, as_codes, draw_cards, write_cards
from fuzz_kinds import (
    ANY,
    LANG,
    NAME,
    TEXTS,
    UNSURE,
    Answer,
    Fixed,
    Flag,
    Is,
    Kind,
    Line,
    Numbers,
    Out,
    Refused,
    Seed,
    Whole,
    Word,
    anything,
    as_before,
    filled,
    refuse_losses,
    simulation,
)
from fuzzing import Target

from cardstats import blackjack

TARGETS: dict[str, Target] = {}

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
        if isinstance(value, str) and len(value) > 5_000:
            raise Refused
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
        both = advice.stand, advice.hit
        return all(sum(chances[:3]) == 1 and min(chances[:3]) >= 0 for chances in both)

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
    if not 0 <= found <= 10**6 or (isinstance(value, float) and found.denominator > 64):
        raise Refused
    return found


class Payout(Kind):
    """Is what a natural pays."""

    def good(self, r: random.Random) -> Any:
        return r.choice([1, "3:2", "6/5", Fraction(6, 5), 1.5, 0, "0.1"])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = [
            -1,
            0.1,
            "3:0",
            "3:2:1",
            "",
            "½",
            "1e400",
            "３:２",
            True,
            [1],
            "3 : 2",
            10**400,
            1e7,
            "1e9999999",
        ]
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
}


def _one_padded(hand: Any, of_one: Callable[[list[int]], Any]) -> Any:
    if hand.shape != ():
        raise Refused("hand")
    return of_one(hand.hands[0])
