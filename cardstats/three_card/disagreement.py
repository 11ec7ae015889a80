"""How often two rule sets name different winners for the same cards: counted, and by chance."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import whole
from cardstats._engine import RNG, Work, Workers, run
from cardstats._jit import kernel
from cardstats._table import Titles
from cardstats.results import Distribution, Tally
from cardstats.three_card.kernels import all_hands, strength, winners
from cardstats.three_card.rules import (
    BEYOND_THE_DECK,
    MAX_PLAYERS,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_POINTS,
    Rules,
    checked_rules,
)
from cardstats.three_card.simulation import deal_chunk

# In the order of the totals: the same seats win; some seat wins under both; no seat does.
LABELS = ("same winners", "partly the same", "other winners")
LABELS_ZH = ("赢家相同", "部分相同", "赢家不同")


def exact_disagreement(
    *, rules: Rules = ZHA_JIN_HUA_POINTS, other: Rules = ZHA_JIN_HUA
) -> Distribution:
    """Count the deals to two players in which two rule sets disagree on who wins.

    Parameters
    ----------
    rules, other : Rules
        Any under which hands have a total order.

    Returns
    -------
    Distribution
        Over all ordered pairs of disjoint hands: the same winners, partly the same (a tie under
        one of the two only), or another winner.

    Raises
    ------
    ValueError
        If one of the two has a special 2-3-5.

    Examples
    --------
    >>> round(float(exact_disagreement().probabilities[2]), 4)
    0.1376
    """
    rules, other = checked_rules(rules), checked_rules(other, "other")
    if not other.transitive:
        raise ValueError(f"other: {other.name!r} has a special 2-3-5: no total order of hands")
    hands = all_hands()
    masks = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=1)
    totals = np.zeros(len(LABELS), np.int64)
    _compare_pairs(
        masks,
        strength(hands, rules=rules).astype(np.uint32),
        strength(hands, rules=other).astype(np.uint32),
        totals,
    )
    ordered = tuple(2 * count for count in totals.tolist())
    return Distribution(
        labels=LABELS, labels_zh=LABELS_ZH, counts=ordered, **_titles(2, rules, other)
    )


def simulate_disagreement(
    games: int,
    *,
    players: int = 2,
    rules: Rules = ZHA_JIN_HUA_POINTS,
    other: Rules = ZHA_JIN_HUA,
    rng: RNG = None,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Tally:
    """Deal games and count those in which two rule sets disagree on who wins.

    Parameters
    ----------
    games : int
        Deals.
    players : int
        2 to 17.
    rules, other : Rules
        Any.
    rng, workers, progress, checkpoint
        As for `cardstats.three_card.simulate`.

    Returns
    -------
    Tally
        Of games, not hands: the same winners, some but not all in common, or none in common.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or out of range.

    Examples
    --------
    >>> simulate_disagreement(10_000, players=5, rng=1).total
    10000
    """
    players = whole(players, "players", 2, MAX_PLAYERS, BEYOND_THE_DECK)
    rules, other = checked_rules(rules), checked_rules(other, "other")
    work = Work(
        count=_count_disagreements,
        args=(players, rules, other),
        shape=(len(LABELS),),
        game="three_card.simulate_disagreement",
        rules=f"{rules!r} against {other!r}",
        by=f"winners among {players}",
        players=players,
    )
    totals, source = run(
        work, games, rng=rng, workers=workers, progress=progress, checkpoint=checkpoint
    )
    # What is counted is games, one each: they do not share a deal.
    source = replace(source, players=1)
    return Tally(
        labels=LABELS,
        labels_zh=LABELS_ZH,
        counts=totals,
        source=source,
        **_titles(players, rules, other),
    )


def _titles(players: int, rules: Rules, other: Rules) -> Titles:
    return Titles(
        title=f"winners among {players} players: {rules.name} or {other.name}",
        title_zh=f"{players} 人中的赢家：{rules.name} 或 {other.name}",
    )


def _count_disagreements(
    seed: np.random.SeedSequence, games: int, players: int, rules: Rules, other: Rules
) -> NDArray[np.int64]:
    tables = deal_chunk(seed, games, players)
    ours, theirs = winners(tables, rules=rules), winners(tables, rules=other)
    totals = np.zeros(len(LABELS), np.int64)
    _compare_winners(ours, theirs, totals)
    return totals


@kernel
def _compare_pairs(
    masks: NDArray[np.uint64],
    ours: NDArray[np.uint32],
    theirs: NDArray[np.uint32],
    totals: NDArray[np.int64],
) -> None:
    """Count the unordered pairs of disjoint hands by how the two orders agree on them."""
    for one in range(masks.size):
        same, apart, all_pairs = 0, 0, 0
        for two in range(one):
            disjoint = (masks[one] & masks[two]) == 0
            higher = (ours[one] > ours[two], theirs[one] > theirs[two])
            lower = (ours[one] < ours[two], theirs[one] < theirs[two])
            all_pairs += disjoint
            same += disjoint & (higher[0] == higher[1]) & (lower[0] == lower[1])
            apart += disjoint & ((higher[0] & lower[1]) | (lower[0] & higher[1]))
        totals[0] += same
        totals[1] += all_pairs - same - apart
        totals[2] += apart


@kernel
def _compare_winners(
    ours: NDArray[np.bool_], theirs: NDArray[np.bool_], totals: NDArray[np.int64]
) -> None:
    """Count tables by whether both orders name the same seats, some in common, or none."""
    for table in range(ours.shape[0]):
        same, common = True, False
        for seat in range(ours.shape[1]):
            same &= ours[table, seat] == theirs[table, seat]
            common |= ours[table, seat] & theirs[table, seat]
        totals[0 if same else 1 if common else 2] += 1
