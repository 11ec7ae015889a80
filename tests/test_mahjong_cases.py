"""Hands that programs got wrong: bug reports, test suites and questions, as one test each.

Every answer is asked of `naive_mahjong` too, so that the witness knows the traps.
"""

import naive_mahjong as naive
import numpy as np
import pytest

from cardstats import mahjong as mj
from cardstats.mahjong import CHINESE, RIICHI, SICHUAN, STANDARD_ONLY, Form

ORPHANS_BUT_HONOURS = "19m19p19s"


def shanten(text, rules=RIICHI):
    hand = mj.parse(text)
    answer = mj.shanten(hand, rules=rules)
    assert answer == naive.shanten(hand.tolist(), rules)
    return answer


def wins(text, rules=CHINESE):
    hand = mj.parse(text)
    answer = mj.is_win(hand, rules=rules)
    assert answer == naive.is_win(hand.tolist(), rules)
    assert mj.check(text, rules=rules).win == answer
    return answer


def waits(text, rules=CHINESE):
    """The kinds waited on, as text, with one tile of each."""
    hand = mj.parse(text)
    answer = mj.waits(hand, rules=rules)
    assert answer.tolist() == naive.waits(hand.tolist(), rules)
    return mj.format(answer.astype(np.uint8))


# --- four in hand are no wait ---


@pytest.mark.parametrize(
    ("hand", "number"),
    [
        ("123456789m1111z", 1),
        ("1111m123p112233s", 1),
        ("1112223334444z", 1),
        ("11112222z", 1),
        ("1111444478m", 2),
        ("1111m111122233z", 1),
    ],
)
def test_a_fifth_tile_is_not_waited_on(hand, number):
    assert shanten(hand) == number
    assert shanten(hand, STANDARD_ONLY) == number


def test_1111m_waits_for_another_shape():
    hand = mj.parse("1111m")
    assert mj.shanten(hand) == 1
    assert not mj.waits(hand).any()
    assert not any(naive.waits(hand.tolist(), CHINESE))
    assert waits("1111234m") == "4m"


def test_the_seeds_example_345_55_567_88():
    assert waits("3455556788m") == "28m"


# --- shanten ---


def test_no_orphans_with_an_open_meld():
    assert shanten(ORPHANS_BUT_HONOURS + "12345z") == 6


@pytest.mark.parametrize(("hand", "number"), [("245568m245568p77s", 2), ("145s36m12579p256z", 5)])
def test_shanten(hand, number):
    assert shanten(hand) == number


def test_seven_pairs_may_be_nearer():
    assert shanten("5566m233799p4444z", RIICHI) == 1
    assert shanten("5566m233799p4444z", STANDARD_ONLY) == 2


def test_a_quad_is_one_pair_or_two():
    hand = "1188m288p55s1111z"
    assert naive.missing_of_seven_pairs(mj.parse(hand).tolist(), RIICHI) - 1 == 2
    assert shanten(hand, RIICHI) == 2
    assert shanten(hand, CHINESE) == 0
    assert waits(hand, CHINESE) == "2p"


# --- winning ---


@pytest.mark.parametrize("hand", ["2222m34m444p555s55z", "11112222333m"])
def test_a_quad_is_a_triplet_and_a_tile_of_a_run(hand):
    for rules in (CHINESE, RIICHI, STANDARD_ONLY):
        assert wins(hand, rules)


def test_quads_in_seven_pairs_are_a_matter_of_rules():
    hand = "11113355778899m"
    assert mj.classify(mj.parse(hand), rules=CHINESE) == Form.SEVEN_PAIRS
    assert wins(hand, CHINESE)
    assert wins(hand, SICHUAN)
    assert not wins(hand, RIICHI)
    assert not wins(hand, STANDARD_ONLY)


def test_triplets_and_pairs_make_no_win():
    assert not wins("22m11p999p1199s111z")


def test_seven_pairs_and_standard_at_once():
    hand = mj.parse("11223344556677m")
    assert mj.classify(hand) == Form.SEVEN_PAIRS
    assert mj.classify(hand, rules=STANDARD_ONLY) == Form.STANDARD


def test_thirteen_orphans_hold_all_thirteen():
    assert not wins(ORPHANS_BUT_HONOURS + "11134567z")
    assert wins(ORPHANS_BUT_HONOURS + "11234567z")
    assert not wins(ORPHANS_BUT_HONOURS + "11234567z", STANDARD_ONLY)


@pytest.mark.parametrize(
    ("shortcut", "hand"),
    [
        ("all triplets first", "11112223334m"),
        ("runs first", "66678889m"),
        ("lowest pair only", "11122m"),
        ("neighbouring slices", "11112233m"),
    ],
)
def test_shortcuts_miss(shortcut, hand):
    assert wins(hand), shortcut


# --- waits ---


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("1113456666788s", "2578s"),
        ("1112333455p", "345p"),
        ("5557999m", "678m"),
        ("1112345678999m", "123456789m"),
    ],
)
def test_waits(hand, kinds):
    for rules in (CHINESE, RIICHI, STANDARD_ONLY):
        assert waits(hand, rules) == kinds


def test_nine_gates_wait_on_23_tiles():
    hand = mj.parse("1112345678999m")
    assert (4 - hand.astype(int))[mj.waits(hand)].sum() == 23


def test_thirteen_orphans_wait_on_all_thirteen():
    assert waits(ORPHANS_BUT_HONOURS + "1234567z") == ORPHANS_BUT_HONOURS + "1234567z"
    assert waits(ORPHANS_BUT_HONOURS + "1134567z") == "2z"


