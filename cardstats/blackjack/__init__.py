"""Blackjack (21点): the game's public names."""

from cardstats.blackjack.advice import Advice, Chances, advise
from cardstats.blackjack.exact import Outcome, exact_dealer, exact_outcome, optimal_policy
from cardstats.blackjack.hands import format, parse, values
from cardstats.blackjack.kernels import is_natural, is_soft, total
from cardstats.blackjack.policy import MIMIC_DEALER, Policy, stand_on
from cardstats.blackjack.rules import RULES, SEED_RULES, Result, Rules
from cardstats.blackjack.simulation import simulate
from cardstats.blackjack.table_game import play

__all__ = [
    "MIMIC_DEALER",
    "RULES",
    "SEED_RULES",
    "Advice",
    "Chances",
    "Outcome",
    "Policy",
    "Result",
    "Rules",
    "advise",
    "exact_dealer",
    "exact_outcome",
    "format",
    "is_natural",
    "is_soft",
    "optimal_policy",
    "parse",
    "play",
    "simulate",
    "stand_on",
    "total",
    "values",
]
