"""Mahjong: thousands of calls, each of which is answered or clearly refused."""

import numpy as np
import pytest
from fuzz_targets import TARGETS
from fuzzing import fuzz, judge
from hypothesis import given, settings
from hypothesis import strategies as st

MINE = [name for name in TARGETS if name.startswith("mahjong.")]


@pytest.mark.parametrize("name", MINE)
def test_a_plain_answer_or_a_clear_refusal(name, record_property):
    fuzz(name, TARGETS[name], record_property)


# Kinds of tiles, of which hands of any size are made: few sets of 34 counts would be hands.
tiles = st.lists(st.lists(st.integers(0, 33), max_size=15), min_size=1, max_size=3)
changes = st.lists(st.tuples(st.integers(0, 33), st.integers(-5, 5)), max_size=2)
KERNELS = ["classify", "is_win", "shanten", "waits", "acceptance", "discards"]


@settings(max_examples=300)
@given(tiles, changes, st.sampled_from("bBhHiIlL"), st.booleans(), st.sampled_from(KERNELS))
def test_any_hands(tiles, changes, dtype, columns, function):
    hands = np.array([np.bincount(hand, minlength=34) for hand in tiles], np.int64)
    for kind, more in changes:
        hands[0, kind] += more
    hands = np.asarray(hands.astype(dtype), order="F" if columns else "C")
    judge(TARGETS[f"mahjong.{function}"], lambda: {"hands": hands})
