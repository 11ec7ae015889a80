"""Pictures of results: frequencies, residuals, showdowns, convergence, matrices, throughput.

Every function draws on one Axes, or on a pair, and returns it; shows nothing, leaves matplotlib's
settings alone, and imports it when it is called. Knows no game.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import as_array, check_choice, check_text, items, real, shown
from cardstats._files import as_path, naming
from cardstats._plot_axes import (
    COLOURS,
    CYCLE,
    SMALL,
    TIGHT_ROW,
    WIDTH,
    cell_font_size,
    check_axes,
    fit_height,
    font_size,
    head,
    ink,
    new_axes,
    room,
    row_font_size,
    rows_height,
    text_width,
)
from cardstats._plot_data import (
    Of,
    Rows,
    check_pair,
    chosen_rows,
    closing_names,
    closing_title,
    deviations,
    growing_runs,
    labels_of,
    overall_text,
    rows_of,
    say,
    showdown_rows,
    wrong_type,
)
from cardstats._plot_fonts import Labels, language, with_font
from cardstats._plot_rates import draw_lines, lines_of, times_note
from cardstats._plot_rows import draw_bars, draw_residuals
from cardstats._table import Lang, Table
from cardstats.comparison import published_shares
from cardstats.results import Comparison, Distribution, Showdown, Tally
from cardstats.throughput import Throughput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Labels",
    "agreement",
    "bars",
    "convergence",
    "heatmap",
    "residuals",
    "save",
    "showdown",
    "throughput",
]


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
    _check(title, ax)
    lang = language(labels)
    rows = rows_of(result, lang)
    if published is not None:
        rows = replace(rows, published=published_shares(result, published))
    return _draw_rows(rows, ax, lang, title, kwargs)


def showdown(
    result: Showdown,
    simulated: Showdown | None = None,
    *,
    of: Of = "win",
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
    _check(title, ax)
    lang = language(labels)
    if not isinstance(result, Showdown):
        raise wrong_type("result", result, "a Showdown")
    check_choice("of", of, get_args(Of))
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
    _check(title, ax)
    lang = language(labels)
    if not isinstance(comparison, Comparison):
        raise wrong_type("comparison", comparison, "a Comparison, as `compare` returns it")
    made = ax is None
    ax = ax or new_axes(rows_height(len(comparison.labels)))[0]
    legend = draw_residuals(ax, comparison, lang, kwargs)
    title = comparison.title_in(lang) if title is None else title
    rows, note = labels_of(comparison, lang), overall_text(comparison, lang)
    above = head(ax, title, rows=rows, legend=legend, note=note)
    if made:
        fit_height(ax, above, len(rows))
    return with_font(ax)


def agreement(
    comparison: Comparison,
    *,
    axes: Sequence[Axes] | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> tuple[Axes, Axes]:
    """Draw `bars` and `residuals` of a comparison side by side, with one name for each row.

    Parameters
    ----------
    comparison : Comparison
        What `cardstats.compare` returned.
    axes : two Axes, optional
        Where to draw the bars and the residuals; by default on a new figure.
    labels, title
        As for `bars`. The overall test stands below the title.
    **kwargs
        For `matplotlib.axes.Axes.barh`.

    Returns
    -------
    tuple of two Axes

    Raises
    ------
    TypeError
        If `comparison` is none.
    ValueError
        If `labels` is unknown, or `axes` are not two.

    Examples
    --------
    >>> from cardstats.comparison import compare
    >>> coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    >>> left, right = agreement(
    ...     compare(Tally.from_counts({"heads": 60, "tails": 40}), coin), labels="en"
    ... )
    >>> left.texts[0].get_text(), right.collections[-1].get_offsets()[0].tolist()
    ('60 %', [2.0, 0.0])
    """
    _check(title)
    lang = language(labels)
    if not isinstance(comparison, Comparison):
        raise wrong_type("comparison", comparison, "a Comparison, as `compare` returns it")
    if axes is not None:
        axes = items("axes", axes)
        for ax in axes:
            check_axes("axes", ax)
        if len(axes) != 2:
            raise ValueError(f"axes: expected two, got {len(axes)}")
    rows = rows_of(comparison, lang)
    made = axes is None
    if axes is None:
        axes = new_axes(rows_height(len(rows.labels)), columns=(5, 4))
    left, right = axes
    legend = draw_bars(left, rows, lang, kwargs) + draw_residuals(right, comparison, lang, {})
    right.tick_params(labelleft=False)
    title = rows.title if title is None else title
    note = overall_text(comparison, lang)
    above = head(left, title, rows=rows.labels, legend=legend, note=note, until=right)
    if made:
        fit_height(left, above, len(rows.labels))
    return with_font(left), with_font(right)


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

    A frequency is nineteen times of twenty in its shaded band, within two standard deviations,
    which shrink as one over the square root of the games. The vertical axis is linear near the
    exact value and logarithmic far from it, so that rare and usual rows can be read together.

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
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['heads, exact 50.0 %', '±2 standard deviations']
    """
    _check(title, ax)
    lang = language(labels)
    runs = growing_runs(tallies)
    if not isinstance(expected, Distribution):
        raise wrong_type("expected", expected, "a Distribution")
    games = [tally.games for tally in runs]
    chosen = chosen_rows(rows, expected, runs[0].players)
    names = closing_names(expected, lang)
    ax = new_axes(_CURVES_HEIGHT)[0] if ax is None else ax
    ax.set_xscale("log")
    ax.axhline(0, color=COLOURS["exact"], linewidth=0.8, zorder=1)
    offs, bands = [], []
    legend: list[Any] = []
    for number, row in enumerate(chosen):
        off, band = (100 * part for part in deviations(runs, expected, row))
        colour = CYCLE[number % len(CYCLE)]
        low = np.maximum(-band, -100)  # nothing comes less often than never
        ax.fill_between(games, low, band, color=colour, alpha=0.14, linewidth=0, zorder=0)
        style: dict[str, Any] = {"color": colour, "marker": "o", "markersize": 3.5}
        style |= {"linewidth": 1.4, "label": names[row], "zorder": 3}
        legend += ax.plot(games, off, **style | kwargs)
        offs.append(off)
        bands.append(band)
    usual: dict[str, Any] = {"color": COLOURS["line"], "alpha": 0.3, "linewidth": 0}
    legend.append(ax.fill_between([], [], **usual, label=say("band", lang)))
    _deviation_axis(ax, np.array(offs), np.array(bands))
    ax.set_xlabel(say("games", lang))
    ax.set_ylabel(say("deviation", lang))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=COLOURS["grid"], linewidth=0.6)
    ax.set_axisbelow(True)
    head(ax, closing_title(expected, lang) if title is None else title, legend=legend)
    return with_font(ax)


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
    _check(title, ax)
    lang = language(labels)
    for name, words in (("xlabel", xlabel), ("ylabel", ylabel), ("title", title)):
        check_text(name, words)
    cells = _cells(matrix)
    row_names = labels_of(row_labels, lang, "row_labels")
    column_names = row_names
    if column_labels is not None:
        column_names = labels_of(column_labels, lang, "column_labels")
    if cells.shape != (len(row_names), len(column_names)):
        raise ValueError(
            f"matrix: shape {cells.shape} is not that of {len(row_names)} row labels and "
            f"{len(column_names)} column labels"
        )
    texts = _cell_texts(cells, text)
    made = ax is None
    if ax is None:
        widest = max(text_width(said, SMALL * font_size()) for said in ("", *texts))
        columns = len(column_names) * max(_COLUMN, widest / 72 + 0.1)
        ax = new_axes(rows_height(len(row_names)), max(WIDTH, _MARGIN + columns))[0]
    image = ax.imshow(cells, **{"cmap": "Blues", "aspect": "auto"} | kwargs)
    inks = [ink(colour) for colour in np.reshape(image.to_rgba(cells), (-1, 4))]
    size = cell_font_size(ax, texts, row_names, len(column_names))
    for place, (said, colour) in enumerate(zip(texts, inks, strict=True)):
        row, column = divmod(place, len(column_names))
        ax.text(column, row, said, color=colour, ha="center", va="center", fontsize=size)
    slant: dict[str, Any] = {"rotation": _SLANT, "ha": "right", "rotation_mode": "anchor"}
    longest = max(text_width(name, font_size()) for name in column_names)
    slanted = longest > 0.9 * room(ax, row_names) / len(column_names)
    ax.set_xticks(range(len(column_names)), column_names, **slant if slanted else {})
    row_size = row_font_size(ax, len(row_names))
    ax.set_yticks(range(len(row_names)), row_names, fontsize=row_size)
    ax.set_xticks(np.arange(1, len(column_names)) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, len(row_names)) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=1)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    above = head(ax, title, rows=row_names)
    if made:
        names = math.sin(math.radians(_SLANT)) * longest if slanted else 0.0
        below = names + 1.6 * font_size() * (1 + bool(xlabel))
        fit_height(ax, above, len(row_names), below=below)
    return with_font(ax)


