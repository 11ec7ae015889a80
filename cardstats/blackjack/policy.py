"""Policies, as data: whether the player draws, by total and up-card, or by every card seen.

A policy says nothing of how well it does; `exact` tells, and finds the best one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import as_array, read_only, shown, whole
from cardstats._table import Lang
from cardstats.blackjack.chart import Chart, chart_of
from cardstats.blackjack.decks import Cards, Deck, compositions, deck_of, hand_of, seen_hands
from cardstats.blackjack.rules import BEST, DEALER_STANDS, SEED_RULES, TEN

TABLE_SHAPE = (BEST + 1, 2, TEN + 1)
MOST_SEEN = 2
_ONE_PACK = deck_of(SEED_RULES)
NO_MORE = "the dealer has two cards when the player decides"

Play = tuple[Cards, Cards]  # the player's cards, and the dealer's that are seen


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Policy:
    """When the player takes another card.

    Parameters
    ----------
    name : str
        How tables call it.
    hit : array_like of bool, shape (22, 2, 11), or (hands, seen)
        ``hit[total, soft, upcard]``: by best total, whether an ace counts 11 in it, and the
        dealer's up-card, 1 for an ace to 10, or 0 where none is seen. Or ``hit[hand, seen]`` by
        the player's hand as `compositions` numbers it, and by the dealer's cards as `seen_hands`
        lists them: 1, 10 or 55 columns.
    dealer_cards_seen : {0, 1, 2}
        How many of the dealer's cards the player looks at; a table by total knows 0 or 1.
    name_zh : str, optional
        The name in Chinese.
    deck : Deck
        What hands are dealt from when the chart weighs them; else only equality looks at it.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another kind, shape or range; the message names it.

    Examples
    --------
    >>> stand_on(17).hits("10 6"), stand_on(17).hits("10 7")
    (True, False)
    """

    name: str
    hit: NDArray[np.bool_]
    dealer_cards_seen: int
    name_zh: str = ""
    deck: Deck = _ONE_PACK

    if TYPE_CHECKING:  # what is taken is wider than what is kept

        def __init__(
            self,
            *,
            name: str,
            hit: ArrayLike,
            dealer_cards_seen: int,
            name_zh: str = ...,
            deck: Deck = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name: expected a non-empty string, got {shown(self.name)}")
        if not isinstance(self.name_zh, str):
            raise TypeError(f"name_zh: expected text, got {shown(self.name_zh)}")
        seen = whole(self.dealer_cards_seen, "dealer_cards_seen", 0, MOST_SEEN, NO_MORE)
        if not isinstance(self.deck, Deck):
            raise TypeError(f"deck: expected a Deck, got {shown(self.deck)}")
        object.__setattr__(self, "dealer_cards_seen", seen)
        object.__setattr__(self, "hit", _checked_hit(self.hit, seen))

    @classmethod
    def from_table(
        cls, hit: ArrayLike, *, name: str = "own table", dealer_cards_seen: int = 1
    ) -> Policy:
        """Make a policy of a table by total, softness and up-card.

        Parameters
        ----------
        hit : array_like of bool, shape (22, 2, 11)
            ``hit[total, soft, upcard]``: whether to draw with this best total, hard (0) or soft
            (1), against this up-card, 1 for an ace to 10. Cells that no hand has do not matter.
        name : str
            How tables call it.
        dealer_cards_seen : {0, 1}
            With 0, only the cells of ``upcard`` 0 count.

        Returns
        -------
        Policy

        Raises
        ------
        TypeError, ValueError
            If the table is not one of booleans or has another shape.

        Examples
        --------
        >>> hit = np.zeros((22, 2, 11), dtype=bool)
        >>> hit[:12] = hit[:17, 0, 7:] = hit[:18, 1] = True
        >>> mine = Policy.from_table(hit, name="mine")
        >>> mine.hits("10 6", "9"), mine.hits("10 6", "5"), mine.hits("A 6", "5")
        (True, False, True)
        """
        table = as_array(hit, "hit", "booleans")
        if table.shape != TABLE_SHAPE:
            raise ValueError(f"hit: expected shape {TABLE_SHAPE}, got {table.shape}")
        return cls(name=name, hit=table, dealer_cards_seen=dealer_cards_seen)

    @classmethod
    def from_compositions(
        cls,
        plays: Mapping[Play, bool],
        *,
        otherwise: Policy,
        name: str = "own plays",
        dealer_cards_seen: int | None = None,
    ) -> Policy:
        """Make a policy of single hands and what is done with them.

        Parameters
        ----------
        plays : mapping of (player's cards, dealer's cards) to bool
            Whether to draw, by the values of all cards that are seen: ``("10 4 2", "10")``. The
            order of cards does not matter.
        otherwise : Policy
            What is done with every other hand.
        name : str
            How tables call it.
        dealer_cards_seen : {0, 1, 2}, optional
            As many as `otherwise` sees by default; if that sees none, any number.

        Returns
        -------
        Policy

        Raises
        ------
        TypeError, ValueError
            If a card cannot be read, a hand is bust or given twice, or other numbers of the
            dealer's cards are seen.

        Examples
        --------
        >>> but = {("10 2", "4"): True}
        >>> policy = Policy.from_compositions(but, otherwise=stand_on(12), dealer_cards_seen=1)
        >>> policy.hits("10 2", "4"), policy.hits("9 3", "4")
        (True, False)
        """
        if not isinstance(otherwise, Policy):
            raise TypeError(f"otherwise: expected blackjack.Policy, got {shown(otherwise)}")
        if not isinstance(plays, Mapping):
            raise TypeError(f"plays: expected a mapping of hands to plays, got {shown(plays)}")
        for hands in plays:
            if not isinstance(hands, tuple) or len(hands) != 2:
                raise TypeError(
                    f"plays: expected (player's cards, dealer's cards), got {shown(hands)}"
                )
        seen = otherwise.dealer_cards_seen if dealer_cards_seen is None else dealer_cards_seen
        hit = otherwise.by_composition(seen).copy()
        taken = set()
        for (player, dealer), play in plays.items():
            cell = _cell(player, dealer, seen, f"plays[{shown(player)}, {shown(dealer)}]")
            if cell in taken:
                raise ValueError(f"plays: {shown(player)} against {shown(dealer)} is given twice")
            if not isinstance(play, bool | np.bool_):
                raise TypeError(
                    f"plays[{shown(player)}, {shown(dealer)}]: expected a bool, got {shown(play)}"
                )
            taken.add(cell)
            hit[cell] = play
        return cls(name=name, hit=hit, dealer_cards_seen=seen, deck=otherwise.deck)

    @property
    def is_table(self) -> bool:
        """Whether it goes by total, softness and up-card alone."""
        return self.hit.shape == TABLE_SHAPE

    def by_composition(self, dealer_cards_seen: int | None = None) -> NDArray[np.bool_]:
        """Spell the policy out, hand by hand.

        Parameters
        ----------
        dealer_cards_seen : {0, 1, 2}, optional
            As many as the policy sees; if it sees none, any number.

        Returns
        -------
        ndarray of bool, shape (hands, seen)
            Rows as `compositions` numbers hands, columns as `seen_hands` lists the dealer's cards.

        Raises
        ------
        ValueError
            If the policy sees another number of the dealer's cards.
        """
        own = self.dealer_cards_seen
        seen = own if dealer_cards_seen is None else dealer_cards_seen
        whole(seen, "dealer_cards_seen", 0, MOST_SEEN, NO_MORE)
        if seen != own and own != 0:
            raise ValueError(f"dealer_cards_seen: {self.name} looks at {own}, not at {seen}")
        hands = compositions()
        plays = self.hit
        if self.is_table:
            upcards = np.arange(1, TEN + 1) if own == 1 else np.array([0])
            plays = self.hit[hands.total[:, np.newaxis], hands.soft[:, np.newaxis], upcards]
        return np.broadcast_to(plays, (len(hands.hands), len(seen_hands(seen))))

    def hits(self, player: Cards, dealer: Cards = ()) -> bool:
        """Tell whether the player draws another card.

        Parameters
        ----------
        player, dealer : int, str, or iterable of them
            Values of the player's cards and of those of the dealer's that the policy looks at.

        Returns
        -------
        bool

        Raises
        ------
        TypeError, ValueError
            If a card cannot be read, the hand is bust, or another number of the dealer's cards is
            given than the policy looks at.
        """
        cell = _cell(player, dealer, self.dealer_cards_seen, "player")
        return bool(self.by_composition()[cell])

    def chart(self) -> Chart:
        """Draw up the familiar chart: totals against what the dealer shows.

        Returns
        -------
        Chart
        """
        titles = self.name, self.name_zh
        return chart_of(
            titles, self.by_composition(), self.dealer_cards_seen, self.deck, self.is_table
        )

    def to_text(self, lang: Lang = "en") -> str:
        """Write the chart as text."""
        return self.chart().to_text(lang)

    def __str__(self) -> str:
        """Write the chart in English."""
        return self.to_text()

    def __repr__(self) -> str:
        """Say what it is in one line; ``print`` shows the chart."""
        by = "total" if self.is_table else "composition"
        return f"<Policy by {by}, {self.dealer_cards_seen} dealer cards seen: {self.name}>"

    def _repr_html_(self) -> str:
        return self.chart().to_html()

    def __eq__(self, other: object) -> bool:
        """Compare names and plays."""
        if not isinstance(other, Policy):
            return NotImplemented
        names = [field.name for field in fields(self) if field.name != "hit"]
        same = all(getattr(self, name) == getattr(other, name) for name in names)
        return same and np.array_equal(self.hit, other.hit)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.name, self.dealer_cards_seen))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Come back from pickling as frozen as before."""
        state["hit"].setflags(write=False)
        for name, value in state.items():
            object.__setattr__(self, name, value)


