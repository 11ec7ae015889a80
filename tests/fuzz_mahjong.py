"""Mahjong: what is called, and what the plain answer is."""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import mahjong_samples
import naive_mahjong
import numpy as np
from fuzz_cards import as_codes
from fuzz_kinds import (
    NAME,
    UNSURE,
    Answer,
    Fixed,
    Flag,
    Is,
    Kind,
    Label,
    Numbers,
    Out,
    Refused,
    Seed,
    Text,
    Whole,
    Word,
    Workers,
    anything,
    as_before,
    filled,
    hostile,
    refuse_losses,
    simulation,
)
from fuzzing import Target

from cardstats import mahjong

TARGETS: dict[str, Target] = {}

RULES_M = Is(*mahjong_samples.RULE_SETS.values())
WINNING, WAITING = mahjong.rules.WINNING_SIZES, mahjong.rules.WAITING_SIZES
SIZES = (*WINNING, *WAITING)
TILE_STYLES = ("mpsz", "unicode", "zh")
KINDS = range(34)


@cache
def some_counts(sizes: tuple[int, ...]) -> list[list[int]]:
    """Some forty hands of these sizes: with honours and without, near and far."""
    rng = np.random.default_rng(len(sizes) + sizes[0])
    parts = [
        mahjong_samples.mixed_sizes(rng, 7 * len(sizes), sizes, rules)[:24]
        for rules in (mahjong.CHINESE, mahjong.SICHUAN)
    ]
    return np.vstack(parts).tolist()


def draw_counts(sizes: tuple[int, ...], r: random.Random) -> np.ndarray:
    shape = r.choice(["hand", "hands", "hands", "hands", "many"])
    if shape == "hand":
        return np.array(r.choice(some_counts(sizes)))
    if shape == "many" and r.random() < 0.1:
        return np.resize(np.array(some_counts(sizes)), (r.choice([1025, 4099]), 34))
    return np.array([r.choice(some_counts(sizes)) for _ in range(r.randint(1, 6))])


