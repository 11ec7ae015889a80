"""Three-card hands, tables and rule sets that more than one file of tests draws on."""

import random
from functools import cache

import naive
import numpy as np
import pytest

from cardstats import cards
from cardstats.three_card.rules import MAX_MULTIPLIER, RULES, ZHA_JIN_HUA, Category, Rules

HANDS = np.array(naive.all_hands(), dtype=np.uint8)

# One's own rules, chosen so that each field takes each value, alone and together with others.
OWN_RULES = [
    Rules(name="upside-down", order=tuple(reversed(Category)), a23="none"),
    Rules(name="by-code-shifted", order=(3, 0, 5, 1, 4, 2), a23="lowest", highest_trips="2"),
    Rules(name="top-card", suit_tiebreak="top_card"),
    Rules(name="top-card-no-a23", suit_tiebreak="top_card", a23="none", highest_trips="10"),
    Rules(name="card-by-card", suit_tiebreak="card_by_card"),
    Rules(name="card-by-card-lowest", suit_tiebreak="card_by_card", a23="lowest"),
    Rules(
        name="card-by-card-highest",
        suit_tiebreak="card_by_card",
        a23="highest",
        highest_trips="3",
        order=(5, 4, 3, 2, 1, 0),
    ),
    Rules(name="aces-235", special_235="beats_aces"),
    Rules(name="aces-235-brag", special_235="beats_aces", a23="highest", highest_trips="3"),
    Rules(
        name="aces-235-suits",
        special_235="beats_aces",
        suit_tiebreak="card_by_card",
        order=(0, 1, 3, 2, 5, 4),
    ),
    Rules(
        name="trips-235-below-straight-flush", special_235="beats_trips", order=(0, 1, 3, 2, 5, 4)
    ),
    Rules(name="trips-235-top-card", special_235="beats_trips", suit_tiebreak="top_card"),
    Rules(
        name="trips-235-card-by-card",
        special_235="beats_trips",
        suit_tiebreak="card_by_card",
        a23="none",
    ),
    Rules(name="trips-235-low-trips", special_235="beats_trips", order=(0, 5, 1, 2, 3, 4)),
    Rules(name="sum-of-ranks", points=(1, 1, 1, 1, 1, 1), a23="none"),
    Rules(name="largest-points", points=(MAX_MULTIPLIER,) * 6, a23="lowest"),
    Rules(name="points-past-16-bits", points=(1, 70_000, 65_535, 65_536, 0, 3), a23="highest"),
]
RULE_SETS = {rules.name: rules for rules in [*RULES.values(), *OWN_RULES]}
IN_ONE_LINE = {name: rules for name, rules in RULE_SETS.items() if rules.transitive}
BY_POINTS = {name: rules for name, rules in RULE_SETS.items() if rules.points is not None}
SUITS_FREE = {name: rules for name, rules in RULE_SETS.items() if rules.suit_tiebreak is None}


def each(rule_sets):
    return pytest.mark.parametrize("rules", rule_sets.values(), ids=rule_sets)


# What matters where 2-3-5 is special, and what ties. Chance would seldom deal it.
NOTABLE = {
    "off-suit 235": [hand for hand in naive.all_hands() if naive.is_235(hand)],
    "suited 235": [tuple(cards.parse(f"2{suit}3{suit}5{suit}").tolist()) for suit in "dchs"],
    "aces": [hand for hand in naive.all_hands() if {card // 4 for card in hand} == {12}],
    "trips": [hand for hand in naive.all_hands() if len({card // 4 for card in hand}) == 1],
    "straight flush": [
        hand
        for hand in naive.all_hands()
        if naive.category(hand, ZHA_JIN_HUA) == Category.STRAIGHT_FLUSH
    ],
    "A23": [hand for hand in naive.all_hands() if {card // 4 for card in hand} == {0, 1, 12}],
    "a pair of aces": [
        hand for hand in naive.all_hands() if [card // 4 for card in hand] == [11, 12, 12]
    ],
}


def some_table(players, rng):
    """Hands of one deck, many of them notable, in any order of seats and of cards."""
    free = set(range(52))
    table = []
    for _ in range(players):
        wished = NOTABLE[rng.choice(list(NOTABLE))] if rng.random() < 0.6 else []
        possible = [hand for hand in wished if free.issuperset(hand)]
        hand = rng.choice(possible) if possible else rng.sample(sorted(free), 3)
        free.difference_update(hand)
        table.append(rng.sample(list(hand), 3))
    rng.shuffle(table)
    return table


@cache
def some_tables(players, count=60):
    rng = random.Random(f"{players} players")
    return [some_table(players, rng) for _ in range(count)]
