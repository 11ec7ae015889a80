"""What blackjack must answer, in the plainest Python that could be right.

This file is the specification: it is written from the rules of the game alone, with tuples,
recursion and Fractions, and must never learn from the package how something is done. Hands are
sequences of values, 1 for an ace and 10 for ten, jack, queen and king.

A deck is a tuple of ten counts, of the values 1 to 10, or ENDLESS. Whoever draws from a finite
deck needs a card there: where the values of a deck sum to more than 41 nobody ever lacks one,
since a player who draws holds at most 21, a dealer at most 20.

A policy is a function of the player's hand, ascending, and of the dealer's cards that are seen, a
tuple of none, one or two; it says whether the player draws. All chances are Fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from cardstats.blackjack.rules import Result, Rules

Values = tuple[int, ...]
Deck = tuple[int, ...] | str
Policy = Callable[[Values, Values], bool]
Chances = dict  # of a row of a table: the probability

ACE, TEN = 1, 10
ENDLESS = "endless"
PACK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
DEALER_ROWS = (17, 18, 19, 20, 21, "natural", "bust")
HAND_OF_ROW = {  # one hand for each row: against a player all hands of a row do the same
    17: (7, 10), 18: (8, 10), 19: (9, 10), 20: (10, 10), 21: (5, 6, 10), "natural": (1, 10),
    "bust": (6, 6, 10),
}  # fmt: skip


# --- hands ---


def value(card: int) -> int:
    """Value of a card's code, ``4*rank + suit`` with rank 0…12 for 2…A."""
    name = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")[card // 4]
    return {"J": 10, "Q": 10, "K": 10, "A": 1}.get(name) or int(name)


def total(hand: Sequence[int]) -> int:
    """Best total: aces count 11 and fall to 1, one at a time, while the hand is a bust."""
    return _best(hand)[0]


def is_soft(hand: Sequence[int]) -> bool:
    """Whether an ace counts 11 in the best total."""
    return _best(hand)[1] > 0


def is_natural(hand: Sequence[int]) -> bool:
    """Whether the hand is an ace and a ten-valued card."""
    return sorted(hand) == [ACE, TEN]


def _best(hand: Sequence[int]) -> tuple[int, int]:
    """Best total, and how many aces count 11 in it."""
    high = sum(value == ACE for value in hand)
    points = sum(11 if value == ACE else value for value in hand)
    while points > 21 and high > 0:
        points -= 10
        high -= 1
    return points, high


# --- decks ---


def pack(decks: int | float) -> Deck:
    """Give so many packs of 52 cards; ``math.inf`` gives ENDLESS."""
    return ENDLESS if decks == math.inf else tuple(decks * count for count in PACK)


def without(deck: Deck, *values: int) -> Deck:
    """Give the deck that is left when these cards are gone."""
    if deck == ENDLESS:
        return deck
    left = list(deck)
    for value in values:
        left[value - 1] -= 1
    assert min(left) >= 0, f"{values} are not in {deck}"
    return tuple(left)


def draws(deck: Deck) -> Iterator[tuple[int, Fraction, Deck]]:
    """Yield every value that the next card may have, its chance, and the deck that it leaves."""
    counts = PACK if deck == ENDLESS else deck
    assert sum(counts) > 0, "the deck has run out"
    for value, count in enumerate(counts, start=1):
        if count:
            yield value, Fraction(count, sum(counts)), without(deck, value)


def is_enough(deck: Deck) -> bool:
    """Whether nobody can ever lack a card."""
    return deck == ENDLESS or sum(value * count for value, count in enumerate(deck, start=1)) > 41


# --- the dealer ---


def dealer_draws(hand: Sequence[int], rules: Rules) -> bool:
    """Whether the dealer draws: up to 16, and to a soft 17 where the rules say so."""
    return total(hand) < 17 or (rules.hit_soft_17 and total(hand) == 17 and is_soft(hand))


def dealer(
    deck: Deck, rules: Rules, upcard: int | None = None, removed: Sequence[int] = ()
) -> Chances:
    """Chance of each of DEALER_ROWS; the up-card and what is removed are taken from the deck."""
    known = () if upcard is None else (upcard,)
    chances = dealer_from(known, without(deck, *removed, *known), rules)
    return {row: chances.get(row, Fraction(0)) for row in DEALER_ROWS}


@cache
def dealer_from(hand: Values, deck: Deck, rules: Rules) -> Chances:
    """Chances of a dealer who holds these cards, ascending; what cannot happen is left out."""
    if len(hand) >= 2 and not dealer_draws(hand, rules):
        return {dealer_row(hand): Fraction(1)}
    return _mixed(
        (chance, dealer_from(_with(hand, value), left, rules))
        for value, chance, left in draws(deck)
    )


def dealer_row(hand: Sequence[int]) -> int | str:
    """Row of the dealer's table that a final hand is counted in."""
    if is_natural(hand):
        return "natural"
    return "bust" if total(hand) > 21 else total(hand)


# --- the game ---


