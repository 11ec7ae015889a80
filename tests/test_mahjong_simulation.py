"""Dealing tiles against a plain twin, bit for bit; and what a Mahjong simulation promises."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice

import naive
import numpy as np
import pytest
from scipy import stats

from cardstats import _engine, compare, mahjong
from cardstats._random import LANES, WORD_LANES, lane_states
from cardstats.mahjong import CHINESE, RIICHI, RULES, SICHUAN, STANDARD_ONLY

SIZES = (1, 2, 4, 5, 7, 8, 10, 11, 13, 14)
LEAST_P = 1e-3

# --- the plain twin ---


def plain_rounds(seed, size, deck):
    """Rounds of LANES hands without end, each a list of kinds, or None where it is dropped.

    Words come three to a lane at a time; each serves two hands, with its low and its high half. A
    tile is the high half of the product of 16 bits and the tiles left; a low half below 2^16 mod
    that number drops the hand.
    """
    states = lane_states(seed).reshape(4, WORD_LANES).T.tolist()
    lanes = [naive.xoshiro128pp(state) for state in states]
    steps = 3 * -(-size // 3)
    while True:
        words = [[next(lane) for lane in lanes] for _ in range(steps)][:size]
        yield [
            plain_hand([row[hand // 2] >> 16 * (hand % 2) & 0xFFFF for row in words], deck)
            for hand in range(LANES)
        ]


def plain_hand(numbers, deck):
    left = list(range(deck))
    kinds = []
    for number in numbers:
        product = number * len(left)
        if product % 2**16 < 2**16 % len(left):
            return None
        kinds.append(left.pop(product >> 16) // 4)
    return kinds


@cache
def plain_deal(seed, size, deck, hands):
    chunk = np.random.SeedSequence(seed, spawn_key=(0,))
    kept = (hand for hands in plain_rounds(chunk, size, deck) for hand in hands if hand)
    return [[hand.count(kind) for kind in range(34)] for hand in islice(kept, hands)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", [CHINESE, SICHUAN], ids=lambda rules: rules.name)
def test_deal_is_the_plain_dealing(size, rules):
    dealt = mahjong.deal(1500, size=size, rules=rules, rng=11)
    assert dealt.dtype == np.uint8
    assert dealt.tolist() == plain_deal(11, size, rules.tiles, 1500)


def test_known_deals():
    """A change here changes every simulated figure."""
    assert [mahjong.format(hand) for hand in mahjong.deal(2, rng=7)] == KNOWN


KNOWN = ["34445m77p2367s156z", "1589m678p2456s267z"]


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of 3,000 hands."""
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 4 * 3000)


# --- what is counted is what is dealt ---


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_simulate_counts_the_shanten_numbers_of_deal(size, rules):
    counted = mahjong.simulate(7000, size=size, rules=rules, rng=5)
    hands = mahjong.deal(7000, size=size, rules=rules, rng=5)
    lowest = int(counted.labels[0])
    numbers = mahjong.shanten(hands, rules=rules)
    expected = np.bincount(numbers - lowest, minlength=len(counted.labels))
    assert counted.counts.tolist() == expected.tolist()
    assert counted.labels == mahjong.exact_shanten(size=size, rules=rules).labels


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("size", [2, 5, 8, 11, 14])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_simulate_counts_the_forms_of_deal(size, rules):
    counted = mahjong.simulate(7000, size=size, rules=rules, by="form", rng=5)
    codes = mahjong.classify(mahjong.deal(7000, size=size, rules=rules, rng=5), rules=rules)
    assert counted.counts.tolist() == np.bincount(codes, minlength=4).tolist()
    assert counted.labels == mahjong.exact_forms(size=size, rules=rules).labels


def test_a_hand_does_not_depend_on_what_is_counted():
    few, many = mahjong.deal(500, rng=3), mahjong.deal(5000, rng=3)
    np.testing.assert_array_equal(few, many[:500])


# --- chance ---


@pytest.mark.parametrize("size", [2, 5, 13, 14])
@pytest.mark.parametrize("rules", [CHINESE, RIICHI, SICHUAN, STANDARD_ONLY], ids=lambda r: r.name)
def test_simulated_shanten_fits_the_exact_one(size, rules):
    exact = mahjong.exact_shanten(size=size, rules=rules)
    p_values = [
        compare(mahjong.simulate(20_000, size=size, rules=rules, rng=seed), exact).p_value
        for seed in range(60)
    ]
    assert stats.kstest(p_values, "uniform").pvalue > LEAST_P
    assert min(p_values) > LEAST_P / len(p_values)


def test_a_long_run_fits():
    run = mahjong.simulate(20_000_000, rules=RIICHI, rng=1)
    found = compare(run, mahjong.exact_shanten(rules=RIICHI))
    assert found.p_value > LEAST_P
    assert np.abs(found.z).max() < 4


