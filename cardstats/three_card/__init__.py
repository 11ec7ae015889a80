"""Three-card poker (Zha Jin Hua, 炸金花, and its kin): the game's public names."""

from cardstats.three_card.disagreement import exact_disagreement, simulate_disagreement
from cardstats.three_card.exact import exact_best, exact_categories, exact_showdown
from cardstats.three_card.hand_equity import Equity, equity
from cardstats.three_card.hands import format, parse
from cardstats.three_card.kernels import all_hands, classify, points, strength, winners
from cardstats.three_card.rules import (
    RULES,
    TEEN_PATTI,
    THREE_CARD_BRAG,
    THREE_CARD_POKER,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_235,
    ZHA_JIN_HUA_POINTS,
    Category,
    Rules,
)
from cardstats.three_card.simulation import deal, simulate, simulate_showdown, tally

__all__ = [
    "RULES",
    "TEEN_PATTI",
    "THREE_CARD_BRAG",
    "THREE_CARD_POKER",
    "ZHA_JIN_HUA",
    "ZHA_JIN_HUA_235",
    "ZHA_JIN_HUA_POINTS",
    "Category",
    "Equity",
    "Rules",
    "all_hands",
    "classify",
    "deal",
    "equity",
    "exact_best",
    "exact_categories",
    "exact_disagreement",
    "exact_showdown",
    "format",
    "parse",
    "points",
    "simulate",
    "simulate_disagreement",
    "simulate_showdown",
    "strength",
    "tally",
    "winners",
]
