"""Blackjack (21点): the game's public names."""

from cardstats.blackjack.rules import RULES, SEED_RULES, Result, Rules

__all__ = ["RULES", "SEED_RULES", "Result", "Rules"]
