"""Hands that programs got wrong: bug reports, test suites and questions, as one test each."""

from itertools import permutations

import pytest

from cardstats import cards, three_card
from cardstats.three_card import (
    RULES,
    TEEN_PATTI,
    THREE_CARD_BRAG,
    THREE_CARD_POKER,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_235,
    ZHA_JIN_HUA_POINTS,
    Category,
    Rules,
)

NO_A23 = Rules(name="no-a23", a23="none")
EVERY_RULE_SET = [*RULES.values(), NO_A23]


def category(text, rules=ZHA_JIN_HUA):
    return Category(three_card.classify(three_card.parse(text), rules=rules))


def showdown(*texts, rules):
    """Who wins, by seat; in whatever order the hands are given."""
    hands = [three_card.parse(text).tolist() for text in texts]
    results = set()
    for seats in permutations(range(len(hands))):
        won = three_card.winners([hands[seat] for seat in seats], rules=rules)
        results.add(tuple(bool(won[seats.index(seat)]) for seat in range(len(hands))))
    assert len(results) == 1, "the seats decide"
    return results.pop()


def wins(one, other, rules):
    return showdown(one, other, rules=rules) == (True, False)


def ties(one, other, rules):
    return showdown(one, other, rules=rules) == (True, True)


# --- straights ---


def test_a23_lowest_loses_to_the_next_straight():
    assert wins("2♠3♥4♦", "A♠2♥3♦", rules=THREE_CARD_POKER)


def test_a23_second_beats_kqj():
    assert wins("A♠3♥2♦", "K♠Q♣J♥", rules=ZHA_JIN_HUA)
    assert wins("A♥K♠Q♦", "A♠3♥2♦", rules=ZHA_JIN_HUA)


def test_a23_highest_beats_akq():
    assert wins("A♠2♠3♠", "A♥K♥Q♥", rules=THREE_CARD_BRAG)


def test_a23_is_a_high_card_where_it_is_no_straight():
    assert category("A♠2♥3♦", rules=NO_A23) == Category.HIGH_CARD
    assert category("A♠2♠3♠", rules=NO_A23) == Category.FLUSH


@pytest.mark.parametrize("rules", EVERY_RULE_SET, ids=lambda rules: rules.name)
def test_ka2_is_never_a_straight(rules):
    assert category("2♠A♥K♦", rules=rules) == Category.HIGH_CARD
    assert category("2♠A♠K♠", rules=rules) == Category.FLUSH


def test_two_suits_alike_do_not_matter_to_a_straight():
    assert category("K♠Q♠J♦") == Category.STRAIGHT


def test_a_straight_of_three_suits_is_no_straight_flush():
    assert category("7♠8♥9♦") == Category.STRAIGHT


def test_akq_and_a23_are_not_equal_in_teen_patti():
    assert wins("A♠K♦Q♥", "A♦2♠3♥", rules=TEEN_PATTI)


# --- 2-3-5 ---


def test_235_beats_trips_in_both_argument_orders():
    assert wins("2♠3♥5♦", "A♠A♥A♦", rules=ZHA_JIN_HUA_235)


def test_235_is_a_high_card_without_trips_at_the_table():
    assert wins("K♠K♥9♣", "2♠3♥5♦", rules=ZHA_JIN_HUA_235)


def test_a_suited_235_is_a_flush_and_loses_to_trips():
    assert category("2♥3♥5♥", rules=ZHA_JIN_HUA_235) == Category.FLUSH
    assert wins("A♠A♥A♦", "2♥3♥5♥", rules=ZHA_JIN_HUA_235)


def test_235_wins_the_whole_table_in_all_six_seat_orders():
    table = ("2♠3♥5♦", "A♠A♥A♦", "K♠K♥9♣")
    assert showdown(*table, rules=ZHA_JIN_HUA_235) == (True, False, False)


# --- ties and points ---


def test_equal_ranks_tie_where_suits_do_not_rank():
    assert ties("K♠K♥7♦", "K♦K♣7♠", rules=ZHA_JIN_HUA)


def test_king_high_beats_a_pair_of_twos_on_points_and_loses_on_rank():
    high, pair = "Q♦5♠K♠", "2♠2♦10♥"
    assert three_card.points(three_card.parse(high)) == 30
    assert three_card.points(three_card.parse(pair)) == 18
    assert wins(high, pair, rules=ZHA_JIN_HUA_POINTS)
    assert wins(pair, high, rules=ZHA_JIN_HUA)


def test_points_tie_across_categories():
    trips, straight_flush = "6♠6♥6♦", "3♣4♣5♣"
    assert three_card.points(three_card.parse(trips)) == 11_988
    assert ties(trips, straight_flush, rules=ZHA_JIN_HUA_POINTS)


# --- reading ---


@pytest.mark.parametrize(
    "text", ["10♠9♠8♠", "T♠9♠8♠", "Ts 9s 8s", "Spades 10, spade 9, Spade 8", "黑桃10黑桃9黑桃8"]
)
def test_ten_is_two_characters(text):
    assert three_card.parse(text).tolist() == cards.parse("Ts 9s 8s").tolist()
    assert category(text) == Category.STRAIGHT_FLUSH


def test_spades_in_words_are_one_suit():
    assert category("Spade 9, spade J, Spades 10") == Category.STRAIGHT_FLUSH


@pytest.mark.parametrize(
    ("spellings", "card"),
    [
        (["红心10", "红桃10", "Red heart 10"], "Th"),
        (["方块A", "方片A", "block A"], "Ad"),
        (["梅花3", "草花3", "Plum blossom 3"], "3c"),
        (["Red heart 5", "Hearts 5"], "5h"),
        (["黑桃A", "spade A"], "As"),
    ],
)
def test_spellings_of_one_card(spellings, card):
    assert {tuple(cards.parse(text)) for text in spellings} == {tuple(cards.parse(card))}


def test_the_same_card_twice_is_refused():
    with pytest.raises(ValueError, match="As"):
        three_card.parse("A♠ A♠ K♦")
    for function in (three_card.classify, three_card.strength, three_card.points):
        with pytest.raises(ValueError, match="hands"):
            function(cards.parse("A♠ A♠ K♦"))


# --- labels ---


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("Leaflet|sheet", Category.HIGH_CARD),
        ("Pair", Category.PAIR),
        ("Golden Flower", Category.FLUSH),
        ("Shunzi|CIS", Category.STRAIGHT),
        ("leopard", Category.THREE_OF_A_KIND),
    ],
)
def test_translated_words_for_categories(words, category):
    assert {Category.from_label(word) for word in words.split("|")} == {category}


def test_flush_means_flush():
    """One source calls a straight flush so; its figures are translated where they are kept."""
    assert Category.from_label("Flush") is Category.FLUSH


def test_a_label_inside_another_does_not_name_it():
    assert Category.from_label("顺子") is Category.STRAIGHT
    assert Category.from_label("同花顺") is Category.STRAIGHT_FLUSH
    assert Category.from_label("同花") is Category.FLUSH
