"""Running many games: chunks, streams, workers, progress and checkpoints. Knows no game.

Work is cut into chunks of a fixed number of games, and chunk i draws from
``SeedSequence(entropy, spawn_key=(*key, i))``. So a result depends on the seed and the work, and
not on who ran which chunk when; and a run of n games is a prefix of every longer one.
"""

from __future__ import annotations

import glob
import hashlib
import json
import math
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import is_whole, shown, whole
from cardstats._files import as_path, naming
from cardstats.results import Run, Source

RNG: TypeAlias = (
    "Stream | int | np.integer[Any] | np.random.SeedSequence | np.random.Generator | None"
)
Workers: TypeAlias = int | Callable[..., Iterable[Any]]
_Version: TypeAlias = tuple[int, int]

# 2^24 hands of three cards take 20 to 60 ms: short enough to stop at once, long enough to seed
# and to send elsewhere seldom.
HANDS_A_CHUNK = 1 << 24
# To be raised whenever a seed gives other games than before: checkpoints of old ones are refused.
DEALING = 1
SECONDS_BETWEEN_SAVES = 1.0
MOST_HANDS = int(np.iinfo(np.int64).max)
_CHECKPOINT_FORMAT = 1
_SECONDS_A_SAVE = 60.0  # at most
# For workers elsewhere: enough calls to share; and once their length is known, each short enough
# to lose.
_CALLS, _SECONDS_A_CALL = 8, 0.25
_FEWEST_A_WAVE, _MOST_A_WAVE = 8, 1 << 16
_FIRST_WAVE = 1024, 8  # tasks, and how many of them a call, where nothing is saved in between
_POOL_SIZE = 4  # of numpy.random.SeedSequence, unless asked otherwise


@dataclass(frozen=True)
class Stream:
    """The root of a random stream: what `numpy.random.SeedSequence` is made from."""

    entropy: int | tuple[int, ...]
    key: tuple[int, ...] = ()

    @classmethod
    def of(cls, rng: RNG) -> Stream:
        """Read an `rng` argument as SPEC 7 has it.

        A Generator gives 128 bits once and so moves on; a SeedSequence is not changed.
        """
        if isinstance(rng, Stream):
            return rng
        if isinstance(rng, np.random.Generator):
            return cls(int.from_bytes(rng.bytes(16), "little"))
        if rng is None:
            return cls.of(np.random.SeedSequence())
        if isinstance(rng, np.random.SeedSequence):
            return cls._of_seed_sequence(rng)
        if not is_whole(rng):
            raise TypeError(
                "rng: expected None, an int, a SeedSequence or a Generator, got "
                f"{type(rng).__name__}"
            )
        return cls(whole(rng, "rng", place="seed "))

    @classmethod
    def _of_seed_sequence(cls, seed: np.random.SeedSequence) -> Stream:
        if seed.pool_size != _POOL_SIZE:
            raise ValueError(
                f"rng: a SeedSequence of pool_size {seed.pool_size}; only {_POOL_SIZE} is kept"
            )
        try:
            words = [int(word) for word in np.atleast_1d(np.asarray(seed.entropy, dtype=object))]
        except (TypeError, ValueError):
            raise TypeError(
                f"rng: cannot keep the entropy {shown(seed.entropy)}; use ints"
            ) from None
        key = tuple(int(word) for word in seed.spawn_key)
        return cls(words[0] if len(words) == 1 else tuple(words), key)

    @property
    def words(self) -> tuple[int, ...]:
        """What tells streams apart: equal words, equal stream."""
        return Run(self.entropy, self.key, 0, 0).stream

    def __str__(self) -> str:
        """Write the seed as one would type it."""
        return f"{self.entropy} with key {self.key}" if self.key else f"{self.entropy}"

    def chunk(self, index: int) -> np.random.SeedSequence:
        """Seed of one chunk."""
        return np.random.SeedSequence(self.entropy, spawn_key=(*self.key, index))


