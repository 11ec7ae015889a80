"""Three-card poker's words: categories, rule sets as data, and the rows that tables are made of.

Nothing here computes with hands. `RuleCodes` is the form in which rules reach the kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import check_choice, is_whole, items, known_rules, shown
from cardstats._table import Titles
from cardstats.cards import RANKS

MAX_PLAYERS = 17  # 17 × 3 of 52 cards
BEYOND_THE_DECK = "a deck lasts for no more"


class Category(IntEnum):
    """What three cards make: high card, pair, straight, flush, straight flush, three of a kind.

    The codes 0…5 are names; how the categories rank is a rule (`Rules.order`). `from_label` also
    knows other words for them, such as "trips", "leopard", "trail", "golden flower" or 同花顺.
    """

    HIGH_CARD = 0
    PAIR = 1
    STRAIGHT = 2
    FLUSH = 3
    STRAIGHT_FLUSH = 4
    THREE_OF_A_KIND = 5

    @property
    def label(self) -> str:
        """English name, as tables print it."""
        return self.name.lower().replace("_", " ")

    @property
    def label_zh(self) -> str:
        """Chinese name, as tables print it."""
        return _LABELS_ZH[self]

    @classmethod
    def from_label(cls, text: str) -> Category:
        """Find a category by any of its names, English or Chinese.

        Raises
        ------
        ValueError
            If no category has that name.

        Examples
        --------
        >>> Category.from_label("leopard").label
        'three of a kind'
        >>> Category.from_label("同花顺").label
        'straight flush'
        """
        key = str(text).strip().lower().replace("_", " ")
        if key not in _CATEGORY_NAMES:
            known = ", ".join(category.label for category in cls)
            raise ValueError(f"category: {shown(text)} is none of {known}")
        return _CATEGORY_NAMES[key]


_LABELS_ZH = ("散牌", "对子", "顺子", "金花", "顺金", "豹子")

# The seeds' other words and the common ones. One seed calls a straight flush "Flush"; that word
# means a flush everywhere else, so it is translated where the seed's figures are kept.
_ALIASES = {
    Category.HIGH_CARD: ("high", "leaflet", "sheet", "single", "单张", "散", "高牌"),
    Category.PAIR: ("对",),
    Category.STRAIGHT: ("shunzi", "cis", "run", "sequence", "顺"),
    Category.FLUSH: ("golden flower", "colour", "color", "同花"),
    Category.STRAIGHT_FLUSH: ("pure sequence", "running flush", "同花顺"),
    Category.THREE_OF_A_KIND: ("trips", "leopard", "trail", "set", "prial", "三条", "豹"),
}
_CATEGORY_NAMES = {
    name: category
    for category in Category
    for name in (category.label, category.label_zh, *_ALIASES[category])
}

A23 = Literal["lowest", "second", "highest", "none"]
Special235 = Literal["off", "beats_trips", "beats_aces"]
SuitTiebreak = Literal["top_card", "card_by_card"]
By = Literal["category", "top_card"]

# 42 × the largest multiplier must fit the uint32 that `points` returns; a pair adds its kicker.
MAX_MULTIPLIER = (2**32 - 1 - 14) // 42


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """One variant of three-card poker, as data.

    Parameters
    ----------
    name : str
        How messages and the command line call it.
    order : iterable of Category or str
        All six categories, weakest first.
    a23 : {"second", "lowest", "highest", "none"}
        Where A-2-3 stands among the straights; ``"none"``: it is no straight.
    special_235 : {"off", "beats_trips", "beats_aces"}
        Whether a 2-3-5 not all of one suit beats any three of a kind (or three aces) that is
        at the table: it then stands directly above all three of a kind. Such an order is not
        transitive: `strength` refuses it, `winners` knows it.
    highest_trips : str
        The rank of the best three of a kind: ``"A"``, or ``"3"`` in brag.
    suit_tiebreak : {None, "top_card", "card_by_card"}
        Whether suits (♦ < ♣ < ♥ < ♠) decide between hands of equal ranks.
    points : None, mapping of Category to int, or six ints in the order of Category
        If given, the larger number of points wins: the sum of the ranks (ace 14) times the
        category's multiplier; a pair's applies to its two equal cards only.

    Raises
    ------
    TypeError, ValueError
        If the rules contradict themselves or a value is unknown; the message names the rule.

    Examples
    --------
    A house game in which a straight beats a flush, and A-2-3 is the best straight:

    >>> house = Rules(
    ...     name="house",
    ...     order=["high card", "pair", "flush", "straight", "straight flush", "three of a kind"],
    ...     a23="highest",
    ... )
    >>> house.order[3].label
    'straight'
    """

    name: str = "custom"
    order: tuple[Category, ...] = tuple(Category)
    a23: A23 = "second"
    special_235: Special235 = "off"
    highest_trips: str = "A"
    suit_tiebreak: SuitTiebreak | None = None
    points: tuple[int, ...] | None = None

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            *,
            name: str = ...,
            order: Iterable[Category | int | str] = ...,
            a23: A23 = ...,
            special_235: Special235 = ...,
            highest_trips: str = ...,
            suit_tiebreak: SuitTiebreak | None = ...,
            points: Mapping[Category, int] | Mapping[str, int] | Iterable[int] | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Check each field, and bring it into its one form."""
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name: expected a non-empty string, got {shown(self.name)}")
        object.__setattr__(self, "order", _checked_order(self.order))
        check_choice("a23", self.a23, get_args(A23))
        check_choice("special_235", self.special_235, get_args(Special235))
        check_choice("suit_tiebreak", self.suit_tiebreak, (None, *get_args(SuitTiebreak)))
        object.__setattr__(self, "highest_trips", _checked_rank(self.highest_trips))
        if self.points is not None:
            object.__setattr__(self, "points", _checked_points(self.points))
            if self.special_235 != "off":
                raise ValueError(
                    f"special_235: {self.special_235!r} contradicts points, which leave no "
                    "hand to beat by rank; use 'off' or points=None"
                )
            if self.suit_tiebreak is not None:
                raise ValueError(
                    f"suit_tiebreak: {self.suit_tiebreak!r} contradicts points, of which equal "
                    "ones tie; use None or points=None"
                )

    def __repr__(self) -> str:
        """Write what differs from the default; evaluates to equal rules."""
        default = {field.name: field.default for field in fields(self)}
        values = {name: getattr(self, name) for name in default}
        values["order"] = tuple(category.label for category in self.order)
        default["order"] = tuple(category.label for category in Category)
        said = (f"{name}={value!r}" for name, value in values.items() if value != default[name])
        return f"Rules({', '.join(said)})"

    @property
    def transitive(self) -> bool:
        """Whether hands can be put in one line: False where 2-3-5 is special."""
        return self.special_235 == "off"

    @property
    def decided_by_rank(self) -> bool:
        """Whether suits, points and 2-3-5 play no part, so that hands fall into rank classes."""
        return self.transitive and self.suit_tiebreak is None and self.points is None

    def position(self, category: Category) -> int:
        """Place of a category in `order`, 0 for the weakest.

        Raises
        ------
        TypeError, ValueError
            If it is no category.
        """
        return self.order.index(_as_category("category", category))

    @cached_property  # it took most of the time of a call for few hands
    def codes(self) -> RuleCodes:
        """The rules as the small integers that kernels take."""
        places = {
            category.name.lower(): np.uint8(self.position(category) << 4) for category in Category
        }
        a23_height, akq_height = _STRAIGHT_HEIGHTS[self.a23]
        return RuleCodes(
            **places,
            a23=np.uint8(self.a23 != "none"),
            a23_height=np.uint8(a23_height),
            akq_height=np.uint8(akq_height),
            highest_trips=np.uint8(RANKS.index(self.highest_trips)),
            special_235=np.uint8(get_args(Special235).index(self.special_235)),
            suit_mask=np.uint8(_SUIT_MASKS[self.suit_tiebreak]),
            by_points=np.uint8(self.points is not None),
        )

    @cached_property
    def multipliers(self) -> PointCodes:
        """The points' multipliers as kernels take them; all zero where points do not rule."""
        return PointCodes(*(np.uint32(value) for value in self.points or (0,) * len(Category)))


