"""How contestants are timed: in turns, as medians; and how their answers are held together.

Knows jobs and yardsticks; knows no game and no other package.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats._table import Words, p_text
from cardstats.comparison import compare
from cardstats.results import Distribution, Tally
from cardstats.throughput import Kind, Rate

Job = Callable[[], object]

# Seconds of a turn, about: shared machines run fast for some seconds and slow for others, so that a
# round has to be short and rounds many, and yet no turn lost in the clock's noise.
_TURN = 0.015


class Answers(NamedTuple):
    """How a contestant's answers compare with those of cardstats."""

    short: Words
    note: Words | None = None


@dataclass(frozen=True)
class Contestant:
    """Somebody who does a job.

    Parameters
    ----------
    label : Words
        Unique in the whole benchmark.
    kind : Kind
    call : callable
        Does the job once.
    hands : int
        As many hands as that handles.
    slower_than : str
        English label of cardstats' way to do the same; empty for cardstats and for other jobs.
    answers : callable, optional
        Compares the answers; is called once, untimed.
    """

    label: Words
    kind: Kind
    call: Job
    hands: int
    slower_than: str = ""
    answers: Callable[[], Answers] | None = None


@dataclass(frozen=True)
class Contest:
    """A job and those who do it; the first of kind "limit" is what all are held to."""

    job: Words
    contestants: tuple[Contestant, ...]


def medians(jobs: Mapping[str, Job], rounds: int) -> dict[str, float]:
    """Median seconds of each job; the jobs take turns, so that all see the same noise."""
    for job in jobs.values():
        job()
    found = [_round(jobs) for _ in range(rounds)]
    return {name: statistics.median(spent[name] for spent in found) for name in jobs}


class Held:
    """A contest while it is held: each contestant's times, round by round.

    Preparing it compiles what is called, and touches what is filled.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self._jobs = {one.label.en: _long_enough(one.call) for one in contest.contestants}
        self._seconds: dict[str, list[float]] = {name: [] for name in self._jobs}

    def measure(self, seconds: float) -> None:
        """Let the contestants take turns for so long, once at least."""
        end = time.monotonic() + seconds
        jobs = {name: job for name, (job, _) in self._jobs.items()}
        while True:
            for name, spent in _round(jobs).items():
                self._seconds[name].append(spent)
            if time.monotonic() >= end:
                return

    def rates(self) -> tuple[list[Rate], list[Words]]:
        """Give the rows, and compare answers: what is to be said below the table."""
        paces = {  # seconds a hand, by round
            one.label.en: np.array(self._seconds[one.label.en])
            / (self._jobs[one.label.en][1] * one.hands)
            for one in self.contest.contestants
        }
        rows, notes = [], []
        for one in self.contest.contestants:
            answers = one.answers() if one.answers else Answers(Words("", ""))
            rows.append(self._rate(one, paces, answers))
            if answers.note:
                notes.append(answers.note)
        return rows, notes

    def _rate(
        self, one: Contestant, paces: Mapping[str, NDArray[np.float64]], answers: Answers
    ) -> Rate:
        job, own = self.contest.job, paces[one.label.en]
        limits = [other.label.en for other in self.contest.contestants if other.kind == "limit"]
        held = limits and one.kind in ("cardstats", "plain", "peer")
        # Ratios are taken round by round: neighbours in time share the machine's moods.
        return Rate(
            job=job.en,
            job_zh=job.zh,
            label=one.label.en,
            label_zh=one.label.zh,
            kind=one.kind,
            hands=1 / float(np.median(own)),
            of_limit=float(np.median(paces[limits[0]] / own)) if held else None,
            times=float(np.median(own / paces[one.slower_than])) if one.slower_than else None,
            answers=answers.short.en,
            answers_zh=answers.short.zh,
        )


def copying(label: Words, hands: NDArray[Any]) -> Contestant:
    """Make the limit of what reads its input once: copying that into a touched array."""
    to = np.zeros_like(hands)
    return Contestant(label, "limit", lambda: np.copyto(to, hands), len(hands))


def drawing(label: Words, numbers: int) -> Contestant:
    """Make a yardstick of simulations: so many float32 a hand from NumPy's fastest generator."""
    generator = np.random.Generator(np.random.SFC64(1))
    buffer = np.zeros(1 << 20, np.float32)
    hands = len(buffer) // numbers

    def fill() -> None:
        generator.random(out=buffer, dtype=np.float32)

    return Contestant(label, "another job", fill, hands)


