"""Blackjack's words: rule sets as data, outcomes, and the rows that tables are made of.

Nothing here computes with hands. Cards count by *value*: 1 for an ace, 2…9, and 10 for ten, jack,
queen and king; the best total of a hand counts its aces 11 as long as that is no bust.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import IntEnum
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

from cardstats._checks import exact_fraction, known_rules, shown, whole
from cardstats._table import Titles

ACE, TEN = 1, 10
VALUES = tuple(range(ACE, TEN + 1))
BEST = 21  # a total above it is a bust
DEALER_STANDS = 17
MAX_DECKS = 8
MOST_PAYOUT = 10**6  # for a stake of 1


class Result(IntEnum):
    """What a game comes to, for the player; the rows of a simulation and of an outcome.

    NATURAL is a win by a natural, an ace and a ten-valued card; WIN every other win.
    """

    NATURAL = 0
    WIN = 1
    DRAW = 2
    LOSE = 3

    @property
    def label(self) -> str:
        """English name, as tables print it."""
        return self.name.lower()

    @property
    def label_zh(self) -> str:
        """Chinese name, as tables print it."""
        return _RESULTS_ZH[self]


_RESULTS_ZH = ("黑杰克胜", "胜", "平", "负")


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """One variant of blackjack, as data: hit or stand, no doubling, splitting or insurance.

    Parameters
    ----------
    name : str
        How messages and the command line call it.
    decks : int or math.inf
        1 to 8 packs of 52 cards that a game is dealt from, or ``math.inf``: every card comes with
        the chance that it has in a full pack.
    hit_soft_17 : bool
        Whether the dealer draws to a 17 in which an ace counts 11.
    natural_beats_21 : bool
        Whether an ace and a ten-valued card beat a 21 of three cards or more.
    natural_payout : int, Fraction, str or float
        What a winning natural pays for a stake of 1: ``1``, ``"3:2"``, ``Fraction(6, 5)``; a float
        only where it is meant exactly, as 1.5 is. At most a million.

    Raises
    ------
    TypeError, ValueError
        If a value is of another kind or out of range; the message names the rule.

    Examples
    --------
    >>> Rules(name="house", decks=6, hit_soft_17=True, natural_payout="3:2").natural_payout
    Fraction(3, 2)
    """

    name: str = "custom"
    decks: int | float = 1
    hit_soft_17: bool = False
    natural_beats_21: bool = True
    natural_payout: Fraction = Fraction(1)

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            *,
            name: str = ...,
            decks: int | float = ...,
            hit_soft_17: bool = ...,
            natural_beats_21: bool = ...,
            natural_payout: Fraction | int | str | float = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Check each field, and bring it into its one form."""
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name: expected a non-empty string, got {shown(self.name)}")
        for field in ("hit_soft_17", "natural_beats_21"):
            if not isinstance(getattr(self, field), bool):
                raise TypeError(
                    f"{field}: expected True or False, got {shown(getattr(self, field))}"
                )
        if not (isinstance(self.decks, Real) and self.decks == math.inf):
            beyond = "use math.inf for endlessly many"
            object.__setattr__(self, "decks", whole(self.decks, "decks", 1, MAX_DECKS, beyond))
        object.__setattr__(self, "natural_payout", _checked_payout(self.natural_payout))

    def __repr__(self) -> str:
        """Write what differs from the default; evaluates to equal rules."""
        said = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"Rules({', '.join(said)})"


def checked_rules(rules: object, argument: str = "rules") -> Rules:
    """Take rules of this game, and nothing that only looks like them."""
    return known_rules(rules, argument, RULES)


def row_labels() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """English and Chinese labels of an outcome's rows.

    Examples
    --------
    >>> row_labels()[0]
    ('natural', 'win', 'draw', 'lose')
    """
    return tuple(result.label for result in Result), _RESULTS_ZH


def titles(what: Iterable[str], rules: Rules) -> Titles:
    """Make the titles of a result from its words in both languages, as keyword arguments.

    Examples
    --------
    >>> titles(("dealer", "庄家"), SEED_RULES)["title_zh"]
    '庄家，seed'
    """
    english, chinese = what
    return Titles(title=f"{english}, {rules.name}", title_zh=f"{chinese}，{rules.name}")


def _checked_payout(payout: Any) -> Fraction:
    if isinstance(payout, bool) or not isinstance(payout, int | float | str | Fraction):
        raise TypeError(f"natural_payout: expected a number or '3:2', got {shown(payout)}")
    try:
        found = exact_fraction(payout) if isinstance(payout, str) else Fraction(payout)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(
            f"natural_payout: cannot read {shown(payout)}; write 1, '3:2' or 1.5"
        ) from None
    if isinstance(payout, float) and found.denominator > 64:
        raise ValueError(
            f"natural_payout: {shown(payout)} is not exact; write it as text or a Fraction"
        )
    if found < 0:
        raise ValueError(f"natural_payout: {shown(payout)} is negative")
    if found > MOST_PAYOUT:
        raise ValueError(f"natural_payout: {shown(payout)} is more than {MOST_PAYOUT:,}")
    return found


SEED_RULES = Rules(name="seed")
RULES = {rules.name: rules for rules in (SEED_RULES,)}
