"""What may go wrong around a long run: kills, interrupts, full disks, poor terminals."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import fault_runs
import numpy as np
import pytest
from fault_runs import SEED, SMALL_CHUNK, best_play

from cardstats import _engine, three_card
from cardstats._engine import Stream
from cardstats.three_card import simulation

posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")
PATIENCE = 60  # seconds, until something is called hanging


def wait_for(condition):
    """Wait until it holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


def finished(path):
    """Chunks that a checkpoint holds."""
    ranges = json.loads(path.read_text())["body"]["done"]
    return [index for start, stop in ranges for index in range(start, stop)]


def kept(path):
    return json.loads(path.read_text())["body"]["totals"]


# --- kills ---


def small_chunk(index):
    """Count one chunk of `fault_runs.go_on` by itself."""
    seed = Stream(SEED).chunk(index)
    return simulation._count_classes(seed, SMALL_CHUNK, 1, three_card.ZHA_JIN_HUA, "category")


def killed_lives(path, chance):
    """Let fifty processes work on a checkpoint for some time each; how each of them ended."""
    lives = [sys.executable, fault_runs.__file__, "many lives", path]
    with subprocess.Popen(lives, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as giver:
        for _ in range(50):
            print(file=giver.stdin, flush=True)
            life = int(giver.stdout.readline())
            time.sleep(chance.uniform(0.0, 0.15))
            os.kill(life, signal.SIGKILL)
            yield int(giver.stdout.readline())
        giver.stdin.close()


@posix
def test_fifty_kills_lose_and_double_nothing(tmp_path, monkeypatch):
    """At any moment: while dealing, while saving, before the first chunk."""
    path = tmp_path / "run.json"
    counted = []
    chunks, lives_that_worked = 0, 0
    for ended in killed_lives(path, random.Random(1)):
        assert ended == -signal.SIGKILL, "it was to be killed, and not to end by itself"
        done = finished(path) if path.exists() else []
        counted += [small_chunk(index) for index in range(len(counted), max(done, default=-1) + 1)]
        expected = sum((counted[index] for index in done), np.zeros(6, np.int64))
        assert not done or kept(path) == expected.tolist()
        lives_that_worked += len(done) > chunks
        chunks = len(done)
    assert lives_that_worked > 10  # nearly all, but where disks are slow
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", SMALL_CHUNK)
    games = (len(counted) + 5) * SMALL_CHUNK
    resumed = three_card.simulate(games, rng=SEED, checkpoint=path)
    assert resumed == three_card.simulate(games, rng=SEED)


@posix
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_run_that_was_stopped_goes_on(number, workers, tmp_path):
    """With chunks of the usual size, saved as usual."""
    path = tmp_path / "run.json"
    run = [sys.executable, fault_runs.__file__, "play", path, workers]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for(lambda: process.poll() is not None or (path.exists() and finished(path)))
        sent = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert err == b""
    if number == signal.SIGINT:
        assert process.returncode == 0
        # A second was promised; the rest is for a busy machine.
        assert float(out) - sent < 5
    else:
        assert process.returncode == -signal.SIGKILL
    done = finished(path)
    assert 0 < len(done) < 1000
    games = (max(done) + 2) * (_engine.HANDS_A_CHUNK // 8)
    assert best_play(games, workers=2, checkpoint=path) == best_play(games, workers=2)


# --- workers that die ---


def killing(pool_map, victims):
    """Map like `pool_map`, and kill a worker when the first chunks are back."""

    def deadly_map(function, tasks):
        for number, result in enumerate(pool_map(function, tasks)):
            yield result
            if number == 1:
                os.kill(victims()[0], signal.SIGKILL)

    return deadly_map


@posix
def test_a_process_that_dies_is_an_error_and_no_wrong_count(tmp_path, monkeypatch):
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 8 * 50_000)
    path, games = tmp_path / "run.json", 10_000_000  # seconds of work, when the worker dies
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        dying = killing(pool.map, lambda: list(pool._processes))
        with pytest.raises(BrokenProcessPool, match="terminated abruptly"):
            best_play(games, workers=dying, checkpoint=path)
    assert 0 < len(finished(path)) < 200
    assert best_play(games, checkpoint=path) == best_play(games)


@posix
def test_dask_gives_the_chunks_of_a_dead_worker_to_another(cluster, monkeypatch):
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 8 * 10_000)
    games = 1_000_000

    def victims():
        return [nanny.process.pid for nanny in cluster.workers.values()]

    before = victims()
    with cluster.get_client() as client:
        dying = killing(client.get_executor(retries=3).map, victims)
        assert best_play(games, workers=dying) == best_play(games)
        wait_for(lambda: victims() != before)


# --- disks ---