@dataclass(frozen=True)
class Work:
    """What a chunk is.

    `count` takes a seed, a number of games and `args`, and returns int64 totals of shape
    `shape`; it is a module's function, so that it can be sent to other processes.
    """

    count: Callable[..., NDArray[np.int64]]
    args: tuple[Any, ...]
    shape: tuple[int, ...]
    game: str
    rules: str
    by: str
    players: int
    slowness: int = 1

    @property
    def games_a_chunk(self) -> int:
        """Games in every chunk but the last."""
        return games_a_chunk(self.players, self.slowness)

    def source(self, stream: Stream, games: int) -> Source:
        """Where the totals of `games` games come from."""
        run = Run(stream.entropy, stream.key, 0, games)
        return Source(self.game, self.rules, self.by, self.players, (run,))

    @property
    def identity(self) -> dict[str, Any]:
        """What has to agree for totals to be of the same thing."""
        return {
            "game": self.game,
            "rules": self.rules,
            "by": self.by,
            "players": self.players,
            "games_a_chunk": self.games_a_chunk,
            "version of the dealing": DEALING,
        }


@dataclass(frozen=True)
class _Answer:
    """What a chunk gave, and what tells whether it is one of this run."""

    dealing: int
    stream: Stream
    index: int
    games: int
    counted: NDArray[np.int64]


@dataclass(frozen=True)
class _Part:
    """A call: not as a tuple, which Dask takes for a graph of its own and calls too early."""

    index: int
    count: Callable[..., Any]
    args: tuple[Any, ...]


