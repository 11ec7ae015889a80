"""Whether chance is fair: cards, hands and tables as often as they should be, over many seeds.

All seeds are pinned. A test looks at many of them and asks whether the p-values are uniform: a
generator that is too regular fails as a biased one does. What the p-values come from is written
out here for cards and hands; for classes it is `cardstats.compare`, against exact results.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from three_card_samples import each

from cardstats import compare, three_card
from cardstats.results import Tally
from cardstats.three_card import RULES, Rules, simulation

each_by = pytest.mark.parametrize("by", ["category", "top_card"])
LEAST_P = 1e-3


def assert_uniform(p_values):
    assert stats.kstest(p_values, "uniform").pvalue > LEAST_P
    # A single one that is absurd would not move the test of all.
    assert min(p_values) > LEAST_P / len(p_values)


# --- cards ---


@pytest.mark.parametrize("players", [1, 5, 17])
def test_every_card_comes_equally_often(players):
    """Pearson's sum, divided by what it is on average for cards that share a game.

    A card is in a game once or not at all, with probability p = 3·players/52: a game's counts
    have the variances p(1 − p) and the covariances −p(1 − p)/51.
    """
    p_values = []
    shrinks = (1 - 3 * players / 52) * 52 / 51
    for seed in range(300):
        counts = np.bincount(three_card.deal(5_000, players=players, rng=seed).ravel())
        p_values.append(stats.chi2.sf(stats.chisquare(counts).statistic / shrinks, df=51))
    assert_uniform(p_values)


def test_every_position_gets_every_card():
    """Each of the 51 positions at a full table, in turn; ten times."""
    p_values = []
    for seed in range(510):
        cards = three_card.deal(5_000, players=17, rng=seed).reshape(-1, 51)[:, seed % 51]
        p_values.append(stats.chisquare(np.bincount(cards, minlength=52)).pvalue)
    assert_uniform(p_values)


def test_every_two_positions_get_every_two_cards():
    """Each two of the 51 positions, within a hand and between seats: all 52 × 51 ordered pairs."""
    p_values = []
    for seed, (one, other) in enumerate(combinations(range(51), 2)):
        cards = three_card.deal(20_000, players=17, rng=seed).reshape(-1, 51).astype(int)
        pairs = np.bincount(52 * cards[:, one] + cards[:, other], minlength=52**2)
        equal = np.arange(52) * 53
        assert not pairs[equal].any()
        p_values.append(stats.chisquare(np.delete(pairs, equal)).pvalue)
    assert_uniform(p_values)


@pytest.mark.parametrize("lag", [1, 2, 512, 1024])
def test_a_game_tells_nothing_of_later_ones(lag):
    """Games beside each other share a word, games 512 apart a lane."""
    p_values = []
    for seed in range(200):
        cards = three_card.deal(20 * 2048, rng=seed)[:, 0].reshape(-1, 2, lag).astype(int)
        pairs = np.bincount((52 * cards[:, 0] + cards[:, 1]).ravel(), minlength=52**2)
        p_values.append(stats.chisquare(pairs).pvalue)
    assert_uniform(p_values)


# --- hands ---

HANDS = 22_100


def numbers_of(hands):
    """Number each of the 22,100 hands, whatever the order of its cards."""
    low, middle, high = np.sort(hands, axis=1).T.astype(int)
    return low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6


def test_hands_are_numbered_without_gaps():
    assert sorted(numbers_of(three_card.all_hands()).tolist()) == list(range(HANDS))


@pytest.mark.parametrize("players", [1, 17])
def test_every_hand_comes_equally_often(players):
    """Of a full table, each seat in turn."""
    p_values = []
    together = np.zeros(HANDS, int)
    for seed in range(102):
        hands = three_card.deal(10 * HANDS, players=players, rng=seed)[:, seed % players]
        counts = np.bincount(numbers_of(hands), minlength=HANDS)
        p_values.append(stats.chisquare(counts).pvalue)
        together += counts
    assert_uniform(p_values)
    assert LEAST_P < stats.chisquare(together).pvalue < 1 - LEAST_P


# --- classes ---

NO_A23 = Rules(name="no-a23", a23="none")


@pytest.mark.parametrize("rules", [RULES["zha-jin-hua"], NO_A23], ids=lambda rules: rules.name)
@pytest.mark.parametrize("players", [1, 2, 5])
@each_by
def test_classes_come_as_often_as_they_should(by, players, rules):
    exact = three_card.exact_categories(rules=rules, by=by)
    assert_uniform(
        [
            compare(
                three_card.simulate(50_000, players=players, rules=rules, by=by, rng=seed), exact
            ).p_value
            for seed in range(100)
        ]
    )


# --- showdowns ---

OUTCOMES = ["win", "draw", "lose", "best"]
SHOWDOWN_SEEDS = 12


@cache
def showdown_p_values(players, by, name):
    """By outcome, one p-value a seed; no seed serves two rule sets."""
    rules = RULES[name]
    exact = three_card.exact_showdown(players=players, rules=rules, by=by)
    first = SHOWDOWN_SEEDS * list(RULES).index(name)
    shown = [
        three_card.simulate_showdown(100_000, players=players, rules=rules, by=by, rng=seed)
        for seed in range(first, first + SHOWDOWN_SEEDS)
    ]
    return {of: [compare(one, exact, of=of).p_value for one in shown] for of in OUTCOMES}


@each(RULES)
@pytest.mark.parametrize("players", [2, 3])
@each_by
def test_no_showdown_is_absurd(by, players, rules):
    for of, p_values in showdown_p_values(players, by, rules.name).items():
        assert min(p_values) > 1e-4, of


@pytest.mark.parametrize("of", OUTCOMES)
@pytest.mark.parametrize("players", [2, 3])
@each_by
def test_showdowns_come_out_as_they_should(by, players, of):
    assert_uniform([p for name in RULES for p in showdown_p_values(players, by, name)[of]])


BY_RANK = {name: rules for name, rules in RULES.items() if rules.decided_by_rank}


@pytest.mark.parametrize("players", [4, 5])
@each_by
def test_the_best_hand_is_as_good_as_it_should_be(by, players):
    p_values = []
    for number, rules in enumerate(BY_RANK.values()):
        exact = three_card.exact_best(players=players, rules=rules, by=by)
        for seed in range(20 * number, 20 * number + 20):
            shown = three_card.simulate_showdown(
                50_000, players=players, rules=rules, by=by, rng=seed
            )
            best = Tally("best", shown.labels, shown.labels_zh, np.array(shown.best))
            p_values.append(compare(best, exact).p_value)
    assert_uniform(p_values)


@pytest.mark.parametrize("hero", ["As Kd 7c", "2d 3c 5s", "9d 9c Ks", "4h 5h 7h"])
@pytest.mark.parametrize("opponents", [1, 2])
@each(RULES)
def test_a_given_hand_wins_as_often_as_it_should(rules, opponents, hero):
    hand = three_card.parse(hero)
    exact = three_card.equity(hand, opponents=opponents, rules=rules)
    games = 200_000
    counts = simulation.equity_counts(
        hand, players=1 + opponents, rules=rules, games=games, rng=opponents
    )
    seen = {"win": counts[0], "draw": sum(counts[1:]), "lose": games - sum(counts)}
    for name, count in seen.items():
        chance = getattr(exact, name) / exact.total
        assert stats.binomtest(count, games, chance).pvalue > 1e-4, name
