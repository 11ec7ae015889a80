"""Every simulator with every kind of worker: the same result, bit for bit."""

import inspect
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from simulators import GAMES, HANDS_A_CHUNK, SIMULATORS

from cardstats import _engine, blackjack, mahjong, three_card

pytestmark = pytest.mark.usefixtures("small_chunks")


@pytest.fixture
def small_chunks(monkeypatch):
    """Several chunks of each simulator: their size is the caller's business, not the workers'."""
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", HANDS_A_CHUNK)


def processes(method):
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method))


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(3) as pool:
        yield pool.map


@pytest.fixture(scope="module")
def spawned():
    with processes("spawn") as pool:
        yield pool.map


@pytest.fixture(scope="module")
def forked_from_a_server():
    if "forkserver" not in multiprocessing.get_all_start_methods():
        pytest.skip("there is no fork here")
    with processes("forkserver") as pool:
        yield pool.map


@pytest.fixture(scope="module")
def dask(cluster):
    with cluster.get_client() as client:
        yield client.get_executor().map


def backwards(function, tasks):
    """Do the last first, as a cluster may."""
    return [function(task) for task in reversed(list(tasks))]


WORKERS = ["two", "three", "in_turn", "threads", "spawned", "forked_from_a_server", "dask"]
HERE = {"two": 2, "three": 3, "in_turn": backwards}


@pytest.fixture
def workers(request):
    return HERE.get(request.param) or request.getfixturevalue(request.param)


def test_every_simulator_is_among_them():
    games = blackjack, mahjong, three_card
    found = {
        function
        for game in games
        for name, function in vars(game).items()
        if name.startswith("simulate")
    }
    assert found == {call.func for call in SIMULATORS.values()}
    assert all("workers" in inspect.signature(function).parameters for function in found)


@pytest.mark.parametrize("workers", WORKERS, indirect=True)
@pytest.mark.parametrize("simulate", SIMULATORS.values(), ids=SIMULATORS)
def test_workers_change_nothing(simulate, workers):
    alone = simulate(GAMES, rng=7)
    assert alone.source.games == GAMES
    assert simulate(GAMES, rng=7, workers=workers) == alone


@pytest.mark.parametrize("workers", WORKERS, indirect=True)
@pytest.mark.parametrize("simulate", SIMULATORS.values(), ids=SIMULATORS)
def test_a_checkpoint_of_some_workers_is_continued_by_others(simulate, workers, tmp_path):
    path = tmp_path / "run.json"
    simulate(GAMES // 2, rng=7, checkpoint=path)
    assert simulate(GAMES, rng=7, checkpoint=path, workers=workers) == simulate(GAMES, rng=7)


@pytest.mark.parametrize("workers", WORKERS, indirect=True)
def test_hands_of_ones_own_are_counted_anywhere(workers):
    hands = three_card.deal(100_000, rng=7)
    assert three_card.tally(hands, workers=workers) == three_card.tally(hands)


# --- the same seed, the same games, in every version that deals the same way ---

# What each simulator counts, from seed 7. Whoever changes these raises `_engine.DEALING`, so that
# checkpoints of the old games are refused, and puts the new counts in their place.
DEALT = {
    1: {
        "three cards, one player": [
            98,
            261,
            473,
            751,
            1047,
            1480,
            1888,
            2440,
            2924,
            3472,
            3353,
            689,
            1030,
            50,
            44,
        ],
        "three cards, five players": [74437, 16896, 3281, 4954, 205, 227],
        "showdown": [2815, 2345, 526, 928, 50, 42],
        "disagreement": [15432, 569, 3999],
        "mahjong, shanten": [2, 122, 1846, 7169, 8050, 2623, 188],
        "mahjong, form": [19999, 1, 0, 0],
        "blackjack, fixed total": [920, 7498, 1571, 10011],
        "blackjack, best play": [880, 7710, 1693, 9717],
    }
}


@pytest.mark.parametrize("name", SIMULATORS)
def test_a_seed_gives_the_games_of_this_version_of_dealing(name):
    tally = SIMULATORS[name](GAMES, rng=7)
    counts = tally.win if name == "showdown" else tally.counts.tolist()
    assert list(counts) == DEALT[_engine.DEALING][name]
