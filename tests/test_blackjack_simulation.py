"""Blackjack games against a plain twin, bit for bit; and what a simulation promises."""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice

import naive
import naive_blackjack
import numpy as np
import pytest
from scipy import stats

from cardstats import _engine, blackjack, compare
from cardstats._random import LANES, WORD_LANES, lane_states
from cardstats.blackjack import (
    MIMIC_DEALER,
    SEED_RULES,
    Policy,
    Rules,
    dealing,
    simulation,
    stand_on,
)
from cardstats.blackjack.dealer import longest_hand
from cardstats.blackjack.decks import deck_of

LEAST_P = 1e-3
IN_LANES = 9  # cards of a game that may drop it; later ones are drawn until they fit

TWO_PACKS = Rules(name="two packs", decks=2, natural_beats_21=False)
SIX_PACKS = Rules(name="six packs", decks=6, hit_soft_17=True)
ENDLESS = Rules(name="endless", decks=math.inf, natural_payout="3:2")
RULE_SETS = [SEED_RULES, TWO_PACKS, SIX_PACKS, ENDLESS]
# Numbers of a byte up to four packs, of two beyond; ranks by shift for 1, 2, 4 and 8 packs.
EVERY_DECK = [*RULE_SETS, *(Rules(name=f"{packs} packs", decks=packs) for packs in (3, 4, 5, 8))]


def basic_table():
    hit = np.zeros((22, 2, 11), bool)
    hit[:12] = hit[:17, 0, 7:] = hit[:18, 1] = hit[:17, 0, 1] = True
    return Policy.from_table(hit, name="basic")


def greedy_table():
    """Draws to a soft 21, a natural included, and to a hard 20."""
    hit = np.zeros((22, 2, 11), bool)
    hit[:21, 0] = hit[:, 1] = True
    return Policy.from_table(hit, name="greedy", dealer_cards_seen=0)


BASIC = basic_table()
BY_COMPOSITION = Policy.from_compositions(
    {("10 2", "4"): True, ("8 4", "4"): False, ("5 A", "10"): False},
    otherwise=BASIC,
    name="basic but",
)
BOTH_SEEN = Policy.from_compositions(
    {("10 2", "10 6"): False, ("10 6", "10 9"): True, ("A 10", "A 10"): True},
    otherwise=stand_on(16),
    name="both seen",
    dealer_cards_seen=2,
)
POLICIES = [MIMIC_DEALER, stand_on(12), BASIC, greedy_table(), BY_COMPOSITION, BOTH_SEEN]


def by_name(argument, values):
    return pytest.mark.parametrize(argument, values, ids=lambda value: value.name)


# --- the plain twin ---


