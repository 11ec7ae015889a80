"""Measure what the project promises of its speed: python benchmarks/bars.py [--quick].

Every figure is a ratio to a yardstick measured in the same run, interleaved with it, as the median
of several rounds: `copy` is np.copyto of the kernel's input into a touched array, `draw` is NumPy's
SFC64 filling a touched float32 buffer. Absolute times are printed for the curious.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cardstats import three_card as tc


class Bar(NamedTuple):
    what: str
    measured: float
    unit: str
    bar: float
    at_least: bool = False

    def __str__(self) -> str:
        met = self.measured >= self.bar if self.at_least else self.measured <= self.bar
        sign = ">=" if self.at_least else "<="
        verdict = "ok" if met else "MISSED"
        found = f"{self.what:42s} {self.measured:9.3f} {self.unit:8s}"
        return f"{found} {sign} {self.bar:<6g} {verdict}"


def medians(jobs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each job; the jobs take turns, so that all see the same noise."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for job in jobs.values():
        job()
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def kernels(rounds: int) -> list[Bar]:
    n = 20_000_000
    rows = tc.deal(n, rng=1)
    columns = np.asfortranarray(rows)
    to_rows, to_columns = np.zeros_like(rows), np.zeros_like(columns)
    out8, out16, out32 = (np.zeros(n, dtype) for dtype in (np.uint8, np.uint16, np.uint32))
    total_orders = [r for r in tc.RULES.values() if r.transitive and r.points is None]
    jobs: dict[str, Callable[[], object]] = {
        "copy rows": lambda: np.copyto(to_rows, rows),
        "copy columns": lambda: np.copyto(to_columns, columns),
        "classify, columns": lambda: tc.classify(columns, out=out8),
        "classify, C rows": lambda: tc.classify(rows, out=out8),
        "points, C rows": lambda: tc.points(rows, out=out32),
    }
    for rules in total_orders:
        jobs[f"strength, C rows, {rules.name}"] = lambda rules=rules: tc.strength(
            rows, rules=rules, out=out16
        )
    t = medians(jobs, rounds)
    ratio = {name: seconds / t["copy rows"] for name, seconds in t.items()}
    print(f"copy {1e9 * t['copy rows'] / n:.3f} ns a hand by rows", file=sys.stderr)
    return [
        Bar("classify, columns", t["classify, columns"] / t["copy columns"], "x copy", 1.3),
        Bar("classify, C rows", ratio["classify, C rows"], "x copy", 2),
        *(Bar(name, ratio[name], "x copy", 2.5) for name in jobs if name.startswith("strength")),
        Bar("points, C rows", ratio["points, C rows"], "x copy", 3.5),
    ]


def simulations(rounds: int, games: int) -> list[Bar]:
    generator = np.random.Generator(np.random.SFC64(1))
    buffer = np.zeros(1 << 20, np.float32)

    def draw() -> None:
        for _ in range(48):
            generator.random(out=buffer, dtype=np.float32)

    jobs: dict[str, Callable[[], object]] = {
        "draw": draw,
        "simulate, 1 player": lambda: tc.simulate(games, rng=1),
        "simulate, 5 players": lambda: tc.simulate(games // 5, players=5, rng=1),
        "showdown, 2 players": lambda: tc.simulate_showdown(games // 2, players=2, rng=1),
        "showdown, 5 players": lambda: tc.simulate_showdown(games // 5, players=5, rng=1),
    }
    t = medians(jobs, rounds)
    three_numbers = 3 * t["draw"] / (48 * buffer.size)
    bars = (("simulate, 1", 7), ("simulate, 5", 5), ("showdown, 2", 2.5), ("showdown, 5", 2.5))
    print(f"draw {1e9 * three_numbers / 3:.3f} ns a number", file=sys.stderr)
    found = []
    for start, bar in bars:
        name = next(name for name in jobs if name.startswith(start))
        speed = three_numbers / (t[name] / games)
        print(f"{name}: {1e9 * t[name] / games:.3f} ns a hand", file=sys.stderr)
        found.append(Bar(name, speed, "x draw 3", bar, at_least=True))
    return found


def workers(games: int) -> list[Bar]:
    t = medians(
        {
            "one": lambda: tc.simulate(games, rng=1),
            "two": lambda: tc.simulate(games, rng=1, workers=2),
        },
        3,
    )
    return [Bar(f"two workers, {games:.0e} hands", t["one"] / t["two"], "x one", 1.7, True)]


def exact(rounds: int, six: bool) -> list[Bar]:
    rules = [r for r in tc.RULES.values() if r.decided_by_rank]

    def slowest(count: Callable[[tc.Rules], object], at_most: int = rounds) -> float:
        return max(medians({"job": lambda r=r: count(r)}, at_most)["job"] for r in rules)

    def duel(players: int) -> float:
        return slowest(lambda r: tc.exact_showdown(players=players, rules=r))

    found = [
        Bar("exact_categories", slowest(lambda r: tc.exact_categories(rules=r)), "s", 0.01),
        Bar("exact_showdown, 2", duel(2), "s", 0.1),
        Bar("exact_showdown, 3", duel(3), "s", 0.5),
        Bar("exact_best, 5, fresh process", fresh("tc.exact_best(players=5)"), "s", 6),
    ]
    if six:
        seconds = fresh("tc.exact_best(players=6)")
        found.append(Bar("exact_best, 6, fresh process", seconds, "s", 60))
    return found


def fresh(expression: str) -> float:
    """Seconds of a call in a new process whose kernels are in numba's cache."""
    code = (
        "import time; from cardstats import three_card as tc; t = time.perf_counter(); "
        f"{expression}; print(time.perf_counter() - t)"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True) for _ in range(2)]
    return float(runs[1])


