"""Every table of the seeds again: published, exact and simulated side by side, with figures.

Which sections there are stands in one module a game; this one puts them into a report.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from cardstats import _report_blackjack, _report_mahjong, _report_three_card
from cardstats._checks import check_choice
from cardstats._files import as_path, naming
from cardstats._report import Report, Section
from cardstats._report_run import Settings
from cardstats._table import Lang, Words

PARTS: dict[str, Callable[[Settings], Iterator[Section]]] = {
    "three-card": _report_three_card.sections,
    "best-of-six": _report_three_card.best_of_six,
    "mahjong": _report_mahjong.sections,
    "blackjack": _report_blackjack.sections,
}
DEFAULT_PARTS = ("three-card", "mahjong", "blackjack")  # best-of-six is part of three-card

DEFAULT_SEED = 1

_ABOUT = Words(
    "The seeds are the documents that cardstats set out to make real: 000 and 003, two programs "
    "for Zha Jin Hua (three-card poker) scored by points; 001, a study of its probabilities in "
    "theory and by simulation; 002, a game of blackjack for the terminal; and 004, a program that "
    "tells whether a Mahjong hand wins. Each of their tables and tests stands here beside exact "
    "values and simulated ones.",
    "“原文”指 cardstats 要逐一实现的文献：000 与 003 是两个以点数计分的炸金花程序，001 是对三张牌"
    "概率的理论分析与模拟，002 是在终端上玩的 21 点游戏，004 是判断麻将是否和牌的程序。"
    "它们的每张表、每个测试都列在这里，与精确值和模拟值并排。",
)

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
        One of `PARTS`; by default `DEFAULT_PARTS`.
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
    if only is not None:
        check_choice("only", only, tuple(PARTS))
    folder = as_path("out", out)
    with naming("out", folder):
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"out: {out} is a file, not a folder")
    settings = Settings(
        games=games,
        rng=DEFAULT_SEED if rng is None else rng,
        workers=workers,
        progress=progress,
        lang=lang,
    )
    report = Report(folder, _TITLE, lang, show)
    report.add(Section(Words("What this is", "说明"), (_ABOUT,)))
    for part in (only,) if only else DEFAULT_PARTS:
        for section in PARTS[part](settings):
            report.add(section)
    report.add(_how_to_read(settings))
    page = report.finish()
    show(f"报告：{page}" if lang == "zh" else f"Report: {page}")
    return page


def _how_to_read(settings: Settings) -> Section:
    from cardstats import __version__

    seed, version = settings.rng, __version__
    return Section(
        Words("How to read the tables", "如何阅读这些表"),
        (
            Words(
                "exact: counted over all deals. simulated: dealt from one deck and classified. "
                "z: how many standard deviations a simulated (or published) frequency is from "
                "exact; about one row in twenty is beyond 2 by chance. Where fewer than five "
                "were expected, the exact two-sided p stands in its place.",
                "精确：对全部发牌计数。模拟：从一副牌发出再分类。z：模拟（或公布）频率与精确值相差几个标准差，"
                "二十行中约有一行会偶然超过 2。期望次数不足五次时，改列精确的双侧 p 值。",
            ),
            Words(
                "chi2, dof and p: the test of all rows at once; p is the chance of a fit at least "
                "as bad if the exact values are true. Hands of one deck are not independent; the "
                "test knows that.",
                "卡方、自由度与 p：对所有行的整体检验；p 是精确值为真时出现同样差或更差拟合的概率。"
                "同一副牌的各手并不独立，检验已计入这一点。",
            ),
            Words(
                f"Made by cardstats {version} from random seed {seed}; the same seed gives the "
                "same figures.",
                f"由 cardstats {version} 以随机种子 {seed} 生成；同一随机种子得到同样的数字。",
            ),
        ),
    )
