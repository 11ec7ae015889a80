"""The bars of `plot.throughput`: rates job by job, and the limits across them.

Knows the drawing of this one figure, apart from title, legend and figure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from cardstats._plot_axes import BAR, COLOURS, SMALL, beside, end_beside, row_axes, row_font_size
from cardstats._plot_data import say, wrong_type
from cardstats._table import Lang
from cardstats.throughput import Kind, Rate, Throughput, rate_text, times_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Bar(NamedTuple):
    """A rate, its line and what is written beside it."""

    line: int
    rate: Rate
    text: str


class Limit(NamedTuple):
    """A rate that is a line across the bars of its job."""

    first: int  # the job's heading
    last: int
    rate: Rate
    text: str
    slowest: bool  # of the job's limits


@dataclass(frozen=True)
class Lines:
    """What the figure needs to know; lines are numbered from the top."""

    title: str
    names: list[str]  # of jobs, and of who does them
    headings: list[int]  # the lines that name jobs
    bars: list[Bar]
    limits: list[Limit]


def lines_of(result: Throughput, lang: Lang) -> Lines:
    """Take rates job by job, each under the job's name; limits have no line of their own."""
    if not isinstance(result, Throughput):
        raise wrong_type("result", result, "a Throughput")
    lines = Lines(result.title_in(lang), [], [], [], [])
    for job in result.jobs():
        _add_job(lines, job, lang)
    return lines


def draw_lines(ax: Axes, lines: Lines, lang: Lang, kwargs: dict[str, Any]) -> list[Any]:
    """Draw bars, limits and what is written beside them; return what a legend must name."""
    size = row_font_size(ax, len(lines.names), SMALL)
    row_axes(ax, lines.names, size)
    for line in lines.headings:
        ax.get_yticklabels()[line].set_fontweight("bold")
    place = _rate_axis(ax, lines, size)
    looks = [_LOOKS[bar.rate.kind] for bar in lines.bars]
    style: dict[str, Any] = {"height": BAR, "zorder": 2}
    style |= {name: [look[name] for look in looks] for name in _LOOK_NAMES}
    places, hands = [bar.line for bar in lines.bars], [bar.rate.hands for bar in lines.bars]
    ax.barh(places, hands, **style | kwargs)
    for limit in lines.limits:
        ends = limit.first - 0.4, limit.last + 0.45
        ax.vlines(limit.rate.hands, *ends, color=COLOURS["exact"], linewidth=1.2, zorder=3)
        beside(ax, limit.rate.hands, limit.first, limit.text, size, left=limit.slowest)
    for bar in lines.bars:
        # Inside, so that the line of a limit beyond it is whole; unless the bar is too short.
        inside = bar.rate.kind == "cardstats" and place(bar.rate.hands) > 0.2
        colours = ("white", "none") if inside else (COLOURS["text"], "white")
        beside(ax, bar.rate.hands, bar.line, bar.text, size, left=inside, colours=colours)
    ax.set_xlabel(say("hands", lang))
    kinds = {bar.rate.kind for bar in lines.bars}
    named = [kind for kind in get_args(Kind) if kind in kinds]
    return [_sample(kind, say(kind, lang)) for kind in named]


def times_note(lines: Lines, lang: Lang) -> str:
    """Say what stands in brackets, if something does."""
    return say("times", lang) if any(bar.rate.times is not None for bar in lines.bars) else ""


# How the bars look, by kind.
_LOOKS: dict[str, dict[str, Any]] = {
    "cardstats": {"color": COLOURS["deep"], "edgecolor": COLOURS["deep"], "hatch": ""},
    "plain": {"color": "#D9D9D9", "edgecolor": "#D9D9D9", "hatch": ""},
    "peer": {"color": "#999999", "edgecolor": "#999999", "hatch": ""},
    "another job": {"color": "white", "edgecolor": "#999999", "hatch": "/////"},
}
_LOOK_NAMES = ("color", "edgecolor", "hatch")


def _sample(kind: Kind, name: str) -> Any:
    """Make what stands for a kind in a legend."""
    from matplotlib.patches import Patch

    look = _LOOKS[kind]
    face, edge, hatch = (look[part] for part in _LOOK_NAMES)
    return Patch(facecolor=face, edgecolor=edge, hatch=hatch, label=name)


def _add_job(lines: Lines, job: Sequence[Rate], lang: Lang) -> None:
    zh = lang == "zh"
    first = len(lines.names)
    lines.headings.append(first)
    lines.names.append(job[0].job_zh if zh else job[0].job)
    for rate in job:
        if rate.kind != "limit":
            hands, times = rate_text(rate.hands), times_text(rate.times)
            text = f"{hands} ({times})" if times else hands
            lines.bars.append(Bar(len(lines.names), rate, text))
            lines.names.append(rate.label_zh if zh else rate.label)
    limits = sorted((rate for rate in job if rate.kind == "limit"), key=lambda rate: rate.hands)
    for rate in limits:
        text = f"{rate.label_zh if zh else rate.label} {rate_text(rate.hands)}"
        lines.limits.append(Limit(first, len(lines.names) - 1, rate, text, rate is limits[0]))


def _rate_axis(ax: Axes, lines: Lines, size: float) -> Callable[[float], float]:
    """Make the horizontal axis logarithmic, with room for the text beside each rate.

    Returns a function that says where a rate is, from 0 to 1.
    """
    from matplotlib.ticker import EngFormatter, LogLocator

    ends: list[Bar | Limit] = [*lines.bars, *lines.limits]
    hands = np.array([end.rate.hands for end in ends])
    texts = ["" if isinstance(end, Limit) and end.slowest else end.text for end in ends]
    low = hands.min() / 3
    decades = end_beside(ax, np.log10(hands / low), texts, size, lines.names)
    ax.set_xscale("log")
    ax.set_xlim(low, low * 10**decades)
    ax.xaxis.set_major_locator(LogLocator(numticks=9))
    ax.xaxis.set_major_formatter(EngFormatter(sep=" "))
    ax.minorticks_off()
    return lambda rate: math.log10(rate / low) / decades
