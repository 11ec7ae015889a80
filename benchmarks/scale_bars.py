"""The bars of scale: two threads, two processes of Dask, and memory in a very long run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from distributed import LocalCluster
from measure import Bar

from cardstats import blackjack as bj
from cardstats import mahjong as mj
from cardstats import three_card as tc
from cardstats._benchmark import medians
from cardstats._engine import Workers
from cardstats.benchmark import long_run

SIMULATORS: dict[str, Callable[[int, Workers], object]] = {
    "three cards": lambda games, workers: tc.simulate(games, rng=1, workers=workers),
    "Mahjong": lambda games, workers: mj.simulate(games, rng=1, workers=workers),
    "blackjack": lambda games, workers: bj.simulate(games, bj.MIMIC_DEALER, rng=1, workers=workers),
}
ROUNDS = {"three cards": 25, "Mahjong": 5, "blackjack": 5}  # the first is over in half a second


def bars(quick: bool) -> Iterator[Bar]:
    """Measure all of them."""
    games = 10**8 if quick else 10**9
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        cluster.get_client() as client,
    ):
        dask = client.get_executor().map
        for name, simulate in SIMULATORS.items():
            simulate(games // 10, dask)  # kernels are read from the cache, in each process
            t = medians(
                {
                    "one": lambda simulate=simulate: simulate(games, 1),
                    "two": lambda simulate=simulate: simulate(games, 2),
                    "dask": lambda simulate=simulate: simulate(games, dask),
                },
                3 if quick else ROUNDS[name],
            )
            yield Bar(f"two threads, {name}, {games:.0e}", t["one"] / t["two"], "x one", 1.7, True)
            yield Bar(f"Dask, {name}, {games:.0e}", t["dask"] / t["two"], "x two", 1.1)
    before, after = long_run(10 * games).memory or (0, 0)
    yield Bar(f"memory, {10 * games:.0e} beyond 1e+07 hands", (after - before) / 1e6, "MB", 20)
