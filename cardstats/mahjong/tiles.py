"""Tiles: what a kind's code is, and how hands are read from text and written.

Kinds 0…33 are 1–9 萬 (m), 1–9 筒 (p), 1–9 索 (s), then 東 南 西 北 白 發 中 (1z–7z). A hand is how
many it holds of each kind. Whether it wins is not known here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import check_choice, check_short, whole
from cardstats._jit import as_integers
from cardstats.mahjong.rules import COPIES

KINDS = 34
SUIT = 9  # kinds of a suit
FIRST_HONOUR = 27
HONOURS = 7
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = (*TERMINALS, *range(FIRST_HONOUR, KINDS))  # the kinds of thirteen orphans

# Every word for a suit, by suit, and for an honour, from 1z on.
_SUIT_WORDS = (("m", "万", "萬"), ("p", "饼", "餅", "筒"), ("s", "条", "條", "索"))
_HONOUR_WORDS = (
    ("东风", "東風", "东", "東"),
    ("南风", "南風", "南"),
    ("西风", "西風", "西"),
    ("北风", "北風", "北"),
    ("白板", "白"),
    ("发财", "發財", "发", "發", "発"),
    ("红中", "紅中", "中"),
)

# Unicode's tiles in its order, from U+1F000: its dragons are 中 發 白, and bamboo precedes dots.
_UNICODE_ORDER = (27, 28, 29, 30, 33, 32, 31, *range(9), *range(18, 27), *range(9, 18))
_KIND_OF_SYMBOL = {chr(0x1F000 + place): kind for place, kind in enumerate(_UNICODE_ORDER)}

_SUIT_OF_WORD = {word: suit for suit, words in enumerate(_SUIT_WORDS) for word in words}
_HONOUR_OF_WORD = {word: honour for honour, words in enumerate(_HONOUR_WORDS) for word in words}
# 0 is the red five, 伍 the five of 萬 as tiles have it.
_RANK_OF_DIGIT = (
    {str(rank + 1): rank for rank in range(SUIT)}
    | {digit: rank for rank, digit in enumerate("一二三四五六七八九")}
    | {"0": 4, "伍": 4}
)

# A variation selector after a symbol asks for its look as an emoji, or as text.
_PIECE = re.compile(
    rf"(?P<ranks>[{''.join(_RANK_OF_DIGIT)}]+)\s*(?P<suit>[{''.join(_SUIT_OF_WORD)}])"
    r"|(?P<honours>[1-7]+)\s*z"
    rf"|(?P<honour>{'|'.join(_HONOUR_OF_WORD)})"
    rf"|(?P<symbol>[{''.join(_KIND_OF_SYMBOL)}])[\uFE0E\uFE0F]?",
    re.IGNORECASE | re.ASCII,
)
_BETWEEN_PIECES = re.compile(r"""[\s,;、·|/'"\[\](){}]*""")
_EXAMPLES = "'123m456p789s11z', '一万 3筒 东' or '🀇🀈🀉'"

# How a style writes each kind, and what it writes after the last of a suit.
_STYLES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "mpsz": ([str(kind % SUIT + 1) for kind in range(KINDS)], "mpsz"),
    "unicode": (sorted(_KIND_OF_SYMBOL, key=lambda symbol: _KIND_OF_SYMBOL[symbol]), 4 * [""]),
    "zh": (3 * "一二三四五六七八九" + "东南西北白发中", ["万", "饼", "条", ""]),
}


def parse(text: str) -> NDArray[np.uint8]:
    """Read a hand, or any other heap of tiles, from text.

    Parameters
    ----------
    text : str
        Digits before their suit, ``"123m456p789s11z"`` (m 萬, p 筒, s 索, z 東南西北白發中; 0 is
        a red five), Chinese names, single or run on, ``"一萬 3筒 東"`` or ``"一二三万"``, or
        Unicode's tiles, ``"🀇🀈🀉"``. Spaces, commas, quotes and brackets between them are free.

    Returns
    -------
    ndarray of uint8, shape (34,)
        How many there are of each kind.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If a piece of the text is no tile, there is none, or there are more than four of a kind.

    Examples
    --------
    >>> parse("1123m").tolist()[:4]
    [2, 1, 1, 0]
    >>> format(parse("一二三万 5饼 0p 东风 🀄"))
    '123m55p17z'
    """
    return read_hand(text, "text")


def read_hand(text: str, argument: str) -> NDArray[np.uint8]:
    """Read a hand as `parse` does; messages name `argument`."""
    held = [0] * KINDS
    for kind in read_kinds(text, argument):
        held[kind] += 1
    return checked_hand(held, argument)


