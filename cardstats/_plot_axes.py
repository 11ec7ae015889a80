"""What all plots share: sizes, colours, axes with rows, texts beside the data, heads above it.

Knows matplotlib, which it imports only inside functions; knows nothing of results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import shown
from cardstats._table import display_width, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Sizes in inches. All figures have one width, that of a page's text, so that their letters are
# of one size wherever they stand below each other.
WIDTH = 6.4
ROW = 0.3
TIGHT_ROW = 0.19  # of small letters
_HEAD = 0.8  # of a title and a legend
_FOOT = 0.53  # of the ticks and the name of an axis

SMALL = 0.85  # of the usual font size
BAR = 0.7  # height of a bar, as part of a row's
MARKER = 7.0  # width of an exact value's circle, in points

# Okabe and Ito's palette ("Color universal design", 2008), told apart by colour-blind eyes too.
CYCLE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
COLOURS = {
    "bar": "#9CC5E3",
    "deep": "#0072B2",
    "exact": "#000000",
    "published": "#D55E00",
    "other": "#B3B3B3",
    "text": "#4D4D4D",
    "line": "#808080",
    "grid": "#E4E4E4",
    "band": "#EDEDED",
}

_GAP = 7.0  # between a point and the text beside it, in points
_CHARACTER = 0.55  # usual width of a half-width character, as part of the font size
_LINE = 0.58  # of the height of a row that letters may take


def new_axes(height: float, width: float = WIDTH, columns: Sequence[float] = (1,)) -> list[Axes]:
    """Make a figure of a size in inches, with Axes of these relative widths side by side."""
    import matplotlib.pyplot as plt

    # Texts must be sized before the layout is known: say about where the Axes will end.
    place = {"right": 0.99, "bottom": _FOOT / height, "top": 1 - _HEAD / height}
    made = plt.subplots(
        1,
        len(columns),
        figsize=(width, height),
        layout="constrained",
        squeeze=False,
        gridspec_kw=place | {"width_ratios": columns},
    )[1]
    return list(made[0])


def check_axes(argument: str, ax: object) -> None:
    """Refuse what cannot be drawn on."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise TypeError(f"{argument}: expected matplotlib's Axes, got {shown(ax)}")


def rows_height(rows: int, row: float = ROW) -> float:
    """Say how high a figure of so many rows is."""
    return _HEAD + _FOOT + row * rows


def fit_height(
    ax: Axes, above: float, rows: int, row: float = ROW, below: float = 72 * _FOOT
) -> None:
    """Make a figure as high as its rows need, with so many points above and below them."""
    figure: Any = ax.figure
    figure.set_figheight((above + below) / 72 + row * rows)


def name_axis(ax: Axes, name: str, rows: Sequence[str]) -> None:
    """Write what the horizontal axis shows, on as many lines as it takes."""
    ax.set_xlabel(_folded(name, room(ax, rows), font_size()))


def row_axes(ax: Axes, labels: Sequence[str], size: float) -> None:
    """Prepare an Axes with one row a label, the first at the top, and few lines."""
    ax.set_yticks(range(len(labels)), labels, fontsize=size)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0, pad=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.grid(axis="x", color=COLOURS["grid"], linewidth=0.6)
    ax.set_axisbelow(True)


def per_cent_axis(ax: Axes, end: float) -> None:
    """Let the horizontal axis go from 0 to a percentage, but its line and ticks not beyond 100."""
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlim(0, end)
    if end > 100:
        ax.set_xticks([tick for tick in ax.get_xticks() if tick <= 100])
        ax.spines["bottom"].set_bounds(0, 100)


def row_font_size(ax: Axes, rows: int, part: float = 1.0) -> float:
    """Take a part of the usual size, or what keeps the lines of a low figure apart."""
    return min(part * font_size(), _LINE * _points(ax, ax.bbox.height) / rows)


def cell_font_size(ax: Axes, texts: Sequence[str], rows: Sequence[str], columns: int) -> float:
    """Take the usual small size, or what keeps the texts of narrow columns or rows apart."""
    longest = max(text_width(text, 1) for text in ("0", *texts))
    fitting = 0.9 * room(ax, rows) / columns / longest
    return min(fitting, row_font_size(ax, max(1, len(rows)), SMALL))


