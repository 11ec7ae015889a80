"""Where two rule sets name different winners: against brute force in Python and NumPy."""

from collections import Counter
from functools import cache
from itertools import permutations

import naive
import numpy as np
import pytest
from three_card_samples import HANDS, RULE_SETS

from cardstats import _engine, compare
from cardstats.three_card import (
    TEEN_PATTI,
    THREE_CARD_BRAG,
    THREE_CARD_POKER,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_235,
    ZHA_JIN_HUA_POINTS,
    Rules,
    deal,
    exact_disagreement,
    simulate_disagreement,
)

PAIRS_OF_HANDS = 22_100 * 18_424  # all hands, times all of the 49 cards left
MASKS = (np.uint64(1) << HANDS.astype(np.uint64)).sum(axis=1)

BY_RANK_000 = Rules(name="points' order, by rank", order=ZHA_JIN_HUA_POINTS.order)
SUITS_FREE = [
    (ZHA_JIN_HUA_POINTS, ZHA_JIN_HUA),
    (ZHA_JIN_HUA_POINTS, BY_RANK_000),
    (TEEN_PATTI, THREE_CARD_BRAG),
    (THREE_CARD_POKER, RULE_SETS["upside-down"]),
    (RULE_SETS["sum-of-ranks"], RULE_SETS["points-past-16-bits"]),
]
WITH_SUITS = (RULE_SETS["top-card"], RULE_SETS["card-by-card-highest"])


def name_pair(pair):
    return " - ".join(rules.name for rules in pair)


# --- Counted ----------------------------------------------------------------------------------


@cache
def places(rules):
    """Place of each of the 22,100 hands, equal for those that tie."""
    keys = [naive.sort_key(hand, rules) for hand in HANDS.tolist()]
    place = {key: number for number, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys], dtype=np.int32)


def plain_counts(rules, other, heroes):
    """Same winners, a tie on one side, other winners: of weighted heroes against all hands."""
    ours, theirs = places(rules), places(other)
    counts = np.zeros(3, dtype=np.int64)
    for hero, weight in heroes.items():
        free = (MASKS & MASKS[hero]) == 0
        here, there = result(ours, hero), result(theirs, hero)
        same = np.count_nonzero(free & (here == there))
        apart = np.count_nonzero(free & (here * there == -1))
        counts += weight * np.array([same, np.count_nonzero(free) - same - apart, apart])
    return counts.tolist()


def result(places, hero):
    """1 where the hero beats the other hand, 0 where they tie, -1 where the other is better."""
    won, lost = places[hero] > places, places[hero] < places
    return won.view(np.int8) - lost.view(np.int8)


