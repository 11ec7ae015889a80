"""What helps a single hand: as the kernels say, and beside declared kongs as plain search says."""

import naive_mahjong as naive
import numpy as np
import pytest
from mahjong_samples import dealt, each, each_size, each_winning_size, of_few_kinds

from cardstats import mahjong
from cardstats.mahjong import CHINESE, SICHUAN, improving
from cardstats.mahjong.improving import Prospects, prospects


def named(option):
    """What an option accepts, in the names of tiles."""
    return {
        mahjong.format(np.eye(34, dtype=bool)[kind]): left for kind, left in option.left.items()
    }


# --- Without kongs ----------------------------------------------------------------------------


@each()
@each_size
def test_a_hand_is_as_far_as_the_kernels_say(rules, size):
    rng = np.random.default_rng(size)
    kinds = naive.kinds_of(rules)
    for hand in [*dealt(rng, 10, size, kinds), *of_few_kinds(rng, 30, size, kinds)]:
        found = prospects(hand, rules=rules)
        assert found.shanten == mahjong.shanten(hand, rules=rules)
        if size % 3 == 1:
            accepted = mahjong.acceptance(hand, rules=rules)
            assert [option.discard for option in found.options] == [None]
            assert list(found.options[0].left) == np.flatnonzero(accepted).tolist()
        else:
            keeping = np.flatnonzero(mahjong.discards(hand, rules=rules))
            assert sorted(option.discard for option in found.options) == keeping.tolist()


@each_winning_size
def test_a_discarded_tile_is_not_left(size):
    rng = np.random.default_rng(size)
    for hand in of_few_kinds(rng, 100, size):
        for option in prospects(hand).options:
            assert option.discard not in option.left
            assert option.left == {kind: 4 - hand[kind] for kind in option.left}
            assert option.tiles == sum(option.left.values()) > 0


def test_the_discard_that_most_tiles_help_comes_first():
    tiles = [option.tiles for option in prospects("147m258p369s12345z").options]
    assert tiles == sorted(tiles, reverse=True)
    assert len(set(tiles)) > 1


def test_a_complete_hand_has_nothing_ahead():
    assert prospects("11222233m") == Prospects(-1, ())
    assert str(prospects("11222233m")) == "shanten -1, complete"
    assert prospects("22233344455s", kongs="1111s") == Prospects(-1, ())


# --- Beside kongs -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "kongs", "shanten", "left"),
    [
        ("123456m12s99p", "3333s", 1, {"9p": 2, "1s": 3, "2s": 3}),  # no 3s is left to wait for
        ("123456m12s99p", "4444s", 0, {"3s": 4}),
        ("123456m45s99p", "3333s", 0, {"6s": 4}),  # one of two waits is gone
        ("1112345678m", "9999m", 0, {"2m": 3, "3m": 3, "5m": 3, "6m": 3, "8m": 3}),
        ("1z", "1111m 2222m 3333m 4444m", 0, {"1z": 3}),
    ],
)
def test_the_tiles_of_a_kong_are_gone(hand, kongs, shanten, left):
    found = prospects(hand, kongs=kongs)
    assert found.shanten == shanten
    assert [named(option) for option in found.options] == [left]


def test_a_discard_beside_a_kong():
    found = prospects("123456m12s99p5z", kongs=["3333s"])
    (kept,) = (option for option in found.options if option.discard == 31)
    assert found.shanten == 1
    assert named(kept) == {"9p": 2, "1s": 3, "2s": 3}


@pytest.mark.parametrize("rules", [CHINESE, SICHUAN], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", [1, 4, 7, 10])
def test_hands_without_bamboo_do_as_well_without_one_kind_of_it(rules, size):
    rng = np.random.default_rng(size)
    hands = np.vstack([of_few_kinds(rng, 8, size, range(18)), dealt(rng, 2, size, range(9))])
    gone = 26
    numbers, accepted = improving._look_ahead(hands, [gone], rules)
    assert numbers == mahjong.shanten(hands, rules=rules).tolist()
    by_kernel = mahjong.acceptance(hands, rules=rules)
    by_kernel[:, gone] = False
    np.testing.assert_array_equal(accepted, by_kernel)


@pytest.mark.parametrize(("size", "kongs"), [(1, 4), (4, 1), (4, 3), (7, 2), (10, 1)])
def test_beside_kongs_a_search_by_exchanging_tiles_says_the_same(size, kongs):
    rng = np.random.default_rng(10 * size + kongs)
    for _ in range(12):
        gone, kept = np.split(rng.permutation(9), [kongs])
        hand = dealt(rng, 1, size, np.sort(kept))[0]
        (number,), accepted = improving._look_ahead(hand[np.newaxis], gone.tolist(), CHINESE)
        helping = [kinds_that_help(hand.tolist(), gone, nearer) for nearer in (is_won, is_ready)]
        if number < 2:
            assert not any(helping[:number])
            assert np.flatnonzero(accepted).tolist() == helping[number] != []
        else:
            assert not any(helping)


def kinds_that_help(hand, gone, nearer):
    """Kinds after the draw of which a hand of 3k+2 is nearer."""
    return [kind for kind in left(hand, gone) if nearer(naive.drawn(hand, kind), gone)]


def is_won(hand, gone):
    return naive.is_standard(hand)


def is_ready(hand, gone):
    """Whether some discard leaves tiles to wait for."""
    rests = (naive.drawn(hand, kind, -1) for kind in naive.KINDS if hand[kind])
    return any(kinds_that_help(rest, gone, is_won) for rest in rests)


def left(hand, gone):
    return [kind for kind in naive.KINDS if hand[kind] < 4 and kind not in gone]


# --- What is no hand --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "settings", "message"),
    [
        ("123m", {}, "^hand: a hand has 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 tiles, not 3$"),
        ("1123m", {"kongs": "2222s 3333s 4444s 5555s"}, "beside 4 kongs has 1 or 2 tiles, not 4$"),
        ("11111m", {}, "^hand: five 1m: there are four of each$"),
        ("1112m", {"kongs": "1111m"}, "^hand: seven 1m, declared kongs included"),
        ("1z", {"rules": SICHUAN}, "^hand: 1z is no tile: sichuan rules have no honours$"),
        ([10, 11], {}, "^hand: 10 is no tile: characters are 1–9"),
        ("11m", {"kongs": "111s"}, "a kong is four of a kind, not 3 of 1s"),
        ("nothing", {}, "^hand: cannot read a tile at 'nothing'"),
    ],
)
def test_what_is_no_hand_is_refused(hand, settings, message):
    with pytest.raises(ValueError, match=message):
        prospects(hand, **settings)


def test_rules_are_rules():
    with pytest.raises(TypeError, match=r"rules: expected mahjong\.Rules"):
        prospects("11m", rules="riichi")