# --- decompositions ---


def test_four_decompositions():
    hand = mj.parse("11122233344455m")
    assert len(naive.decompositions(hand.tolist())) == 4
    assert len(mj.decompose(hand, rules=STANDARD_ONLY)) == 4
    assert len(mj.check(hand, rules=STANDARD_ONLY).decompositions) == 4


# --- what is no hand ---


def test_six_of_a_tile():
    result = mj.check("44555555m123p678s")
    assert not result.win
    assert result.form == Form.NOT_WINNING
    assert "six 5m" in result.reason
    with pytest.raises(ValueError, match="5m"):
        mj.parse("44555555m123p678s")
    hand = np.zeros(34, dtype=np.uint8)
    hand[[3, 4, 9, 10, 11, 23, 24, 25]] = [2, 6, 1, 1, 1, 1, 1, 1]
    for function in (mj.is_win, mj.classify, mj.shanten, mj.discards):
        with pytest.raises(ValueError, match=r"^hands: 6 of 5m"):
            function(hand)


def test_honours_form_no_runs_and_34_is_no_tile():
    result = mj.check([33, 34, 35, 36, 36])
    assert not result.win
    assert "34" in result.reason
    with pytest.raises(ValueError, match="34"):
        mj.from_codes([33, 34, 35, 36, 36])


def test_winds_in_triplets():
    assert mj.check([18, 18, 31, 31, 31, 33, 33, 33, 35, 35, 35]).form == Form.STANDARD


@pytest.mark.parametrize(
    ("codes", "reason"),
    [
        ([1, 1, 2, 3, 5, 6, 7, 8], "group"),
        ([1, 2, 3, 4, 5], "pair"),
        ([1, 2, 3, 4], "4 tiles"),
    ],
)
def test_no_win_for_a_reason(codes, reason):
    result = mj.check(codes)
    assert not result.win
    assert not result.decompositions
    assert reason in result.reason


def test_a_declared_kong():
    assert mj.check("22233344455s", kongs=("1111s",)).win
    flat = mj.check("111122233344455s")
    assert not flat.win
    assert "15" in flat.reason


# --- seed 004's own tests ---


@pytest.mark.parametrize(
    ("codes", "form"),
    [
        ([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7], Form.SEVEN_PAIRS),
        ([1, 1, 1, 1, 13, 13, 4, 4, 5, 5, 6, 6, 17, 17], Form.SEVEN_PAIRS),
        ([1, 9, 11, 19, 21, 29, 31, 33, 35, 37, 41, 43, 45, 29], Form.THIRTEEN_ORPHANS),
        ([1, 1, 2, 2, 2, 2, 3, 3], Form.STANDARD),
        ([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 17, 18, 19], Form.STANDARD),
        ([18, 18, 31, 33, 35, 31, 31, 33, 33, 35, 35], Form.STANDARD),
        ([33, 34, 35, 36, 36], Form.NOT_WINNING),
        ([1, 2, 3, 4], Form.NOT_WINNING),
        ([1, 2, 3, 4, 5], Form.NOT_WINNING),
        ([1, 1, 2, 3, 5, 6, 7, 8], Form.NOT_WINNING),
    ],
)
def test_the_ten_unit_tests_of_the_seed(codes, form):
    result = mj.check(codes)
    assert result.form == form
    assert result.win == (form != Form.NOT_WINNING)
    assert bool(result.reason) != result.win
    assert bool(result.decompositions) == result.win
    if result.win:
        hand = mj.from_codes(codes)
        assert mj.classify(hand) == naive.form(hand.tolist(), CHINESE) == form


@pytest.mark.parametrize(
    ("codes", "reason"), [([1] * 5, "five 1m"), ([5] * 8, "eight 5m"), ([33] * 5, "five 2z")]
)
def test_the_seed_refuses_five_of_a_tile(codes, reason):
    result = mj.check(codes)
    assert not result.win
    assert reason in result.reason


def test_a_kong_and_a_fifth_tile():
    result = mj.check("11123s", kongs=("1111s",))
    assert not result.win
    assert "1s" in result.reason


def test_a_kong_is_a_meld():
    """A hand with one has 11 tiles at most, and no seven pairs."""
    for hand in ("11m123456789p123s", "1122334455667m7p"):
        assert "14" in mj.check(hand, kongs=("1111z",)).reason


FIVE_PATTERNS = {
    "11m123456789p123s": "",
    "11m123456p123s111z": "111z",
    "11m123p456s111222z": "111z 222z",
    "11m123p111222333z": "111z 222z 333z",
    "11m111222333444z": "111z 222z 333z 444z",
}


@pytest.mark.parametrize("hand", FIVE_PATTERNS)
def test_the_five_patterns_of_the_seed(hand):
    assert wins(hand)
    assert mj.check(hand).form == Form.STANDARD


@pytest.mark.parametrize(("hand", "triplets"), FIVE_PATTERNS.items(), ids=FIVE_PATTERNS)
def test_1111_for_111_in_the_five_patterns(hand, triplets):
    """Each triplet in turn is a declared kong, then all of them are."""
    triplets = triplets.split()
    for declared in [*([triplet] for triplet in triplets), triplets]:
        concealed = mj.parse(hand)
        for triplet in declared:
            concealed -= mj.parse(triplet)
        kongs = [triplet[0] + triplet for triplet in declared]
        assert mj.check(concealed, kongs=kongs).form == Form.STANDARD
        wrong_size = mj.check(hand, kongs=kongs)
        assert wrong_size.win == (not kongs)
