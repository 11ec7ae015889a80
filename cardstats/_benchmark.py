"""How contestants are timed: in turns, as medians; and how their answers are held together.

Knows jobs and yardsticks; knows no game and no other package.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats._table import Words, p_text
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Tally
from cardstats.throughput import Kind, Rate

Job = Callable[[], object]

# Seconds of a turn, about: shared machines run fast for some seconds and slow for others, so that a
# round has to be short and rounds many, and yet no turn lost in the clock's noise.
_TURN = 0.015
_COMPARED = 20_000  # answers of a kernel


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
        Failures of a "peer" or of "another job" are noted; others are raised.
    call : callable
        Does the job once.
    hands : int
        As many hands as that handles.
    slower_than : str
        English label of cardstats' way to do the same; empty for cardstats and for other jobs.
    answers : callable, optional
        Compares the answers; is called once, untimed, after everything was timed.
    """

    label: Words
    kind: Kind
    call: Job
    hands: int
    slower_than: str = ""
    answers: Callable[[], Answers] | None = None


@dataclass(frozen=True)
class Contest:
    """A job and those who do it, among them at most one limit; and why others do not take part."""

    job: Words
    contestants: Sequence[Contestant]
    notes: Sequence[Words] = ()


def medians(jobs: Mapping[str, Job], rounds: int) -> dict[str, float]:
    """Median seconds of each job; the jobs take turns, so that all see the same noise."""
    for job in jobs.values():
        job()
    turns = [{name: _seconds_of(job) for name, job in jobs.items()} for _ in range(rounds)]
    return {name: statistics.median(turn[name] for turn in turns) for name in jobs}