def plain_results(seed, policy, rules):
    """Results without end: codes of `Result`, of the games that are not dropped."""
    states = lane_states(seed).reshape(4, WORD_LANES).T.tolist()
    lanes = [naive.xoshiro128pp(state) for state in states]
    while True:
        rows = []

        def number(row, game, rows=rows):
            while row >= len(rows):  # words come three rows at a time
                rows += [[next(lane) for lane in lanes] for _ in range(3)]
            return rows[row][game // 2] >> 16 * (game % 2) & 0xFFFF

        number(IN_LANES - 1, 0)
        games = [Game(number, game, rules) for game in range(LANES)]
        kept = [game for game in games if not game.dropped]
        yield from [game.play(policy) for game in kept]


class Game:
    """One game, its cards drawn from one column of numbers."""

    def __init__(self, number, column, rules):
        self.number, self.column, self.rules = number, column, rules
        self.endless = rules.decks == math.inf
        self.deck = list(range(13 if self.endless else 52 * rules.decks))
        self.row = 0
        self.dropped = False
        self.first = [self.draw(may_drop=True) for _ in range(IN_LANES)]

    def draw(self, may_drop=False):
        """A value; a number that would bias it drops the game, or is passed over."""
        while True:
            product = self.number(self.row, self.column) * len(self.deck)
            self.row += 1
            biased = product % 2**16 < 2**16 % len(self.deck)
            if biased and not may_drop:
                continue
            self.dropped |= biased
            card = self.deck[product >> 16] if self.endless else self.deck.pop(product >> 16)
            rank = card if self.endless else card // (4 * self.rules.decks)
            return min(rank, 9) + 1

    def play(self, policy):
        cards = iter(lambda: self.first.pop(0) if self.first else self.draw(), None)
        player, dealer = [], []
        for hand in (player, dealer, player, dealer):
            hand.append(next(cards))
        seen = dealer[: policy.dealer_cards_seen]
        while naive_blackjack.total(player) <= 21 and policy.hits(player, seen):
            player.append(next(cards))
        if naive_blackjack.total(player) <= 21:
            while must_draw(dealer, self.rules):
                dealer.append(next(cards))
        return result(player, dealer, self.rules)


def must_draw(dealer, rules):
    total = naive_blackjack.total(dealer)
    return total < 17 or (total == 17 and naive_blackjack.is_soft(dealer) and rules.hit_soft_17)


def result(player, dealer, rules):
    """Code of `Result`, from the rules of the game."""
    own, his = naive_blackjack.total(player), naive_blackjack.total(dealer)
    natural = own == 21 and len(player) == 2
    if own > 21:
        return 3
    if rules.natural_beats_21 and natural != (his == 21 and len(dealer) == 2) and his == own:
        return 0 if natural else 3
    if his > 21 or own > his:
        return 0 if natural else 1
    return 2 if own == his else 3


@cache
def plain_counts(rules, policy_number, games):
    chunk = np.random.SeedSequence(11, spawn_key=(0,))
    results = islice(plain_results(chunk, POLICIES[policy_number], rules), games)
    return np.bincount(list(results), minlength=4).tolist()


@by_name("rules", EVERY_DECK)
@pytest.mark.parametrize("number", range(len(POLICIES)), ids=lambda n: POLICIES[n].name)
def test_simulate_plays_the_plain_games(rules, number):
    counted = blackjack.simulate(2500, POLICIES[number], rules=rules, rng=11)
    assert counted.counts.tolist() == plain_counts(rules, number, 2500)


def test_known_games():
    """A change here changes every simulated figure."""
    assert blackjack.simulate(10_000, MIMIC_DEALER, rng=7).counts.tolist() == KNOWN


KNOWN = [475, 3632, 871, 5022]


# --- chance ---


@by_name("rules", RULE_SETS)
@by_name("policy", POLICIES)
def test_simulated_games_fit_the_exact_outcome(policy, rules):
    exact = blackjack.exact_outcome(policy, rules=rules).distribution
    p_values = [
        compare(blackjack.simulate(20_000, policy, rules=rules, rng=seed), exact).p_value
        for seed in range(40)
    ]
    assert stats.kstest(p_values, "uniform").pvalue > LEAST_P
    assert min(p_values) > LEAST_P / len(p_values)


@pytest.mark.parametrize("seen", [0, 1, 2])
def test_the_best_play_does_as_well_as_it_should(seen):
    policy = blackjack.optimal_policy(dealer_cards_seen=seen)
    exact = blackjack.exact_outcome(policy).distribution
    assert compare(blackjack.simulate(1_000_000, policy, rng=3), exact).p_value > LEAST_P


def test_a_long_run_fits():
    run = blackjack.simulate(20_000_000, MIMIC_DEALER, rng=1)
    found = compare(run, blackjack.exact_outcome(MIMIC_DEALER).distribution)
    assert found.p_value > LEAST_P
    assert np.abs(found.z).max() < 4


# --- promises ---


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of 3,000 games."""
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 8 * 3000)


@pytest.mark.usefixtures("small_chunks")
@by_name("policy", [MIMIC_DEALER, BASIC, BY_COMPOSITION])
def test_workers_change_nothing(policy):
    alone = blackjack.simulate(20_000, policy, rng=9)
    assert blackjack.simulate(20_000, policy, rng=9, workers=3) == alone
    with ThreadPoolExecutor(2) as pool:
        assert blackjack.simulate(20_000, policy, rng=9, workers=pool.map) == alone


def test_how_a_policy_is_written_changes_nothing():
    """As a threshold, as a table, by compositions: the same games."""
    table = Policy.from_table(MIMIC_DEALER.hit, name="table")
    spelled = Policy(name="spelled", hit=MIMIC_DEALER.by_composition(), dealer_cards_seen=0)
    plays = [simulation._plays(policy) for policy in (MIMIC_DEALER, table, spelled)]
    assert [play.threshold > 0 for play in plays] == [True, True, False]
    counts = [
        blackjack.simulate(50_000, policy, rng=4).counts.tolist()
        for policy in (MIMIC_DEALER, table, spelled)
    ]
    assert counts[0] == counts[1] == counts[2]


@pytest.mark.usefixtures("small_chunks")
def test_a_checkpoint_is_taken_up(tmp_path):
    path = tmp_path / "run.json"
    blackjack.simulate(10_000, BASIC, rng=9, checkpoint=path)
    grown = blackjack.simulate(20_000, BASIC, rng=9, checkpoint=path)
    assert grown == blackjack.simulate(20_000, BASIC, rng=9)


@pytest.mark.parametrize("change", [{"policy": MIMIC_DEALER}, {"rules": SIX_PACKS}])
def test_a_checkpoint_of_other_work_is_refused(tmp_path, change):
    path = tmp_path / "run.json"
    blackjack.simulate(1000, BASIC, rng=9, checkpoint=path)
    with pytest.raises(ValueError, match="is of other work"):
        blackjack.simulate(1000, **{"policy": BASIC, **change}, rng=9, checkpoint=path)


def test_policies_of_one_name_are_told_apart():
    one = Policy.from_table(BASIC.hit, name="mine")
    other = Policy.from_table(MIMIC_DEALER.hit, name="mine")
    with pytest.raises(ValueError, match="mine"):
        blackjack.simulate(100, one, rng=1) + blackjack.simulate(100, other, rng=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, "mimic"), "policy: expected blackjack.Policy"),
        ((-1, MIMIC_DEALER), "games: -1 is negative"),
        ((10, MIMIC_DEALER, {"rules": "seed"}), "rules: expected blackjack.Rules"),
        ((10, MIMIC_DEALER, {"workers": 0}), "workers: 0 is less than 1"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    games, policy, *options = arguments
    with pytest.raises((TypeError, ValueError), match=message):
        blackjack.simulate(games, policy, **(options[0] if options else {}))


@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_there_is_room_for_the_longest_game(hit_soft_17):
    """A player of aces and a hand of the dealer: beyond it a kernel would write past its rows."""
    rules = Rules(decks=8, hit_soft_17=hit_soft_17)
    assert 22 + longest_hand(deck_of(rules), hit_soft_17) <= dealing.MOST_CARDS
