"""What Mahjong hands are, counted over all of them: in integers, without a list of hands.

A hand is three suits and the honours; parts that count alike are counted together
(`exact_parts`). Sets and a pair are looked at in two ways that need nothing of each other: by the
tiles that are lacking (`exact_lacking`), and here by what is complete or lacks one tile.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardstats._checks import shown
from cardstats.mahjong.exact_lacking import shanten_counts
from cardstats.mahjong.exact_parts import (
    Groups,
    can_be_orphans,
    can_be_pairs,
    of_states,
    states_of,
    suit_and_honours,
    ways_to_hold,
    whole_hands,
)
from cardstats.mahjong.rules import (
    CHINESE,
    COPIES,
    MAX_SIZE,
    SIZES,
    WAITING_SIZES,
    WINNING_SIZES,
    Form,
    Rules,
    checked_rules,
    checked_size,
    lowest_shanten,
    row_labels,
    titles,
)
from cardstats.mahjong.suits import BASE, SETS, WITH_PAIR, Bytes, complete
from cardstats.mahjong.tiles import ORPHANS
from cardstats.results import Distribution


def exact_forms(
    *, size: int = MAX_SIZE, rules: Rules = CHINESE, weighted: bool = True
) -> Distribution:
    """Count all hands by the form in which they win.

    Parameters
    ----------
    size : {14, 2, 5, 8, 11}
        Tiles in the hand: three fewer than 14 for each open meld. Seven pairs and thirteen
        orphans need all 14.
    rules : Rules
        Any.
    weighted : bool
        Whether each tile counts as a thing of its own, as probabilities want it: all hands
        are then C(136, size), or C(108, size) without honours. Otherwise hands differ only by
        how many they hold of each kind.

    Returns
    -------
    Distribution
        One row per `Form`. A hand of two forms is in the row of the larger code;
        `exact_overlap` says how many those are.

    Raises
    ------
    TypeError, ValueError
        If hands of that size cannot win, or an argument is of another kind.

    Examples
    --------
    >>> exact_forms(size=5).counts
    (359652168, 280944, 0, 0)
    """
    rules, weighted = checked_rules(rules), _checked_weighted(weighted)
    size = checked_size(size, WINNING_SIZES)
    labels, labels_zh = row_labels("form", size, rules)
    return Distribution(
        labels=labels,
        labels_zh=labels_zh,
        counts=_form_counts(size, rules, weighted),
        **titles(*_hands("forms", "和牌牌型", weighted), rules, size),
    )


def exact_overlap(*, rules: Rules = CHINESE, weighted: bool = True) -> int:
    """Count the hands of 14 tiles that are both sets and a pair and seven pairs.

    No hand has any other two forms: thirteen orphans hold neither a set nor a second pair.

    Parameters
    ----------
    rules : Rules
        Any.
    weighted : bool
        Whether each tile counts as a thing of its own.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If an argument is of another kind.

    Examples
    --------
    >>> exact_overlap(weighted=False)
    7938
    """
    hands = _completions(MAX_SIZE, checked_rules(rules), _checked_weighted(weighted))
    both = (hands.keys[_HEADED] > 0) & (hands.keys[_AMISS] == 0)
    return int(hands.ways[both].sum())


def exact_shanten(
    *, size: int = MAX_SIZE, rules: Rules = CHINESE, weighted: bool = True
) -> Distribution:
    """Count all hands by their shanten number: the tiles to replace until they are ready.

    Parameters
    ----------
    size : {14, 13, 11, 10, 8, 7, 5, 4, 2, 1}
        Tiles in the hand: three fewer than 14 or 13 for each open meld. Seven pairs and
        thirteen orphans need them all.
    rules : Rules
        Any.
    weighted : bool
        Whether each tile counts as a thing of its own, as probabilities want it: all hands
        are then C(136, size), or C(108, size) without honours. Otherwise hands differ only by
        how many they hold of each kind.

    Returns
    -------
    Distribution
        Ascending from -1, complete, where hands of that size can be, else from 0, ready.

    Raises
    ------
    TypeError, ValueError
        If no hand has that size, or an argument is of another kind.

    Examples
    --------
    >>> exact_shanten(size=5).counts
    (280944, 28965576, 212119680, 118566912)
    """
    rules, weighted = checked_rules(rules), _checked_weighted(weighted)
    size = checked_size(size, SIZES)
    labels, labels_zh = row_labels("shanten", size, rules)
    found = shanten_counts(size, rules, weighted)
    numbers = range(lowest_shanten(size), lowest_shanten(size) + len(labels))
    return Distribution(
        labels=labels,
        labels_zh=labels_zh,
        counts=tuple(found.get(number, 0) for number in numbers),
        **titles(*_hands("shanten", "向听数", weighted), rules, size),
    )


def exact_waits(
    *, size: int = MAX_SIZE - 1, rules: Rules = CHINESE, weighted: bool = True
) -> Distribution:
    """Count all hands by how many kinds of tiles would complete them.

    Parameters
    ----------
    size : {13, 1, 4, 7, 10}
        Tiles in the hand: three fewer than 13 for each open meld. Seven pairs and thirteen
        orphans need all 13.
    rules : Rules
        Any.
    weighted : bool
        Whether each tile counts as a thing of its own, as probabilities want it: all hands
        are then C(136, size), or C(108, size) without honours. Otherwise hands differ only by
        how many they hold of each kind.

    Returns
    -------
    Distribution
        ``counts[k]``: hands that wait on k kinds, k = 0 being those that are not ready. A kind
        counts once, whatever forms it completes, and not at all if the hand holds four of it.

    Raises
    ------
    TypeError, ValueError
        If hands of that size are not one tile short of winning ones, or an argument is of
        another kind.

    Examples
    --------
    >>> waits = exact_waits(size=4, weighted=False)
    >>> waits.counts
    (62289, 2511, 1209, 36)
    >>> waits.labels
    ('not ready', '1', '2', '3')
    """
    rules, weighted = checked_rules(rules), _checked_weighted(weighted)
    size = checked_size(size, WAITING_SIZES)
    counts = _wait_counts(size, rules, weighted)
    kinds = range(1, len(counts))
    return Distribution(
        labels=("not ready", *map(str, kinds)),
        labels_zh=("未听牌", *(f"听 {k} 种" for k in kinds)),
        counts=counts,
        **titles(*_hands("kinds waited on", "听牌种数", weighted), rules, size),
    )


def _checked_weighted(weighted: object) -> bool:
    if not isinstance(weighted, bool):
        raise TypeError(f"weighted: expected True or False, got {shown(weighted)}")
    return weighted


def _hands(what: str, what_zh: str, weighted: bool) -> tuple[str, str]:
    return (what, what_zh) if weighted else (f"{what} of distinct hands", f"不同手牌的{what_zh}")


# --- What is complete, or lacks one tile: forms and waits ---------------------------------------

# Places of a part's keys. A part is complete if it is sets, or sets and the pair.
_SETS, _HEADED = 0, 1
_TO_SETS, _TO_HEADED = 2, 3  # kinds of which one tile more makes it so
_AMISS = 4  # kinds that keep it from being pairs; 2 if several, or if no tile mends it
_ODD_TO_SETS, _ODD_TO_HEADED = 5, 6  # like 2 and 3, of kinds that it holds an odd number of

# What 0 to 4 tiles of a kind add to that: 1 where one tile more makes pairs of them, else 2.
_AMISS_OF = {"quads": (0, 1, 0, 1, 0), "distinct": (0, 1, 0, 2, 2), "off": (2, 2, 2, 2, 2)}


@cache
def _completions(size: int, rules: Rules, weighted: bool) -> Groups:
    """Group all hands by what is complete, and what lacks one tile."""
    amiss = _AMISS_OF[rules.seven_pairs if can_be_pairs(size, rules) else "off"]
    suit, honours = (
        states_of(kinds, _completions_of_states(kinds, amiss), weighted, sizes)
        for kinds, sizes in suit_and_honours(size, rules)
    )
    return whole_hands(suit, honours, size, _both_complete, _both_complete, _both_complete)


def _completions_of_states(kinds: int, amiss: tuple[int, ...]) -> list[Bytes]:
    not_pairs = np.minimum(of_states([amiss] * kinds, np.add), 2).astype(np.uint8)
    any_kind, odd_kinds = (0, 1), (1, 2)
    return [
        *(_are(word, kinds) for word in (SETS, WITH_PAIR)),
        *(_kinds_to(word, kinds, *any_kind) for word in (SETS, WITH_PAIR)),
        not_pairs,
        *(_kinds_to(word, kinds, *odd_kinds) for word in (SETS, WITH_PAIR)),
    ]


def _are(word: int, kinds: int) -> Bytes:
    """Tell 1 for the states that are sets, or sets and a pair, and 0 for others."""
    found: Bytes = (complete(kinds) == word).astype(np.uint8)
    return found


@cache
def _kinds_to(word: int, kinds: int, first: int, step: int) -> Bytes:
    """Count, for every state, the kinds of which one tile more makes it sets, or with a pair.

    Only kinds held `first`, `first` + `step`, … times are looked at; of four there is no next.
    """
    after, found = _are(word, kinds), np.zeros(BASE**kinds, np.uint8)
    for kind in range(kinds):
        shape = (-1, BASE, BASE**kind)
        found.reshape(shape)[:, first:COPIES:step] += after.reshape(shape)[:, first + 1 :: step]
    return found


def _both_complete(one: Bytes, other: Bytes) -> list[Bytes]:
    """Join two parts: the pair, and the tile that is lacking, may be in either."""

    def to_complete(to_sets: int, to_headed: int) -> list[Bytes]:
        return [
            one[to_sets] * other[_SETS] + one[_SETS] * other[to_sets],
            one[to_headed] * other[_SETS]
            + one[_SETS] * other[to_headed]
            + one[to_sets] * other[_HEADED]
            + one[_HEADED] * other[to_sets],
        ]

    return [
        one[_SETS] * other[_SETS],
        one[_HEADED] * other[_SETS] + one[_SETS] * other[_HEADED],
        *to_complete(_TO_SETS, _TO_HEADED),
        np.minimum(one[_AMISS] + other[_AMISS], np.uint8(2)),
        *to_complete(_ODD_TO_SETS, _ODD_TO_HEADED),
    ]


def _form_counts(size: int, rules: Rules, weighted: bool) -> tuple[int, ...]:
    hands = _completions(size, rules, weighted)
    pairs = hands.keys[_AMISS] == 0
    forms = np.where(pairs, np.uint8(Form.SEVEN_PAIRS), hands.keys[_HEADED])
    counts = _by_number(forms, hands.ways, len(Form))
    if can_be_orphans(size, rules):
        _, once, twice, *_ = ways_to_hold(weighted)
        _move(counts, Form.THIRTEEN_ORPHANS, len(ORPHANS) * twice * once ** (len(ORPHANS) - 1))
    return tuple(counts)


def _wait_counts(size: int, rules: Rules, weighted: bool) -> tuple[int, ...]:
    hands = _completions(size, rules, weighted)
    waits = _kinds_waited_on(hands)
    orphans = can_be_orphans(size, rules)
    most = max(int(waits.max()), len(ORPHANS) * orphans)
    counts = _by_number(waits, hands.ways, most + 1)
    if orphans:
        kinds = len(ORPHANS)
        _, once, twice, *_ = ways_to_hold(weighted)
        _move(counts, kinds, once**kinds)  # one of each: any may become the pair
        _move(counts, 1, kinds * (kinds - 1) * twice * once ** (kinds - 2))
    return tuple(counts)


def _kinds_waited_on(hands: Groups) -> Bytes:
    """Count kinds for each group; seven pairs add the one that is amiss, if it is not yet one."""
    one_amiss = hands.keys[_AMISS] == 1
    waits: Bytes = hands.keys[_TO_HEADED] + one_amiss * (np.uint8(1) - hands.keys[_ODD_TO_HEADED])
    return waits


def _by_number(numbers: Bytes, ways: NDArray[np.int64], rows: int) -> list[int]:
    counts = np.zeros(rows, np.int64)
    np.add.at(counts, numbers, ways)
    return [int(count) for count in counts]


def _move(counts: list[int], row: int, hands: int) -> None:
    """Move orphans out of the first row: they hold no set and one pair, so nothing else is near."""
    counts[0] -= hands
    counts[row] += hands
