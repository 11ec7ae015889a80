"""Mahjong by chance: deal hands, and count how near they are to winning, as often as you like.

Every hand is dealt from a full set of its own and then looked at; nothing is drawn from a known
distribution. What is counted depends on the seed, the hands, their size and the rules.
"""

from __future__ import annotations

import os
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._checks import check_choice, whole
from cardstats._engine import RNG, Stream, Work, Workers, games_a_chunk, map_parts, run
from cardstats._jit import MAX_BYTES, NO_SUCH_ARRAY, read_only
from cardstats._lanes import draw_multipliers
from cardstats._random import lane_states
from cardstats.mahjong.dealing import deal_hands, tally_hands
from cardstats.mahjong.kernels import Hands, kernel_context
from cardstats.mahjong.rows import tally_rows
from cardstats.mahjong.rules import (
    CHINESE,
    MAX_SIZE,
    SIZES,
    WINNING_SIZES,
    By,
    Rules,
    checked_rules,
    checked_size,
    lowest_shanten,
    row_labels,
    titles,
)
from cardstats.mahjong.suits import kernel_tables
from cardstats.mahjong.tiles import KINDS
from cardstats.results import Tally

_SLOWNESS = 4  # of dealing 14 tiles, beside three cards


def deal(
    n: int, *, size: int = MAX_SIZE, rules: Rules = CHINESE, rng: RNG = None
) -> NDArray[np.uint8]:
    """Deal hands that you keep, each from a full set of tiles.

    Parameters
    ----------
    n : int
        Hands.
    size : int
        Tiles in each: 3k+1 or 3k+2, up to 14.
    rules : Rules
        Only whether the set has honours matters here.
    rng : None, int, SeedSequence or Generator
        The same hands as `simulate` counts from the same seed.

    Returns
    -------
    ndarray of uint8, shape (n, 34)
        How many of each kind.

    Raises
    ------
    TypeError, ValueError
        If `n` is negative, or no hand has that size.

    Examples
    --------
    >>> hands = deal(1000, size=13, rng=7)
    >>> hands.shape, int(hands.sum())
    ((1000, 34), 13000)
    """
    n = whole(n, "n", most=MAX_BYTES // KINDS, beyond=NO_SUCH_ARRAY)
    size, rules = checked_size(size), checked_rules(rules)
    stream = Stream.of(rng)
    hands = np.zeros((n, KINDS), np.uint8)
    chunk = games_a_chunk(slowness=_SLOWNESS)
    for index, start in enumerate(range(0, n, chunk)):
        part = hands[start : start + chunk]
        state, deck = lane_states(stream.chunk(index)), rules.tiles
        deal_hands(state, _multipliers(deck), deck, size, len(part), part.reshape(-1))
    return hands


def simulate(
    games: int,
    *,
    size: int = MAX_SIZE,
    by: By = "shanten",
    rules: Rules = CHINESE,
    rng: RNG = None,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Tally:
    """Deal hands and count them by shanten number or by form.

    Parameters
    ----------
    games : int
        Hands, each from a full set of tiles.
    size : int
        Tiles in each: 3k+1 or 3k+2, up to 14; by form 3k+2.
    by : {"shanten", "form"}
        What the rows are: those of `exact_shanten` or of `exact_forms`.
    rules : Rules
        Which forms win, and which tiles there are.
    rng : None, int, SeedSequence or Generator
        Seed. The result depends on it, on `games`, `size` and `rules`, and on nothing else; a
        run is a prefix of every longer one.
    workers : int or map-like callable
        Threads, or anything that is called like `map`.
    progress : bool
        Whether to show a bar on stderr.
    checkpoint : path, optional
        A file that keeps finished work; the same call resumes it, a larger `games` continues it.

    Returns
    -------
    Tally

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or out of range, or the checkpoint is of other work.

    Examples
    --------
    >>> simulate(100_000, size=13, rng=1).total
    100000
    """
    rules = checked_rules(rules)
    check_choice("by", by, get_args(By))
    size = checked_size(size, WINNING_SIZES if by == "form" else SIZES)
    labels, labels_zh = row_labels(by, size, rules)
    work = Work(
        count=_count_classes,
        args=(size, rules, by),
        shape=(len(labels),),
        game="mahjong.simulate",
        rules=repr(rules),
        by=f"{by} of {size} tiles",
        players=1,
        slowness=_SLOWNESS,
    )
    totals, source = run(
        work, games, rng=rng, workers=workers, progress=progress, checkpoint=checkpoint
    )
    return Tally(
        labels=labels,
        labels_zh=labels_zh,
        counts=totals,
        source=source,
        **titles("hands dealt", "发出的手牌", rules, size),
    )


def tally(
    hands: ArrayLike, *, by: By = "shanten", rules: Rules = CHINESE, workers: Workers = 1
) -> Tally:
    """Count hands of your own by shanten number or by form.

    Parameters
    ----------
    hands : array_like of int, shape (n, 34) or (34,)
        As for `shanten`, or `classify` where `by` is ``"form"``.
    by : {"shanten", "form"}
        What the rows are.
    rules : Rules
        Which forms count.
    workers : int or map-like callable
        Threads, or anything that is called like `map`.

    Returns
    -------
    Tally
        Without a source. Rows by shanten are those of `exact_shanten` for the largest hand, from
        -1 if any hand can be complete.

    Raises
    ------
    TypeError, ValueError
        If a hand is none; the message names its row.

    Examples
    --------
    >>> from cardstats.mahjong import parse
    >>> tally([parse("123m11z"), parse("1112345678999m")]).counts.tolist()[:3]
    [1, 1, 0]
    """
    rules = checked_rules(rules)
    check_choice("by", by, get_args(By))
    sizes = WINNING_SIZES if by == "form" else SIZES
    given = Hands(hands, sizes, rules)
    parts = ((part, sizes, by, rules) for part in given.parts(_COUNTED_AT_ONCE))
    counts = np.zeros(_COUNTS, np.int64)
    for counted in map_parts(_tally_part, parts, workers):
        if counted is None:
            given.refuse()
        counts += counted
    if counts.sum() != given.count:
        raise ValueError(f"workers: counted {counts.sum()} of {given.count} hands")
    codes = counts.sum(axis=0)
    size = _size_of_rows(np.flatnonzero(counts.sum(axis=1)).tolist())
    labels, labels_zh = row_labels(by, size, rules)
    first = lowest_shanten(size) + 1 if by == "shanten" else 0
    return Tally(
        labels=labels,
        labels_zh=labels_zh,
        counts=codes[first : first + len(labels)],
        **titles("hands given", "给定的手牌", rules),
    )


_COUNTED_AT_ONCE = 1 << 20  # hands that a part holds
_COUNTS = (MAX_SIZE + 1, 10)  # by tiles, then by code: a form, or shanten numbers from -1 to 8


def _size_of_rows(seen: list[int]) -> int:
    """Give the size whose rows have room for hands of all the sizes that were seen."""
    largest = max(seen, default=MAX_SIZE)
    complete = any(size in WINNING_SIZES for size in seen)
    return largest + (complete and largest not in WINNING_SIZES)


# --- Parts of the work: module functions, so that they can be sent to other processes ---------


def _tally_part(
    hands: NDArray[np.uint8], sizes: tuple[int, ...], by: By, rules: Rules
) -> NDArray[np.int64] | None:
    """Count codes by size of hand; None if a hand is none."""
    counts = np.zeros(_COUNTS, np.int64)
    flat = read_only(np.ascontiguousarray(hands).reshape(-1))
    good = tally_rows(flat, len(hands), *kernel_context(sizes, rules), by == "form", counts)
    return counts if good else None


def _count_classes(
    seed: np.random.SeedSequence, games: int, size: int, rules: Rules, by: By
) -> NDArray[np.int64]:
    totals = np.zeros(len(row_labels(by, size, rules)[0]), np.int64)
    tally_hands(
        lane_states(seed),
        _multipliers(rules.tiles),
        rules.tiles,
        size,
        games,
        rules.codes,
        kernel_tables(),
        by == "form",
        lowest_shanten(size),
        totals,
    )
    return totals


@cache
def _multipliers(deck: int) -> NDArray[np.uint16]:
    return draw_multipliers(deck, MAX_SIZE)
