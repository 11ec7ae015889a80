"""How fast everything is, measured now: kernels, yardsticks, the seeds' ways, other packages.

Which contests there are stands in one module a game; this one holds them and writes what came out.
"""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from cardstats import _benchmark_blackjack, _benchmark_mahjong, _benchmark_three_card, plot
from cardstats._benchmark import Contest, Timing, installed
from cardstats._benchmark_long import LongRun, long_run
from cardstats._checks import check_choice, real
from cardstats._files import naming
from cardstats._table import Lang, Words
from cardstats.throughput import Throughput

__all__ = ["LongRun", "benchmark", "check_writable", "insert", "long_run", "place_in", "save"]

PARTS: dict[str, Callable[[bool], Iterator[Contest]]] = {
    "three-card": _benchmark_three_card.contests,
    "mahjong": _benchmark_mahjong.contests,
    "blackjack": _benchmark_blackjack.contests,
}
PEERS: dict[str, Sequence[str]] = {
    "three-card": _benchmark_three_card.PEERS,
    "mahjong": _benchmark_mahjong.PEERS,
    "blackjack": _benchmark_blackjack.PEERS,
}

T = TypeVar("T")

_SECONDS, _SECONDS_WITH_PEERS = 5.0, 20.0
_PASSES = 10
_READING = Words(
    "of limit: as a share of copying, in the same rounds. slower by: than cardstats' row that "
    "gives the same answers, by rows where there are two; nothing for what does another job. "
    "k, M, G: thousands, millions, billions (10^9).",
    "占上限：与同轮复制速度之比。慢：与给出同样答案的 cardstats 一行（有两行时取“按行”）相比；"
    "做另一件事的不比。k、M、G：千、百万、十亿。",
)
_PLACE = re.compile(
    "(?P<before>.*<!-- cardstats benchmark (?P<lang>en|zh) -->).*"
    "(?P<after><!-- end of cardstats benchmark -->.*)",
    re.DOTALL,
)
_MARKS = re.compile("<!-- (end of )?cardstats benchmark( en| zh)? -->")


def benchmark(
    *,
    only: str | None = None,
    peers: bool = True,
    seconds: float | None = None,
    progress: bool = False,
) -> Throughput:
    """Measure how many hands a second each way of doing each job takes, all in this run.

    Parameters
    ----------
    only : str, optional
        One of `PARTS`; by default all games.
    peers : bool
        Whether to measure other packages too, as many as are installed; the extra ``bench``
        brings them all.
    seconds : float, optional
        How long each job is measured, not counting compilation and the comparison of answers; by
        default 20, or 5 without other packages. Contestants take turns, ten times at least.
        Figures are medians; ratios are medians of the ratios within a round. On a shared machine
        ratios of two runs differ the less the longer they are.
    progress : bool
        Whether to show a bar on stderr.

    Returns
    -------
    Throughput
        Rows job by job; below them every disagreement of answers, and what was measured on.

    Raises
    ------
    ValueError
        If `only` is unknown, or `seconds` negative or no number.

    Notes
    -----
    One core is used, and 3 GB of memory. Kernels are given arrays of 170 to 200 MB and touched
    ``out`` arrays; other packages are called hand by hand, as they want it, on the first of the
    same hands, which were put into their own words before. The limit is copying the hands with
    ``np.copyto``.

    What a kernel filled is compared, on some 20,000 hands, with what it answers for those alone;
    those answers are what plain Python and other packages are held against. What a simulator
    counted is held against the exact distribution. A package that fails is left out, and named.
    """
    if only is not None:
        check_choice("only", only, tuple(PARTS))
    if seconds is not None and not 0 <= real("seconds", seconds) < math.inf:
        raise ValueError(f"seconds: expected a number of at least 0, got {seconds!r}")
    if seconds is None:
        seconds = (
            _SECONDS_WITH_PEERS if peers and any(map(installed, _peers_of(only))) else _SECONDS
        )
    parts = [only] if only else list(PARTS)
    contests = (contest for part in parts for contest in PARTS[part](peers))
    timings = [Timing(contest) for contest in _shown(contests, "preparing", progress)]
    # In several passes over all of them: so that no job sees only one mood of the machine.
    for timing in _shown(timings * _PASSES, "measuring", progress):
        timing.measure(seconds / _PASSES)
    rows, notes = [], []
    for timing in timings:
        rows += timing.rates()
        notes += timing.notes
    notes += [_READING, *_circumstances(peers, only)]
    return Throughput(
        tuple(rows),
        title="hands a second on one core",
        title_zh="单核每秒处理的手数",
        notes=tuple(note.en for note in notes),
        notes_zh=tuple(note.zh for note in notes),
    )


