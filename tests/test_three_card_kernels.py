"""Every three-card kernel against `naive`: all hands, many rules, many tables."""

import hashlib
import math
import random
from collections import Counter
from functools import cache
from itertools import permutations

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from three_card_samples import (
    BY_POINTS,
    HANDS,
    IN_ONE_LINE,
    NOTABLE,
    RULE_SETS,
    SUITS_FREE,
    each,
    some_table,
    some_tables,
)

from cardstats import cards, three_card
from cardstats.three_card import RULES, ZHA_JIN_HUA, ZHA_JIN_HUA_235, Category, Rules
from cardstats.three_card.rules import MAX_MULTIPLIER


def dense_ranks(keys):
    """0 for the smallest key, equal numbers for equal keys, no gaps."""
    place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys])


@cache
def naive_ranks(rules):
    """The place of each of HANDS in the order of the rules."""
    return dense_ranks([naive.sort_key(hand, rules) for hand in naive.all_hands()])


# --- all hands ---


def test_all_hands_are_all_hands():
    hands = three_card.all_hands()
    assert hands.dtype == np.uint8
    assert hands.shape == (math.comb(52, 3), 3)
    assert sorted(tuple(sorted(hand)) for hand in hands.tolist()) == naive.all_hands()


@each(RULE_SETS)
def test_classify_all_hands(rules):
    codes = three_card.classify(HANDS, rules=rules)
    assert codes.dtype == np.uint8
    assert codes.tolist() == [naive.category(hand, rules) for hand in naive.all_hands()]


@each(IN_ONE_LINE)
def test_strength_orders_all_hands(rules):
    strength = three_card.strength(HANDS, rules=rules)
    wide = rules.suit_tiebreak is not None or rules.points is not None
    assert strength.dtype == (np.uint32 if wide else np.uint16)
    np.testing.assert_array_equal(np.unique(strength, return_inverse=True)[1], naive_ranks(rules))


@each(BY_POINTS)
def test_points_of_all_hands(rules):
    points = three_card.points(HANDS, rules=rules)
    assert points.dtype == np.uint32
    assert points.tolist() == [naive.points(hand, rules) for hand in naive.all_hands()]


def test_the_default_rules():
    np.testing.assert_array_equal(
        three_card.classify(HANDS), three_card.classify(HANDS, rules=ZHA_JIN_HUA)
    )
    np.testing.assert_array_equal(
        three_card.strength(HANDS), three_card.strength(HANDS, rules=ZHA_JIN_HUA)
    )
    np.testing.assert_array_equal(
        three_card.points(HANDS),
        three_card.points(HANDS, rules=RULES["zha-jin-hua-points"]),
    )


def test_naive_counts_what_combinatorics_counts():
    kinds = Counter(naive.category(hand, ZHA_JIN_HUA) for hand in naive.all_hands())
    straights = 12
    assert kinds == {
        Category.THREE_OF_A_KIND: 13 * math.comb(4, 3),
        Category.PAIR: 13 * math.comb(4, 2) * 48,
        Category.STRAIGHT_FLUSH: straights * 4,
        Category.STRAIGHT: straights * (4**3 - 4),
        Category.FLUSH: 4 * (math.comb(13, 3) - straights),
        Category.HIGH_CARD: (math.comb(13, 3) - straights) * (4**3 - 4),
    }


@pytest.mark.parametrize("name", [name for name in RULE_SETS if name not in IN_ONE_LINE])
def test_strength_refuses_an_order_that_is_none(name):
    with pytest.raises(ValueError, match="special_235"):
        three_card.strength(HANDS, rules=RULE_SETS[name])


@each({name: rules for name, rules in RULE_SETS.items() if rules.points is None})
def test_points_need_multipliers(rules):
    with pytest.raises(ValueError, match="points"):
        three_card.points(HANDS, rules=rules)


# --- the whole order in one line ---

# Whoever changes an order on purpose puts here what the failing comparison prints.
ORDER_DIGESTS = {
    "zha-jin-hua": "cdfa3a8168011b6f",
    "zha-jin-hua-points": "0f1de2c7c88519e6",
    "teen-patti": "dd938be30acc9c8b",
    "three-card-brag": "fd65057b6c63f7cb",
    "three-card-poker": "da80b1ee1d8f3450",
}
DIGEST_235 = "1c09a9338319e244"


