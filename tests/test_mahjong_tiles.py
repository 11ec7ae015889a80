"""Tiles: text in and out, and the three ways to number them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardstats import mahjong
from cardstats.mahjong import numbering, tiles

STYLES = ("mpsz", "unicode", "zh")
NAMES = [f"{digit}{suit}" for suit in "mps" for digit in range(1, 10)] + [
    f"{digit}z" for digit in range(1, 8)
]
CODES = [
    *range(1, 10),
    *range(21, 30),
    *range(11, 20),
    *(31, 33, 35, 37),
    *(45, 43, 41),
]

hands = st.lists(st.integers(0, 4), min_size=34, max_size=34)
some_tiles = st.lists(st.integers(0, 135), max_size=40, unique=True)
INTEGERS = [np.int8, np.uint8, np.int16, np.int64, np.uint64, ">i4"]


def hand_of(*kinds):
    return [kinds.count(kind) for kind in range(34)]


@given(hands.filter(any), st.sampled_from(STYLES))
def test_parse_reads_what_format_writes(hand, style):
    read = mahjong.parse(mahjong.format(hand, style=style))
    assert read.dtype == np.uint8
    assert read.tolist() == hand


@given(hands.filter(any), st.sampled_from(["", ",", "、", " | ", "　", "\n"]))
def test_what_stands_between_tiles_does_not_matter(hand, separator):
    for style in ("unicode", "zh"):
        pieces = [
            tiles.run_on([kind], style) for kind, held in enumerate(hand) for _ in range(held)
        ]
        assert mahjong.parse(separator.join(pieces)).tolist() == hand


@given(st.text(max_size=12) | st.text("0123456789mpszMPSZ一九万饼条东红发 🀀🀡🀪\ufe0f", max_size=12))
def test_any_text_is_read_or_refused_with_an_example(text):
    refused = None
    try:
        read = mahjong.parse(text)
    except ValueError as error:
        refused = str(error)
    if refused is None:
        assert read.sum() > 0
        assert read.max() <= 4
    else:
        assert refused.startswith("text: ")
        assert "'123m456p789s11z'" in refused or "there are four" in refused


def test_each_kind_by_its_name():
    assert [tiles.tile_name(kind) for kind in range(34)] == NAMES
    for kind, name in enumerate(NAMES):
        assert mahjong.parse(name).tolist() == hand_of(kind)


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        ("一万|一萬|1万|1萬|1m|1M|１ｍ|1 m|🀇|🀇\ufe0f", "1m"),
        ("五万|伍萬|5m|0m|0M|0万", "5m"),
        ("九万|9m|🀏", "9m"),
        ("三饼|三餅|三筒|3饼|3筒|3餅|３p|🀛", "3p"),
        ("五筒|0p|5P", "5p"),
        ("五条|五條|五索|5条|5索|5條|0s|5s|🀔", "5s"),
        ("东|東|东风|東風|1z|1Z|🀀", "1z"),
        ("南|南风|南風|2z|🀁", "2z"),
        ("西|西风|西風|3z|🀂", "3z"),
        ("北|北风|北風|4z|🀃", "4z"),
        ("白|白板|5z|🀆", "5z"),
        ("发|發|発|发财|發財|6z|🀅", "6z"),
        ("中|红中|紅中|7z|🀄|🀄\ufe0f|🀄\ufe0e", "7z"),
    ],
)
def test_every_spelling_of_a_tile(spellings, name):
    for text in spellings.split("|"):
        assert mahjong.parse(text).tolist() == hand_of(NAMES.index(name)), text


@pytest.mark.parametrize(
    ("text", "mpsz"),
    [
        ("123m456p789s11z", "123m456p789s11z"),
        ("11z 789s, 456p 3m 21m", "123m456p789s11z"),
        ("1m2m3m", "123m"),
        ("340m", "345m"),
        ("一二三万四五六饼七八九条东东", "123m456p789s11z"),
        ("1万2万3萬 東風南西北白發中", "123m1234567z"),
        ("['3饼', '3筒', '5条']", "33p5s"),
        ("🀇🀈🀉 🀙🀙", "123m11p"),
        ("🀄\ufe0f🀅\ufe0f🀆", "567z"),
        ("5m5p5s5z", "5m5p5s5z"),
    ],
)
def test_several_tiles(text, mpsz):
    assert mahjong.format(mahjong.parse(text)) == mpsz


def test_unicode_orders_dragons_and_suits_otherwise():
    symbols = "".join(map(chr, range(0x1F000, 0x1F022)))
    order = [*"1234", *"765"]
    names = [f"{digit}z" for digit in order]
    names += [f"{digit}{suit}" for suit in "msp" for digit in range(1, 10)]
    read = [mahjong.format(mahjong.parse(symbol)) for symbol in symbols]
    assert read == names
    assert mahjong.format(hand_of(31, 32, 33), style="unicode") == "🀆🀅🀄"


def test_a_whole_set_is_read():
    assert mahjong.parse(4 * "123456789m123456789p123456789s1234567z").tolist() == 34 * [4]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("12m 3x", "'3x' (character 5)"),
        ("123", "'123' (character 1)"),
        ("1m, 23", "'23' (character 5)"),
        ("128z", "'128z' (character 1)"),
        ("0z", "'0z'"),
        ("１m ?!", "'?!' (character 4)"),
        ("十万", "'十万'"),
        ("1m 春", "'春' (character 4)"),
        ("东万", "'万' (character 2)"),
        ("123m🀢", "🀢 (plum, character 5)"),
        ("🀩", "🀩 (winter, character 1)"),
        ("🀪", "🀪 (joker, character 1)"),
        ("🀫", "🀫 (back, character 1)"),
        ("\ufe0f", "(character 1)"),
        ("", "holds no tile"),
        (" , ", "holds no tile"),
    ],
)
def test_unreadable_text_is_named(text, named):
    with pytest.raises(ValueError, match=r"^text: ") as caught:
        mahjong.parse(text)
    assert named in str(caught.value)
    assert "'123m456p789s11z'" in str(caught.value)


def test_parse_refuses_five_of_a_kind():
    with pytest.raises(ValueError, match="text: 6 of 5m; there are four"):
        mahjong.parse("44555555m123p678s")
    with pytest.raises(ValueError, match="text: 5 of 5s; there are four"):
        mahjong.parse("05555s")


@pytest.mark.parametrize("text", [None, b"1m", 11, ["1m"], np.array([1])])
def test_parse_takes_text_only(text):
    with pytest.raises(TypeError, match="text: expected a string"):
        mahjong.parse(text)


def test_format_of_each_style():
    hand = mahjong.parse("99m 1p 5s 15z")
    assert mahjong.format(hand) == "99m1p5s15z"
    assert mahjong.format(hand, style="unicode") == "🀏🀏🀙🀔🀀🀆"
    assert mahjong.format(hand, style="zh") == "九万 九万 一饼 五条 东 白"
    assert [mahjong.format(34 * [0], style) for style in STYLES] == ["", "", ""]


def test_format_takes_waits():
    waits = np.zeros(34, bool)
    waits[[1, 4, 27]] = True
    assert mahjong.format(waits) == "25m1z"


def test_format_refuses_an_unknown_style():
    for style in ("emoji", "ascii", None):
        with pytest.raises(ValueError, match=r"style: .* is none of 'mpsz', 'unicode', 'zh'"):
            mahjong.format(34 * [0], style=style)


@pytest.mark.parametrize(
    ("hand", "error", "message"),
    [
        (hand_of(*5 * [4]), ValueError, "hand: 5 of 5m; there are four"),
        ([-1] + 33 * [0], ValueError, "hand: -1 of 1m; a count is 0 to 4"),
        (np.array(33 * [0] + [256]), ValueError, "hand: 256 of 7z; there are four"),
        (13 * [1], ValueError, r"hand: expected one count a kind, shape \(34,\), got \(13,\)"),
        ([34 * [0]], ValueError, r"got \(1, 34\)"),
        (34 * [1.0], TypeError, "hand: expected an array of integers, got dtype float64"),
        (34 * [True], TypeError, "got dtype bool"),
        ("123m", TypeError, "got text, which parse reads"),
        ([[1], [1, 2]], ValueError, "hand: expected an array of integers, got uneven rows"),
    ],
)
def test_a_hand_is_checked(hand, error, message):
    for function in (tiles.checked_hand, mahjong.format, mahjong.to_codes):
        with pytest.raises(error, match=message):
            function(hand)


def test_a_checked_hand_names_its_argument():
    with pytest.raises(ValueError, match="kong: 5 of 1m"):
        tiles.checked_hand(hand_of(*5 * [0]), "kong")


@pytest.mark.parametrize("dtype", INTEGERS)
def test_any_integers_are_taken(dtype):
    hand = tiles.checked_hand(np.array(hand_of(0, 0, 33), dtype))
    assert hand.dtype == np.uint8
    for function, numbers in (
        (mahjong.counts, [33, 0, 0]),
        (mahjong.from_codes, [41, 1, 1]),
        (mahjong.from_ids, [0, 2]),
    ):
        held = function(np.array(numbers, dtype))
        assert held.dtype == np.uint8
        assert held[0] == 2


@pytest.mark.parametrize("kind", [-1, 34])
def test_no_kind_has_no_name(kind):
    with pytest.raises(ValueError, match=f"kind: {kind} is"):
        tiles.tile_name(kind)


@given(some_tiles)
def test_three_ways_to_number_tiles_agree(ids):
    ids = np.array(ids, dtype=np.uint8)
    kinds = ids // 4
    held = hand_of(*kinds.tolist())
    assert mahjong.from_ids(ids).tolist() == held
    assert mahjong.counts(kinds).tolist() == held
    codes = np.array(CODES)[kinds]
    assert mahjong.from_codes(codes).tolist() == held
    assert mahjong.to_codes(held).tolist() == sorted(codes.tolist())


@given(hands)
def test_from_codes_reads_what_to_codes_writes(hand):
    codes = mahjong.to_codes(hand)
    assert codes.dtype == np.uint8
    assert mahjong.from_codes(codes).tolist() == hand


def test_codes_of_each_kind():
    assert [numbering.kind_of_code(code) for code in CODES] == list(range(34))
    others = set(range(-300, 300)) - set(CODES)
    assert {numbering.kind_of_code(code) for code in others} == {None}


def test_many_rows_whatever_their_layout():
    rng = np.random.default_rng(3)
    ids = rng.permuted(np.tile(np.arange(136, dtype=np.uint8), (500, 1)), axis=1)[:, :14]
    kinds = ids // 4
    expected = [hand_of(*row) for row in kinds.tolist()]
    for function, numbers in (
        (mahjong.counts, kinds),
        (mahjong.from_ids, ids),
        (mahjong.from_codes, np.array(CODES)[kinds]),
    ):
        frozen = numbers.copy()
        frozen.setflags(write=False)
        for laid_out in (numbers, np.asfortranarray(numbers), frozen, numbers.astype(np.int64)):
            assert function(laid_out).tolist() == expected
        assert function(numbers[::3]).tolist() == expected[::3]
        assert function(numbers[0]).tolist() == expected[0]
        assert function(numbers[:0]).shape == (0, 34)
        assert function(numbers[:2, :0]).tolist() == 2 * [34 * [0]]


@pytest.mark.parametrize(
    ("function", "numbers", "message"),
    [
        (mahjong.counts, [0, 34], "tiles: kind 34 at place 1 is outside 0..33"),
        (mahjong.counts, [[0, 0], [0, -1]], "tiles: kind -1 at row 1, place 1 is outside 0..33"),
        (mahjong.counts, np.array([[0], [-1]], np.int8), "tiles: kind -1 at row 1, place 0"),
        (mahjong.counts, [300], "tiles: kind 300 at place 0"),
        (mahjong.counts, [2**40 + 1], f"tiles: kind {2**40 + 1} at place 0"),
        (mahjong.counts, 5 * [8], "tiles: 5 of 9m; there are four"),
        (mahjong.counts, [4 * [8] + [9], 5 * [33]], "tiles: 5 of 7z at row 1; there are four"),
        (mahjong.from_codes, [33, 34, 35], "codes: code 34 at place 1 is no tile; characters are"),
        (mahjong.from_codes, [[1, 2], [10, 3]], "codes: code 10 at row 1, place 0 is no tile"),
        (mahjong.from_codes, [0], "codes: code 0 at place 0 is no tile"),
        (mahjong.from_codes, [[46]], "codes: code 46 at row 0, place 0 is no tile"),
        (mahjong.from_codes, [*5 * [45], 1], "codes: 5 of 5z; there are four"),
        (mahjong.from_ids, [136], "ids: id 136 at place 0 is outside 0..135"),
        (mahjong.from_ids, np.array([-121], np.int8), "ids: id -121 at place 0 is outside"),
        (mahjong.from_ids, [[0, 1], [135, 135]], "ids: id 135 at row 1 comes twice"),
        (mahjong.from_ids, [7, 0, 7], "ids: id 7 comes twice"),
        (mahjong.counts, 3, r"tiles: expected shape \(k,\) or \(n, k\), got \(\)"),
        (mahjong.counts, [[[1]]], r"got \(1, 1, 1\)"),
    ],
)
def test_a_faulty_number_is_named_with_its_place(function, numbers, message):
    with pytest.raises(ValueError, match=message):
        function(numbers)


@pytest.mark.parametrize("bad", [[1.0], [True], ["1m"], [None], "123m"])
def test_numbers_must_be_integers(bad):
    for function in (mahjong.counts, mahjong.from_codes, mahjong.from_ids):
        with pytest.raises(TypeError, match="expected an array of integers"):
            function(bad)