@cache
def heroes_up_to_suits():
    """One hand of all that differ by a permutation of the suits, and how many those are."""
    suits = np.array(list(permutations(range(4))), dtype=np.int64)
    images = np.sort(HANDS // 4 * 4 + suits[:, HANDS % 4], axis=-1)
    least = (images @ [52 * 52, 52, 1]).min(axis=0)
    _, first, hands = np.unique(least, return_index=True, return_counts=True)
    return dict(zip(first.tolist(), hands.tolist(), strict=True))


def test_heroes_up_to_suits_stand_for_all_hands():
    assert sum(heroes_up_to_suits().values()) == len(HANDS)
    assert len(heroes_up_to_suits()) == 13 + 13 * 12 * 2 + 286 * 5  # trips, pairs, the others


@pytest.mark.parametrize("pair", SUITS_FREE, ids=name_pair)
def test_exact_is_the_brute_force(pair):
    rules, other = pair
    exact = exact_disagreement(rules=rules, other=other)
    assert list(exact.counts) == plain_counts(rules, other, heroes_up_to_suits())


def test_exact_is_the_brute_force_where_suits_rank():
    rules, other = WITH_SUITS
    exact = exact_disagreement(rules=rules, other=other)
    assert list(exact.counts) == plain_counts(rules, other, dict.fromkeys(range(len(HANDS)), 1))


@pytest.mark.parametrize("pair", [*SUITS_FREE, WITH_SUITS], ids=name_pair)
def test_exact_counts_all_ordered_pairs_of_hands_whichever_comes_first(pair):
    rules, other = pair
    exact = exact_disagreement(rules=rules, other=other)
    assert exact.total == PAIRS_OF_HANDS
    assert len(exact.labels) == len(exact.labels_zh) == 3
    assert exact.counts == exact_disagreement(rules=other, other=rules).counts
    for name in (rules.name, other.name):
        assert name in exact.title
        assert name in exact.title_zh


@pytest.mark.parametrize("rules", [ZHA_JIN_HUA_POINTS, RULE_SETS["card-by-card"]])
def test_rules_agree_with_themselves(rules):
    twin = eval(repr(rules), {"Rules": Rules})
    assert exact_disagreement(rules=rules, other=twin).counts == (PAIRS_OF_HANDS, 0, 0)
    assert simulate_disagreement(1000, rules=rules, other=twin, rng=1).counts.tolist() == [
        1000,
        0,
        0,
    ]


def test_points_against_rank_is_the_default():
    rules = {"rules": ZHA_JIN_HUA_POINTS, "other": ZHA_JIN_HUA}
    assert exact_disagreement() == exact_disagreement(**rules)
    assert simulate_disagreement(1000, rng=1) == simulate_disagreement(1000, **rules, rng=1)


# --- Dealt ------------------------------------------------------------------------------------


def plain_tally(tables, rules, other):
    """The same three counts, of tables with any number of players."""
    counts = Counter()
    for table in tables.tolist():
        ours, theirs = (naive.winners(table, each) for each in (rules, other))
        common = any(one and two for one, two in zip(ours, theirs, strict=True))
        counts["same" if ours == theirs else "tie" if common else "apart"] += 1
    return [counts["same"], counts["tie"], counts["apart"]]


@pytest.mark.parametrize(
    ("players", "games", "rules", "other"),
    [
        (2, 3000, ZHA_JIN_HUA_POINTS, ZHA_JIN_HUA),
        (2, 3000, THREE_CARD_BRAG, RULE_SETS["top-card"]),
        (5, 1500, ZHA_JIN_HUA_POINTS, BY_RANK_000),
        (5, 1500, RULE_SETS["aces-235-suits"], TEEN_PATTI),
        (17, 600, ZHA_JIN_HUA_POINTS, ZHA_JIN_HUA_235),
        (17, 600, THREE_CARD_POKER, RULE_SETS["trips-235-low-trips"]),
    ],
)
def test_simulated_winners_are_those_of_the_dealt_tables(players, games, rules, other):
    seen = simulate_disagreement(games, players=players, rules=rules, other=other, rng=5)
    expected = plain_tally(deal(games, players=players, rng=5), rules, other)
    assert sum(expected[1:]) > 0
    assert seen.counts.tolist() == expected


def test_a_special_235_is_seen():
    """It is all that tells these two apart: about one table of 17 in six hundred."""
    rules = {"rules": ZHA_JIN_HUA, "other": ZHA_JIN_HUA_235}
    seen = simulate_disagreement(30_000, players=17, **rules, rng=2)
    tables = deal(30_000, players=17, rng=2)
    ranks = np.sort(tables // 4, axis=-1)
    trips = (ranks[..., 0] == ranks[..., 2]).any(axis=1)
    two_three_five = (ranks == [0, 1, 3]).all(axis=-1).any(axis=1)
    expected = plain_tally(tables[trips & two_three_five], **rules)
    assert expected[2] > 10
    assert seen.counts[1:].tolist() == expected[1:]


def test_simulated_agrees_with_exact():
    seen = simulate_disagreement(300_000, rng=1)
    assert compare(seen, exact_disagreement()).p_value > 1e-3
    assert compare(seen, exact_disagreement(other=BY_RANK_000)).p_value < 1e-4


def test_games_are_counted_not_hands():
    seen = simulate_disagreement(1234, players=17, rng=1)
    assert (seen.total, seen.games, seen.players) == (1234, 1234, 1)
    assert seen.labels == exact_disagreement().labels
    assert "17" in seen.title
    assert "17" in seen.title_zh
    assert simulate_disagreement(0, rng=1).total == 0


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of 1,700 hands: 100 games of 17."""
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 1700)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("players", [2, 17])
def test_workers_change_nothing(players):
    one, two, three = (
        simulate_disagreement(2550, players=players, rng=8, workers=workers)
        for workers in (1, 2, 3)
    )
    assert one == two == three
    tables = deal(2550, players=players, rng=8)
    expected = plain_tally(tables[-50:], ZHA_JIN_HUA_POINTS, ZHA_JIN_HUA)
    before = simulate_disagreement(2500, players=players, rng=8)
    assert (one.counts - before.counts).tolist() == expected


def test_another_seed_is_another_sample():
    counts = {tuple(simulate_disagreement(10_000, rng=seed).counts) for seed in range(5)}
    assert len(counts) > 3


# --- Bad input --------------------------------------------------------------------------------

each_argument = pytest.mark.parametrize("argument", ["rules", "other"])


@each_argument
@pytest.mark.parametrize("name", ["zha-jin-hua-235", "aces-235"])
def test_exact_needs_hands_in_one_line(argument, name):
    with pytest.raises(ValueError, match=rf"^{argument}: .*{name}.*no total order"):
        exact_disagreement(**{argument: RULE_SETS[name]})


@each_argument
@pytest.mark.parametrize(
    "function", [exact_disagreement, lambda **rules: simulate_disagreement(10, **rules)]
)
@pytest.mark.parametrize("wrong", ["teen-patti", None, 3, Rules])
def test_what_is_no_rules_is_refused_by_its_argument(function, argument, wrong):
    with pytest.raises(TypeError, match=rf"^{argument}: expected three_card.Rules"):
        function(**{argument: wrong})


@pytest.mark.parametrize("players", [-1, 0, 1, 18])
def test_players_that_cannot_disagree_are_refused(players):
    with pytest.raises(ValueError, match=rf"^players: .*{players}"):
        simulate_disagreement(10, players=players)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"players": 2.5}, TypeError),
        ({"players": "two"}, TypeError),
        ({"games": -1}, ValueError),
        ({"games": 1.5}, TypeError),
        ({"workers": 0}, ValueError),
    ],
    ids=str,
)
def test_numbers_out_of_range_are_refused(options, error):
    [name] = options
    with pytest.raises(error, match=rf"^{name}: "):
        simulate_disagreement(**{"games": 10, **options})
