"""Mahjong (麻将, 和牌): the game's public names."""

from cardstats.mahjong.rules import (
    CHINESE,
    RIICHI,
    RULES,
    SICHUAN,
    STANDARD_ONLY,
    Form,
    Rules,
)

__all__ = [
    "CHINESE",
    "RIICHI",
    "RULES",
    "SICHUAN",
    "STANDARD_ONLY",
    "Form",
    "Rules",
]
