"""Three-card hands as text: `cards.parse` and `cards.format` for exactly three different cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats import cards
from cardstats._checks import shown
from cardstats._jit import as_integers


def parse(text: str) -> NDArray[np.uint8]:
    """Read a hand from text.

    Parameters
    ----------
    text : str
        Three cards, in any spelling that `cardstats.cards.parse` reads.

    Returns
    -------
    ndarray of uint8, shape (3,)
        Card codes, in the order of the text.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If a piece of it is not a card, or it is not three different cards.

    Examples
    --------
    >>> parse("♠A ♥A ♦A").tolist()
    [51, 50, 48]
    """
    return read_hand(text, "text")


def read_hand(text: str, argument: str) -> NDArray[np.uint8]:
    """Read a hand as `parse` does; messages name `argument`."""
    hand = cards.read_cards(text, argument)
    if hand.size != 3:
        raise ValueError(f"{argument}: expected three cards, got {hand.size} in {shown(text)}")
    for place, card in enumerate(hand.tolist()):
        if card in hand[:place].tolist():
            raise ValueError(f"{argument}: {cards.format([card])} comes twice in {shown(text)}")
    return hand


def format(hand: ArrayLike, style: str = "ascii") -> str:
    """Write a hand as text that `parse` reads back.

    Parameters
    ----------
    hand : array_like of int, shape (3,)
        Card codes 0…51.
    style : {"ascii", "unicode", "zh"}
        ``As Th 2d``, ``♠A ♥10 ♦2`` or ``黑桃A 红心10 方块2``.

    Returns
    -------
    str

    Raises
    ------
    TypeError, ValueError
        If `hand` is not three different card codes, or the style is unknown.

    Examples
    --------
    >>> format([51, 34, 0], style="unicode")
    '♠A ♥10 ♦2'
    """
    return cards.format(checked_hand(hand), style)


def checked_hand(hand: ArrayLike) -> NDArray[np.uint8]:
    """Take three different cards.

    Raises
    ------
    TypeError, ValueError
        If it is not that; the message names `hand`.
    """
    codes = as_integers(hand, "hand")
    if codes.shape != (3,):
        raise ValueError(f"hand: expected three cards, shape (3,), got shape {codes.shape}")
    for place, card in enumerate(codes.tolist()):
        if not 0 <= card < cards.DECK_SIZE:
            raise ValueError(f"hand: card {card} at {place} is outside 0..51")
        if card in codes[:place]:
            raise ValueError(f"hand: card {card} ({cards.format([card])}) comes twice")
    return codes.astype(np.uint8)
