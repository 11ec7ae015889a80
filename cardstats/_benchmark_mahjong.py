"""Mahjong beside its yardsticks: seed 004's way in plain Python, and other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardstats import mahjong as mj
from cardstats._benchmark import (
    Contest,
    Contestant,
    copying,
    drawing,
    installed,
    one_by_one,
)
from cardstats._table import Words
from cardstats.mahjong.tiles import FIRST_HONOUR, KINDS, SUIT

PEERS = ("mahjong", "xiangting", "riichienv")

_HANDS = 1_000_000
_ONE_BY_ONE = 20_000
_GAMES = 1 << 20

_RANDOM_WINS = Words("is_win, random, columns", "is_win，随机，按列")
_WINNING_COLUMNS = Words("is_win, winning, columns", "is_win，和牌，按列")
_WINS = Words("is_win, winning, rows", "is_win，和牌，按行")
_SHANTEN_COLUMNS = Words("shanten, columns", "shanten，按列")
_SHANTEN = Words("shanten, rows", "shanten，按行")
_RANDOM_WAITS = Words("waits, random, rows", "waits，随机，按行")
_WAITS = Words("waits, ready, rows", "waits，听牌，按行")
_ACCEPTANCE = Words("acceptance, rows", "acceptance，按行")
_DISCARDS = Words("discards, rows", "discards，按行")

_HONOURS = range(FIRST_HONOUR, KINDS)
_ORPHANS = sorted([*(SUIT * suit + end for suit in range(3) for end in (0, SUIT - 1)), *_HONOURS])
_RUN_STARTS = [SUIT * suit + place for suit in range(3) for place in range(SUIT - 2)]

Hands = NDArray[np.uint8]


def contests(peers: bool) -> Iterator[Contest]:
    """Make the contests of this game, one by one."""
    winning, ready = winning_hands(_HANDS), ready_hands(_HANDS)
    drawn, waiting = mj.deal(_HANDS, rng=1), mj.deal(_HANDS, size=13, rng=2)
    read = [*_kernels(drawn, waiting, winning, ready), _seed(winning)]
    if peers:
        read += _packages(drawn, waiting, winning, ready)
    yield Contest(Words("what Mahjong tiles are", "麻将手牌的和牌、向听与进张"), tuple(read))
    yield Contest(Words("dealing Mahjong tiles and counting", "发麻将牌并统计"), tuple(_dealing()))


def winning_hands(hands: int) -> Hands:
    """Make hands of four sets, mostly runs, and a pair, at most four of a kind."""
    rng = np.random.default_rng(1)
    sets = np.zeros((KINDS + len(_RUN_STARTS), KINDS), np.uint8)
    sets[np.arange(KINDS), np.arange(KINDS)] = 3
    for row, first in enumerate(_RUN_STARTS, KINDS):
        sets[row, first : first + 3] = 1
    found: list[Hands] = []
    while sum(map(len, found)) < hands:
        runs = rng.integers(KINDS, len(sets), (hands, 4))
        triplets = rng.integers(0, KINDS, (hands, 4))
        made = sets[np.where(rng.random((hands, 4)) < 0.7, runs, triplets)].sum(1, dtype=np.uint8)
        made[np.arange(hands), rng.integers(0, KINDS, hands)] += 2
        found.append(made[made.max(axis=1) <= 4])
    return np.concatenate(found)[:hands]


def ready_hands(hands: int) -> Hands:
    """Take one tile from each of some winning hands."""
    found = winning_hands(hands)
    nth = np.random.default_rng(2).integers(1, 15, hands)
    found[np.arange(hands), (found.cumsum(axis=1) >= nth[:, None]).argmax(axis=1)] -= 1
    return found


def plain_win(tiles: Sequence[int]) -> bool:
    """Tell whether kinds in ascending order win, by seed 004's rules: try each pair in turn."""
    held = sorted(set(tiles))
    numbers = [tiles.count(kind) for kind in held]
    if len(tiles) % 3 != 2 or max(numbers) > 4:
        return False
    if len(tiles) == 14:
        if all(number in (2, 4) for number in numbers):
            return True
        if held == _ORPHANS:
            return True
    return any(
        number >= 2 and _plain_sets(tiles, pair) for pair, number in zip(held, numbers, strict=True)
    )


def _plain_sets(tiles: Sequence[int], pair: int) -> bool:
    """Take the pair out, then sets from the lowest tile on: a triplet where there is one."""
    left = list(tiles)
    left.remove(pair)
    left.remove(pair)
    while left:
        low = left[0]
        if left.count(low) >= 3:
            left = left[3:]
        elif low in _RUN_STARTS and low + 1 in left and low + 2 in left:
            for kind in (low, low + 1, low + 2):
                left.remove(kind)
        else:
            return False
    return True


def _kernels(drawn: Hands, waiting: Hands, winning: Hands, ready: Hands) -> Iterator[Contestant]:
    columns, winning_columns = np.asfortranarray(drawn), np.asfortranarray(winning)
    won: NDArray[Any] = np.zeros(_HANDS, np.bool_)
    numbers: NDArray[Any] = np.zeros(_HANDS, np.int8)
    fewer = _HANDS // 4  # of what takes longer
    marks: NDArray[Any] = np.zeros((fewer, KINDS), np.bool_)
    riichi = {"rules": mj.RIICHI}
    yield copying(Words("copy 34 counts", "复制 34 个计数"), drawn)
    for label, kernel, hands, out, rules in (
        (_RANDOM_WINS, mj.is_win, columns, won, {}),
        (_WINNING_COLUMNS, mj.is_win, winning_columns, won, {}),
        (_WINS, mj.is_win, winning, won, riichi),
        (_SHANTEN_COLUMNS, mj.shanten, columns, numbers, riichi),
        (_SHANTEN, mj.shanten, drawn, numbers, riichi),
        (_RANDOM_WAITS, mj.waits, waiting[:fewer], marks, {}),
        (_WAITS, mj.waits, ready[:fewer], marks, riichi),
        (_ACCEPTANCE, mj.acceptance, waiting[:fewer], marks, riichi),
        (_DISCARDS, mj.discards, drawn[:fewer], marks, riichi),
    ):
        yield Contestant(label, "cardstats", partial(kernel, hands, out=out, **rules), len(hands))


