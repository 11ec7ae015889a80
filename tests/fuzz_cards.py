"""Cards as codes and as text: what is called, and what the plain answer is."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
from fuzz_kinds import UNSURE, Numbers, Refused, Text, Word
from fuzzing import Target

from cardstats import cards

TARGETS: dict[str, Target] = {}

DECK = range(52)
CARD_STYLES = ("ascii", "unicode", "zh")
STYLE = Word(*CARD_STYLES)


def draw_cards(r: random.Random) -> np.ndarray:
    return np.array([r.choice(DECK) for _ in range(r.randint(1, 8))])


def read_cards(codes: Any, shape: tuple[int, ...]) -> Any:
    """Read card codes, of which equal ones are allowed."""
    if shape == ():
        codes, shape = [codes], (1,)
    if len(shape) != 1 or any(code not in DECK for code in codes):
        raise Refused
    return codes


def write_cards(codes: Iterable[int], style: str) -> str:
    """Write cards, plainly."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    suits = {"ascii": "dchs", "unicode": "♦♣♥♠", "zh": ["方块", "梅花", "红心", "黑桃"]}[style]
    if style == "ascii":
        return " ".join(ranks[c // 4].replace("10", "T") + suits[c % 4] for c in codes)
    return " ".join(suits[c % 4] + ranks[c // 4] for c in codes)


def say_cards(r: random.Random) -> str:
    codes = r.choices(DECK, k=r.randint(1, 7))
    text = write_cards(codes, r.choice(CARD_STYLES))
    return r.choice([text, text.replace(" ", ", "), f"[{text}]", text.upper()])


CARD_LETTERS = set(
    "23456789010tjqkadchs♦♢♣♧♥♡♠♤方块塊片梅花草红紅心桃黑 ,;、·|/'\"[](){}\ufe0f"
) | set("diamonds clubs hearts spades blocks boxes squares plum blossoms red")


def read_card_text(text: str) -> Any:
    """Read what `write_cards` writes; of other text tell only when it cannot be cards."""
    if len(text) > 5_000:
        raise Refused
    clean = unicodedata.normalize("NFKC", text)
    written = re.findall(r"(10|[2-9TJQKA])([dchs])", clean)
    if written and " ".join(map("".join, written)) == clean:
        return [
            4 * "23456789TJQKA".index(a.replace("10", "T")) + "dchs".index(b) for a, b in written
        ]
    known = all(letter.lower() in CARD_LETTERS or letter.isspace() for letter in clean)
    if not known or not any(letter.isalnum() for letter in clean):
        raise Refused
    return UNSURE


def as_codes(codes: Iterable[int]) -> np.ndarray:
    return np.array(list(codes), dtype=np.uint8)


class Cards(Numbers):
    """Is any cards; of none at all it does not matter what they would have been."""

    def read(self, value: Any) -> Any:
        empty = (
            value.shape == (0,)
            if isinstance(value, np.ndarray)
            else isinstance(value, list | tuple) and not value
        )
        return UNSURE if empty else super().read(value)


CARDS = Cards(draw_cards, read_cards)
CARD_TEXT = Text(say_cards, read_card_text)

TARGETS |= {
    "cards.parse": Target(cards.parse, {"text": CARD_TEXT}, lambda text: as_codes(text), tries=400),
    "cards.format": Target(
        cards.format,
        {"cards": CARDS, "style": STYLE},
        lambda cards, style: write_cards(cards, style),
        tries=500,
    ),
}
