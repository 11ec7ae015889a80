"""A report as it grows: shown as text, kept as Markdown, PNG figures and one HTML page.

Knows headings, paragraphs, tables and figures in two languages; knows no game.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cardstats import plot
from cardstats._files import naming
from cardstats._table import Column, Lang, Table, Words, display_width, wrapped

Draw = Callable[[Literal["en", "zh"]], Any]


_HANDS = Words("hand", "牌型")


@dataclass(frozen=True, eq=False, repr=False)
class Grid(Table):
    """A table of finished cells, for figures of several sources side by side."""

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    columns: tuple[Column, ...]
    notes: tuple[Words, ...] = ()
    rows_are: Words = _HANDS
    title_zh: str = ""

    def _label_heading(self, lang: Lang) -> str:
        return self.rows_are[lang]

    def _columns(self) -> Sequence[Column]:
        return self.columns

    def _data(self) -> Mapping[str, Sequence[Any]]:
        return {column.heading: column.cells for column in self.columns}

    def _notes(self, lang: Lang) -> Sequence[str]:
        return [note[lang] for note in self.notes]


@dataclass(frozen=True)
class Figure:
    """A figure that is drawn when it is needed: `draw` gets a language and returns Axes."""

    name: str
    caption: Words
    draw: Draw


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, in order."""

    heading: Words
    blocks: tuple[Words | Table | Figure, ...]


class Report:
    """Writes sections to a directory and shows each as text when it comes.

    Parameters
    ----------
    out : Path
        Directory for ``report.md``, ``index.html`` and the figures; made if missing.
    title : Words
    lang : {"en", "zh"}
    show : callable
        Takes the text of each section.
    """

    def __init__(self, out: Path, title: Words, lang: Lang, show: Callable[[str], object]) -> None:
        self.out = out
        self.lang: Lang = lang
        self.show = show
        self.title = title[lang]
        self._markdown = [f"# {self.title}"]
        self._html: list[str] = []
        with naming("out", out):
            out.mkdir(parents=True, exist_ok=True)

    def add(self, section: Section) -> None:
        """Show a section, draw its figures, and keep it."""
        heading = section.heading[self.lang]
        text = [heading, "=" * min(display_width(heading), 80)]
        self._markdown.append(f"## {heading}")
        self._html.append(f"<section><h2>{html.escape(heading)}</h2>")
        for block in section.blocks:
            plain, markdown, page = self._rendered(block)
            text += ["", plain]
            self._markdown.append(markdown)
            self._html.append(page)
        self._html.append("</section>")
        self.show("\n".join([*text, ""]))

    def finish(self) -> Path:
        """Write the files; return the path of the HTML page."""
        page, body = self.out / "index.html", "\n".join(self._html)
        self._write(self.out / "report.md", "\n\n".join(self._markdown) + "\n")
        self._write(page, _PAGE.format(lang=self.lang, title=html.escape(self.title), body=body))
        return page

    @staticmethod
    def _write(path: Path, text: str) -> None:
        with naming("out", path):
            path.write_text(text, encoding="utf-8")

    def _rendered(self, block: Words | Table | Figure) -> tuple[str, str, str]:
        """Write a block as text, as Markdown and as HTML."""
        if isinstance(block, Words):
            text = block[self.lang]
            return "\n".join(wrapped(text)), text, f"<p>{html.escape(text)}</p>"
        if isinstance(block, Table):
            page = block.to_html(self.lang)
            return (
                block.to_text(self.lang),
                block.to_markdown(self.lang),
                f'<div class="wide">{page}</div>',
            )
        return self._drawn(block)

    def _drawn(self, figure: Figure) -> tuple[str, str, str]:
        path = self.out / f"{figure.name}.png"
        axes = figure.draw(self.lang)
        plot.save(axes, path)
        caption = figure.caption[self.lang]
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        page = (
            f'<figure><img alt="{html.escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{html.escape(caption)}</figcaption></figure>"
        )
        return "\n".join(wrapped(f"[{path}] {caption}")), f"![{caption}]({path.name})", page


# Fits a phone as well as a wide screen: tables scroll in a box of their own, figures shrink.
_PAGE = """<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light; }}
body {{ margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 4rem; color: #1b1b1b;
  background: #fff; line-height: 1.5; font-family: system-ui, -apple-system, "Segoe UI",
  "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; }}
h2 {{ font-size: 1.2rem; margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid #ddd; }}
p {{ max-width: 44rem; }}
.wide {{ overflow-x: auto; margin: 1rem 0; }}
.cardstats table {{ font-size: 0.9rem; white-space: nowrap; }}
.cardstats th:first-child, .cardstats td:first-child {{ position: sticky; left: 0;
  background: #fff; }}
.cardstats tbody tr:nth-child(even) td:first-child {{ background: #f5f5f3; }}
.cardstats caption {{ white-space: normal; text-align: left; font-weight: 600;
  padding: 0.3rem 0.6rem; }}
.cardstats thead th {{ border-bottom: 2px solid #888; }}
.cardstats tfoot td {{ border-top: 1px solid #888; }}
.cardstats tbody tr:nth-child(even) {{ background: #f5f5f3; }}
.cardstats p {{ color: #555; font-size: 0.85rem; margin: 0.3rem 0.6rem; }}
figure {{ margin: 1.5rem 0; }}
img {{ max-width: 100%; height: auto; }}
figcaption {{ color: #555; font-size: 0.85rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""