def run(
    work: Work,
    games: int,
    *,
    rng: RNG,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[NDArray[np.int64], Source]:
    """Play `games` games and add up what the chunks return.

    Parameters
    ----------
    work : Work
    games : int
    rng : None, int, SeedSequence or Generator
    workers : int or map-like callable
        Threads, or anything that is called like `map` and may run elsewhere.
    progress : bool
        Whether to show a bar on stderr.
    checkpoint : path, optional
        Finished chunks are kept here; the same call resumes, and one of more games goes on.

    Returns
    -------
    totals : ndarray of int64
    source : Source

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, the checkpoint is damaged or of other work, or the
        workers lose a chunk or give one twice.
    """
    games = whole(games, "games", most=MOST_HANDS // work.players, beyond="counters have 64 bits")
    book = _Checkpoint(checkpoint, work) if checkpoint is not None else None
    map_chunks = _mapper(workers, SECONDS_BETWEEN_SAVES if book else math.inf)
    saved = book.read() if book else None
    stream = saved.stream if saved and rng is None else Stream.of(rng)
    if saved and saved.stream.words != stream.words:
        raise ValueError(f"checkpoint: {checkpoint} is of seed {saved.stream}, not of {stream}")
    state = saved or _Progress(stream, np.zeros(work.shape, np.int64))
    if state.done.last >= games // work.games_a_chunk:
        raise ValueError(f"checkpoint: {checkpoint} holds more than games={games}; ask for more")
    arrived = state.done
    tasks = _tasks(work, games, state.done)
    if book and not saved:
        book.write(state)  # a path that cannot be written is known before any work
    written = state
    totals = state.totals.copy()
    next_save = time.monotonic() + SECONDS_BETWEEN_SAVES
    with _bar(work, games, progress) as bar:
        bar.update(len(state.done) * work.games_a_chunk)
        try:
            for answer in map_chunks(partial(_run_chunk, work, stream), tasks):
                chunk = _checked(answer, work, stream, games)
                arrived = arrived.and_chunk(chunk.index)
                totals += chunk.counted
                bar.update(chunk.games)
                if book and chunk.games == work.games_a_chunk:
                    state = state.and_chunk(chunk.index, chunk.counted)
                    if time.monotonic() >= next_save:
                        book.write(state)
                        written = state
                        next_save = time.monotonic() + SECONDS_BETWEEN_SAVES
        finally:
            if book and state is not written:
                book.write(state)
    arrived.check_all(-(-games // work.games_a_chunk))
    return totals, work.source(stream, games)


def games_a_chunk(players: int = 1, slowness: int = 1) -> int:
    """Games in a chunk, for all who draw the same ones: a matter of the game alone.

    `slowness` says how many times as long as three cards a hand takes, so that no chunk takes
    more than some 0.3 s.
    """
    return HANDS_A_CHUNK // (players * slowness)


def map_parts(
    count: Callable[..., Any], parts: Iterable[tuple[Any, ...]], workers: Workers
) -> Iterator[Any]:
    """Call ``count(*part)`` for each part of some work, wherever the workers are."""
    arrived, sent = _Chunks(), 0

    def tasks() -> Iterator[_Part]:
        nonlocal sent
        for part in parts:
            yield _Part(sent, count, part)
            sent += 1

    for index, answer in _mapper(workers)(_run_part, tasks()):
        arrived = arrived.and_chunk(index)
        yield answer
    arrived.check_all(sent)


def _run_chunk(work: Work, stream: Stream, task: tuple[int, int]) -> _Answer:
    index, games = task
    counted = work.count(stream.chunk(index), games, *work.args)
    return _Answer(DEALING, stream, index, games, counted)


def _checked(answer: object, work: Work, stream: Stream, games: int) -> _Answer:
    """Take what a chunk gave, if it is one of this run: else it would be saved with the others."""
    if not isinstance(answer, _Answer):
        raise TypeError(f"workers: gave {shown(answer)}, and not what the function returned")
    if answer.dealing != DEALING:
        raise ValueError(
            f"workers: version {answer.dealing} of the dealing, not {DEALING}: "
            "another version of cardstats is installed there"
        )
    asked = min(work.games_a_chunk, games - answer.index * work.games_a_chunk)
    if (
        answer.stream != stream
        or answer.index < 0
        or answer.games != asked
        or answer.counted.shape != work.shape
    ):
        raise ValueError(
            f"workers: chunk {answer.index} of {answer.games} games is none of this run"
        )
    return answer


def _run_part(task: _Part) -> tuple[int, Any]:
    return task.index, task.count(*task.args)


def _tasks(work: Work, games: int, done: _Chunks) -> Iterator[tuple[int, int]]:
    """Give index and games of the chunks that are still to do; only the last may be short.

    Bare numbers, as Dask takes a millisecond over each object that it has not seen.
    """
    for index, start in enumerate(range(0, games, work.games_a_chunk)):
        if index not in done:
            yield index, min(work.games_a_chunk, games - start)


def _mapper(workers: Workers, seconds: float = math.inf) -> Callable[..., Iterable[Any]]:
    if callable(workers):
        return partial(_map_elsewhere, workers, seconds)
    threads = whole(workers, "workers", least=1)
    if threads == 1:
        return map

    def map_in_threads(function: Callable[..., Any], tasks: Iterator[Any]) -> Iterator[Any]:
        pool = ThreadPoolExecutor(threads)
        try:
            # A few tasks ahead of the workers, so that a long run keeps no long list.
            pending = {pool.submit(function, task) for task in islice(tasks, 2 * threads)}
            while pending:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= {pool.submit(function, task) for task in islice(tasks, len(finished))}
                for future in finished:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    return map_in_threads


def _map_elsewhere(
    workers: Callable[..., Iterable[Any]],
    seconds: float,
    function: Callable[..., Any],
    tasks: Iterable[Any],
) -> Iterator[Any]:
    """Send tasks in waves of some `seconds`, several tasks a call; the first shows how many.

    So that a long run keeps no long list, a map that gives nothing back until all is done can be
    saved in between, and sending a call, which costs Dask some milliseconds, is seldom. Between two
    waves workers wait for each other: most runs without a checkpoint are one wave.
    """
    tasks = iter(tasks)
    size, most_a_call = _FIRST_WAVE if seconds == math.inf else (_FEWEST_A_WAVE, 1)
    while wave := list(islice(tasks, size)):
        start, busy = time.monotonic(), 0.0
        calls = _evenly(wave, most_a_call)
        for called in _answers(workers(partial(_call_each, function), calls)):
            busy += called.seconds
            yield from called.answers
        took = time.monotonic() - start
        most_a_call = max(int(_SECONDS_A_CALL * len(wave) / max(busy, 1e-6)), 1)
        size = int(min(max(size * seconds / max(took, 1e-6), _FEWEST_A_WAVE), _MOST_A_WAVE))


def _evenly(tasks: list[Any], most: int) -> list[list[Any]]:
    """Share tasks out among a multiple of eight calls, whose lengths differ by one at the most."""
    rounds = math.ceil(len(tasks) / (_CALLS * most))
    calls = min(_CALLS * rounds, len(tasks))
    ends = [len(tasks) * call // calls for call in range(calls + 1)]
    return [tasks[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True)
class _Called:
    seconds: float
    answers: list[Any]


def _answers(given: Any) -> Iterator[_Called]:
    if not isinstance(given, Iterable):
        raise TypeError(f"workers: gave {shown(given)}, and not answer after answer")
    for answer in given:
        if not isinstance(answer, _Called):
            raise TypeError(f"workers: gave {shown(answer)}, and not what the function returned")
        yield answer


def _call_each(function: Callable[..., Any], tasks: list[Any]) -> _Called:
    start = time.perf_counter()
    answers = [function(task) for task in tasks]
    return _Called(time.perf_counter() - start, answers)


def _bar(work: Work, games: int, progress: bool) -> Any:
    if not progress:
        return _NoBar()
    from tqdm.auto import tqdm

    name = work.game.replace("_", " ").replace(".", ": ")
    what = f"{name}, {work.players} players" if work.players > 1 else name
    return tqdm(desc=what, total=games, unit=" games", unit_scale=True)


class _NoBar(AbstractContextManager["_NoBar"]):
    def __exit__(self, *exception: object) -> None:
        return None

    def update(self, games: int) -> None:
        """Show nothing."""


@dataclass(frozen=True)
class _Chunks:
    """Which chunks came back: all before `first_missing`, and some ahead of it; none twice.

    Small however long the run is, as chunks come back nearly in order.
    """

    first_missing: int = 0
    ahead: frozenset[int] = frozenset()

    def __contains__(self, index: int) -> bool:
        return index < self.first_missing or index in self.ahead

    def __len__(self) -> int:
        return self.first_missing + len(self.ahead)

    @property
    def last(self) -> int:
        """The last of them; -1 if there is none."""
        return max(self.ahead, default=self.first_missing - 1)

    def and_chunk(self, index: int) -> _Chunks:
        """Add one."""
        if index in self:
            raise ValueError(f"workers: chunk {index} came back twice")
        first, ahead = self.first_missing, self.ahead | {index}
        while first in ahead:
            first += 1
        return _Chunks(first, frozenset(chunk for chunk in ahead if chunk > first))

    def check_all(self, chunks: int) -> None:
        """Refuse a result without one of so many chunks."""
        if self.first_missing < chunks:
            raise ValueError(f"workers: chunk {self.first_missing} of {chunks} never came back")

    def ranges(self) -> list[list[int]]:
        """Write them as ranges: first, and first that is not in it."""
        ranges = [[0, self.first_missing]] if self.first_missing else []
        for index in sorted(self.ahead):
            if ranges and ranges[-1][1] == index:
                ranges[-1][1] = index + 1
            else:
                ranges.append([index, index + 1])
        return ranges

    @classmethod
    def of_ranges(cls, ranges: list[list[int]]) -> _Chunks:
        """Read them again."""
        first = ranges[0][1] if ranges and ranges[0][0] == 0 else 0
        ahead = (index for start, stop in ranges for index in range(max(start, first), stop))
        return cls(first, frozenset(ahead))


@dataclass(frozen=True)
class _Progress:
    """Finished chunks of full size and their totals.

    Both are replaced at once: an interrupt between two changes would leave a chunk counted that
    the checkpoint says is still to do.
    """

    stream: Stream
    totals: NDArray[np.int64]
    done: _Chunks = _Chunks()

    def and_chunk(self, index: int, counted: NDArray[np.int64]) -> _Progress:
        return _Progress(self.stream, self.totals + counted, self.done.and_chunk(index))


class _Checkpoint:
    """A JSON file with finished chunks, replaced as a whole, never half written."""

    def __init__(self, path: str | os.PathLike[str], work: Work) -> None:
        named = as_path("checkpoint", path)
        with naming("checkpoint", named):
            self.path = Path(os.path.realpath(named)) if named.is_symlink() else named
        self.work = work
        self._mine: tuple[_Version | None, ...] = (None,)  # what may be replaced

    def read(self) -> _Progress | None:
        """Return what the file holds, or None where there is none."""
        try:
            with naming("checkpoint", self.path):
                self._mine = (None, _version(self.path))
                text = self.path.read_bytes()
        except FileNotFoundError:
            return None
        self._sweep()
        try:
            document = json.loads(text)
            body = document["body"]
            intact = document["digest"] == _digest(body)
            form, work = body["format"], dict(body["work"])
        except (ValueError, KeyError, TypeError, RecursionError):
            intact = False
        if not intact:
            raise ValueError(f"checkpoint: {self.path} is damaged or no checkpoint; move it away")
        if form != _CHECKPOINT_FORMAT:
            raise ValueError(
                f"checkpoint: {self.path} is of format {form!r}, not {_CHECKPOINT_FORMAT}: "
                "another version of cardstats wrote it"
            )
        for name, value in self.work.identity.items():
            if work.get(name) != value:
                raise ValueError(
                    f"checkpoint: {self.path} is of other work: {name} is "
                    f"{work.get(name)!r}, not {value!r}"
                )
        entropy = body["entropy"]
        stream = Stream(entropy if isinstance(entropy, int) else tuple(entropy), tuple(body["key"]))
        totals = np.array(body["totals"], np.int64).reshape(self.work.shape)
        return _Progress(stream, totals, _Chunks.of_ranges(body["done"]))

    def write(self, state: _Progress) -> None:
        """Replace the file atomically: a kill leaves the old one or the new one."""
        body = {
            "format": _CHECKPOINT_FORMAT,
            "work": self.work.identity,
            "entropy": state.stream.entropy,
            "key": state.stream.key,
            "done": state.done.ranges(),
            "totals": state.totals.ravel().tolist(),
        }
        beside = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}.part")
        try:
            with naming("checkpoint", self.path):
                with beside.open("x", encoding="utf-8") as file:
                    json.dump({"body": body, "digest": _digest(body)}, file)
                    file.flush()
                    os.fsync(file.fileno())
                found = _version(self.path)
                if found not in self._mine:
                    raise ValueError(f"checkpoint: {self.path} is another run's by now; it stays")
                if found:
                    shutil.copymode(self.path, beside)
                self._mine = (None, found, _version(beside))
                beside.replace(self.path)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise

    def _sweep(self) -> None:
        """Remove what runs that were killed while they saved have left."""
        for part in self.path.parent.glob(f"{glob.escape(self.path.name)}.*.part"):
            with suppress(OSError):
                if time.time() - part.stat().st_mtime > _SECONDS_A_SAVE:
                    part.unlink()


def _version(path: Path) -> _Version | None:
    """Tell a file from what others may put in its place; None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