def _seed(winning: Hands) -> Contestant:
    few = _half_changed(winning)
    return one_by_one(
        Words("seed 004, plain Python", "原文 004，纯 Python"),
        plain_win,
        [np.repeat(np.arange(KINDS), hand).tolist() for hand in few],
        kind="plain",
        slower_than=_WINS.en,
        own=mj.is_win(few).tolist(),
        show=_shown(few),
    )


def _packages(drawn: Hands, waiting: Hands, winning: Hands, ready: Hands) -> Iterator[Contestant]:
    if installed("mahjong"):
        yield from _mahjong(drawn[:_ONE_BY_ONE], _half_changed(winning))
    if installed("xiangting"):
        yield from _xiangting(drawn[:_ONE_BY_ONE], waiting[:_ONE_BY_ONE])
    if installed("riichienv"):
        yield from _riichienv(drawn[:_ONE_BY_ONE], ready[:_ONE_BY_ONE])


def _mahjong(drawn: Hands, winning: Hands) -> Iterator[Contestant]:
    from mahjong.agari import Agari
    from mahjong.shanten import Shanten

    yield one_by_one(
        Words("mahjong, win", "mahjong，和牌"),
        Agari().is_agari,
        winning.tolist(),
        slower_than=_WINS.en,
        own=mj.is_win(winning, rules=mj.RIICHI).tolist(),
        show=_shown(winning),
    )
    yield one_by_one(
        Words("mahjong, shanten", "mahjong，向听"),
        Shanten().calculate_shanten,
        drawn.tolist(),
        timed=300,
        **_by_shanten(drawn),
    )


def _xiangting(drawn: Hands, waiting: Hands) -> Iterator[Contestant]:
    from xiangting import (
        PlayerCount,
        calculate_necessary_tiles,
        calculate_replacement_number,
        to_array,
    )

    def accepted(hand: list[int]) -> list[bool]:
        tiles: list[bool] = to_array(calculate_necessary_tiles(hand, PlayerCount.FOUR)[1])
        return tiles

    yield one_by_one(
        Words("xiangting, shanten", "xiangting，向听"),
        lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) - 1,
        drawn.tolist(),
        **_by_shanten(drawn),
    )
    yield one_by_one(
        Words("xiangting, acceptance", "xiangting，进张"),
        accepted,
        waiting.tolist(),
        slower_than=_ACCEPTANCE.en,
        own=mj.acceptance(waiting, rules=mj.RIICHI).tolist(),
        show=_shown(waiting),
    )


def _riichienv(drawn: Hands, ready: Hands) -> Iterator[Contestant]:
    from riichienv import HandEvaluator, calculate_shanten

    yield one_by_one(
        Words("riichienv, shanten", "riichienv，向听"),
        calculate_shanten,
        _ids(drawn),
        **_by_shanten(drawn),
    )
    yield one_by_one(
        Words("riichienv, waits", "riichienv，听牌"),
        lambda ids: HandEvaluator(ids).get_waits(),
        _ids(ready),
        slower_than=_WAITS.en,
        own=[np.flatnonzero(row).tolist() for row in mj.waits(ready, rules=mj.RIICHI)],
        show=_shown(ready),
    )


def _by_shanten(hands: Hands) -> dict[str, Any]:
    return {
        "slower_than": _SHANTEN.en,
        "own": mj.shanten(hands, rules=mj.RIICHI).tolist(),
        "show": _shown(hands),
    }


def _dealing() -> Iterator[Contestant]:
    yield copying(Words("copy dealt tiles", "复制发好的麻将牌"), mj.deal(_GAMES, rng=1))
    yield drawing(Words("NumPy draws 13 numbers", "NumPy 抽 13 个随机数"), 13)
    for label, job in (
        (Words("deal, 14 tiles", "deal，14 张"), mj.deal),
        (Words("simulate shanten", "simulate，向听"), mj.simulate),
        (Words("simulate forms", "simulate，和牌牌型"), partial(mj.simulate, by="form")),
    ):
        yield Contestant(label, "cardstats", partial(job, _GAMES, rng=1), _GAMES)


def _half_changed(winning: Hands) -> Hands:
    """Take some winning hands, and move one tile on in about half of them."""
    few = winning[:_ONE_BY_ONE].copy()
    for row in np.flatnonzero(np.random.default_rng(3).random(len(few)) < 0.5):
        hand = few[row]
        kind = int(np.flatnonzero(hand)[0])
        onto = next(other for other in range(kind + 1, KINDS) if hand[other] < 4)
        hand[kind] -= 1
        hand[onto] += 1
    return few


def _ids(hands: Hands) -> list[list[int]]:
    """Write hands as 136-tile ids: four to a kind."""
    return [[4 * k + i for k, held in enumerate(h) for i in range(held)] for h in hands.tolist()]


def _shown(hands: Hands) -> Callable[[int], str]:
    return lambda i: mj.format(hands[i])
