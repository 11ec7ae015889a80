"""How every hand of a player turns out: by standing, and by playing on.

A player's hand counts by its composition alone, so 3,072 hands of two cards or more stand for all
courses of the game. What is counted are ordered ways to draw cards, as Python ints: then what
drawing a card is worth is the plain sum over the ten hands that come of it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats.blackjack.dealer import (
    count_standing,
    longest_hand,
    orders_seen,
)
from cardstats.blackjack.decks import NATURAL_HAND, Deck, Hand, compositions
from cardstats.blackjack.rules import BEST, DEALER_STANDS, TEN, VALUES, Rules

# The most points, an ace counted 1, on the table when a card is drawn: by the dealer, who stands
# on more, and by a player, while the dealer holds two cards.
DEALER_DRAWS_TO = DEALER_STANDS - 1
PLAYER_DRAWS_TO = BEST + 2 * TEN


class Game(NamedTuple):
    """Ways to draw cards in order, of which the first make a given hand of the player's.

    The next are the dealer's, those that are seen first; the rest may be any.
    """

    win: NDArray[np.object_]
    """Ways in which a player who stands wins: Python ints, shape (hands, seen)."""
    draw: NDArray[np.object_]
    """Ways in which it is a draw."""
    cards: int
    """How many cards are drawn in all: the same from every hand."""


class Played(NamedTuple):
    """The same for playing on, with a row of zeros below for a bust."""

    win: NDArray[np.object_]
    """Python ints, shape (hands + 1, seen)."""
    draw: NDArray[np.object_]
    """Python ints, shape (hands + 1, seen)."""
    hit: NDArray[np.bool_]
    """Whether the player draws, shape (hands, seen)."""

    def drawing(self, number: int) -> tuple[int, int]:
        """Sum wins and draws, in the first column, over the hands that come of this one."""
        following = compositions().after[number]
        return int(self.win[following, 0].sum()), int(self.draw[following, 0].sum())


@lru_cache(maxsize=6)
def game_of(deck: Deck, rules: Rules, seen: int) -> Game:
    """Count all games from a deck, by the dealer's cards that are seen."""
    return count_game(deck, rules, orders_seen(rules.hit_soft_17, seen))


def count_game(deck: Deck, rules: Rules, orders: NDArray[np.int64], start: Hand = ()) -> Game:
    """Count how standing turns out, for each hand that holds some cards.

    Parameters
    ----------
    deck : Deck
        Before any card was drawn.
    rules : Rules
        What the dealer does, and what a natural is worth.
    orders : ndarray of int64, shape (dealer's hands, seen)
        Columns of `orders_seen`.
    start : tuple of int
        Values that the player holds for certain.

    Returns
    -------
    Game
        Zeros for hands that the deck cannot make.
    """
    check_enough(deck, PLAYER_DRAWS_TO)
    hands = compositions()
    numbers = _possible(deck, start)
    longest, dealer_longest = len(hands.hands[numbers[-1]]), longest_hand(deck, rules.hit_soft_17)
    cards = deck.at_most(longest + dealer_longest)
    standing = count_standing(deck, rules, numbers, orders)
    units = standing.unit.tolist()[: dealer_longest + 1]
    shape = len(hands.hands), orders.shape[1]
    game = Game(np.zeros(shape, dtype=object), np.zeros(shape, dtype=object), cards)
    for own, rows in enumerate(hands.of_size[: longest + 1]):
        here = (numbers >= rows.start) & (numbers < rows.stop)
        # After the player's and the dealer's cards any others may come.
        rest = [
            unit * deck.draws(cards - own - dealt, gone=own + dealt)
            for dealt, unit in enumerate(units[: cards - own + 1])
        ]
        ways = deck.ways_of_each(hands.counts[numbers[here]])
        for found, counts in ((game.win, standing.win), (game.draw, standing.draw)):
            by_size = counts[here, :, : len(rest)].astype(object)
            found[numbers[here]] = by_size @ np.array(rest, dtype=object) * ways[:, np.newaxis]
    return game


def play_on(
    game: Game, hit: NDArray[np.bool_] | None, natural_payout: Fraction = Fraction(1)
) -> Played:
    """Play on from every hand, by a policy or in the best way.

    Hands are gone through from many cards to none: what drawing leads to is known by then.

    Parameters
    ----------
    game : Game
        How standing turns out.
    hit : ndarray of bool, shape (hands, seen), or None
        When the player draws; None for what has the largest expected value, standing where both
        are equal.
    natural_payout : Fraction
        What a winning natural pays; matters to the best play only.

    Returns
    -------
    Played
    """
    hands = compositions()
    win, draw = (np.zeros((len(found) + 1, found.shape[1]), dtype=object) for found in game[:2])
    hits = np.zeros(game.win.shape, dtype=bool)
    score = 2 * game.win + game.draw  # of wins, draws and losses at +1, 0, -1, up to what is equal
    natural = hands.numbers[NATURAL_HAND]
    score[natural] = (1 + natural_payout) * game.win[natural] + game.draw[natural]
    for own, rows in reversed(list(enumerate(hands.of_size))):
        after = hands.after[rows]
        drawn_win, drawn_draw = win[after].sum(axis=1), draw[after].sum(axis=1)
        if own < 2:
            hits[rows] = True
        elif hit is None:
            hits[rows] = 2 * drawn_win + drawn_draw > score[rows]
        else:
            hits[rows] = hit[rows]
        win[rows] = np.where(hits[rows], drawn_win, game.win[rows])
        draw[rows] = np.where(hits[rows], drawn_draw, game.draw[rows])
    return Played(win, draw, hits)


def check_enough(deck: Deck, points: int) -> None:
    """Refuse a deck that may run out while someone draws."""
    if not deck.endless and deck.points <= points:
        raise ValueError(
            f"removed: leaves cards of {deck.points} points, an ace counted 1; more than {points} "
            f"are needed, or the deck may run out"
        )


def _possible(deck: Deck, start: Hand) -> NDArray[np.intp]:
    """Find the hands that hold some cards and that the deck can make."""
    counts = compositions().counts
    least = [start.count(value) for value in VALUES]
    most = [BEST if deck.endless else count for count in deck.counts]
    return np.flatnonzero(((counts >= least) & (counts <= most)).all(axis=1))