class RuleCodes(NamedTuple):
    """Rules as uint8 scalars. The first six are places in `Rules.order`, in the upper nibble."""

    high_card: np.uint8
    pair: np.uint8
    straight: np.uint8
    flush: np.uint8
    straight_flush: np.uint8
    three_of_a_kind: np.uint8
    a23: np.uint8  # 1 if A-2-3 is a straight
    a23_height: np.uint8  # where A-2-3 and A-K-Q stand among the straights 4-3-2 (2) … K-Q-J (11)
    akq_height: np.uint8
    highest_trips: np.uint8  # a rank code
    special_235: np.uint8  # 0 off, 1 beats trips, 2 beats aces
    suit_mask: np.uint8  # which of three cards' suits are compared, two bits each
    by_points: np.uint8  # 1 if points decide


class PointCodes(NamedTuple):
    """Multipliers of the points, as uint32 scalars in the order of Category."""

    high_card: np.uint32
    pair: np.uint32
    straight: np.uint32
    flush: np.uint32
    straight_flush: np.uint32
    three_of_a_kind: np.uint32


_SUIT_MASKS = {None: 0, "top_card": 0b110000, "card_by_card": 0b111111}
_STRAIGHT_HEIGHTS = {"lowest": (1, 12), "second": (12, 13), "highest": (13, 12), "none": (0, 12)}


