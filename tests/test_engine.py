"""Running chunks, with a game of dice: seeds, workers, progress, checkpoints, interrupts."""

import json
import multiprocessing
import os
import random
import sys
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from cardstats import _engine
from cardstats._checks import whole
from cardstats._engine import Stream, Work, _Checkpoint, _Chunks, map_parts, run

CHUNK = 10
GAMES = 57  # five chunks and a short one


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", CHUNK)


def roll(seed, games, sides):
    """Roll a die `games` times: like a dealing kernel, a prefix of every longer run."""
    rolls = np.random.default_rng(seed).random(games) * sides
    return np.bincount(rolls.astype(int), minlength=sides)


DICE = Work(count=roll, args=(6,), shape=(6,), game="dice", rules="fair", by="face", players=1)


def expected(games, seed=7, key=(), work=DICE):
    """What `run` is to give, chunk by chunk."""
    totals = np.zeros(work.shape, np.int64)
    size = CHUNK // work.players
    for index, start in enumerate(range(0, games, size)):
        chunk = np.random.SeedSequence(seed, spawn_key=(*key, index))
        totals += work.count(chunk, min(size, games - start), *work.args)
    return totals.tolist()


def totals_of(games=GAMES, *, work=DICE, rng=7, **how):
    totals, source = run(work, games, rng=rng, **how)
    assert totals.dtype == np.int64
    assert source.games == games
    return totals.tolist()


# --- chunks and seeds ---


@pytest.mark.parametrize("games", [0, 1, 9, 10, 11, 57, 60])
def test_totals_are_the_chunks_added_up(games):
    assert totals_of(games) == expected(games)


@pytest.mark.parametrize("players", [2, 3, 10])
def test_a_chunk_holds_fewer_games_of_more_players(players):
    work = replace(DICE, players=players)
    assert work.games_a_chunk == CHUNK // players
    assert totals_of(work=work) == expected(GAMES, work=work)


def test_the_source_says_what_to_draw_again():
    _, source = run(DICE, GAMES, rng=np.random.SeedSequence([5, 2**40], spawn_key=(3, 1)))
    (drawn,) = source.runs
    assert (source.game, source.rules, source.by, source.players) == ("dice", "fair", "face", 1)
    assert (drawn.entropy, drawn.key, drawn.start, drawn.stop) == ((5, 2**40), (3, 1), 0, GAMES)


def test_a_seed_too_large_for_one_word():
    assert totals_of(rng=2**200 + 1) == expected(GAMES, 2**200 + 1)
    assert totals_of(rng=np.uint64(2**64 - 1)) == expected(GAMES, 2**64 - 1)


@pytest.mark.parametrize(
    "entropy", [5, 0, [5, 2**40], (1,), range(3), np.array([1, 2], np.uint32), np.int64(9)]
)
@pytest.mark.parametrize("key", [(), (3,), (np.uint32(2), 2**33)])
def test_a_seed_sequence_is_drawn_from_and_not_changed(entropy, key, tmp_path):
    seed = np.random.SeedSequence(entropy, spawn_key=key)
    assert totals_of(rng=seed) == expected(GAMES, entropy, key)
    assert seed.n_children_spawned == 0
    path = tmp_path / "run.json"
    first = totals_of(50, rng=seed, checkpoint=path)
    assert first == expected(50, entropy, key)
    assert totals_of(rng=seed, checkpoint=path) == expected(GAMES, entropy, key)


def test_spawned_children_draw_apart():
    parent = np.random.SeedSequence(7)
    one, other = parent.spawn(2)
    assert totals_of(rng=one) == expected(GAMES, 7, (0,))
    assert totals_of(rng=other) == expected(GAMES, 7, (1,))
    assert totals_of(rng=one) != totals_of(rng=other)


def test_a_generator_moves_on_once_a_run():
    generator, twin = np.random.default_rng(3), np.random.default_rng(3)
    first, second = totals_of(rng=generator), totals_of(rng=generator)
    assert first != second
    assert [first, second] == [totals_of(rng=twin), totals_of(rng=twin)]
    assert generator.bytes(8) == twin.bytes(8)
    assert Stream.of(np.random.default_rng(3)).entropy == int.from_bytes(
        np.random.default_rng(3).bytes(16), "little"
    )