def run_python(code, *arguments, **environment):
    """Run code that has a stand-in for a full disk, and for a place where it may not write."""
    return subprocess.run(
        [sys.executable, "-c", LIMITS + code, *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


LIMITS = """
import os, resource, sys
from cardstats import cli, three_card

def full_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

def nobody():
    if os.geteuid() == 0:
        os.seteuid(65534)
"""
SIMULATE = """
three_card.simulate(10, rng=1)
{fault}()
try:
    three_card.simulate(10**12, rng=1, checkpoint=sys.argv[1])
except OSError as error:
    print(error)
"""
REPRODUCE = """
{fault}()
sys.exit(cli.main(["reproduce", "--only", "three-card", "--games", "1000", "--out", sys.argv[1]]))
"""


@pytest.fixture
def closed_directory():
    """One that everybody may look into, unlike pytest's, and nobody may write to."""
    with tempfile.TemporaryDirectory() as open_to_all:
        directory = Path(open_to_all) / "closed"
        directory.mkdir()
        directory.chmod(0o555)
        directory.parent.chmod(0o755)
        yield directory
        directory.chmod(0o755)


@posix
def test_a_checkpoint_on_a_full_disk_is_one_clear_line(tmp_path):
    done = run_python(SIMULATE.format(fault="full_disk"), tmp_path / "run.json")
    assert done.stdout == f"[Errno 27] checkpoint: File too large: '{tmp_path / 'run.json'}'\n"
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_checkpoint_where_nobody_may_write_is_one_clear_line(closed_directory):
    path = closed_directory / "run.json"
    done = run_python(SIMULATE.format(fault="nobody"), path)
    assert done.stdout == f"[Errno 13] checkpoint: Permission denied: '{path}'\n"
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("fault", ["full_disk", "nobody"])
def test_a_report_that_cannot_be_written_is_one_clear_line(closed_directory, tmp_path, fault):
    out = tmp_path / "report" if fault == "full_disk" else closed_directory / "report"
    done = run_python(REPRODUCE.format(fault=fault), out)
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("cardstats reproduce: error: ")
    assert str(out) in lines[0]
    assert "Traceback" not in done.stderr


# --- caches ---


FIRST_USE = """
hands = three_card.all_hands()
print(three_card.tally(hands).counts.tolist())
"""


@posix
def test_two_processes_that_compile_at_once_do_not_disturb_each_other(tmp_path):
    command = [sys.executable, "-c", LIMITS + FIRST_USE]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=300) for process in first]
    expected = f"{list(three_card.exact_categories().counts)}\n".encode()
    assert said == [(expected, b""), (expected, b"")]
    found_again = "print(sum(kernels._tally.stats.cache_hits.values()))"
    code = f"from cardstats.three_card import kernels\n{FIRST_USE}{found_again}"
    done = run_python(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.stdout.splitlines() == [expected.decode().strip(), "1"]


# --- terminals and pipes ---

COMMANDS = {
    "classify": ["classify", "2s 3h 5d", "AsAhAd", "--rules", "zha-jin-hua-235"],
    "deal": ["deal", "--players", "5", "--seed", "7"],
    "equity": ["equity", "As Kd 7c", "--opponents", "4", "--games", "1000"],
    "mahjong": ["mahjong", "1112345678999m"],
    "reproduce": ["reproduce", "--only", "three-card", "--games", "1000", "--out", "report"],
    "benchmark": ["benchmark", "--only", "three-card", "--no-peers", "--seconds", "0"],
    "play": ["play", "blackjack", "--seed", "1"],
    "help": ["--help"],
}


def poor_terminal():
    """Variables of a terminal that knows ASCII only, as far as Python can be told."""
    poor = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    return os.environ | poor | {"PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_terminal_of_ascii_gets_ascii(arguments, lang, tmp_path):
    language = [] if arguments == ["--help"] else ["--lang", lang]
    command = [sys.executable, "-m", "cardstats", *arguments, *language]
    done = subprocess.run(
        command,
        input=b"s\nn\n",
        capture_output=True,
        env=poor_terminal(),
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("ascii").strip()
    assert b"Traceback" not in done.stderr
    done.stderr.decode("ascii")


@pytest.mark.parametrize("arguments", [COMMANDS["reproduce"], COMMANDS["deal"]])
def test_a_reader_that_left_is_no_error(arguments, tmp_path):
    """As in ``cardstats reproduce | head -1``: no complaint, and the report is written."""
    command = [sys.executable, "-m", "cardstats", *arguments]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": tmp_path}
    with subprocess.Popen(command, **pipe) as process:
        process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()
    assert b"Error" not in complaints
    assert b"Traceback" not in complaints
    if "reproduce" in arguments:
        assert process.returncode == 141
        assert (tmp_path / "report" / "index.html").stat().st_size > 10_000
