"""Pictures of results: frequencies, residuals, showdowns, convergence, matrices.

The only module that imports matplotlib, and only inside functions. Every function draws on one
Axes and returns it, shows nothing and leaves matplotlib's settings alone; it knows no game.
"""

from __future__ import annotations

import locale
import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._plot_data import (
    BAND,
    Rate,
    Rows,
    check_pair,
    chosen_rows,
    closing_title,
    deviations,
    growing_runs,
    is_chinese,
    labels_of,
    overall_text,
    rows_of,
    say,
    showdown_rows,
    value_texts,
    wrong_type,
)
from cardstats._table import Lang, Table, display_width, p_text, wrapped, z_text
from cardstats.comparison import published_shares, rare_rows
from cardstats.results import Comparison, Distribution, Showdown, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Labels", "bars", "convergence", "heatmap", "residuals", "save", "showdown"]

Labels = Literal["auto", "en", "zh"]


def bars(
    result: Comparison | Distribution | Tally,
    *,
    published: Mapping[str, float] | None = None,
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw how frequent each class is, as one bar a row with its value beside it.

    Parameters
    ----------
    result : Comparison, Distribution or Tally
        A comparison gives bars for what was observed, with its intervals, under open circles for
        what is exact. A tally of one player gives bars with 95 % Wilson intervals; hands that
        share a deal have none until they are compared. A class of which no hand was dealt has
        neither bar nor interval.
    published : mapping of label to probability, optional
        Figures to mark as well, from 0 to 1, under the English or Chinese label. Rows may be
        left out.
    ax : Axes, optional
        Where to draw. By default on a new pyplot figure of a size that suits the rows. Make a
        grid with ``plt.subplots(…, layout="constrained")``, which leaves room for the texts that
        stand around the data.
    labels : {"auto", "en", "zh"}
        Language. "auto" is Chinese where the locale is Chinese and a font for it is installed,
        else English; "zh" without such a font warns once and draws English.
    title : str, optional
        In place of the result's own; "" for none.
    **kwargs
        For `matplotlib.axes.Axes.barh`: ``color``, or ``label`` for the bars' name in the legend.

    Returns
    -------
    Axes
        The horizontal axis is in per cent.

    Raises
    ------
    TypeError
        If `result` is none of the three, or a published probability is no number.
    ValueError
        If `labels` or a published row is unknown or named twice, or a published number is no
        probability.

    Examples
    --------
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> ax = bars(coin, published={"heads": 0.51}, labels="en")
    >>> [text.get_text() for text in ax.texts]
    ['50.0 %', '50.0 %']
    """
    lang = _language(labels)
    rows = rows_of(result, lang)
    if published is not None:
        rows = replace(rows, published=published_shares(result, published))
    return _draw_rows(rows, ax, lang, title, kwargs)


def showdown(
    result: Showdown,
    simulated: Showdown | None = None,
    *,
    of: Rate = "win",
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw how often a hand of each class wins, as one bar a row with its value beside it.

    Parameters
    ----------
    result : Showdown
        The exact one, or any one by itself.
    simulated : Showdown, optional
        Then it gives the bars, with 95 % Wilson intervals (of shares of the pot a little too
        wide), and `result` the open circles.
    of : {"win", "draw", "lose", "share", "best"}
        What to draw of each class: how often the hero wins, draws or loses with it, the average
        share of the pot, or how often the best hand at the table is of this class.
    ax, labels, title
        As for `bars`.
    **kwargs
        For `matplotlib.axes.Axes.barh`.

    Returns
    -------
    Axes
        The horizontal axis is in per cent.

    Raises
    ------
    TypeError
        If `result` is no Showdown, or two are given that are not an exact and a simulated one,
        in this order.
    ValueError
        If `of` or `labels` is unknown, or the two do not have the same rows and players.

    Examples
    --------
    >>> table = Showdown(
    ...     "A K K", ("king", "ace"), ("老K", "尖"), players=2, exact=True, hands=(2, 1),
    ...     win=(0, 2), draw=(2, 0), lose=(2, 0), share=(1, 2), best=(2, 4),
    ... )
    >>> [text.get_text() for text in showdown(table, of="share", labels="en").texts]
    ['25.0 %', '100 %']
    """
    lang = _language(labels)
    if not isinstance(result, Showdown):
        raise wrong_type("result", result, "a Showdown")
    if of not in get_args(Rate):
        choices = ", ".join(map(repr, get_args(Rate)))
        raise ValueError(f"of: expected one of {choices}, got {of!r}")
    rows = showdown_rows(result, of, lang)
    if simulated is not None:
        check_pair(result, simulated)
        drawn = showdown_rows(simulated, of, lang)
        rows = replace(drawn, title=result.title_in(lang), exact=rows.values)
    return _draw_rows(rows, ax, lang, title, kwargs)


def residuals(
    comparison: Comparison,
    *,
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw how many standard deviations each row is off, with the band of ±2.

    Parameters
    ----------
    comparison : Comparison
        What `cardstats.compare` returned. Rows too rare for z (expected fewer than five times,
        or fewer than five times absent) are open circles with their exact p beside them; values
        outside the band have z beside them. The overall test stands below the title.
    ax, labels, title
        As for `bars`.
    **kwargs
        For `matplotlib.axes.Axes.scatter`.

    Returns
    -------
    Axes
        The horizontal axis is z; infinite ones lie at its ends.

    Raises
    ------
    TypeError
        If `comparison` is none.
    ValueError
        If `labels` is unknown.

    Examples
    --------
    >>> from cardstats.comparison import compare
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> ax = residuals(compare(Tally.from_counts({"heads": 60, "tails": 40}), coin), labels="en")
    >>> ax.get_title(loc="left"), ax.texts[0].get_text()
    ('coin', 'χ² = 4.00, 1 degree of freedom, p = 0.0455')
    """
    lang = _language(labels)
    if not isinstance(comparison, Comparison):
        raise wrong_type("comparison", comparison, "a Comparison, as `compare` returns it")
    z, infinite, rare = comparison.z, np.isinf(comparison.z), rare_rows(comparison)
    widest = np.abs(z[~infinite]).max(initial=BAND) * 1.25 + 0.5
    rows = labels_of(comparison, lang)
    ax = _row_axes(ax, rows)
    band = f"±{say('band', lang)}"
    legend: list[Any] = [ax.axvspan(-BAND, BAND, color=_COLOURS["band"], zorder=0, label=band)]
    ax.axvline(0, color=_COLOURS["line"], linewidth=0.8, zorder=1)
    places = np.arange(len(z))
    ends = np.clip(z, -widest, widest)
    # An infinite one is off the scale: a line to it would pass for a length.
    ax.hlines(places, 0, np.where(infinite, 0, ends), color=_COLOURS["bar"], linewidth=2, zorder=2)
    style: dict[str, Any] = {"s": 36, "edgecolor": _COLOURS["deep"], "clip_on": False, "zorder": 3}
    style["facecolor"] = np.where(rare, "white", _COLOURS["deep"])
    ax.scatter(ends, places, **style | kwargs)
    if rare.any():
        hollow: dict[str, Any] = {"marker": "o", "linestyle": "none", "markerfacecolor": "white"}
        legend += ax.plot([], [], color=_COLOURS["deep"], **hollow, label=say("rare", lang))
    size = _SMALL * _row_font_size(ax, len(z))
    # Away from the line; at the ends of the axis there is room inwards only.
    leftwards = (z < 0) != infinite
    for place in np.flatnonzero(rare | (np.abs(z) > BAND)).tolist():
        said = f"p = {p_text(comparison.p[place])}" if rare[place] else z_text(z[place])
        _beside(ax, float(ends[place]), place, said, size, left=bool(leftwards[place]))
    ax.set_xlim(-widest, widest)
    ax.set_xlabel(say("z", lang))
    title = comparison.title_in(lang) if title is None else title
    _head(ax, title, rows=rows, legend=legend, note=overall_text(comparison, lang))
    return _with_font(ax)


def convergence(
    tallies: Iterable[Tally],
    expected: Distribution,
    *,
    rows: Sequence[str] | None = None,
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw how simulated frequencies close on the exact ones as games grow.

    Both axes are logarithmic: the deviation, relative to the exact probability, falls as one over
    the square root of the games. Nineteen times of twenty it stays in the shaded band, below two
    standard deviations; dips are frequencies that happen to cross the exact value.

    Parameters
    ----------
    tallies : iterable of Tally
        The same thing seen over more and more games: a run that is a prefix of the next.
    expected : Distribution
        With its `joint` where hands share a deal.
    rows : sequence of str, optional
        Labels of the rows to draw, English or Chinese; by default the most and the least likely.
    ax, labels, title
        As for `bars`.
    **kwargs
        For `matplotlib.axes.Axes.plot`.

    Returns
    -------
    Axes
        The horizontal axis counts games, the vertical one is in per cent of the exact value.

    Raises
    ------
    TypeError
        If a tally is no Tally, or `expected` no Distribution.
    ValueError
        If there is no tally, games do not grow, players or labels differ, a row is unknown,
        impossible or certain, `labels` is unknown, or players share a deal and there is no
        `joint`.

    Examples
    --------
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> seen = [Tally.from_counts({"heads": 6, "tails": 4}),
    ...         Tally.from_counts({"heads": 52, "tails": 48})]
    >>> ax = convergence(seen, coin, rows=["heads"], labels="en")
    >>> ax.lines[1].get_ydata().round(6).tolist()
    [20.0, 4.0]
    """
    lang = _language(labels)
    runs = growing_runs(tallies)
    if not isinstance(expected, Distribution):
        raise wrong_type("expected", expected, "a Distribution")
    games = [tally.games for tally in runs]
    chosen = chosen_rows(rows, expected, runs[0].players)
    names = labels_of(expected, lang)
    ax = _axes(ax, 4.0)
    ax.set(xscale="log", yscale="log")
    bands, legend = [], []
    for number, row in enumerate(chosen):
        off, band = deviations(runs, expected, row)
        colour = _CYCLE[number % len(_CYCLE)]
        ax.fill_between(games, 100 * band, color=colour, alpha=0.08, linewidth=0)
        ax.plot(games, 100 * band, color=colour, linestyle=":", linewidth=1.2)
        style: dict[str, Any] = {"color": colour, "marker": "o", "markersize": 3.5}
        style |= {"linewidth": 1.4, "label": names[row]}
        legend += ax.plot(games, 100 * off, **style | kwargs)
        bands.append(band)
    usual: dict[str, Any] = {"color": _COLOURS["text"], "linestyle": ":"}
    legend += ax.plot([], [], **usual, label=say("band", lang))
    # A frequency that meets the exact value has no logarithm: what is far inside is cut off.
    ax.set_ylim(100 * np.min(bands) / 50, 100 * np.max(bands) * 2)
    ax.set_xlabel(say("games", lang))
    ax.set_ylabel(say("deviation", lang))
    ax.grid(color=_COLOURS["grid"], linewidth=0.6)
    _head(ax, closing_title(expected, lang) if title is None else title, legend=legend)
    return _with_font(ax)


def heatmap(
    matrix: ArrayLike,
    row_labels: Sequence[str] | Table,
    column_labels: Sequence[str] | Table | None = None,
    *,
    text: str | ArrayLike = "{:.3g}",
    xlabel: str = "",
    ylabel: str = "",
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str = "",
    **kwargs: Any,
) -> Axes:
    """Draw a matrix as coloured cells with their numbers, or other words, in them.

    Parameters
    ----------
    matrix : array_like of float, shape (r, c)
        A cell that is NaN stays empty.
    row_labels, column_labels : sequence of str, or a result
        Names of the r rows, from the top, and of the c columns (by default those of the rows); of
        a result its labels are taken, in the language of `labels`.
    text : str, or array_like of str, shape (r, c)
        Format of the numbers; or what stands in each cell instead.
    xlabel, ylabel : str, optional
        What the columns and the rows are.
    ax, labels, title
        As for `bars`.
    **kwargs
        For `matplotlib.axes.Axes.imshow`: ``cmap``, ``norm``, ``vmin``…

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If `matrix` is not two-dimensional or does not have the labels' shape, `text` is of
        another, or `labels` is unknown.

    Examples
    --------
    >>> ax = heatmap([[0.1, 0.2], [0.3, 0.4]], ["a", "b"], labels="en")
    >>> [text.get_text() for text in ax.texts]
    ['0.1', '0.2', '0.3', '0.4']
    """
    lang = _language(labels)
    cells = np.asarray(matrix, dtype=np.float64)
    row_names = labels_of(row_labels, lang)
    column_names = row_names if column_labels is None else labels_of(column_labels, lang)
    if cells.shape != (len(row_names), len(column_names)):
        raise ValueError(
            f"matrix: shape {cells.shape} is not that of {len(row_names)} row labels and "
            f"{len(column_names)} column labels"
        )
    ax = _axes(ax, 1.2 + 0.38 * len(row_names), 1.8 + 0.62 * len(column_names))
    image = ax.imshow(cells, **{"cmap": "Blues", "aspect": "auto"} | kwargs)
    inks = [_ink(colour) for colour in np.reshape(image.to_rgba(cells), (-1, 4))]
    texts = _cell_texts(cells, text)
    size = _cell_font_size(ax, texts, len(column_names))
    for place, (said, ink) in enumerate(zip(texts, inks, strict=True)):
        row, column = divmod(place, len(column_names))
        ax.text(column, row, said, color=ink, ha="center", va="center", fontsize=size)
    slant: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    slanted = max(map(display_width, column_names)) > _CELL
    ax.set_xticks(range(len(column_names)), column_names, **slant if slanted else {})
    ax.set_yticks(range(len(row_names)), row_names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    _head(ax, title)
    return _with_font(ax)


def _cell_texts(cells: NDArray[np.float64], text: str | ArrayLike) -> list[str]:
    """Write what stands in each cell, row by row; nothing where the number is NaN."""
    if isinstance(text, str):
        given = [text.format(number) for number in cells.ravel().tolist()]
    elif np.shape(text) != cells.shape:
        raise ValueError(f"text: shape {np.shape(text)} is not that of the matrix, {cells.shape}")
    else:
        given = np.asarray(text).ravel().tolist()
    empty = np.isnan(cells).ravel().tolist()
    return ["" if none else said for said, none in zip(given, empty, strict=True)]


# Okabe and Ito's palette ("Color universal design", 2008), told apart by colour-blind eyes too.
_CYCLE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_COLOURS = {
    "bar": "#9CC5E3",
    "deep": "#0072B2",
    "exact": "#000000",
    "published": "#D55E00",
    "text": "#4D4D4D",
    "line": "#808080",
    "grid": "#E4E4E4",
    "band": "#EDEDED",
}
_MARKER = 7.0  # width of an exact value's circle, in points
_SMALL = 0.85  # of the usual font size
_CHARACTER = 0.55  # usual width of a half-width character, as part of the font size
_CELL = 6  # half-width characters that fit below a cell of a heatmap


def save(axes: Axes, path: str | os.PathLike[str], *, dpi: float = 150) -> None:
    """Write the figure of some Axes to a file and close it.

    Parameters
    ----------
    axes : Axes
        As the functions here return them.
    path : path
        Its ending says the format: png, pdf, svg.
    dpi : float
        Dots per inch.

    Raises
    ------
    OSError
        If the file cannot be written; the figure is closed all the same.
    """
    from matplotlib import pyplot as plt

    figure: Any = axes.figure
    try:
        figure.savefig(path, dpi=dpi)
    finally:
        plt.close(figure)


def _draw_rows(
    rows: Rows, ax: Axes | None, lang: Lang, title: str | None, kwargs: dict[str, Any]
) -> Axes:
    ax = _row_axes(ax, rows.labels)
    places = np.arange(len(rows.labels))
    style: dict[str, Any] = {"color": _COLOURS["bar"], "height": 0.7, "zorder": 2}
    style["label"] = say(rows.series, lang)
    reach = 100 * rows.reach
    _per_cent_axis(ax, 1.16 * max(reach) or 100)
    legend: list[Any] = [ax.barh(places, 100 * rows.values, **style | kwargs)]
    if rows.low is not None and rows.high is not None:
        line: dict[str, Any] = {"color": _COLOURS["deep"], "zorder": 3}
        name = say("interval", lang).format(f"{100 * rows.confidence:g} %")
        drawn = ax.hlines(places, 100 * rows.low, 100 * rows.high, **line, label=name)
        if rows.exact is None or _length(ax, 100 * rows.longest_interval) > _MARKER:
            legend.append(drawn)  # else the circles hide them
    marks = (("exact", rows.exact, "o", _MARKER), ("published", rows.published, "D", 4.5))
    for name, values, marker, size in marks:
        if values is not None:
            mark: dict[str, Any] = {"marker": marker, "markersize": size, "linestyle": "none"}
            mark |= {"markerfacecolor": "none", "color": _COLOURS[name], "clip_on": False}
            legend += ax.plot(100 * values, places, **mark, zorder=4, label=say(name, lang))
    size = _SMALL * _row_font_size(ax, len(rows.labels))
    for place, text in enumerate(value_texts(rows)):
        _beside(ax, float(reach[place]), place, text, size)
    ax.set_xlabel(say(rows.quantity, lang))
    _head(
        ax,
        rows.title if title is None else title,
        rows=rows.labels,
        legend=legend if len(legend) > 1 else (),
    )
    return _with_font(ax)


def _axes(ax: Axes | None, height: float, width: float = 6.4) -> Axes:
    """Take the Axes that was given, or make one of this size in inches."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    made: Axes = plt.subplots(figsize=(width, height), layout="constrained")[1]
    return made


def _row_axes(ax: Axes | None, labels: Sequence[str]) -> Axes:
    """Prepare an Axes with one row a label, the first at the top, and few lines."""
    ax = _axes(ax, 1.3 + 0.3 * len(labels))
    ax.set_yticks(range(len(labels)), labels, fontsize=_row_font_size(ax, len(labels)))
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0, pad=8)
    ax.locator_params(axis="x", nbins=6)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.grid(axis="x", color=_COLOURS["grid"], linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


def _per_cent_axis(ax: Axes, end: float) -> None:
    """Let the horizontal axis go from 0 to a percentage, but its line and ticks not beyond 100."""
    ax.set_xlim(0, end)
    if end > 100:
        ax.set_xticks([tick for tick in ax.get_xticks() if tick <= 100])
        ax.spines["bottom"].set_bounds(0, 100)


def _row_font_size(ax: Axes, rows: int) -> float:
    """Take the usual size, or what keeps the lines of a low figure apart."""
    return min(_font_size(), 0.55 * _points(ax, ax.bbox.height) / rows)


def _cell_font_size(ax: Axes, texts: Sequence[str], columns: int) -> float:
    """Take the usual small size, or what keeps the texts of narrow columns apart."""
    longest = max(1, *map(display_width, texts)) * _CHARACTER
    return min(_SMALL * _font_size(), 0.9 * _points(ax, ax.bbox.width) / columns / longest)


def _beside(ax: Axes, x: float, y: float, text: str, size: float, *, left: bool = False) -> None:
    """Write a text next to a point, clear of its marker."""
    ax.annotate(
        text,
        (x, y),
        xytext=(-7 if left else 7, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        color=_COLOURS["text"],
        fontsize=size,
    )


def _head(
    ax: Axes, title: str, *, rows: Sequence[str] = (), legend: Sequence[Any] = (), note: str = ""
) -> None:
    """Put legend, note and title above the data, where they hide nothing, in this order."""
    room = _room(ax, rows)
    small, large = _SMALL * _font_size(), 1.1 * _font_size()
    height = 6.0
    if legend:
        height += _legend(ax, legend, small, room / small)
    if note:
        lines = _folded(note, room / small)
        offset: dict[str, Any] = {"xytext": (0, height), "textcoords": "offset points"}
        style: dict[str, Any] = {"fontsize": small, "color": _COLOURS["text"]}
        ax.annotate(lines, (0, 1), xycoords="axes fraction", **offset, **style)
        height += 1.5 * small * (1 + lines.count("\n"))
    ax.set_title(_folded(title, room / large), loc="left", pad=height, fontsize=large)


def _legend(ax: Axes, handles: Sequence[Any], size: float, room: float) -> float:
    """Put a legend above the data, in as many columns as fit; returns its height in points."""
    # With the sample before each name and the gap behind it.
    widths = [display_width(handle.get_label()) + 6 for handle in handles]
    columns = len(handles) if sum(widths) <= room else max(1, int(room // max(widths)))
    ax.legend(
        handles=list(handles),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        fontsize=size,
        frameon=False,
        borderaxespad=0.1,
        borderpad=0.2,
        handlelength=1.6,
        columnspacing=1.4,
    )
    return 1.6 * size * math.ceil(len(handles) / columns)


def _room(ax: Axes, rows: Sequence[str]) -> float:
    """Guess how many half-width characters of one point will fit above the data.

    The layout is known only when it is drawn; long labels of rows take from the width.
    """
    size = _row_font_size(ax, max(1, len(rows)))
    labels = max(map(display_width, rows), default=0) * size * _CHARACTER
    beside = max(0.0, labels - _points(ax, ax.bbox.x0))
    return (_points(ax, ax.bbox.width) - beside) / _CHARACTER


def _length(ax: Axes, along: float) -> float:
    """Guess how many points long something along the horizontal axis will be."""
    low, high = ax.get_xlim()
    return _points(ax, ax.bbox.width) * along / (high - low)


def _points(ax: Axes, pixels: float) -> float:
    return pixels * 72 / ax.figure.dpi


def _folded(text: str, room: float) -> str:
    """Break a text into lines of so many half-width characters, besides the breaks it has."""
    page = max(12, int(room))
    return "\n".join(part for line in text.splitlines() for part in wrapped(line, page))


def _font_size() -> float:
    from matplotlib import rcParams

    return float(rcParams["font.size"])


def _ink(background: NDArray[Any]) -> str:
    """Choose black or white, whichever reads better on an RGBA colour (Rec. 709 luma)."""
    luma = np.dot(background[:3], (0.2126, 0.7152, 0.0722))
    return "black" if luma > 0.5 else "white"


def _language(labels: Labels) -> Lang:
    """Decide on a language that can be drawn here."""
    if labels not in get_args(Labels):
        raise ValueError(f"labels: expected 'auto', 'en' or 'zh', got {labels!r}")
    if labels == "en" or (labels == "auto" and not _chinese_locale()):
        return "en"
    if _chinese_font():
        return "zh"
    if labels == "zh":
        _warn_of_no_font()
    return "en"


def _chinese_locale() -> bool:
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    # Windows sets none of them, and calls the language by its English name.
    name = next(filter(None, names), None) or locale.getlocale()[0] or ""
    return name.lower().startswith(("zh", "chinese"))


# In order of preference. matplotlib before 3.11 sees only the first face of a collection, which
# of Noto's is the Japanese one.
_CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Heiti SC",
    "Arial Unicode MS",
    "Noto Sans CJK TC",
    "Noto Sans CJK JP",
    "PingFang HK",
    "Heiti TC",
)


def _chinese_font() -> str | None:
    """Find an installed font that holds Chinese characters."""
    installed = _installed_fonts()
    return next((name for name in _CHINESE_FONTS if name in installed), None)


def _installed_fonts() -> set[str]:
    from matplotlib.font_manager import fontManager

    return {font.name for font in fontManager.ttflist}


@cache
def _warn_of_no_font() -> None:
    from matplotlib import get_cachedir

    warnings.warn(
        "no font with Chinese characters is installed: install one, for example Noto Sans CJK "
        "(Debian and Ubuntu: apt install fonts-noto-cjk), delete matplotlib's list of fonts, "
        f"fontlist*.json in {get_cachedir()}, and start Python anew",
        UserWarning,
        stacklevel=4,
    )


def _with_font(ax: Axes) -> Axes:
    """Give all texts of an Axes a font that holds them, if one is Chinese.

    Settings made in an `rc_context` do not reach tick labels, which are made while drawing. The
    usual fonts stay behind the Chinese one, for the signs that it may lack (SimHei: the minus).
    """
    from matplotlib import rcParams
    from matplotlib.text import Text

    texts = [text for text in ax.findobj(Text) if isinstance(text, Text)]
    if not any(is_chinese(character) for text in texts for character in text.get_text()):
        return ax
    font = _chinese_font()
    if font is None:
        _warn_of_no_font()
        return ax
    families = [font, *rcParams["font.family"]]
    ax.tick_params(which="both", labelfontfamily=families)
    for text in texts:
        text.set_fontfamily(families)
    return ax
