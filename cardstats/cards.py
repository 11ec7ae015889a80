"""The 52-card deck: what a card's code is, and how cards are read and written.

A card is ``4*rank + suit``: rank 0…12 for 2…A, suit 0…3 for ♦ ♣ ♥ ♠, so that a larger code is
a higher card where suits rank. This module knows single cards only; what three of them are
worth is a game's business.
"""

import re
import unicodedata
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import as_array, check_choice, check_short, shown

__all__ = ["DECK_SIZE", "RANKS", "SUITS", "format", "parse"]

DECK_SIZE = 52

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("diamonds", "clubs", "hearts", "spades")

_SYMBOLS = ("♦", "♣", "♥", "♠")
_LETTERS = ("d", "c", "h", "s")
_SUITS_ZH = ("方块", "梅花", "红心", "黑桃")

# Every word for a suit, by suit code. "block", "box" and "plum blossom" are what machine
# translation makes of 方块 and 梅花, and what two of the seeds print.
_SUIT_WORDS = (
    ("♦", "♢", "diamonds", "diamond", "blocks", "block", "boxes", "box", "squares", "square",
     "方块", "方塊", "方片"),
    ("♣", "♧", "clubs", "club", "plum blossoms", "plum blossom", "plums", "plum", "梅花", "草花"),
    ("♥", "♡", "red hearts", "red heart", "hearts", "heart", "红心", "红桃", "紅心", "紅桃"),
    ("♠", "♤", "spades", "spade", "黑桃"),
)  # fmt: skip

_SUIT_CODES = {word: suit for suit, words in enumerate(_SUIT_WORDS) for word in words}
_SUFFIX_CODES = _SUIT_CODES | {letter: suit for suit, letter in enumerate(_LETTERS)}
_RANK_CODES = {text.lower(): rank for rank, text in enumerate(RANKS)} | {"t": 8}


def _any_of(words: dict[str, int]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)


# U+FE0F follows a suit symbol where it is asked to look like an emoji.
_CARD = re.compile(
    rf"(?P<suit>{_any_of(_SUIT_CODES)})\uFE0F?\s*(?P<rank>{_any_of(_RANK_CODES)})"
    rf"|(?P<rank_first>{_any_of(_RANK_CODES)})\s*(?P<suit_last>{_any_of(_SUFFIX_CODES)})\uFE0F?",
    re.IGNORECASE | re.ASCII,  # or a dotless ı would pass for an i
)
_LONE_SUIT = re.compile(rf"(?:{_any_of(_SUIT_CODES)})\uFE0F?\s+(?=\S)", re.IGNORECASE | re.ASCII)
_BETWEEN_CARDS = re.compile(r"""[\s,;、·|/'"\[\](){}]*""")
_EXAMPLES = "'As', '10h', '♠A', 'Spade 9' or '黑桃A'"


def parse(text: str) -> NDArray[np.uint8]:
    """Read cards from text.

    A suit may be a symbol, a letter after the rank, an English or a Chinese word; spaces and
    commas between cards are free, and so is the case of letters.

    Parameters
    ----------
    text : str
        One card or several: ``"As Kd 7c"``, ``"♠A ♥10"``, ``"Spade 9, spade J"``, ``"黑桃A"``.

    Returns
    -------
    ndarray of uint8, shape (k,)
        Card codes, in the order of the text. Equal cards are kept: whether a card may come
        twice is for the game to say.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If a piece of the text is not a card, or if there is none.

    Examples
    --------
    >>> parse("As Kd 7c").tolist()
    [51, 44, 21]
    >>> parse("Plum blossom J, red heart 10, 黑桃2").tolist()
    [37, 34, 3]
    """
    return read_cards(text, "text")


def read_cards(text: str, argument: str) -> NDArray[np.uint8]:
    """Read cards as `parse` does; messages name `argument`."""
    if not isinstance(text, str):
        raise TypeError(f"{argument}: expected a string of cards, got {type(text).__name__}")
    check_short(argument, text)
    clean = unicodedata.normalize("NFKC", text)
    codes = []
    at = _skip(clean, 0)
    while at < len(clean):
        match = _CARD.match(clean, at)
        if match is None:
            suit = _LONE_SUIT.match(clean, at)  # then what follows is at fault
            word = at if suit is None else suit.end()
            piece = clean[at:word] + re.split(r"[\s,;]", clean[word : word + 24])[0]
            raise ValueError(
                f"{argument}: cannot read a card at {shown(piece)} (character {at + 1}); "
                f"write cards like {_EXAMPLES}"
            )
        codes.append(_code(match))
        at = _skip(clean, match.end())
    if not codes:
        raise ValueError(f"{argument}: holds no card; write cards like {_EXAMPLES}")
    return np.array(codes, dtype=np.uint8)


def format(cards: ArrayLike, style: str = "ascii") -> str:
    """Write cards as text that `parse` reads back.

    Parameters
    ----------
    cards : array_like of int, shape (k,) or ()
        Card codes 0…51.
    style : {"ascii", "unicode", "zh"}
        ``As Th``, ``♠A ♥10`` or ``黑桃A 红心10``.

    Returns
    -------
    str
        The cards in the given order, separated by spaces.

    Raises
    ------
    TypeError
        If `cards` does not hold integers.
    ValueError
        If a code is outside 0…51, the array has more than one dimension, or the style is unknown.

    Examples
    --------
    >>> format([51, 34])
    'As Th'
    >>> format([51, 34], style="unicode")
    '♠A ♥10'
    >>> format([51, 34], style="zh")
    '黑桃A 红心10'
    """
    codes = np.atleast_1d(as_array(cards, "cards", "integers"))
    if codes.ndim > 1:
        raise ValueError(f"cards: expected shape (k,), got {codes.shape}")
    if codes.size and codes.dtype.kind not in "ui":
        raise TypeError(f"cards: expected integers, got dtype {codes.dtype}")
    for place, code in enumerate(codes.tolist()):
        if not 0 <= code < DECK_SIZE:
            raise ValueError(f"cards: card {code} at {place} is outside 0..51")
    check_choice("style", style, tuple(_WRITERS))
    return " ".join(_WRITERS[style](*divmod(int(code), 4)) for code in codes)


def _skip(text: str, at: int) -> int:
    match = _BETWEEN_CARDS.match(text, at)
    return at if match is None else match.end()


def _code(match: re.Match[str]) -> int:
    rank = (match["rank"] or match["rank_first"]).lower()
    suit = re.sub(r"\s+", " ", match["suit"] or match["suit_last"]).lower()
    return 4 * _RANK_CODES[rank] + _SUFFIX_CODES[suit]


_WRITERS: dict[str, Any] = {
    "ascii": lambda rank, suit: RANKS[rank].replace("10", "T") + _LETTERS[suit],
    "unicode": lambda rank, suit: _SYMBOLS[suit] + RANKS[rank],
    "zh": lambda rank, suit: _SUITS_ZH[suit] + RANKS[rank],
}
