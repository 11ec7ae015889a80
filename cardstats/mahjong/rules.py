"""Mahjong's words: winning forms, rule sets as data, and the rows that tables are made of.

Nothing here computes with hands. `RuleCodes` is the form in which rules reach the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Literal, NamedTuple, get_args

import numpy as np

from cardstats._checks import check_choice, known_rules, shown, whole
from cardstats._table import Titles

COPIES = 4  # tiles of each kind
MAX_SIZE = 14  # tiles in a hand without open melds, once it has drawn
WINNING_SIZES = (2, 5, 8, 11, 14)  # a pair and 0 to 4 sets; three fewer for each open meld
WAITING_SIZES = (1, 4, 7, 10, 13)  # one tile short of them
SIZES = tuple(sorted((*WINNING_SIZES, *WAITING_SIZES)))

SevenPairs = Literal["quads", "distinct", "off"]
By = Literal["shanten", "form"]


class Form(IntEnum):
    """How a hand wins: not at all, by sets and a pair, by seven pairs, by thirteen orphans.

    A hand of two forms has the larger code. `from_label` also knows other words for them, such
    as "kokushi", "chiitoitsu", 七对子 or 国士无双.
    """

    NOT_WINNING = 0
    STANDARD = 1
    SEVEN_PAIRS = 2
    THIRTEEN_ORPHANS = 3

    @property
    def label(self) -> str:
        """English name, as tables print it."""
        return self.name.lower().replace("_", " ")

    @property
    def label_zh(self) -> str:
        """Chinese name, as tables print it."""
        return _FORMS_ZH[self]

    @classmethod
    def from_label(cls, text: str) -> Form:
        """Find a form by any of its names, English or Chinese.

        Raises
        ------
        TypeError, ValueError
            If it is no text, or no form has that name.

        Examples
        --------
        >>> Form.from_label("国士无双").label
        'thirteen orphans'
        """
        if not isinstance(text, str):
            raise TypeError(f"form: expected a name, got {shown(text)}")
        key = text.strip().lower().replace("_", " ")
        if key not in _FORM_NAMES:
            known = ", ".join(form.label for form in cls)
            raise ValueError(f"form: {shown(text)} is none of {known}")
        return _FORM_NAMES[key]


_FORMS_ZH = ("未和", "基本牌型", "七对", "十三幺")
_ALIASES = {
    Form.NOT_WINNING: ("none", "no win", "不和"),
    Form.STANDARD: ("regular", "sets and a pair", "基础牌型", "常规和牌"),
    Form.SEVEN_PAIRS: ("chiitoitsu", "七对子", "七小对"),
    Form.THIRTEEN_ORPHANS: ("kokushi", "kokushi musou", "国士无双", "國士無雙", "十三么"),
}
_FORM_NAMES = {name: form for form in Form for name in (form.label, form.label_zh, *_ALIASES[form])}


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """One variant of Mahjong, as far as it decides which groups of tiles win.

    What a hand must be worth, a suit that must be void (缺一门) and other special hands are no
    part of it.

    Parameters
    ----------
    name : str
        How messages and the command line call it.
    seven_pairs : {"quads", "distinct", "off"}
        Whether seven pairs win; with ``"quads"`` four of a kind are two pairs, with
        ``"distinct"`` the seven must differ.
    thirteen_orphans : bool
        Whether one of each terminal and honour and one of them twice win.
    honours : bool
        Whether the set has winds and dragons: 136 tiles of 34 kinds; without, 108 of 27.

    Raises
    ------
    TypeError, ValueError
        If a value is unknown, or thirteen orphans are asked of a set without honours.

    Examples
    --------
    >>> Rules(name="house", seven_pairs="distinct", honours=False, thirteen_orphans=False).tiles
    108
    """

    name: str = "custom"
    seven_pairs: SevenPairs = "quads"
    thirteen_orphans: bool = True
    honours: bool = True

    def __post_init__(self) -> None:
        """Check each field."""
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name: expected a non-empty string, got {shown(self.name)}")
        check_choice("seven_pairs", self.seven_pairs, get_args(SevenPairs))
        for field in ("thirteen_orphans", "honours"):
            if not isinstance(getattr(self, field), bool):
                raise TypeError(
                    f"{field}: expected True or False, got {shown(getattr(self, field))}"
                )
        if self.thirteen_orphans and not self.honours:
            raise ValueError("thirteen_orphans: need honours; use False, or honours=True")

    def __repr__(self) -> str:
        """Write what differs from the default; evaluates to equal rules."""
        said = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"Rules({', '.join(said)})"

    @property
    def kinds(self) -> int:
        """Kinds of tiles in the set: 34, or 27 without honours."""
        return 34 if self.honours else 27

    @property
    def tiles(self) -> int:
        """Tiles in the set: 136, or 108 without honours."""
        return COPIES * self.kinds

    @property
    def codes(self) -> RuleCodes:
        """The rules as the small integers that kernels take."""
        return RuleCodes(
            quads=np.uint8(self.seven_pairs == "quads"),
            distinct=np.uint8(self.seven_pairs == "distinct"),
            orphans=np.uint8(self.thirteen_orphans),
            honours=np.uint8(self.honours),
        )


class RuleCodes(NamedTuple):
    """Rules as uint8 scalars, 0 or 1; at most one of the first two is 1."""

    quads: np.uint8  # seven pairs win, four of a kind being two
    distinct: np.uint8  # seven different pairs win
    orphans: np.uint8
    honours: np.uint8


def checked_rules(rules: object, argument: str = "rules") -> Rules:
    """Take rules of this game, and nothing that only looks like them."""
    return known_rules(rules, argument, RULES)


def checked_size(size: object, allowed: tuple[int, ...] = SIZES) -> int:
    """Take a size that hands have.

    Raises
    ------
    TypeError, ValueError
        If it is none of `allowed`.
    """
    number = whole(size, "size")
    if number not in allowed:
        raise ValueError(f"size: {shown(number)} is none of {', '.join(map(str, allowed))}")
    return number


def highest_shanten(size: int, rules: Rules) -> int:
    """Give a bound on the shanten number of a hand: a table's last rows may stay empty.

    Each set that is missing costs two tiles beyond the one that any isolated tile gives it, and
    seven pairs are never more than six tiles from ready.

    Examples
    --------
    >>> highest_shanten(14, RIICHI), highest_shanten(14, STANDARD_ONLY), highest_shanten(4, RIICHI)
    (6, 8, 2)
    """
    standard = 2 * (size // 3)
    pairs_count = size >= MAX_SIZE - 1 and rules.seven_pairs != "off"
    return min(standard, 6) if pairs_count else standard


def row_labels(by: By, size: int, rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """English and Chinese labels of a table's rows.

    ``by="form"`` gives the four forms in the order of `Form`; ``by="shanten"`` the shanten
    numbers that hands of `size` tiles may have, ascending: from -1 where they can be complete,
    else from 0.

    Examples
    --------
    >>> row_labels("shanten", 5, RIICHI)
    (('-1', '0', '1', '2'), ('和牌', '听牌', '一向听', '二向听'))
    """
    check_choice("by", by, get_args(By))
    if by == "form":
        return tuple(form.label for form in Form), _FORMS_ZH
    numbers = range(lowest_shanten(size), highest_shanten(size, rules) + 1)
    return tuple(map(str, numbers)), tuple(_SHANTEN_ZH[number + 1] for number in numbers)


def lowest_shanten(size: int) -> int:
    """Least shanten number of hands of `size` tiles: -1 if they can be complete."""
    return -1 if size in WINNING_SIZES else 0


_SHANTEN_ZH = ("和牌", "听牌", *(f"{digit}向听" for digit in "一二三四五六七八"))


def titles(what: str, what_zh: str, rules: Rules, size: int | None = None) -> Titles:
    """Make the titles of a result, as keyword arguments.

    Examples
    --------
    >>> titles("shanten", "向听数", RIICHI, 13)
    {'title': 'shanten, 13 tiles, riichi', 'title_zh': '向听数，13 张，riichi'}
    """
    word = "tile" if size == 1 else "tiles"
    tiles, tiles_zh = ("", "") if size is None else (f", {size} {word}", f"，{size} 张")
    return Titles(
        title=f"{what}{tiles}, {rules.name}", title_zh=f"{what_zh}{tiles_zh}，{rules.name}"
    )


# Which hands win by their groups alone: what a hand must be worth, or that a suit must be void (as
# in Sichuan, 缺一门), or other special hands, these rules do not say.
CHINESE = Rules(name="chinese")
RIICHI = Rules(name="riichi", seven_pairs="distinct")
SICHUAN = Rules(name="sichuan", thirteen_orphans=False, honours=False)
STANDARD_ONLY = Rules(name="standard-only", seven_pairs="off", thirteen_orphans=False)
RULES = {rules.name: rules for rules in (CHINESE, RIICHI, SICHUAN, STANDARD_ONLY)}
