"""Mahjong (麻将, 和牌): the game's public names."""

from cardstats.mahjong.exact import exact_forms, exact_overlap, exact_shanten, exact_waits
from cardstats.mahjong.improving import Option, Prospects, prospects
from cardstats.mahjong.kernels import acceptance, classify, discards, is_win, shanten, waits
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
from cardstats.mahjong.simulation import deal, simulate, tally
from cardstats.mahjong.tiles import format, parse, tile_name
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
    "Option",
    "Prospects",
    "Rules",
    "WinCheck",
    "acceptance",
    "check",
    "classify",
    "counts",
    "deal",
    "decompose",
    "discards",
    "exact_forms",
    "exact_overlap",
    "exact_shanten",
    "exact_waits",
    "format",
    "from_codes",
    "from_ids",
    "is_win",
    "parse",
    "prospects",
    "shanten",
    "simulate",
    "tally",
    "tile_name",
    "to_codes",
    "waits",
]
