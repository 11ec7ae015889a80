"""Suit-state tables: every state by another method, samples by search, and what they add up to."""

from itertools import product

import naive_mahjong as naive
import numpy as np
import pytest
from mahjong_samples import each_size, mixture

from cardstats.mahjong import suits
from cardstats.mahjong.rules import STANDARD_ONLY
from cardstats.mahjong.suits import SETS, WIN, WITH_PAIR, digits, states, tile_counts
from cardstats.mahjong.tiles import HONOURS, SUIT

each_part = pytest.mark.parametrize("kinds", [SUIT, HONOURS], ids=["suit", "honours"])
WITHIN_HAND = {SUIT: range(SUIT), HONOURS: naive.HONOURS}


def vectors_of(kinds):
    vectors = suits.class_vectors()
    of_class = vectors.suit if kinds == SUIT else vectors.honours
    return of_class[suits.classes(kinds)[states(kinds)]]


def as_hand(counts, kinds):
    hand = [0] * 34
    hand[WITHIN_HAND[kinds].start : WITHIN_HAND[kinds].stop] = map(int, counts)
    return hand


# --- States -----------------------------------------------------------------------------------


def test_numbers_of_states_classes_and_joins():
    assert len(states(SUIT)) == 405_350
    assert len(states(HONOURS)) == 43_130
    assert list(map(len, suits.class_vectors())) == [126, 55, 180, 165]


@each_part
def test_states_read_digits_to_base_five(kinds):
    counts = digits(states(kinds), kinds)
    assert counts.max() == 4
    assert (counts.sum(axis=1) <= 14).all()
    assert np.array_equal(counts @ 5 ** np.arange(kinds), states(kinds))
    assert np.array_equal(tile_counts(kinds)[states(kinds)], counts.sum(axis=1))


# --- Cost vectors -----------------------------------------------------------------------------


@each_part
def test_every_state_kind_by_kind(kinds):
    lacking = lacking_kind_by_kind(kinds)[states(kinds)]
    assert np.array_equal(vectors_of(kinds), lacking)


@each_part
def test_states_by_search_over_sets(kinds):
    rng = np.random.default_rng(kinds)
    vectors, counts = vectors_of(kinds), digits(states(kinds), kinds)
    tiles = counts.sum(axis=1)
    # A few of each number of tiles, half of them of few kinds: other states crowd those out.
    few = [rng.choice(np.flatnonzero(tiles == size), 8) for size in range(15)]
    same = (counts > 0).sum(axis=1) <= 4
    few += [rng.choice(np.flatnonzero((tiles == size) & same), 8) for size in range(15)]
    for state in np.concatenate(few):
        hand = as_hand(counts[state], kinds)
        for sets, pairs in np.ndindex(5, 2):
            found = naive.missing_of_groups(hand, sets, pairs, WITHIN_HAND[kinds])
            assert vectors[state, sets, pairs] == found, (hand, sets, pairs)


def test_a_suit_is_worth_as_much_backwards():
    counts = digits(states(SUIT), SUIT)
    backwards = counts[:, ::-1] @ 5 ** np.arange(SUIT)
    classes = suits.classes(SUIT)
    assert np.array_equal(classes[backwards], classes[states(SUIT)])


def test_honours_are_all_alike():
    counts = np.sort(digits(states(HONOURS), HONOURS), axis=1)
    classes = suits.classes(HONOURS)
    assert np.array_equal(classes[counts @ 5 ** np.arange(HONOURS)], classes[states(HONOURS)])


@each_part
def test_one_tile_more_brings_it_one_nearer_at_most(kinds):
    everywhere = np.full((5**kinds, 5, 2), 99, dtype=np.int64)
    everywhere[states(kinds)] = vectors_of(kinds)
    for kind in range(kinds):
        along = everywhere.reshape(-1, 5, 5**kind, 5, 2)
        nearer = along[:, :-1] - along[:, 1:]
        known = along[:, 1:] < 99
        assert set(np.unique(nearer[known])) <= {0, 1}


# --- Complete states --------------------------------------------------------------------------


@each_part
def test_complete_states_are_those_that_sets_make(kinds):
    sets = [
        np.bincount([kind - WITHIN_HAND[kinds].start for kind in group], minlength=kinds)
        for group in naive.sets_of(WITHIN_HAND[kinds])
    ]
    place = 5 ** np.arange(kinds)
    expected = np.zeros(5**kinds, dtype=np.uint8)
    made = {(0,) * kinds}
    for number in range(5):
        for state in made:
            expected[state @ place] = SETS
            for pair in np.flatnonzero(np.array(state) <= 2):
                expected[state @ place + 2 * place[pair]] = WITH_PAIR
        if number < 4:
            more = (tuple(group + np.array(state)) for group in sets for state in made)
            made = {state for state in more if max(state) <= 4}
    assert np.array_equal(suits.complete(kinds), expected)


