"""Mahjong (麻将, 和牌): the game's public names."""

from cardstats.mahjong.exact import exact_forms, exact_overlap, exact_shanten, exact_waits
from cardstats.mahjong.numbering import counts, from_codes, from_ids, to_codes
from cardstats.mahjong.rules import (
    CHINESE,
    RIICHI,
    RULES,
    SICHUAN,
    STANDARD_ONLY,
    Form,
    Rules,
)
from cardstats.mahjong.tiles import format, parse
from cardstats.mahjong.winning import Decomposition, Group, WinCheck, check, decompose

__all__ = [
    "CHINESE",
    "RIICHI",
    "RULES",
    "SICHUAN",
    "STANDARD_ONLY",
    "Decomposition",
    "Form",
    "Group",
    "Rules",
    "WinCheck",
    "check",
    "counts",
    "decompose",
    "exact_forms",
    "exact_overlap",
    "exact_shanten",
    "exact_waits",
    "format",
    "from_codes",
    "from_ids",
    "parse",
    "to_codes",
]
