"""The best hand at a whole table, counted exactly where the deals are too many to list.

How many deals give every player a hand of some allowed classes? The deck is read rank by rank,
2 to ace; what a player holds so far is one of eight states, and equal tables merge. Suits are
kept out of it: a hand is allowed with weight a(its ranks), plus b(its ranks) if it is of one
suit, so the product over the players expands into tables of *free* hands (weight a, any suits)
and *suited* hands (weight b, held to one suit). In each rank a suited hand takes its suit's
card and the free hands take any of the others. The difference of two such numbers is a class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardstats.cards import RANKS
from cardstats.three_card.rules import LOWEST_TOP_CARD, By, Category, Rules, row_labels

# What a player holds of the ranks read so far: no card; one, of the last rank read or of an older
# one; two of the last two ranks; 2-3, which an ace may still complete; two of which no straight
# can come; a pair; three cards.
_EMPTY, _LAST, _OLDER, _RUN, _TWO_THREE, _LOOSE, _PAIR, _DONE = "ELORTUPD"

# How a hand got its last card. For 2-3 the rank tells what it became: 4-3-2, 5-3-2, A-2-3, …
_FROM_LOOSE, _FROM_RUN, _FROM_TWO_THREE, _FROM_PAIR, _TRIPS = range(5)
_ENDINGS = 5

# The next rank comes: state → (cards taken of it, the new state, ending). One suit has one card
# of a rank, so that suited hands know the first two moves only.
_MOVES: dict[str, tuple[tuple[int, str, tuple[int, ...]], ...]] = {
    _EMPTY: ((0, _EMPTY, ()), (1, _LAST, ()), (2, _PAIR, ()), (3, _DONE, (_TRIPS,))),
    _LAST: ((0, _OLDER, ()), (1, _RUN, ()), (2, _DONE, (_FROM_PAIR,))),
    _OLDER: ((0, _OLDER, ()), (1, _LOOSE, ()), (2, _DONE, (_FROM_PAIR,))),
    _RUN: ((0, _LOOSE, ()), (1, _DONE, (_FROM_RUN,))),
    _TWO_THREE: ((0, _TWO_THREE, ()), (1, _DONE, (_FROM_TWO_THREE,))),
    _LOOSE: ((0, _LOOSE, ()), (1, _DONE, (_FROM_LOOSE,))),
    _PAIR: ((0, _PAIR, ()), (1, _DONE, (_FROM_PAIR,))),
    _DONE: ((0, _DONE, ()),),
}

_SUITS = 4
_TAKEN = _SUITS + 1  # so many numbers of cards may be taken of a rank: 0 to 4
_HANDS_OF_ONE_SUIT = len(RANKS) // 3  # no more than four can be dealt
_THREE, _FOUR, _FIVE, _ACE = (RANKS.index(rank) for rank in ("3", "4", "5", "A"))

# Columns of what is allowed: the categories, and the off-suit 2-3-5 apart from other high cards.
_SPECIAL = len(Category)

# Two primes recombine to numbers below 2^85; six players have 2^83 deals. No table is reached
# from others in more than 2^15 ways, so that a rank's sums of residues stay within 64 bits.
_PRIMES = (2**43 - 57, 2**43 - 67)


def best_counts(players: int, rules: Rules, by: By) -> list[int]:
    """Ordered deals of disjoint hands by the class of the best one.

    Parameters
    ----------
    players : int
        Hands at the table, at least one.
    rules : Rules
        Any where rank decides. Suits are not looked at: they decide within a class.
    by : {"category", "top_card"}
        What a class is.

    Returns
    -------
    list of int
        One count for each row of ``row_labels(by)``.

    Examples
    --------
    >>> from cardstats.three_card.rules import ZHA_JIN_HUA
    >>> best_counts(1, ZHA_JIN_HUA, "category")
    [16440, 3744, 720, 1096, 48, 52]
    """
    counts = [0] * len(row_labels(by)[0])
    known: dict[bytes, int] = {}
    for sign, ladder in _ladders(rules, by):
        allowed = np.zeros((len(RANKS), len(Category) + 1), dtype=np.int64)
        below = 0
        for row, ranks, columns in ladder:
            allowed[np.ix_(ranks, columns)] = 1
            key = allowed.tobytes()
            if key not in known:
                known[key] = count_deals(players, allowed, a23=rules.a23 != "none")
            counts[row] += sign * (known[key] - below)
            below = known[key]
    return counts


def count_deals(players: int, allowed: NDArray[np.int64], *, a23: bool) -> int:
    """Ordered deals in which every player has an allowed hand.

    Parameters
    ----------
    players : int
    allowed : ndarray of int64, shape (13, 7)
        ``allowed[rank, c]`` is 1 where a hand of Category c whose last card, read from 2 to
        ace, is of that rank may be held, else 0. The seventh column speaks of the off-suit
        2-3-5, whose row for high cards is not read.
    a23 : bool
        Whether A-2-3 is a straight.

    Returns
    -------
    int
    """
    free, suited = _weights(allowed, a23)
    total = _all_suited(players, suited)
    for held_to_suit in range(players if suited.any() else 1):
        deals = _mixed(held_to_suit, players - held_to_suit, free, suited)
        total += comb(players, held_to_suit) * deals
    return total


# --- Classes, weakest first -----------------------------------------------------------------

_Rung: TypeAlias = tuple[int, Sequence[int], Sequence[int]]  # row, and the hands it adds


def _ladders(rules: Rules, by: By) -> Iterator[tuple[int, list[_Rung]]]:
    """Yield the orders in which to count, each with the sign of its result.

    A special 2-3-5 outranks three of a kind in deals that hold a trigger: those of all deals
    less those of the deals without a trigger, where it is an ordinary high card.
    """
    if rules.special_235 == "off":
        yield 1, _ladder(rules, by, special=False, trips=range(len(RANKS)))
        return
    untriggered = range(0) if rules.special_235 == "beats_trips" else range(_ACE)
    yield 1, _ladder(rules, by, special=True, trips=range(len(RANKS)))
    yield -1, _ladder(rules, by, special=True, trips=untriggered)
    yield 1, _ladder(rules, by, special=False, trips=untriggered)


def _ladder(rules: Rules, by: By, *, special: bool, trips: Sequence[int]) -> list[_Rung]:
    """Classes in ascending order; `trips` are the ranks of three of a kind in the universe."""
    rungs: list[_Rung] = []
    last_row = len(row_labels(by)[0]) - 1
    for category in rules.order:
        if category is Category.HIGH_CARD:
            columns = [category] if special else [category, _SPECIAL]
            rungs.extend((row, ranks, columns) for row, ranks in _high_cards(by))
            continue
        ranks = trips if category is Category.THREE_OF_A_KIND else range(len(RANKS))
        rungs.append((last_row - (max(Category) - category), ranks, [category]))
        if special and category is Category.THREE_OF_A_KIND:
            rungs.append((0, [_FIVE], [_SPECIAL]))  # it stays in the class that it looks like
    return rungs


def _high_cards(by: By) -> Iterator[tuple[int, Sequence[int]]]:
    if by == "category":
        yield 0, range(len(RANKS))
        return
    for rank in range(LOWEST_TOP_CARD, len(RANKS)):
        yield rank - LOWEST_TOP_CARD, [rank]


def _weights(allowed: NDArray[np.int64], a23: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Weights a of free and b of suited hands, each (13, 5): by the last card's rank and ending."""
    mixed = np.zeros((len(RANKS), _ENDINGS), dtype=np.int64)
    one_suit = np.zeros_like(mixed)
    mixed[:, _FROM_LOOSE] = allowed[:, Category.HIGH_CARD]
    one_suit[:, _FROM_LOOSE] = allowed[:, Category.FLUSH]
    mixed[:, _FROM_RUN] = allowed[:, Category.STRAIGHT]
    one_suit[:, _FROM_RUN] = allowed[:, Category.STRAIGHT_FLUSH]
    for weights in (mixed, one_suit):
        straights = [_FOUR, _ACE] if a23 else [_FOUR]
        weights[:, _FROM_TWO_THREE] = weights[:, _FROM_LOOSE]
        weights[straights, _FROM_TWO_THREE] = weights[straights, _FROM_RUN]
        weights[:, _FROM_PAIR] = allowed[:, Category.PAIR]
        weights[:, _TRIPS] = allowed[:, Category.THREE_OF_A_KIND]
    mixed[_FIVE, _FROM_TWO_THREE] = allowed[_FIVE, _SPECIAL]
    return mixed, one_suit - mixed


