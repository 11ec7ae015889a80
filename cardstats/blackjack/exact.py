"""What blackjack comes to, exactly: the dealer's totals, a policy's outcome, the best policy.

Deals are counted in ordered ways to draw cards, as Python ints: no float, no rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from cardstats._checks import shown, whole
from cardstats._table import InWords, Lang, percent_text
from cardstats.blackjack.dealer import (
    DRAWS_ON,
    FINALS,
    FINALS_ZH,
    dealer_hands,
    longest_hand,
    orders_seen,
    ways_of,
)
from cardstats.blackjack.decks import (
    NATURAL_HAND,
    Cards,
    Deck,
    card_name,
    compositions,
    deck_of,
    orders_of_seen,
    seen_hands,
    take,
    value_of,
)
from cardstats.blackjack.induction import DEALER_DRAWS_TO, check_enough, game_of, play_on
from cardstats.blackjack.policy import MOST_SEEN, NO_MORE, Policy
from cardstats.blackjack.rules import (
    SEED_RULES,
    Result,
    Rules,
    checked_rules,
    row_labels,
    titles,
)
from cardstats.results import Distribution


def exact_dealer(
    *, upcard: int | str | None = None, removed: Cards = (), rules: Rules = SEED_RULES
) -> Distribution:
    """Count where the dealer ends, drawing from a deck that may lack cards.

    Parameters
    ----------
    upcard : int or str, optional
        The dealer's first card, as a value, 1 for an ace to 10, or as text: "A", "10", "K".
    removed : int, str, or iterable of them
        Other cards that have left the deck, in the same words: ``"A 10 K"``, ``[1, 10, 10]``.
    rules : Rules
        How many decks, and whether the dealer draws to a soft 17.

    Returns
    -------
    Distribution
        Rows 17, 18, 19, 20, 21, natural and bust; 21 is one of three cards or more. Counts are
        parts of their least common denominator.

    Raises
    ------
    TypeError, ValueError
        If a card is no value, has left the deck already, or too few are left for the dealer.

    Examples
    --------
    >>> dealer = exact_dealer(upcard="A")
    >>> dealer.probabilities[dealer.index("natural")]
    Fraction(16, 51)
    """
    rules = checked_rules(rules)
    deck = deck_of(rules, removed)
    shown = () if upcard is None else (value_of(upcard, "upcard"),)
    take(deck, shown, "upcard")
    check_enough(deck, DEALER_DRAWS_TO)
    most = deck.at_most(longest_hand(deck, rules.hit_soft_17))
    column = seen_hands(len(shown)).index(shown)
    orders = orders_seen(rules.hit_soft_17, len(shown))[:, column].tolist()
    hands = dealer_hands(rules.hit_soft_17)
    counts = [0] * len(FINALS)
    for final, cards, order, ways in zip(
        hands.final.tolist(),
        hands.cards.tolist(),
        orders,
        ways_of(deck, rules.hit_soft_17),
        strict=True,
    ):
        if final != DRAWS_ON and ways:
            counts[final] += order * ways * deck.draws(most - cards, gone=cards)
    names = "dealer's final totals", "庄家的最终点数"
    if shown:
        name = card_name(*shown)
        names = f"{names[0]}, up-card {name}", f"{names[1]}，明牌 {name}"
    gone = deck_of(rules).size - deck.size
    names = names[0] + _gone(gone), names[1] + _gone_zh(gone)
    return _distribution((FINALS, FINALS_ZH), counts, names, rules)


@dataclass(frozen=True, repr=False)
class Outcome(InWords):
    """What a policy comes to, exactly.

    Parameters
    ----------
    distribution : Distribution
        For `cardstats.compare`: rows natural (a win by a natural), win (any other), draw and lose.
    natural_payout : Fraction
        What a winning natural pays for a stake of 1.
    """

    distribution: Distribution
    natural_payout: Fraction

    @property
    def natural(self) -> Fraction:
        """Probability to win by a natural: a part of `win`."""
        return self.distribution.probabilities[Result.NATURAL]

    @property
    def win(self) -> Fraction:
        """Probability to win, naturals included."""
        return self.natural + self.distribution.probabilities[Result.WIN]

    @property
    def draw(self) -> Fraction:
        """Probability of a draw."""
        return self.distribution.probabilities[Result.DRAW]

    @property
    def lose(self) -> Fraction:
        """Probability to lose."""
        return self.distribution.probabilities[Result.LOSE]

    @property
    def ev(self) -> Fraction:
        """Expected value for a stake of 1."""
        return self.win - self.lose + (self.natural_payout - 1) * self.natural

    def _text(self, lang: Lang) -> str:
        words = {
            "en": ("win {} % ({} % by a natural), draw {} %, lose {} %",
                   "expected value {:+.6f}"),
            "zh": ("胜 {} %（黑杰克 {} %），平 {} %，负 {} %", "期望值 {:+.6f}"),
        }  # fmt: skip
        shares = map(percent_text, (self.win, self.natural, self.draw, self.lose))
        chances, value = words[lang]
        title = self.distribution.title_in(lang)
        return "\n".join([title, chances.format(*shares), value.format(float(self.ev))])

    def __repr__(self) -> str:
        """Say what it is in one line; ``print`` shows the numbers."""
        return f"<Outcome: {self.distribution.title}>"


def exact_outcome(policy: Policy, *, removed: Cards = (), rules: Rules = SEED_RULES) -> Outcome:
    """Count what a policy comes to over all deals.

    Parameters
    ----------
    policy : Policy
        When the player draws. Where a natural beats any other 21, a dealer's natural has won
        already unless the player has one too: draws change nothing then.
    removed : int, str, or iterable of them
        Cards that have left the deck before the deal; see `exact_dealer`.
    rules : Rules
        Any.

    Returns
    -------
    Outcome

    Raises
    ------
    TypeError, ValueError
        If an argument is of another kind, or too few cards are left.

    Examples
    --------
    >>> from cardstats.blackjack.policy import MIMIC_DEALER
    >>> print(exact_outcome(MIMIC_DEALER))
    mimic the dealer, seed
    win 41.2518 % (4.6492 % by a natural), draw 9.4872 %, lose 49.2610 %
    expected value -0.080092
    """
    rules = checked_rules(rules)
    if not isinstance(policy, Policy):
        raise TypeError(f"policy: expected blackjack.Policy, got {shown(policy)}")
    seen = policy.dealer_cards_seen
    deck = deck_of(rules, removed)
    game = game_of(deck, rules, seen)
    played = play_on(game, policy.by_composition())
    times = orders_of_seen(seen)
    natural_hand = compositions().numbers[NATURAL_HAND]
    stands = ~played.hit[natural_hand]
    natural = 2 * int((game.win[natural_hand] * stands) @ times)
    win, draw = int(played.win[0] @ times), int(played.draw[0] @ times)
    deals = deck.draws(game.cards)
    counts = (natural, win - natural, draw, deals - win - draw)
    names = policy.name, policy.name_zh or policy.name
    return Outcome(_distribution(row_labels(), counts, names, rules), rules.natural_payout)


def optimal_policy(
    *, dealer_cards_seen: int = 1, removed: Cards = (), rules: Rules = SEED_RULES
) -> Policy:
    """Find the policy of the largest expected value, given every card that is seen.

    Parameters
    ----------
    dealer_cards_seen : {0, 1, 2}
        How many of the dealer's cards the player sees, besides the player's own.
    removed : int, str, or iterable of them
        Cards that have left the deck before the deal; see `exact_dealer`.
    rules : Rules
        Any.

    Returns
    -------
    Policy
        By composition. Where hitting and standing are worth the same, it stands; so it does with
        hands that the deck cannot make.

    Raises
    ------
    TypeError, ValueError
        If `dealer_cards_seen` is none of 0, 1 and 2, or too few cards are left.

    Notes
    -----
    By backward induction over the player's compositions, from many cards to two.

    Examples
    --------
    >>> best = optimal_policy()
    >>> best.hits("10 6", "10"), best.hits("5 5 6", "10")
    (True, False)
    """
    rules = checked_rules(rules)
    seen = whole(dealer_cards_seen, "dealer_cards_seen", 0, MOST_SEEN, NO_MORE)
    return _best(deck_of(rules, removed), rules, seen)


@lru_cache(maxsize=16)
def _best(deck: Deck, rules: Rules, seen: int) -> Policy:
    played = play_on(game_of(deck, rules, seen), None, rules.natural_payout)
    hit = played.hit.copy()
    hit[: compositions().of_size[2].start] = False  # the first two cards are dealt, not drawn
    # Of the seed's game nothing is said: its charts are told apart from those of other games.
    gone = deck_of(rules).size - deck.size
    under = f" ({rules.name}{_gone(gone)})" if rules != SEED_RULES or gone else ""
    under_zh = f"（{rules.name}{_gone_zh(gone)}）" if under else ""
    return Policy(
        name=f"best play{under}, {seen} dealer card{'s' * (seen != 1)} seen",
        name_zh=f"最佳打法{under_zh}，见庄家 {seen} 张牌",
        hit=hit,
        dealer_cards_seen=seen,
        deck=deck,
    )


def _gone(cards: int) -> str:
    return f", {cards} card{'s' * (cards != 1)} removed" if cards else ""


def _gone_zh(cards: int) -> str:
    return f"，去掉 {cards} 张牌" if cards else ""


def _distribution(
    labels: tuple[Sequence[str], Sequence[str]],
    counts: Sequence[int],
    names: tuple[str, str],
    rules: Rules,
) -> Distribution:
    divisor = math.gcd(*counts)
    lowest = [count // divisor for count in counts]
    return Distribution(
        labels=labels[0], labels_zh=labels[1], counts=lowest, **titles(names, rules)
    )
