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


@dataclass(frozen=True)
class PrintedCheck:
    """A seed's verdict on a hand.

    Parameters
    ----------
    codes : tuple of int
        The tiles in the seed's numbers, in its order.
    win : bool
        Whether it says that they win.
    groups : tuple of tuples of int
        The grouping that it prints; empty if it prints none.
    """

    codes: tuple[int, ...]
    win: bool
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class PrintedWaits:
    """What a seed says of the tiles that a hand waits on.

    Parameters
    ----------
    codes : tuple of int
        The hand in the seed's numbers.
    named : tuple of int
        Tiles that it names as completing the shape; there may be others.
    used_up : tuple of int
        Those of them of which it says that none is left.
    """

    codes: tuple[int, ...]
    named: tuple[int, ...]
    used_up: tuple[int, ...]


@dataclass(frozen=True)
class PrintedRound:
    """One printed round of blackjack, in which the player draws once.

    Parameters
    ----------
    seed : str
        Number of the seed.
    dealer, player : str
        The cards that are dealt, as spelled; the dealer draws no others.
    drawn : str
        The card that the player draws.
    bust : bool
        Whether it says that the player is bust.
    result : str
        What it says that the round comes to, by cardstats' labels.
    """

    seed: str
    dealer: str
    player: str
    drawn: str
    bust: bool
    result: str


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

SEED_002_ROUND = PrintedRound(
    seed="002",
    dealer="♣ 10  ♦ Q",
    player="♦ 4  ♥ 8",
    drawn="♥ K",
    bust=True,
    result="lose",
)

SEED_004_CHECKS = (
    PrintedCheck(
        (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
        win=True,
        groups=((1, 1), (2, 3, 4), (2, 3, 4), (5, 6, 7), (5, 6, 7)),
    ),
    PrintedCheck((1, 1, 1, 1, 13, 13, 4, 4, 5, 5, 6, 6, 17, 17), win=True),
    PrintedCheck((1, 9, 11, 19, 21, 29, 31, 33, 35, 37, 41, 43, 45, 29), win=True),
    PrintedCheck((1, 1, 2, 2, 2, 2, 3, 3), win=True, groups=((2, 2), (1, 2, 3), (1, 2, 3))),
    PrintedCheck(
        (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 17, 18, 19),
        win=True,
        groups=((3, 3), (1, 1, 1), (2, 2, 2), (3, 4, 5), (17, 18, 19)),
    ),
    PrintedCheck(
        (18, 18, 31, 33, 35, 31, 31, 33, 33, 35, 35),
        win=True,
        groups=((18, 18), (31, 31, 31), (33, 33, 33), (35, 35, 35)),
    ),
    PrintedCheck((33, 34, 35, 36, 36), win=False),
    PrintedCheck((1, 2, 3, 4), win=False),
    PrintedCheck((1, 2, 3, 4, 5), win=False),
    PrintedCheck((1, 1, 2, 3, 5, 6, 7, 8), win=False),
)

SEED_004_WAITS = PrintedWaits((3, 4, 5, 5, 5, 5, 6, 7, 8, 8), named=(5, 8), used_up=(5,))
