"""One long run: ever so many hands, held against the exact probabilities, and what it took."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from cardstats import three_card as tc
from cardstats._checks import whole
from cardstats._engine import RNG
from cardstats._table import Lang, wrapped
from cardstats.comparison import compare
from cardstats.results import Comparison
from cardstats.throughput import rate_text

SHORT = 10**7  # hands, whose memory the long run's is held against
_PLAYERS = 5
_MEGABYTE = 10**6


@dataclass(frozen=True)
class LongRun:
    """What a long run found and took.

    Parameters
    ----------
    comparison : Comparison
        The frequencies held against the exact probabilities.
    hands, workers : int
    seconds : float
        From the first hand to the last.
    memory : tuple of int, optional
        The most memory that the process had held, in bytes, after ten million hands and at the
        end; None where the system does not tell.
    """

    comparison: Comparison
    hands: int
    workers: int
    seconds: float
    memory: tuple[int, int] | None

    def to_text(self, lang: Lang = "en") -> str:
        """Write the table and what the run took, for a terminal."""
        return "\n".join([self.comparison.to_text(lang), *wrapped(self._took(lang))])

    def to_markdown(self, lang: Lang = "en") -> str:
        """Write the table and what the run took in Markdown."""
        return f"{self.comparison.to_markdown(lang)}\n\n{self._took(lang)}"

    def _took(self, lang: Lang) -> str:
        rate = rate_text(self.hands / self.seconds)
        start, end = (f"{peak / _MEGABYTE:.0f} MB" for peak in self.memory or (0, 0))
        if lang == "zh":
            memory = f"；内存峰值 {SHORT:,} 手后 {start}，结束时 {end}" if self.memory else ""
            return (
                f"{self.hands:,} 手牌，{self.workers} 个线程，{self.seconds:.1f} 秒，"
                f"每秒 {rate} 手{memory}"
            )
        memory = f"; peak memory {start} after {SHORT:,} hands, {end} at the end"
        return (
            f"{self.hands:,} hands, {self.workers} threads, {self.seconds:.1f} s, "
            f"{rate} hands/s{memory if self.memory else ''}"
        )


def long_run(
    hands: int = 10**10, *, workers: int = 2, rng: RNG = 1, progress: bool = False
) -> LongRun:
    """Deal very many hands of three cards, five players a deck, and hold them against exact.

    Parameters
    ----------
    hands : int
        At least ten million, and whole games: a multiple of five.
    workers : int
        Threads.
    rng : None, int, SeedSequence or Generator
    progress : bool
        Whether to show a bar on stderr.

    Returns
    -------
    LongRun

    Raises
    ------
    TypeError, ValueError
        If an argument is none of those.

    Notes
    -----
    It runs in a process of its own, so that what it held in memory is its own.
    """
    hands, workers = whole(hands, "hands", least=SHORT), whole(workers, "workers", least=1)
    if hands % _PLAYERS:
        raise ValueError(f"hands: {hands} are no whole games of {_PLAYERS} players")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        return alone.submit(_long_run, hands, workers, rng, progress).result()


def _long_run(hands: int, workers: int, rng: RNG, progress: bool) -> LongRun:
    def deal(hands: int, progress: bool = False) -> Comparison:
        tally = tc.simulate(
            hands // _PLAYERS,
            players=_PLAYERS,
            by="top_card",
            rng=rng,
            workers=workers,
            progress=progress,
        )
        return compare(tally, tc.exact_categories(by="top_card"))

    deal(SHORT)
    before = peak_memory()
    start = time.perf_counter()
    comparison = deal(hands, progress)
    seconds = time.perf_counter() - start
    after = peak_memory()
    memory = None if before is None or after is None else (before, after)
    return LongRun(comparison, hands, workers, seconds, memory)


def peak_memory() -> int | None:
    """Return the most memory that this process has held, in bytes, as Linux tells it.

    `resource.getrusage` tells what the parent had held, if that was more.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return 1024 * int(kilobytes)
