"""What is measured, and on what: kernels as data; hands in rows or columns, made once and kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[Any]
Make = Callable[[int], Array]  # so many hands, C-ordered
Measure = Callable[..., Any]  # the fixtures of conftest

LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
}
BINCOUNT = 10  # bytes a hand: codes, one more than that, and np.bincount's 64 bits
_DISTINCT = 10**6
_SAMPLE = 1000  # hands, to learn how many bytes one takes


class Kernel(NamedTuple):
    """A public function of an array of hands, and the inputs that it is measured on.

    Its answers are of dtype `answer`: one a hand, or a row of `width`.
    """

    ask: Callable[..., Array]
    answer: type[np.generic]
    inputs: Mapping[str, Make]
    width: int | None = None
    takes_out: bool = True

    def out(self, hands: int) -> Array:
        """Make an array for the answers."""
        return np.zeros(hands if self.width is None else (hands, self.width), self.answer)


def each_case(kernels: Mapping[str, Kernel]) -> pytest.MarkDecorator:
    """Parametrise `kernel` and `given` by all that a table holds, equal inputs in succession."""
    inputs = list(dict.fromkeys(given for kernel in kernels.values() for given in kernel.inputs))
    cases = [(given, name) for given in inputs for name in kernels if given in kernels[name].inputs]
    return pytest.mark.parametrize(("given", "kernel"), cases)


def repeated(make: Make) -> Make:
    """Make hands that take long to make: from a million on, the same ones again."""

    def repeat(hands: int) -> Array:
        few = make(min(hands, _DISTINCT))
        return np.resize(few, (hands, *few.shape[1:]))

    return repeat


_kept: dict[tuple[Make, str, int], Array] = {}


def held(make: Make, hands: int, layout: str = "rows", answers: int = 0) -> Array:
    """Give hands, kept until others are asked for.

    The benchmark is skipped if they and so many bytes of `answers` do not fit into memory.
    """
    key = make, layout, hands
    if key not in _kept:
        _kept.clear()
        copies = 1 if layout == "rows" else 2  # columns are made of rows
        skip_without(copies * hands * make(_SAMPLE).nbytes // _SAMPLE + answers)
        _kept[key] = LAYOUTS[layout](make(hands))
    skip_without(answers)
    return _kept[key]


def skip_without(bytes_needed: int) -> None:
    """Skip the benchmark if less memory is free."""
    # Pages that cache files are not counted as free; where free ones are unknown, all are.
    pages = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    free = os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    if bytes_needed > free:
        pytest.skip(f"needs {bytes_needed / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are free")
