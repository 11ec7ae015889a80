"""The bars of three-card poker."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
from measure import NUMBERS_DRAWN, Bar, draw, fresh, peak_memory

from cardstats import three_card as tc
from cardstats._benchmark import Job, medians

_IMPORTS = "from cardstats import three_card as tc"


def bars(quick: bool) -> Iterator[Bar]:
    """Measure all of them."""
    rounds = 5 if quick else 11
    many = 10**8 if quick else 10**9
    yield from kernels(rounds)
    yield from simulations(rounds, 10**7 if quick else 10**8)
    yield from exact(rounds, six=not quick)
    what = f"peak memory, simulate({many:.0e})"
    yield from peak_memory(what, _IMPORTS, f"tc.simulate({many}, rng=1)", 300)


def kernels(rounds: int) -> list[Bar]:
    n = 20_000_000
    rows = tc.deal(n, rng=1)
    columns = np.asfortranarray(rows)
    to_rows, to_columns = np.zeros_like(rows), np.zeros_like(columns)
    out8, out16, out32 = (np.zeros(n, dtype) for dtype in (np.uint8, np.uint16, np.uint32))
    total_orders = [r for r in tc.RULES.values() if r.transitive and r.points is None]
    jobs: dict[str, Job] = {
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
    jobs: dict[str, Job] = {
        "draw": draw(),
        "simulate, 1 player": lambda: tc.simulate(games, rng=1),
        "simulate, 5 players": lambda: tc.simulate(games // 5, players=5, rng=1),
        "showdown, 2 players": lambda: tc.simulate_showdown(games // 2, players=2, rng=1),
        "showdown, 5 players": lambda: tc.simulate_showdown(games // 5, players=5, rng=1),
    }
    t = medians(jobs, rounds)
    three_numbers = 3 * t["draw"] / NUMBERS_DRAWN
    bars = (("simulate, 1", 7), ("simulate, 5", 5), ("showdown, 2", 2.5), ("showdown, 5", 2.5))
    print(f"draw {1e9 * three_numbers / 3:.3f} ns a number", file=sys.stderr)
    found = []
    for start, bar in bars:
        name = next(name for name in jobs if name.startswith(start))
        speed = three_numbers / (t[name] / games)
        print(f"{name}: {1e9 * t[name] / games:.3f} ns a hand", file=sys.stderr)
        found.append(Bar(name, speed, "x draw 3", bar, at_least=True))
    return found


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
        Bar("exact_best, 5, fresh process", fresh(_IMPORTS, "tc.exact_best(players=5)"), "s", 6),
    ]
    if six:
        seconds = fresh(_IMPORTS, "tc.exact_best(players=6)")
        found.append(Bar("exact_best, 6, fresh process", seconds, "s", 60))
    return found