def one_by_one(
    label: Words,
    answer: Callable[[Any], Any],
    hands: Sequence[Any],
    *,
    kind: Kind = "peer",
    slower_than: str = "",
    own: Sequence[Any] | None = None,
    show: Callable[[int], str] = str,
    timed: int = 2000,
) -> Contestant:
    """Make a contestant that is called hand by hand, on hands as it wants them.

    Parameters
    ----------
    label, kind, slower_than
        As of a `Contestant`.
    answer : callable
        Takes one of `hands`.
    hands : sequence
        All are compared; every nth of them is timed, as many as `timed` says.
    own : sequence, optional
        What cardstats answers, in the contestant's own terms; None if that is not compared.
    show : callable
        Writes hand i.
    """
    some = hands[:: max(1, len(hands) // timed)]

    def answers() -> Answers:
        return same_answers(label, [answer(hand) for hand in hands], own or (), show)

    return Contestant(
        label,
        kind,
        lambda: [answer(hand) for hand in some],
        len(some),
        slower_than,
        None if own is None else answers,
    )


def installed(package: str) -> bool:
    """Tell whether a package can be imported."""
    return find_spec(package) is not None


def same_answers(
    who: Words, theirs: Sequence[Any], own: Sequence[Any], show: Callable[[int], str]
) -> Answers:
    """Compare answers hand by hand; `show` writes hand i."""
    differ = [i for i, pair in enumerate(zip(theirs, own, strict=True)) if pair[0] != pair[1]]
    if not differ:
        return Answers(Words(f"{len(own):,} the same", f"{len(own):,} 个相同"))
    first = differ[0]
    count, hand = f"{len(differ):,}", show(first)
    return Answers(
        Words(f"{count} of {len(own):,} differ", f"{len(own):,} 个中 {count} 个不同"),
        Words(
            f"{who.en}: {count} of {len(own):,} answers differ, first {hand}: {theirs[first]}, "
            f"cardstats {own[first]}",
            f"{who.zh}：{len(own):,} 个答案中 {count} 个不同，首个 {hand}：{theirs[first]}，"
            f"cardstats {own[first]}",
        ),
    )


_NO_FIT = 1e-4  # a p below it is no chance


def fitting_answers(counts: Mapping[str, int], exact: Distribution) -> Answers:
    """Hold what a simulation of somebody else's counted against the exact distribution."""
    found = compare(Tally.from_counts(counts), exact).p_value
    p = p_text(found)
    if found >= _NO_FIT:
        return Answers(Words(f"fits, p {p}", f"吻合，p {p}"))
    seen = ", ".join(f"{label} {count:,}" for label, count in counts.items())
    return Answers(
        Words(f"does not fit, p {p}", f"不吻合，p {p}"),
        Words(
            f"not as {exact.title_in('en')} has it, p {p}: {seen}",
            f"与{exact.title_in('zh')}不符，p {p}：{seen}",
        ),
    )


def _round(jobs: Mapping[str, Job]) -> dict[str, float]:
    """Seconds of each job, one after the other."""
    seconds = {}
    for name, job in jobs.items():
        start = time.perf_counter()
        job()
        seconds[name] = time.perf_counter() - start
    return seconds


def _long_enough(job: Job) -> tuple[Job, int]:
    """Repeat a job until a turn is long enough; also gives how often."""
    job()
    start = time.perf_counter()
    job()
    times = max(1, ceil(_TURN / (time.perf_counter() - start)))

    def turn() -> None:
        for _ in range(times):
            job()

    return turn, times
