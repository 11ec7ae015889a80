"""Three cards: thousands of calls, each of which is answered or clearly refused."""

import pytest
from fuzz_kinds import any_arrays
from fuzz_targets import TARGETS
from fuzzing import fuzz, judge
from hypothesis import given, settings
from hypothesis import strategies as st

MINE = [name for name in TARGETS if name.startswith("three_card.")]


@pytest.mark.parametrize("name", MINE)
def test_a_plain_answer_or_a_clear_refusal(name, record_property):
    fuzz(name, TARGETS[name], record_property)


hands = any_arrays(
    (st.integers(0, 5), st.just(3)),
    (st.integers(0, 3), st.integers(0, 4), st.just(3)),
    (st.integers(1, 4),),
    numbers=(0, 51),
)


@settings(max_examples=300)
@given(hands, st.sampled_from(["classify", "strength", "points", "winners", "tally"]))
def test_any_arrays(hands, function):
    judge(TARGETS[f"three_card.{function}"], lambda: {"hands": hands})
