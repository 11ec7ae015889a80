"""Benchmarks of blackjack. How to run them: conftest.py."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from inputs import Array, Kernel, Measure, each_case

from cardstats import blackjack as bj
from cardstats._benchmark_blackjack import familiar_table

PADDING = 255


def two_cards(hands: int) -> Array:
    return np.random.default_rng(1).integers(0, 52, (hands, 2), np.uint8)


def five_cards(hands: int) -> Array:
    return np.random.default_rng(1).integers(0, 52, (hands, 5), np.uint8)


def padded(hands: int) -> Array:
    """Make hands of two to five cards, in rows of five."""
    found = five_cards(hands)
    cards = np.random.default_rng(2).integers(2, 6, (hands, 1), np.uint8)
    found[np.arange(5, dtype=np.uint8) >= cards] = PADDING
    return found


INPUTS = {"two_cards": two_cards, "five_cards": five_cards, "padded": padded}
KERNELS = {
    "total": Kernel(bj.total, np.uint8, INPUTS),
    "is_soft": Kernel(bj.is_soft, np.bool_, INPUTS),
    "is_natural": Kernel(bj.is_natural, np.bool_, INPUTS),
}
POLICIES = {"mimic": bj.MIMIC_DEALER, "table": familiar_table()}


@each_case(KERNELS)
def test_kernel(measure_kernel: Measure, kernel: str, given: str, layout: str, hands: int) -> None:
    measure_kernel(kernel, KERNELS[kernel], given, hands, layout)


@pytest.mark.parametrize("policy", POLICIES)
def test_simulate(measure: Measure, policy: str, workers: int, hands: int) -> None:
    run = partial(bj.simulate, hands, POLICIES[policy], rng=1)
    row = f"{policy}, workers={workers}"
    found = measure(lambda: run(workers=workers), hands, "simulate", row)
    assert found.total == hands
    assert found == run()
