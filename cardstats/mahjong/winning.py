"""One hand explained: whether it wins, by which form, in every grouping, or why it does not.

Plain Python for single hands; arrays of hands are the kernels' business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from numpy.typing import ArrayLike

from cardstats._table import InWords, Lang
from cardstats.mahjong.claims import Claim, held, no_hand, no_win, paired, read_claim
from cardstats.mahjong.rules import CHINESE, MAX_SIZE, Form, Rules, checked_rules
from cardstats.mahjong.tiles import (
    FIRST_HONOUR,
    KINDS,
    ORPHANS,
    SUIT,
    checked_hand,
    read_hand,
    run_on,
)

Word = Literal["pair", "run", "triplet", "kong", "single"]

_STEPS: dict[str, tuple[int, ...]] = {
    "pair": (0, 0),
    "run": (0, 1, 2),
    "triplet": (0, 0, 0),
    "kong": (0, 0, 0, 0),
    "single": (0,),
}


class Group(NamedTuple):
    """Some tiles of a hand that belong together.

    Parameters
    ----------
    word : {"pair", "run", "triplet", "kong", "single"}
        What they are; a single is a tile of thirteen orphans.
    tile : int
        Their lowest kind.

    Examples
    --------
    >>> Group("run", 1).tiles
    (1, 2, 3)
    """

    word: Word
    tile: int

    @property
    def tiles(self) -> tuple[int, ...]:
        """Kind of each tile."""
        return tuple(self.tile + step for step in _STEPS[self.word])


@dataclass(frozen=True)
class Decomposition:
    """One way in which a hand wins.

    Parameters
    ----------
    form : Form
        The form that it has.
    groups : tuple of Group
        The pair first, then sets by their lowest tile, declared kongs last; or seven pairs, or
        the pair and the twelve singles of thirteen orphans.

    Examples
    --------
    >>> print(Decomposition(Form.STANDARD, (Group("pair", 0), Group("run", 1))))
    11m 234m
    """

    form: Form
    groups: tuple[Group, ...]

    def format(self, style: str = "mpsz") -> str:
        """Write the groups apart: ``11m 234m``, ``🀇🀇 🀈🀉🀊`` or ``一一万 二三四万``.

        Raises
        ------
        ValueError
            If the style is unknown.
        """
        return " ".join(run_on(group.tiles, style) for group in self.groups)

    def __str__(self) -> str:
        """Write the groups as `format` does."""
        return self.format()


@dataclass(frozen=True)
class WinCheck(InWords):
    """Whether a hand wins, and how or why not; true where it wins.

    Parameters
    ----------
    win : bool
        Whether it wins.
    form : Form
        The form that counts: of several the largest.
    decompositions : tuple of Decomposition
        Every way in which it wins, of all forms.
    reason, reason_zh : str
        Why it does not win, in English and in Chinese; empty where it does.

    Examples
    --------
    >>> print(check("22333344m").to_text("zh"))
    和牌：基本牌型
      基本牌型：三三万 二三四万 二三四万
    """

    win: bool
    form: Form
    decompositions: tuple[Decomposition, ...]
    reason: str = ""
    reason_zh: str = ""

    def __bool__(self) -> bool:
        """Whether the hand wins."""
        return self.win

    def _text(self, lang: Lang) -> str:
        if lang == "zh":
            verdict = f"和牌：{self.form.label_zh}" if self.win else f"不和：{self.reason_zh}"
            ways = (f"{way.form.label_zh}：{way.format('zh')}" for way in self.decompositions)
        else:
            verdict = f"win: {self.form.label}" if self.win else f"no win: {self.reason}"
            ways = (f"{way.form.label}: {way}" for way in self.decompositions)
        return "\n  ".join((verdict, *ways))


def check(
    hand: str | ArrayLike,
    *,
    rules: Rules = CHINESE,
    kongs: str | Iterable[str | ArrayLike] = (),
) -> WinCheck:
    """Say whether a hand wins, in every way that it can be grouped, or why it does not.

    What is no hand does not win, and the reason says so: nothing is raised for a number that is
    no tile, for five of a kind or for a size that no hand has.

    Parameters
    ----------
    hand : str or array_like of int
        Text that `parse` reads, or 34 counts, or any other number of tiles as `from_codes`
        numbers them. Without declared kongs, and without open sets, of which each takes three.
    rules : Rules
        Which forms there are, and whether there are honours.
    kongs : str or sequence
        Declared kongs, each given like `hand`, or all in one text: ``"1111s 2222z"``. A kong is
        one set; beside one, only the standard form wins.

    Returns
    -------
    WinCheck

    Raises
    ------
    TypeError, ValueError
        If text cannot be read, or what should be numbers is none.

    Examples
    --------
    >>> print(check([2, 2, 3, 3, 3, 3, 4, 4]))
    win: standard
      standard: 33m 234m 234m
    >>> print(check("22233344455s", kongs="1111s"))
    win: standard
      standard: 22s 234s 345s 345s 1111s
      standard: 55s 222s 333s 444s 1111s
      standard: 55s 234s 234s 234s 1111s
    >>> check([33, 34, 35, 36, 36]).reason[:25]
    '34 and 36 are no tiles: c'
    """
    rules = checked_rules(rules)
    claim = read_claim(hand, kongs)
    fault = no_hand(claim, rules)
    ways = () if fault else tuple(_decompositions(claim, rules))
    if not ways:
        why = fault or no_win(claim, rules)
        return WinCheck(False, Form.NOT_WINNING, (), why.reason, why.reason_zh)
    return WinCheck(True, max(way.form for way in ways), ways)


def decompose(hand: str | ArrayLike, *, rules: Rules = CHINESE) -> list[Decomposition]:
    r"""Group a hand in every way in which it wins.

    Parameters
    ----------
    hand : str or array_like of int, shape (34,)
        Text that `parse` reads, or how many it holds of each kind; 2, 5, 8, 11 or 14 tiles.
    rules : Rules
        Which forms there are; other than the standard one, only 14 tiles have them.

    Returns
    -------
    list of Decomposition
        Different ones, none if the hand does not win: standard ones by their pair, then seven
        pairs, where four of a kind may be two of them, then thirteen orphans.

    Raises
    ------
    TypeError, ValueError
        If `hand` is no hand of such a size, or has honours that the rules have not.

    Examples
    --------
    >>> print(*decompose("11122233344455m"), sep="\n")
    22m 111m 234m 345m 345m
    55m 111m 222m 333m 444m
    55m 111m 234m 234m 234m
    55m 123m 123m 123m 444m
    """
    rules = checked_rules(rules)
    held = read_hand(hand, "hand") if isinstance(hand, str) else checked_hand(hand)
    claim = Claim(held.tolist())
    fault = no_hand(claim, rules)
    if fault:
        raise ValueError(f"hand: {fault.reason}")
    return list(_decompositions(claim, rules))


def _decompositions(claim: Claim, rules: Rules) -> Iterator[Decomposition]:
    hand = claim.hand
    kongs = tuple(Group("kong", kind) for kind in claim.declared)
    for pair in paired(hand):
        rest = [count - 2 * (kind == pair) for kind, count in enumerate(hand)]
        for sets in _sets(rest):
            yield Decomposition(Form.STANDARD, (Group("pair", pair), *sets, *kongs))
    if sum(hand) < MAX_SIZE:
        return
    pairs = tuple(Group("pair", kind) for kind in paired(hand) for _ in range(hand[kind] // 2))
    fewest_kinds = {"quads": 1, "distinct": 7, "off": 8}[rules.seven_pairs]
    if len(pairs) == 7 and len(set(pairs)) >= fewest_kinds:
        yield Decomposition(Form.SEVEN_PAIRS, pairs)
    if rules.thirteen_orphans and tuple(held(hand)) == ORPHANS:
        singles = (Group("single", kind) for kind in ORPHANS if hand[kind] == 1)
        yield Decomposition(Form.THIRTEEN_ORPHANS, (Group("pair", paired(hand)[0]), *singles))


def _sets(counts: list[int], kind: int = 0) -> Iterator[tuple[Group, ...]]:
    """Every way to part the tiles from a kind upward into triplets and runs."""
    if kind == KINDS:
        yield ()
        return
    for triplets in (1, 0):
        runs = counts[kind] - 3 * triplets
        rest = _without_runs(counts, kind, runs)
        if rest is None:
            continue
        groups = triplets * (Group("triplet", kind),) + runs * (Group("run", kind),)
        for others in _sets(rest, kind + 1):
            yield groups + others


def _without_runs(counts: list[int], kind: int, runs: int) -> list[int] | None:
    """Take the two upper tiles of each run away; None if there cannot be so many runs."""
    if runs == 0:
        return counts
    if runs < 0 or kind >= FIRST_HONOUR or kind % SUIT > SUIT - 3:
        return None
    rest = counts.copy()
    rest[kind + 1] -= runs
    rest[kind + 2] -= runs
    return None if min(rest[kind + 1 : kind + 3]) < 0 else rest
