"""Blackjack hands as text and as values, and the oracle that the game's other tests rely on."""

from fractions import Fraction
from itertools import combinations

import naive_blackjack as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardstats import blackjack, cards
from cardstats.blackjack import SEED_RULES, Result, Rules

PAD = 255

# --- text ---


@pytest.mark.parametrize("text", ["♣ 10", "♣10", "♣ T", "10c", "TC", "♣️ 10", "梅花10", "Clubs 10"])
def test_spellings_of_a_ten(text):
    hand = blackjack.parse(text)
    assert hand.dtype == np.uint8
    assert hand.tolist() == cards.parse("Tc").tolist()


@pytest.mark.parametrize(("text", "card"), [("♦ Q", "Qd"), ("♣ a", "Ac"), ("♥ K", "Kh")])
def test_spellings_of_other_cards(text, card):
    assert blackjack.parse(text).tolist() == cards.parse(card).tolist()


def test_a_hand_as_the_terminal_game_prints_it():
    assert blackjack.format(blackjack.parse("♦ 4  ♥ 8  ♥ K  ")) == "4d 8h Kh"


def test_several_decks_hold_equal_cards():
    assert blackjack.parse("As As As").tolist() == [51, 51, 51]


@pytest.mark.parametrize(
    ("text", "named"), [("", "no card"), ("♣11", "♣11"), ("♣ 10 joker", "joker"), ("♣ 1", "♣")]
)
def test_anything_else_is_named(text, named):
    with pytest.raises(ValueError, match=rf"^text: .*{named}"):
        blackjack.parse(text)


@pytest.mark.parametrize("text", [None, 21, ["As"]])
def test_text_is_text(text):
    with pytest.raises(TypeError, match=r"^text: "):
        blackjack.parse(text)


a_hand = st.lists(st.integers(0, 51), min_size=1, max_size=22)


@given(a_hand, st.integers(0, 5), st.sampled_from(["ascii", "unicode", "zh"]))
def test_parse_reads_what_format_writes(hand, padding, style):
    text = blackjack.format(hand + [PAD] * padding, style=style)
    assert blackjack.parse(text).tolist() == hand


@given(a_hand, st.integers(0, 5))
def test_values(hand, padding):
    values = blackjack.values(hand + [PAD] * padding)
    assert values.dtype == np.uint8
    assert values.tolist() == [naive.value(card) for card in hand]


each_on_a_hand = pytest.mark.parametrize("function", [blackjack.format, blackjack.values])


@each_on_a_hand
@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ([], "no card at place 0"),
        ([PAD, PAD], "no card at place 0"),
        ([1, 52], "card 52 at place 1 is outside 0..51"),
        ([-1], "card -1 at place 0 is outside 0..51"),
        ([0, 300, PAD], "card 300 at place 1 is outside 0..51"),
        ([7, PAD, 8], "card 8 at place 2 comes after padding"),
        ([[1, 2]], r"shape \(k,\), got shape \(1, 2\)"),
    ],
)
def test_what_is_no_hand_is_refused(function, hand, message):
    with pytest.raises(ValueError, match=rf"^hand: .*{message}"):
        function(np.array(hand, dtype=np.int64))


@each_on_a_hand
@pytest.mark.parametrize("hand", ["As Kd", [1.0, 2.0], [True, False], None])
def test_only_integers_are_cards(function, hand):
    with pytest.raises(TypeError, match=r"^hand: "):
        function(hand)


def test_an_unknown_style_is_refused():
    with pytest.raises(ValueError, match=r"^style: .*'html'"):
        blackjack.format([1, 2], style="html")


# --- the oracle against published values, and against itself ---

HIT_SOFT_17 = Rules(name="hit-soft-17", hit_soft_17=True)
DEALER = {  # of one full deck: without an up-card, and with the up-card only removed
    None: "16900326749/115890875100 1720028192521/12458269073250 305386637273/2265139831500"
    " 6570733132133/37374807219750 5503785210449/74749614439500 32/663 2039239971/7190920100",
    1: "85180877/675354750 1167850669/8914682700 4328731633/33430060125"
    " 1465945252/11143353375 1723809247/33430060125 16/51 623348491/5348809620",
    6: "169123351/1013032125 131806096/1238150375 1433372137/13372024050"
    " 6733143841/66860120250 2617666687/26744048100 0 1148419537/2728984500",
    10: "335969/2936325 622313/5513100 516252/4502365"
    " 133266037/405212850 7388273/202606425 4/51 1459201/6810300",
}


@pytest.mark.parametrize("upcard", DEALER)
def test_the_dealer_of_a_full_deck(upcard):
    chances = naive.dealer(naive.pack(1), SEED_RULES, upcard)
    assert list(chances.values()) == [Fraction(text) for text in DEALER[upcard].split()]


