"""Exact blackjack: against known fractions, a naive recursion on small decks, and each other."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache

import naive_blackjack as naive
import numpy as np
import pytest

from cardstats.blackjack.advice import Chances, advise
from cardstats.blackjack.dealer import (
    DRAWS_ON,
    NATURAL,
    NATURAL_HAND,
    count_standing,
    dealer_hands,
    orders_seen,
    ways_of,
)
from cardstats.blackjack.decks import compositions, deck_of, seen_hands, take
from cardstats.blackjack.exact import exact_dealer, exact_outcome, optimal_policy
from cardstats.blackjack.policy import MIMIC_DEALER, Policy, stand_on
from cardstats.blackjack.rules import MAX_DECKS, SEED_RULES, Result, Rules

HIT_SOFT_17 = Rules(name="h17", hit_soft_17=True)
TIED = Rules(name="tied naturals", natural_beats_21=False)
PAYING = Rules(name="3:2", natural_payout="3:2")
WORTHLESS = Rules(name="worthless naturals", natural_payout=0, hit_soft_17=True)
RULE_SETS = [SEED_RULES, HIT_SOFT_17, TIED, PAYING, WORTHLESS]

# What is left of one pack: at least 42 points, so that nobody runs out of cards.
SMALL_DECKS = {
    "aces and fives": (4, 0, 0, 0, 4, 0, 2, 0, 0, 2),
    "low cards": (1, 3, 1, 1, 1, 1, 0, 1, 0, 1),
    "sixes and tens": (1, 0, 0, 0, 0, 3, 0, 0, 0, 5),
    "mixed": (2, 1, 0, 1, 0, 1, 1, 0, 2, 2),
}


def missing(deck):
    """The cards that a pack lacks."""
    counts = zip(naive.PACK, deck, strict=True)
    return [value for value, (full, left) in enumerate(counts, 1) for _ in range(full - left)]


def ids(rules):
    return rules.name


# --- Close calls of a whole pack: another package has some of them wrong -------------------------


@pytest.mark.parametrize(
    ("player", "upcard", "hits"),
    [((3, 9), 3, True), ((3, 10), 2, False), ((7, 7), 10, False), ((1, 1, 2, 2, 2, 2, 3), 1, None)],
)
def test_hitting_gains_what_a_plain_recursion_says(player, upcard, hits):
    rules = Rules(name="as exactbj has it", hit_soft_17=True, natural_beats_21=False)
    deck = naive.without(naive.PACK, *player, upcard)
    stood = naive.ev(naive.standing(player, (upcard,), deck, rules), rules)
    gain = naive.hitting(player, upcard, deck, rules) - stood
    advice = advise(player, upcard, rules=rules)
    assert advice.hit.ev - advice.stand.ev == gain
    assert optimal_policy(rules=rules).hits(player, upcard) == (gain > 0)
    assert hits in (None, gain > 0)


# --- Known fractions ------------------------------------------------------------------------------

DEALER = {
    None: "16900326749/115890875100 1720028192521/12458269073250 305386637273/2265139831500 "
    "6570733132133/37374807219750 5503785210449/74749614439500 32/663 2039239971/7190920100",
    "A": "85180877/675354750 1167850669/8914682700 4328731633/33430060125 "
    "1465945252/11143353375 1723809247/33430060125 16/51 623348491/5348809620",
    6: "169123351/1013032125 131806096/1238150375 1433372137/13372024050 "
    "6733143841/66860120250 2617666687/26744048100 0 1148419537/2728984500",
    "K": "335969/2936325 622313/5513100 516252/4502365 133266037/405212850 "
    "7388273/202606425 4/51 1459201/6810300",
}


@pytest.mark.parametrize("upcard", DEALER)
def test_dealer_of_a_full_deck(upcard):
    dealer = exact_dealer(upcard=upcard)
    assert dealer.labels == ("17", "18", "19", "20", "21", "natural", "bust")
    assert dealer.probabilities == tuple(map(Fraction, DEALER[upcard].split()))
    assert all(type(count) is int for count in dealer.counts)
    assert math.gcd(*dealer.counts) == 1


def test_outcomes_of_the_seed_rules():
    mimic = exact_outcome(MIMIC_DEALER)
    assert mimic.ev == Fraction(-78514068325804565071, 980301202330317367500)
    assert rounded(mimic) == (0.4125183, 0.0948716, 0.4926101)
    assert rounded(exact_outcome(stand_on(15))) == (0.4232072, 0.0803067, 0.4964861)
    one = exact_outcome(optimal_policy())
    assert one.ev == Fraction(-3380430443297395297, 79483881270025732500)
    assert rounded(one) == (0.4366701, 0.08413, 0.4791999)
    both = exact_outcome(optimal_policy(dealer_cards_seen=2))
    assert both.ev == Fraction(5664001551830291437, 158967762540051465000)
    assert rounded(both) == (0.4734577, 0.0887146, 0.4378278)


def rounded(outcome):
    return tuple(round(float(part), 7) for part in (outcome.win, outcome.draw, outcome.lose))


def test_naturals():
    assert exact_outcome(MIMIC_DEALER).natural == Fraction(7552, 162435)
    dealt = exact_dealer().probabilities[5]
    assert dealt == Fraction(32, 663)
    # A natural wins unless the dealer has one too.
    assert exact_outcome(stand_on(12)).natural == dealt - Fraction(96, 54145)


def test_dealer_of_endless_decks():
    dealer = exact_dealer(rules=Rules(decks=math.inf))
    assert dealer.probabilities[5] == 2 * Fraction(4, 13) * Fraction(1, 13)
    assert dealer.total == 13 ** round(math.log(dealer.total, 13))
    assert exact_dealer(removed="A A A A A", rules=Rules(decks=math.inf)).counts == dealer.counts


# --- Against the naive recursion ------------------------------------------------------------------


@pytest.mark.parametrize("hit_soft_17", [False, True])
@pytest.mark.parametrize("decks", [1, 2, math.inf])
def test_dealer_is_the_naive_one(decks, hit_soft_17):
    rules = Rules(decks=decks, hit_soft_17=hit_soft_17)
    for upcard, removed in ((None, ()), (1, (10, 10, 2)), (6, (1, 1)), (10, (5, 6, 10))):
        found = exact_dealer(upcard=upcard, removed=removed, rules=rules).probabilities
        chances = naive.dealer(naive.pack(decks), rules, upcard, removed)
        assert found == tuple(chances.values())


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
def test_dealer_of_small_decks(deck):
    for upcard in [None, *(value for value, count in enumerate(deck, 1) if count)]:
        for rules in (SEED_RULES, HIT_SOFT_17):
            found = exact_dealer(upcard=upcard, removed=missing(deck), rules=rules)
            assert found.probabilities == tuple(naive.dealer(deck, rules, upcard).values())


def test_dealer_uses_up_a_deck():
    # 17 points: the dealer may need them all.
    deck = (1, 4, 0, 2, 0, 0, 0, 0, 0, 0)
    found = exact_dealer(removed=missing(deck), rules=HIT_SOFT_17)
    assert found.probabilities == tuple(naive.dealer(deck, HIT_SOFT_17).values())


@pytest.mark.parametrize("seen", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        *(("mixed", rules) for rules in RULE_SETS),
        *((name, rules) for name in list(SMALL_DECKS)[:-1] for rules in (SEED_RULES, WORTHLESS)),
    ],
    ids=lambda rules: getattr(rules, "name", rules),
)
def test_best_play_of_small_decks(name, rules, seen):
    deck = SMALL_DECKS[name]
    best, plays = naive.best_plays(deck, rules, seen)
    policy = optimal_policy(dealer_cards_seen=seen, removed=missing(deck), rules=rules)
    assert exact_outcome(policy, removed=missing(deck), rules=rules).ev == best
    for (player, dealer), play in plays.items():
        assert policy.hits(player, dealer) == play


@pytest.mark.parametrize("seen", [0, 1, 2])
@pytest.mark.parametrize("rules", RULE_SETS, ids=ids)
def test_outcome_of_any_policy(rules, seen):
    deck = SMALL_DECKS["mixed"]
    policy = random_policy(seen, by_total=seen < 2)
    outcome = exact_outcome(policy, removed=missing(deck), rules=rules)
    expected = naive.outcome(policy.hits, deck, rules, seen)
    assert dict(zip(Result, outcome.distribution.probabilities, strict=True)) == expected
    assert outcome.ev == naive.ev(expected, rules)


def random_policy(seen, *, by_total):
    rng = np.random.default_rng(seen)
    shape = (22, 2, 11) if by_total else (len(compositions().hands), len(seen_hands(seen)))
    return Policy(name="dice", hit=rng.random(shape) < 0.5, dealer_cards_seen=seen)


@pytest.mark.parametrize("decks", [1, 3, math.inf])
@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_standing_is_the_naive_one(decks, hit_soft_17):
    rules = Rules(decks=decks, hit_soft_17=hit_soft_17)
    deck = naive.pack(decks)
    for player, dealer in (
        ((1, 10), (1,)), ((5, 6, 10), (1, 10)), ((8, 9), (6,)), ((2, 3, 7), (2, 2)),
        ((10, 10), (5, 10)), ((1, 1, 1, 1, 7), (3,)),
    ):  # fmt: skip
        chances = naive.standing(player, dealer, naive.without(deck, *player, *dealer), rules)
        won = chances.get(Result.WIN, 0) + chances.get(Result.NATURAL, 0)
        found = advise(player, dealer, rules=rules).stand
        assert found[:3] == (won, chances.get(Result.DRAW, 0), chances.get(Result.LOSE, 0))
        assert found.ev == naive.ev(chances, rules)


# --- What must hold -------------------------------------------------------------------------------

ALL_RULES = [*RULE_SETS, Rules(name="8", decks=8), Rules(name="inf", decks=math.inf)]


@cache
def best(rules, seen):
    return exact_outcome(optimal_policy(dealer_cards_seen=seen, rules=rules), rules=rules)


@pytest.mark.parametrize("rules", ALL_RULES, ids=ids)
def test_more_seen_is_never_worse(rules):
    assert best(rules, 0).ev < best(rules, 1).ev < best(rules, 2).ev


@pytest.mark.parametrize("rules", ALL_RULES, ids=ids)
def test_no_threshold_is_better(rules):
    for total in range(4, 22):
        outcome = exact_outcome(stand_on(total), rules=rules)
        assert outcome.ev <= best(rules, 0).ev
        assert outcome.win + outcome.draw + outcome.lose == 1
        assert 0 < outcome.natural < outcome.win


@pytest.mark.parametrize("rules", ALL_RULES, ids=ids)
def test_the_best_play_beats_its_neighbours(rules):
    policy = optimal_policy(rules=rules)
    for player, dealer in (("10 6", 10), ("10 2", 4), ("A 7", "A"), ("8 8", 7)):
        other = {(player, dealer): not policy.hits(player, dealer)}
        worse = exact_outcome(Policy.from_compositions(other, otherwise=policy), rules=rules)
        assert worse.ev < best(rules, 1).ev


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
def test_mimicking_the_dealer_loses_when_both_bust(deck):
    both = sum(
        chance * exact_dealer(removed=[*missing(deck), *hand]).probabilities[-1]
        for hand, chance in busts(deck, SEED_RULES)
    )
    assert exact_outcome(MIMIC_DEALER, removed=missing(deck)).ev == -both


def test_mimicking_the_dealer_with_endless_decks():
    endless = Rules(decks=math.inf)
    bust = exact_dealer(rules=endless).probabilities[-1]
    assert exact_outcome(MIMIC_DEALER, rules=endless).ev == -(bust**2)


def busts(deck, rules):
    """Hands that a dealer busts with, and their chances."""
    hands = {((), deck): Fraction(1)}
    while hands:
        longer = Counter()
        for (hand, left), chance in hands.items():
            if naive.total(hand) > 21:
                yield hand, chance
            elif len(hand) < 2 or naive.dealer_draws(hand, rules):
                for value, part, rest in naive.draws(left):
                    longer[tuple(sorted((*hand, value))), rest] += chance * part
        hands = longer


@pytest.mark.parametrize("hit_soft_17", [False, True])
@pytest.mark.parametrize("decks", [1, 7, MAX_DECKS, math.inf])
def test_the_dealers_draws_fit_64_bits(decks, hit_soft_17):
    rules = Rules(decks=decks, hit_soft_17=hit_soft_17)
    hands, orders = dealer_hands(hit_soft_17), orders_seen(hit_soft_17, 0)
    # A natural wins against all but another: next to all draws of the dealer's are counted.
    natural = np.array([compositions().numbers[NATURAL_HAND]])
    draws = count_standing(deck_of(rules), rules, natural, orders)
    assert draws.win.max() < 2**57
    expected = [0] * len(draws.unit)
    left = take(deck_of(rules), NATURAL_HAND, "player")
    for final, cards, order, ways in zip(
        hands.final, hands.cards, orders[:, 0].tolist(), ways_of(left, hit_soft_17), strict=True
    ):
        if final not in (DRAWS_ON, NATURAL):
            expected[cards] += order * ways
    counted = zip(draws.win[0, 0].tolist(), draws.unit.tolist(), strict=True)
    assert [count * unit for count, unit in counted] == expected


# --- Hints while playing --------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [0, 1, 2])
def test_advice_is_the_naive_one(seen):
    deck = SMALL_DECKS["mixed"]
    for rules in (SEED_RULES, WORTHLESS):
        for player, dealer in (((1, 10), (10, 2)), ((2, 4), (1, 9)), ((4, 6), (9, 10))):
            shown = tuple(sorted(dealer[:seen]))
            advice = advise(player, shown, removed=missing(deck), rules=rules)
            left = naive.without(deck, *player, *shown)
            stand = naive.standing(player, shown, left, rules)
            assert advice.stand.ev == naive.ev(stand, rules)
            assert advice.hit.ev == sum(
                chance * naive_best((*player, value), shown, rest, rules)
                for value, chance, rest in naive.draws(left)
            )
            assert sum(advice.stand[:3]) == sum(advice.hit[:3]) == 1
            policy = optimal_policy(dealer_cards_seen=seen, removed=missing(deck), rules=rules)
            assert (advice.best == "hit") == policy.hits(player, shown)


def naive_best(player, shown, deck, rules):
    if naive.total(player) > 21:
        return Fraction(-1)
    drawn = sum(
        chance * naive_best((*player, value), shown, left, rules)
        for value, chance, left in naive.draws(deck)
    )
    return max(drawn, naive.ev(naive.standing(player, shown, deck, rules), rules))


def test_advice_where_nothing_is_open():
    lost = Chances(Fraction(0), Fraction(0), Fraction(1), Fraction(-1))
    advice = advise("10 4 7", "A K")
    assert advice.stand == advice.hit == lost
    assert advice.best == "stand"
    assert advise("A K", "10 A").stand == (0, 1, 0, 0)
    assert advise("A K", "10 9", rules=PAYING).stand == (1, 0, 0, Fraction(3, 2))
    assert advise([10, 10], [10, 9]).stand.ev == 1
    # The seed's sample round: 4 and 8 against a 10 and a queen must draw.
    sample = advise("4 8", "10 Q")
    assert sample.best == "hit"
    assert sample.stand == lost


def test_advice_adds_up_to_the_outcome():
    seen = advise("10 6", "10")
    hidden = [advise("10 6", ["10", value]) for value in range(1, 11)]
    chances = [Fraction(left, 49) for left in (4, 4, 4, 4, 4, 3, 4, 4, 4, 14)]
    for place in range(4):
        parts = zip(chances, (advice.stand[place] for advice in hidden), strict=True)
        assert seen.stand[place] == sum(chance * part for chance, part in parts)


# --- Titles and texts -----------------------------------------------------------------------------


def test_outcome_shows_itself():
    outcome = exact_outcome(stand_on(16), rules=PAYING)
    assert str(outcome).splitlines()[0] == "stand on 16, 3:2"
    assert outcome.to_text("zh").startswith("16 点停牌，3:2\n胜 ")
    assert repr(outcome) == "<Outcome: stand on 16, 3:2>"
    assert "expected value" in outcome._repr_html_()
    assert outcome.ev == outcome.win - outcome.lose + outcome.natural / 2
    assert outcome.distribution.labels == ("natural", "win", "draw", "lose")
    assert all(type(count) is int for count in outcome.distribution.counts)


def test_titles_of_the_dealer():
    assert exact_dealer(upcard=1).title == "dealer's final totals, up-card A, seed"
    assert exact_dealer(upcard="j").title_zh == "庄家的最终点数，明牌 10，seed"


# --- Errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: exact_dealer(upcard=11), ValueError, "upcard: 11 is no value; .* no card codes"),
        (lambda: exact_dealer(upcard=0), ValueError, "upcard: 0 is no value"),
        (lambda: exact_dealer(upcard="1"), ValueError, "upcard: cannot read '1'"),
        (lambda: exact_dealer(upcard=True), TypeError, "upcard: expected a value, got True"),
        (lambda: exact_dealer(upcard=7.0), TypeError, r"upcard: expected a value, got 7\.0"),
        (lambda: exact_dealer(removed="A x"), ValueError, "removed: cannot read 'x' at place 1"),
        (lambda: exact_dealer(removed=[1, 51]), ValueError, "removed: 51 at place 1 is no value"),
        (lambda: exact_dealer(removed=[None]), TypeError, "removed: expected a value, got None"),
        (
            lambda: exact_dealer(removed="A " * 5),
            ValueError,
            "removed: .* 5 cards of value 1; .* 4",
        ),
        (
            lambda: exact_dealer(upcard="A", removed="A A A A"),
            ValueError,
            "upcard: holds 1 cards of value 1; the deck has 0",
        ),
        (
            lambda: exact_dealer(removed=[*range(2, 11)] * 4 + [10] * 12),
            ValueError,
            "removed: leaves cards of 4 points",
        ),
        (
            lambda: exact_outcome(MIMIC_DEALER, removed=[*range(2, 11)] * 4 + [10] * 9),
            ValueError,
            "removed: leaves cards of 34 points.* more than 41",
        ),
        (lambda: exact_dealer(rules="seed"), TypeError, r"rules: expected .* RULES\['seed'\]"),
        (lambda: exact_outcome("mimic"), TypeError, "policy: expected blackjack.Policy"),
        (
            lambda: optimal_policy(dealer_cards_seen=3),
            ValueError,
            "dealer_cards_seen: 3 is more than 2",
        ),
        (lambda: advise("10 5 9"), ValueError, "player: '10 5 9' is no hand that can be played"),
        (lambda: advise("10"), ValueError, "player: '10' is no hand"),
        (lambda: advise("10 9", "2 3 4"), ValueError, "dealer: number of cards: 3 is more than 2"),
        (lambda: advise("A A", "A A", removed="A"), ValueError, "dealer: .* the deck has 1"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