def save(
    result: Throughput,
    out: str | os.PathLike[str],
    *,
    lang: Lang = "en",
    long: LongRun | None = None,
) -> Path:
    """Write ``benchmark.md``, ``benchmark.csv`` and ``benchmark.png``.

    Parameters
    ----------
    result : Throughput
    out : path
        Directory, made if missing.
    lang : {"en", "zh"}
    long : LongRun, optional
        What `long_run` found, to be written below the table.

    Returns
    -------
    Path
        The figure.

    Raises
    ------
    OSError
        If `out` cannot be written.
    """
    folder = Path(out)
    with naming("out", folder):
        folder.mkdir(parents=True, exist_ok=True)
        tables = [table.to_markdown(lang) + "\n" for table in (result, long) if table]
        (folder / "benchmark.md").write_text("\n".join(tables), encoding="utf-8")
    result.to_csv(folder / "benchmark.csv")
    figure = folder / "benchmark.png"
    plot.save(plot.throughput(result, labels=lang), figure)
    return figure


def insert(result: Throughput, papers: Sequence[str | os.PathLike[str]]) -> None:
    """Put the table into Markdown papers, between the comments that mark its place.

    Parameters
    ----------
    result : Throughput
    papers : sequence of path
        Each holds ``<!-- cardstats benchmark en -->`` or ``… zh -->``, which says the language,
        and ``<!-- end of cardstats benchmark -->`` below. What is between them is replaced.

    Raises
    ------
    ValueError
        If a paper lacks such a place; none is changed then.
    OSError
        If a paper cannot be read or written; none is changed then.
    """
    found = [place_in(paper) for paper in papers]
    check_writable(papers=papers)
    for paper, (before, lang, after) in zip(papers, found, strict=True):
        table = f"\n\n{result.to_markdown(lang)}\n\n"
        if "\r\n" in before:
            table = table.replace("\n", "\r\n")
        with naming("papers", paper):
            Path(paper).write_bytes(f"{before}{table}{after}".encode())


def check_writable(
    out: str | os.PathLike[str] | None = None, papers: Sequence[str | os.PathLike[str]] = ()
) -> None:
    """Tell before the work whether `save` and `insert` will have where to write.

    Raises
    ------
    ValueError
        If `out` is a file, or a paper has no place for the table.
    OSError
        If one of them cannot be read or written.
    """
    if out is not None:
        if Path(out).exists() and not Path(out).is_dir():
            raise ValueError(f"out: {out} is a file, not a folder")
        with naming("out", out):
            Path(out).mkdir(parents=True, exist_ok=True)
    for paper in papers:
        place_in(paper)
    for path in (*papers, *([] if out is None else [out])):
        if not os.access(path, os.W_OK):
            raise PermissionError(f"{path}: cannot be written")


def place_in(paper: str | os.PathLike[str]) -> tuple[str, Lang, str]:
    """Find the place of the table in a paper: the text before it, its language, the rest.

    Raises
    ------
    ValueError, OSError
        As `insert` does.
    """
    text = Path(paper).read_bytes().decode("utf-8")  # line ends as they are
    found = _PLACE.fullmatch(text)
    if found is None or len(_MARKS.findall(text)) != 2:
        raise ValueError(
            f"{paper}: expected <!-- cardstats benchmark en --> and, below, "
            "<!-- end of cardstats benchmark -->, each once"
        )
    lang: Lang = "zh" if found["lang"] == "zh" else "en"
    return found["before"], lang, found["after"]


def _shown(things: Iterable[T], doing: str, progress: bool) -> Iterable[T]:
    """Go through some things, with a bar if there is to be one."""
    if not progress:
        return things
    from tqdm.auto import tqdm

    shown: Iterable[T] = tqdm(things, desc=doing, unit=" turns")
    return shown


def _circumstances(peers: bool, only: str | None) -> Iterator[Words]:
    """Say on what it was measured, and with which versions."""
    own = [f"Python {platform.python_version()}", *map(_version, ("cardstats", "numpy", "numba"))]
    here = f"{platform.machine()}, {platform.system()}"
    yield Words(f"{here}; {', '.join(own)}", f"{here}；{'、'.join(own)}")
    if not peers:
        return
    there = [_version(package) for package in _peers_of(only) if installed(package)]
    lacking = [package for package in _peers_of(only) if not installed(package)]
    if there:
        yield Words(f"peers: {', '.join(there)}", f"对照：{'、'.join(there)}")
    if lacking:
        yield Words(
            f"not installed: {', '.join(lacking)} (python3 -m pip install 'cardstats[bench]')",
            f"未安装：{'、'.join(lacking)}（python3 -m pip install 'cardstats[bench]'）",
        )


def _peers_of(only: str | None) -> list[str]:
    return [peer for part, peers in PEERS.items() if only in (None, part) for peer in peers]


def _version(package: str) -> str:
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:  # it is used from a folder
        return package
