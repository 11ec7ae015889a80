"""The bars and the residuals that `plot` puts on Axes, alone or side by side.

Knows the drawing of rows, apart from title, legend and figure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardstats._plot_axes import (
    BAR,
    COLOURS,
    MARKER,
    SMALL,
    beside,
    end_beside,
    name_axis,
    per_cent_axis,
    row_axes,
    row_font_size,
)
from cardstats._plot_data import BAND, Rows, labels_of, say, value_texts
from cardstats._table import Lang, p_text, z_text
from cardstats.comparison import rare_rows
from cardstats.results import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_bars(ax: Axes, rows: Rows, lang: Lang, kwargs: dict[str, Any]) -> list[Any]:
    """Draw bars, marks, intervals and values; return what a legend must name."""
    from matplotlib.markers import CARETUP

    row_size = row_font_size(ax, len(rows.labels))
    row_axes(ax, rows.labels, row_size)
    places, size = np.arange(len(rows.labels)), SMALL * row_size
    reach, texts = 100 * rows.reach, value_texts(rows)
    per_cent_axis(ax, end_beside(ax, reach, texts, size, rows.labels) or 100)
    style: dict[str, Any] = {"color": COLOURS["bar"], "height": BAR, "zorder": 2}
    style["label"] = say(rows.series, lang)
    legend: list[Any] = [ax.barh(places, 100 * rows.values, **style | kwargs)]
    if rows.low is not None and rows.high is not None:
        # Above the circles, which would hide the short ones.
        line: dict[str, Any] = {"ecolor": COLOURS["deep"], "fmt": "none", "zorder": 5}
        line |= {"elinewidth": 1.3, "capthick": 1.3, "capsize": 2.2}
        line["label"] = say("interval", lang).format(f"{100 * rows.confidence:g} %")
        middle, half = 50 * (rows.low + rows.high), 50 * (rows.high - rows.low)
        legend.append(ax.errorbar(middle, places, xerr=half, **line))
    marks: tuple[tuple[Any, ...], ...] = (
        ("exact", rows.exact, 0.0, {"marker": "o", "markersize": MARKER, "mfc": "white"}),
        ("published", rows.published, 0.19, {"marker": CARETUP, "markersize": 5.0}),
    )
    for name, values, below, mark in marks:
        if values is not None:
            mark |= {"linestyle": "none", "color": COLOURS[name], "clip_on": False, "zorder": 4}
            legend += ax.plot(100 * values, places + below, **mark, label=say(name, lang))
    for place, text in enumerate(texts):
        beside(ax, float(reach[place]), place, text, size)
    name_axis(ax, say(rows.quantity, lang), rows.labels)
    return legend


def draw_residuals(
    ax: Axes, comparison: Comparison, lang: Lang, kwargs: dict[str, Any]
) -> list[Any]:
    """Draw z with its band; return what a legend must name."""
    rows = labels_of(comparison, lang)
    row_size = row_font_size(ax, len(rows))
    row_axes(ax, rows, row_size)
    z, infinite, rare = comparison.z, np.isinf(comparison.z), rare_rows(comparison)
    widest = np.abs(z[~infinite]).max(initial=BAND) * 1.25 + 0.5
    legend: list[Any] = [
        ax.axvspan(-BAND, BAND, color=COLOURS["band"], zorder=0, label=say("band", lang))
    ]
    ax.axvline(0, color=COLOURS["line"], linewidth=0.8, zorder=1)
    places = np.arange(len(z))
    ends = np.clip(z, -widest, widest)
    # An infinite one is off the scale: a line to it would pass for a length.
    ax.hlines(places, 0, np.where(infinite, 0, ends), color=COLOURS["bar"], linewidth=2, zorder=2)
    style: dict[str, Any] = {"s": 36, "edgecolor": COLOURS["deep"], "clip_on": False, "zorder": 3}
    style["facecolor"] = np.where(rare, "white", COLOURS["deep"])
    ax.scatter(ends, places, **style | kwargs)
    if rare.any():
        hollow: dict[str, Any] = {"marker": "o", "linestyle": "none", "markerfacecolor": "white"}
        legend += ax.plot([], [], color=COLOURS["deep"], **hollow, label=say("rare", lang))
    # Away from the line; at the ends of the axis there is room inwards only.
    leftwards = (z < 0) != infinite
    for place in np.flatnonzero(rare | (np.abs(z) > BAND)).tolist():
        said = f"p = {p_text(comparison.p[place])}" if rare[place] else z_text(z[place])
        said = said.replace("-", "−").replace("inf", "∞")
        beside(ax, float(ends[place]), place, said, SMALL * row_size, left=bool(leftwards[place]))
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlim(-widest, widest)
    name_axis(ax, say("z", lang), rows)
    return legend
