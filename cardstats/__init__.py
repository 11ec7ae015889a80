"""Exact and simulated probabilities of hands: three-card poker, Mahjong, blackjack."""

from cardstats import blackjack, cards, mahjong, plot, published, three_card
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Showdown, Tally

__all__ = [
    "Comparison",
    "Distribution",
    "Showdown",
    "Tally",
    "blackjack",
    "cards",
    "compare",
    "mahjong",
    "plot",
    "published",
    "three_card",
]
__version__ = "0.1.0"