def test_no_seed_draws_a_new_one_and_tells_it():
    totals, source = run(DICE, GAMES, rng=None)
    (drawn,) = source.runs
    assert drawn.entropy.bit_length() > 64
    assert totals.tolist() == expected(GAMES, drawn.entropy)
    _, other = run(DICE, GAMES, rng=None)
    assert other.runs[0].entropy != drawn.entropy


@pytest.mark.parametrize(
    ("rng", "error"),
    [
        (-1, ValueError),
        (np.int64(-1), ValueError),
        (True, TypeError),
        (1.0, TypeError),
        ("7", TypeError),
        ([7], TypeError),
        (np.array([7]), TypeError),
        (np.random.RandomState(7), TypeError),
        (random.Random(7), TypeError),
    ],
)
def test_what_is_no_seed_is_refused(rng, error):
    with pytest.raises(error, match=r"^rng: "):
        run(DICE, GAMES, rng=rng)


@pytest.mark.parametrize(
    ("games", "error"),
    [(-1, ValueError), (1.0, TypeError), (True, TypeError), ("9", TypeError), (None, TypeError)],
)
def test_what_is_no_number_of_games_is_refused(games, error):
    with pytest.raises(error, match=r"^games: "):
        run(DICE, games, rng=7)


def test_numbers_may_be_numpys():
    assert totals_of(np.int64(GAMES), rng=np.uint8(7), workers=np.int8(2)) == expected(GAMES)
    assert type(whole(np.int16(5), "n")) is int


# --- workers ---


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_threads_change_nothing(workers):
    assert totals_of(workers=workers) == expected(GAMES)


def backwards(function, tasks):
    return [function(task) for task in reversed(list(tasks))]


def test_the_order_of_arrival_changes_nothing(tmp_path):
    assert totals_of(workers=backwards) == expected(GAMES)
    assert totals_of(workers=backwards, checkpoint=tmp_path / "run") == expected(GAMES)


def test_a_pool_of_threads():
    with ThreadPoolExecutor(2) as pool:
        assert totals_of(workers=pool.map) == expected(GAMES)


def test_a_pool_of_spawned_processes():
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        assert totals_of(workers=pool.map) == expected(GAMES)


@pytest.mark.parametrize(
    ("workers", "error"),
    [(0, ValueError), (-2, ValueError), (1.5, TypeError), (True, TypeError), (None, TypeError)],
)
def test_impossible_workers_are_refused(workers, error):
    with pytest.raises(error, match=r"^workers: "):
        run(DICE, GAMES, rng=7, workers=workers)


def slow_then_fail(seed, games, sides):
    if seed.spawn_key == (3,):
        raise ArithmeticError("chunk 3")
    return roll(seed, games, sides)


@pytest.mark.parametrize("most", [1, 4, 9, 1000])
@pytest.mark.parametrize("tasks", [1, 7, 8, 9, 60, 477])
def test_calls_are_of_nearly_one_length(tasks, most):
    calls = _engine._evenly(list(range(tasks)), most)
    lengths = {len(call) for call in calls}
    assert [task for call in calls for task in call] == list(range(tasks))
    assert max(lengths) - min(lengths) <= 1
    assert 1 <= max(lengths) <= most
    assert len(calls) % 8 == 0 or len(calls) == tasks


def test_a_chunk_that_comes_back_twice_is_refused():
    def stutter(function, calls):
        for call in calls:
            yield function(call)
            (index, _), *_ = call
            if index in (0, 3):
                yield function(call)

    with pytest.raises(ValueError, match="workers: chunk 0 came back twice"):
        totals_of(workers=stutter)


@pytest.mark.parametrize("lost", [0, 2, 5])
def test_a_chunk_that_never_comes_back_is_missed(lost, tmp_path):
    def forget(function, calls):
        return [function(call) for call in calls if call[0][0] != lost]

    path = tmp_path / "run"
    with pytest.raises(ValueError, match=f"workers: chunk {lost} of 6 never came back"):
        totals_of(workers=forget, checkpoint=path)
    assert totals_of(checkpoint=path) == expected(GAMES)  # what came back was kept


@pytest.mark.parametrize(
    "gives",
    [
        lambda *_: None,
        lambda *_: 5,
        lambda _, tasks: iter(tasks[0]),
        lambda _, tasks: [None for _ in tasks],
    ],
)
def test_what_is_not_called_like_map_is_refused(gives):
    """Futures, for one, as Dask's own map gives them."""
    with pytest.raises(TypeError, match=r"^workers: gave "):
        totals_of(workers=gives)


