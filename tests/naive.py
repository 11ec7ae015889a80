"""What the kernels must answer, in the plainest Python that could be right.

This file is the specification: it is written from the rules of the games alone, with lists,
loops and Python ints, and must never learn from a kernel how something is done. Cards are ints
``4*rank + suit``, hands are sequences of three of them, tables are sequences of hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from cardstats.three_card.rules import Category, Rules

Hand = Sequence[int]

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TWO, THREE, FOUR, FIVE, ACE = (RANKS.index(rank) for rank in ("2", "3", "4", "5", "A"))


def all_hands() -> list[Hand]:
    """Every hand once, as ascending codes, in ascending order."""
    return list(combinations(range(52), 3))


def category(hand: Hand, rules: Rules) -> Category:
    """What three cards make."""
    ranks = sorted(card // 4 for card in hand)
    one_suit = len({card % 4 for card in hand}) == 1
    if len(set(ranks)) == 1:
        return Category.THREE_OF_A_KIND
    if len(set(ranks)) == 2:
        return Category.PAIR
    in_sequence = ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
    if in_sequence or (ranks == [TWO, THREE, ACE] and rules.a23 != "none"):
        return Category.STRAIGHT_FLUSH if one_suit else Category.STRAIGHT
    return Category.FLUSH if one_suit else Category.HIGH_CARD


def row(hand: Hand, by: str, rules: Rules) -> int:
    """Row of the table a hand is counted in: by category, or high cards split by the top card."""
    kind = category(hand, rules)
    if by == "category":
        return int(kind)
    if kind == Category.HIGH_CARD:
        return max(card // 4 for card in hand) - FIVE
    return 9 + int(kind)


def points(hand: Hand, rules: Rules) -> int:
    """Points of a hand: ranks (2 … 10, jack 11, ace 14) times the category's multiplier."""
    kind = category(hand, rules)
    multiplier = rules.points[kind]
    values = [card // 4 + 2 for card in hand]
    if kind == Category.PAIR:
        paired = [value for value in values if values.count(value) == 2]
        single = [value for value in values if values.count(value) == 1]
        return multiplier * sum(paired) + sum(single)
    return multiplier * sum(values)


def sort_key(hand: Hand, rules: Rules) -> tuple:
    """A tuple that is larger for the better hand and equal for hands that tie (235 is not special).

    Where rank decides it is (place of the category, ranks, suits as far as they count), where
    points decide it is (points,).
    """
    if rules.points is not None:
        return (points(hand, rules),)
    kind = category(hand, rules)
    ranks = tuple(card // 4 for card in as_compared(hand, rules))
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        ranks = (straights(rules).index(ranks),)
    if kind == Category.THREE_OF_A_KIND:
        ranks = (trips(rules).index(ranks[0]),)
    return (rules.order.index(kind), ranks, suits(hand, rules))


def winners(table: Sequence[Hand], rules: Rules) -> list[bool]:
    """Who at the table holds the best hand, or shares it."""
    keys = [sort_key(hand, rules) for hand in table]
    if any(summons_235(hand, rules) for hand in table):
        above_trips = rules.order.index(Category.THREE_OF_A_KIND) + 0.5
        for seat, hand in enumerate(table):
            if is_235(hand):
                keys[seat] = (above_trips, (), suits(hand, rules))
    return [key == max(keys) for key in keys]


def summons_235(hand: Hand, rules: Rules) -> bool:
    """Whether the hand, being at the table, makes every off-suit 2-3-5 rank above all trips."""
    if rules.special_235 == "beats_trips":
        return category(hand, rules) == Category.THREE_OF_A_KIND
    if rules.special_235 == "beats_aces":
        return all(card // 4 == ACE for card in hand)
    return False


def is_235(hand: Hand) -> bool:
    """Whether the hand is 2-3-5, not all of one suit."""
    ranks = sorted(card // 4 for card in hand)
    return ranks == [TWO, THREE, FIVE] and len({card % 4 for card in hand}) > 1


def as_compared(hand: Hand, rules: Rules) -> list[int]:
    """Order the cards as they are compared: pair before kicker, high before low, A23 as 3, 2, A."""
    ranks = [card // 4 for card in hand]
    kind = category(hand, rules)
    straight = kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
    if straight and sorted(ranks) == [TWO, THREE, ACE]:
        return [card for rank in (THREE, TWO, ACE) for card in hand if card // 4 == rank]
    return sorted(hand, key=lambda card: (ranks.count(card // 4), card), reverse=True)


def suits(hand: Hand, rules: Rules) -> tuple[int, ...]:
    """Give the suits that count, in the order in which they are compared."""
    all_three = tuple(card % 4 for card in as_compared(hand, rules))
    if rules.suit_tiebreak == "card_by_card":
        return all_three
    if rules.suit_tiebreak == "top_card":
        return all_three[:1]
    return ()


def straights(rules: Rules) -> list[tuple[int, int, int]]:
    """All straights, weakest first; each as the ranks of its cards, highest first."""
    runs = [(top, top - 1, top - 2) for top in range(FOUR, ACE + 1)]
    wheel = (THREE, TWO, ACE)
    if rules.a23 == "lowest":
        return [wheel, *runs]
    if rules.a23 == "second":
        return [*runs[:-1], wheel, runs[-1]]
    if rules.a23 == "highest":
        return [*runs, wheel]
    return runs


def trips(rules: Rules) -> list[int]:
    """Ranks of three of a kind, weakest first."""
    best = RANKS.index(rules.highest_trips)
    return [rank for rank in range(13) if rank != best] + [best]


def deal_from_draws(draws: Iterable[int]) -> list[int]:
    """Deal cards off a sorted deck: draw j, in range(52 - j), says which remaining card comes.

    >>> deal_from_draws([0, 0, 49])
    [0, 1, 51]
    """
    deck = list(range(52))
    return [deck.pop(draw) for draw in draws]


def xoshiro128pp(state: Iterable[int]) -> Iterator[int]:
    """Yield the 32-bit words of xoshiro128++ (Blackman and Vigna 2019) from four words of state.

    The first words from the state 1, 2, 3, 4 are those of the authors' C program, as other
    implementations' test suites have them:

    >>> stream = xoshiro128pp([1, 2, 3, 4])
    >>> [next(stream) for _ in range(5)]
    [641, 1573767, 3222811527, 3517856514, 836907274]
    >>> [next(stream) for _ in range(5)]
    [4247214768, 3867114732, 1355841295, 495546011, 621204420]
    """
    word = 2**32 - 1

    def rotated(value: int, left: int) -> int:
        return (value << left | value >> (32 - left)) & word

    s0, s1, s2, s3 = state
    while True:
        yield (rotated((s0 + s3) & word, 7) + s0) & word
        shifted = s1 << 9 & word
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = rotated(s3, 11)
