"""Mahjong beside its yardsticks: seed 004's way in plain Python, and other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats import mahjong as mj
from cardstats._benchmark import (
    Contest,
    Contestant,
    copying,
    drawing,
    kernel,
    one_by_one,
    packages,
    simulator,
)
from cardstats._table import Words
from cardstats.comparison import compare
from cardstats.mahjong.tiles import FIRST_HONOUR, KINDS, SUIT

PEERS = ("mahjong", "xiangting", "riichienv")

_HANDS = 5_000_000  # 170 MB: of fewer, NumPy's copy does not bypass the caches, and is slower
_DISTINCT = 1_000_000  # winning hands; more are these again
_ONE_BY_ONE = 20_000
_GAMES = 1 << 20

_RANDOM_WINS = Words("is_win, random, columns", "is_win，随机，按列")
_WINNING_COLUMNS = Words("is_win, winning, columns", "is_win，和牌，按列")
_WINS = Words("is_win, half win, rows", "is_win，半数和牌，按行")
_RIICHI_WINS = Words("is_win riichi, half win, rows", "is_win riichi，半数和牌，按行")
_SHANTEN_COLUMNS = Words("shanten, columns", "shanten，按列")
_SHANTEN = Words("shanten, rows", "shanten，按行")
_RANDOM_WAITS = Words("waits, random, rows", "waits，随机，按行")
_WAITS = Words("waits, ready, rows", "waits，听牌，按行")
_ACCEPTANCE = Words("acceptance, rows", "acceptance，按行")
_DISCARDS = Words("discards, rows", "discards，按行")
_DEAL = Words("deal, 14 tiles", "deal，14 张")
_BY_SHANTEN = Words("simulate shanten", "simulate，向听")
_BY_FORM = Words("simulate forms", "simulate，和牌牌型")

_HONOURS = range(FIRST_HONOUR, KINDS)
_ORPHANS = sorted([*(SUIT * suit + end for suit in range(3) for end in (0, SUIT - 1)), *_HONOURS])
_RUN_STARTS = [SUIT * suit + place for suit in range(3) for place in range(SUIT - 2)]

Hands = NDArray[np.uint8]


def contests(peers: bool) -> Iterator[Contest]:
    """Make the contests of this game."""
    hands, notes = _Hands.of(_HANDS), list[Words]()
    makers = _makers(hands.first(_ONE_BY_ONE)) if peers else {}
    read = [*_kernels(hands), _seed(hands.mixed[:_ONE_BY_ONE]), *packages(makers, notes)]
    yield Contest(Words("what Mahjong tiles are", "麻将手牌的和牌、向听与进张"), read, notes)
    dealing = list(_dealing(hands.drawn))
    yield Contest(Words("dealing Mahjong tiles and counting", "发麻将牌并统计"), dealing)


class _Hands(NamedTuple):
    """Hands to read."""

    drawn: Hands  # 14 tiles
    winning: Hands
    mixed: Hands  # about half of them winning, the others nearly
    waiting: Hands  # 13 tiles
    ready: Hands

    @classmethod
    def of(cls, hands: int) -> _Hands:
        """Make as many of each; of 13 tiles, whose marks take longer, a quarter."""
        distinct = min(hands, _DISTINCT)
        winning = winning_hands(distinct)
        return cls(
            drawn=mj.deal(hands, rng=1),
            winning=np.resize(winning, (hands, KINDS)),
            mixed=np.resize(half_changed(winning), (hands, KINDS)),
            waiting=mj.deal(hands // 4, size=13, rng=2),
            ready=np.resize(ready_hands(distinct), (hands // 4, KINDS)),
        )

    def first(self, hands: int) -> _Hands:
        """Take so many of each."""
        return _Hands(*(some[:hands] for some in self))


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


def half_changed(winning: Hands) -> Hands:
    """Move one tile of about half of some winning hands to the next kind that has room."""
    found = winning.copy()
    rows = np.flatnonzero(np.random.default_rng(3).random(len(found)) < 0.5)
    first = (found[rows] > 0).argmax(axis=1)
    room = (found[rows] < 4) & (np.arange(KINDS) > first[:, None])
    found[rows, first] -= 1
    found[rows, room.argmax(axis=1)] += 1
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


def _kernels(hands: _Hands) -> Iterator[Contestant]:
    columns, winning_columns = np.asfortranarray(hands.drawn), np.asfortranarray(hands.winning)
    won: NDArray[Any] = np.zeros(len(columns), np.bool_)
    numbers: NDArray[Any] = np.zeros(len(columns), np.int8)
    marks: NDArray[Any] = np.zeros((len(hands.waiting), KINDS), np.bool_)
    yield copying(Words("copy 34 counts", "复制 34 个计数"), hands.drawn)
    for label, ask, rules, given, out in (
        (_RANDOM_WINS, mj.is_win, mj.CHINESE, columns, won),
        (_WINNING_COLUMNS, mj.is_win, mj.CHINESE, winning_columns, won),
        (_WINS, mj.is_win, mj.CHINESE, hands.mixed, won),
        (_RIICHI_WINS, mj.is_win, mj.RIICHI, hands.mixed, won),
        (_SHANTEN_COLUMNS, mj.shanten, mj.RIICHI, columns, numbers),
        (_SHANTEN, mj.shanten, mj.RIICHI, hands.drawn, numbers),
        (_RANDOM_WAITS, mj.waits, mj.CHINESE, hands.waiting, marks),
        (_WAITS, mj.waits, mj.RIICHI, hands.ready, marks),
        (_ACCEPTANCE, mj.acceptance, mj.RIICHI, hands.waiting, marks),
        (_DISCARDS, mj.discards, mj.RIICHI, hands.drawn[: len(marks)], marks),
    ):
        yield kernel(label, partial(ask, rules=rules), given, out, mj.format)


def _seed(few: Hands) -> Contestant:
    return one_by_one(
        Words("seed 004, plain Python", "原文 004，纯 Python"),
        plain_win,
        [np.repeat(np.arange(KINDS), hand).tolist() for hand in few],
        kind="plain",
        slower_than=_WINS.en,
        own=mj.is_win(few).tolist(),
        show=_shown(few),
    )


def _makers(few: _Hands) -> dict[str, Callable[[], Iterable[Contestant]]]:
    """Say how to make the contestants of each package."""
    return {
        "mahjong": lambda: _mahjong(few.drawn, few.mixed),
        "xiangting": lambda: _xiangting(few.drawn, few.waiting),
        "riichienv": lambda: _riichienv(few.drawn, few.ready),
    }


def _mahjong(drawn: Hands, mixed: Hands) -> Iterator[Contestant]:
    from mahjong.agari import Agari
    from mahjong.shanten import Shanten

    yield one_by_one(
        Words("mahjong, win", "mahjong，和牌"),
        Agari().is_agari,
        mixed.tolist(),
        slower_than=_RIICHI_WINS.en,
        own=mj.is_win(mixed, rules=mj.RIICHI).tolist(),
        show=_shown(mixed),
    )
    yield one_by_one(
        Words("mahjong, shanten", "mahjong，向听"),
        Shanten().calculate_shanten,
        drawn.tolist(),
        timed=300,
        **_by_shanten(drawn),
    )


def _xiangting(drawn: Hands, waiting: Hands) -> Iterator[Contestant]:
    from xiangting import PlayerCount, calculate_necessary_tiles, calculate_replacement_number

    yield one_by_one(
        Words("xiangting, shanten", "xiangting，向听"),
        lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) - 1,
        drawn.tolist(),
        **_by_shanten(drawn),
    )
    yield one_by_one(
        Words("xiangting, acceptance", "xiangting，进张"),
        lambda hand: calculate_necessary_tiles(hand, PlayerCount.FOUR)[1],
        waiting.tolist(),
        slower_than=_ACCEPTANCE.en,
        # It answers with a bit a kind.
        own=(mj.acceptance(waiting, rules=mj.RIICHI) @ (1 << np.arange(KINDS))).tolist(),
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


def _dealing(drawn: Hands) -> Iterator[Contestant]:
    shanten, forms = mj.exact_shanten(), mj.exact_forms()
    yield copying(Words("copy dealt tiles", "复制发好的麻将牌"), drawn)
    yield drawing(Words("NumPy draws 13 numbers", "NumPy 抽 13 个随机数"), 13)
    for label, job, check in (
        (_DEAL, mj.deal, lambda dealt: compare(mj.tally(dealt), shanten)),
        (_BY_SHANTEN, mj.simulate, lambda seen: compare(seen, shanten)),
        (_BY_FORM, partial(mj.simulate, by="form"), lambda seen: compare(seen, forms)),
    ):
        yield simulator(label, partial(job, _GAMES, rng=1), _GAMES, check)


def _ids(hands: Hands) -> list[list[int]]:
    """Write hands as 136-tile ids: four to a kind."""
    return [[4 * k + i for k, held in enumerate(h) for i in range(held)] for h in hands.tolist()]


def _shown(hands: Hands) -> Callable[[int], str]:
    return lambda i: mj.format(hands[i])
