"""What the Mahjong functions refuse, and what they say: the argument, the tile or size, the row."""

import mahjong_samples as samples
import naive_mahjong as naive
import numpy as np
import pytest
from mahjong_samples import RULE_SETS

from cardstats import mahjong as mj
from cardstats._random import LANES
from cardstats.mahjong import CHINESE, SICHUAN
from cardstats.mahjong.rules import SIZES, WAITING_SIZES, WINNING_SIZES
from cardstats.mahjong.tiles import tile_name

# Each function, the sizes of hands that it takes, and what it gives a hand: a number or 34.
FUNCTIONS = {
    "classify": (mj.classify, WINNING_SIZES, np.uint8, ()),
    "is_win": (mj.is_win, WINNING_SIZES, np.bool_, ()),
    "shanten": (mj.shanten, SIZES, np.int8, ()),
    "waits": (mj.waits, WAITING_SIZES, np.bool_, (34,)),
    "acceptance": (mj.acceptance, WAITING_SIZES, np.bool_, (34,)),
    "discards": (mj.discards, WINNING_SIZES, np.bool_, (34,)),
}
each_function = pytest.mark.parametrize(
    ("function", "sizes"),
    [(function, sizes) for function, sizes, _, _ in FUNCTIONS.values()],
    ids=FUNCTIONS,
)
each_with_out = pytest.mark.parametrize(
    ("function", "sizes", "dtype", "each"), FUNCTIONS.values(), ids=FUNCTIONS
)
each_order = pytest.mark.parametrize("order", ["C", "F"])

MANY = 9_001
ROWS = (0, 4, LANES - 1, LANES, MANY - 1)


def some_hands(sizes, n=MANY):
    """Hands of the largest of the sizes, without honours, so that any rules take them."""
    size = max(sizes)
    return samples.dealt(np.random.default_rng(7), n, size, naive.kinds_of(SICHUAN))


def holding(hand, count, kind):
    """The hand with so many of a kind, and fewer of others for it, so that the size stays."""
    changed = hand.astype(np.int64)
    changed[kind] = count
    for other in range(33, -1, -1):
        surplus = changed.sum() - hand.sum(dtype=np.int64)
        if other != kind and surplus > 0:
            changed[other] -= min(surplus, changed[other])
    return changed


# --- counts ---


@each_function
@each_order
@pytest.mark.parametrize("kind", [0, 8, 9, 17, 18, 26, 27, 33])
def test_five_of_a_kind_are_named_with_their_row(function, sizes, order, kind):
    hands = np.array(some_hands(sizes), order=order)
    for row in ROWS:
        kept = hands[row].copy()
        hands[row] = holding(kept, 5, kind)
        assert hands[row].sum() == kept.sum()
        with pytest.raises(ValueError, match=rf"^hands: 5 of {tile_name(kind)} at row {row}\b"):
            function(hands)
        hands[row] = kept
    function(hands)


BAD_COUNTS = [
    (5, "u1"),
    (8, "u1"),
    (63, "u1"),
    (127, "i1"),
    (128, "u1"),
    (255, "u1"),
    (-1, "i1"),
    (-128, "i1"),
    (-1, "i2"),
    (300, "i2"),
    (256, "u2"),
    (257, "u2"),
    (-1, "i4"),
    (-255, "i8"),
    (260, "i8"),
    (2**32 + 1, "i8"),
    (2**63 + 1, "u8"),
    (300, ">i2"),
]


@each_function
@each_order
@pytest.mark.parametrize(("count", "dtype"), BAD_COUNTS)
def test_a_count_that_no_hand_has(function, sizes, order, count, dtype):
    """Whatever it would be in eight bits."""
    hands = np.array(some_hands(sizes), dtype=dtype, order=order)
    for row, kind in zip(ROWS, (0, 5, 12, 26, 33), strict=True):
        kept = hands[row].copy()
        hands[row, kind] = count
        with pytest.raises(
            ValueError, match=rf"^hands: {count} of {tile_name(kind)} at row {row}\b"
        ):
            function(hands)
        hands[row] = kept
    function(hands)


