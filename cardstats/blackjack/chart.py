"""A policy as the chart that players know: rows of totals, columns of what the dealer shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import read_only, set_field, set_labels
from cardstats._table import Column, Lang, Table
from cardstats.blackjack.decks import (
    Deck,
    Hand,
    best_total,
    card_name,
    compositions,
    orders_of_seen,
    seen_hands,
)
from cardstats.blackjack.rules import BEST, DEALER_STANDS, TEN, VALUES

_ROWS = tuple((total, 0) for total in range(4, BEST + 1)) + tuple(
    (total, 1) for total in range(12, BEST + 1)
)
_HIT, _STAND, _MIXED = "H", "S", "*"
_ANY = "any"
_LEGEND = {
    "en": "H: hit, S: stand",
    "zh": "H：拿牌，S：停牌",
}
_LEGEND_MIXED = {
    "en": "; *: the usual play, some hands of that total are played otherwise",
    "zh": "；*：多数如此，同点数的牌打法有别",
}
_HEADINGS = {
    0: {"en": "the dealer's cards are not looked at", "zh": "不看庄家的牌"},
    1: {"en": "columns: the dealer's card that is seen", "zh": "列：庄家的明牌"},
    2: {
        "en": "columns: the total of the dealer's two cards; A2: an ace and a two",
        "zh": "列：庄家两张牌的点数；A2：A 和 2",
    },
}


@dataclass(frozen=True, eq=False, repr=False)
class Chart(Table):
    """A policy's plays, by total and by what the dealer shows.

    Parameters
    ----------
    title, title_zh : str
        The policy's name.
    labels, labels_zh : tuple of str, length r
        Totals, hard and soft.
    columns : tuple of str, length c
        What the dealer shows; see `dealer_cards_seen`.
    hits : ndarray of float, shape (r, c)
        How often the player draws there: 1 always, 0 never; between them where hands of that
        total are played in different ways; NaN where the policy never gets. For `plot.heatmap`.
    dealer_cards_seen : int
        0, 1 or 2.
    """

    title: str
    labels: tuple[str, ...]
    labels_zh: tuple[str, ...]
    columns: tuple[str, ...]
    hits: NDArray[np.float64]
    dealer_cards_seen: int
    title_zh: str = ""

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        set_labels(self)
        set_field(self, "hits", read_only(self.hits, np.float64))
        if self.hits.shape != (len(self.labels), len(self.columns)):
            raise ValueError(f"hits: shape {self.hits.shape} is not one cell a row and column")

    @property
    def marks(self) -> NDArray[np.str_]:
        """What stands in each cell, shape (r, c): H or S, a star behind it where hands differ.

        Empty where the policy never gets. For `plot.heatmap`.
        """
        plays = np.where(self.hits >= 0.5, _HIT, _STAND)
        stars = np.where((self.hits > 0) & (self.hits < 1), _MIXED, "")
        return np.where(np.isnan(self.hits), "", np.char.add(plays, stars))

    def _columns(self) -> Sequence[Column]:
        # Plays stand below each other, starred or not.
        width = 1 + self._is_mixed()
        return [
            Column(heading, heading, [mark.ljust(width) if mark else "" for mark in marks])
            for heading, marks in zip(self.columns, self.marks.T.tolist(), strict=True)
        ]

    def _data(self) -> Mapping[str, Sequence[Any]]:
        return dict(zip(self.columns, self.hits.T.tolist(), strict=True))

    def _notes(self, lang: Lang) -> Sequence[str]:
        legend = _LEGEND[lang] + (_LEGEND_MIXED[lang] if self._is_mixed() else "")
        return legend, _HEADINGS[self.dealer_cards_seen][lang]

    def _label_heading(self, lang: Lang) -> str:
        return {"en": "total", "zh": "点数"}[lang]

    def _is_mixed(self) -> bool:
        return bool(((self.hits > 0) & (self.hits < 1)).any())


def chart_of(
    titles: tuple[str, str],
    hit: NDArray[np.bool_],
    dealer_cards_seen: int,
    deck: Deck,
    is_table: bool,
) -> Chart:
    """Sum a policy up by total.

    Parameters
    ----------
    titles : (str, str)
        In English and Chinese.
    hit : ndarray of bool, shape (hands, seen)
        As `Policy.by_composition` gives it.
    dealer_cards_seen : int
        0, 1 or 2.
    deck : Deck
        What hands are dealt from: they are weighed by how often they come.
    is_table : bool
        Whether all hands of a total are played alike; then cells that the policy never gets to
        are shown too.

    Returns
    -------
    Chart
    """
    hands = compositions()
    columns, column_of_seen = _columns_of(dealer_cards_seen)
    weights = np.ones(hit.shape) if is_table else _weights(hit, dealer_cards_seen, deck)
    weights[: hands.of_size[2].start] = 0  # no decision yet
    sums = np.zeros((2, BEST + 1, 2, len(columns)))
    cell = hands.total[:, np.newaxis], hands.soft[:, np.newaxis], column_of_seen
    for total, weight in zip(sums, (weights * hit, weights), strict=True):
        np.add.at(total, cell, weight)
    with np.errstate(invalid="ignore"):
        shares = sums[0] / sums[1]
    return Chart(
        title=titles[0],
        title_zh=titles[1],
        labels=tuple(f"{('hard', 'soft')[soft]} {total}" for total, soft in _ROWS),
        labels_zh=tuple(f"{('硬', '软')[soft]} {total}" for total, soft in _ROWS),
        columns=columns,
        hits=shares[tuple(np.array(_ROWS).T)],
        dealer_cards_seen=dealer_cards_seen,
    )


def _columns_of(dealer_cards_seen: int) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Name the columns, and give the column of each of the dealer's hands that may be seen."""
    seen = seen_hands(dealer_cards_seen)
    names = [_column_name(hand) for hand in seen]
    columns = sorted(set(names), key=_column_order)
    return tuple(columns), np.array([columns.index(name) for name in names])