def format(hand: ArrayLike, style: str = "mpsz") -> str:
    """Write a hand as text that `parse` reads back.

    Parameters
    ----------
    hand : array_like of int, or ndarray of bool, shape (34,)
        How many it holds of each kind, 0 to 4; or which kinds, as waits are given.
    style : {"mpsz", "unicode", "zh"}
        ``12m11z``, ``🀇🀈🀀🀀`` or ``一万 二万 东 东``.

    Returns
    -------
    str
        The tiles in the order of their kinds; empty if there are none.

    Raises
    ------
    TypeError, ValueError
        If `hand` is no hand, or the style is unknown.

    Examples
    --------
    >>> hand = parse("11z 12m")
    >>> format(hand)
    '12m11z'
    >>> format(hand, style="unicode"), format(hand, style="zh")
    ('🀇🀈🀀🀀', '一万 二万 东 东')
    """
    check_choice("style", style, tuple(_STYLES))
    which = isinstance(hand, np.ndarray) and hand.dtype == np.bool_
    held = checked_hand(np.asarray(hand, np.uint8) if which else hand)
    kinds = np.repeat(np.arange(KINDS), held).tolist()
    if style == "zh":
        return " ".join(run_on([kind], style) for kind in kinds)
    return run_on(kinds, style)


def tile_name(kind: int) -> str:
    """Name a kind in a digit and a letter: ``1m`` to ``9s``, ``1z`` to ``7z``.

    Raises
    ------
    TypeError, ValueError
        If it is none of 0…33.

    Examples
    --------
    >>> tile_name(0), tile_name(33)
    ('1m', '7z')
    """
    return run_on([whole(kind, "kind", most=KINDS - 1, beyond="there are 34 kinds")])


def checked_hand(hand: ArrayLike, argument: str = "hand") -> NDArray[np.uint8]:
    """Take one hand of any size.

    Raises
    ------
    TypeError, ValueError
        If it is not 34 counts of 0 to 4; the message names `argument` and the tile.

    Examples
    --------
    >>> checked_hand([5] + 33 * [0])
    Traceback (most recent call last):
    ...
    ValueError: hand: 5 of 1m; there are four
    """
    held = as_integers(hand, argument)
    if held.shape != (KINDS,):
        raise ValueError(f"{argument}: expected one count a kind, shape (34,), got {held.shape}")
    for kind, count in enumerate(held.tolist()):
        if not 0 <= count <= COPIES:
            limit = "there are four" if count > COPIES else "a count is 0 to 4"
            raise ValueError(f"{argument}: {count} of {tile_name(kind)}; {limit}")
    return held.astype(np.uint8)


def read_kinds(text: str, argument: str) -> list[int]:
    """Read tiles from text as `parse` does, in their order, however many there are of a kind.

    Raises
    ------
    TypeError, ValueError
        If a piece of the text is no tile, or there is none; the message names `argument`.
    """
    if not isinstance(text, str):
        raise TypeError(f"{argument}: expected a string of tiles, got {type(text).__name__}")
    check_short(argument, text)
    clean = unicodedata.normalize("NFKC", text)
    kinds: list[int] = []
    at = _skip(clean, 0)
    while at < len(clean):
        match = _PIECE.match(clean, at)
        if match is None:
            raise ValueError(f"{argument}: {_unread(clean, at)}; write tiles like {_EXAMPLES}")
        kinds += _kinds_of(match)
        at = _skip(clean, match.end())
    if not kinds:
        raise ValueError(f"{argument}: holds no tile; write tiles like {_EXAMPLES}")
    return kinds


def run_on(kinds: Sequence[int], style: str = "mpsz") -> str:
    """Write tiles without a gap, a suit's name once for equal neighbours of that suit.

    Raises
    ------
    ValueError
        If the style is unknown.

    Examples
    --------
    >>> run_on([1, 2, 3]), run_on([1, 2, 3], "zh"), run_on([27, 27], "zh")
    ('234m', '二三四万', '东东')
    """
    check_choice("style", style, tuple(_STYLES))
    marks, suits = _STYLES[style]
    return "".join(
        "".join(marks[kind] for kind in neighbours) + suits[suit]
        for suit, neighbours in groupby(kinds, key=lambda kind: kind // SUIT)
    )


def _skip(text: str, at: int) -> int:
    match = _BETWEEN_PIECES.match(text, at)
    return at if match is None else match.end()


def _kinds_of(match: re.Match[str]) -> list[int]:
    if match["symbol"]:
        return [_KIND_OF_SYMBOL[match["symbol"]]]
    if match["honour"]:
        return [FIRST_HONOUR + _HONOUR_OF_WORD[match["honour"]]]
    if match["honours"]:
        return [FIRST_HONOUR - 1 + int(digit) for digit in match["honours"]]
    first = SUIT * _SUIT_OF_WORD[match["suit"].lower()]
    return [first + _RANK_OF_DIGIT[digit] for digit in match["ranks"]]


def _unread(text: str, at: int) -> str:
    """Say what there is at a place where a tile was expected."""
    name = unicodedata.name(text[at], "")
    if name.startswith("MAHJONG TILE "):
        what = name.removeprefix("MAHJONG TILE ").lower()
        return f"{text[at]} ({what}, character {at + 1}) is no tile that hands have here"
    piece = re.split(r"[\s,;]", text[at : at + 24])[0]
    return f"cannot read a tile at {piece!r} (character {at + 1})"