def throughput(
    result: Throughput,
    *,
    ax: Axes | None = None,
    labels: Labels = "auto",
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw how many hands a second each contestant does, job by job, with the limits of each job.

    Parameters
    ----------
    result : Throughput
        What `cardstats.benchmark.benchmark` returned. Limits are lines across the bars of their
        job.
    ax, labels, title
        As for `bars`.
    **kwargs
        For `matplotlib.axes.Axes.barh`.

    Returns
    -------
    Axes
        The horizontal axis is logarithmic, in hands per second.

    Raises
    ------
    TypeError
        If `result` is no Throughput.
    ValueError
        If `labels` is unknown.

    Examples
    --------
    >>> from cardstats.throughput import Rate
    >>> job = {"job": "category", "job_zh": "牌型"}
    >>> own = Rate(**job, label="classify", label_zh="分类", kind="cardstats", hands=2.4e9)
    >>> plain = Rate(**job, label="loop", label_zh="循环", kind="plain", hands=2e5, times=12e3)
    >>> ax = throughput(Throughput((own, plain)), labels="en")
    >>> [text.get_text() for text in ax.texts[:2]]
    ['2.4 G', '200 k (12,000 ×)']
    """
    _check(title, ax)
    lang = language(labels)
    lines = lines_of(result, lang)
    made = ax is None
    ax = ax or new_axes(rows_height(len(lines.names), TIGHT_ROW))[0]
    legend = draw_lines(ax, lines, lang, kwargs)
    title = lines.title if title is None else title
    above = head(ax, title, rows=lines.names, legend=legend, note=times_note(lines, lang))
    if made:
        fit_height(ax, above, len(lines.names), TIGHT_ROW)
    return with_font(ax)


def save(axes: Axes | Sequence[Axes], path: str | os.PathLike[str], *, dpi: float = 150) -> None:
    """Write the figure of some Axes to a file and close it.

    Parameters
    ----------
    axes : Axes, or a sequence of them on one figure
        As the functions here return them.
    path : path
        Its ending says the format: png, pdf, svg.
    dpi : float
        Dots per inch.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, or the ending is none of a picture.
    OSError
        If the file cannot be written; the figure is closed all the same.
    """
    from matplotlib import pyplot as plt

    drawn = (axes,) if hasattr(axes, "figure") else items("axes", axes)
    if not drawn:
        raise ValueError("axes: there is none")
    check_axes("axes", drawn[0])
    figure: Any = drawn[0].figure
    try:
        file = as_path("path", path)
        if not 0 < real("dpi", dpi) < math.inf:
            raise ValueError(f"dpi: {shown(dpi)} is no number of dots")
        if file.suffix[1:] not in figure.canvas.get_supported_filetypes():
            raise ValueError(f"path: {shown(str(path))} does not end like a picture: png, pdf, svg")
        try:
            with naming("path", file):
                figure.savefig(file, dpi=dpi)
        except ValueError as error:  # so few dots that there is no picture, or too many
            raise ValueError(f"dpi: {error}") from None
    finally:
        plt.close(figure)


_CURVES_HEIGHT = 4.0  # of a figure of curves, in inches
_SLANT = 40  # of long names below a heatmap, in degrees
_MARGIN, _COLUMN = 1.8, 0.26  # inches beside the columns of a heatmap, and of the narrowest one


def _check(title: str | None, ax: Axes | None = None) -> None:
    """Check what all pictures take."""
    if title is not None:
        check_text("title", title)
    if ax is not None:
        check_axes("ax", ax)


def _cells(matrix: ArrayLike) -> NDArray[np.float64]:
    """Take a matrix of real numbers."""
    cells = as_array(matrix, "matrix", "numbers")
    if cells.dtype.kind not in "biuf":
        raise TypeError(f"matrix: expected an array of numbers, got dtype {cells.dtype}")
    return cells.astype(np.float64)


def _cell_texts(cells: NDArray[np.float64], text: str | ArrayLike) -> list[str]:
    """Write what stands in each cell, row by row; nothing where the number is NaN."""
    if isinstance(text, str):
        try:
            given = [text.format(number) for number in cells.ravel().tolist()]
        except (ValueError, LookupError, AttributeError) as error:
            raise ValueError(f"text: {shown(text)} formats no number: {error}") from None
    else:
        words = as_array(text, "text", "texts")
        if words.shape != cells.shape:
            raise ValueError(f"text: shape {words.shape} is not that of the matrix, {cells.shape}")
        given = list(map(str, words.ravel().tolist()))
    empty = np.isnan(cells).ravel().tolist()
    return ["" if none else said for said, none in zip(given, empty, strict=True)]


def _draw_rows(
    rows: Rows, ax: Axes | None, lang: Lang, title: str | None, kwargs: dict[str, Any]
) -> Axes:
    """Draw bars and what stands above them."""
    made = ax is None
    ax = ax or new_axes(rows_height(len(rows.labels)))[0]
    legend = draw_bars(ax, rows, lang, kwargs)
    title = rows.title if title is None else title
    above = head(ax, title, rows=rows.labels, legend=legend if len(legend) > 1 else ())
    if made:
        fit_height(ax, above, len(rows.labels))
    return with_font(ax)


def _deviation_axis(ax: Axes, offs: NDArray[np.float64], bands: NDArray[np.float64]) -> None:
    """Scale the vertical axis so that the widest band and the narrowest one can be seen.

    The inverse hyperbolic sine is linear near 0 and logarithmic far from it.
    """
    linear = math.sqrt(bands.max() * bands[:, -1].min())
    top = 1.05 * max(bands.max(), np.abs(offs).max())
    ax.set_yscale(
        "function",
        functions=(lambda off: np.arcsinh(off / linear), lambda place: linear * np.sinh(place)),
    )
    ax.set_ylim(-min(top, 105.0), top)
    ticks, last = [0.0], math.inf
    for half in range(math.floor(2 * math.log10(top)), -18, -1):
        tick = 10.0 ** (half // 2) * (3 if half % 2 else 1)
        place = math.asinh(tick / linear) / math.asinh(top / linear)
        if 0.18 < place < min(1, last - 0.18):
            ticks += [tick, -tick] if tick <= -ax.get_ylim()[0] else [tick]
            last = place
    ax.set_yticks(ticks, [f"{tick:+g}".replace("-", "−") if tick else "0" for tick in ticks])