@pytest.mark.parametrize("chunks", [0, 1, 15, 16, 31, 32, 60, 127, 128, 1000])
def test_workers_elsewhere_get_several_chunks_a_call(chunks):
    """Few calls, but enough to share among many, and none of them long."""
    calls = []

    def remember(function, tasks):
        calls.extend(len(task) for task in tasks)
        return map(function, tasks)

    totals_of(chunks * CHUNK, workers=remember)
    assert sum(calls) == chunks
    assert min(chunks, 8) <= len(calls) <= chunks
    if chunks > 100:
        assert len(calls) < chunks / 2


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_an_error_in_a_chunk_is_raised(workers):
    with pytest.raises(ArithmeticError, match="chunk 3"):
        run(replace(DICE, count=slow_then_fail), GAMES, rng=7, workers=workers)


@pytest.mark.parametrize("workers", [1, 2, 5, map])
def test_each_part_is_counted_once(workers):
    parts = ((name, "row") for name in "abcdefgh")
    found = map_parts(lambda *part: part, parts, workers)
    assert sorted(found) == [(name, "row") for name in "abcdefgh"]
    assert list(map_parts(max, iter(()), workers)) == []


# --- cost ---


def count_nothing(seed, games, sides):
    return np.zeros(sides, np.int64)


@pytest.mark.parametrize("workers", [1, 2])
def test_memory_does_not_grow_with_the_games(workers):
    work = replace(DICE, count=count_nothing)

    def peak(games):
        tracemalloc.start()
        run(work, games, rng=7, workers=workers)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(CHUNK)
    assert peak(3_000 * CHUNK) < peak(100 * CHUNK) + 50_000


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_without_end_starts_at_once(workers):
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        run(replace(DICE, count=interrupt), 10**18, rng=7, workers=workers)
    assert time.perf_counter() - start < 1


# --- progress ---


def test_progress_is_shown_on_stderr_only(capfd, tmp_path):
    totals_of(progress=True, workers=2)
    out, err = capfd.readouterr()
    assert out == ""
    assert "57.0/57.0" in err
    assert "games" in err
    totals_of(50, checkpoint=tmp_path / "run")
    capfd.readouterr()
    totals_of(checkpoint=tmp_path / "run", progress=True)
    assert "57.0/57.0" in capfd.readouterr().err


def test_without_progress_nothing_is_shown(capfd):
    totals_of()
    totals_of(workers=2)
    assert capfd.readouterr() == ("", "")


# --- checkpoints ---


def interrupted_at(index):
    """A count that stops at a chunk as Ctrl-C does."""

    def count(seed, games, sides):
        if seed.spawn_key[-1] == index:
            raise KeyboardInterrupt
        return roll(seed, games, sides)

    return count


