"""What somebody says is a hand: read, and the reasons why it cannot win, in words.

Nothing is raised for tiles that make no hand: that is a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cardstats._checks import items, shown
from cardstats._jit import as_integers
from cardstats.mahjong.numbering import CODES_MEAN, CODES_MEAN_ZH, kind_of_code
from cardstats.mahjong.rules import COPIES, MAX_SIZE, WINNING_SIZES, Rules
from cardstats.mahjong.tiles import FIRST_HONOUR, KINDS, read_kinds, run_on, tile_name


class Claim(NamedTuple):
    """What is said to be a hand: counts, whatever they are, and numbers that are no tile."""

    hand: list[int]
    kongs: Sequence[list[int]] = ()
    unknown: Sequence[int] = ()

    @property
    def total(self) -> list[int]:
        """How many there are of each kind, kongs included."""
        return [sum(counts) for counts in zip(self.hand, *self.kongs, strict=True)]

    @property
    def declared(self) -> list[int]:
        """Kinds of the kongs; one text may have named several."""
        return sorted(kind for kong in self.kongs for kind in held(kong))


class Fault(NamedTuple):
    """Why something is no winning hand."""

    reason: str
    reason_zh: str
    argument: str = "hand"  # what it was found in


def read_claim(hand: str | ArrayLike, kongs: str | Iterable[str | ArrayLike]) -> Claim:
    """Read a hand and its declared kongs: texts, counts or codes.

    Raises
    ------
    TypeError, ValueError
        If text cannot be read, or what should be numbers is none.
    """
    if not isinstance(kongs, Iterable):
        raise TypeError(f"kongs: expected text or a sequence of kongs, got {shown(kongs)}")
    if isinstance(kongs, str):
        declared: Iterable[str | ArrayLike] = [kongs] if kongs.strip() else []
    else:
        declared = items("kongs", kongs)
    parts = [_read(hand, "hand"), *(_read(kong, "kongs") for kong in declared)]
    unknown = {code for _, codes in parts for code in codes}
    counts, *others = (counts for counts, _ in parts)
    return Claim(counts, others, sorted(unknown))


def no_hand(claim: Claim, rules: Rules, sizes: Sequence[int] = WINNING_SIZES) -> Fault | None:
    """Say why the tiles make no hand of one of the sizes, None if they do."""
    return _no_tile(claim, rules) or _no_kong(claim) or _too_many(claim) or _no_size(claim, sizes)


def no_win(claim: Claim, rules: Rules) -> Fault:
    """Say why a hand, which is known not to win, does not."""
    if not paired(claim.hand):
        return Fault("no pair", "没有对子")
    full = sum(claim.hand) == MAX_SIZE
    nor, nor_zh = _NOR_PAIRS[rules.seven_pairs] if full else ("", "")
    return Fault(f"no grouping into sets and a pair{nor}", f"不能分成顺子、刻子和一个对子{nor_zh}")


_NOR_PAIRS = {
    "quads": (", nor into seven pairs", "，也不是七对"),
    "distinct": (", nor into seven different pairs", "，也不是七个不同的对子"),
    "off": ("", ""),
}


def held(counts: Sequence[int]) -> list[int]:
    """Kinds of which there are tiles."""
    return [kind for kind, count in enumerate(counts) if count]


def paired(counts: Sequence[int]) -> list[int]:
    """Kinds of which there are two tiles or more."""
    return [kind for kind, count in enumerate(counts) if count >= 2]


def _read(tiles: str | ArrayLike, argument: str) -> tuple[list[int], list[int]]:
    """Give the count of each kind, and the numbers that are no tile."""
    if isinstance(tiles, str):
        return _count(read_kinds(tiles, argument)), []
    if isinstance(tiles, Sequence | np.ndarray) and len(tiles) == 0:
        return _count([]), []
    given = as_integers(tiles, argument)
    if given.ndim != 1:
        apart = ", each kong apart: [[11, 11, 11, 11]]" if argument == "kongs" else ""
        raise ValueError(
            f"{argument}: expected text, counts or codes{apart}, got shape {given.shape}"
        )
    numbers: list[int] = given.tolist()
    if len(numbers) == KINDS:
        return numbers, []
    kinds = {code: kind_of_code(code) for code in numbers}
    known = [kind for kind in map(kinds.__getitem__, numbers) if kind is not None]
    return _count(known), [code for code, kind in kinds.items() if kind is None]


def _count(kinds: list[int]) -> list[int]:
    return [kinds.count(kind) for kind in range(KINDS)]


def _no_tile(claim: Claim, rules: Rules) -> Fault | None:
    if claim.unknown:
        codes = [str(code) for code in claim.unknown]
        return _no_tiles(codes, CODES_MEAN, codes, CODES_MEAN_ZH)
    honours = [kind for kind in held(claim.total) if kind >= FIRST_HONOUR]
    if honours and not rules.honours:
        names, names_zh = map(tile_name, honours), map(_name_zh, honours)
        why, why_zh = f"{rules.name} rules have no honours", f"{rules.name} 规则没有字牌"
        return _no_tiles([*names], why, [*names_zh], why_zh)
    return None


def _no_tiles(names: list[str], why: str, names_zh: list[str], why_zh: str) -> Fault:
    are = "is no tile" if len(names) == 1 else "are no tiles"
    return Fault(f"{_listed(names)} {are}: {why}", f"{'、'.join(names_zh)} 不是牌：{why_zh}")


def _no_kong(claim: Claim) -> Fault | None:
    for kong in claim.kongs:
        kinds = held(kong)
        if kinds and all(kong[kind] == COPIES for kind in kinds):
            continue
        found = [f"{kong[kind]} of {tile_name(kind)}" for kind in kinds] or ["nothing"]
        found_zh = [f" {kong[kind]} 张{_name_zh(kind)}" for kind in kinds] or ["空的"]
        return Fault(
            f"a kong is four of a kind, not {_listed(found)}",
            f"杠是四张相同的牌，不是{'、'.join(found_zh)}",
            "kongs",
        )
    return None


def _too_many(claim: Claim) -> Fault | None:
    for kind, count in enumerate(claim.hand):
        if count < 0:
            return Fault(
                f"{count} of {tile_name(kind)}: no count is negative",
                f"{_name_zh(kind)} {count} 张：张数不能是负数",
            )
    total = claim.total
    kinds = [kind for kind in held(total) if total[kind] > COPIES]
    if not kinds:
        return None
    found = [f"{_number(total[kind])} {tile_name(kind)}" for kind in kinds]
    found_zh = [f"{total[kind]} 张{_name_zh(kind)}" for kind in kinds]
    kongs, kongs_zh = (", declared kongs included", "（含杠）") if claim.kongs else ("", "")
    return Fault(
        f"{_listed(found)}{kongs}: there are four of each",
        f"{'、'.join(found_zh)}{kongs_zh}：每种牌只有四张",
    )


def _no_size(claim: Claim, allowed: Sequence[int]) -> Fault | None:
    tiles, kongs = sum(claim.hand), len(claim.declared)
    sizes = [str(size) for size in allowed if size <= MAX_SIZE - 3 * kongs]
    if str(tiles) in sizes:
        return None
    if not sizes:
        return Fault(f"a hand has at most 4 kongs, not {kongs}", f"最多有 4 个杠，不是 {kongs} 个")
    beside, beside_zh = "", ""
    if kongs:
        beside = f" beside {kongs} kong{'s' if kongs > 1 else ''}"
        beside_zh = f"，另有 {kongs} 个杠"
    return Fault(
        f"a hand{beside} has {_listed(sizes, 'or')} tiles, not {tiles}",
        f"手牌应有 {_listed(sizes, '或', '、')} 张{beside_zh}，不是 {tiles} 张",
    )


def _number(count: int) -> str:
    words = {5: "five", 6: "six", 7: "seven", 8: "eight"}
    return words.get(count, f"{count} of")


def _name_zh(kind: int) -> str:
    return run_on([kind], "zh")


def _listed(words: Sequence[str], last: str = "and", comma: str = ", ") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{comma.join(words[:-1])} {last} {words[-1]}"
