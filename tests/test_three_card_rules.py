"""The rule sets of three-card poker as data, and what they refuse."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from cardstats.three_card.rules import (
    MAX_MULTIPLIER,
    RULES,
    TEEN_PATTI,
    THREE_CARD_BRAG,
    THREE_CARD_POKER,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_235,
    ZHA_JIN_HUA_POINTS,
    Category,
    Rules,
    row_labels,
)

LABELS = ["high card", "pair", "straight", "flush", "straight flush", "three of a kind"]
LABELS_ZH = ["散牌", "对子", "顺子", "金花", "顺金", "豹子"]


# --- categories ---


def test_categories_have_fixed_codes_and_labels():
    assert [int(category) for category in Category] == list(range(6))
    assert [category.label for category in Category] == LABELS
    assert [category.label_zh for category in Category] == LABELS_ZH


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("high card|Leaflet|sheet|High_Card|散牌|单张|高牌", Category.HIGH_CARD),
        ("pair|Pair|对子", Category.PAIR),
        ("straight|Shunzi|CIS|顺子|顺", Category.STRAIGHT),
        ("flush|Golden Flower|金花|同花", Category.FLUSH),
        ("straight flush|顺金|同花顺|pure sequence| STRAIGHT_FLUSH ", Category.STRAIGHT_FLUSH),
        ("three of a kind|leopard|trips|trail|豹子|THREE OF A KIND", Category.THREE_OF_A_KIND),
    ],
)
def test_each_word_for_a_category(words, category):
    for word in words.split("|"):
        assert Category.from_label(word) is category, word


@pytest.mark.parametrize("word", ["", "royal flush", "flushes", "3"])
def test_words_that_name_no_category(word):
    with pytest.raises(ValueError, match=r"category: .* is none of high card, pair"):
        Category.from_label(word)


# --- the named sets, as the design's table has them ---

NAMED = [
    (ZHA_JIN_HUA, "zha-jin-hua", "散 对 顺子 金花 顺金 豹子", "second", "off", "A"),
    (ZHA_JIN_HUA_235, "zha-jin-hua-235", "散 对 顺子 金花 顺金 豹子", "second", "beats_trips", "A"),
    (ZHA_JIN_HUA_POINTS, "zha-jin-hua-points", "散 对 金花 顺子 豹子 顺金", "second", "off", "A"),
    (TEEN_PATTI, "teen-patti", "散 对 金花 顺子 顺金 豹子", "second", "off", "A"),
    (THREE_CARD_BRAG, "three-card-brag", "散 对 金花 顺子 顺金 豹子", "highest", "off", "3"),
    (THREE_CARD_POKER, "three-card-poker", "散 对 金花 顺子 豹子 顺金", "lowest", "off", "A"),
]


@pytest.mark.parametrize(("rules", "name", "order", "a23", "special", "best"), NAMED)
def test_named_sets(rules, name, order, a23, special, best):
    assert RULES[name] is rules
    assert rules.name == name
    assert rules.order == tuple(Category.from_label(word) for word in order.split())
    assert (rules.a23, rules.special_235, rules.highest_trips) == (a23, special, best)
    assert rules.suit_tiebreak is None
    assert (rules.points is not None) == (rules is ZHA_JIN_HUA_POINTS)


def test_the_six_named_sets_are_all():
    assert list(RULES) == [name for _, name, *_ in NAMED]


def test_points_of_the_named_set_follow_its_categories():
    multipliers = dict(zip(Category, ZHA_JIN_HUA_POINTS.points, strict=True))
    by_order = [multipliers[category] for category in ZHA_JIN_HUA_POINTS.order]
    assert by_order == [1, 2, 9, 81, 666, 999]


def test_which_sets_put_hands_in_one_line():
    assert [rules.transitive for rules in RULES.values()] == [True, False, True, True, True, True]
    by_rank = [rules.decided_by_rank for rules in RULES.values()]
    assert by_rank == [True, False, False, True, True, True]
    assert not Rules(suit_tiebreak="top_card").decided_by_rank


# --- rules of one's own ---


def test_the_defaults_are_zha_jin_hua_under_another_name():
    assert dataclasses.replace(Rules(), name="zha-jin-hua") == ZHA_JIN_HUA


@pytest.mark.parametrize(
    "order",
    [
        ["pair", "high card", "trips", "flush", "straight", "straight flush"],
        ["对子", "散牌", "豹子", "金花", "顺子", "顺金"],
        [1, 0, 5, 3, 2, 4],
        (Category(code) for code in (1, 0, 5, 3, 2, 4)),
    ],
)
def test_an_order_is_read_from_words_and_codes(order):
    rules = Rules(order=order)
    assert rules.order == tuple(Category(code) for code in (1, 0, 5, 3, 2, 4))
    assert all(isinstance(category, Category) for category in rules.order)
    assert [rules.position(category) for category in Category] == [1, 0, 4, 3, 5, 2]


@pytest.mark.parametrize(
    "points",
    [
        (1, 2, 81, 9, 999, 666),
        np.array([1, 2, 81, 9, 999, 666]),
        dict(zip(Category, (1, 2, 81, 9, 999, 666), strict=True)),
        dict(zip(LABELS, (1, 2, 81, 9, 999, 666), strict=True)),
        dict(zip(reversed(LABELS_ZH), (666, 999, 9, 81, 2, 1), strict=True)),
    ],
)
def test_points_are_read_from_six_numbers_or_a_mapping(points):
    rules = Rules(points=points)
    assert rules.points == (1, 2, 81, 9, 999, 666)
    assert all(type(multiplier) is int for multiplier in rules.points)


@pytest.mark.parametrize(("given", "kept"), [("3", "3"), ("a", "A"), ("10", "10"), ("t", "10")])
def test_highest_trips_is_a_rank_as_text(given, kept):
    assert Rules(highest_trips=given).highest_trips == kept


def test_rules_are_values():
    rules = Rules(name="mine", points=[1, 2, 3, 4, 5, 6])
    same = Rules(name="mine", points=(1, 2, 3, 4, 5, 6))
    assert rules == same
    assert hash(rules) == hash(same)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.a23 = "lowest"


def test_rules_take_keywords_only():
    with pytest.raises(TypeError):
        Rules("mine")


def six(**changes):
    """Multipliers with one changed, by the category's name."""
    return dict.fromkeys(Category, 1) | {Category[name]: value for name, value in changes.items()}


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"order": LABELS[:5]}, ValueError, "order: misses three of a kind"),
        ({"order": []}, ValueError, "order: misses high card"),
        ({"order": [*LABELS, "pair"]}, ValueError, "order: repeats pair"),
        ({"order": [*LABELS[:5], "pair"]}, ValueError, "order: repeats pair"),
        ({"order": [*LABELS[:5], "royal"]}, ValueError, "order: 'royal' is none of the categories"),
        ({"order": [0, 1, 2, 3, 4, 6]}, ValueError, "order: 6 is none of the categories"),
        (
            {"order": [0, 1, 2, 3, 4, None]},
            TypeError,
            "order: expected a Category or its name, got None",
        ),
        ({"order": "pair"}, TypeError, "order: expected the six categories"),
        ({"order": None}, TypeError, "order: expected the six categories"),
        ({"a23": "middle"}, ValueError, "a23: 'middle' is none of 'lowest', 'second'"),
        ({"a23": None}, ValueError, "a23: None"),
        ({"special_235": "on"}, ValueError, "special_235: 'on' is none of 'off'"),
        ({"special_235": True}, ValueError, "special_235: True"),
        ({"suit_tiebreak": "suits"}, ValueError, "suit_tiebreak: 'suits' is none of None"),
        ({"highest_trips": "1"}, ValueError, "highest_trips: '1' is none of the ranks 2, 3"),
        ({"highest_trips": "AA"}, ValueError, "highest_trips: 'AA'"),
        ({"name": ""}, TypeError, "name: expected a non-empty string"),
        ({"name": 7}, TypeError, "name: expected a non-empty string, got 7"),
        ({"points": six(), "special_235": "beats_trips"}, ValueError, "special_235: 'beats_trips'"),
        ({"points": six(), "special_235": "beats_aces"}, ValueError, "special_235: 'beats_aces'"),
        ({"points": six(), "suit_tiebreak": "top_card"}, ValueError, "suit_tiebreak: 'top_card'"),
        ({"points": {"pair": 2}}, ValueError, "points: no multiplier for high card, straight"),
        ({"points": six() | {"pair": 2}}, ValueError, "points: repeats pair"),
        ({"points": six() | {"royal": 2}}, ValueError, "points: 'royal' is none of the categories"),
        ({"points": [1, 2, 3]}, ValueError, "points: expected 6 multipliers, got 3"),
        ({"points": []}, ValueError, "points: expected 6 multipliers, got 0"),
        ({"points": 7}, TypeError, "points: expected a multiplier per Category, got 7"),
        ({"points": "123456"}, TypeError, "points: expected a multiplier per Category"),
        ({"points": six(FLUSH=1.5)}, TypeError, "points: flush: expected an integer, got 1.5"),
        ({"points": six(FLUSH=True)}, TypeError, "points: flush: expected an integer, got True"),
        ({"points": six(PAIR=-1)}, ValueError, "points: pair: -1 is outside 0"),
        ({"points": six(PAIR=MAX_MULTIPLIER + 1)}, ValueError, "points: pair: .* is outside 0"),
    ],
)
def test_contradictions_are_refused_by_name(wrong, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Rules(**wrong)


def test_the_largest_multiplier_fits_the_points_that_kernels_return():
    largest_sum, kicker = 3 * 14, 13
    assert largest_sum * MAX_MULTIPLIER + kicker < 2**32
    assert Rules(points=[MAX_MULTIPLIER] * 6).points == (MAX_MULTIPLIER,) * 6


# --- rows of tables ---


def test_rows_by_category():
    assert row_labels("category") == (tuple(LABELS), tuple(LABELS_ZH))


def test_rows_by_top_card():
    english, chinese = row_labels("top_card")
    tops = ["5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert english == (*(f"high card {top}" for top in tops), *LABELS[1:])
    assert chinese == (*(f"散{top}" for top in tops), *LABELS_ZH[1:])
    assert english.index("pair") == 9 + Category.PAIR


@pytest.mark.parametrize("by", ["suit", None, ""])
def test_unknown_rows_are_refused(by):
    with pytest.raises(ValueError, match=r"by: .* is none of 'category', 'top_card'"):
        row_labels(by)
