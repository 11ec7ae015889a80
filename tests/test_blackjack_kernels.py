"""Totals, soft hands and naturals in bulk: what they are, what is taken and what is refused."""

from itertools import combinations, combinations_with_replacement

import naive_blackjack as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardstats import blackjack
from cardstats.blackjack import is_natural, is_soft, parse, total

PAD = 255
MOST = 25
FUNCTIONS = {"total": total, "is_soft": is_soft, "is_natural": is_natural}
ORACLES = {"total": naive.total, "is_soft": naive.is_soft, "is_natural": naive.is_natural}
DTYPES = {"total": np.uint8, "is_soft": np.bool_, "is_natural": np.bool_}
each = pytest.mark.parametrize("name", FUNCTIONS)
in_both_orders = pytest.mark.parametrize("order", ["C", "F"])


def padded(hands, places=None):
    table = np.full((len(hands), places or max(map(len, hands))), PAD, dtype=np.uint8)
    for row, hand in zip(table, hands, strict=True):
        row[: len(hand)] = hand
    return table


def expected(name, hands):
    return [ORACLES[name]([naive.value(card) for card in hand]) for hand in hands]


def random_hands(n, most, seed=1):
    """Hands of 1 to `most` cards, with aces as often as all others together in half of them."""
    rng = np.random.default_rng(seed)
    hands = []
    for size in rng.integers(1, most + 1, n):
        cards = rng.integers(0, 52, size)
        aces = rng.random(size) < rng.choice([0, 0.5])
        hands.append(np.where(aces, rng.integers(48, 52, size), cards).tolist())
    return hands


# --- what they are ---


@pytest.mark.parametrize(
    ("cards", "best", "soft"),
    [
        ("A 5 8", 14, False),
        ("A K", 21, True),
        ("A A", 12, True),
        ("A A T", 12, False),
        ("A A A 9", 12, False),
        ("A A A 6", 19, True),
        ("2 A 5 2", 20, True),
        ("2 A 5 4", 12, False),
        ("J 3 A", 14, False),
        ("10 J Q", 30, False),
        ("4 8 K", 22, False),
        ("A A A A A A A A A A A", 21, True),
        ("A A A A A A A A A A A A", 12, False),
        (" ".join(["A"] * 22), 22, False),
        (" ".join(["K"] * MOST), 250, False),
        ("7 7 7", 21, False),
        ("A", 11, True),
        ("2", 2, False),
    ],
)
def test_hands_that_programs_got_wrong(cards, best, soft):
    hand = parse("".join(f"♠{card}" for card in cards.split()))
    assert total(hand) == best
    assert is_soft(hand) == soft
    assert is_natural(hand) == (cards == "A K")


def test_naturals_are_of_two_cards():
    for other in ("10", "J", "Q", "K"):
        assert is_natural(parse(f"♦{other} ♠A"))
    for hand in ("♠A ♥9", "♠A ♥A", "♠A ♥5 ♣5", "♠A ♥K ♣10", "♠10 ♥10 ♣A", "♠A"):
        assert not is_natural(parse(hand))


def test_two_card_totals_of_one_deck():
    totals = total(list(combinations(range(52), 2)))
    counts = [6, 16, 22, 32, 38, 48, 54, 64, 124, 128, 118, 112, 102, 96, 86, 80, 136, 64]
    assert np.bincount(totals).tolist() == [0, 0, 0, 0, *counts]


@each
@in_both_orders
def test_every_hand_of_up_to_four_ranks(name, order):
    """In each order of the cards, by way of every rank in some suit."""
    rng = np.random.default_rng(4)
    ranks = [hand for k in range(1, 5) for hand in np.ndindex(*[13] * k)]
    hands = [[4 * rank + int(rng.integers(4)) for rank in hand] for hand in ranks]
    found = FUNCTIONS[name](np.asarray(padded(hands), order=order))
    assert found.tolist() == expected(name, hands)


@each
def test_every_card_in_every_place(name):
    hands = [[7] * place + [card] + [1] * (3 - place) for place in range(4) for card in range(52)]
    assert FUNCTIONS[name](padded(hands)).tolist() == expected(name, hands)


@each
@in_both_orders
@pytest.mark.parametrize("most", [5, 11, 22, MOST])
def test_longer_hands(name, order, most):
    hands = random_hands(3000, most)
    found = FUNCTIONS[name](np.asarray(padded(hands), order=order))
    assert found.dtype == DTYPES[name]
    assert found.tolist() == expected(name, hands)


def test_every_multiset_of_five_values():
    hands = [
        [4 * value - 5 if value > 1 else 51 for value in values]
        for values in combinations_with_replacement(range(1, 11), 5)
    ]
    for name, function in FUNCTIONS.items():
        assert function(hands).tolist() == expected(name, hands)


