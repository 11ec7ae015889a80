"""The bars of Mahjong; those against other packages where they are installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np
from measure import NUMBERS_DRAWN, Bar, draw, fresh
from numpy.typing import NDArray

from cardstats import mahjong as mj
from cardstats._benchmark import Job, medians
from cardstats._benchmark_mahjong import ready_hands, winning_hands

_HANDS = 4_000_000
_PEER_HANDS = 20_000
_IMPORTS = "from cardstats import mahjong as mj; from cardstats.mahjong import suits"

Hands = NDArray[np.uint8]


def bars(quick: bool) -> Iterator[Bar]:
    """Measure all of them."""
    rounds = 5 if quick else 11
    yield from kernels(rounds, _HANDS // 4 if quick else _HANDS)
    yield from simulations(rounds, 10**7 if quick else 4 * 10**7)
    yield from exact()
    yield from peers(rounds)


def kernels(rounds: int, n: int) -> list[Bar]:
    drawn, winning = mj.deal(n, rng=1), winning_hands(n)
    waiting, ready = mj.deal(n, size=13, rng=2), ready_hands(n)
    if not (mj.shanten(ready) == 0).all():
        raise AssertionError("a hand that should be ready is not")
    columns, winning_columns = np.asfortranarray(drawn), np.asfortranarray(winning)
    to_rows, to_columns = np.zeros_like(drawn), np.zeros_like(columns)
    won, numbers, marks = np.zeros(n, np.bool_), np.zeros(n, np.int8), np.zeros((n, 34), np.bool_)
    riichi = {"rules": mj.RIICHI}
    jobs: dict[str, Job] = {
        "copy rows": lambda: np.copyto(to_rows, drawn),
        "copy columns": lambda: np.copyto(to_columns, columns),
        "is_win, columns, random": lambda: mj.is_win(columns, out=won),
        "is_win, columns, winning": lambda: mj.is_win(winning_columns, out=won),
        "shanten riichi, columns": lambda: mj.shanten(columns, out=numbers, **riichi),
        "shanten riichi, C rows": lambda: mj.shanten(drawn, out=numbers, **riichi),
        "waits, C rows, random": lambda: mj.waits(waiting, out=marks),
        "waits, C rows, all ready": lambda: mj.waits(ready, out=marks),
        "acceptance, C rows": lambda: mj.acceptance(waiting, out=marks),
    }
    t = medians(jobs, rounds)
    for name, seconds in t.items():
        print(f"{name}: {1e9 * seconds / n:.2f} ns a hand", file=sys.stderr)
    bars = {
        "is_win, columns, random": 3.5,
        "is_win, columns, winning": 4.5,
        "shanten riichi, columns": 5,
        "shanten riichi, C rows": 9,
        "waits, C rows, random": 10,
        "waits, C rows, all ready": 60,
        "acceptance, C rows": 80,
    }
    copies = {name: "copy columns" if "columns" in name else "copy rows" for name in bars}
    return [Bar(name, t[name] / t[copies[name]], "x copy", bar) for name, bar in bars.items()]


def simulations(rounds: int, games: int) -> list[Bar]:
    few = games // 4  # to keep: 34 bytes each
    jobs: dict[str, Job] = {
        "draw": draw(),
        "simulate": lambda: mj.simulate(games, rng=1),
        "deal": lambda: mj.deal(few, rng=1),
    }
    t = medians(jobs, rounds)
    number = t["draw"] / NUMBERS_DRAWN
    dealt, counted = t["deal"] / few, t["simulate"] / games
    print(f"draw {1e9 * number:.3f} ns a number", file=sys.stderr)
    print(f"deal {1e9 * dealt:.2f}, simulate {1e9 * counted:.2f} ns a hand", file=sys.stderr)
    return [
        Bar("deal, 14 tiles", 16 * number / dealt, "x draw", 1, at_least=True),
        Bar("simulate by shanten, 14 tiles", 13 * number / counted, "x draw", 1, at_least=True),
    ]


def exact() -> list[Bar]:
    names = [name.replace("-", "_").upper() for name in mj.RULES]
    shanten = max(fresh(_IMPORTS, f"mj.exact_shanten(size=14, rules=mj.{name})") for name in names)
    return [
        Bar("tables, built at first use", fresh(_IMPORTS, "suits.kernel_tables()"), "s", 1),
        Bar("exact_shanten, 14 tiles, fresh process", shanten, "s", 2),
    ]


def peers(rounds: int) -> list[Bar]:
    """Hold shanten against packages that are called hand by hand, on the same hands."""
    many = mj.deal(50 * _PEER_HANDS, rng=3)
    hands = many[:_PEER_HANDS]
    as_lists = hands.tolist()
    out = np.zeros(len(many), np.int8)
    found = []
    for name, make, bar in (("mahjong", _mahjong, 2000), ("xiangting", _xiangting, 80)):
        if find_spec(name) is None:
            print(f"{name} is not installed: pip install '.[bench]'", file=sys.stderr)
            continue
        one_by_one = make()
        if [one_by_one(hand) for hand in as_lists] != mj.shanten(hands, rules=mj.RIICHI).tolist():
            raise AssertionError(f"{name} finds other shanten numbers")
        t = medians(
            {
                "peer": lambda f=one_by_one: [f(hand) for hand in as_lists],
                "own": lambda: mj.shanten(many, rules=mj.RIICHI, out=out),
            },
            rounds,
        )
        speed = (t["peer"] / len(as_lists)) / (t["own"] / len(many))
        found.append(Bar(f"shanten, against {name}", speed, "x", bar, at_least=True))
    return found


def _mahjong() -> Callable[[list[int]], int]:
    from mahjong.shanten import Shanten

    return Shanten().calculate_shanten


def _xiangting() -> Callable[[list[int]], int]:
    from xiangting import PlayerCount, calculate_replacement_number

    return lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) - 1
