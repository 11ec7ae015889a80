"""Blackjack on the command line: the terminal game, on a terminal that may lack characters."""

from __future__ import annotations

import argparse
import sys

from cardstats import cards
from cardstats._cli_writer import Writer, can_be_written, write
from cardstats.blackjack.table_game import play_until_interrupted

# How cards are written: the first style that the terminal can show.
_STYLES = {"en": ("unicode", "ascii"), "zh": ("unicode", "zh", "ascii")}


def play(args: argparse.Namespace, writer: Writer) -> None:
    """Play until the person has had enough; Ctrl-C is left to whoever called."""
    pack = range(cards.DECK_SIZE)
    styles = _STYLES[writer.lang]
    play_until_interrupted(
        rng=args.seed,
        lang=writer.lang,
        hints=args.hints,
        style=next(style for style in styles if can_be_written(cards.format(pack, style))),
        input=_answer,
        output=write,
    )


def _answer(question: str) -> str:
    """Ask on standard output, where `input` alone may choose standard error."""
    write(question, end="", flush=True)
    if sys.stdin is None:  # closed by whoever started the process
        raise EOFError
    try:
        return input()
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}"  # which is no answer, so that the question is repeated
