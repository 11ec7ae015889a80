"""Blackjack: thousands of calls, each of which is answered or clearly refused."""

import pytest
from fuzz_kinds import any_arrays
from fuzz_targets import TARGETS
from fuzzing import fuzz, judge
from hypothesis import given, settings
from hypothesis import strategies as st

MINE = [name for name in TARGETS if name.startswith("blackjack.")]


@pytest.mark.parametrize("name", MINE)
def test_a_plain_answer_or_a_clear_refusal(name, record_property):
    fuzz(name, TARGETS[name], record_property)


hands = any_arrays(
    (st.integers(0, 5), st.integers(0, 6)),
    (st.integers(0, 3), st.integers(24, 27)),
    (st.integers(0, 6),),
    numbers=(0, 51),
)
padded = st.integers(0, 6)


@settings(max_examples=300)
@given(hands, padded, st.sampled_from(["total", "is_soft", "is_natural"]))
def test_any_arrays(hands, padding, function):
    if padding and hands.ndim == 2 and hands.dtype.itemsize > 1:
        hands = hands.copy()
        hands[:, padding:] = 255
    judge(TARGETS[f"blackjack.{function}"], lambda: {"hands": hands})
