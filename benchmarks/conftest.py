"""Benchmarks of every public kernel and simulator, in bench_*.py, by pytest-benchmark.

Run      python -m pytest benchmarks --benchmark-columns median,iqr,rounds
Full     python -m pytest benchmarks --most 1e8 (the largest size, where memory holds it)
Smoke    python -m pytest benchmarks --benchmark-disable --most 1e4 (each once; answers checked)
Save     python -m pytest benchmarks --benchmark-autosave
Compare  pytest-benchmark compare --group-by fullname --columns median,iqr

pytest-benchmark prints a table for each kernel; after them stands what a hand costs at each size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from inputs import LAYOUTS, Array, Kernel, Measure, held

SIZES = {f"1e{power}": 10**power for power in range(3, 9)}
WORKERS = {"1-worker": 1, "2-workers": 2}
ROUNDS = {"min_rounds": 3, "max_time": 0.3}
COMPARED = 10**6  # hands that are looked at again in the other layout

Costs = defaultdict[tuple[str, str], dict[int, float]]  # seconds a hand, by group, row and size

_costs = pytest.StashKey[Costs]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--most",
        type=lambda text: int(float(text)),
        default=10**6,
        metavar="HANDS",
        help="benchmarks: the largest size (1e6; up to 1e8)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_costs] = Costs(dict)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give benchmarks the axes that they name. Sizes turn slowest: inputs are made once."""
    most = metafunc.config.getoption("--most")
    sizes = {name: hands for name, hands in SIZES.items() if hands <= most}
    layouts = {name: name for name in LAYOUTS}
    for axis, values in (("hands", sizes), ("layout", layouts), ("workers", WORKERS)):
        if axis in metafunc.fixturenames:
            metafunc.parametrize(axis, values.values(), ids=values)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "measure" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.benchmark(**ROUNDS))


@pytest.fixture
def measure(benchmark: Any, request: pytest.FixtureRequest) -> Measure:
    """Time a job that takes `given` or makes so many hands, and give what it returns."""
    game = request.module.__name__.removeprefix("bench_")

    def measure(
        job: Callable[[], Any], hands: int, group: str, row: str, given: Array | None = None
    ) -> Any:
        benchmark.group = f"{game}.{group}"
        if benchmark.disabled:
            return benchmark(job)
        job()  # compiles, and touches what is written to
        found = benchmark(job)
        median = benchmark.stats.stats.median
        moved = sum(array.nbytes for array in (given, found) if isinstance(array, np.ndarray))
        benchmark.extra_info |= {"hands": hands, "hands_per_second": hands / median}
        if moved:
            benchmark.extra_info["bytes_per_second"] = moved / median
        size = request.node.callspec.params["hands"]
        request.config.stash[_costs][benchmark.group, row][size] = median / hands
        return found

    return measure


@pytest.fixture
def measure_kernel(measure: Measure) -> Measure:
    """Time a kernel on one of its inputs, check the answers and give them."""

    def measure_kernel(
        name: str, kernel: Kernel, given: str, hands: int, layout: str = "rows"
    ) -> Array:
        out = kernel.out(hands)
        asked = held(kernel.inputs[given], hands, layout, out.nbytes)
        options = {"out": out} if kernel.takes_out else {}
        found: Array = measure(
            lambda: kernel.ask(asked, **options), hands, name, f"{given}, {layout}", asked
        )
        assert (found.shape, found.dtype) == (out.shape, out.dtype)
        turned = LAYOUTS["columns" if layout == "rows" else "rows"](asked[-COMPARED:])
        assert np.array_equal(found[-COMPARED:], kernel.ask(turned))
        return found

    return measure_kernel


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what a hand costs, a row for each input and a column for each size."""
    costs = config.stash[_costs]
    sizes = {n: size for size, n in SIZES.items() if any(n in row for row in costs.values())}
    if not sizes:
        return
    terminalreporter.section("nanoseconds a hand, by hands at once")
    for group in dict.fromkeys(group for group, _ in costs):
        terminalreporter.write_line(f"{group:36s}" + "".join(f"{n:>9s}" for n in sizes.values()))
        for row, cost in ((row, cost) for (of, row), cost in costs.items() if of == group):
            cells = (f"{1e9 * cost[n]:9.2f}" if n in cost else f"{'':9s}" for n in sizes)
            terminalreporter.write_line(f"  {row:34s}" + "".join(cells))