class Timing:
    """A contest while it goes on: each contestant's times, round by round.

    Preparing it compiles what is called, and touches what is filled. Another package that fails,
    then or later, is left out, and said to be.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.notes = list(contest.notes)
        self._turns: dict[str, tuple[Job, int]] = {}
        self._seconds: dict[str, list[float]] = {}
        for one in contest.contestants:
            with left_out_if_it_fails(one.label, one.kind, self.notes):
                self._turns[one.label.en] = _long_enough(one.call)
                self._seconds[one.label.en] = []

    @property
    def taking_part(self) -> list[Contestant]:
        """Those who have not failed."""
        return [one for one in self.contest.contestants if one.label.en in self._turns]

    def measure(self, seconds: float) -> None:
        """Let the contestants take turns for so long, once at least."""
        end = time.monotonic() + seconds
        while True:
            for one in self.taking_part:
                self._take_turn(one)
            if time.monotonic() >= end:
                return

    def rates(self) -> list[Rate]:
        """Give the rows, once answers have been compared; `notes` then tells what differs."""
        rows = []
        for one in self.taking_part:
            answers = Answers(Words("", ""))
            with left_out_if_it_fails(one.label, one.kind, self.notes):
                answers = one.answers() if one.answers else answers
                rows.append(self._rate(one, answers))
            if answers.note:
                self.notes.append(answers.note)
        return rows

    def _take_turn(self, one: Contestant) -> None:
        name = one.label.en
        spent = None
        with left_out_if_it_fails(one.label, one.kind, self.notes):
            spent = _seconds_of(self._turns[name][0])
        if spent is None:
            del self._turns[name]
        else:
            self._seconds[name].append(spent)

    def _paces(self, name: str, hands: int) -> NDArray[np.float64]:
        """Seconds a hand, by round."""
        return np.array(self._seconds[name]) / (self._turns[name][1] * hands)

    def _rate(self, one: Contestant, answers: Answers) -> Rate:
        job, own = self.contest.job, self._paces(one.label.en, one.hands)
        others = {other.label.en: other for other in self.taking_part}
        limit = next((name for name, other in others.items() if other.kind == "limit"), None)

        # Ratios are taken round by round: neighbours in time share the machine's moods.
        def against(name: str) -> NDArray[np.float64]:
            return own / self._paces(name, others[name].hands)

        held = limit is not None and one.kind in ("cardstats", "plain", "peer")
        return Rate(
            job=job.en,
            job_zh=job.zh,
            label=one.label.en,
            label_zh=one.label.zh,
            kind=one.kind,
            hands=1 / float(np.median(own)),
            of_limit=1 / float(np.median(against(limit))) if limit and held else None,
            times=float(np.median(against(one.slower_than))) if one.slower_than else None,
            answers=answers.short.en,
            answers_zh=answers.short.zh,
        )


@contextmanager
def left_out_if_it_fails(who: Words, kind: Kind, notes: list[Words]) -> Iterator[None]:
    """Note what another package raises, which is its own business; let our own faults through."""
    try:
        yield
    except Exception as error:
        if kind not in ("peer", "another job"):
            raise
        what = f"{type(error).__name__}: {error}"
        notes.append(Words(f"{who.en} is left out: {what}", f"{who.zh} 未计入：{what}"))


def kernel(
    label: Words,
    ask: Callable[..., NDArray[Any]],
    hands: NDArray[Any],
    out: NDArray[Any],
    show: Callable[[NDArray[Any]], str],
) -> Contestant:
    """Make a contestant of a kernel that fills `out`.

    What it filled for all hands is compared, on some of them, with what it answers for those few
    alone, by rows: the answers that plain Python and other packages are held against.
    """
    some = slice(None, None, max(1, len(hands) // _COMPARED))

    def answers() -> Answers:
        out.fill(0)  # nothing that an earlier call filled is left
        ask(hands, out=out)
        few = np.ascontiguousarray(hands[some])
        alone = ask(few).tolist()
        found = same_answers(label, out[some].tolist(), alone, lambda i: show(few[i]))
        return found if found.note else Answers(Words("", ""))

    return Contestant(label, "cardstats", partial(ask, hands, out=out), len(hands), answers=answers)


def simulator(
    label: Words, run: Callable[[], Any], hands: int, check: Callable[[Any], Comparison]
) -> Contestant:
    """Make a contestant of a simulator, whose result `check` holds against what is exact."""

    def answers() -> Answers:
        return _fitting(check(run()))

    return Contestant(label, "cardstats", run, hands, answers=answers)


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
    """Tell whether a package can be imported; a folder of that name is none."""
    found = find_spec(package)
    return found is not None and found.origin is not None


def packages(
    makers: Mapping[str, Callable[[], Iterable[Contestant]]], notes: list[Words]
) -> Iterator[Contestant]:
    """Make the contestants of the packages that are installed; note those that fail at that."""
    for package, make in makers.items():
        if installed(package):
            with left_out_if_it_fails(Words(package, package), "peer", notes):
                yield from list(make())


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


def fitting_answers(counts: Mapping[str, int], exact: Distribution) -> Answers:
    """Hold what a simulation of somebody else's counted against the exact distribution."""
    return _fitting(compare(Tally.from_counts(counts), exact))


_NO_FIT = 1e-4  # a p below it is no chance


def _fitting(comparison: Comparison) -> Answers:
    p = p_text(comparison.p_value)
    if comparison.p_value >= _NO_FIT:
        return Answers(Words(f"fits, p {p}", f"吻合，p {p}"))
    return Answers(
        Words(f"does not fit, p {p}", f"不吻合，p {p}"),
        Words(
            f"{comparison.title_in('en')}: {comparison.fit_in('en')}",
            f"{comparison.title_in('zh')}：{comparison.fit_in('zh')}",
        ),
    )


def _seconds_of(job: Job) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def _long_enough(job: Job) -> tuple[Job, int]:
    """Repeat a job until a turn is long enough; also gives how often."""
    job()
    times = max(1, ceil(_TURN / _seconds_of(job)))

    def turn() -> None:
        for _ in range(times):
            job()

    return turn, times
