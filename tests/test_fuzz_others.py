"""Cards, results, pictures: thousands of calls, each of which is answered or clearly refused."""

import pytest
from fuzz_targets import TARGETS
from fuzzing import fuzz

from cardstats import _engine

MINE = [name for name in TARGETS if not name.startswith(("three_card.", "mahjong.", "blackjack."))]


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """A few games are several chunks then, which workers can lose."""
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 800)


@pytest.mark.parametrize("name", MINE)
def test_a_plain_answer_or_a_clear_refusal(name, record_property):
    fuzz(name, TARGETS[name], record_property)