def _column_name(hand: Hand) -> str:
    """Name a single card; of two cards the total, or the cards if the dealer may draw to an ace."""
    total, soft = best_total(hand)
    if len(hand) < 2:
        return "".join(map(card_name, hand)) or _ANY
    return "".join(map(card_name, hand)) if soft and total <= DEALER_STANDS else str(total)


def _column_order(name: str) -> tuple[int, str]:
    """Put numbers first, up to what the dealer draws to, then aces, then what the dealer keeps."""
    if name.startswith("A"):
        return DEALER_STANDS, name.replace("AA", "A1")
    return (0 if name == _ANY else int(name) + (int(name) >= DEALER_STANDS)), name


def _weights(hit: NDArray[np.bool_], dealer_cards_seen: int, deck: Deck) -> NDArray[np.float64]:
    """Weigh hands by how often the policy gets to them."""
    hands = compositions()
    orders = reached(hit)
    most = int(hands.counts.max()) + dealer_cards_seen
    # Ways to draw 0, 1, 2, … cards of a value, as shares of so many draws of any card.
    ways = np.array(
        [
            [deck.ways((value,) * cards) / deck.size**cards for cards in range(most + 1)]
            for value in VALUES
        ]
    )
    weights = orders * np.array(orders_of_seen(dealer_cards_seen), np.float64)
    for column, dealer in enumerate(seen_hands(dealer_cards_seen)):
        held = hands.counts + [dealer.count(value) for value in VALUES]
        weights[:, column] *= ways[np.arange(TEN), held].prod(axis=1)
    # Cards that are drawn leave fewer to draw: the later ones are likelier than a share tells.
    sizes = hands.counts.sum(axis=1) + dealer_cards_seen
    draws = [deck.draws(cards) for cards in range(int(sizes.max()) + 1)]
    likelier = [deck.size**cards / ways if ways else 0.0 for cards, ways in enumerate(draws)]
    found: NDArray[np.float64] = weights * np.array(likelier)[sizes, np.newaxis]
    return found


def reached(hit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the orders in which the player comes to each hand; the first two cards are dealt.

    Parameters
    ----------
    hit : ndarray of bool, shape (hands, seen)

    Returns
    -------
    ndarray of int64, shape (hands, seen)
    """
    hands = compositions()
    orders = np.zeros((len(hands.hands) + 1, hit.shape[1]), np.int64)  # busts come last
    orders[0] = 1
    for cards, rows in enumerate(hands.of_size):
        going_on = orders[rows] * (hit[rows] if cards >= 2 else 1)
        np.add.at(orders, hands.after[rows], going_on[:, np.newaxis])
    return orders[:-1]
