"""Cards, results, pictures: thousands of calls, each of which is answered or clearly refused."""

import pytest
from fuzz_targets import TARGETS
from fuzzing import fuzz

MINE = [name for name in TARGETS if not name.startswith(("three_card.", "mahjong.", "blackjack."))]


@pytest.mark.parametrize("name", MINE)
def test_a_plain_answer_or_a_clear_refusal(name, record_property):
    fuzz(name, TARGETS[name], record_property)
