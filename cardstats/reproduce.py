"""Every table of the seeds again: published, exact and simulated side by side, with figures.

Which sections there are stands in one module a game; this one puts them into a report.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from cardstats import _report_three_card
from cardstats._report import Report, Section, Words
from cardstats._report_run import Settings
from cardstats._table import Lang

PARTS: dict[str, Callable[[Settings], Iterator[Section]]] = {
    "three-card": _report_three_card.sections,
    "best-of-six": _report_three_card.best_of_six,
}
DEFAULT_PARTS = ("three-card",)  # the others take their time, and are asked for by name

DEFAULT_SEED = 1

_TITLE = Words(
    "Published, exact and simulated hand probabilities", "牌型概率：公布值、精确值与模拟值"
)


def reproduce(
    *,
    out: str | os.PathLike[str] = "cardstats-report",
    only: str | None = None,
    games: int | None = None,
    rng: int | None = None,
    workers: int = 1,
    lang: Lang = "en",
    progress: bool = False,
    show: Callable[[str], object] = lambda text: None,
) -> Path:
    """Write the report: PNG figures, Markdown, and one HTML page that holds everything.

    Parameters
    ----------
    out : path
        Directory, made if missing. Files of an earlier report are overwritten.
    only : str, optional
        One of `PARTS`; by default all but the slow ones.
    games : int, optional
        Deals of each simulation; by default as many as the seed in question played, or 10^7.
    rng : int, optional
        Seed of all simulations; by default the same one each time.
    workers : int
        Threads.
    lang : {"en", "zh"}
    progress : bool
        Whether to show bars on stderr.
    show : callable
        Gets the text of each section as soon as there is one.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ValueError
        If `only`, `lang` or a number is none of those allowed.
    OSError
        If `out` cannot be written.
    """
    if only is not None and only not in PARTS:
        raise ValueError(f"only: {only!r} is none of {', '.join(PARTS)}")
    settings = Settings(
        games=games,
        rng=DEFAULT_SEED if rng is None else rng,
        workers=workers,
        progress=progress,
        lang=lang,
    )
    report = Report(Path(out), _TITLE, lang, show)
    for part in (only,) if only else DEFAULT_PARTS:
        for section in PARTS[part](settings):
            report.add(section)
    page = report.finish()
    show(f"{'报告' if lang == 'zh' else 'Report'}: {page}")
    return page
