"""The bars of blackjack."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from measure import NUMBERS_DRAWN, Bar, draw, fresh

from cardstats import blackjack as bj
from cardstats._benchmark import Job, medians
from cardstats._benchmark_blackjack import familiar_table

_IMPORTS = "from cardstats import blackjack as bj"


def bars(quick: bool) -> Iterator[Bar]:
    """Measure all of them."""
    rounds = 5 if quick else 11
    yield from simulations(rounds, 10**7 if quick else 4 * 10**7)
    yield from totals(rounds, 10_000_000)
    yield from exact(rounds)


def simulations(rounds: int, games: int) -> list[Bar]:
    table = familiar_table()
    jobs: dict[str, Job] = {
        "draw": draw(),
        "mimic": lambda: bj.simulate(games, bj.MIMIC_DEALER, rng=1),
        "table": lambda: bj.simulate(games, table, rng=1),
    }
    t = medians(jobs, rounds)
    six_numbers = 6 * t["draw"] / NUMBERS_DRAWN
    for name in ("mimic", "table"):
        print(f"simulate, {name}: {1e9 * t[name] / games:.2f} ns a game", file=sys.stderr)
    print(f"draw {1e9 * six_numbers / 6:.3f} ns a number", file=sys.stderr)
    speed = {name: six_numbers / (t[name] / games) for name in ("mimic", "table")}
    return [
        Bar("simulate, mimic the dealer", speed["mimic"], "x draw 6", 2, at_least=True),
        Bar("simulate, policy table", speed["table"], "x draw 6", 0.7, at_least=True),
    ]


def totals(rounds: int, n: int) -> list[Bar]:
    hands = np.asfortranarray(np.random.default_rng(1).integers(0, 52, (n, 5), dtype=np.uint8))
    to, out = np.zeros_like(hands), np.zeros(n, np.uint8)
    t = medians(
        {"copy": lambda: np.copyto(to, hands), "total": lambda: bj.total(hands, out=out)}, rounds
    )
    return [Bar("total, five cards, columns", t["total"] / t["copy"], "x copy", 4.5)]


def exact(rounds: int) -> list[Bar]:
    t = medians({"dealer": lambda: bj.exact_dealer(upcard=6)}, rounds)
    eight = "bj.optimal_policy(dealer_cards_seen=1, rules=bj.Rules(name='8', decks=8))"
    hint = "bj.advise('10 6', '10 8'); t = time.perf_counter(); bj.advise('9 4', '7 2')"
    return [
        Bar("exact_dealer by up-card, warm", t["dealer"], "s", 0.05),
        Bar("best play, 1 dealer card seen", fresh(_IMPORTS, "bj.optimal_policy()"), "s", 4),
        Bar(
            "best play, 2 dealer cards seen",
            fresh(_IMPORTS, "bj.optimal_policy(dealer_cards_seen=2)"),
            "s",
            10,
        ),
        Bar("best play, eight decks, 1 seen", fresh(_IMPORTS, eight), "s", 30),
        Bar("a hint, after the first", fresh(_IMPORTS, hint), "s", 0.5),
    ]
