"""Where simulated numbers come from: which games were drawn, and which results may be added up.

Knows random streams by their seeds only; it draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cardstats._checks import check_text, items, set_field, shown, whole
from cardstats._table import Lang


@dataclass(frozen=True)
class Run:
    """A stretch of games drawn from one random stream.

    Parameters
    ----------
    entropy : int or tuple of int
        Entropy of the `numpy.random.SeedSequence` at the stream's root.
    key : tuple of int
        Its spawn key.
    start, stop : int
        Games ``start`` to ``stop - 1`` of that stream.

    Raises
    ------
    TypeError, ValueError
        If a value is not a whole number, is negative, or stop is before start.

    Examples
    --------
    >>> Run(entropy=7, key=(), start=0, stop=1000).games
    1000
    """

    entropy: int | tuple[int, ...]
    key: tuple[int, ...]
    start: int
    stop: int

    def __post_init__(self) -> None:
        """Turn numbers of any integer type into Python ints."""
        if isinstance(self.entropy, Iterable):
            entropy = tuple(whole(number, "entropy") for number in items("entropy", self.entropy))
            set_field(self, "entropy", entropy)
        else:
            set_field(self, "entropy", whole(self.entropy, "entropy"))
        set_field(self, "key", tuple(whole(number, "key") for number in items("key", self.key)))
        set_field(self, "start", whole(self.start, "start"))
        set_field(self, "stop", whole(self.stop, "stop"))
        if self.stop < self.start:
            raise ValueError(f"stop: {shown(self.stop)} is before start {shown(self.start)}")

    @property
    def games(self) -> int:
        """How many games the run holds."""
        return self.stop - self.start

    @property
    def stream(self) -> tuple[int, ...]:
        """The 32-bit words that the stream grows from: equal words, equal stream.

        `numpy.random.SeedSequence` takes an int apart into such words, fills up to four with
        zeros, and appends the spawn key; so 7, ``(7,)`` and ``(7, 0)`` are one stream.
        """
        entropy = (self.entropy,) if isinstance(self.entropy, int) else self.entropy
        words = [word for number in entropy for word in _words(number)]
        padding = [0] * (4 - len(words))
        return (*words, *padding, *(word for number in self.key for word in _words(number)))


@dataclass(frozen=True)
class Source:
    """Where simulated numbers come from: enough to draw them again.

    Parameters
    ----------
    game : str
        Which game, and which of its simulations.
    rules : str
        The rules, written out (``repr``).
    by : str
        What the rows are.
    players : int
        Hands that share a deal.
    runs : sequence of Run
        The games. Adjacent runs of one stream are joined and all are put in order.

    Raises
    ------
    ValueError
        If two runs hold the same game of the same stream.

    Examples
    --------
    >>> first, second = Run(7, (), 0, 10), Run(7, (), 10, 30)
    >>> Source("three_card", "Rules()", "category", 1, (second, first)).runs
    (Run(entropy=7, key=(), start=0, stop=30),)
    """

    game: str
    rules: str
    by: str
    players: int
    runs: tuple[Run, ...]

    def __post_init__(self) -> None:
        """Put the runs in order."""
        for name in ("game", "rules", "by"):
            check_text(name, getattr(self, name))
        set_field(self, "players", whole(self.players, "players", 1))
        for run in (runs := items("runs", self.runs)):
            if not isinstance(run, Run):
                raise TypeError(f"runs: expected a Run, got {shown(run)}")
        set_field(self, "runs", _joined(runs))

    @property
    def games(self) -> int:
        """How many games the runs hold together."""
        return sum(run.games for run in self.runs)


def check_source(source: Source | None, players: int, hands: int) -> None:
    """Refuse a source that tells of other games than those counted."""
    if source is None:
        return
    if not isinstance(source, Source):
        raise TypeError(f"source: expected a Source, got {shown(source)}")
    if source.players != players:
        raise ValueError(f"source: tells of {source.players} players, not of {players}")
    if source.games * players != hands:
        raise ValueError(
            f"source: tells of {source.games} games of {players}, but there are {hands} hands"
        )


def merged(one: Source | None, other: Source | None) -> Source | None:
    """Source of a sum.

    Raises
    ------
    ValueError
        If the two are not of the same thing, or a game would be counted twice.
    """
    if one is None and other is None:
        return None
    if one is None or other is None:
        raise ValueError("source: one side was simulated, the other not; they cannot be added")
    for name in ("game", "rules", "by", "players"):
        check_equal(name, getattr(one, name), getattr(other, name))
    return replace(one, runs=one.runs + other.runs)


def check_equal(name: str, one: object, other: object) -> None:
    """Refuse to add what differs in something that it must share."""
    if one != other:
        raise ValueError(f"{name}: cannot add {one!r} and {other!r}")


def source_notes(source: Source | None, lang: Lang) -> Sequence[str]:
    """Seeds and games in words, for below a table; nothing where there is no source."""
    if source is None or not source.runs:
        return ()
    texts = [_run_text(run, lang) for run in source.runs]
    return ("；".join(texts) if lang == "zh" else "; ".join(texts),)


def _words(number: int) -> tuple[int, ...]:
    """Cut a number into 32-bit words, lowest first; 0 has one."""
    count = max(1, -(-number.bit_length() // 32))
    return tuple(number >> 32 * place & 0xFFFFFFFF for place in range(count))


def _joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Put runs in order, make adjacent ones of a stream one, drop empty ones."""
    joined: list[Run] = []
    for run in sorted((run for run in runs if run.games), key=lambda run: (run.stream, run.start)):
        last = joined[-1] if joined and joined[-1].stream == run.stream else None
        if last is None or run.start > last.stop:
            joined.append(run)
        elif run.start == last.stop:
            joined[-1] = replace(last, stop=run.stop)
        else:
            raise ValueError(
                f"runs: games {run.start} to {min(run.stop, last.stop) - 1} of the stream with "
                f"entropy {run.entropy} and key {run.key} come twice"
            )
    return tuple(joined)


def _run_text(run: Run, lang: Lang) -> str:
    seed = f"{run.entropy} {run.key}" if run.key else f"{run.entropy}"
    if lang == "zh":
        return f"随机种子 {seed}，第 {run.start:,} 至 {run.stop - 1:,} 局"
    return f"seed {seed}, games {run.start:,} to {run.stop - 1:,}"
