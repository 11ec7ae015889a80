"""The deck: codes, and text in and out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardstats import cards

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
STYLES = ("ascii", "unicode", "zh")
SPADE, HEART, CLUB, DIAMOND = 3, 2, 1, 0

codes = st.lists(st.integers(0, 51), min_size=1, max_size=60)


def code(rank: str, suit: int) -> int:
    return 4 * RANKS.index(rank) + suit


@given(codes, st.sampled_from(STYLES))
def test_parse_reads_what_format_writes(hand, style):
    read = cards.parse(cards.format(hand, style=style))
    assert read.dtype == np.uint8
    assert read.tolist() == hand


@given(codes, st.sampled_from(STYLES), st.sampled_from(["", ",", ", ", "，", "、", "\n", " | "]))
def test_what_stands_between_cards_does_not_matter(hand, style, separator):
    pieces = cards.format(hand, style=style).split(" ")
    assert cards.parse(separator.join(pieces)).tolist() == hand


@given(codes, st.sampled_from(STYLES))
def test_case_does_not_matter(hand, style):
    text = cards.format(hand, style=style)
    assert cards.parse(text.upper()).tolist() == hand
    assert cards.parse(text.lower()).tolist() == hand


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_with_an_example(text):
    refused = None
    try:
        read = cards.parse(text)
    except ValueError as error:
        refused = str(error)
    if refused is None:
        assert read.size > 0
        assert read.max() < 52
    else:
        assert refused.startswith("text: ")
        assert "'As'" in refused


def test_codes_rise_with_rank_then_suit():
    deck = [f"{suit}{rank}" for rank in RANKS for suit in "♦♣♥♠"]
    assert [int(card) for text in deck for card in cards.parse(text)] == list(range(52))


@pytest.mark.parametrize(
    ("spellings", "expected"),
    [
        ("As|as|aS|♠A|A♠|♠️A|A♠️|♤A|A s|spade A|Spades A|SPADE a|A spades"
         "|黑桃A|黑桃 a|Ａ♠", ("A", SPADE)),
        ("10h|Th|th|♥10|♥T|10♥|Red heart 10|red  heart 10|Hearts 10|heart 10"
         "|红心10|红桃10|紅心10|紅桃T|１０♥", ("10", HEART)),
        ("Ad|♦A|♢A|block A|Block A|box A|Box a|blocks A|squares A|diamond A|A diamonds"
         "|方块A|方片A|方塊A", ("A", DIAMOND)),
        ("3c|♣3|♧3|3♣|Plum blossom 3|plum  blossom 3|plum 3|clubs 3|3 club"
         "|梅花3|草花3", ("3", CLUB)),
        ("Jc|Plum blossom J|♣J", ("J", CLUB)),
        ("9d|Box 9|block 9", ("9", DIAMOND)),
        ("Qh|Hearts Q", ("Q", HEART)),
        ("9s|Spade 9", ("9", SPADE)),
    ],
)  # fmt: skip
def test_every_spelling_of_a_card(spellings, expected):
    for text in spellings.split("|"):
        assert cards.parse(text).tolist() == [code(*expected)], text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10♠9♠8♠", "10 9 8"),
        ("T♠9♠8♠", "10 9 8"),
        ("♠10♠9♠8", "10 9 8"),
        ("Ts9s8s", "10 9 8"),
        ("Spade 9, spade J, Spades 10", "9 J 10"),
        ("'Spade 9', 'spade J', 'Spades 10'", "9 J 10"),
        ("[' spade 9 ',' spade J ',' spade 10 ']", "9 J 10"),
        ("黑桃9黑桃J黑桃10", "9 J 10"),
        ("2♠ ♠3 5s 黑桃6", "2 3 5 6"),
    ],
)
def test_several_cards_of_one_suit(text, expected):
    assert cards.parse(text).tolist() == [code(rank, SPADE) for rank in expected.split()]


def test_equal_cards_are_kept():
    assert cards.parse("As As").tolist() == [51, 51]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("As Xd 7c", "'Xd' (character 4)"),
        ("♠️A ?!", "'?!' (character 5)"),
        ("As 11h", "'11h' (character 4)"),
        ("1s", "'1s'"),
        ("0s", "'0s'"),
        ("Joker", "'Joker'"),
        ("大王", "'大王'"),
        ("A", "'A'"),
        ("♠", "'♠'"),
        ("2 hearts q", "'q' (character 10)"),
        ("51", "'51'"),
        ("As-Kd", "'-Kd'"),
        ("dıamond A", "'dıamond'"),
        ("", "holds no card"),
        (" , ", "holds no card"),
    ],
)
def test_unreadable_text_is_named(text, named):
    with pytest.raises(ValueError, match=r"^text: ") as caught:
        cards.parse(text)
    assert named in str(caught.value)


@pytest.mark.parametrize("text", [None, b"As", 51, ["As"], np.array([51])])
def test_parse_takes_text_only(text):
    with pytest.raises(TypeError, match="text: expected a string"):
        cards.parse(text)


def test_format_of_each_style():
    hand = [code("A", SPADE), code("10", HEART), code("2", DIAMOND), code("J", CLUB)]
    assert cards.format(hand) == "As Th 2d Jc"
    assert cards.format(hand, style="unicode") == "♠A ♥10 ♦2 ♣J"
    assert cards.format(hand, style="zh") == "黑桃A 红心10 方块2 梅花J"


def test_format_of_scalars_and_nothing():
    assert cards.format(51) == "As"
    assert cards.format(np.uint8(51)) == "As"
    assert cards.format(np.array(51)) == "As"
    assert cards.format([]) == ""


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64, ">i4"])
def test_format_takes_any_integers(dtype):
    assert cards.format(np.array([51, 0], dtype=dtype)) == "As 2d"


@pytest.mark.parametrize("bad", [52, -1, 255, 256, 300, 2**40])
def test_format_names_the_card_that_is_none(bad):
    with pytest.raises(ValueError, match=f"cards: card {bad} at 1 is outside 0..51"):
        cards.format(np.array([51, bad]))


@pytest.mark.parametrize("bad", [[1.0, 2.0], [True], ["As"], [None], np.array([1], dtype=object)])
def test_format_takes_integers_only(bad):
    with pytest.raises(TypeError, match="cards: expected integers"):
        cards.format(bad)


def test_format_takes_one_line_of_cards():
    with pytest.raises(ValueError, match=r"cards: expected shape \(k,\), got \(1, 3\)"):
        cards.format([[1, 2, 3]])


def test_format_refuses_an_unknown_style():
    with pytest.raises(ValueError, match="style: 'emoji' is none of 'ascii', 'unicode', 'zh'"):
        cards.format([1], style="emoji")