def checked_rules(rules: object, argument: str = "rules") -> Rules:
    """Take rules of this game, and nothing that only looks like them."""
    return known_rules(rules, argument, RULES)


def row_labels(by: By) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """English and Chinese labels of a table's rows, weakest first.

    ``by="category"`` gives the six categories in the order of `Category`; ``by="top_card"``
    splits the high-card hands by their highest card, 5 to ace: fifteen rows. The number of a row
    is the class code that the kernels count by.

    Examples
    --------
    >>> row_labels("category")[1]
    ('散牌', '对子', '顺子', '金花', '顺金', '豹子')
    >>> row_labels("top_card")[0][8:11]
    ('high card K', 'high card A', 'pair')
    """
    check_choice("by", by, get_args(By))
    english = tuple(category.label for category in Category)
    if by == "category":
        return english, _LABELS_ZH
    tops = RANKS[LOWEST_TOP_CARD:]
    return (
        (*(f"high card {top}" for top in tops), *english[1:]),
        (*(f"散{top}" for top in tops), *_LABELS_ZH[1:]),
    )


def titles(what: str, what_zh: str, rules: Rules, players: int = 1) -> Titles:
    """Make the titles of a result, as keyword arguments.

    Examples
    --------
    >>> titles("hands dealt", "发出的手牌", TEEN_PATTI, 5)["title"]
    'hands dealt, 5 players, teen-patti'
    """
    seats, seats_zh = (f", {players} players", f"，{players} 人") if players > 1 else ("", "")
    return Titles(
        title=f"{what}{seats}, {rules.name}",
        title_zh=f"{what_zh}{seats_zh}，{rules.name}",
    )


def class_places(rules: Rules, by: By) -> NDArray[np.uint8]:
    """Place of each row of `row_labels` among the rows, by `Rules.order`; 0 is the weakest.

    Examples
    --------
    >>> class_places(TEEN_PATTI, "category").tolist()
    [0, 1, 3, 2, 4, 5]
    """
    categories = list(Category)
    if by == "top_card":
        high_cards = len(RANKS) - LOWEST_TOP_CARD
        categories = [Category.HIGH_CARD] * high_cards + categories[1:]
    # A stable sort keeps the top cards of high-card hands in their own order.
    weakest_first = np.argsort([rules.position(item) for item in categories], kind="stable")
    return np.argsort(weakest_first).astype(np.uint8)


LOWEST_TOP_CARD = RANKS.index("5")  # 4-3-2 is a straight: no high-card hand is lower than 5


