"""How a result shows itself: one table as text, Markdown, HTML, CSV, dict and DataFrame.

Knows columns, alignment and languages; knows nothing of cards or statistics.
"""

from __future__ import annotations

import csv
import html
import io
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict, get_args

import numpy as np

from cardstats._checks import check_choice, is_whole, shown
from cardstats._files import as_path, naming

Lang = Literal["en", "zh"]

PAGE_WIDTH = 80

# What stays on one line: a word, or a wide character, and the stops that follow it.
_WIDE = r"\u2e80-\uffef"
_PIECES = re.compile(rf"(?:[^\s{_WIDE}]+|[{_WIDE}])[，。；：、！？）》”]*\s*|\s+")

_LABEL_HEADING = {"en": "label", "zh": "类别"}
_HTML_PADDING = "padding: 0.15em 0.6em"
_TOTAL = {"en": "total", "zh": "合计"}


@dataclass(frozen=True)
class Words:
    """A text in both languages."""

    en: str
    zh: str

    def __getitem__(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en


class Titles(TypedDict):
    """A result's title in both languages, as keyword arguments."""

    title: str
    title_zh: str


class InWords:
    """Base of small results, which are a line or some of text in either language."""

    def _text(self, lang: Lang) -> str:
        """Write it."""
        raise NotImplementedError

    def to_text(self, lang: Lang = "en") -> str:
        """Write it in words, a line or some.

        Parameters
        ----------
        lang : {"en", "zh"}
            The language.

        Raises
        ------
        ValueError
            If `lang` is neither "en" nor "zh".
        """
        check_choice("lang", lang, get_args(Lang))
        return self._text(lang)

    def __str__(self) -> str:
        """Write it in English."""
        return self.to_text()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.to_text())}</pre>"


class Column(NamedTuple):
    """One column as people read it; the label column comes by itself."""

    heading: str
    heading_zh: str
    cells: Sequence[str]
    total: str = ""  # in the closing row; a table without any total has no such row