# --- Counting -------------------------------------------------------------------------------


def _mixed(held: int, free: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Weigh all deals of `held` suited hands and `free` free ones."""
    suited_side, free_side = _suited_side(held), _free_side(free)
    rows, columns = len(suited_side.start), len(free_side.start)
    primes = np.array(_PRIMES)[:, np.newaxis]
    # ways[i, p, j]: to be at suited table i and free table j, modulo prime p.
    ways = np.einsum("i,p,j->ipj", suited_side.start, np.ones(2, np.int64), free_side.start)
    matrices: dict[bytes, tuple[Any, Any]] = {}
    for rank in range(len(RANKS)):
        key = a[rank].tobytes() + b[rank].tobytes()
        if key not in matrices:
            matrices[key] = suited_side.step_beside(b[rank]), free_side.step(a[rank])
        suited_step, free_step = matrices[key]
        # First the suited hands move, for each number of cards that the free ones may take.
        moved = (suited_step @ ways.reshape(rows, -1)).reshape(_TAKEN, rows, 2, columns)
        by_taken = moved.transpose(1, 2, 0, 3).reshape(2 * rows, -1)
        ways = (by_taken @ free_step).reshape(rows, 2, columns) % primes
        if rank == _THREE:
            ways = _merged(_merged(ways, suited_side.after_three, 0), free_side.after_three, 2)
    finished = ways[suited_side.finished][:, :, free_side.finished].sum(axis=(0, 2))
    return _recombined(*finished.tolist())


def _all_suited(players: int, weights: NDArray[np.int64]) -> int:
    """Weigh all deals of suited hands alone: the suits do not meet, and multiply."""
    hands = range(min(players, _HANDS_OF_ONE_SUIT) + 1)
    one_suit = [_one_suit(number, weights) for number in hands]
    ways = [1] + [0] * players  # ways[n]: for n players to share the suits counted so far
    for _ in range(_SUITS):
        ways = [
            sum(comb(n, h) * one_suit[h] * ways[n - h] for h in hands if h <= n)
            for n in range(players + 1)
        ]
    return ways[players]


def _one_suit(hands: int, weights: NDArray[np.int64]) -> int:
    ways = Counter({_EMPTY * hands: 1})
    for rank, weight in enumerate(weights.tolist()):
        after: Counter[str] = Counter()
        for word, number in ways.items():
            for (new, _, endings), times in _suit_moves(word).items():
                factor = prod(weight[ending] for ending in endings)
                after[_after_three(new) if rank == _THREE else new] += number * times * factor
        ways = after
    return ways[_DONE * hands]


def _merged(ways: NDArray[np.int64], target: NDArray[np.intp], axis: int) -> NDArray[np.int64]:
    """Move each table's number to another table."""
    merged = np.zeros_like(ways)
    np.add.at(np.moveaxis(merged, axis, 0), target, np.moveaxis(ways, axis, 0))
    return merged


def _recombined(first: int, second: int) -> int:
    """Find the number of smallest size that leaves these remainders (Chinese remainder)."""
    p, q = _PRIMES
    number = first % p + p * ((second - first % p) * pow(p, -1, q) % q)
    return number if 2 * number < p * q else number - p * q


# --- Tables, and what one rank does to them -------------------------------------------------

# A table is a sorted tuple of words, a letter for each hand. Free hands are words of one letter;
# of suited hands a word holds those of one suit, and which suit that is does not matter.
_Table: TypeAlias = tuple[str, ...]
_Endings: TypeAlias = tuple[int, ...]
_Moves: TypeAlias = Counter[tuple[_Table, int, _Endings]]  # (new table, cards, endings) → ways
_WordMoves: TypeAlias = Counter[tuple[str, int, _Endings]]


class _Side(NamedTuple):
    """All tables of some free hands, or of some suited ones, and the moves between them."""

    start: NDArray[np.int64]  # by table: ways to begin there
    finished: NDArray[np.bool_]  # by table
    after_three: NDArray[np.intp]  # by table: the one it turns into when the three has been read
    source: NDArray[np.intp]  # by move, and so on
    target: NDArray[np.intp]
    cards: NDArray[np.int64]  # taken of the rank
    ways: NDArray[np.int64]
    endings: NDArray[np.int64]  # (moves, 5): how many hands got their last card in each way

    def step(self, weights: NDArray[np.int64]) -> Any:
        """Sparse matrix of free hands: from (cards taken, table), as one index, to a table."""
        tables = len(self.start)
        rows = self.cards * tables + self.source
        return _sparse(self._weighted(weights), rows, self.target, (_TAKEN * tables, tables))

    def step_beside(self, weights: NDArray[np.int64]) -> Any:
        """Sparse matrix of suited hands: to (cards taken by free hands, table), from a table.

        Each move is weighted by the ways to choose the free hands' cards from what it leaves.
        """
        tables = len(self.start)
        choices = np.array(
            [[comb(_SUITS - used, n) for used in range(_TAKEN)] for n in range(_TAKEN)]
        )
        data = self._weighted(weights) * choices[:, self.cards]
        rows = np.arange(_TAKEN)[:, np.newaxis] * tables + self.target
        columns = np.broadcast_to(self.source, rows.shape)
        return _sparse(data, rows, columns, (_TAKEN * tables, tables))

    def _weighted(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        factors: NDArray[np.int64] = np.prod(weights**self.endings, axis=1)
        return self.ways * factors


def _sparse(data: NDArray[np.int64], rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    kept = data != 0
    return csr_array((data[kept], (rows[kept], columns[kept])), shape=shape)


@cache
def _free_side(hands: int) -> _Side:
    return _explored({(_EMPTY,) * hands: 1}, free=True)


@cache
def _suited_side(hands: int) -> _Side:
    start: Counter[_Table] = Counter()
    for suits in product(range(_SUITS), repeat=hands):
        sizes = [suits.count(suit) for suit in range(_SUITS)]
        if max(sizes) <= _HANDS_OF_ONE_SUIT:
            start[tuple(sorted(_EMPTY * size for size in sizes))] += 1
    return _explored(start, free=False)


def _explored(start: Mapping[_Table, int], *, free: bool) -> _Side:
    """Follow every move from the tables of the start on."""
    index = {table: number for number, table in enumerate(start)}
    tables = list(index)

    def number(table: _Table) -> int:
        if table not in index:
            index[table] = len(tables)
            tables.append(table)
        return index[table]

    after_three, moves, endings = [], [], []
    for source, table in enumerate(tables):  # which grows as it is read
        after_three.append(number(tuple(sorted(map(_after_three, table)))))
        for (new, cards, ended), ways in _table_moves(table, free).items():
            moves.append((source, number(new), cards, ways))
            endings.append([ended.count(ending) for ending in range(_ENDINGS)])
    sources, targets, cards_taken, ways_of = np.array(moves).T
    return _Side(
        start=np.array(list(start.values()) + [0] * (len(tables) - len(start))),
        finished=np.array([set().union(*table) <= {_DONE} for table in tables]),
        after_three=np.array(after_three),
        source=sources,
        target=targets,
        cards=cards_taken,
        ways=ways_of,
        endings=np.array(endings),
    )


@cache
def _table_moves(table: _Table, free: bool) -> _Moves:
    """Count the moves of a table: those of its last word upon those of the words before it."""
    if not table:
        return Counter({((), 0, ()): 1})
    moves: _Moves = Counter()
    last_moves = _hand_moves(table[-1]) if free else _suit_moves(table[-1])
    for (words, taken, endings), ways in _table_moves(table[:-1], free).items():
        for (word, cards, more), times in last_moves.items():
            if taken + cards <= _SUITS:
                # Any of the cards that free hands take may be the last one's; a suit has its own.
                splits = comb(taken + cards, cards) if free else 1
                after = tuple(sorted((*words, word)))
                moves[after, taken + cards, tuple(sorted(endings + more))] += ways * times * splits
    return moves


@cache
def _hand_moves(state: str) -> _WordMoves:
    """List the moves of one free hand."""
    return Counter({(new, cards, ended): 1 for cards, new, ended in _MOVES[state]})


@cache
def _suit_moves(word: str) -> _WordMoves:
    """Count the moves of a suit's hands: one of them takes the suit's card, or none does."""
    resting = [_MOVES[state][0][1] for state in word]
    moves: _WordMoves = Counter({(_word(resting), 0, ()): 1})
    for place, state in enumerate(word):
        if state != _DONE:
            cards, new, ended = _MOVES[state][1]
            moves[_word([*resting[:place], new, *resting[place + 1 :]]), cards, ended] += 1
    return moves


def _word(states: Iterable[str]) -> str:
    return "".join(sorted(states))


def _after_three(word: str) -> str:
    """Every run in the making is 2-3 then, and stays one until the ace."""
    return _word(word.replace(_RUN, _TWO_THREE))
