"""Agreement with other people's packages, where they are installed (pip install '.[bench]')."""

import numpy as np
import pytest

from cardstats import mahjong
from cardstats.mahjong import RIICHI

SIZES = (1, 2, 4, 5, 7, 8, 10, 11, 13, 14)


def hands_of(size, hands):
    """Hands from all tiles, and as many from six kinds, where four of a kind are common."""
    rng = np.random.default_rng(size)
    kinds = rng.permuted(np.tile(np.arange(34), (hands, 1)), axis=1)[:, :6]
    tiles = rng.permuted(np.repeat(kinds, 4, axis=1), axis=1)[:, :size]
    return np.concatenate([mahjong.deal(hands, size=size, rng=size), mahjong.counts(tiles)])


@pytest.mark.parametrize("size", SIZES)
def test_xiangting_finds_the_same_shanten_and_the_same_tiles(size):
    """Its necessary tiles are our acceptance, its unnecessary ones our discards."""
    xiangting = pytest.importorskip("xiangting")
    hands = hands_of(size, 20_000)
    tiles = mahjong.acceptance if size % 3 == 1 else mahjong.discards
    theirs = (
        xiangting.calculate_necessary_tiles
        if size % 3 == 1
        else xiangting.calculate_unnecessary_tiles
    )
    found = [theirs(hand, xiangting.PlayerCount.FOUR) for hand in hands.tolist()]
    assert [number - 1 for number, _ in found] == mahjong.shanten(hands, rules=RIICHI).tolist()
    flags = np.array([flags for _, flags in found], np.uint64)[:, None]
    marks = (flags >> np.arange(34, dtype=np.uint64) & np.uint64(1)).astype(bool)
    np.testing.assert_array_equal(tiles(hands, rules=RIICHI), marks)