def import_cost(rounds: int) -> list[Bar]:
    # As installed: with bytecode, which the first round writes.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds(statement: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True, env=environment)
        return time.perf_counter() - start

    t = medians(
        {
            "base": lambda: seconds("import numpy, numba"),
            "cardstats": lambda: seconds("import numpy, numba, cardstats"),
        },
        rounds,
    )
    return [Bar("import cardstats, beyond numpy and numba", t["cardstats"] - t["base"], "s", 0.15)]


def reproduce_twice() -> list[Bar]:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NUMBA_CACHE_DIR": f"{folder}/numba",
            "MPLCONFIGDIR": f"{folder}/matplotlib",
        }
        command = [sys.executable, "-m", "cardstats", "reproduce", "--only", "three-card"]
        found = []
        for what, bar in (("first run", 60), ("again", 25)):
            start = time.perf_counter()
            subprocess.run(
                [*command, "--out", f"{folder}/report"],
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            found.append(Bar(f"reproduce, {what}", time.perf_counter() - start, "s", bar))
    return found


def peak_memory(games: int) -> list[Bar]:
    # Not ru_maxrss, which a child inherits from a larger parent.
    code = (
        "from pathlib import Path; from cardstats import three_card as tc; "
        f"tc.simulate({games}, rng=1); print(Path('/proc/self/status').read_text())"
    )
    status = subprocess.check_output([sys.executable, "-c", code], text=True)
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    megabytes = int(peak.split()[1]) / 1024
    return [Bar(f"peak memory, simulate({games:.0e})", megabytes, "MB", 300)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, games, and no six")
    quick = parser.parse_args().quick
    rounds = 5 if quick else 11
    groups = (
        lambda: kernels(rounds),
        lambda: simulations(rounds, 10**7 if quick else 10**8),
        lambda: workers(10**8 if quick else 10**9),
        lambda: exact(rounds, six=not quick),
        lambda: import_cost(rounds),
        lambda: peak_memory(10**8 if quick else 10**9),
        reproduce_twice,
    )
    for group in groups:
        for bar in group():
            print(bar, flush=True)


if __name__ == "__main__":
    main()
