"""Exact and simulated probabilities of hands: three-card poker (Zha Jin Hua) and Mahjong."""

from cardstats import cards, mahjong, plot, published, three_card
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Showdown, Tally

__all__ = [
    "Comparison",
    "Distribution",
    "Showdown",
    "Tally",
    "cards",
    "compare",
    "mahjong",
    "plot",
    "published",
    "three_card",
]
__version__ = "0.1.0"