class Table:
    """Base of the results: rows with a label in two languages, shown and exported.

    A subclass is a frozen dataclass made with ``eq=False`` and ``repr=False`` (both are defined
    here: arrays do not compare to one bool, and fields are long) that says what its columns are.
    """

    title: str
    title_zh: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # every subclass is a dataclass
    _derived: ClassVar[tuple[str, ...]] = ()  # properties that `to_dict` adds to the fields

    def _columns(self) -> Sequence[Column]:
        """Make the columns that people read."""
        raise NotImplementedError

    def _data(self) -> Mapping[str, Sequence[Any]]:
        """Make the columns that programs read, by name: Python numbers, unrounded."""
        raise NotImplementedError

    def _notes(self, lang: Lang) -> Sequence[str]:
        """Write the sentences below the table."""
        return ()

    def _label_heading(self, lang: Lang) -> str:
        """Say what the labels are."""
        return _LABEL_HEADING[lang]

    def title_in(self, lang: Lang) -> str:
        """Take the title in a language, where there is one in it.

        Raises
        ------
        ValueError
            If the language is unknown.
        """
        check_choice("lang", lang, get_args(Lang))
        return self.title_zh if lang == "zh" and self.title_zh else self.title

    def index(self, label: str | int) -> int:
        """Find the number of the row with this label, English or Chinese; a number as text is.

        Raises
        ------
        ValueError
            If no row has that label.
        """
        name = shown(int(label)) if is_whole(label) else label
        for labels in (self.labels, self.labels_zh):
            if isinstance(name, str) and name in labels:
                return labels.index(name)
        raise ValueError(f"label {shown(name)} is none of {', '.join(map(repr, self.labels))}")

    def to_text(self, lang: Lang = "en") -> str:
        """Write the table as aligned text, at most 80 columns wide.

        Parameters
        ----------
        lang : {"en", "zh"}
            Language of title, labels and headings.

        Returns
        -------
        str
            Several lines. A Chinese character counts as two columns, as terminals print it.

        Raises
        ------
        ValueError
            If the language is unknown.
        """
        head, *rows = _fitted(self._grid(lang))
        widths = _widths([head, *rows])
        gap = _gap(widths)
        line = "-" * (sum(widths) + len(gap) * (len(widths) - 1))
        body = [gap.join(_aligned(row, widths)).rstrip() for row in rows]
        if self._has_total():
            body.insert(-1, line)
        table = [gap.join(_aligned(head, widths)), line, *body]
        notes = [part for note in self._notes(lang) for part in wrapped(note)]
        return "\n".join([*wrapped(self.title_in(lang)), *table, *notes])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        """Say what it is in one line; ``print`` shows the table."""
        return f"<{type(self).__name__} of {len(self.labels)} rows: {self.title}>"

    def to_markdown(self, lang: Lang = "en") -> str:
        """Write the table as GitHub-flavoured Markdown.

        Parameters
        ----------
        lang : {"en", "zh"}
            Language of labels and headings.

        Returns
        -------
        str
            The title in bold, the table, the notes; empty lines between them.

        Raises
        ------
        ValueError
            If the language is unknown.
        """
        grid = [[cell.replace("|", r"\|") for cell in row] for row in self._grid(lang)]
        widths = [max(3, width) for width in _widths(grid)]
        rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
        head, *rows = [_aligned(row, widths) for row in grid]
        table = "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])
        title = [f"**{self.title_in(lang)}**"] if self.title_in(lang) else []
        return "\n\n".join([*title, table, *self._notes(lang)])

    def to_html(self, lang: Lang = "en") -> str:
        """Write the table as an HTML fragment with inline styles.

        Parameters
        ----------
        lang : {"en", "zh"}
            Language of labels and headings.

        Returns
        -------
        str
            A ``<div>`` that holds a table and its notes; it needs no style sheet.

        Raises
        ------
        ValueError
            If the language is unknown.
        """
        head, *rows = self._grid(lang)
        foot = [rows.pop()] if self._has_total() else []
        return "\n".join(
            [
                f'<div class="cardstats" lang="{lang}">',
                '<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">',
                f"<caption>{html.escape(self.title_in(lang))}</caption>",
                *_html_part("thead", "th", [head]),
                *_html_part("tbody", "td", rows),
                *_html_part("tfoot", "td", foot),
                "</table>",
                *(f"<p>{html.escape(note)}</p>" for note in self._notes(lang)),
                "</div>",
            ]
        )

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_csv(self, path: str | Path | None = None) -> str | None:
        """Write labels and unrounded numbers as CSV.

        Parameters
        ----------
        path : str or Path, optional
            File to write, in UTF-8. Without it the text is returned.

        Returns
        -------
        str or None
            The text if no path was given.
        """
        data = {"label": self.labels, "label_zh": self.labels_zh, **self._data()}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(data)
        writer.writerows(zip(*data.values(), strict=True))
        if path is None:
            return text.getvalue()
        file = as_path("path", path)
        with naming("path", file):
            file.write_text(text.getvalue(), encoding="utf-8", newline="")
        return None

    def to_dict(self) -> dict[str, Any]:
        """Turn the result into plain Python values that ``json.dumps`` takes.

        Returns
        -------
        dict
            All fields and totals by name, and the ``type``. Fractions are ``"p/q"`` strings, with
            their floats beside them under ``name_float``; an infinite number is ``"inf"``.
        """
        result: dict[str, Any] = {"type": type(self).__name__}
        for name in (*(field.name for field in fields(self)), *self._derived):
            value = getattr(self, name)
            result[name] = _plain(value)
            if isinstance(value, tuple) and any(isinstance(item, Fraction) for item in value):
                result[f"{name}_float"] = [None if item is None else float(item) for item in value]
        return result

    def to_dataframe(self) -> Any:
        """Turn the table into a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Unrounded numbers, one row a label, indexed by the English label.

        Raises
        ------
        ImportError
            If pandas is not installed; the extra ``dataframe`` brings it.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_dataframe needs pandas: python3 -m pip install 'cardstats[dataframe]'"
            ) from error
        data = {name: list(values) for name, values in self._data().items()}
        index = pd.Index(self.labels, name="label")
        return pd.DataFrame({"label_zh": self.labels_zh, **data}, index=index)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [field.name for field in fields(self)]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Come back from pickling as frozen as before."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash((type(self), self.title, self.labels))

    def _has_total(self) -> bool:
        return any(column.total for column in self._columns())

    def _grid(self, lang: Lang) -> list[list[str]]:
        """Write all cells: the headings, the rows, the total where there is one."""
        check_choice("lang", lang, get_args(Lang))
        columns = self._columns()
        headings = (column.heading_zh if lang == "zh" else column.heading for column in columns)
        labels = self.labels_zh if lang == "zh" else self.labels
        cells = zip(labels, *(column.cells for column in columns), strict=True)
        grid = [[self._label_heading(lang), *headings], *map(list, cells)]
        if self._has_total():
            grid.append([_TOTAL[lang], *(column.total for column in columns)])
        return grid


def count_text(count: int) -> str:
    """Write a count with thousands separated: ``22,100``."""
    return f"{count:,}"


def percent_text(share: Fraction | float | None) -> str:
    """Write a share in per cent, to four decimals; rare ones keep three digits, none is ``-``."""
    percent = math.nan if share is None else 100 * float(share)
    if math.isnan(percent):
        return "-"
    return f"{percent:.2e}" if 0 < percent < 0.01 else f"{percent:.4f}"


def z_text(z: float) -> str:
    """Write a number of standard deviations with its sign."""
    return f"{z:+.2f}"


def p_text(p: float) -> str:
    """Write a p-value to four decimals; small ones keep two digits."""
    if p == 0:
        return "0"
    return f"{p:.1e}" if p < 0.001 else f"{p:.4f}"


def display_width(text: str) -> int:
    """Count the columns that a terminal takes for the text."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _widths(grid: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*grid, strict=True)]


