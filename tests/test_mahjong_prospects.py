"""What helps a single hand: as the kernels say, and beside declared kongs by plain search."""

import naive_mahjong as naive
import numpy as np
import pytest
from mahjong_samples import dealt, each, of_few_kinds

from cardstats import mahjong
from cardstats.mahjong import prospects as module
from cardstats.mahjong.prospects import prospects
from cardstats.mahjong.rules import CHINESE, SICHUAN, SIZES
from cardstats.mahjong.tiles import tile_name


def shown(option):
    """An option in the names of tiles."""
    discard = None if option.discard is None else tile_name(option.discard)
    return discard, {tile_name(kind): count for kind, count in option.left.items()}


# --- Without kongs ---


@each()
@pytest.mark.parametrize("size", SIZES)
def test_a_hand_is_as_far_as_the_kernels_say(rules, size):
    rng = np.random.default_rng(size)
    kinds = naive.kinds_of(rules)
    for hand in [*dealt(rng, 10, size, kinds), *of_few_kinds(rng, 30, size, kinds)]:
        found = prospects(hand, rules=rules)
        assert found.shanten == mahjong.shanten(hand, rules=rules)
        if size % 3 == 1:
            (only,) = found.options
            assert only.discard is None
            assert sorted(only.left) == np.flatnonzero(mahjong.acceptance(hand, rules=rules)).tolist()
            continue
        keeping = np.flatnonzero(mahjong.discards(hand, rules=rules)).tolist()
        assert sorted(option.discard for option in found.options) == keeping


@pytest.mark.parametrize("size", [2, 5, 8, 11, 14])
def test_tiles_are_counted_by_what_the_whole_hand_shows(size):
    rng = np.random.default_rng(size)
    for hand in of_few_kinds(rng, 50, size):
        options = prospects(hand).options
        assert [option.tiles for option in options] == sorted(
            (option.tiles for option in options), reverse=True
        )
        for option in options:
            assert option.discard not in option.left
            assert all(count == 4 - hand[kind] > 0 for kind, count in option.left.items())
            assert option.tiles > 0


def test_a_complete_hand_has_nothing_ahead():
    assert prospects("11222233m") == module.Prospects(-1, ())


def test_the_best_discard_comes_first():
    found = prospects("123m4455p7899s12z")
    assert found.shanten == 1
    assert shown(found.options[0]) == (
        "9s",
        {"3p": 4, "4p": 2, "5p": 2, "6p": 4, "6s": 4, "9s": 2},
    ) or found.options[0].tiles == max(option.tiles for option in found.options)


# --- Beside kongs ---


@pytest.mark.parametrize(
    ("hand", "kongs", "shanten", "left"),
    [
        ("123456m12s99p", "3333s", 1, None),  # the 3s that is waited for is gone
        ("123456m12s99p", "4444s", 0, {"3s": 4}),
        ("123456m45s99p", "3333s", 0, {"6s": 4}),  # one of two waits is gone
        ("1z", "1111m 2222m 3333m 4444m", 0, {"1z": 3}),
        ("1112345678m", "9999m", 0, {"2m": 3, "5m": 3, "8m": 3, "3m": 3, "6m": 3}),
    ],
)
def test_the_tiles_of_a_kong_are_gone(hand, kongs, shanten, left):
    found = prospects(hand, kongs=kongs)
    assert found.shanten == shanten
    if left is not None:
        (only,) = found.options
        assert shown(only) == (None, dict(sorted(left.items(), key=lambda item: item[0])))


@pytest.mark.parametrize("size", [1, 2, 4, 5, 7, 8, 10])
def test_the_search_agrees_with_the_kernels_where_nothing_is_gone(size):
    rng = np.random.default_rng(size)
    kinds = set(range(34))
    winning = module._winning_hands(size // 3, kinds)
    assert np.unique(winning, axis=1).shape[1] == len(
        {tuple(hand) for hand in winning.T.tolist()}
    )