def test_wins_in_one_suit():
    complete, tiles = suits.complete(SUIT), tile_counts(SUIT)
    assert np.count_nonzero(tiles == 13) == 93_600
    assert np.count_nonzero(tiles == 14) == 118_800
    assert np.count_nonzero(complete[tiles == 14]) == 13_259


def test_parts_of_winning_hands_and_of_no_others_add_up():
    parts = list(product((0, SETS, WITH_PAIR), repeat=4))
    wins = [sorted(hand) for hand in parts if sum(hand) == WIN]
    assert wins == [[SETS, SETS, SETS, WITH_PAIR]] * 4
    assert max(map(sum, parts)) < 256


# --- Joins ------------------------------------------------------------------------------------


def test_tables_lie_end_to_end_for_kernels():
    together = suits.kernel_tables()
    assert together.dtype == np.uint8
    assert not together.flags.writeable
    for table, start in zip(suits.tables(), suits.AT, strict=True):
        assert np.array_equal(together[int(start) :][: len(table)], table)
    assert sum(map(len, suits.tables())) == len(together)


def test_every_join_takes_the_cheaper_way():
    vectors, tables = suits.class_vectors(), suits.tables()
    joins = [
        (vectors.suit, vectors.suit, vectors.two_suits, tables.two_suits),
        (vectors.honours, vectors.suit, vectors.suit_and_honours, tables.suit_and_honours),
    ]
    for one, other, joined, table in joins:
        classes = table.reshape(-1, suits.ROW)[: len(one), : len(other)]
        assert np.array_equal(joined[classes], cheapest_of_both(one, other))
    whole = cheapest_of_both(vectors.two_suits, vectors.suit_and_honours)[..., 1]
    cost = tables.cost.reshape(5, suits.WIDE_ROW, suits.WIDE_ROW)
    for sets in range(5):
        assert np.array_equal(cost[sets, : whole.shape[0], : whole.shape[1]], whole[..., sets])


@each_size
def test_seven_look_ups_are_the_shanten_number(size):
    rng = np.random.default_rng(size)
    hands = mixture(rng, 200, size, STANDARD_ONLY)
    tables = suits.tables()
    powers = 5 ** np.arange(SUIT)
    one, two, three = (
        tables.suit[hands[:, first : first + SUIT] @ powers].astype(int) for first in (0, 9, 18)
    )
    honours = tables.honours[hands[:, 27:] @ powers[:HONOURS]].astype(int)
    left = tables.two_suits[one * suits.ROW + two].astype(int)
    right = tables.suit_and_honours[honours * suits.ROW + three]
    cost = tables.cost[(size // 3 * suits.WIDE_ROW + left) * suits.WIDE_ROW + right]
    assert [int(tiles) - 1 for tiles in cost] == [
        naive.shanten(hand, STANDARD_ONLY) for hand in hands.tolist()
    ]


# --- Oracles ----------------------------------------------------------------------------------


def lacking_kind_by_kind(kinds):
    """Fewest tiles that every state lacks for m sets and p pairs, shape (5 ** kinds, 5, 2).

    Goes from kind to kind and decides what starts there: runs, a triplet, the pair. What is open
    are the runs begun at the last kind and at the one before. Three equal runs are three
    triplets, so at most two are begun at a kind.
    """
    most_runs = 2 if kinds == SUIT else 0
    runs = range(most_runs + 1)
    best = np.full((1, len(runs), len(runs), 5, 2), 99, dtype=np.uint8)
    best[0, 0, 0, 0, 0] = 0
    for kind in range(kinds):
        after = np.full((5, *best.shape), 99, dtype=np.uint8)
        starting = runs if kind < kinds - 2 else range(1)
        for before, last, new, triplet, pair in product(runs, runs, starting, (0, 1), (0, 1)):
            target = before + last + new + 3 * triplet + 2 * pair
            sets = new + triplet
            if target > 4 or sets > 4:
                continue
            earlier = best[:, before, last, : 5 - sets, : 2 - pair]
            for count in range(5):
                later = after[count, :, last, new, sets:, pair:]
                np.minimum(later, earlier + np.uint8(max(0, target - count)), out=later)
        best = after.reshape(-1, *best.shape[1:])
    return best[:, 0, 0]


def cheapest_of_both(one, other):
    """Cost vectors of all pairs, shape (len(one), len(other), 5, 2)."""
    found = np.full((len(one), len(other), 5, 2), 99)
    for m, p in np.ndindex(5, 2):
        for n, q in np.ndindex(5 - m, 2 - p):
            together = one[:, m, p, None].astype(int) + other[:, n, q]
            np.minimum(found[..., m + n, p + q], together, out=found[..., m + n, p + q])
    return found