@each_function
@pytest.mark.parametrize("first", [-1, -5, 5, 256, 300, -256])
def test_counts_that_make_up_for_each_other(function, sizes, first):
    """The number of tiles is right, and so may be the counts modulo 256 or a base-5 number."""
    hands = some_hands(sizes).astype(np.int64)
    hands[4, :2] = first, hands[4, :2].sum() - first
    with pytest.raises(ValueError, match=r"^hands: -?\d+ of [12]m at row 4\b"):
        function(hands)


@each_function
def test_the_first_bad_row_is_named(function, sizes):
    hands = some_hands(sizes)
    for row in (8_999, 5_000, 4_097, 12):
        hands[row] = holding(hands[row], 5, 2)
        with pytest.raises(ValueError, match=rf"\brow {row}\b"):
            function(hands)


# --- sizes ---


@each_function
@each_order
def test_sizes_that_no_hand_has(function, sizes, order):
    rng = np.random.default_rng(8)
    hands = np.array(some_hands(sizes), order=order)
    for size in sorted({*range(18), 27, 34, 100, 136} - set(sizes)):
        row = ROWS[size % len(ROWS)]
        kept = hands[row].copy()
        hands[row] = samples.dealt(rng, 1, size)[0]
        with pytest.raises(ValueError, match=rf"^hands: {size} tiles? at row {row}\b") as caught:
            function(hands)
        for allowed in sizes:
            assert str(allowed) in str(caught.value).split("row")[1]
        hands[row] = kept
    function(hands)


@each_function
def test_every_size_that_hands_have(function, sizes):
    for size in sizes:
        assert len(function(some_hands([size], n=10))) == 10


@each_function
def test_a_single_bad_hand(function, sizes):
    hand = some_hands(sizes, n=1)[0]
    function(hand)
    without = hand.copy()
    without[np.flatnonzero(hand)[:2]] -= 1
    for bad in (
        holding(hand, 5, 3),
        np.where(hand == 0, -1, hand),
        without,
        300 * hand.astype(np.int64),
    ):
        with pytest.raises(ValueError, match=r"^hands: "):
            function(bad)


# --- honours ---


@each_function
@each_order
@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS.values() if not rules.honours])
@pytest.mark.parametrize("kind", [27, 30, 33])
def test_honours_that_the_set_has_not(function, sizes, order, rules, kind):
    hands = np.array(some_hands(sizes), order=order)
    function(hands, rules=rules)
    for row in ROWS:
        kept = hands[row].copy()
        hands[row] = holding(kept, 1 + row % 3, kind)
        function(hands, rules=CHINESE)
        with pytest.raises(ValueError, match=rf"^hands: .*{tile_name(kind)}.*row {row}\b"):
            function(hands, rules=rules)
        hands[row] = kept


# --- types and shapes ---


@each_function
def test_only_integers_are_counts(function, sizes):
    good = some_hands(sizes, n=20)
    texts = good.astype("U2")
    wrong = [good.astype(float), good.astype(object), good > 0, texts, good.astype(complex),
             good.astype("m8[s]")]  # fmt: skip
    for hands in wrong:
        for given in (hands, hands[0], np.asfortranarray(hands), hands.tolist()):
            if hands.dtype == object and isinstance(given, list):
                continue
            with pytest.raises(TypeError, match=r"^hands: "):
                function(given)
    for hands in (np.empty((0, 34)), None, "1112345678999m", {1, 2}):
        with pytest.raises((TypeError, ValueError), match=r"^hands: "):
            function(hands)


@each_function
@pytest.mark.parametrize(
    "shape", [(), (0,), (14,), (33,), (35,), (68,), (5, 33), (5, 35), (34, 5), (0, 33), (2, 2, 33)]
)
def test_hands_of_another_shape_are_refused(function, sizes, shape):
    with pytest.raises(ValueError, match=r"^hands: ") as caught:
        function(np.ones(shape, dtype=np.uint8))
    assert str(shape) in str(caught.value)


