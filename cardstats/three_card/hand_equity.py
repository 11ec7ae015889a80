"""What one given hand is worth: counted against one or two opponents, simulated against more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import whole
from cardstats._engine import RNG, Stream
from cardstats._table import InWords, Lang, percent_text
from cardstats.results import pot_share
from cardstats.three_card.exact import MAX_LISTED_PLAYERS, ordered_deals
from cardstats.three_card.exact_heroes import count_sharers
from cardstats.three_card.hands import checked_hand, read_hand
from cardstats.three_card.kernels import all_hands
from cardstats.three_card.rules import (
    BEYOND_THE_DECK,
    MAX_PLAYERS,
    ZHA_JIN_HUA,
    Rules,
    checked_rules,
)
from cardstats.three_card.simulation import equity_counts


@dataclass(frozen=True)
class Equity(InWords):
    """What one given hand is worth against unknown ones.

    Parameters
    ----------
    win, draw, lose : int
        Deals in which the hand beats everyone, shares the best hand, or meets a better one.
    share : Fraction
        Sum over the deals of the hand's part of the pot: 1 for a win, 1/k where k share it.
    total : int
        All deals: win + draw + lose.
    se : float
        Standard error of `equity`; 0 where all deals were counted.
    exact : bool
        Whether all deals were counted, or some were drawn.

    Examples
    --------
    >>> print(Equity(win=3, draw=1, lose=4, share=Fraction(7, 2), total=8, se=0.0))
    win 37.5000 %, draw 12.5000 %, lose 50.0000 %; equity 43.7500 % (exact, 8 deals)
    >>> print(equity("黑桃A 方块K 梅花7").to_text("zh"))
    胜 73.4911 %，平 0.1411 %，负 26.3678 %；权益 73.5617 %（精确，共 18,424 种发牌）
    """

    win: int
    draw: int
    lose: int
    share: Fraction
    total: int
    se: float
    exact: bool = True

    @property
    def equity(self) -> Fraction:
        """The hand's average part of the pot."""
        return self.share / self.total

    def _text(self, lang: Lang) -> str:
        text, exact, simulated = {
            "en": ("win {} %, draw {} %, lose {} %; equity {} % ({how})",
                   "exact, {:,} deals", "± {:.4f} % standard error, simulated, {:,} deals"),
            "zh": ("胜 {} %，平 {} %，负 {} %；权益 {} %（{how}）",
                   "精确，共 {:,} 种发牌", "标准误 ± {:.4f} %，模拟 {:,} 局"),
        }[lang]  # fmt: skip
        rates = [Fraction(count, self.total) for count in (self.win, self.draw, self.lose)]
        many = (self.total,) if self.exact else (100 * self.se, self.total)
        how = (exact if self.exact else simulated).format(*many)
        return text.format(*map(percent_text, (*rates, self.equity)), how=how)


def equity(
    hand: str | ArrayLike,
    *,
    opponents: int = 1,
    rules: Rules = ZHA_JIN_HUA,
    rng: RNG = None,
    games: int = 10**7,
) -> Equity:
    """Weigh a given hand against unknown ones.

    One and two opponents are counted over all deals, more are simulated.

    Parameters
    ----------
    hand : str or array_like of int, shape (3,)
        Three cards: text that `parse` reads, or codes.
    opponents : int
        1 to 16.
    rules : Rules
        Any.
    rng : None, int, SeedSequence or Generator
        Where the games are drawn from, with three or more opponents.
    games : int
        How many of them.

    Returns
    -------
    Equity
        ``se`` is 0 where all deals were counted.

    Raises
    ------
    TypeError, ValueError
        If `hand` is not three different cards, or a number is outside its range.

    Examples
    --------
    >>> equity("A♠ K♣ 7♦").win
    13540
    """
    cards = read_hand(hand, "hand") if isinstance(hand, str) else checked_hand(hand)
    rules, games = checked_rules(rules), whole(games, "games", 1)
    players = 1 + whole(opponents, "opponents", 1, MAX_PLAYERS - 1, BEYOND_THE_DECK)
    stream = Stream.of(rng)
    if players > MAX_LISTED_PLAYERS:
        return _simulated_equity(cards, players, rules, stream, games)
    index = np.flatnonzero((all_hands() == np.sort(cards)).all(axis=1))
    sharers: list[int] = count_sharers(rules, players, index)[0].tolist()
    win, draw = sharers[0], sum(sharers[1:])
    total = ordered_deals(players) // len(all_hands())
    return Equity(win, draw, total - win - draw, pot_share(sharers), total, se=0.0)


def _simulated_equity(
    hand: NDArray[np.uint8], players: int, rules: Rules, stream: Stream, games: int
) -> Equity:
    sharers = equity_counts(np.sort(hand), players=players, rules=rules, games=games, rng=stream)
    win, draw, share = sharers[0], sum(sharers[1:]), pot_share(sharers)
    mean_square = sum(Fraction(deals, games * k**2) for k, deals in enumerate(sharers, start=1))
    se = math.sqrt((mean_square - (share / games) ** 2) / games)
    return Equity(win, draw, games - win - draw, share, games, se, exact=False)