def _gap(widths: Sequence[int]) -> str:
    """Leave two spaces between columns where the page has room, else one."""
    return "  " if sum(widths) + 2 * (len(widths) - 1) <= PAGE_WIDTH else " "


def _fitted(grid: list[list[str]]) -> list[list[str]]:
    """Shorten long labels where the table would be wider than the page."""
    numbers = _widths(grid)[1:]
    room = max(8, PAGE_WIDTH - sum(numbers) - len(numbers))
    return [[_shortened(label, room), *cells] for label, *cells in grid]


def _shortened(text: str, width: int) -> str:
    if display_width(text) <= width:
        return text
    while display_width(text) >= width:
        text = text[:-1]
    return text + "…"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Pad the label on the right and the numbers on the left."""
    pads = [" " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
    return [row[0] + pads[0], *(pad + cell for pad, cell in zip(pads[1:], row[1:], strict=True))]


def wrapped(text: str, page: int = PAGE_WIDTH) -> list[str]:
    """Break a text into lines that fit the page, between words or Chinese characters."""
    lines, line = [], ""
    for piece in _PIECES.findall(text):
        if line.strip() and display_width(line + piece.rstrip()) > page:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


def _html_part(part: str, cell: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"<{part}>"
    for row in rows:
        sides = ["left", *["right"] * (len(row) - 1)]
        cells = (
            f'<{cell} style="text-align: {side}; {_HTML_PADDING}">{html.escape(text)}</{cell}>'
            for side, text in zip(sides, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield f"</{part}>"


def _plain(value: Any) -> Any:
    """Put a field's value into JSON's few types."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return bool(one == other)
