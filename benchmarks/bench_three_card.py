"""Benchmarks of three-card poker. How to run them: conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from inputs import BINCOUNT, Array, Kernel, Make, Measure, each_case, held, skip_without

from cardstats import three_card as tc

BY_SUITS = tc.Rules(name="by suits", suit_tiebreak="card_by_card")


def dealt(hands: int) -> Array:
    return tc.deal(hands, rng=1)


def dealt_to(players: int) -> Make:
    return lambda hands: tc.deal(hands // players, players=players, rng=1)


INPUTS = {"dealt": dealt}
KERNELS = {
    "classify": Kernel(tc.classify, np.uint8, INPUTS),
    "strength": Kernel(tc.strength, np.uint16, INPUTS),
    "strength_by_suits": Kernel(partial(tc.strength, rules=BY_SUITS), np.uint32, INPUTS),
    "points": Kernel(tc.points, np.uint32, INPUTS),
}
TABLES = {players: dealt_to(players) for players in (2, 5, 17)}
OF_TABLES: dict[str, Callable[..., Array]] = {
    "classify": tc.classify,
    "winners": tc.winners,
    "winners_by_235": partial(tc.winners, rules=tc.ZHA_JIN_HUA_235),
}
SIMULATORS = {
    tc.simulate: (1, 5, 17),
    tc.simulate_showdown: (2, 5, 17),
    tc.simulate_disagreement: (2, 5),
}


@each_case(KERNELS)
def test_kernel(measure_kernel: Measure, kernel: str, given: str, layout: str, hands: int) -> None:
    measure_kernel(kernel, KERNELS[kernel], given, hands, layout)


@pytest.mark.parametrize("kernel", OF_TABLES)
@pytest.mark.parametrize("players", TABLES)
def test_tables(measure: Measure, kernel: str, players: int, hands: int) -> None:
    ask, tables = OF_TABLES[kernel], held(TABLES[players], hands, answers=hands)
    seats = len(tables) * players
    found = measure(lambda: ask(tables), seats, kernel, f"tables of {players}", tables)
    assert found.shape == (hands // players, players)
    # A table is settled by itself, a hand classified by itself.
    alone = [ask(table) for table in tables[-10:]]
    assert np.array_equal(found[-10:], alone)


def test_tally(measure: Measure, workers: int, layout: str, hands: int) -> None:
    given = held(dealt, hands, layout, answers=BINCOUNT * hands)
    row = f"dealt, {layout}, workers={workers}"
    found = measure(lambda: tc.tally(given, workers=workers), hands, "tally", row, given)
    assert found.counts.tolist() == np.bincount(tc.classify(given), minlength=6).tolist()


@pytest.mark.parametrize("players", [None, 5])
def test_deal(measure: Measure, players: int | None, hands: int) -> None:
    skip_without(3 * hands)
    games = hands // (players or 1)
    row = f"players={players}"
    found = measure(
        lambda: tc.deal(games, players=players, rng=1), games * (players or 1), "deal", row
    )
    assert found.size == 3 * games * (players or 1)
    assert np.array_equal(found[:100], tc.deal(100, players=players, rng=1))


@pytest.mark.parametrize(
    ("simulate", "players"), [(run, players) for run in SIMULATORS for players in SIMULATORS[run]]
)
def test_simulator(
    measure: Measure, simulate: Callable[..., Any], players: int, workers: int, hands: int
) -> None:
    run = partial(simulate, hands // players, players=players, rng=1)
    row = f"players={players}, workers={workers}"
    found = measure(
        lambda: run(workers=workers), hands // players * players, simulate.__name__, row
    )
    assert found.source.games == hands // players
    assert found == run()