def stand_on(total: int) -> Policy:
    """Draw to any best total below a number, whatever the dealer shows.

    Parameters
    ----------
    total : int
        4 to 21.

    Returns
    -------
    Policy

    Raises
    ------
    TypeError, ValueError
        If `total` is no integer or out of range.

    Examples
    --------
    >>> stand_on(15).hits("A 3"), stand_on(15).hits("A 4")
    (True, False)
    """
    total = whole(total, "total", 4, BEST, f"{BEST} is the best there is")
    return _below(total, f"stand on {total}", f"{total} 点停牌")


def _below(total: int, name: str, name_zh: str) -> Policy:
    hit = np.zeros(TABLE_SHAPE, dtype=bool)
    hit[:total] = True
    return Policy(name=name, name_zh=name_zh, hit=hit, dealer_cards_seen=0)


def _checked_hit(hit: ArrayLike, seen: int) -> NDArray[np.bool_]:
    array = as_array(hit, "hit", "booleans")
    if array.shape == TABLE_SHAPE:
        if seen > 1:
            raise ValueError(f"dealer_cards_seen: {seen} is more than a table by up-card can tell")
    elif array.shape != (spelled_out := (len(compositions().hands), len(seen_hands(seen)))):
        raise ValueError(
            f"hit: expected shape {TABLE_SHAPE}, or {spelled_out} by composition with "
            f"{seen} dealer cards seen, got {array.shape}"
        )
    if array.dtype != np.bool_:
        raise TypeError(f"hit: expected booleans, got dtype {array.dtype}")
    return read_only(array, np.bool_)


def _cell(player: Cards, dealer: Cards, seen: int, argument: str) -> tuple[int, int]:
    """Find the row and the column of cards that are seen."""
    hand, upcards = hand_of(player, argument), hand_of(dealer, "dealer")
    if len(upcards) != seen:
        raise ValueError(f"dealer: expected {seen} cards that are seen, got {shown(dealer)}")
    numbers = compositions().numbers
    if len(hand) < 2 or hand not in numbers:
        fault = "is bust" if len(hand) > 1 else "has fewer than two cards"
        raise ValueError(f"{argument}: {shown(player)} {fault}; there is nothing to decide")
    return numbers[hand], seen_hands(seen).index(upcards)


# As the seed's dealer plays: where the dealer hits a soft 17, this player still stands on it.
MIMIC_DEALER = _below(DEALER_STANDS, "mimic the dealer", "照庄家规则")