@given(st.lists(st.integers(0, 51), min_size=1, max_size=12), st.integers(0, 20), st.randoms())
def test_order_suits_and_padding_do_not_matter(hand, padding, random):
    other = [4 * (card // 4) + random.randrange(4) for card in hand]
    random.shuffle(other)
    for function in FUNCTIONS.values():
        assert function(hand) == function(other + [PAD] * padding)


# --- arrays as people bring them ---

INTEGERS = [*np.typecodes["AllInteger"], ">i2", ">u8"]
SOME_HANDS = random_hands(1503, 6, seed=7)
SOME = padded(SOME_HANDS, 6)
FULL = padded([hand for hand in random_hands(1503, 6, seed=8) if len(hand) == 6])


def as_read_only(array, _):
    array = array.copy()
    array.flags.writeable = False
    return array


def as_middle_columns(array, _):
    wide = np.full((len(array), array.shape[1] + 4), 99, dtype=array.dtype)
    wide[:, 2:-2] = array
    return wide[:, 2:-2]


def as_memory_map(array, folder):
    np.save(folder / "hands.npy", array)
    return np.load(folder / "hands.npy", mmap_mode="r")


def as_unaligned(array, _):
    packed = np.zeros(len(array), dtype=[("pad", "u1"), ("cards", array.dtype, array.shape[1:])])
    packed["cards"] = array
    return packed["cards"]


LAYOUTS = {
    "C": lambda array, _: np.ascontiguousarray(array),
    "F": lambda array, _: np.asfortranarray(array),
    "every other row": lambda array, _: np.repeat(array, 2, axis=0)[::2],
    "every other place": lambda array, _: np.repeat(array, 2, axis=1)[:, ::2],
    "rows reversed": lambda array, _: array[::-1].copy()[::-1],
    "places reversed": lambda array, _: array[:, ::-1].copy()[:, ::-1],
    "middle columns": as_middle_columns,
    "read-only": as_read_only,
    "memory map": as_memory_map,
    "unaligned": as_unaligned,
    "list": lambda array, _: array.tolist(),
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_integers_in_any_layout(layout, dtype, tmp_path):
    hands = FULL if np.dtype(dtype) == np.int8 else SOME  # an int8 holds no 255
    given = LAYOUTS[layout](hands.astype(dtype), tmp_path)
    for function in FUNCTIONS.values():
        np.testing.assert_array_equal(function(given), function(hands))


@in_both_orders
def test_every_number_of_hands(order):
    """Kernels work in blocks and lanes: what is left over must be done too, and no more."""
    many = np.resize(SOME, (5000, 6))
    for name, function in FUNCTIONS.items():
        answers = np.resize(expected(name, SOME_HANDS), 5000)
        for n in (*range(70), 1023, 1024, 1025, 2047, 2048, 2049, 5000):
            found = function(np.array(many[:n], order=order))
            np.testing.assert_array_equal(found, answers[:n])


@pytest.mark.parametrize("places", range(1, 40))
@in_both_orders
def test_every_number_of_places(places, order):
    """Wide arrays may hold more padding than a hand has cards."""
    hands = random_hands(200, min(places, MOST), seed=places)
    given = np.asarray(padded(hands, places), order=order)
    for name, function in FUNCTIONS.items():
        assert function(given).tolist() == expected(name, hands)


@each
def test_one_hand_gives_a_scalar(name):
    for hand, answer in zip(SOME_HANDS, expected(name, SOME_HANDS), strict=True):
        found = FUNCTIONS[name](hand)
        assert np.ndim(found) == 0
        assert np.asarray(found).dtype == DTYPES[name]
        assert found == answer


@each
def test_no_hands(name):
    found = FUNCTIONS[name](np.empty((0, 5), dtype=np.int64))
    assert (found.shape, found.dtype) == ((0,), DTYPES[name])


def test_one_hand_seen_many_times():
    assert set(total(np.broadcast_to(SOME[0], (3000, 6)))) == {total(SOME[0])}


# --- out ---


@each
def test_out_is_filled_and_returned(name):
    function, n = FUNCTIONS[name], len(SOME)
    for out in (np.empty(n, DTYPES[name]), np.empty(2 * n, DTYPES[name])[::2]):
        assert function(SOME, out=out) is out
        np.testing.assert_array_equal(out, function(SOME))
    scalar = np.empty((), DTYPES[name])
    assert function(SOME[0], out=scalar) is scalar
    assert scalar == function(SOME[0])


def test_out_may_lie_in_the_memory_of_the_hands():
    hands = SOME.copy()
    answers = total(SOME)
    np.testing.assert_array_equal(total(hands, out=hands[:, 0]), answers)


@each
def test_out_of_another_shape_or_type_is_refused(name):
    n, dtype = len(SOME), DTYPES[name]
    read_only = np.zeros(n, dtype)
    read_only.flags.writeable = False
    for out in (np.zeros(n - 1, dtype), np.zeros((n, 1), dtype), np.zeros(n), [0] * n, read_only):
        with pytest.raises((TypeError, ValueError), match=r"^out"):
            FUNCTIONS[name](SOME, out=out)


# --- what is refused ---

BAD_CARDS = [(52, "u1"), (254, "u1"), (-1, "i1"), (-128, "i1"), (52, "i1"), (-1, "i2"), (300, "i2"),
             (256, "u2"), (511, "u2"), (-1, "i4"), (-1, "i8"), (2**32, "i8"), (2**63, "u8"),
             (2**64 - 1, "u8"), (300, ">i2")]  # fmt: skip


@each
@in_both_orders
@pytest.mark.parametrize(("card", "dtype"), BAD_CARDS)
def test_a_card_outside_the_deck_is_named(name, order, card, dtype):
    n = 70_001
    hands = np.array(np.resize(FULL, (n, 6)), dtype=dtype, order=order)
    for row, place in ((0, 0), (4, 1), (40_000, 5), (n - 1, 2)):
        kept = hands[row].copy()
        hands[row, place] = card
        message = rf"^hands: card {card} at row {row}, place {place} is outside 0\.\.51$"
        with pytest.raises(ValueError, match=message):
            FUNCTIONS[name](hands)
        hands[row] = kept
    FUNCTIONS[name](hands)


def test_every_byte_is_a_card_padding_or_refused():
    for code in range(256):
        if code < 52 or code == PAD:
            total([[1, code]])
        else:
            with pytest.raises(ValueError, match=f"card {code} at row 0, place 1"):
                total([[1, code]])


@each
@in_both_orders
@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_a_card_after_padding_is_named(name, order, dtype):
    hands = np.array(np.resize(FULL, (5000, 6)), dtype=dtype, order=order)
    for row in (0, 1023, 1024, 4999):
        for pad in range(5):
            for place in range(pad + 1, 6):
                kept = hands[row].copy()
                hands[row, pad:] = PAD
                hands[row, place] = 0
                message = rf"^hands: card 0 at row {row}, place {place} comes after padding"
                with pytest.raises(ValueError, match=message):
                    FUNCTIONS[name](hands)
                hands[row] = kept


@each
@in_both_orders
def test_a_hand_without_cards_is_named(name, order):
    hands = np.array(SOME, order=order)
    for row in (0, 3, 1100, len(hands) - 1):
        kept = hands[row].copy()
        hands[row] = PAD
        with pytest.raises(ValueError, match=rf"^hands: no card at row {row}\b"):
            FUNCTIONS[name](hands)
        hands[row] = kept


@each
def test_too_many_cards_are_named(name):
    hands = padded(random_hands(50, 5), 30)
    hands[17, :26] = 0
    with pytest.raises(ValueError, match=r"^hands: 26 cards at row 17; expected at most 25$"):
        FUNCTIONS[name](hands)
    with pytest.raises(ValueError, match=r"^hands: 30 cards at row 0"):
        FUNCTIONS[name](np.zeros(30, dtype=np.int8))


def test_the_first_fault_is_named():
    hands = SOME.copy()
    hands[900, 0] = 60
    hands[300, 0] = 61
    with pytest.raises(ValueError, match="card 61 at row 300, place 0"):
        total(hands)


@each
def test_bad_hands_are_refused_with_out_too(name):
    with pytest.raises(ValueError, match="card 52 at row 1, place 0"):
        FUNCTIONS[name]([[1, 2], [52, 3]], out=np.zeros(2, DTYPES[name]))


@each
@pytest.mark.parametrize("shape", [(), (0,), (5, 0), (0, 0), (2, 3, 4)])
def test_hands_of_another_shape_are_refused(name, shape):
    with pytest.raises(ValueError, match=r"^hands: expected shape") as caught:
        FUNCTIONS[name](np.ones(shape, dtype=np.uint8))
    assert str(shape) in str(caught.value)


@each
def test_only_integers_are_cards(name):
    good = SOME[:20]
    texts = np.full((20, 2), "As")
    wrong = [good.astype(float), good.astype(object), good > 20, texts, texts.tolist(), "As Kd"]
    for hands in (*wrong, None, np.empty((0, 3))):
        with pytest.raises(TypeError, match=r"^hands: "):
            FUNCTIONS[name](hands)


@each
def test_uneven_rows_are_refused(name):
    with pytest.raises((TypeError, ValueError), match=r"^hands: "):
        FUNCTIONS[name]([[1, 2, 3], [4, 5]])


def test_a_hand_as_it_is_parsed():
    assert total(blackjack.parse("♦ 4  ♥ 8  ♥ K")) == 22