@pytest.mark.parametrize("rules", [SEED_RULES, HIT_SOFT_17], ids=lambda rules: rules.name)
@pytest.mark.parametrize("decks", [1, 8, float("inf")])
def test_the_dealers_chances_are_those_of_the_upcards(rules, decks):
    deck = naive.pack(decks)
    mixed = dict.fromkeys(naive.DEALER_ROWS, Fraction(0))
    for upcard, chance, left in naive.draws(deck):
        for row, share in naive.dealer_from((upcard,), left, rules).items():
            mixed[row] += chance * share
    assert mixed == naive.dealer(deck, rules)
    assert sum(mixed.values()) == 1


def test_the_dealer_and_a_soft_17():
    assert not naive.dealer_draws([1, 6], SEED_RULES)
    assert naive.dealer_draws([1, 6], HIT_SOFT_17)
    assert not naive.dealer_draws([1, 6, 10], HIT_SOFT_17)
    assert naive.dealer_draws([10, 6], SEED_RULES)


def test_two_card_totals_of_one_deck():
    counts = dict.fromkeys(range(4, 22), 0)
    for pair in combinations(range(52), 2):
        counts[naive.total([naive.value(card) for card in pair])] += 1
    assert list(counts.values()) == TWO_CARD_TOTALS


TWO_CARD_TOTALS = [6, 16, 22, 32, 38, 48, 54, 64, 124, 128, 118, 112, 102, 96, 86, 80, 136, 64]


@pytest.mark.parametrize(
    ("player", "dealer", "what"),
    [
        ([1, 10], [7, 7, 7], Result.NATURAL),
        ([7, 7, 7], [1, 10], Result.LOSE),
        ([1, 10], [10, 1], Result.DRAW),
        ([7, 7, 7], [1, 2, 8], Result.DRAW),
        ([10, 6, 10], [10, 6, 10], Result.LOSE),
        ([10, 5], [10, 6, 10], Result.WIN),
        ([10, 9], [10, 8], Result.WIN),
        ([10, 8], [10, 9], Result.LOSE),
    ],
)
def test_what_two_hands_come_to(player, dealer, what):
    assert naive.result(player, dealer, SEED_RULES) == what


def test_where_a_natural_is_a_21():
    rules = Rules(name="plain", natural_beats_21=False)
    assert naive.result([1, 10], [7, 7, 7], rules) == Result.DRAW
    assert naive.result([7, 7, 7], [1, 10], rules) == Result.DRAW
    assert naive.result([1, 10], [10, 10], rules) == Result.NATURAL


SMALL = (2, 0, 1, 0, 1, 1, 0, 1, 0, 4)
RULE_SETS = [
    SEED_RULES,
    Rules(name="own", hit_soft_17=True, natural_beats_21=False, natural_payout="3:2"),
]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("seen", [0, 1, 2])
def test_the_best_play_is_worth_what_playing_it_brings(rules, seen):
    worth, plays = naive.best_plays(SMALL, rules, seen)
    chances = naive.outcome(lambda *known: plays[known], SMALL, rules, seen)
    assert sum(chances.values()) == 1
    assert naive.ev(chances, rules) == worth
    for stands_on in (12, 16, 20):
        other = naive.outcome(lambda hand, _, n=stands_on: naive.total(hand) < n, SMALL, rules)
        assert naive.ev(other, rules) < worth


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("deck", [(0, 0, 0, 0, 4, 0, 0, 0, 0, 4), (2, 0, 0, 0, 0, 0, 0, 0, 0, 5)])
@pytest.mark.parametrize("seen", [0, 1])
def test_no_policy_at_all_is_better(deck, rules, seen):
    assert naive.best_of_all_policies(deck, rules, seen) == naive.best_plays(deck, rules, seen)[0]


def test_mimicking_the_dealer_costs_what_both_going_bust_does():
    """Whoever plays alike wins and loses alike, except that the player goes bust first."""
    rules = Rules(name="plain", natural_beats_21=False)
    chances = naive.outcome(lambda hand, _: naive.dealer_draws(hand, rules), SMALL, rules)
    both = Fraction(0)
    for hand, chance, left in final_hands(SMALL, rules):
        if naive.total(hand) > 21:
            both += chance * naive.dealer(left, rules)["bust"]
    assert naive.ev(chances, rules) == -both


def final_hands(deck, rules, hand=(), chance=Fraction(1)):
    """Hands of one who plays like the dealer, each with its chance and what it leaves."""
    if len(hand) >= 2 and not naive.dealer_draws(hand, rules):
        yield hand, chance, deck
        return
    for value, share, left in naive.draws(deck):
        yield from final_hands(left, rules, (*hand, value), chance * share)