class Counted:
    """A count that remembers which chunks it was asked for."""

    def __init__(self):
        self.chunks = []

    def __call__(self, seed, games, sides):
        self.chunks.append(seed.spawn_key[-1])
        return roll(seed, games, sides)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.json"


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("index", range(6))
def test_an_interrupted_run_goes_on_where_it_stopped(path, index, workers):
    broken = replace(DICE, count=interrupted_at(index))
    with pytest.raises(KeyboardInterrupt):
        run(broken, GAMES, rng=7, workers=workers, checkpoint=path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    counted = Counted()
    assert totals_of(work=replace(DICE, count=counted), checkpoint=path) == expected(GAMES)
    if workers == 1:
        assert counted.chunks == list(range(index, 6))
    assert index in counted.chunks


def test_a_finished_run_is_not_done_again(path):
    first = totals_of(60, checkpoint=path)
    counted = Counted()
    assert totals_of(60, work=replace(DICE, count=counted), checkpoint=path) == first
    assert counted.chunks == []


def test_more_games_go_on(path):
    assert totals_of(0, checkpoint=path) == expected(0)
    assert totals_of(7, checkpoint=path) == expected(7)
    assert totals_of(33, checkpoint=path) == expected(33)
    assert totals_of(33, checkpoint=path) == expected(33)
    counted = Counted()
    more = totals_of(95, work=replace(DICE, count=counted), checkpoint=path)
    assert more == expected(95)
    assert counted.chunks == list(range(3, 10))


def test_chunks_that_arrived_out_of_order_are_kept(path):
    broken = replace(DICE, count=interrupted_at(2))
    with pytest.raises(KeyboardInterrupt):
        run(broken, 95, rng=7, workers=lambda f, tasks: map(f, list(tasks)[::-1]), checkpoint=path)
    assert json.loads(path.read_text())["body"]["done"] == [[3, 8]]
    counted = Counted()
    assert totals_of(95, work=replace(DICE, count=counted), checkpoint=path) == expected(95)
    assert counted.chunks == [0, 1, 2, 8, 9]


def test_without_a_seed_the_checkpoint_knows_it(path):
    broken = replace(DICE, count=interrupted_at(3))
    with pytest.raises(KeyboardInterrupt):
        run(broken, GAMES, rng=None, checkpoint=path)
    totals, source = run(DICE, GAMES, rng=None, checkpoint=path)
    assert totals.tolist() == expected(GAMES, source.runs[0].entropy)


def test_a_path_may_be_text(path):
    assert totals_of(checkpoint=str(path)) == expected(GAMES)
    assert path.exists()


def test_work_is_saved_while_it_goes_on(path, monkeypatch):
    monkeypatch.setattr(_engine, "SECONDS_BETWEEN_SAVES", 0.0)
    seen = []

    def look(seed, games, sides):
        done = json.loads(path.read_text())["body"]["done"] if path.exists() else []
        seen.append(done)
        return roll(seed, games, sides)

    totals_of(work=replace(DICE, count=look), checkpoint=path)
    assert seen == [[], [[0, 1]], [[0, 2]], [[0, 3]], [[0, 4]], [[0, 5]]]


def refused(path, match, *, games=GAMES, work=DICE, rng=7):
    """The run is refused before any work, and the file stays as it is."""
    before = path.read_bytes()
    counted = Counted()
    with pytest.raises(ValueError, match=r"^checkpoint: ") as error:
        run(replace(work, count=counted), games, rng=rng, checkpoint=path)
    assert match in str(error.value)
    assert path.name in str(error.value)
    assert counted.chunks == []
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_fewer_games_are_refused(path):
    totals_of(checkpoint=path)
    refused(path, "holds more than games=49", games=49)
    assert totals_of(50, checkpoint=path) == expected(50)


@pytest.mark.parametrize(
    "other", [{"rules": "loaded"}, {"game": "coins"}, {"by": "parity"}, {"players": 2}]
)
def test_other_work_is_refused(path, other):
    totals_of(checkpoint=path)
    ((name, value),) = other.items()
    refused(path, f"of other work: {name} is", work=replace(DICE, **other))
    refused(path, repr(value), work=replace(DICE, **other))


@pytest.mark.parametrize(
    "rng", [8, np.random.SeedSequence(7, spawn_key=(0,)), np.random.default_rng(7)]
)
def test_another_seed_is_refused(path, rng):
    totals_of(checkpoint=path)
    refused(path, "of seed", rng=rng)


def test_other_chunks_are_refused(path, monkeypatch):
    totals_of(checkpoint=path)
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", 2 * CHUNK)
    refused(path, "games_a_chunk is 10, not 20")


def test_another_format_is_refused(path, monkeypatch):
    totals_of(checkpoint=path)
    monkeypatch.setattr(_engine, "_CHECKPOINT_FORMAT", 2)
    refused(path, "of format 1, not 2: another version")


def test_games_that_were_dealt_another_way_are_refused(path, monkeypatch):
    totals_of(checkpoint=path)
    monkeypatch.setattr(_engine, "DEALING", _engine.DEALING + 1)
    refused(path, f"version of the dealing is {_engine.DEALING - 1}, not {_engine.DEALING}")


def test_a_truncated_file_is_refused(path):
    totals_of(checkpoint=path)
    whole_file = path.read_bytes()
    for length in range(0, len(whole_file), 7):
        path.write_bytes(whole_file[:length])
        refused(path, "damaged or no checkpoint")


def test_an_edited_file_is_refused(path):
    totals_of(checkpoint=path)
    text = path.read_text()
    digits = [place for place, character in enumerate(text) if character.isdigit()]
    for place in digits[::5]:
        other = str((int(text[place]) + 1) % 10)
        path.write_text(text[:place] + other + text[place + 1 :])
        refused(path, "damaged or no checkpoint")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"my notes",
        b"\xff\xfe\x00binary",
        b"null",
        b"[]",
        b"{}",
        b'{"body": 5, "digest": "0"}',
        b'{"body": {"format": 1}}',
        json.dumps({"body": {}, "digest": _engine._digest({})}).encode(),
        json.dumps({"body": {"format": 1}, "digest": _engine._digest({"format": 1})}).encode(),
        b"[" * 100_000,
        b"1" * 10_000,
    ],
)
def test_a_foreign_file_is_refused(path, content):
    path.write_bytes(content)
    refused(path, "damaged or no checkpoint")


