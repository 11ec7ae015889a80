"""What people hand to three-card functions: arrays of every kind, text, and what is refused."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from three_card_samples import HANDS, RULE_SETS, some_tables

from cardstats import cards, three_card
from cardstats.three_card import RULES, ZHA_JIN_HUA, ZHA_JIN_HUA_235

# --- arrays as people bring them ---

INTEGERS = [*np.typecodes["AllInteger"], ">i2", ">u8"]


def as_memory_map(array, folder):
    path = folder / "hands.npy"
    np.save(path, array)
    return np.load(path, mmap_mode="r")


def as_unaligned(array, _):
    packed = np.zeros(len(array), dtype=[("pad", "u1"), ("cards", array.dtype, array.shape[1:])])
    packed["cards"] = array
    return packed["cards"]


def as_read_only(array, _):
    array = array.copy()
    array.flags.writeable = False
    return array


def as_middle_columns(array, _):
    wide = np.full((*array.shape[:-1], 7), 99, dtype=array.dtype)
    wide[..., 2:5] = array
    return wide[..., 2:5]


LAYOUTS = {
    "C": lambda array, _: np.ascontiguousarray(array),
    "F": lambda array, _: np.asfortranarray(array),
    "every other row": lambda array, _: np.repeat(array, 2, axis=0)[::2],
    "every other card": lambda array, _: np.repeat(array, 2, axis=-1)[..., ::2],
    "rows reversed": lambda array, _: array[::-1].copy()[::-1],
    "cards reversed": lambda array, _: array[..., ::-1].copy()[..., ::-1],
    "middle columns": as_middle_columns,
    "read-only": as_read_only,
    "memory map": as_memory_map,
    "unaligned": as_unaligned,
    "list": lambda array, _: array.tolist(),
}

SOME_HANDS = np.random.default_rng(7).permutation(HANDS)[:1003]
SOME_TABLES = np.array(some_tables(5), dtype=np.uint8)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_integers_in_any_layout(layout, dtype, tmp_path):
    hands = LAYOUTS[layout](SOME_HANDS.astype(dtype), tmp_path)
    np.testing.assert_array_equal(three_card.classify(hands), three_card.classify(SOME_HANDS))
    np.testing.assert_array_equal(three_card.strength(hands), three_card.strength(SOME_HANDS))
    np.testing.assert_array_equal(three_card.points(hands), three_card.points(SOME_HANDS))
    np.testing.assert_array_equal(
        three_card.tally(hands).counts, three_card.tally(SOME_HANDS).counts
    )
    tables = LAYOUTS[layout](SOME_TABLES.astype(dtype), tmp_path)
    np.testing.assert_array_equal(
        three_card.winners(tables, rules=ZHA_JIN_HUA_235),
        three_card.winners(SOME_TABLES, rules=ZHA_JIN_HUA_235),
    )


SEATS = {
    "as they are": lambda tables: tables,
    "seats last": lambda tables: np.ascontiguousarray(tables.swapaxes(1, 2)).swapaxes(1, 2),
    "seats first": lambda tables: np.ascontiguousarray(tables.swapaxes(0, 1)).swapaxes(0, 1),
    "seats reversed": lambda tables: tables[:, ::-1].copy()[:, ::-1],
    "every other seat": lambda tables: np.repeat(tables, 2, axis=1)[:, ::2],
    "Fortran": np.asfortranarray,
}


@pytest.mark.parametrize("seats", SEATS)
def test_tables_in_any_layout(seats):
    """Hand by hand a table is what its hands are; who wins depends on all of them."""
    tables = SEATS[seats](SOME_TABLES)
    hands = SOME_TABLES.reshape(-1, 3)
    for function in (three_card.classify, three_card.strength, three_card.points):
        np.testing.assert_array_equal(function(tables), function(hands).reshape(60, 5))
    counted = three_card.tally(tables)
    np.testing.assert_array_equal(counted.counts, three_card.tally(hands).counts)
    assert (counted.total, counted.players) == (300, 5)
    won = [naive.winners(table, ZHA_JIN_HUA_235) for table in SOME_TABLES.tolist()]
    assert three_card.winners(tables, rules=ZHA_JIN_HUA_235).tolist() == won


def test_one_hand_seen_many_times():
    many = np.broadcast_to(SOME_HANDS[0], (1000, 3))
    assert set(three_card.classify(many)) == {three_card.classify(SOME_HANDS[0])}
    assert set(three_card.strength(many)) == {three_card.strength(SOME_HANDS[0])}


@pytest.mark.parametrize("order", ["C", "F"])
def test_every_number_of_hands(order):
    """Kernels work in blocks and lanes: what is left over must be done too, and no more."""
    codes = three_card.classify(SOME_HANDS)
    strength = three_card.strength(SOME_HANDS)
    points = three_card.points(SOME_HANDS)
    for n in range(200):
        hands = np.array(SOME_HANDS[:n], order=order)
        np.testing.assert_array_equal(three_card.classify(hands), codes[:n])
        np.testing.assert_array_equal(three_card.strength(hands), strength[:n])
        np.testing.assert_array_equal(three_card.points(hands), points[:n])
        np.testing.assert_array_equal(
            three_card.tally(hands).counts, np.bincount(codes[:n], minlength=6)
        )


@pytest.mark.parametrize("order", ["C", "F"])
def test_many_hands(order):
    hands = np.asarray(np.resize(HANDS, (1_000_003, 3)), order=order)
    for function in (three_card.classify, three_card.strength, three_card.points):
        np.testing.assert_array_equal(function(hands), np.resize(function(HANDS), len(hands)))


def test_many_tables():
    tables = np.resize(SOME_TABLES, (100_003, *SOME_TABLES.shape[1:]))
    for rules in RULE_SETS.values():
        expected = three_card.winners(SOME_TABLES, rules=rules)
        np.testing.assert_array_equal(
            three_card.winners(tables, rules=rules), np.resize(expected, (100_003, 5))
        )


@pytest.mark.parametrize("dtype", INTEGERS)
def test_no_hands(dtype):
    empty = np.empty((0, 3), dtype=dtype)
    assert three_card.classify(empty).shape == (0,)
    assert three_card.strength(empty).shape == (0,)
    assert three_card.points(empty).shape == (0,)
    assert three_card.tally(empty).total == 0
    tables = np.empty((0, 5, 3), dtype=dtype)
    assert three_card.winners(tables, rules=ZHA_JIN_HUA).shape == (0, 5)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_one_hand_gives_a_scalar(dtype):
    for function, kind in (
        (three_card.classify, np.uint8),
        (three_card.strength, np.uint16),
        (three_card.points, np.uint32),
    ):
        answers = function(SOME_HANDS[:20])
        for hand, expected in zip(SOME_HANDS[:20].astype(dtype), answers, strict=True):
            answer = function(hand)
            assert np.ndim(answer) == 0
            assert np.asarray(answer).dtype == kind
            assert answer == expected
            assert function(hand.tolist()) == expected


# --- out ---

WITH_OUT = {
    "classify": (three_card.classify, np.uint8),
    "strength": (three_card.strength, np.uint16),
    "points": (three_card.points, np.uint32),
}
each_with_out = pytest.mark.parametrize(("function", "dtype"), WITH_OUT.values(), ids=WITH_OUT)


@each_with_out
@pytest.mark.parametrize("order", ["C", "F"])
def test_out_is_filled_and_returned(function, dtype, order):
    hands = np.array(SOME_HANDS, order=order)
    out = np.full(len(hands), 77, dtype=dtype)
    assert function(hands, out=out) is out
    np.testing.assert_array_equal(out, function(hands))


@each_with_out
def test_out_may_be_a_part_of_an_array(function, dtype):
    whole = np.full(2 * len(SOME_HANDS), 77, dtype=dtype)
    out = whole[::2]
    function(SOME_HANDS, out=out)
    np.testing.assert_array_equal(out, function(SOME_HANDS))
    assert (whole[1::2] == 77).all()


@each_with_out
@pytest.mark.parametrize("order", ["C", "F"])
def test_out_for_tables(function, dtype, order):
    out = np.full(SOME_TABLES.shape[:2], 77, dtype=dtype, order=order)
    assert function(SOME_TABLES, out=out) is out
    np.testing.assert_array_equal(out, function(SOME_TABLES))


@each_with_out
def test_out_may_lie_in_the_memory_of_the_hands(function, dtype):
    memory = np.zeros(SOME_HANDS.size + 4 * len(SOME_HANDS), dtype=np.uint8)
    hands = memory[: SOME_HANDS.size].reshape(-1, 3)
    hands[:] = SOME_HANDS
    out = memory[: len(hands) * np.dtype(dtype).itemsize].view(dtype)
    expected = function(SOME_HANDS)
    np.testing.assert_array_equal(function(hands, out=out), expected)


def test_out_of_wide_strengths():
    rules = RULE_SETS["card-by-card"]
    out = np.zeros(len(SOME_HANDS), dtype=np.uint32)
    assert three_card.strength(SOME_HANDS, rules=rules, out=out) is out
    np.testing.assert_array_equal(out, three_card.strength(SOME_HANDS, rules=rules))
    with pytest.raises((TypeError, ValueError), match="out"):
        three_card.strength(SOME_HANDS, rules=rules, out=np.zeros(len(out), dtype=np.uint16))


@each_with_out
def test_out_of_another_shape_or_type_is_refused(function, dtype):
    n = len(SOME_HANDS)
    read_only = np.zeros(n, dtype=dtype)
    read_only.flags.writeable = False
    for out in (
        np.zeros(n - 1, dtype=dtype),
        np.zeros(n + 1, dtype=dtype),
        np.zeros((n, 1), dtype=dtype),
        np.zeros((n, 3), dtype=dtype),
        np.zeros((), dtype=dtype),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.float64),
        np.zeros(n, dtype=np.dtype(dtype).newbyteorder("S")) if dtype != np.uint8 else [0] * n,
        [0] * n,
        read_only,
    ):
        with pytest.raises((TypeError, ValueError), match="out"):
            function(SOME_HANDS, out=out)


@each_with_out
def test_bad_hands_are_refused_with_out_too(function, dtype):
    hands = SOME_HANDS.copy()
    hands[500, 1] = 52
    with pytest.raises(ValueError, match="hands: card 52 at row 500"):
        function(hands, out=np.zeros(len(hands), dtype=dtype))


# --- what is refused ---

ON_HANDS = {
    "classify": three_card.classify,
    "strength": three_card.strength,
    "strength by points": lambda hands: three_card.strength(
        hands, rules=RULES["zha-jin-hua-points"]
    ),
    "strength by suits": lambda hands: three_card.strength(hands, rules=RULE_SETS["card-by-card"]),
    "points": three_card.points,
    "tally": three_card.tally,
    "tally by top card": lambda hands: three_card.tally(hands, by="top_card"),
}
each_function = pytest.mark.parametrize("function", ON_HANDS.values(), ids=ON_HANDS)
BAD_CARDS = [
    (52, "u1"),
    (63, "u1"),
    (64, "u1"),
    (255, "u1"),
    (-1, "i1"),
    (-128, "i1"),
    (-1, "i2"),
    (300, "i2"),
    (256, "u2"),
    (-1, "i4"),
    (-256, "i8"),
    (-1, "i8"),
    (300, "i8"),
    (256, "i8"),
    (2**32, "i8"),
    (2**63, "u8"),
    (300, ">i2"),
]


@each_function
@pytest.mark.parametrize(("card", "dtype"), BAD_CARDS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_card_outside_the_deck_is_named_with_its_row(function, card, dtype, order):
    n = 70_001
    hands = np.array(np.resize(SOME_HANDS, (n, 3)), dtype=dtype, order=order)
    for row, column in ((0, 0), (4, 1), (40_000, 2), (n - 1, 0)):
        kept = hands[row].copy()
        hands[row, column] = card
        with pytest.raises(ValueError, match=rf"^hands: card {card} at row {row}\b"):
            function(hands)
        hands[row] = kept
    function(hands)


@each_function
@pytest.mark.parametrize("columns", [(0, 1), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_card_held_twice_is_named_with_its_row(function, columns, order):
    n = 70_001
    hands = np.array(np.resize(SOME_HANDS, (n, 3)), order=order)
    for row in (0, 4, 40_000, n - 1):
        kept = hands[row].copy()
        hands[row, columns] = hands[row, columns[0]]
        with pytest.raises(ValueError, match=rf"^hands: .*\brow {row}\b") as caught:
            function(hands)
        twice = hands[row, columns[0]]
        assert str(twice) in str(caught.value) or cards.format(twice) in str(caught.value)
        hands[row] = kept


@each_function
@pytest.mark.parametrize(
    "hand", [[0, 1, 52], [-1, 0, 1], [0, 300, 2], [5, 5, 9], [5, 9, 5], [9, 5, 5], [7, 7, 7]]
)
def test_a_single_bad_hand(function, hand):
    with pytest.raises(ValueError, match=r"^hands: "):
        function(hand)


def wrong_types(shape):
    good = np.resize(SOME_HANDS, shape)
    texts = np.full(shape, "As")
    return [good.astype(float), good.astype(object), good > 20, texts, good.astype(complex),
            good.astype("m8[s]"), good.astype(float).tolist(), texts.tolist()]  # fmt: skip


@each_function
def test_only_integers_are_cards(function):
    for hands in (*wrong_types((20, 3)), *wrong_types((3,)), np.empty((0, 3))):
        with pytest.raises(TypeError, match=r"^hands: "):
            function(hands)
    for hands in (None, "As Kd 7c", {1, 2, 3}):
        with pytest.raises((TypeError, ValueError), match=r"^hands: "):
            function(hands)


@each_function
@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (2,), (4,), (6,), (5, 2), (5, 4), (3, 5), (0, 2), (2, 2, 2, 3)]
)
def test_hands_of_another_shape_are_refused(function, shape):
    with pytest.raises(ValueError, match=r"^hands: ") as caught:
        function(np.ones(shape, dtype=np.uint8))
    assert str(shape) in str(caught.value)


def test_ragged_hands_are_refused():
    with pytest.raises((TypeError, ValueError), match="hands"):
        three_card.classify([[1, 2, 3], [4, 5]])


# --- what is refused at a table ---


@pytest.mark.parametrize(("card", "dtype"), BAD_CARDS)
def test_a_table_with_a_card_outside_the_deck(card, dtype):
    tables = np.resize(SOME_TABLES, (20_001, 5, 3)).astype(dtype)
    for row, seat in ((0, 0), (7, 3), (20_000, 4)):
        bad = tables.copy()
        bad[row, seat, 1] = card
        with pytest.raises(ValueError, match=rf"^hands: card {card}\b.*\brow {row}\b") as caught:
            three_card.winners(bad, rules=ZHA_JIN_HUA)
        assert str(seat) in str(caught.value).split(f"row {row}")[1]


@pytest.mark.parametrize("players", [2, 3, 5, 17])
@pytest.mark.parametrize("rules", [ZHA_JIN_HUA, ZHA_JIN_HUA_235], ids=lambda rules: rules.name)
def test_a_card_held_twice_at_a_table(players, rules):
    """Between any two places of the table: within a hand and between hands."""
    tables = np.array(some_tables(players), dtype=np.uint8)
    row = 41
    for one in range(3 * players):
        for other in range(one):
            bad = tables.copy()
            flat = bad[row].reshape(-1)
            flat[one] = flat[other]
            with pytest.raises(ValueError, match=rf"^hands: .*\brow {row}\b") as caught:
                three_card.winners(bad, rules=rules)
            seats = str(caught.value).split(f"row {row}")[1]
            assert str(one // 3) in seats
            assert str(other // 3) in seats


@each_function
@pytest.mark.parametrize("order", ["C", "F"])
def test_tables_are_checked_wherever_they_are_given(function, order):
    for card, named in ((52, "card 52 at row 41, seat 3"), (SOME_TABLES[41, 1, 2], "row 41")):
        bad = np.array(SOME_TABLES, order=order)
        bad[41, 3, 0] = card
        with pytest.raises(ValueError, match=rf"^hands: .*{named}\b"):
            function(bad)


def test_a_card_held_twice_at_the_only_table():
    with pytest.raises(ValueError, match=r"^hands: "):
        three_card.winners([[1, 2, 3], [4, 5, 1]], rules=ZHA_JIN_HUA)


@pytest.mark.parametrize(
    "shape", [(), (3,), (0,), (5, 2), (5, 2, 4), (5, 2, 2), (1, 18, 3), (18, 3), (1, 1, 2, 3)]
)
def test_tables_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match=r"^hands: "):
        three_card.winners(np.ones(shape, dtype=np.uint8), rules=ZHA_JIN_HUA)


def test_tables_hold_integers_only():
    for hands in wrong_types((4, 2, 3)):
        with pytest.raises(TypeError, match=r"^hands: "):
            three_card.winners(hands, rules=ZHA_JIN_HUA)


# --- arguments ---


@pytest.mark.parametrize("rules", [None, "zha-jin-hua", 3, {"name": "mine"}])
def test_rules_are_rules(rules):
    for function in (three_card.classify, three_card.strength, three_card.points, three_card.tally):
        with pytest.raises((TypeError, ValueError), match="rules"):
            function(SOME_HANDS, rules=rules)
    with pytest.raises((TypeError, ValueError), match="rules"):
        three_card.winners(SOME_TABLES, rules=rules)


def test_tally_refuses_unknown_rows():
    with pytest.raises(ValueError, match="by: 'suit' is none of"):
        three_card.tally(SOME_HANDS, by="suit")


@pytest.mark.parametrize("workers", [0, -1, 1.5, None])
def test_tally_refuses_impossible_workers(workers):
    with pytest.raises((TypeError, ValueError), match="workers"):
        three_card.tally(SOME_HANDS, workers=workers)


# --- text ---

a_hand = st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True)


@given(a_hand, st.sampled_from(["ascii", "unicode", "zh"]))
def test_parse_reads_what_format_writes(hand, style):
    read = three_card.parse(three_card.format(hand, style=style))
    assert read.dtype == np.uint8
    assert read.tolist() == hand


@pytest.mark.parametrize(
    "text", ["As", "As Kd", "As Kd 7c 2h", "As As Kd", "As Kd As", "", "As Kd ?"]
)
def test_parse_takes_three_different_cards(text):
    with pytest.raises(ValueError, match=r"^text: "):
        three_card.parse(text)


@pytest.mark.parametrize("hand", [[1, 2], [1, 2, 3, 4], [1, 1, 2], [1, 2, 52], [-1, 2, 3]])
def test_format_takes_three_different_cards(hand):
    with pytest.raises(ValueError, match=r"^hand"):
        three_card.format(hand)


# --- dealing ---


@pytest.mark.parametrize("players", [None, *range(1, 18)])
def test_dealt_cards_come_from_one_deck(players):
    hands = three_card.deal(500, players=players, rng=1)
    assert hands.dtype == np.uint8
    assert hands.shape == ((500, 3) if players is None else (500, players, 3))
    for table in hands.reshape(500, -1).tolist():
        assert len(set(table)) == len(table)
        assert 0 <= min(table) <= max(table) < 52


def test_the_cards_of_a_full_table_leave_one():
    left_over = 1326 - three_card.deal(20_000, players=17, rng=2).reshape(20_000, -1).sum(
        axis=1, dtype=np.int64
    )
    seen = np.bincount(left_over, minlength=52)
    assert seen.shape == (52,)
    assert seen.min() > 20_000 / 52 - 6 * (20_000 / 52) ** 0.5
    assert seen.max() < 20_000 / 52 + 6 * (20_000 / 52) ** 0.5


@pytest.mark.parametrize("players", [None, 1, 5, 17])
def test_a_seed_deals_the_same_again(players):
    def deal(rng, n=300):
        return three_card.deal(n, players=players, rng=rng)

    np.testing.assert_array_equal(deal(5), deal(5))
    np.testing.assert_array_equal(deal(np.random.SeedSequence(5)), deal(5))
    np.testing.assert_array_equal(deal(np.random.default_rng(5)), deal(np.random.default_rng(5)))
    assert (deal(5) != deal(6)).any()
    assert (deal(None) != deal(None)).any()


def test_no_deals():
    assert three_card.deal(0).shape == (0, 3)
    assert three_card.deal(0, players=5).shape == (0, 5, 3)


@pytest.mark.parametrize("n", [-1, 1.5, "3", None, True])
def test_deal_refuses_impossible_numbers(n):
    with pytest.raises((TypeError, ValueError), match=r"^n: "):
        three_card.deal(n)


@pytest.mark.parametrize("players", [0, -1, 18, 2.5, "5", True])
def test_deal_refuses_impossible_tables(players):
    with pytest.raises((TypeError, ValueError), match=r"^players: "):
        three_card.deal(3, players=players)


@pytest.mark.parametrize("rng", [-1, 1.5, "seed"])
def test_deal_refuses_what_is_no_seed(rng):
    with pytest.raises((TypeError, ValueError)):
        three_card.deal(3, rng=rng)