def order_digest(ranks):
    """Digest of the hands, weakest first (equal ones by code), and of who equals whom."""
    by_strength = np.lexsort((np.arange(len(ranks)), ranks))
    content = HANDS[by_strength].tobytes() + ranks[by_strength].astype("<u2").tobytes()
    return hashlib.sha256(content).hexdigest()[:16]


@pytest.mark.parametrize("name", ORDER_DIGESTS)
def test_digest_of_the_order(name):
    strength = three_card.strength(HANDS, rules=RULES[name])
    digest = order_digest(np.unique(strength, return_inverse=True)[1])
    assert digest == order_digest(naive_ranks(RULES[name]))
    assert digest == ORDER_DIGESTS[name]


def test_digest_of_235():
    """There is no order to digest: every hand against the best and the worst trips and a pair."""
    opponents = [cards.parse(text).tolist() for text in ("AsAhAd", "2s2h2d", "KsKh9c")]
    tables = [
        (hand, opponent)
        for opponent in opponents
        for hand in naive.all_hands()
        if not set(hand) & set(opponent)
    ]
    won = three_card.winners(np.array(tables, dtype=np.uint8), rules=ZHA_JIN_HUA_235)
    assert won.tolist() == [naive.winners(table, ZHA_JIN_HUA_235) for table in tables]
    assert hashlib.sha256(np.packbits(won).tobytes()).hexdigest()[:16] == DIGEST_235


# --- winners ---


def seat_orders(players):
    """All orders of up to four seats, a few of more."""
    if players <= 4:
        return list(permutations(range(players)))
    rng = random.Random(players)
    orders = [rng.sample(range(players), players) for _ in range(6)]
    return [list(range(players)), list(reversed(range(players))), *orders]


@pytest.mark.parametrize("players", range(2, 18))
@each(RULE_SETS)
def test_winners_in_every_seat_order(rules, players):
    tables = some_tables(players)
    expected = np.array([naive.winners(table, rules) for table in tables])
    hands = np.array(tables, dtype=np.uint8)
    for seats in seat_orders(players):
        won = three_card.winners(hands[:, seats], rules=rules)
        assert won.dtype == np.bool_
        np.testing.assert_array_equal(won, expected[:, seats])


def test_the_tables_hold_what_they_are_meant_to():
    """Each notable kind of hand meets each other one (the pairs of aces take the aces' cards)."""
    met = set()
    for players in range(2, 18):
        for table in some_tables(players):
            hands = [tuple(sorted(hand)) for hand in table]
            kinds = [{kind for kind in NOTABLE if hand in NOTABLE[kind]} for hand in hands]
            for one, other in permutations(kinds, 2):
                met.update((first, second) for first in one for second in other)
    expected = set(permutations(NOTABLE, 2)) | {("off-suit 235", "off-suit 235")}
    assert expected - met <= set(permutations(["aces", "a pair of aces"]))


@each(IN_ONE_LINE)
@pytest.mark.parametrize("players", [2, 3, 5, 17])
def test_winners_hold_the_largest_strength(rules, players):
    hands = three_card.deal(2_000, players=players, rng=players)
    strength = three_card.strength(hands.reshape(-1, 3), rules=rules).reshape(-1, players)
    best = strength.max(axis=1, keepdims=True)
    np.testing.assert_array_equal(three_card.winners(hands, rules=rules), strength == best)


@each(RULE_SETS)
def test_one_table(rules):
    for table in some_tables(5)[:20]:
        won = three_card.winners(table, rules=rules)
        assert won.shape == (5,)
        assert won.dtype == np.bool_
        assert won.tolist() == naive.winners(table, rules)


# --- rules and hands that hypothesis thinks of ---

a_table = (
    st.integers(2, 17)
    .flatmap(
        lambda players: st.lists(
            st.integers(0, 51), min_size=3 * players, max_size=3 * players, unique=True
        )
    )
    .map(lambda dealt: [dealt[i : i + 3] for i in range(0, len(dealt), 3)])
)
rank_rules = st.builds(
    Rules,
    order=st.permutations(list(Category)),
    a23=st.sampled_from(["lowest", "second", "highest", "none"]),
    special_235=st.sampled_from(["off", "beats_trips", "beats_aces"]),
    highest_trips=st.sampled_from(naive.RANKS),
    suit_tiebreak=st.sampled_from([None, "top_card", "card_by_card"]),
)
point_rules = st.builds(
    Rules,
    order=st.permutations(list(Category)),
    a23=st.sampled_from(["lowest", "second", "highest", "none"]),
    points=st.tuples(*[st.integers(0, 1000) | st.integers(0, MAX_MULTIPLIER)] * 6),
)
any_rules = rank_rules | point_rules