def _checked_order(order: Iterable[Category | int | str]) -> tuple[Category, ...]:
    if isinstance(order, str | Set) or not isinstance(order, Iterable):
        raise TypeError(f"order: expected the six categories, weakest first, got {shown(order)}")
    found = tuple(_as_category("order", item) for item in items("order", order))
    for category in Category:
        if found.count(category) != 1:
            times = "misses" if category not in found else "repeats"
            raise ValueError(f"order: {times} {category.label}; name each category once")
    return found


def _as_category(argument: str, item: Category | int | str) -> Category:
    if not (isinstance(item, str) or is_whole(item)):
        raise TypeError(f"{argument}: expected a Category or its name, got {shown(item)}")
    try:
        return Category.from_label(item) if isinstance(item, str) else Category(int(item))
    except ValueError:
        known = ", ".join(category.label for category in Category)
        raise ValueError(f"{argument}: {shown(item)} is none of the categories {known}") from None


def _checked_points(points: Mapping[Any, int] | Iterable[int]) -> tuple[int, ...]:
    if isinstance(points, Mapping):
        named: dict[Category, int] = {}
        for key, value in points.items():
            category = _as_category("points", key)
            if category in named:
                raise ValueError(f"points: repeats {category.label}; name each category once")
            named[category] = value
        missing = [category.label for category in Category if category not in named]
        if missing:
            raise ValueError(f"points: no multiplier for {', '.join(missing)}")
        values = [named[category] for category in Category]
    elif isinstance(points, Iterable) and not isinstance(points, str):
        values = list(items("points", points))
    else:
        raise TypeError(f"points: expected a multiplier per Category, got {shown(points)}")
    if len(values) != len(Category):
        raise ValueError(f"points: expected {len(Category)} multipliers, got {len(values)}")
    for category, value in zip(Category, values, strict=True):
        if not is_whole(value):
            raise TypeError(f"points: {category.label}: expected an integer, got {shown(value)}")
        if not 0 <= int(value) <= MAX_MULTIPLIER:
            raise ValueError(
                f"points: {category.label}: {shown(int(value))} is outside 0..{MAX_MULTIPLIER}"
            )
    return tuple(int(value) for value in values)


def _checked_rank(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"highest_trips: expected a rank as text, got {shown(text)}")
    rank = text.strip().upper().replace("T", "10")
    if rank not in RANKS:
        raise ValueError(f"highest_trips: {shown(text)} is none of the ranks {', '.join(RANKS)}")
    return rank


ZHA_JIN_HUA = Rules(name="zha-jin-hua")
ZHA_JIN_HUA_235 = Rules(name="zha-jin-hua-235", special_235="beats_trips")
_STRAIGHT_ABOVE_FLUSH = (Category.HIGH_CARD, Category.PAIR, Category.FLUSH, Category.STRAIGHT)
ZHA_JIN_HUA_POINTS = Rules(
    name="zha-jin-hua-points",
    order=(*_STRAIGHT_ABOVE_FLUSH, Category.THREE_OF_A_KIND, Category.STRAIGHT_FLUSH),
    points={
        Category.HIGH_CARD: 1,
        Category.PAIR: 2,
        Category.FLUSH: 9,
        Category.STRAIGHT: 81,
        Category.THREE_OF_A_KIND: 666,
        Category.STRAIGHT_FLUSH: 999,
    },
)
TEEN_PATTI = Rules(
    name="teen-patti",
    order=(*_STRAIGHT_ABOVE_FLUSH, Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND),
)
THREE_CARD_BRAG = Rules(
    name="three-card-brag",
    order=(*_STRAIGHT_ABOVE_FLUSH, Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND),
    a23="highest",
    highest_trips="3",
)
THREE_CARD_POKER = Rules(
    name="three-card-poker",
    order=(*_STRAIGHT_ABOVE_FLUSH, Category.THREE_OF_A_KIND, Category.STRAIGHT_FLUSH),
    a23="lowest",
)

RULES = {
    rules.name: rules
    for rules in (
        ZHA_JIN_HUA,
        ZHA_JIN_HUA_235,
        ZHA_JIN_HUA_POINTS,
        TEEN_PATTI,
        THREE_CARD_BRAG,
        THREE_CARD_POKER,
    )
}
