"""Three-card poker by chance: deal, count, and hold hands against each other, as often as you like.

Everything is dealt from one 52-card deck a game and then looked at; nothing is drawn from a known
distribution. What the games come to depends on the seed, the games, the players and the rules.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats import cards
from cardstats._checks import whole
from cardstats._engine import RNG, Stream, Work, Workers, games_a_chunk, map_parts, run
from cardstats._jit import MAX_BYTES, NO_SUCH_ARRAY
from cardstats._lanes import draw_multipliers
from cardstats._random import lane_states
from cardstats.results import Showdown, Tally, pot_share
from cardstats.three_card.dealing import (
    deal_games,
    showdown_games,
    tally_games,
)
from cardstats.three_card.kernels import Hands, tally_block
from cardstats.three_card.rules import (
    BEYOND_THE_DECK,
    MAX_PLAYERS,
    ZHA_JIN_HUA,
    By,
    Rules,
    checked_rules,
    class_places,
    row_labels,
    titles,
)

_NOBODY = np.empty(0, np.uint8)  # no hand is given: seat 0 is dealt like any other


def deal(n: int, *, players: int | None = None, rng: RNG = None) -> NDArray[np.uint8]:
    """Deal hands that you keep.

    Parameters
    ----------
    n : int
        Hands, or tables of `players` hands.
    players : int, optional
        1 to 17 who share a deck; without it, each hand comes from a deck of its own.
    rng : None, int, SeedSequence or Generator
        The same games as `simulate` counts from the same seed.

    Returns
    -------
    ndarray of uint8, shape (n, 3) or (n, players, 3)
        Card codes, in the order in which they were dealt.

    Raises
    ------
    TypeError, ValueError
        If `n` is negative, or `players` is outside 1…17.

    Examples
    --------
    >>> deal(1000, players=5, rng=7).shape
    (1000, 5, 3)
    """
    seats = whole(1 if players is None else players, "players", 1, MAX_PLAYERS, BEYOND_THE_DECK)
    n = whole(n, "n", most=MAX_BYTES // (3 * seats), beyond=NO_SUCH_ARRAY)
    stream = Stream.of(rng)
    hands = np.empty((n, seats, 3), np.uint8)
    size = games_a_chunk(seats)
    for index, start in enumerate(range(0, n, size)):
        part = hands[start : start + size]
        deal_games(lane_states(stream.chunk(index)), _multipliers(), seats, part)
    return hands[:, 0] if players is None else hands


def simulate(
    games: int,
    *,
    players: int = 1,
    rules: Rules = ZHA_JIN_HUA,
    by: By = "category",
    rng: RNG = None,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Tally:
    """Deal games and count the hands by class.

    Parameters
    ----------
    games : int
        Deals; each gives `players` hands.
    players : int
        1 to 17 who share a deck.
    rules : Rules
        Only whether A-2-3 is a straight matters here.
    by : {"category", "top_card"}
        The six categories, or fifteen rows with the high cards split by their top card.
    rng : None, int, SeedSequence or Generator
        Seed. The result depends on it, on `games`, `players` and `rules`, and on nothing else;
        a run is a prefix of every longer one.
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
    >>> simulate(100_000, players=5, rng=1).total
    500000
    """
    labels, labels_zh = row_labels(by)
    players = whole(players, "players", 1, MAX_PLAYERS, BEYOND_THE_DECK)
    rules = checked_rules(rules)
    work = Work(
        count=_count_classes,
        args=(players, rules, by),
        shape=(len(labels),),
        game="three_card.simulate",
        rules=repr(rules),
        by=by,
        players=players,
    )
    totals, source = run(
        work, games, rng=rng, workers=workers, progress=progress, checkpoint=checkpoint
    )
    return Tally(
        labels=labels,
        labels_zh=labels_zh,
        counts=totals,
        players=players,
        source=source,
        **titles("hands dealt", "发出的手牌", rules, players),
    )


def simulate_showdown(
    games: int,
    *,
    players: int = 2,
    rules: Rules = ZHA_JIN_HUA,
    by: By = "category",
    rng: RNG = None,
    workers: Workers = 1,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Showdown:
    """Deal games and count what the hand of seat 0 was worth, by its class.

    Parameters
    ----------
    games : int
        Deals.
    players : int
        2 to 17.
    rules : Rules
        Any: ranks, suits, points, a special 2-3-5.
    by, rng, workers, progress, checkpoint
        As for `simulate`.

    Returns
    -------
    Showdown
        Wins, draws and losses of seat 0, its share of the pot, and the best hands at the table.
        Where hands of different classes tie by points, `best` counts the one that stands higher
        in `Rules.order`.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or out of range, or the checkpoint is of other work.

    Examples
    --------
    >>> shown = simulate_showdown(100_000, players=2, rng=1)
    >>> shown.total
    100000
    """
    labels, labels_zh = row_labels(by)
    players = whole(players, "players", 2, MAX_PLAYERS, BEYOND_THE_DECK)
    rules = checked_rules(rules)
    work = Work(
        count=_count_showdowns,
        args=(players, rules, by, _NOBODY),
        shape=(players + 2, len(labels)),
        game="three_card.simulate_showdown",
        rules=repr(rules),
        by=by,
        players=players,
    )
    totals, source = run(
        work, games, rng=rng, workers=workers, progress=progress, checkpoint=checkpoint
    )
    columns = totals.T.tolist()
    win = [row[1] for row in columns]
    draw = [sum(row[2:-1]) for row in columns]
    return Showdown(
        labels=labels,
        labels_zh=labels_zh,
        players=players,
        exact=False,
        hands=tuple(row[0] for row in columns),
        win=tuple(win),
        draw=tuple(draw),
        lose=tuple(row[0] - w - d for row, w, d in zip(columns, win, draw, strict=True)),
        share=tuple(pot_share(row[1:-1]) for row in columns),
        best=tuple(row[-1] for row in columns),
        source=source,
        **titles("showdown dealt", "比牌，模拟", rules, players),
    )


def tally(
    hands: ArrayLike, *, rules: Rules = ZHA_JIN_HUA, by: By = "category", workers: Workers = 1
) -> Tally:
    """Count hands of your own by class, without an array of classes in between.

    Parameters
    ----------
    hands : array_like of int, shape (n, 3) or (n, players, 3)
        Card codes, as for `classify`; at a table no card may lie twice.
    rules : Rules
        Only whether A-2-3 is a straight matters here.
    by : {"category", "top_card"}
        The six categories, or fifteen rows with the high cards split by their top card.
    workers : int or map-like callable
        Threads, or anything that is called like `map`.

    Returns
    -------
    Tally
        Without a source.

    Raises
    ------
    TypeError, ValueError
        If `hands` is not made of three different cards each; the message names row and card.

    Examples
    --------
    >>> from cardstats.three_card import all_hands
    >>> tally(all_hands()).counts.tolist()
    [16440, 3744, 720, 1096, 48, 52]
    """
    labels, labels_zh = row_labels(by)
    ready, codes = Hands(hands), checked_rules(rules).codes
    parts = (
        (part, ready.columns, codes, by == "top_card") for part in ready.parts(games_a_chunk())
    )
    totals = np.zeros(len(labels), np.int64)
    for counted in map_parts(tally_block, parts, workers):
        if counted is None:
            ready.refuse()
        totals += counted
    if totals.sum() != ready.count:
        raise ValueError(f"workers: counted {totals.sum()} of {ready.count} hands")
    players = ready.shape[1] if len(ready.shape) == 2 else 1
    return Tally(
        labels=labels,
        labels_zh=labels_zh,
        counts=totals,
        players=players,
        **titles("hands given", "给定的手牌", rules, players),
    )


def equity_counts(
    hand: NDArray[np.uint8],
    *,
    players: int,
    rules: Rules,
    games: int,
    rng: RNG,
) -> list[int]:
    """Deal to the other seats and count the games that `hand` shares with k - 1 others, k ≥ 1.

    Parameters
    ----------
    hand : ndarray of uint8, shape (3,)
        Three different cards, held by seat 0.
    players : int
        Seats, that of `hand` included.
    rules, games, rng
        As for `simulate_showdown`.

    Returns
    -------
    list of int, length players
    """
    work = Work(
        count=_count_showdowns,
        args=(players, rules, "category", _draws_of(hand)),
        shape=(players + 2, len(row_labels("category")[0])),
        game="three_card.equity",
        rules=repr(rules),
        by="category",
        players=players,
    )
    totals, _ = run(work, games, rng=rng)
    counts: list[int] = totals[1:-1].sum(axis=1).tolist()
    return counts


def deal_chunk(seed: np.random.SeedSequence, games: int, players: int) -> NDArray[np.uint8]:
    """Deal the tables of one chunk, shape (games, players, 3): those that the others count."""
    tables = np.empty((games, players, 3), np.uint8)
    deal_games(lane_states(seed), _multipliers(), players, tables)
    return tables


# --- One chunk: module functions, so that they can be sent to other processes -----------------


def _count_classes(
    seed: np.random.SeedSequence, games: int, players: int, rules: Rules, by: By
) -> NDArray[np.int64]:
    totals = np.zeros(len(row_labels(by)[0]), np.int64)
    state = lane_states(seed)
    tally_games(state, _multipliers(), games, players, rules.codes, by == "top_card", totals)
    return totals


def _count_showdowns(
    seed: np.random.SeedSequence,
    games: int,
    players: int,
    rules: Rules,
    by: By,
    hero_draws: NDArray[np.uint8],
) -> NDArray[np.int64]:
    places = class_places(rules, by)
    totals = np.zeros((players + 2, places.size), np.int64)
    showdown_games(
        lane_states(seed),
        _multipliers(),
        games,
        players,
        rules.codes,
        rules.multipliers,
        by == "top_card",
        hero_draws,
        places,
        totals,
    )
    return totals


@cache
def _multipliers() -> NDArray[np.uint16]:
    return draw_multipliers(cards.DECK_SIZE, 3 * MAX_PLAYERS)


def _draws_of(hand: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Find the draws that `dealing.lift_hand` turns into this hand."""
    first, second, third = (int(card) for card in hand)
    second_draw = second - (second > first)
    third_draw = third - (third > first)
    third_draw -= third_draw > second_draw
    return np.array([first, second_draw, third_draw], np.uint8)
