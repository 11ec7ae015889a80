"""Benchmarks of Mahjong. How to run them: conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from inputs import BINCOUNT, Array, Kernel, Measure, each_case, held, repeated, skip_without

from cardstats import mahjong as mj
from cardstats._benchmark_mahjong import ready_hands, winning_hands

KINDS, COPIES, TILES = 34, 4, 14


def dealt(hands: int) -> Array:
    return mj.deal(hands, rng=1)


def waiting(hands: int) -> Array:
    return mj.deal(hands, size=13, rng=2)


@repeated
def ids(hands: int) -> Array:
    """Make the tiles of dealt hands one by one, in the order in which they might be drawn."""
    copies = dealt(hands)[:, :, np.newaxis] > np.arange(COPIES)
    tiles = np.nonzero(copies.reshape(hands, -1))[1].astype(np.uint8).reshape(-1, TILES)
    return np.random.default_rng(3).permuted(tiles, axis=1)


@repeated
def kinds(hands: int) -> Array:
    return ids(hands) // np.uint8(COPIES)


@repeated
def codes(hands: int) -> Array:
    by_kind = np.concatenate([mj.to_codes(one) for one in np.eye(KINDS, dtype=np.uint8)])
    return by_kind[kinds(hands)]


WITH_14 = {"random": dealt, "winning": repeated(winning_hands)}
WITH_13 = {"random_13": waiting, "ready": repeated(ready_hands)}
KERNELS = {
    "classify": Kernel(mj.classify, np.uint8, WITH_14),
    "is_win": Kernel(mj.is_win, np.bool_, WITH_14),
    "shanten": Kernel(mj.shanten, np.int8, WITH_14 | WITH_13),
    "discards": Kernel(mj.discards, np.bool_, WITH_14, width=KINDS),
    "waits": Kernel(mj.waits, np.bool_, WITH_13, width=KINDS),
    "acceptance": Kernel(mj.acceptance, np.bool_, WITH_13, width=KINDS),
    "counts": Kernel(mj.counts, np.uint8, {"kinds": kinds}, width=KINDS, takes_out=False),
    "from_codes": Kernel(mj.from_codes, np.uint8, {"codes": codes}, width=KINDS, takes_out=False),
    "from_ids": Kernel(mj.from_ids, np.uint8, {"ids": ids}, width=KINDS, takes_out=False),
}
# What must be true of hands that were made to win or to wait.
KNOWN: dict[tuple[str, str], Callable[[Array], np.bool_]] = {
    ("classify", "winning"): lambda forms: (forms != mj.Form.NOT_WINNING).all(),
    ("is_win", "winning"): lambda won: won.all(),
    ("shanten", "winning"): lambda numbers: (numbers == -1).all(),
    ("shanten", "ready"): lambda numbers: (numbers == 0).all(),
    ("discards", "winning"): lambda marks: ~marks.any(),
    ("waits", "ready"): lambda marks: marks.any(axis=1).all(),
    ("acceptance", "ready"): lambda marks: marks.any(axis=1).all(),
}


@each_case(KERNELS)
def test_kernel(measure_kernel: Measure, kernel: str, given: str, layout: str, hands: int) -> None:
    found = measure_kernel(kernel, KERNELS[kernel], given, hands, layout)
    if (kernel, given) in KNOWN:
        assert KNOWN[kernel, given](found)


@pytest.mark.parametrize("by", ["shanten", "form"])
def test_tally(measure: Measure, by: Any, workers: int, layout: str, hands: int) -> None:
    given = held(dealt, hands, layout, answers=BINCOUNT * hands)
    row = f"by {by}, {layout}, workers={workers}"
    found = measure(lambda: mj.tally(given, by=by, workers=workers), hands, "tally", row, given)
    rows = mj.shanten(given) + 1 if by == "shanten" else mj.classify(given)
    assert found.counts.tolist() == np.bincount(rows, minlength=len(found.labels)).tolist()


@pytest.mark.parametrize("size", [13, 14])
def test_deal(measure: Measure, size: int, hands: int) -> None:
    skip_without(KINDS * hands)
    found = measure(lambda: mj.deal(hands, size=size, rng=1), hands, "deal", f"{size} tiles")
    assert found.shape == (hands, KINDS)
    assert (found[-1000:].sum(axis=1) == size).all()
    assert np.array_equal(found[:100], mj.deal(100, size=size, rng=1))


@pytest.mark.parametrize(("by", "size"), [("shanten", 14), ("shanten", 13), ("form", 14)])
def test_simulate(measure: Measure, by: Any, size: int, workers: int, hands: int) -> None:
    run = partial(mj.simulate, hands, by=by, size=size, rng=1)
    row = f"by {by}, {size} tiles, workers={workers}"
    found = measure(lambda: run(workers=workers), hands, "simulate", row)
    assert found.total == hands
    assert found == run()
