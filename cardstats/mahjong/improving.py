"""One hand on its way: its shanten number, what to discard, and what then helps.

Unlike the kernels this knows of tiles beside the hand: those of a declared kong are gone. The
kernels answer where there is none; beside a kong, every hand that could still win is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardstats._table import InWords, Lang
from cardstats.mahjong.claims import no_hand, read_claim
from cardstats.mahjong.kernels import acceptance, is_win, shanten
from cardstats.mahjong.rules import CHINESE, COPIES, SIZES, WAITING_SIZES, Rules, checked_rules
from cardstats.mahjong.tiles import FIRST_HONOUR, KINDS, SUIT, run_on, tile_name


@dataclass(frozen=True)
class Option(InWords):
    """What a hand of 3k+1 tiles accepts, perhaps after a discard.

    Parameters
    ----------
    discard : int or None
        The kind discarded; None where the hand is waiting as it is.
    left : mapping of int to int
        How many remain of each kind that lowers the shanten number: four less those that the
        whole hand and its kongs hold.
    """

    discard: int | None
    left: Mapping[int, int]

    @property
    def tiles(self) -> int:
        """How many tiles help."""
        return sum(self.left.values())

    def by_number_left(self) -> Iterator[tuple[int, list[int]]]:
        """Put kinds together of which equally many remain, the largest number first."""
        for number in sorted(set(self.left.values()), reverse=True):
            yield number, [kind for kind, count in self.left.items() if count == number]

    def _text(self, lang: Lang) -> str:
        """Give the kinds that help by how many remain: ``36p(4) 1z(2)``."""
        style = "zh" if lang == "zh" else "mpsz"
        helping = " ".join(
            f"{run_on(kinds, style)}({number})" for number, kinds in self.by_number_left()
        )
        if lang == "zh":
            discard = "" if self.discard is None else f"打{run_on([self.discard], style)}："
            return f"{discard}进张 {self.tiles} 张，{helping}"
        discard = "" if self.discard is None else f"discard {tile_name(self.discard)}: "
        help_ = "tile helps" if self.tiles == 1 else "tiles help"
        return f"{discard}{self.tiles} {help_}, {helping}"


@dataclass(frozen=True)
class Prospects(InWords):
    """How far a hand is from complete, and the ways on.

    Parameters
    ----------
    shanten : int
        -1 for a complete hand, 0 for a ready one.
    options : tuple of Option
        For 3k+1 tiles the one there is; for 3k+2 one for each discard that keeps the shanten
        number, the one that most tiles help first; none if the hand is complete.

    Examples
    --------
    >>> print(prospects("123m456p78s789s114z").to_text("zh"))
    向听数 0
      打北：进张 7 张，六条(4) 九条(3)
    """

    shanten: int
    options: tuple[Option, ...]

    def _text(self, lang: Lang) -> str:
        title, complete = ("向听数", "，已和牌") if lang == "zh" else ("shanten", ", complete")
        ways = (option.to_text(lang) for option in self.options)
        end = complete if self.shanten == -1 else ""
        return "\n  ".join((f"{title} {self.shanten}{end}", *ways))


def prospects(
    hand: str | ArrayLike,
    *,
    rules: Rules = CHINESE,
    kongs: str | Iterable[str | ArrayLike] = (),
) -> Prospects:
    """Say how far a hand is from complete, what to discard, and which tiles then help.

    Parameters
    ----------
    hand, kongs
        As for `check`, and hands before their draw too: 3k+1 or 3k+2 tiles.
    rules : Rules
        Which forms count; with open sets or kongs only the standard one does.

    Returns
    -------
    Prospects

    Raises
    ------
    TypeError, ValueError
        If text cannot be read, or the tiles make no hand.

    Examples
    --------
    >>> found = prospects("1112345678999m")
    >>> found.shanten, found.options[0].tiles
    (0, 23)
    >>> [option.tiles for option in prospects("147m258p369s12345z").options]
    [63, 63, 63, 63, 63, 63, 63, 39, 39, 39, 39, 39, 39, 39]
    >>> prospects("123456m12s99p", kongs="3333s").shanten  # ready, but that no 3s is left
    1
    >>> print(prospects("123m456p78s789s114z"))
    shanten 0
      discard 4z: 7 tiles help, 6s(4) 9s(3)
    """
    rules = checked_rules(rules)
    claim = read_claim(hand, kongs)
    fault = no_hand(claim, rules, SIZES)
    if fault:
        raise ValueError(f"{fault.argument}: {fault.reason}")
    held = np.array(claim.hand, dtype=np.uint8)
    if sum(claim.hand) in WAITING_SIZES:
        discards: list[int | None] = [None]
        rests = held[np.newaxis]
    elif is_win(held, rules=rules):
        return Prospects(-1, ())
    else:
        kinds = np.flatnonzero(held)
        discards = [*kinds.tolist()]
        rests = held - np.eye(KINDS, dtype=np.uint8)[kinds]
    numbers, accepted = _look_ahead(rests, claim.declared, rules)
    unseen = COPIES - np.array(claim.total)
    options = [
        Option(discard, {kind: int(unseen[kind]) for kind in np.flatnonzero(accepts).tolist()})
        for discard, number, accepts in zip(discards, numbers, accepted, strict=True)
        if number == min(numbers)
    ]
    options.sort(key=lambda option: -option.tiles)
    return Prospects(min(numbers), tuple(options))


def _look_ahead(
    hands: NDArray[np.uint8], kongs: Sequence[int], rules: Rules
) -> tuple[list[int], NDArray[np.bool_]]:
    """Give the shanten number of each hand of 3k+1 tiles, and the kinds that lower it.

    Beside kongs each hand is compared with all that win without a tile of theirs: it lacks what
    it must draw of the nearest, and accepts what it lacks of any that is as near.
    """
    if not kongs:
        return shanten(hands, rules=rules).tolist(), acceptance(hands, rules=rules)
    kinds = frozenset(range(rules.kinds)) - set(kongs)
    winning = _winning_hands(int(hands[0].sum()) // 3, kinds)
    numbers, accepted = [], np.empty(hands.shape, dtype=np.bool_)
    for row, hand in enumerate(hands.astype(np.int8)):
        missing = np.maximum(winning - hand[:, np.newaxis], 0)
        lacking = missing.sum(axis=0, dtype=np.int8)
        numbers.append(int(lacking.min()) - 1)
        accepted[row] = missing[:, lacking == lacking.min()].any(axis=1)
    return numbers, accepted


@lru_cache(maxsize=1)  # up to 40 MB
def _winning_hands(sets: int, kinds: frozenset[int]) -> NDArray[np.int8]:
    """Give each hand of so many sets, at most three, and a pair of these kinds: (34, n) counts."""
    tile = np.eye(KINDS, dtype=np.int8)
    triplets = [3 * tile[kind] for kind in kinds]
    runs = [tile[run].sum(axis=0) for run in _RUNS if kinds.issuperset(run)]
    groups = np.array([*triplets, *runs], dtype=np.int8)
    chosen = list(combinations_with_replacement(range(len(groups)), sets))
    of_sets = groups[np.array(chosen, dtype=np.intp)].sum(axis=1, dtype=np.int8)
    hands = (of_sets[:, np.newaxis] + 2 * tile[sorted(kinds)]).reshape(-1, KINDS)
    return np.ascontiguousarray(hands[(hands <= COPIES).all(axis=1)].T)


_RUNS = [[kind, kind + 1, kind + 2] for kind in range(FIRST_HONOUR) if kind % SUIT <= SUIT - 3]