def beside(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    left: bool = False,
    colours: tuple[str, str] = (COLOURS["text"], "none"),
) -> None:
    """Write a text next to a point, clear of its marker, in a colour on another."""
    ax.annotate(
        text,
        (x, y),
        xytext=(-_GAP if left else _GAP, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center_baseline",
        color=colours[0],
        fontsize=size,
        bbox={"facecolor": colours[1], "linewidth": 0, "pad": 1},
    )


def end_beside(
    ax: Axes, reach: ArrayLike, texts: Sequence[str], size: float, rows: Sequence[str]
) -> float:
    """Say how far an axis from 0 must go for texts beside points to stay within it."""
    widths = np.array([text_width(text, size) for text in texts]) + 2 * _GAP
    parts = np.minimum(widths / room(ax, rows), 0.7)
    return float(np.max(np.asarray(reach) / (1 - parts), initial=0))


def head(
    ax: Axes,
    title: str,
    *,
    rows: Sequence[str] = (),
    legend: Sequence[Any] = (),
    note: str = "",
    until: Axes | None = None,
) -> float:
    """Put legend, note and title above the data, where they hide nothing, in this order.

    Parameters
    ----------
    ax : Axes
    title : str
    rows : sequence of str
        Labels of the rows, whose width the layout will take away.
    legend : sequence of artists
    note : str
    until : Axes, optional
        The last one to the right of this one that has the same head.

    Returns
    -------
    float
        How many points all of it takes.
    """
    small, large = SMALL * font_size(), 1.1 * font_size()
    page = room(ax, rows, until)
    height = 6.0
    wide: list[Any] = []
    if legend:
        columns = _legend_columns(legend, page, small)
        wide.append(_legend(ax, legend, small, columns))
        height += 1.6 * small * math.ceil(len(legend) / columns)
    if note:
        lines = _folded(note, page, small)
        offset: dict[str, Any] = {"xytext": (0, height), "textcoords": "offset points"}
        style: dict[str, Any] = {"fontsize": small, "color": COLOURS["text"]}
        wide.append(ax.annotate(lines, (0, 1), xycoords="axes fraction", **offset, **style))
        height += 1.5 * small * (1 + lines.count("\n"))
    lines = _folded(title, page, large)
    ax.set_title(lines, loc="left", pad=height, fontsize=large)
    if until is not None:
        # What is wider than these Axes would push the next ones away; a title never does, and
        # even a blank one keeps the room below it free.
        ax.set_title(" ", loc="right", pad=height, fontsize=1)
        for artist in wide:
            artist.set_in_layout(False)
    return height + 1.3 * large * (1 + lines.count("\n")) * bool(title)


def room(ax: Axes, rows: Sequence[str], until: Axes | None = None) -> float:
    """Guess how many points wide the place above the data will be.

    The layout is known only when it is drawn; long labels of rows take from the width.
    """
    size = row_font_size(ax, max(1, len(rows)))
    labels = max((text_width(row, size) for row in rows), default=0)
    taken = max(0.0, labels - _points(ax, ax.bbox.x0))
    width = (ax if until is None else until).bbox.x1 - ax.bbox.x0
    return _points(ax, width) - taken


def text_width(text: str, size: float) -> float:
    """Guess how many points wide a text is."""
    return display_width(text) * size * _CHARACTER


def font_size() -> float:
    """Take the usual font size, in points."""
    from matplotlib import rcParams

    return float(rcParams["font.size"])


def ink(background: NDArray[Any]) -> str:
    """Choose black or white, whichever reads better on an RGBA colour (Rec. 709 luma)."""
    luma = np.dot(background[:3], (0.2126, 0.7152, 0.0722))
    return "black" if luma > 0.5 else "white"


def _legend_columns(handles: Sequence[Any], page: float, size: float) -> int:
    """Find the most columns that fit on a page of so many points."""
    # With the sample before each name and the gap behind it.
    widths = [text_width(handle.get_label(), size) + 3.3 * size for handle in handles]
    for columns in range(len(widths), 1, -1):
        if sum(map(max, np.array_split(widths, columns))) <= page:
            return columns
    return 1


def _legend(ax: Axes, handles: Sequence[Any], size: float, columns: int) -> Any:
    """Put a legend above the data."""
    return ax.legend(
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


def _points(ax: Axes, pixels: float) -> float:
    return pixels * 72 / ax.figure.dpi


def _folded(text: str, page: float, size: float) -> str:
    """Break a text into lines on a page of so many points, besides the breaks it has."""
    width = max(12, int(page / size / _CHARACTER))
    return "\n".join(part for line in text.splitlines() for part in wrapped(line, width))