@pytest.mark.parametrize("rules", [CHINESE, SICHUAN], ids=lambda rules: rules.name)
def test_every_kind_comes_equally_often(rules):
    """A count of one kind among 14 tiles is hypergeometric; all kinds add up to 14."""
    kinds, size, hands = rules.kinds, 14, 20_000
    variance = size * (1 / kinds) * (1 - 1 / kinds) * (rules.tiles - size) / (rules.tiles - 1)
    p_values = []
    for seed in range(100):
        counts = mahjong.deal(hands, rules=rules, rng=seed)[:, :kinds].sum(axis=0, dtype=np.int64)
        # The kinds' counts have a common variance and sum to a constant: kinds - 1 dimensions.
        spread = ((counts - hands * size / kinds) ** 2).sum() / (hands * variance)
        p_values.append(stats.chi2.sf(spread * (kinds - 1) / kinds, df=kinds - 1))
    assert stats.kstest(p_values, "uniform").pvalue > LEAST_P


# --- promises ---


@pytest.mark.usefixtures("small_chunks")
def test_workers_change_nothing():
    alone = mahjong.simulate(20_000, rng=9)
    assert mahjong.simulate(20_000, rng=9, workers=3) == alone
    with ThreadPoolExecutor(2) as pool:
        assert mahjong.simulate(20_000, rng=9, workers=pool.map) == alone


@pytest.mark.usefixtures("small_chunks")
def test_a_checkpoint_is_taken_up(tmp_path):
    path = tmp_path / "run.json"
    mahjong.simulate(10_000, rng=9, checkpoint=path)
    grown = mahjong.simulate(20_000, rng=9, checkpoint=path)
    assert grown == mahjong.simulate(20_000, rng=9)


@pytest.mark.parametrize("change", [{"size": 13}, {"by": "form"}, {"rules": RIICHI}])
def test_a_checkpoint_of_other_work_is_refused(tmp_path, change):
    path = tmp_path / "run.json"
    mahjong.simulate(1000, rng=9, checkpoint=path)
    with pytest.raises(ValueError, match="is of other work"):
        mahjong.simulate(1000, rng=9, checkpoint=path, **change)


def test_runs_of_one_thing_add_up_and_others_do_not():
    one, other = (mahjong.simulate(1000, rng=seed) for seed in (1, 2))
    assert (one + other).total == 2000
    smaller = mahjong.simulate(1000, size=11, rng=2)
    assert smaller.labels == one.labels
    with pytest.raises(ValueError, match="11 tiles"):
        one + smaller


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 12}, "size: 12 is none of"),
        ({"size": 13, "by": "form"}, "size: 13 is none of 2, 5, 8, 11, 14"),
        ({"by": "yaku"}, "by: 'yaku' is none of"),
        ({"rules": "riichi"}, "rules: expected mahjong.Rules"),
        ({"rng": -1}, "rng: seed -1 is negative"),
    ],
)
def test_bad_arguments_are_named(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        mahjong.simulate(10, **options)
    if "by" not in options:
        with pytest.raises((TypeError, ValueError), match=message):
            mahjong.deal(10, **options)


# --- a user's own hands ---


def test_tally_counts_what_shanten_says_whatever_the_layout():
    hands = mahjong.deal(70_000, rng=4)
    expected = mahjong.simulate(70_000, rng=4).counts.tolist()
    assert mahjong.tally(hands).counts.tolist() == expected
    assert mahjong.tally(np.asfortranarray(hands), workers=2).counts.tolist() == expected
    assert mahjong.tally(hands.astype(np.int64)).counts.tolist() == expected


def test_tally_has_rows_for_hands_of_all_sizes():
    hands = np.concatenate([mahjong.deal(100, size=size, rng=1) for size in (2, 5, 13)])
    counted = mahjong.tally(hands, rules=RIICHI)
    assert counted.labels == ("-1", "0", "1", "2", "3", "4", "5", "6")
    assert counted.total == 300
    small = mahjong.tally(mahjong.deal(100, size=4, rng=1))
    assert small.labels == ("0", "1", "2")
    assert mahjong.tally(mahjong.parse("11z")).counts.tolist() == [1, 0]


def test_tally_by_form_fits_the_exact_one():
    seen = mahjong.tally(mahjong.deal(300_000, size=5, rng=2), by="form")
    assert compare(seen, mahjong.exact_forms(size=5)).p_value > LEAST_P


def test_tally_names_the_row_of_a_fault():
    hands = mahjong.deal(100_000, rng=4)
    hands[70_001, 3] = 5
    with pytest.raises(ValueError, match="5 of 4m at row 70001"):
        mahjong.tally(hands)
    with pytest.raises(ValueError, match="by: 'yaku' is none of"):
        mahjong.tally(hands, by="yaku")