def result(player: Sequence[int], dealer: Sequence[int], rules: Rules) -> Result:
    """What two final hands come to, for the player."""
    if total(player) > 21:
        return Result.LOSE
    won = Result.NATURAL if is_natural(player) else Result.WIN
    if total(dealer) > 21 or total(player) > total(dealer):
        return won
    if total(player) < total(dealer):
        return Result.LOSE
    if rules.natural_beats_21 and is_natural(player) != is_natural(dealer):
        return won if is_natural(player) else Result.LOSE
    return Result.DRAW


def standing(player: Sequence[int], dealer: Values, deck: Deck, rules: Rules) -> Chances:
    """Chance of each Result that can happen, once the player stands against these cards."""
    rows = dealer_from(dealer, deck, rules)
    return _mixed(
        (chance, {result(player, HAND_OF_ROW[row], rules): Fraction(1)})
        for row, chance in rows.items()
    )


def payout(what: Result, rules: Rules) -> Fraction:
    """What the player gets for a stake of 1."""
    worth = {Result.NATURAL: rules.natural_payout, Result.WIN: 1, Result.DRAW: 0, Result.LOSE: -1}
    return Fraction(worth[what])


def ev(chances: Chances, rules: Rules) -> Fraction:
    """What the player gets on average."""
    return sum((chance * payout(what, rules) for what, chance in chances.items()), Fraction(0))


@cache
def hitting(player: Values, upcard: int, deck: Deck, rules: Rules) -> Fraction:
    """What the player gets on average who draws a card, and then does what is best."""
    worth = Fraction(0)
    for value, chance, left in draws(deck):
        hand = _with(player, value)
        if total(hand) > 21:
            worth -= chance
        else:
            stood = ev(standing(hand, (upcard,), left, rules), rules)
            worth += chance * max(stood, hitting(hand, upcard, left, rules))
    return worth


def outcome(policy: Policy, deck: Deck, rules: Rules, seen: int = 1) -> Chances:
    """Chance of each Result: the game as it is played, card by card, through all its courses.

    Player, dealer, player, dealer are dealt; the player sees so many of the dealer's cards, the
    first one first, and draws as the policy says; the dealer draws last, unless the player is bust.
    """
    assert is_enough(deck)

    @cache
    def played(player: Values, dealer: Values, deck: Deck) -> Chances:
        if total(player) > 21:
            return {Result.LOSE: Fraction(1)}
        if policy(player, dealer[:seen]):
            return _mixed(
                (chance, played(_with(player, value), dealer, left))
                for value, chance, left in draws(deck)
            )
        return standing(player, _with((), *dealer), deck, rules)

    courses = []
    for first, p1, deck_1 in draws(deck):
        for upcard, p2, deck_2 in draws(deck_1):
            for second, p3, deck_3 in draws(deck_2):
                for hole, p4, deck_4 in draws(deck_3):
                    start = played(_with((first,), second), (upcard, hole), deck_4)
                    courses.append((p1 * p2 * p3 * p4, start))
    chances = _mixed(courses)
    return {what: chances.get(what, Fraction(0)) for what in Result}


# --- the best play ---


def best_plays(deck: Deck, rules: Rules, seen: int = 1) -> tuple[Fraction, dict]:
    """What the best play is worth, and its plays: (hand, dealer's cards seen): whether to draw.

    To the player every card that is not seen, a hidden one of the dealer's too, is as likely to be
    any of those left as any other; so each decision is taken knowing the hand, the cards seen and
    what is left. Where drawing and standing are worth the same, the player stands.
    """
    assert is_enough(deck)
    plays: dict = {}

    @cache
    def worth(player: Values, dealer: Values, deck: Deck) -> Fraction:
        if total(player) > 21:
            return Fraction(-1)
        stands = ev(standing(player, _with((), *dealer), deck, rules), rules)
        draws_on = sum(
            chance * worth(_with(player, value), dealer, left)
            for value, chance, left in draws(deck)
        )
        plays[player, dealer] = draws_on > stands
        return max(draws_on, stands)

    def dealt(player: Values, dealer: Values, deck: Deck) -> Fraction:
        if len(player) < 2:
            return sum(p * dealt(_with(player, v), dealer, left) for v, p, left in draws(deck))
        if len(dealer) < seen:
            return sum(p * dealt(player, (*dealer, v), left) for v, p, left in draws(deck))
        return worth(player, dealer, deck)

    return dealt((), (), deck), plays


def best_of_all_policies(deck: Deck, rules: Rules, seen: int = 1) -> Fraction:
    """What the best play is worth, by playing every policy there is: for the tiniest decks only."""
    decisions = list(best_plays(deck, rules, seen)[1])

    def worth(draws: Sequence[bool]) -> Fraction:
        plays = dict(zip(decisions, draws, strict=True))
        return ev(outcome(lambda *known: plays[known], deck, rules, seen), rules)

    return max(worth(draws) for draws in product((False, True), repeat=len(decisions)))


def _with(hand: Values, *values: int) -> Values:
    return tuple(sorted((*hand, *values)))


def _mixed(parts) -> Chances:
    """Chances of what comes of several courses, each with its chance."""
    chances: Chances = {}
    for weight, part in parts:
        for row, chance in part.items():
            chances[row] = chances.get(row, Fraction(0)) + weight * chance
    return chances
