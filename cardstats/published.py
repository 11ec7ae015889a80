"""The figures that the seeds print, as they print them: what cardstats is held against.

Nothing here is used to compute anything. A seed is named by its number. Figures that a seed
sampled and figures that it computed and rounded are told apart, since they are judged differently:
a sample by a test of fit, a rounded value by rounding the exact one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType


@dataclass(frozen=True)
class SampledCounts:
    """Counts that a seed's own simulation printed.

    Parameters
    ----------
    seed : str
        Number of the seed.
    games, players : int
        What was simulated.
    counts : mapping of label to int
        Hands of each class, by cardstats' labels.
    """

    seed: str
    games: int
    players: int
    counts: Mapping[str, int]


@dataclass(frozen=True)
class RoundedPercentages:
    """Probabilities that a seed derived and printed rounded.

    Parameters
    ----------
    seed : str
        Number of the seed.
    percent : mapping of label to Decimal
        By cardstats' labels, with the digits that were printed.
    """

    seed: str
    percent: Mapping[str, Decimal]

    @property
    def probabilities(self) -> dict[str, float]:
        """The same from 0 to 1, as `cardstats.compare` and `cardstats.plot.bars` take them.

        Examples
        --------
        >>> SEED_001_PERCENTAGES.probabilities["pair"]
        0.16941
        """
        return {label: float(percent / 100) for label, percent in self.percent.items()}


@dataclass(frozen=True)
class PrintedHand:
    """One hand of a printed game: its cards as spelled, its points, the seed's word for it."""

    cards: str
    points: int
    word: str


@dataclass(frozen=True)
class PrintedGame:
    """One printed game: the hands of the seats in order, and the winner's number from 1."""

    seed: str
    hands: tuple[PrintedHand, ...]
    winner: int


# The words of seed 000. Its "Flush" is a straight flush: 同花顺 as a machine translated it.
SEED_000_WORDS = MappingProxyType(
    {
        "Leaflet": "high card",
        "Pair": "pair",
        "Golden Flower": "flush",
        "Shunzi": "straight",
        "leopard": "three of a kind",
        "Flush": "straight flush",
    }
)

SEED_000_COUNTS = SampledCounts(
    seed="000",
    games=100_000,
    players=5,
    counts=MappingProxyType(
        {
            "high card": 371_856,
            "pair": 84_773,
            "flush": 24_833,
            "straight": 16_239,
            "three of a kind": 1_179,
            "straight flush": 1_120,
        }
    ),
)

SEED_001_PERCENTAGES = RoundedPercentages(
    seed="001",
    percent=MappingProxyType(
        {
            label: Decimal(text)
            for label, text in {
                "three of a kind": "0.235",
                "straight flush": "0.217",
                "flush": "4.959",
                "straight": "3.258",
                "pair": "16.941",
                "high card A": "17.376",
                "high card K": "14.661",
                "high card Q": "11.946",
                "high card J": "9.502",
                "high card 10": "7.330",
                "high card 9": "5.430",
                "high card 8": "3.801",
                "high card 7": "2.443",
                "high card 6": "1.357",
                "high card 5": "0.543",
            }.items()
        }
    ),
)


def _game(winner: int, *hands: tuple[str, int, str]) -> PrintedGame:
    return PrintedGame("000", tuple(PrintedHand(*hand) for hand in hands), winner)


SEED_000_GAMES = (
    _game(
        3,
        ("Block 5, Plum blossom 3, block A", 22, "Leaflet"),
        ("Spade 4, Block 8, spade J", 23, "Leaflet"),
        ("Red heart 10, Hearts K, Box 7", 30, "Leaflet"),
        ("Box 4, Plum blossom 6, block J", 21, "Leaflet"),
        ("Red heart 5, Plum blossom 10, spade A", 29, "Leaflet"),
    ),
    _game(
        1,
        ("block Q, Spade 5, spade K", 30, "Leaflet"),
        ("Spade 2, Block 2, Red heart 10", 18, "Pair"),
        ("Plum blossom 2, Spade 4, Plum blossom J", 17, "Leaflet"),
        ("Hearts K, Plum blossom 7, Red heart 6", 26, "Leaflet"),
        ("block A, Block 6, Red heart 4", 24, "Leaflet"),
    ),
    _game(
        1,
        ("spade J, Spade 5, Spade 4", 180, "Golden Flower"),
        ("Plum blossom 7, Red heart 4, Plum blossom 5", 16, "Leaflet"),
        ("Block 5, Spade 9, Plum blossom 10", 24, "Leaflet"),
        ("spade Q, Plum blossom 9, Spades 10", 31, "Leaflet"),
        ("Red heart 9, Box 9, Hearts A", 50, "Pair"),
    ),
    _game(
        1,
        ("Block 8, Spades 10, Box 9", 2187, "Shunzi"),
        ("Plum blossom 9, Hearts Q, Spade 3", 24, "Leaflet"),
        ("block A, Plum blossom K, Spade 4", 31, "Leaflet"),
        ("block J, Hearts J, Red heart 6", 50, "Pair"),
        ("Plum blossom 5, spade K, Box 3", 21, "Leaflet"),
    ),
    _game(
        2,
        ("spade Q, Spade 8, Plum blossom 6", 26, "Leaflet"),
        ("Red heart 3, Plum blossom 3, Spades 3", 5994, "leopard"),
        ("Hearts A, Red heart 6, Block 5", 25, "Leaflet"),
        ("Spade 4, Plum blossom A, Block 2", 20, "Leaflet"),
        ("Plum blossom 7, Spade 6, Plum blossom 8", 1701, "Shunzi"),
    ),
    _game(
        5,
        ("Spade 5, Plum blossom 9, Box 9", 41, "Pair"),
        ("spade Q, Spade 2, Hearts Q", 50, "Pair"),
        ("Red heart 2, Spade 7, Red heart 5", 14, "Leaflet"),
        ("Plum blossom 3, Block 10, spade A", 27, "Leaflet"),
        ("Spade 9, spade J, Spades 10", 29970, "Flush"),
    ),
)