@each_function
def test_ragged_hands_are_refused(function, sizes):
    with pytest.raises((TypeError, ValueError), match=r"^hands: "):
        function([[1] * 34, [1] * 33])


@each_function
@pytest.mark.parametrize("rules", [None, "chinese", 3, {"name": "mine"}])
def test_rules_are_rules(function, sizes, rules):
    with pytest.raises((TypeError, ValueError), match="rules"):
        function(some_hands(sizes, n=3), rules=rules)


# --- out ---


@each_with_out
def test_out_of_another_shape_or_type_is_refused(function, sizes, dtype, each):
    hands = some_hands(sizes, n=100)
    read_only = np.zeros((100, *each), dtype=dtype)
    read_only.flags.writeable = False
    for out in (
        np.zeros((99, *each), dtype=dtype),
        np.zeros((101, *each), dtype=dtype),
        np.zeros((100, *each, 1), dtype=dtype),
        np.zeros((100, 33), dtype=dtype),
        np.zeros((), dtype=dtype),
        np.zeros((100, *each), dtype=np.int64),
        np.zeros((100, *each), dtype=np.float64),
        np.zeros((100, *each), dtype=dtype).tolist(),
        read_only,
    ):
        with pytest.raises((TypeError, ValueError), match=r"^out: "):
            function(hands, out=out)


@each_with_out
@pytest.mark.parametrize("fault", ["five", "size", "negative"])
def test_bad_hands_are_refused_with_out_too(function, sizes, dtype, each, fault):
    hands = some_hands(sizes).astype(np.int64)
    kept = hands[5_000].copy()
    hands[5_000] = {"five": holding(kept, 5, 1), "size": 0 * kept, "negative": -kept}[fault]
    with pytest.raises(ValueError, match=r"^hands: .*row 5000\b"):
        function(hands, out=np.zeros((len(hands), *each), dtype=dtype))


# --- text and codes ---


@pytest.mark.parametrize("codes", [[34], [33, 34, 35, 36, 36], [0], [10], [46], [-1], [1, 2, 99]])
def test_codes_of_no_tile(codes):
    unknown = next(code for code in codes if code in (34, 0, 10, 46, -1, 99))
    with pytest.raises(ValueError, match=rf"(?<!\d){unknown}\b"):
        mj.from_codes(codes)
    if len(codes) != 1:
        result = mj.check(codes)
        assert not result.win
        assert str(unknown) in result.reason


def test_every_code_is_a_kind():
    """Numbers, bamboo, dots, winds, dragons (中 發 白), as seed 004 has them."""
    order = [*range(9), *range(18, 27), *range(9, 18), 27, 28, 29, 30, 33, 32, 31]
    codes = [*range(1, 10), *range(11, 20), *range(21, 30), 31, 33, 35, 37, 41, 43, 45]
    for code, kind in zip(codes, order, strict=True):
        assert np.flatnonzero(mj.from_codes([code, code])).tolist() == [kind]
        assert mj.from_codes([code, code])[kind] == 2


@pytest.mark.parametrize("size", range(1, 18))
def test_check_takes_hands_of_any_size(size):
    """It says what is wrong with them instead of raising."""
    rng = np.random.default_rng(size)
    for hand in samples.dealt(rng, 50, size):
        result = mj.check(hand)
        if size not in WINNING_SIZES:
            assert not result.win
            assert str(size) in result.reason
        else:
            assert result.win == naive.is_win(hand.tolist(), CHINESE)
            assert bool(result.reason) != result.win


def test_check_of_honours_that_the_set_has_not():
    result = mj.check("11m111z", rules=SICHUAN)
    assert not result.win
    assert "1z" in result.reason


@pytest.mark.parametrize("hand", ["1112345678999", "8z", "10z", "", "123q"])
def test_text_that_is_no_hand(hand):
    with pytest.raises(ValueError, match="text"):
        mj.parse(hand)