@given(any_rules, st.integers(0, 2**32 - 1))
@settings(max_examples=150)
def test_any_rules(rules, seed):
    rng = random.Random(seed)
    hands = [hand for notable in NOTABLE.values() for hand in rng.sample(notable, 4)]
    hands += rng.sample(naive.all_hands(), 60)
    codes = three_card.classify(hands, rules=rules)
    assert codes.tolist() == [naive.category(hand, rules) for hand in hands]
    if rules.transitive:
        strength = three_card.strength(hands, rules=rules)
        expected = dense_ranks([naive.sort_key(hand, rules) for hand in hands])
        np.testing.assert_array_equal(np.unique(strength, return_inverse=True)[1], expected)
    if rules.points is not None:
        points = three_card.points(hands, rules=rules)
        assert points.tolist() == [naive.points(hand, rules) for hand in hands]
    for players in (2, 3, 5):
        tables = [some_table(players, rng) for _ in range(10)]
        won = three_card.winners(tables, rules=rules)
        assert won.tolist() == [naive.winners(table, rules) for table in tables]


@given(any_rules, a_table)
def test_any_table(rules, table):
    assert three_card.winners(table, rules=rules).tolist() == naive.winners(table, rules)


@each(RULE_SETS)
def test_the_order_of_the_cards_does_not_matter(rules):
    for order in permutations(range(3)):
        shuffled = HANDS[:, order]
        np.testing.assert_array_equal(
            three_card.classify(shuffled, rules=rules), three_card.classify(HANDS, rules=rules)
        )
        if rules.transitive:
            np.testing.assert_array_equal(
                three_card.strength(shuffled, rules=rules), three_card.strength(HANDS, rules=rules)
            )
        if rules.points is not None:
            np.testing.assert_array_equal(
                three_card.points(shuffled, rules=rules), three_card.points(HANDS, rules=rules)
            )


@each(SUITS_FREE)
def test_suits_may_be_exchanged_where_they_do_not_rank(rules):
    for suits in permutations(np.arange(4, dtype=np.uint8)):
        exchanged = HANDS // 4 * 4 + np.array(suits)[HANDS % 4]
        np.testing.assert_array_equal(
            three_card.classify(exchanged, rules=rules), three_card.classify(HANDS, rules=rules)
        )
        if rules.transitive:
            np.testing.assert_array_equal(
                three_card.strength(exchanged, rules=rules), three_card.strength(HANDS, rules=rules)
            )


@given(any_rules, a_table, st.permutations(range(4)), st.randoms(use_true_random=False))
def test_winners_stay_winners(rules, table, suits, rng):
    """Whatever the order of the cards, and with suits exchanged where they do not rank."""
    if rules.suit_tiebreak is None:
        table = [[card // 4 * 4 + suits[card % 4] for card in hand] for hand in table]
    before = three_card.winners(table, rules=rules).tolist()
    shuffled = [rng.sample(hand, 3) for hand in table]
    assert three_card.winners(shuffled, rules=rules).tolist() == before


# --- tally ---


@pytest.mark.parametrize("by", ["category", "top_card"])
@each(RULE_SETS)
def test_tally_counts_rows(rules, by):
    counted = three_card.tally(HANDS, rules=rules, by=by)
    rows = Counter(naive.row(hand, by, rules) for hand in naive.all_hands())
    assert list(counted.counts) == [rows[row] for row in range(len(counted.labels))]
    assert counted.total == len(HANDS)
    assert counted.counts.dtype == np.int64


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_tally_does_not_depend_on_workers_or_layout(workers):
    hands = np.resize(HANDS, (1_000_003, 3))
    expected = np.bincount(three_card.classify(hands), minlength=6)
    for layout in (hands, np.asfortranarray(hands), np.repeat(hands, 2, axis=1)[:, ::2]):
        counted = three_card.tally(layout, workers=workers)
        np.testing.assert_array_equal(counted.counts, expected)
