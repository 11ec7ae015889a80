"""How commands speak: in one of two languages, on a terminal that may lack characters.

All that the command line says on standard output passes through here. What it says about hands
of a game is that game's own `_cli_` module's business; both languages of it stand here together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardstats._table import PAGE_WIDTH, Lang, display_width, wrapped

_ZH = {
    "hand": "手牌",
    "player": "玩家",
    "category": "牌型",
    "points": "点数",
    "probability %": "概率 %",
    "place (of {levels})": "名次（共 {levels}）",
    "beats %": "大过 %",
    "{hand} beats any three of a kind at the table": "{hand} 可吃掉同桌的任何豹子",
    "winner: {names}": "赢家：{names}",
    "tie: {names}": "平局：{names}",
    "no winner: {cards} in more than one hand": "无法比较：{cards} 出现在不止一手牌中",
    "game {game}, {rules}, seed {seed}": "第 {game} 局，{rules}，随机种子 {seed}",
    "{hand}, opponents: {opponents}, {rules}": "{hand}，对手 {opponents} 人，{rules}",
    "outcome": "结果",
    "win": "胜",
    "draw": "平",
    "lose": "负",
    "share of the pot": "底池份额",
    "exactly": "精确值",
    "standard error %": "标准误 %",
    "all {total:,} deals counted": "共 {total:,} 种发牌，全部穷举",
    "{total:,} deals simulated, seed {seed}": "模拟 {total:,} 局，随机种子 {seed}",
    "{hand}, {rules}": "{hand}，{rules}",
    "{hand}, declared {kongs}, {rules}": "{hand}，杠 {kongs}，{rules}",
    "win: {form}": "和牌：{form}",
    "form": "牌型",
    "groups": "分组",
    "no win: {reason}": "不和：{reason}",
    "ready": "听牌",
    "ready after a discard": "打一张后听牌",
    "shanten {number}": "{digit}向听",
    "discard": "打",
    "kinds": "种",
    "tiles": "张",
    "waits on (left of each)": "听（各剩几张）",
    "accepts (left of each)": "进张（各剩几张）",
}
_PLAIN = str.maketrans("♦♣♥♠×–—−…", "dchsx---~") | str.maketrans({"±": "+/-", "\u2003": " "})


class Column(NamedTuple):
    """One column of a table."""

    heading: str
    cells: Sequence[str]
    number: bool = False  # numbers stand on the right, words on the left


@dataclass(frozen=True)
class Writer:
    """Puts answers into one language, for a terminal of 80 columns that may know only ASCII."""

    lang: Lang

    def words(self, english: str, **values: object) -> str:
        """Say it in the language, with values put in."""
        template = _ZH[english] if self.lang == "zh" else english
        return template.format(**values)

    def listed(self, words: Iterable[str]) -> str:
        """Write words one after the other."""
        return ("、" if self.lang == "zh" else ", ").join(words)

    def line(self, english: str, **values: object) -> None:
        """Print a sentence."""
        write("\n".join(wrapped(self.words(english, **values))))

    def table(self, *columns: Column) -> None:
        """Print columns side by side."""
        for row in _rows(columns):
            write(row)

    def first_that_fits(self, tables: Iterable[Sequence[Column]]) -> None:
        """Print the first of several tables that the terminal can show, or else the last."""
        for columns in tables:
            rows = _rows(columns)
            if max(map(display_width, rows)) <= PAGE_WIDTH and can_be_written("".join(rows)):
                break
        self.table(*columns)


def language(asked: Lang) -> Lang:
    """Fall back on English where the terminal has no Chinese."""
    return asked if can_be_written("".join(_ZH.values())) else "en"


def write(text: str, end: str = "\n", flush: bool = False) -> None:
    """Print, with a stand-in for what the terminal's encoding does not have."""
    print(writable(text), end=end, flush=flush)


def writable(text: str) -> str:
    """Put a stand-in for each character that the terminal's encoding does not have."""
    if can_be_written(text):
        return text
    encoding = _encoding()
    return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)


def can_be_written(text: str) -> bool:
    """Whether the terminal's encoding has all of the characters."""
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _rows(columns: Sequence[Column]) -> list[str]:
    aligned = map(_aligned, columns)
    return ["  ".join(cells).rstrip() for cells in zip(*aligned, strict=True)]


def _aligned(column: Column) -> list[str]:
    cells = [column.heading, *column.cells]
    width = max(map(display_width, cells))
    pads = [" " * (width - display_width(cell)) for cell in cells]
    pairs = zip(pads, cells, strict=True)
    return [pad + cell if column.number else cell + pad for pad, cell in pairs]
