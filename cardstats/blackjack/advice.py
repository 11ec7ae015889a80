"""What a decision comes to while a game is played, exactly, given every card that is seen."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from cardstats._checks import shown, whole
from cardstats._table import InWords, Lang, percent_text
from cardstats.blackjack.dealer import orders_seen
from cardstats.blackjack.decks import (
    NATURAL_HAND,
    Cards,
    compositions,
    deck_of,
    hand_of,
    seen_hands,
    take,
)
from cardstats.blackjack.induction import count_game, play_on
from cardstats.blackjack.policy import MOST_SEEN, NO_MORE
from cardstats.blackjack.rules import SEED_RULES, Rules, checked_rules


class Chances(NamedTuple):
    """How a decision turns out, exactly."""

    win: Fraction
    draw: Fraction
    lose: Fraction
    ev: Fraction


@dataclass(frozen=True)
class Advice(InWords):
    """What standing comes to, and hitting with the best play from there on.

    Examples
    --------
    >>> print(advise("A 6", 9).to_text("zh"))
    拿牌：胜 37.4594 %，平 11.6138 %，负 50.9268 %，期望值 -0.1347  较优
    停牌：胜 23.5308 %，平 12.2315 %，负 64.2377 %，期望值 -0.4071
    """

    stand: Chances
    hit: Chances

    def _text(self, lang: Lang) -> str:
        hit, stand, line, better = {
            "en": (
                "hit:  ",
                "stand:",
                "{} win {} %, draw {} %, lose {} %, value {:+.4f}{}",
                "better",
            ),
            "zh": ("拿牌：", "停牌：", "{}胜 {} %，平 {} %，负 {} %，期望值 {:+.4f}{}", "较优"),
        }[lang]
        lines = []
        for word, chances, other in ((hit, self.hit, self.stand), (stand, self.stand, self.hit)):
            mark = f"  {better}" if chances.ev > other.ev else ""
            shares = map(percent_text, chances[:3])
            lines.append(line.format(word, *shares, float(chances.ev), mark))
        return "\n".join(lines)

    @property
    def best(self) -> Literal["hit", "stand"]:
        """The better of both; to stand where they are equal."""
        return "hit" if self.hit.ev > self.stand.ev else "stand"


def advise(
    player: Cards, dealer: Cards = (), *, removed: Cards = (), rules: Rules = SEED_RULES
) -> Advice:
    """Tell what hitting and standing come to, given every card that is seen.

    Parameters
    ----------
    player : int, str, or iterable of them
        Values of the player's cards, two or more: ``"10 6"``, ``[10, "A"]``.
    dealer : int, str, or iterable of them
        Those of the dealer's first two cards that are seen.
    removed : int, str, or iterable of them
        Other cards that have left the deck.
    rules : Rules
        Any.

    Returns
    -------
    Advice
        Chances of a win, a draw and a loss, and the expected value, of both.

    Raises
    ------
    TypeError, ValueError
        If a card cannot be read or has left the deck, or there is nothing to decide.

    Examples
    --------
    >>> advice = advise("10 10", "K Q")
    >>> advice.stand.draw, advice.best
    (Fraction(1, 1), 'stand')
    >>> print(advise("10 6", "9 J"))
    hit:   win 19.4187 %, draw 9.7749 %, lose 70.8064 %, value -0.5139  better
    stand: win 0.0000 %, draw 0.0000 %, lose 100.0000 %, value -1.0000
    """
    rules = checked_rules(rules)
    deck = deck_of(rules, removed)
    hand, seen = hand_of(player, "player"), hand_of(dealer, "dealer")
    take(take(deck, hand, "player"), seen, "dealer")
    whole(len(seen), "dealer", 0, MOST_SEEN, NO_MORE, "number of cards: ")
    number = compositions().numbers.get(hand, 0)
    if len(hand) < 2 or not number:
        raise ValueError(f"player: {shown(player)} is no hand that can be played on")
    column = seen_hands(len(seen)).index(seen)
    orders = orders_seen(rules.hit_soft_17, len(seen))[:, column : column + 1]
    game = count_game(deck, rules, orders, hand)
    played = play_on(game, None, rules.natural_payout)
    following = played.drawing(number)
    known = hand + seen
    deals = deck.ways(known) * deck.draws(game.cards - len(known), gone=len(known))
    payout = rules.natural_payout if hand == NATURAL_HAND else Fraction(1)
    return Advice(
        stand=_chances(game.win[number, 0], game.draw[number, 0], deals, payout),
        hit=_chances(*following, deals, Fraction(1)),
    )


def _chances(win: int, draw: int, deals: int, payout: Fraction) -> Chances:
    won, drawn = Fraction(win, deals), Fraction(draw, deals)
    lost = 1 - won - drawn
    return Chances(won, drawn, lost, payout * won - lost)
