"""What a game is dealt from: a deck as counts of values, and hands as numbered compositions.

Cards come here as values, 1 for an ace to 10, and order does not matter: a hand is how many of
each value it holds. Knows nothing of who plays how.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import check_short, items, shown
from cardstats.blackjack.rules import ACE, BEST, TEN, VALUES, Result, Rules

_PACK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)  # of the values 1 to 10
_SHARES = (1, 1, 1, 1, 1, 1, 1, 1, 1, 4)  # of 13 ranks

_TEXTS = {str(value): value for value in VALUES[1:]}
_TEXTS |= {"A": ACE, "T": TEN, "J": TEN, "Q": TEN, "K": TEN}
_EXAMPLES = "write values, 1 (ace) to 10, or 'A', '7', '10', 'K'"

Hand = tuple[int, ...]  # values, ascending
NATURAL_HAND: Hand = (ACE, TEN)
Cards = int | str | Iterable[str | int]  # as people write them


@dataclass(frozen=True)
class Deck:
    """How many cards of each value there are to draw from.

    Parameters
    ----------
    counts : tuple of 10 int
        Cards of the values 1 to 10.
    endless : bool
        Whether a card that is drawn leaves as many behind; `counts` are then proportions.
    """

    counts: tuple[int, ...]
    endless: bool = False

    @property
    def size(self) -> int:
        """All cards."""
        return sum(self.counts)

    @property
    def points(self) -> int:
        """Sum of all values, an ace counted 1."""
        return sum(value * count for value, count in zip(VALUES, self.counts, strict=True))

    def at_most(self, cards: int) -> int:
        """Limit a number of cards to those there are."""
        return cards if self.endless else min(cards, self.size)

    def ways(self, hand: Hand) -> int:
        """Count the ways to draw these values in one given order."""
        held = [hand.count(value) for value in VALUES]
        pairs = zip(self.counts, held, strict=True)
        return math.prod(_ordered_draws(count, cards, self.endless) for count, cards in pairs)

    def ways_of_each(self, held: NDArray[np.int64]) -> NDArray[np.object_]:
        """Count the same for many hands, given as cards of each value, shape (n, 10)."""
        ways = np.ones(len(held), dtype=object)
        for count, cards in zip(self.counts, held.T, strict=True):
            some = [_ordered_draws(count, n, self.endless) for n in range(cards.max(initial=0) + 1)]
            ways *= np.array(some, dtype=object)[cards]
        return ways

    def draws(self, cards: int, *, gone: int = 0) -> int:
        """Count the ways to draw any cards, in order, after others are gone."""
        left = self.size if self.endless else self.size - gone
        return _ordered_draws(left, cards, self.endless)


def deck_of(rules: Rules, removed: Cards = ()) -> Deck:
    """Make the deck that a game under these rules is dealt from, without some cards.

    Raises
    ------
    TypeError, ValueError
        If `removed` holds what is no value, or more cards of a value than there are.

    Examples
    --------
    >>> from cardstats.blackjack.rules import SEED_RULES
    >>> deck_of(SEED_RULES, ["A", 7, "K"]).counts
    (3, 4, 4, 4, 4, 4, 3, 4, 4, 15)
    """
    gone = hand_of(removed, "removed")
    if rules.decks == math.inf:
        return Deck(_SHARES, endless=True)
    return take(Deck(tuple(int(rules.decks) * count for count in _PACK)), gone, "removed")


def take(deck: Deck, hand: Hand, argument: str) -> Deck:
    """Take cards out of a deck; out of an endless one nothing is missed.

    Raises
    ------
    ValueError
        If there are not that many; the message names `argument`.
    """
    if deck.endless:
        return deck
    left = [count - hand.count(value) for value, count in zip(VALUES, deck.counts, strict=True)]
    for value, missing in zip(VALUES, left, strict=True):
        if missing < 0:
            raise ValueError(
                f"{argument}: holds {hand.count(value)} cards of value {value}; "
                f"the deck has {hand.count(value) + missing}"
            )
    return Deck(tuple(left))


def value_of(card: object, argument: str, place: str = "") -> int:
    """Read the value of one card.

    Raises
    ------
    TypeError, ValueError
        If it is neither a value nor a rank; the message names `argument` and `place`.

    Examples
    --------
    >>> value_of("K", "upcard"), value_of(1, "upcard")
    (10, 1)
    """
    if isinstance(card, str):
        value = _TEXTS.get(card.strip().upper())
        if value is None:
            raise ValueError(f"{argument}: cannot read {shown(card)}{place}; {_EXAMPLES}")
        return value
    if isinstance(card, bool) or not isinstance(card, Integral):
        raise TypeError(f"{argument}: expected a value, got {shown(card)}{place}; {_EXAMPLES}")
    if not ACE <= int(card) <= TEN:
        raise ValueError(
            f"{argument}: {shown(int(card))}{place} is no value; {_EXAMPLES}, no card codes"
        )
    return int(card)


def hand_of(cards: Cards, argument: str) -> Hand:
    """Read the values of several cards, in ascending order.

    Parameters
    ----------
    cards : str or iterable of int or str
        Text is parted at spaces and commas; a single value is a single card.
    argument : str
        What a message names.

    Raises
    ------
    TypeError, ValueError
        If a card cannot be read.

    Examples
    --------
    >>> hand_of("K 7, a", "removed"), hand_of([10, 7, "A"], "removed")
    ((1, 7, 10), (1, 7, 10))
    """
    if isinstance(cards, Mapping | Set):
        raise TypeError(f"{argument}: expected cards one by one, got {shown(cards)}; {_EXAMPLES}")
    if isinstance(cards, str):
        check_short(argument, cards)
        several = tuple(cards.replace(",", " ").split())
    else:
        several = items(argument, cards) if isinstance(cards, Iterable) else (cards,)
    values = (value_of(card, argument, f" at place {at}") for at, card in enumerate(several))
    return tuple(sorted(values))


def card_name(value: int) -> str:
    """Write a value as cards show it: A, 2, …, 10."""
    return "A" if value == ACE else str(value)


def best_total(hand: Hand) -> tuple[int, bool]:
    """Add up a hand, an ace counting 11 where that is no bust, and tell whether one does.

    Examples
    --------
    >>> best_total((1, 6)), best_total((1, 6, 10))
    ((17, True), (17, False))
    """
    hard = sum(hand)
    soft = ACE in hand and hard + 10 <= BEST
    return hard + 10 * soft, soft


def result_of(player: Hand, dealer: Hand, rules: Rules) -> Result:
    """Tell what two final hands come to; a player who is bust has lost already.

    Examples
    --------
    >>> from cardstats.blackjack.rules import SEED_RULES
    >>> result_of((1, 10), (5, 6, 10), SEED_RULES).label
    'natural'
    """
    own, his = _standing(player, rules), _standing(dealer, rules)
    if own[0] == 0 or own < his:
        return Result.LOSE
    if own == his:
        return Result.DRAW
    return Result.NATURAL if player == NATURAL_HAND else Result.WIN


def _standing(hand: Hand, rules: Rules) -> tuple[int, bool]:
    """Put final hands in order: bust ones below all, a natural above 21 where it beats it."""
    total = best_total(hand)[0]
    return (0, False) if total > BEST else (total, rules.natural_beats_21 and hand == NATURAL_HAND)


class Compositions(NamedTuple):
    """All hands that are not bust, by number: fewer cards first, then in order of their values.

    Number 0 is the empty hand, 1 to 10 are the single cards by value, then come the 55 pairs.
    """

    hands: tuple[Hand, ...]
    numbers: dict[Hand, int]
    counts: NDArray[np.int64]
    """Cards of each value, shape (hands, 10)."""
    total: NDArray[np.intp]
    """Best total, shape (hands,)."""
    soft: NDArray[np.intp]
    """1 where an ace counts 11, shape (hands,)."""
    after: NDArray[np.intp]
    """Number of the hand with one more card of each value, or -1 for a bust, shape (hands, 10)."""
    of_size: tuple[slice, ...]
    """Numbers of the hands of 0, 1, 2, … cards."""


@cache
def compositions() -> Compositions:
    """List the hands that are not bust, whatever the deck.

    Examples
    --------
    >>> all_hands = compositions()
    >>> all_hands.hands[:3], all_hands.hands[11:13], all_hands.numbers[(1, 10)]
    (((), (1,), (2,)), ((1, 1), (1, 2)), 20)
    """
    sizes: list[list[Hand]] = [[()]]
    while sizes[-1]:
        longer = ((*hand, v) for hand in sizes[-1] for v in VALUES if not hand or v >= hand[-1])
        sizes.append([hand for hand in longer if sum(hand) <= BEST])
    starts = np.cumsum([0, *map(len, sizes)]).tolist()
    hands = tuple(hand for size in sizes for hand in size)
    numbers = {hand: number for number, hand in enumerate(hands)}
    totals = np.array([best_total(hand) for hand in hands], dtype=np.intp)
    found = Compositions(
        hands=hands,
        numbers=numbers,
        counts=np.array([[hand.count(v) for v in VALUES] for hand in hands], dtype=np.int64),
        total=totals[:, 0],
        soft=totals[:, 1],
        after=np.array(
            [[numbers.get(tuple(sorted((*hand, v))), -1) for v in VALUES] for hand in hands],
            dtype=np.intp,
        ),
        of_size=tuple(slice(*ends) for ends in pairwise(starts))[:-1],
    )
    for array in (found.counts, found.total, found.soft, found.after):
        array.setflags(write=False)
    return found


def seen_hands(dealer_cards_seen: int) -> tuple[Hand, ...]:
    """List what a player may see of the dealer: nothing, one of 10 values, one of 55 pairs."""
    return compositions().hands[compositions().of_size[dealer_cards_seen]]


def orders_of_seen(dealer_cards_seen: int) -> list[int]:
    """Count the orders in which each of `seen_hands` may come: two, if its cards differ.

    Examples
    --------
    >>> orders_of_seen(2)[:3]
    [1, 2, 2]
    """
    return [len(set(hand)) or 1 for hand in seen_hands(dealer_cards_seen)]


def _ordered_draws(count: int, cards: int, endless: bool) -> int:
    return count**cards if endless else math.perm(count, cards)
