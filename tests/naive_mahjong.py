"""What Mahjong's kernels must answer, in the plainest Python that could be right.

Like `naive`, this file is the specification: it is written from the rules of the game alone and
must never learn from a kernel how something is done. A hand is a sequence of 34 counts, one a
kind: nine of characters, nine of dots, nine of bamboo, seven honours. It has 3k+2 tiles, or 3k+1
before the draw; k is 4, less one for each open meld, and with open melds only sets and a pair win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from cardstats.mahjong.rules import Form, Rules

Hand = Sequence[int]
Group = tuple[int, ...]  # the kinds of a pair's, triplet's or run's tiles
Decomposition = tuple[tuple[str, int], ...]  # ("pair" | "triplet" | "run", its lowest kind), sorted

KINDS = range(34)
SUITS = (range(9), range(9, 18), range(18, 27), range(27, 34))
HONOURS = SUITS[3]
ORPHANS = [suit[end] for suit in SUITS[:3] for end in (0, -1)] + list(HONOURS)
RUN_STARTS = [kind for suit in SUITS[:3] for kind in suit[:-2]]
TOO_MANY = 99  # more tiles than any hand lacks


def kinds_of(rules: Rules) -> range:
    """The kinds of tiles in the set: without honours there are the three suits only."""
    return KINDS if rules.honours else range(HONOURS.start)


# --- winning ---


def form(hand: Hand, rules: Rules) -> Form:
    """How a hand of 3k+2 tiles wins; of two ways, the one with the larger code."""
    if rules.thirteen_orphans and is_thirteen_orphans(hand):
        return Form.THIRTEEN_ORPHANS
    if is_seven_pairs(hand, rules):
        return Form.SEVEN_PAIRS
    return Form.STANDARD if is_standard(hand) else Form.NOT_WINNING


def is_win(hand: Hand, rules: Rules) -> bool:
    """Whether a hand of 3k+2 tiles wins."""
    return form(hand, rules) != Form.NOT_WINNING


def is_standard(hand: Hand) -> bool:
    """Whether the tiles are sets and one pair: try each pair."""
    counts = list(hand)
    for pair, held in enumerate(hand):
        if held >= 2:
            counts[pair] -= 2
            if is_sets(counts):
                return True
            counts[pair] += 2
    return False


def is_sets(counts: list[int], kind: int = 0) -> bool:
    """Whether the tiles from a kind on are triplets and runs: the lowest is in one or the other.

    The list is changed on the way and is as it was in the end.
    """
    while kind < len(counts) and not counts[kind]:
        kind += 1
    if kind == len(counts):
        return True
    found = False
    if counts[kind] >= 3:
        counts[kind] -= 3
        found = is_sets(counts, kind)
        counts[kind] += 3
    if not found and kind in RUN_STARTS and counts[kind + 1] and counts[kind + 2]:
        for tile in (kind, kind + 1, kind + 2):
            counts[tile] -= 1
        found = is_sets(counts, kind)
        for tile in (kind, kind + 1, kind + 2):
            counts[tile] += 1
    return found


def decompositions(hand: Hand) -> list[Decomposition]:
    """Every way to part the tiles into sets and one pair, each once, in ascending order."""
    ways = set()
    for pair, held in enumerate(hand):
        if held >= 2:
            left = list(hand)
            left[pair] -= 2
            ways.update(tuple(sorted([("pair", pair), *sets])) for sets in into_sets(left))
    return sorted(ways)


def into_sets(counts: list[int]) -> Iterator[list[tuple[str, int]]]:
    """Every way to part the tiles into triplets and runs."""
    if not any(counts):
        yield []
        return
    kind = next(kind for kind in KINDS if counts[kind])
    for word, group in (("triplet", (kind, kind, kind)), ("run", (kind, kind + 1, kind + 2))):
        left = list(counts)
        if word == "run" and kind not in RUN_STARTS:
            continue
        for tile in group:
            left[tile] -= 1
        if min(left) >= 0:
            for others in into_sets(left):
                yield [(word, kind), *others]


def is_seven_pairs(hand: Hand, rules: Rules) -> bool:
    """Whether the tiles are seven pairs, of which two may be alike where quads count as two."""
    pairs = {"quads": (0, 2, 4), "distinct": (0, 2), "off": ()}[rules.seven_pairs]
    return sum(hand) == 14 and all(held in pairs for held in hand)


def is_thirteen_orphans(hand: Hand) -> bool:
    """Whether the tiles are the thirteen terminals and honours and one of them again."""
    return (
        sum(hand) == 14
        and sum(hand[kind] for kind in ORPHANS) == 14
        and all(hand[kind] for kind in ORPHANS)
    )


# --- on the way ---


def shanten(hand: Hand, rules: Rules) -> int:
    """Tiles to exchange before the hand is ready; -1 where it is complete."""
    return missing(hand, rules) - 1


def missing(hand: Hand, rules: Rules, below: int = TOO_MANY) -> int:
    """Fewest tiles that the hand lacks of some winning hand; `below`, unless they are fewer."""
    if not rules.honours and any(hand[kind] for kind in HONOURS):
        raise ValueError("there are no honours in this set")
    full = sum(hand) >= 13
    if full and rules.seven_pairs != "off":
        below = min(below, missing_of_seven_pairs(hand, rules))
    if full and rules.thirteen_orphans:
        below = min(below, missing_of_thirteen_orphans(hand))
    return missing_of_groups(hand, sum(hand) // 3, 1, kinds_of(rules), below)


def missing_of_groups(
    hand: Hand, sets: int, pairs: int, kinds: range = KINDS, below: int = TOO_MANY
) -> int:
    """Fewest tiles that the hand lacks of so many sets and pairs (0 or 1) of these kinds.

    Depth first over the targets, which hold at most four of a kind. In a target the pair comes
    first, then the sets by how much each would lack alone. That is the least it can lack beside
    others, so a branch ends where even this would not beat the best target so far.
    """
    target = [0] * 34
    best = below

    def alone(group: Group) -> int:
        if group[0] == group[-1]:
            return max(0, len(group) - hand[group[0]])
        return sum(not hand[tile] for tile in group)

    def choices(groups: list[Group]) -> list[tuple[int, Group]]:
        return sorted((alone(group), group) for group in groups)

    def put(group: Group) -> int:
        lacking = 0
        for tile in group:
            lacking += target[tile] >= hand[tile]
            target[tile] += 1
        return lacking

    def search(wanted: int, first: int, lacking: int) -> None:
        nonlocal best
        if wanted == 0:
            best = min(best, lacking)
            return
        for place in range(first, len(all_sets)):
            least, group = all_sets[place]
            if lacking + wanted * least >= best:
                return
            more = put(group)
            if lacking + more < best and all(target[tile] <= 4 for tile in group):
                search(wanted - 1, place, lacking + more)
            for tile in group:
                target[tile] -= 1

    all_sets = choices(sets_of(kinds))
    for _, pair in choices([(kind, kind) for kind in kinds]) if pairs else [(0, ())]:
        lacking = put(pair)
        if lacking < best:
            search(sets, 0, lacking)
        for tile in pair:
            target[tile] -= 1
    return best


@cache
def sets_of(kinds: range) -> list[Group]:
    """Every triplet and every run of these kinds."""
    triplets = [(kind, kind, kind) for kind in kinds]
    runs = [(kind, kind + 1, kind + 2) for kind in RUN_STARTS if kind in kinds]
    return [*triplets, *runs]


def missing_of_seven_pairs(hand: Hand, rules: Rules) -> int:
    """Fewest tiles that the hand lacks of seven pairs: it takes the seven that lack least.

    A second pair of a kind never lacks less than the first, so taking it alone cannot pay.
    """
    lacking = []
    for kind in kinds_of(rules):
        first = max(0, 2 - hand[kind])
        lacking.append(first)
        if rules.seven_pairs == "quads":
            lacking.append(4 - hand[kind] - first)
    return sum(sorted(lacking)[:7])


def missing_of_thirteen_orphans(hand: Hand) -> int:
    """Fewest tiles that the hand lacks of thirteen orphans, whichever of them is held twice."""
    single = sum(hand[kind] == 0 for kind in ORPHANS)
    return min(single + (hand[twice] < 2) for twice in ORPHANS)


def waits(hand: Hand, rules: Rules) -> list[bool]:
    """Whether a tile of each kind completes a hand of 3k+1; no fifth tile does."""
    return [can_draw(hand, kind, rules) and is_win(drawn(hand, kind), rules) for kind in KINDS]


def acceptance(hand: Hand, rules: Rules) -> list[bool]:
    """Whether a tile of each kind brings a hand of 3k+1 nearer; no fifth tile does."""
    before = missing(hand, rules)
    return [
        can_draw(hand, kind, rules) and missing(drawn(hand, kind), rules, before) < before
        for kind in KINDS
    ]


def discards(hand: Hand, rules: Rules) -> list[bool]:
    """Whether a hand of 3k+2 stays as near without one of each kind that it holds."""
    before = missing(hand, rules)
    return [
        hand[kind] > 0 and missing(drawn(hand, kind, -1), rules, before + 1) == before
        for kind in KINDS
    ]


def can_draw(hand: Hand, kind: int, rules: Rules) -> bool:
    """Whether a tile of the kind may be left in the wall."""
    return kind in kinds_of(rules) and hand[kind] < 4


def drawn(hand: Hand, kind: int, tiles: int = 1) -> list[int]:
    """The hand with a tile of the kind more, or less."""
    return [held + tiles * (other == kind) for other, held in enumerate(hand)]


# --- one suit ---


def in_hand(suit: Sequence[int]) -> tuple[list[int], range]:
    """Nine counts as a hand of characters, seven as a hand of honours; and the kinds they are."""
    kinds = {9: SUITS[0], 7: HONOURS}[len(suit)]
    hand = [0] * 34
    hand[kinds.start : kinds.stop] = suit
    return hand, kinds


def missing_in_suit(suit: Sequence[int], sets: int, pairs: int) -> int:
    """Fewest tiles that a suit lacks of so many sets and pairs (0 or 1) of its own kinds."""
    hand, kinds = in_hand(suit)
    return missing_of_groups(hand, sets, pairs, kinds)


def suit_is_sets(suit: Sequence[int]) -> bool:
    """Whether a suit is all sets."""
    return is_sets(in_hand(suit)[0])


def suit_is_sets_and_a_pair(suit: Sequence[int]) -> bool:
    """Whether a suit is all sets and one pair."""
    return is_standard(in_hand(suit)[0])


# --- many hands at once: a second witness, in NumPy ---


@cache
def lacking_table(kinds: int) -> np.ndarray:
    """What every state of a suit lacks, of 0 to 4 sets and 0 or 1 pair; (5, 2, 5, ..., 5).

    The plain words are made literal: a state holds three sets and a pair if, some set taken away,
    it holds two and a pair; and it lacks d tiles if d is the least number of draws, none of them
    a fifth tile, after which it holds them.
    """
    table = np.full((5, 2, *[5] * kinds), TOO_MANY, dtype=np.uint8)
    suit = {9: SUITS[0], 7: HONOURS}[kinds]
    as_tiles = [[group.count(kind) for kind in suit] for group in sets_of(suit)]
    as_pairs = [[2 * (kind == pair) for kind in suit] for pair in suit]
    holds = {(0, 0): np.ones([5] * kinds, dtype=bool)}
    for sets in range(5):
        for pairs in range(2):
            if pairs:
                holds[sets, pairs] = _holds_more(holds[sets, 0], as_pairs)
            elif sets:
                holds[sets, pairs] = _holds_more(holds[sets - 1, 0], as_tiles)
            _count_draws(holds[sets, pairs], table[sets, pairs])
    return table


def _holds_more(holds: np.ndarray, groups: list[list[int]]) -> np.ndarray:
    """Where a state holds one of the groups and what is left is where `holds` is true."""
    more = np.zeros_like(holds)
    for group in groups:
        before = tuple(slice(0, 5 - tiles) for tiles in group)
        after = tuple(slice(tiles, 5) for tiles in group)
        more[after] |= holds[before]
    return more


def _count_draws(reached: np.ndarray, draws: np.ndarray) -> None:
    """Fill in, for each state, how many tiles must be drawn until `reached`."""
    draws[reached] = number = 0
    while not reached.all():
        number += 1
        nearer = reached.copy()
        for axis in range(reached.ndim):
            np.moveaxis(nearer, axis, 0)[:-1] |= np.moveaxis(reached, axis, 0)[1:]
        draws[nearer & ~reached] = number
        reached = nearer


def shanten_of_many(hands: np.ndarray, rules: Rules) -> np.ndarray:
    """Shanten numbers of the rows of (n, 34) counts, the suits looked up and put together."""
    hands = np.asarray(hands, dtype=np.int64)
    tiles = hands.sum(axis=1)
    whole = np.full((5, 2, len(hands)), TOO_MANY)
    whole[0, 0] = 0
    for suit in SUITS[: 4 if rules.honours else 3]:
        state = (slice(None), slice(None), *hands[:, suit].T)
        part = lacking_table(len(suit))[state].astype(np.int64)
        joined = np.full_like(whole, TOO_MANY)
        for sets, pairs, more, pair in product(range(5), range(2), range(5), range(2)):
            if sets + more <= 4 and pairs + pair <= 1:
                there = joined[sets + more, pairs + pair]
                np.minimum(there, whole[sets, pairs] + part[more, pair], out=there)
        whole = joined
    lacking = whole[tiles // 3, 1, np.arange(len(hands))]
    if rules.seven_pairs != "off":
        first = np.maximum(0, 2 - hands[:, kinds_of(rules)])
        second = 4 - hands[:, kinds_of(rules)] - first
        pairs = np.hstack([first, second]) if rules.seven_pairs == "quads" else first
        of_pairs = np.sort(pairs, axis=1)[:, :7].sum(axis=1)
        lacking = np.where(tiles >= 13, np.minimum(lacking, of_pairs), lacking)
    if rules.thirteen_orphans:
        orphans = hands[:, ORPHANS]
        of_orphans = (orphans == 0).sum(axis=1) + (orphans < 2).all(axis=1)
        lacking = np.where(tiles >= 13, np.minimum(lacking, of_orphans), lacking)
    return lacking - 1
