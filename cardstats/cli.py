"""The command line: which commands there are, what they take, and how they end.

A command is a short function, of a game's `_cli_` module or of this one, and an entry in
`_COMMANDS`. This module and `_cli_writer` are the only ones that print.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

import cardstats
from cardstats import _cli_blackjack, _cli_mahjong, _cli_three_card, mahjong, three_card
from cardstats._cli_writer import Writer, language, writable, write
from cardstats._table import Lang
from cardstats.mahjong.numbering import CODES_MEAN

# Exit statuses; shells report a program that a signal ended as 128 + the signal's number.
BAD_INPUT = 2
INTERRUPTED = 128 + 2  # SIGINT
PIPE_CLOSED = 128 + 13  # SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments after the program's name; by default those of the process.

    Returns
    -------
    int
        Exit status: 0; 2 for bad input or no command; 130 when interrupted; 141 when whoever
        reads the output has stopped.

    Raises
    ------
    SystemExit
        By argparse: status 0 after ``--help`` and ``--version``, 2 for arguments it cannot read.

    Examples
    --------
    >>> main(["classify", "As Ah Ad"])
    hand      category         probability %  place (of 741)  beats %
    ♠A ♥A ♦A  three of a kind         0.2353               1  99.9819
    0
    """
    parser = _parser()
    program = parser.prog
    try:
        args = parser.parse_args(argv)
        if args.command is None:
            parser.print_help(sys.stderr)
            return BAD_INPUT
        program = f"{parser.prog} {args.command}"
        _COMMANDS[args.command].run(args, Writer(language(args.lang)))
        write("", end="", flush=True)  # here, and not at exit, it shows that a disk is full
    except KeyboardInterrupt:
        return _fail(program, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        return PIPE_CLOSED
    except (ValueError, TypeError, OSError, MemoryError) as error:
        return _fail(program, f"error: {error}", BAD_INPUT)
    finally:
        _drop_what_cannot_be_written()
    return 0


def _fail(program: str, message: str, status: int) -> int:
    print(f"{program}: {' '.join(message.split())}", file=sys.stderr)
    return status


def _drop_what_cannot_be_written() -> None:
    """Keep the interpreter from complaining at exit about output that nobody takes."""
    try:
        write("", end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reproduce(args: argparse.Namespace, writer: Writer) -> None:
    from cardstats.reproduce import reproduce

    gone = False  # the reader of the text; the files are written all the same

    def show(text: str) -> None:
        nonlocal gone
        try:
            if not gone:
                write(text, flush=True)
        except BrokenPipeError:
            gone = True

    reproduce(
        out=args.out,
        only=args.only,
        games=args.games,
        rng=args.seed,
        workers=args.workers,
        lang=args.lang,
        progress=True,
        show=show,
    )
    if gone:
        raise BrokenPipeError


def _benchmark(args: argparse.Namespace, writer: Writer) -> None:
    from cardstats import benchmark

    benchmark.check_writable(args.out, args.readme)  # lest minutes of work have nowhere to go
    long = benchmark.long_run(args.long_run, progress=True) if args.long_run else None
    result = benchmark.benchmark(
        only=args.only, peers=not args.no_peers, seconds=args.seconds, progress=True
    )
    figure = benchmark.save(result, args.out, lang=args.lang, long=long) if args.out else None
    benchmark.insert(result, args.readme)
    write(result.to_text(writer.lang))
    if long:
        write("\n" + long.to_text(writer.lang))
    if figure:
        write(f"图：{figure}" if writer.lang == "zh" else f"figure: {figure}")


# --- Arguments --------------------------------------------------------------------------------


_HELP_WIDTH = 56  # what a terminal of 80 columns leaves beside the options


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and whose help can always be printed."""

    def error(self, message: str) -> Any:
        self.exit(_fail(self.prog, f"error: {message}", BAD_INPUT))

    def format_help(self) -> str:
        return writable(super().format_help())


class _Command(NamedTuple):
    run: Callable[[argparse.Namespace, Writer], None]
    help: str
    example: str
    arguments: Mapping[str, Mapping[str, Any]]  # name or flag: what `add_argument` takes


def _parser() -> _Parser:
    parser = _Parser(prog="cardstats", description="Exact and simulated probabilities of hands.")
    version = f"%(prog)s {cardstats.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in _COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.help,
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            epilog=f"example: {command.example}",
            formatter_class=argparse.RawTextHelpFormatter,
        )
        for argument, settings in command.arguments.items():
            # argparse would break lines at the hyphens in the names of rules.
            text = textwrap.fill(settings["help"], _HELP_WIDTH, break_on_hyphens=False)
            sub.add_argument(argument, **{**settings, "help": text})
    return parser


def _number(least: int) -> Callable[[str], int]:
    """Make a reader of whole numbers that are not too small."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return read


def _known(text: str, names: Iterable[str]) -> str:
    if text not in names:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(names)}")
    return text


def _part(text: str) -> str:
    from cardstats.reproduce import PARTS

    return _known(text, PARTS)


def _game(text: str) -> str:
    from cardstats.benchmark import PARTS

    return _known(text, PARTS)


_LANG = {"choices": get_args(Lang), "default": "en", "help": "language of the answer (default en)"}


def _rules_argument(known: Mapping[str, Any], default: str) -> dict[str, Any]:
    def read(text: str) -> Any:
        return known[_known(text, known)]

    return {
        "type": read,
        "default": known[default],
        "metavar": "NAME",
        "help": f"{', '.join(known)} (default {default})",
    }


def _number_argument(least: int, default: int | None, help: str) -> dict[str, Any]:
    return {"type": _number(least), "default": default, "metavar": "N", "help": help}


_COMMANDS = {
    "reproduce": _Command(
        _reproduce,
        "print and save the published tables beside exact and simulated ones",
        "cardstats reproduce --only three-card --lang zh",
        {
            "--only": {
                "type": _part,
                "metavar": "PART",
                "help": "one part alone: three-card, mahjong, blackjack or best-of-six",
            },
            "--games": _number_argument(1, None, "games to simulate (default: as published)"),
            "--seed": _number_argument(0, 1, "seed of the simulations (default 1)"),
            "--workers": _number_argument(1, 1, "threads (default 1); the figures stay the same"),
            "--out": {
                "type": Path,
                "default": Path("cardstats-report"),
                "metavar": "DIR",
                "help": "folder for the report (default cardstats-report)",
            },
            "--lang": _LANG,
        },
    ),
    "benchmark": _Command(
        _benchmark,
        "measure how many hands a second each kernel takes, beside other packages",
        "cardstats benchmark --only mahjong --no-peers",
        {
            "--only": {
                "type": _game,
                "metavar": "GAME",
                "help": "one game alone: three-card, mahjong or blackjack",
            },
            "--no-peers": {
                "action": "store_true",
                "help": "leave out other packages (pip install 'cardstats[bench]' brings them)",
            },
            "--seconds": {
                "type": float,
                "metavar": "S",
                "help": "how long to measure each of 7 jobs (default 20, without peers 5)",
            },
            "--long-run": {
                **_number_argument(
                    10**7, None, "also deal N three-card hands (10^10), to hold against exact"
                ),
                "nargs": "?",
                "const": 10**10,
            },
            "--out": {
                "type": Path,
                "metavar": "DIR",
                "help": "folder for benchmark.md, benchmark.csv and benchmark.png",
            },
            "--readme": {
                "nargs": "+",
                "type": Path,
                "default": [],
                "metavar": "FILE",
                "help": "Markdown files to put the table into, at the comment that marks its place",
            },
            "--lang": _LANG,
        },
    ),
    "classify": _Command(
        _cli_three_card.classify,
        "say what three-card hands are, how rare and how strong; and which wins",
        'cardstats classify "As Ah Ad" "2s 3h 5d" --rules zha-jin-hua-235',
        {
            "hands": {
                "nargs": "+",
                "metavar": "HAND",
                "help": "three cards in quotes, or - to read hands from standard input, one a line",
            },
            "--rules": _rules_argument(three_card.RULES, "zha-jin-hua"),
            "--lang": _LANG,
        },
    ),
    "deal": _Command(
        _cli_three_card.deal,
        "deal three cards to each player and tell who wins",
        "cardstats deal --players 5 --rules zha-jin-hua-points --seed 7",
        {
            "--players": _number_argument(1, 2, "1 to 17 (default 2)"),
            "--rules": _rules_argument(three_card.RULES, "zha-jin-hua"),
            "--games": _number_argument(1, 1, "deals (default 1)"),
            "--seed": _number_argument(0, None, "equal seeds give equal deals (default: drawn)"),
            "--lang": _LANG,
        },
    ),
    "equity": _Command(
        _cli_three_card.equity,
        "tell how often a three-card hand wins against unknown ones",
        'cardstats equity "As Kd 7c" --opponents 4',
        {
            "hand": {"metavar": "HAND", "help": "three cards in quotes"},
            "--opponents": _number_argument(1, 1, "1 to 16 (default 1); up to 2 exactly"),
            "--rules": _rules_argument(three_card.RULES, "zha-jin-hua"),
            "--games": _number_argument(1, 10**7, "deals to simulate (default 10,000,000)"),
            "--seed": _number_argument(0, None, "seed of the simulation (default: drawn)"),
            "--lang": _LANG,
        },
    ),
    "mahjong": _Command(
        _cli_mahjong.mahjong,
        "say how a Mahjong hand wins, or what it waits on, accepts and can discard",
        "cardstats mahjong 123m 456p 789s 55z --kong 1111z",
        {
            "hand": {
                "nargs": "*",
                "metavar": "HAND",
                "help": "one hand, in one word or several: 123m 456p 789s 11222z, Chinese names "
                "or Unicode tiles; 13 or 14 of them, three fewer for each open set or kong",
            },
            "--codes": {
                "nargs": "+",
                "metavar": "N",
                "help": f"numbers instead of HAND, such as 1,1,2,2,2,2,3,3: {CODES_MEAN}",
            },
            "--kong": {
                "nargs": "+",
                "action": "extend",
                "default": [],
                "metavar": "KONG",
                "help": "declared kongs, which HAND leaves out, such as 1111s 2222z; after HAND",
            },
            "--rules": _rules_argument(mahjong.RULES, "chinese"),
            "--lang": _LANG,
        },
    ),
    "play": _Command(
        _cli_blackjack.play,
        "play blackjack against the dealer, round after round",
        "cardstats play blackjack --hints",
        {
            "game": {"choices": ["blackjack"], "metavar": "GAME", "help": "blackjack"},
            "--hints": {
                "action": "store_true",
                "help": "show before each decision the exact chances of hitting and standing",
            },
            "--seed": _number_argument(0, None, "equal seeds give equal decks (default: drawn)"),
            "--lang": _LANG,
        },
    ),
}