def read_counts(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read hands of tiles; whether rules and sizes allow them is for `each_tiles`."""
    if len(shape) not in (1, 2) or shape[-1] != 34:
        raise Refused
    hands = [nested] if len(shape) == 1 else nested
    if any(not 0 <= count <= 4 for hand in hands for count in hand):
        raise Refused
    return SimpleNamespace(hands=hands, shape=shape[:-1])


def counts_of(sizes: tuple[int, ...]) -> Numbers:
    return Numbers(partial(draw_counts, sizes), read_counts)


def check_tiles(hands: Any, sizes: tuple[int, ...], rules: mahjong.Rules) -> None:
    for hand in hands.hands:
        if sum(hand) not in sizes or (not rules.honours and any(hand[27:])):
            raise Refused("hands")


def of_tiles(
    oracle: Callable[..., Any], sizes: tuple[int, ...], dtype: Any, each: tuple[int, ...] = ()
) -> Callable[..., Any]:
    """Answer hand by hand; each hand that comes again is not thought of again."""
    known = cache(lambda hand, rules: oracle(hand, rules))

    def answer(hands: Any, rules: mahjong.Rules, out: Any) -> Any:
        check_tiles(hands, sizes, rules)
        found = [known(tuple(hand), rules) for hand in hands.hands]
        return filled(np.array(found, dtype=object).reshape((*hands.shape, *each)), out, dtype)

    return answer


def kernel(
    function: Callable[..., Any],
    oracle: Callable[..., Any],
    sizes: tuple[int, ...],
    dtype: Any,
    each: tuple[int, ...] = (),
    tries: int = 700,
    rules: Kind = RULES_M,
) -> Target:
    kinds = {"hands": counts_of(sizes), "rules": rules, "out": Out(dtype, each)}
    return Target(function, kinds, of_tiles(oracle, sizes, dtype, each), tries=tries)


FEW_RULES_M = Is(mahjong.CHINESE, mahjong.RIICHI)


def tally_m_answer(hands: Any, by: str, rules: mahjong.Rules, workers: Any) -> Any:
    check_tiles(hands, WINNING if by == "form" else SIZES, rules)
    refuse_losses(workers, len(hands.hands))
    of_one = naive_mahjong.form if by == "form" else shanten_kept
    seen = Counter(int(of_one(tuple(hand), rules)) for hand in hands.hands)

    def holds(tally: Any) -> bool:
        if by == "form":
            return tally.counts.tolist() == [seen[form] for form in range(4)]
        rows = dict(zip(map(int, tally.labels), tally.counts.tolist(), strict=True))
        return {row: count for row, count in rows.items() if count} == dict(seen)

    return Answer(holds)


@cache
def shanten_kept(hand: tuple[int, ...], rules: mahjong.Rules) -> int:
    return naive_mahjong.shanten(hand, rules)


TARGETS |= {
    "mahjong.classify": kernel(mahjong.classify, naive_mahjong.form, WINNING, np.uint8, tries=1000),
    "mahjong.is_win": kernel(mahjong.is_win, naive_mahjong.is_win, WINNING, np.bool_, tries=1000),
    "mahjong.shanten": kernel(mahjong.shanten, shanten_kept, SIZES, np.int8, tries=1000),
    "mahjong.waits": kernel(mahjong.waits, naive_mahjong.waits, WAITING, np.bool_, (34,)),
    "mahjong.acceptance": kernel(
        mahjong.acceptance, naive_mahjong.acceptance, WAITING, np.bool_, (34,), rules=FEW_RULES_M
    ),
    "mahjong.discards": kernel(
        mahjong.discards, naive_mahjong.discards, WINNING, np.bool_, (34,), rules=FEW_RULES_M
    ),
    "mahjong.tally": Target(
        mahjong.tally,
        {
            "hands": counts_of(SIZES),
            "by": Word("shanten", "form"),
            "rules": RULES_M,
            "workers": Workers(),
        },
        tally_m_answer,
        tries=700,
        cross=("hands",),
    ),
}


def draw_tiles(numbers: list[int], r: random.Random) -> np.ndarray:
    if r.random() < 0.5:
        return np.array(r.sample(numbers, r.randint(1, 14)))
    size = r.randint(1, 14)
    return np.array([r.sample(numbers, size) for _ in range(r.randint(1, 5))])


def read_tiles(kinds: Mapping[int, int], each_once: bool, nested: Any, shape: tuple[int, ...]):
    """Count tiles by number, plainly."""
    if len(shape) not in (1, 2):
        raise Refused
    counted = []
    for row in [nested] if len(shape) == 1 else nested:
        if any(number not in kinds for number in row) or (each_once and len(set(row)) < len(row)):
            raise Refused
        seen = Counter(kinds[number] for number in row)
        if max(seen.values(), default=0) > 4:
            raise Refused
        counted.append([seen[kind] for kind in KINDS])
    return np.array(counted if len(shape) == 2 else counted[0], np.uint8).reshape((*shape[:-1], 34))


CODES = {
    code: kind
    for kind, code in enumerate(
        [*range(1, 10), *range(21, 30), *range(11, 20), 31, 33, 35, 37, 45, 43, 41]
    )
}
NUMBERINGS: dict[str, tuple[Callable[..., Any], Mapping[int, int], bool]] = {
    "tiles": (mahjong.counts, {kind: kind for kind in KINDS}, False),
    "codes": (mahjong.from_codes, CODES, False),
    "ids": (mahjong.from_ids, {number: number // 4 for number in range(136)}, True),
}
for _argument, (_function, _kinds, _each_once) in NUMBERINGS.items():
    _kind = Numbers(partial(draw_tiles, list(_kinds)), partial(read_tiles, _kinds, _each_once))
    TARGETS[f"mahjong.{_function.__name__}"] = Target(
        _function,
        {_argument: _kind},
        lambda _argument=_argument, **plain: plain[_argument],
        tries=400,
    )


def read_hand(nested: Any, shape: tuple[int, ...]) -> Any:
    """Read one hand of any size, as a list of counts."""
    if shape != (34,) or any(not 0 <= count <= 4 for count in nested):
        raise Refused
    return nested


def draw_hand(r: random.Random) -> np.ndarray:
    return np.array(r.choice(some_counts(SIZES)))


HAND = Numbers(draw_hand, read_hand)


class HandOrKinds(Numbers):
    """Is a hand, or an array of bool that says which kinds there are."""

    def read(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.dtype == bool:
            value = np.asarray(value).astype(np.uint8)
        return super().read(value)


def write_tiles(hand: list[int], style: str) -> str:
    """Write tiles, plainly."""
    symbols = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄"
    kinds = [kind for kind in KINDS for _ in range(hand[kind])]
    if style == "unicode":
        return "".join(symbols[kind] for kind in kinds)
    if style == "zh":
        names = [f"{digit}{suit}" for suit in "万饼条" for digit in "一二三四五六七八九"]
        return " ".join([*names, *"东南西北白发中"][kind] for kind in kinds)
    parts = ["".join(str(k % 9 + 1) for k in kinds if k // 9 == suit) for suit in range(4)]
    return "".join(part + "mpsz"[suit] for suit, part in enumerate(parts) if part)


def say_tiles(r: random.Random) -> str:
    return write_tiles(r.choice(some_counts(SIZES)), r.choice(TILE_STYLES))


TILE_LETTERS = set(
    "0123456789mpsz万萬饼餅筒条條索一二三四五六七八九伍东東风風南西北白板发財财發発红紅中"
) | set(" ,;、·|/'\"[](){}\ufe0e\ufe0f")


def read_tile_text(text: str, most: float = 4) -> Any:
    """Read what `write_tiles` writes in digits; of other text tell only when it cannot be."""
    if len(text) > 5_000:
        raise Refused
    clean = unicodedata.normalize("NFKC", text)
    if re.fullmatch(r"(?:[1-9]+[mps]|[1-7]+z)+", clean, re.ASCII):
        seen: Counter[int] = Counter()
        for digits, suit in re.findall(r"(\d+)([mpsz])", clean):
            seen.update(9 * "mpsz".index(suit) + int(digit) - 1 for digit in digits)
        if max(seen.values()) > most:
            raise Refused
        return [seen[kind] for kind in KINDS]
    tiles = {letter for letter in clean if "\U0001f000" <= letter <= "\U0001f021"}
    others = {
        letter for letter in clean.lower() if letter not in TILE_LETTERS and not letter.isspace()
    }
    if others - tiles or not (tiles or set(clean.lower()) - set(" ,;、·|/'\"[](){}\n")):
        raise Refused
    return UNSURE


def tile_name(kind: int) -> str:
    return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"


class HandOrText(Kind):
    """Is a hand as `decompose` takes it: text, or 34 counts."""

    ways = (Text(say_tiles, read_tile_text), HAND)

    def good(self, r: random.Random) -> Any:
        return r.choice(self.ways).good(r)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice(self.ways).odd(r, others)

    def read(self, value: Any) -> Any:
        return self.ways[not isinstance(value, str)].read(value)


class HandInAnyWords(Kind):
    """Is a hand as `check` takes it: text, 34 counts, or codes."""

    def __init__(self) -> None:
        codes = [code for code, kind in CODES.items() for _ in range(4)]
        self.ways: list[Kind] = [
            Text(say_tiles, partial(read_tile_text, most=math.inf)),
            HAND,
            Numbers(partial(self._codes, codes), lambda nested, shape: UNSURE),
        ]

    @staticmethod
    def _codes(codes: list[int], r: random.Random) -> np.ndarray:
        return np.array(r.sample(codes, r.choice((2, 5, 8, 11, 14))))

    def good(self, r: random.Random) -> Any:
        return r.choice(self.ways).good(r)

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return r.choice(self.ways).odd(r, others)

    def read(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.ways[0].read(value)
        try:
            return self.ways[1].read(value)
        except Refused:
            return UNSURE


class Kongs(Kind):
    """Is text, or kongs one by one; none most of the time."""

    def good(self, r: random.Random) -> Any:
        return r.choice(["", (), [], "  "])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        ways = ["1111m", "1111m 2222p", ["1111z"], [[11, 11, 11, 11]], [11, 11, 11, 11], "111m",
                "11111m", ["1111m", "1111m"], [np.array([1, 1, 1, 1])], ("1111s" for _ in "x"),
                [None], [[]], [""], 5 * ["1111m"], {"1111m": 1}, "1111m2222m3333m4444m5555m",
                [np.zeros(34, int)], [[1.0] * 4], [hostile("__array__")], [[34, 34, 34,
                34]]]  # fmt: skip
        return r.choice(ways) if r.random() < 0.6 else anything(r)

    def read(self, value: Any) -> Any:
        empty = isinstance(value, str | tuple | list) and not (
            value.strip() if isinstance(value, str) else value
        )
        return () if empty else UNSURE


def check_answer(hand: list[int], rules: mahjong.Rules, kongs: Any) -> Any:
    def holds(found: Any) -> bool:
        legal = sum(hand) in WINNING and (rules.honours or not any(hand[27:]))
        form = naive_mahjong.form(hand, rules) if legal else mahjong.Form.NOT_WINNING
        return found.form == form and found.win == (form > 0) == (not found.reason)

    return Answer(holds)


def decompose_answer(hand: list[int], rules: mahjong.Rules) -> Any:
    if sum(hand) not in WINNING or (not rules.honours and any(hand[27:])):
        raise Refused("hand")

    def holds(found: Any) -> bool:
        standard = [way for way in found if way.form == mahjong.Form.STANDARD]
        form = max((way.form for way in found), default=mahjong.Form.NOT_WINNING)
        groups = sorted(tuple(sorted(way.groups)) for way in standard)
        return groups == naive_mahjong.decompositions(hand) and form == naive_mahjong.form(
            hand, rules
        )

    return Answer(holds)


def prospects_answer(hand: list[int], rules: mahjong.Rules, kongs: Any) -> Any:
    if sum(hand) not in SIZES or (not rules.honours and any(hand[27:])):
        raise Refused("hand")
    return Answer(lambda found: found.shanten == shanten_kept(tuple(hand), rules))


def simulate_m_answer(games: int, size: int, by: str, rules: Any, rng: Any, workers: Any, **_: Any):
    if size not in (WINNING if by == "form" else SIZES):
        raise Refused("size")
    refuse_losses(workers, games)
    hands = mahjong.deal(games, size=size, rules=rules, rng=rng)
    return Answer(
        lambda tally: _tallied(tally) == _tallied(mahjong.tally(hands, by=by, rules=rules))
    )


def _tallied(tally: Any) -> dict[str, int]:
    rows = zip(tally.labels, tally.counts.tolist(), strict=True)
    return {label: count for label, count in rows if count}


def deal_m_answer(n: int, size: int, rules: Any, rng: Any) -> Any:
    def holds(hands: np.ndarray) -> bool:
        honours = bool(hands[:, 27:].any()) and not rules.honours
        fair = (hands <= 4).all() and (hands.sum(axis=1) == size).all() and not honours
        again = mahjong.deal(n, size=size, rules=rules, rng=rng)
        return (
            hands.shape == (n, 34) and hands.dtype == np.uint8 and fair and (again == hands).all()
        )

    return Answer(holds)


class Size(Whole):
    """Is one of some sizes of hands."""

    def __init__(self, *sizes: int) -> None:
        super().__init__(min(sizes), max(sizes))
        self.sizes = sizes

    def good(self, r: random.Random) -> Any:
        return r.choice([r.choice(self.sizes), np.int64(r.choice(self.sizes))])

    def read(self, value: Any) -> Any:
        found = super().read(value)
        if found is not UNSURE and found not in self.sizes:
            raise Refused
        return found


ANY_HAND = HandInAnyWords()
OF_TILES = {"weighted": Flag(), "rules": FEW_RULES_M}
TARGETS |= {
    "mahjong.to_codes": Target(
        mahjong.to_codes,
        {"hand": HAND},
        lambda hand: as_codes(
            sorted(code for code, kind in CODES.items() for _ in range(hand[kind]))
        ),
        tries=250,
    ),
    "mahjong.format": Target(
        mahjong.format,
        {"hand": HandOrKinds(draw_hand, read_hand), "style": Word(*TILE_STYLES)},
        lambda hand, style: write_tiles(hand, style),
        tries=400,
    ),
    "mahjong.parse": Target(
        mahjong.parse,
        {"text": Text(say_tiles, read_tile_text)},
        lambda text: as_codes(text),
        tries=400,
    ),
    "mahjong.tile_name": Target(
        mahjong.tile_name, {"kind": Whole(0, 33)}, lambda kind: tile_name(kind), tries=150
    ),
    "mahjong.check": Target(
        mahjong.check,
        {"hand": ANY_HAND, "rules": RULES_M, "kongs": Kongs()},
        check_answer,
        tries=600,
        cross=("kongs", "hand"),
    ),
    "mahjong.prospects": Target(
        mahjong.prospects,
        {"hand": ANY_HAND, "rules": FEW_RULES_M, "kongs": Kongs()},
        prospects_answer,
        tries=400,
        cross=("kongs", "hand"),
    ),
    "mahjong.decompose": Target(
        mahjong.decompose,
        {"hand": HandOrText(), "rules": RULES_M},
        decompose_answer,
        tries=400,
        cross=("hand",),
    ),
    "mahjong.deal": Target(
        mahjong.deal,
        {
            "n": Whole(0, 2**63 // 34, cap=2000),
            "size": Size(*SIZES),
            "rules": RULES_M,
            "rng": Seed(),
        },
        deal_m_answer,
        tries=300,
    ),
    "mahjong.simulate": Target(
        mahjong.simulate,
        simulation(size=Size(*SIZES), by=Word("shanten", "form"), rules=RULES_M),
        simulate_m_answer,
        tries=500,
        files=True,
        games="games",
        cross=("size",),
    ),
    "mahjong.exact_forms": Target(
        mahjong.exact_forms,
        {"size": Size(*WINNING), **OF_TILES},
        as_before(mahjong.exact_forms),
        tries=120,
    ),
    "mahjong.exact_shanten": Target(
        mahjong.exact_shanten,
        {"size": Size(*SIZES), **OF_TILES},
        as_before(mahjong.exact_shanten),
        tries=120,
    ),
    "mahjong.exact_waits": Target(
        mahjong.exact_waits,
        {"size": Size(*WAITING), **OF_TILES},
        as_before(mahjong.exact_waits),
        tries=120,
    ),
    "mahjong.exact_overlap": Target(
        mahjong.exact_overlap, OF_TILES, as_before(mahjong.exact_overlap), tries=80
    ),
}


# --- Rules, and names of forms ----------------------------------------------------------------


def rules_m_answer(**fields: Any) -> Any:
    if fields["thirteen_orphans"] and not fields["honours"]:
        raise Refused("thirteen_orphans")
    return Answer(lambda rules: all(getattr(rules, name) == fields[name] for name in fields))


TARGETS |= {
    "mahjong.Rules": Target(
        mahjong.Rules,
        {
            "name": NAME,
            "seven_pairs": Word("quads", "distinct", "off"),
            "thirteen_orphans": Flag(),
            "honours": Flag(),
        },
        rules_m_answer,
        tries=300,
        cross=("thirteen_orphans",),
    ),
    "mahjong.Form.from_label": Target(
        mahjong.Form.from_label,
        {"text": Label(mahjong.Form, "kokushi", "国士无双")},
        lambda text: text,
        tries=150,
        names=("form",),
    ),
    "mahjong.Decomposition.format": Target(
        mahjong.Decomposition.format,
        {
            "self": Fixed(mahjong.decompose(mahjong.parse("11m234m"))[0]),
            "style": Word(*TILE_STYLES),
        },
        tries=60,
    ),
}
