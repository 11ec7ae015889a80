"""Making reports, and reading what they hold; for all files of tests that look at one."""

import re
import warnings
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cardstats.reproduce import reproduce


@dataclass(frozen=True)
class Made:
    """A report: its folder, its language, and what was shown."""

    out: Path
    lang: str
    shown: str

    @property
    def markdown(self):
        return (self.out / "report.md").read_text(encoding="utf-8")

    @property
    def html(self):
        return (self.out / "index.html").read_text(encoding="utf-8")

    @property
    def page(self):
        return read_page(self.html)

    @property
    def figures(self):
        """The figures that the Markdown names."""
        return re.findall(r"^!\[.*\]\((.*)\)$", self.markdown, flags=re.MULTILINE)


def make(folder, lang="en", **options):
    """Make a report below a folder; by a short path, so that its lines are short."""
    shown = []
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no font with Chinese characters")
        patch.chdir(folder)
        settings = {"out": "report", "games": 2000, "rng": 3, "lang": lang, **options}
        page = Path(reproduce(**settings, show=shown.append)).resolve()
    assert page == (folder / "report" / "index.html").resolve()
    return Made(page.parent, lang, "\n".join(shown))


@dataclass
class Page(HTMLParser):
    """What an HTML page holds; refuses one whose tags are not balanced."""

    tags: list = field(default_factory=list)  # of (tag, attributes)
    texts: list = field(default_factory=list)  # of (the innermost tag, text)
    tables: list = field(default_factory=list)  # of (title, rows of cells)
    ahead: list = field(default_factory=list)  # the tags that are open

    VOID = ("br", "hr", "img", "input", "link", "meta")

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.ahead.append(tag)
        if tag == "table":
            self.tables.append(["", []])
        if tag == "tr":
            self.tables[-1][1].append([])
        if tag in ("td", "th"):
            self.tables[-1][1][-1].append("")

    def handle_endtag(self, tag):
        assert self.ahead, f"</{tag}> closes nothing"
        assert self.ahead.pop() == tag

    def handle_data(self, data):
        tag = self.ahead[-1] if self.ahead else ""
        if data.strip():
            self.texts.append((tag, data.strip()))
        if tag == "caption":
            self.tables[-1][0] += data
        if tag in ("td", "th"):
            self.tables[-1][1][-1][-1] += data


def read_page(html):
    page = Page()
    page.feed(html)
    page.close()
    assert not page.ahead, f"left open: {page.ahead}"
    return page


def markdown_tables(text):
    """Titles and rows of cells, without the line below the headings."""
    tables, title = [], ""
    for block in text.split("\n\n"):
        if block.startswith("| "):
            rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
            cells = [[cell.strip().replace(r"\|", "|") for cell in row] for row in rows]
            assert all(set(cell) <= set(":-") for cell in cells[1])
            tables.append([title, [cells[0], *cells[2:]]])
        title = block.strip("*") if block.startswith("**") else ""
    return tables


def rows_of(made, label=None):
    """Cells of all rows of a report's tables, or of those that have a label."""
    rows = [row for _, table in markdown_tables(made.markdown) for row in table]
    return [cells for first, *cells in rows if label in (None, first)]


def says(made, part, whole):
    """Whether a report says that `part` of `whole` agree, in the words of its language."""
    numbers = (whole, part) if made.lang == "zh" else (part, whole)
    between = r"\D{1,10}" if made.lang == "zh" else " of "
    pattern = rf"(?<![\d,.]){numbers[0]}{between}{numbers[1]}(?![\d,.])"
    return re.search(pattern, " ".join(made.shown.split())) is not None
