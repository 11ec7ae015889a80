"""Mahjong hands and rule sets that more than one file of tests draws on; (n, 34) uint8 counts."""

from functools import cache

import naive_mahjong as naive
import numpy as np
import pytest

from cardstats.mahjong.rules import RULES, SIZES, WAITING_SIZES, WINNING_SIZES, Rules

# One's own rules, so that each field takes each value together with values of the others.
OWN_RULES = [
    Rules(name="orphans-alone", seven_pairs="off", thirteen_orphans=True),
    Rules(name="distinct-108", seven_pairs="distinct", thirteen_orphans=False, honours=False),
    Rules(name="standard-108", seven_pairs="off", thirteen_orphans=False, honours=False),
    Rules(name="quads-alone", seven_pairs="quads", thirteen_orphans=False),
]
RULE_SETS = {rules.name: rules for rules in [*RULES.values(), *OWN_RULES]}

SET_TILES = np.array(
    [[group.count(kind) for kind in naive.KINDS] for group in naive.sets_of(naive.KINDS)]
)
PAIR_TILES = 2 * np.eye(34, dtype=np.int64)


def each(rule_sets=RULE_SETS):
    return pytest.mark.parametrize("rules", rule_sets.values(), ids=rule_sets)


each_size = pytest.mark.parametrize("size", SIZES)
each_winning_size = pytest.mark.parametrize("size", WINNING_SIZES)
each_waiting_size = pytest.mark.parametrize("size", WAITING_SIZES)


def dealt(rng, n, size, kinds=naive.KINDS):
    """Hands as they are dealt from the tiles of these kinds."""
    return _of_kinds(rng, size, np.tile(kinds, (n, 1)))


def of_few_kinds(rng, n, size, kinds=naive.KINDS):
    """Hands dealt from the tiles of few of the kinds, so that they hold many triplets and quads."""
    few = rng.permuted(np.tile(kinds, (n, 1)), axis=1)[:, : size // 4 + 2]
    return _of_kinds(rng, size, few)


def winning(rng, n, size, kinds=naive.KINDS):
    """Hands made of sets and a pair of these kinds; of a size 3k, of sets alone."""
    others = np.setdiff1d(naive.KINDS, kinds)
    sets = SET_TILES[~SET_TILES[:, others].any(axis=1)]
    hands = np.empty((0, 34), dtype=np.uint8)
    while len(hands) < n:
        made = PAIR_TILES[rng.choice(kinds, size=n)] * (size % 3 == 2)
        for _ in range(size // 3):
            made += sets[rng.integers(len(sets), size=n)]
        hands = np.vstack([hands, made[(made <= 4).all(axis=1)].astype(np.uint8)])
    return hands[:n]


def seven_pairs(rng, n, kinds=naive.KINDS, pairs_of_a_kind=2):
    """Hands of seven pairs, at most so many pairs of a kind."""
    pairs = np.tile(np.repeat(kinds, pairs_of_a_kind), (n, 1))
    return PAIR_TILES[rng.permuted(pairs, axis=1)[:, :7]].sum(axis=1).astype(np.uint8)


def thirteen_orphans():
    """The thirteen hands of thirteen orphans."""
    hands = np.zeros((13, 34), dtype=np.uint8)
    hands[:, naive.ORPHANS] = 1 + np.eye(13, dtype=np.uint8)
    return hands


def one_replaced(rng, hands, kinds=naive.KINDS):
    """The hands with one tile, drawn by chance, replaced by one of another of these kinds."""
    rows = np.arange(len(hands))
    out = _pick(rng, hands)
    left = np.zeros(hands.shape, dtype=np.int64)
    left[:, kinds] = 4 - hands[:, kinds]
    left[rows, out] = 0
    replaced = hands.copy()
    replaced[rows, out] -= 1
    replaced[rows, _pick(rng, left)] += 1
    return replaced


def one_less(rng, hands):
    """The hands without one tile, drawn by chance."""
    left = hands.copy()
    left[np.arange(len(hands)), _pick(rng, hands)] -= 1
    return left


def mixture(rng, n, size, rules):
    """About n hands of a size, of every sort that this file knows, in any order."""
    kinds = naive.kinds_of(rules)
    part = n // 7 + 1
    full = size if size in WINNING_SIZES else size + 1
    won = [winning(rng, part, full, kinds), winning(rng, part, full, naive.SUITS[1])]
    if full == 14:
        won += [seven_pairs(rng, part, kinds), seven_pairs(rng, part, kinds, pairs_of_a_kind=1)]
    if full == 14 and rules.honours:
        won += [thirteen_orphans()]
    won = np.vstack(won)
    near = one_replaced(rng, won, kinds)
    if size != full:
        won, near = one_less(rng, won), one_less(rng, near)
    others = [dealt(rng, part, size, kinds), of_few_kinds(rng, part, size, kinds)]
    one_suit = dealt(rng, part, size, naive.SUITS[2])
    return rng.permutation(np.vstack([won, near, *others, one_suit]))


def mixed_sizes(rng, n, sizes, rules):
    """About n hands of several sizes, in any order."""
    parts = [mixture(rng, n // len(sizes), size, rules) for size in sizes]
    return rng.permutation(np.vstack(parts))


@cache
def suit_states(kinds, size):
    """All states of a suit of nine or seven kinds with so many tiles; (N, kinds)."""
    states = np.indices([5] * kinds, dtype=np.uint8).reshape(kinds, -1)
    return np.ascontiguousarray(states[:, states.sum(axis=0) == size].T)


def all_of_one_suit(size, suit=0):
    """Every hand of so many tiles of a suit: 0, 1 and 2 are the suits, 3 the honours."""
    states = suit_states(len(naive.SUITS[suit]), size)
    hands = np.zeros((len(states), 34), dtype=np.uint8)
    hands[:, naive.SUITS[suit]] = states
    return hands


def _of_kinds(rng, size, kinds):
    """Hands dealt from four tiles each of the kinds that each row of (n, k) names."""
    n, several = kinds.shape
    hands = np.zeros((n, 34), dtype=np.uint8)
    drawn = rng.multivariate_hypergeometric([4] * several, size, n)
    np.put_along_axis(hands, kinds, drawn.astype(np.uint8), axis=1)
    return hands


def _pick(rng, weights):
    """A column of each row, drawn by its weight."""
    upto = np.cumsum(weights, axis=1, dtype=np.int64)
    drawn = (rng.random(len(weights)) * upto[:, -1]).astype(np.int64)
    return (upto > drawn[:, None]).argmax(axis=1)
