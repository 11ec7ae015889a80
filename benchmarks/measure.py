"""How the bars are measured: medians of interleaved rounds, fresh processes, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import numpy as np

from cardstats._benchmark import Job, medians


class Bar(NamedTuple):
    """A figure, and what it is held to."""

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


NUMBERS_DRAWN = 48 << 20  # by `draw`


def draw() -> Job:
    """Make the yardstick of simulations: SFC64 fills a touched float32 buffer, many times."""
    generator = np.random.Generator(np.random.SFC64(1))
    buffer = np.zeros(1 << 20, np.float32)

    def fill() -> None:
        for _ in range(NUMBERS_DRAWN // buffer.size):
            generator.random(out=buffer, dtype=np.float32)

    return fill


def fresh(imports: str, expression: str) -> float:
    """Seconds of a call in a new process whose kernels are in numba's cache."""
    code = (
        f"import time; {imports}; t = time.perf_counter(); "
        f"{expression}; print(time.perf_counter() - t)"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True) for _ in range(2)]
    return float(runs[1])


def import_cost(rounds: int) -> list[Bar]:
    """Measure what importing cardstats costs beyond numpy and numba."""
    # As installed: with bytecode, which the first round writes.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds(statement: str) -> None:
        subprocess.run([sys.executable, "-c", statement], check=True, env=environment)

    t = medians(
        {
            "base": lambda: seconds("import numpy, numba"),
            "cardstats": lambda: seconds("import numpy, numba, cardstats"),
        },
        rounds,
    )
    return [Bar("import cardstats, beyond numpy and numba", t["cardstats"] - t["base"], "s", 0.15)]


def reproduce_twice(options: list[str], first: float, again: float) -> list[Bar]:
    """`cardstats reproduce` in an empty cache, and once more."""
    what = " ".join(["reproduce", *options])
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NUMBA_CACHE_DIR": f"{folder}/numba",
            "MPLCONFIGDIR": f"{folder}/matplotlib",
        }
        command = [sys.executable, "-m", "cardstats", "reproduce", *options]
        found = []
        for run, bar in (("first run", first), ("again", again)):
            start = time.perf_counter()
            subprocess.run(
                [*command, "--out", f"{folder}/report"],
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            found.append(Bar(f"{what}, {run}", time.perf_counter() - start, "s", bar))
    return found


def peak_memory(what: str, imports: str, expression: str, bar: float) -> list[Bar]:
    """Peak memory of a call in a new process."""
    code = (
        f"{imports}; from cardstats._benchmark_long import peak_memory; {expression}; "
        "print(peak_memory())"
    )
    peak = subprocess.check_output([sys.executable, "-c", code], text=True)
    return [Bar(what, int(peak) / 1e6, "MB", bar)]
