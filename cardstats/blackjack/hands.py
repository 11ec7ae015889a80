"""Blackjack hands as text and as values: cards as in `cardstats.cards`, padded on the right."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats import cards
from cardstats._jit import as_integers
from cardstats.blackjack.rules import ACE, TEN, VALUES

PADDING = 255  # where a row of an array holds no card

_VALUE_OF_RANK = np.array([*VALUES[1:], TEN, TEN, TEN, ACE], np.uint8)  # 2…10, J, Q, K, A


def parse(text: str) -> NDArray[np.uint8]:
    """Read a hand from text.

    Parameters
    ----------
    text : str
        Any number of cards, in any spelling that `cardstats.cards.parse` reads.

    Returns
    -------
    ndarray of uint8, shape (k,)
        Card codes, in the order of the text. Equal cards are kept: several decks have them.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If a piece of it is not a card, or if there is none.

    Examples
    --------
    >>> parse("♣ 10  ♦ Q").tolist()
    [33, 40]
    """
    return cards.parse(text)


def format(hand: ArrayLike, style: str = "ascii") -> str:
    """Write a hand as text that `parse` reads back.

    Parameters
    ----------
    hand : array_like of int, shape (k,)
        Card codes 0…51; padding, 255 after the last card, is not written.
    style : {"ascii", "unicode", "zh"}
        ``Tc Qd``, ``♣10 ♦Q`` or ``梅花10 方块Q``.

    Returns
    -------
    str

    Raises
    ------
    TypeError, ValueError
        If `hand` is not one or more card codes, or the style is unknown.

    Examples
    --------
    >>> format([33, 40, 255], style="unicode")
    '♣10 ♦Q'
    """
    return cards.format(checked_hand(hand), style)


def values(hand: ArrayLike) -> NDArray[np.uint8]:
    """Give what each card of a hand counts: 1 for an ace, 10 for ten, jack, queen and king.

    Parameters
    ----------
    hand : array_like of int, shape (k,)
        Card codes 0…51; padding is left out.

    Returns
    -------
    ndarray of uint8
        One value a card, in the order of the hand.

    Raises
    ------
    TypeError, ValueError
        If `hand` is not one or more card codes.

    Examples
    --------
    >>> values(parse("♣ 10  ♦ A  ♥ 8")).tolist()
    [10, 1, 8]
    """
    counted: NDArray[np.uint8] = _VALUE_OF_RANK[checked_hand(hand) // 4]
    return counted


def checked_hand(hand: ArrayLike) -> NDArray[np.uint8]:
    """Take the cards of one hand, without its padding.

    Raises
    ------
    TypeError, ValueError
        If it is not that; the message names `hand`.
    """
    codes = as_integers(hand, "hand")
    if codes.ndim != 1:
        raise ValueError(f"hand: expected cards, shape (k,), got shape {codes.shape}")
    fault = fault_of(codes.tolist(), "")
    if fault is not None:
        raise ValueError(f"hand: {fault}")
    found: NDArray[np.uint8] = codes[codes != PADDING].astype(np.uint8)
    return found


def fault_of(hand: list[int], row: str) -> str | None:
    """Say why the codes are no hand, naming the row as it is given; None if they are one."""
    padded = False
    for place, code in enumerate(hand):
        if code == PADDING:
            padded = True
        elif not 0 <= code < cards.DECK_SIZE:
            return f"card {code} at {row}place {place} is outside 0..51"
        elif padded:
            return f"card {code} at {row}place {place} comes after padding ({PADDING})"
    if not hand or hand[0] == PADDING:
        return f"no card at {row}place 0"
    return None
