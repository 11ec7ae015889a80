"""Mahjong on the command line: how a hand wins, or how far it is and which tiles help.

The game computes; here its answers are put into words, and tiles into pictures where the
terminal has them.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from cardstats._cli_writer import Column, Writer, can_be_written
from cardstats._table import Lang
from cardstats.mahjong.claims import read_claim
from cardstats.mahjong.improving import Prospects, prospects
from cardstats.mahjong.numbering import CODES_MEAN
from cardstats.mahjong.rules import COPIES, WINNING_SIZES
from cardstats.mahjong.tiles import run_on
from cardstats.mahjong.winning import Decomposition, WinCheck, check


def mahjong(args: argparse.Namespace, writer: Writer) -> None:
    """Say how a hand wins; or how far it is, what to discard and which tiles then help."""
    hand = _read_hand(args)
    found = prospects(hand, rules=args.rules, kongs=args.kong)
    claim = read_claim(hand, args.kong)
    drawn = sum(claim.hand) in WINNING_SIZES
    writer.line(
        "{hand}, declared {kongs}, {rules}" if args.kong else "{hand}, {rules}",
        hand=_tiles(_kinds(claim.hand), writer),
        kongs=" ".join(_tiles(COPIES * [kind], writer) for kind in claim.declared),
        rules=args.rules.name,
    )
    if drawn:
        _write_verdict(check(hand, rules=args.rules, kongs=args.kong), writer)
    if found.options:
        _write_ways_on(found, drawn, writer)


def _read_hand(args: argparse.Namespace) -> str | list[int]:
    """Take the words of a hand as one text, or the numbers given instead."""
    if args.hand and args.codes:
        raise ValueError("give HAND or --codes, not both")
    if args.hand:
        return " ".join(args.hand)
    if args.codes:
        return [_code(word) for word in _BETWEEN_CODES.split(" ".join(args.codes)) if word]
    order = ", HAND before --kong" if args.kong else ""
    raise ValueError(f"no hand: give HAND or --codes{order}")


_BETWEEN_CODES = re.compile(r"[\s,，、\[\]]+")
_CODE = re.compile(r"-?\d{1,9}")


def _code(word: str) -> int:
    if not _CODE.fullmatch(word):
        raise ValueError(f"codes: {word!r} is no tile; {CODES_MEAN}")
    return int(word)


# --- Answers ----------------------------------------------------------------------------------


def _write_verdict(verdict: WinCheck, writer: Writer) -> None:
    """Say whether a hand wins, in which groupings, or why not."""
    chinese = writer.lang == "zh"
    if not verdict:
        writer.line("no win: {reason}", reason=verdict.reason_zh if chinese else verdict.reason)
        return
    forms = [way.form.label_zh if chinese else way.form.label for way in verdict.decompositions]
    writer.line("win: {form}", form=verdict.form.label_zh if chinese else verdict.form.label)
    several = [Column(writer.words("form"), forms)] if len(set(forms)) > 1 else []
    rows = [[(part, "") for part in _parts(way)] for way in verdict.decompositions]
    writer.first_that_fits(
        [*several, *tiles] for _, tiles in _tile_columns(writer.words("groups"), rows, writer)
    )


def _parts(way: Decomposition) -> Iterator[Sequence[int]]:
    """Give the tiles of each group, and those of thirteen orphans' singles together."""
    yield from (group.tiles for group in way.groups if group.word != "single")
    singles = [group.tile for group in way.groups if group.word == "single"]
    if singles:
        yield singles


def _write_ways_on(found: Prospects, drawn: bool, writer: Writer) -> None:
    """Say how far a hand is, what it may discard, and which tiles then help."""
    ready = found.shanten == 0
    if ready:
        writer.line("ready after a discard" if drawn else "ready")
    else:
        digit = "一二三四五六七八"[found.shanten - 1]
        writer.line("shanten {number}", number=found.shanten, digit=digit)
    kinds = [str(len(option.left)) for option in found.options]
    tiles = [str(option.tiles) for option in found.options]
    counts = [
        Column(writer.words("kinds"), kinds, number=True),
        Column(writer.words("tiles"), tiles, number=True),
    ]
    heading = writer.words("waits on (left of each)" if ready else "accepts (left of each)")
    rows = [
        [(kinds, f"({number})") for number, kinds in option.by_number_left()]
        for option in found.options
    ]
    discards = [option.discard for option in found.options if option.discard is not None]

    def tables() -> Iterator[list[Column]]:
        for style, columns in _tile_columns(heading, rows, writer):
            names = [run_on([kind], style) for kind in discards]
            discard = [Column(writer.words("discard"), names)] if drawn else []
            yield [*discard, *counts, *columns]

    writer.first_that_fits(tables())


# --- Tiles ------------------------------------------------------------------------------------

# Styles of tiles in words and pictures, the one to be preferred first; the last always fits.
_STYLES: dict[Lang, Sequence[tuple[str, ...]]] = {
    "en": [("mpsz", "unicode"), ("mpsz",)],
    "zh": [("zh", "unicode"), ("zh",), ("mpsz",)],
}


def _tile_columns(
    heading: str, rows: Sequence[Sequence[tuple[Sequence[int], str]]], writer: Writer
) -> Iterator[tuple[str, list[Column]]]:
    """Make columns of groups of tiles, each with a note: in words, and in pictures beside them.

    Each time the style of the words is given with the columns.
    """
    for words, *pictures in _STYLES[writer.lang]:
        texts = [" ".join(run_on(tiles, words) + note for tiles, note in row) for row in rows]
        drawn = [
            Column("", [" ".join(run_on(tiles, style) for tiles, _ in row) for row in rows])
            for style in pictures
        ]
        yield words, [Column(heading, texts), *drawn]


def _kinds(hand: Sequence[int]) -> list[int]:
    return [kind for kind, count in enumerate(hand) for _ in range(count)]


def _tiles(kinds: Sequence[int], writer: Writer) -> str:
    """Write tiles, with their pictures if the terminal has them."""
    words, pictures = (run_on(kinds, style) for style in _STYLES[writer.lang][0])
    return f"{pictures} {words}" if can_be_written(pictures) else words