def test_a_place_where_no_file_can_be_is_an_error(tmp_path):
    counted = Counted()
    work = replace(DICE, count=counted)
    with pytest.raises(FileNotFoundError, match=r"checkpoint: .*nowhere"):
        run(work, GAMES, rng=7, checkpoint=tmp_path / "nowhere" / "run.json")
    with pytest.raises(IsADirectoryError, match=f"checkpoint: .*{tmp_path.name}"):
        run(work, GAMES, rng=7, checkpoint=tmp_path)
    with pytest.raises(ValueError, match=r"checkpoint: .* null character"):
        run(work, GAMES, rng=7, checkpoint="run\0.json")
    with pytest.raises(TypeError, match="checkpoint: 5 is no path"):
        run(work, GAMES, rng=7, checkpoint=5)
    assert counted.chunks == []


def test_a_full_disk_leaves_the_last_checkpoint(path, monkeypatch):
    totals_of(30, checkpoint=path)

    def no_space(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match=f"checkpoint: No space left .*{path.name}"):
            run(DICE, GAMES, rng=7, checkpoint=path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    counted = Counted()
    assert totals_of(work=replace(DICE, count=counted), checkpoint=path) == expected(GAMES)
    assert counted.chunks == [3, 4, 5]


def interrupted_at_line(number, path):
    """Run with Ctrl-C at line `number` of all that the engine executes; whether there was one."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if frame.f_code.co_filename != _engine.__file__:
            return None
        if event == "line":
            lines += 1
            if lines == number:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run(DICE, GAMES, rng=7, checkpoint=path)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


# An interrupt just before a file is closed leaves that to the garbage collector, which says so.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_interrupt_at_any_line_loses_or_doubles_nothing(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(_engine, "SECONDS_BETWEEN_SAVES", 0.0)
    number = 0
    stopped = True
    while stopped:
        number += 1
        path.unlink(missing_ok=True)
        stopped = interrupted_at_line(number, path)
        assert totals_of(checkpoint=path) == expected(GAMES), f"after line {number}"
    assert number > 100


def test_the_file_of_another_run_is_not_replaced(path):
    """One that took the name while this one was running."""

    def taken(seed, games, sides):
        if seed.spawn_key == (2,):
            path.unlink()
            totals_of(rng=8, checkpoint=path)
        return roll(seed, games, sides)

    with pytest.raises(ValueError, match=r"^checkpoint: .* is another run's by now"):
        totals_of(work=replace(DICE, count=taken), checkpoint=path)
    assert totals_of(rng=8, checkpoint=path) == expected(GAMES, seed=8)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_finished_run_is_read_where_nothing_can_be_written(path, monkeypatch):
    totals_of(50, checkpoint=path)
    monkeypatch.setattr(_Checkpoint, "write", None)
    assert totals_of(50, checkpoint=path) == expected(50)


def test_a_link_stays_a_link_and_a_mode_stays_itself(path):
    kept = path.with_name("kept.json")
    totals_of(20, checkpoint=kept)
    kept.chmod(0o600)
    path.symlink_to(kept)
    totals_of(checkpoint=path)
    assert path.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert totals_of(checkpoint=kept) == expected(GAMES)


def test_what_a_killed_run_left_is_removed(path):
    totals_of(20, checkpoint=path)
    old, new = (path.with_name(f"{path.name}.{name}.part") for name in ("old", "new"))
    for part in (old, new):
        part.touch()
    os.utime(old, (0, 0))
    totals_of(checkpoint=path)
    assert (old.exists(), new.exists()) == (False, True)  # the new one may be in use


def changing(index, change):
    """Map, but with one chunk's answer changed."""

    def workers(function, calls):
        for call in calls:
            called = function(call)
            answers = [
                replace(one, **change) if one.index == index else one for one in called.answers
            ]
            yield replace(called, answers=answers)

    return workers


@pytest.mark.parametrize(
    "change",
    [
        {"stream": Stream(8)},
        {"index": 100},
        {"index": -1},
        {"games": 9},
        {"counted": np.zeros(2, np.int64)},
    ],
    ids=["seed", "beyond", "before", "size", "shape"],
)
def test_an_answer_to_something_else_is_refused_and_not_kept(change, path):
    with pytest.raises(ValueError, match=r"^workers: chunk -?\d+ of \d+ games is none of this run"):
        totals_of(workers=changing(2, change), checkpoint=path)
    assert totals_of(100, checkpoint=path) == expected(100)


def test_workers_of_another_version_are_refused():
    with pytest.raises(ValueError, match=r"^workers: version 0 of the dealing, not \d+: another"):
        totals_of(workers=changing(2, {"dealing": 0}))


def test_answers_of_another_kind_are_refused():
    def numbers(function, calls):
        return [replace(function(call), answers=[1, 2]) for call in calls]

    with pytest.raises(TypeError, match=r"^workers: gave 1, and not what the function returned"):
        totals_of(workers=numbers)


@pytest.mark.parametrize("seconds_a_chunk", [0.01, 0.13, 0.25])
def test_work_elsewhere_comes_back_every_second_or_two(seconds_a_chunk, monkeypatch):
    """Else a checkpoint could not be saved as often, where a map gives all at once."""
    now, waves = [0.0], []
    monkeypatch.setattr(_engine.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(_engine.time, "perf_counter", lambda: now[0])

    def slow(task):
        now[0] += seconds_a_chunk
        return task

    def all_at_once(function, calls):
        start = now[0]
        answers = list(map(function, calls))
        waves.append(now[0] - start)
        return answers

    tasks = range(1000)
    map_chunks = _engine._mapper(all_at_once, _engine.SECONDS_BETWEEN_SAVES)
    assert list(map_chunks(slow, tasks)) == list(tasks)
    assert max(waves) <= 2
    assert sum(waves[1:-1]) >= 0.8 * len(waves[1:-1])


def test_a_part_that_is_lost_for_another_is_missed():
    def swap(function, tasks):
        return map(function, [tasks[1], *tasks[1:]])

    def lose(function, tasks):
        return map(function, tasks[1:])

    parts = [(name,) for name in "abcd"]
    with pytest.raises(ValueError, match=r"^workers: chunk 1 came back twice"):
        list(map_parts(lambda part: part, parts, swap))
    with pytest.raises(ValueError, match=r"^workers: chunk 0 of 4 never came back"):
        list(map_parts(lambda part: part, parts, lose))


def test_work_elsewhere_is_saved_while_it_goes_on(path, monkeypatch):
    """Even by a map that gives nothing back before all is done; and no list is endless."""
    monkeypatch.setattr(_engine, "SECONDS_BETWEEN_SAVES", 0.0)
    waves = []

    def all_at_once(function, tasks):
        waves.append(sum(map(len, tasks)))
        if len(waves) == 4:
            raise KeyboardInterrupt
        return list(map(function, tasks))

    with pytest.raises(KeyboardInterrupt):
        run(DICE, 10**15, rng=7, workers=all_at_once, checkpoint=path)
    assert waves == [8] * 4
    counted = Counted()
    assert totals_of(500, work=replace(DICE, count=counted), checkpoint=path) == expected(500)
    assert counted.chunks == list(range(24, 50))


# --- which chunks came back ---


def test_chunks_are_known_in_any_order_and_written_as_ranges():
    chance = random.Random(3)
    for _ in range(200):
        order = chance.sample(range(12), chance.randrange(13))
        chunks = _Chunks()
        for number, index in enumerate(order):
            assert index not in chunks
            chunks = chunks.and_chunk(index)
            assert len(chunks) == number + 1
        assert {index for index in range(15) if index in chunks} == set(order)
        assert chunks.last == max(order, default=-1)
        ranges = chunks.ranges()
        assert [index for start, stop in ranges for index in range(start, stop)] == sorted(order)
        assert _Chunks.of_ranges(ranges) == chunks
        assert all(stop < start for (_, stop), (start, _) in pairwise(ranges))


def test_a_very_long_run_keeps_no_long_list():
    chunks = _Chunks(10**9, frozenset([10**9 + 1]))
    after = chunks.and_chunk(10**9)
    assert (after.first_missing, after.ahead) == (10**9 + 2, frozenset())
    assert after.ranges() == [[0, 10**9 + 2]]
    assert _Chunks.of_ranges(after.ranges()) == after
