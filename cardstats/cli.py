"""The command line: the only place that prints.

A command is a short function and an entry in `_COMMANDS` that says what it does and what it
takes. The games compute; here their answers are put into words, English or Chinese.
"""

from __future__ import annotations

import argparse
import math
import os
import secrets
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

import cardstats
from cardstats import cards
from cardstats import three_card as tc
from cardstats._table import Lang, display_width, percent_text, wrapped
from cardstats.cards import RANKS
from cardstats.three_card.rules import MAX_PLAYERS

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
        _COMMANDS[args.command].run(args, _Writer(_language(args.lang)))
        _write("", end="", flush=True)  # here, and not at exit, it shows that a disk is full
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
        _write("", end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# --- Commands ---------------------------------------------------------------------------------


def _reproduce(args: argparse.Namespace, writer: _Writer) -> None:
    from cardstats.reproduce import reproduce

    gone = False  # the reader of the text; the files are written all the same

    def show(text: str) -> None:
        nonlocal gone
        try:
            if not gone:
                _write(text, flush=True)
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


def _classify(args: argparse.Namespace, writer: _Writer) -> None:
    hands = np.array(list(_read_hands(args.hands)))
    names = [writer.cards(hand) for hand in hands]
    writer.table(
        _Column(writer.words("hand"), names),
        *_category_columns(hands, args.rules, writer),
        *_standing_columns(hands, args.rules, writer),
    )
    _write_notes(hands, args.rules, writer)
    if len(hands) < 2:
        return
    dealt, times = np.unique(hands, return_counts=True)
    if times.max() > 1:
        twice = writer.cards(dealt[times > 1])
        writer.line("no winner: {cards} in more than one hand", cards=twice)
    elif len(hands) <= MAX_PLAYERS:
        _write_winners(names, tc.winners(hands, rules=args.rules), writer)


def _deal(args: argparse.Namespace, writer: _Writer) -> None:
    seed = _seed(args)
    tables = tc.deal(args.games, players=args.players, rng=seed)
    won = tc.winners(tables, rules=args.rules)
    players = [f"p{seat}" for seat in range(1, args.players + 1)]
    high_to_low = np.sort(tables)[..., ::-1]
    for game, hands in enumerate(high_to_low):
        if game:
            _write("")
        title = "game {game}, {rules}, seed {seed}"
        writer.line(title, game=game + 1, rules=args.rules.name, seed=seed)
        writer.table(
            _Column(writer.words("player"), players),
            _Column(writer.words("hand"), [writer.cards(hand) for hand in hands]),
            *_category_columns(hands, args.rules, writer),
        )
        _write_notes(hands, args.rules, writer)
        _write_winners(players, won[game], writer)


def _equity(args: argparse.Namespace, writer: _Writer) -> None:
    hand = _read_hand("hand", args.hand)
    counted = args.opponents <= _MOST_OPPONENTS_COUNTED
    seed = None if counted else _seed(args)
    found = tc.equity(hand, opponents=args.opponents, rules=args.rules, rng=seed, games=args.games)
    rates = [Fraction(deals, found.total) for deals in (found.win, found.draw, found.lose)]
    errors = [math.sqrt(rate * (1 - rate) / found.total) for rate in rates]
    rates.append(found.equity)
    errors.append(found.se)
    writer.line(
        "{hand}, opponents: {opponents}, {rules}",
        hand=writer.cards(hand),
        opponents=args.opponents,
        rules=args.rules.name,
    )
    outcomes = ("win", "draw", "lose", "share of the pot")
    heading = "exactly" if counted else "standard error %"
    precision = list(map(str, rates)) if counted else [f"± {100 * error:.2g}" for error in errors]
    writer.table(
        _Column(writer.words("outcome"), list(map(writer.words, outcomes))),
        _Column(writer.words("probability %"), list(map(percent_text, rates)), number=True),
        _Column(writer.words(heading), precision, number=True),
    )
    how = "all {total:,} deals counted" if counted else "{total:,} deals simulated, seed {seed}"
    writer.line(how, total=found.total, seed=seed)


# --- What commands share ----------------------------------------------------------------------

_MOST_OPPONENTS_COUNTED = 2  # beyond them `equity` simulates
_TWO_THREE_FIVE = [RANKS.index(rank) for rank in ("2", "3", "5")]


def _seed(args: argparse.Namespace) -> int:
    """Take the seed that was asked for, or draw one short enough to be typed again."""
    return secrets.randbits(32) if args.seed is None else args.seed


def _read_hands(texts: Sequence[str]) -> Iterator[NDArray[np.uint8]]:
    """Read the hands given, and those on standard input where one of them is ``-``."""
    for place, text in enumerate(texts, start=1):
        if text != "-":
            yield _read_hand(f"hand {place}", text)
            continue
        lines = [(line, text) for line, text in enumerate(sys.stdin, start=1) if text.strip()]
        if not lines:
            raise ValueError("standard input: holds no hand; write one a line")
        for line, text in lines:
            yield _read_hand(f"standard input, line {line}", text.strip())


def _read_hand(place: str, text: str) -> NDArray[np.uint8]:
    try:
        return tc.parse(text)
    except ValueError as error:
        hint = "; put each hand in quotes" if len(text.split()) < 3 else ""
        raise ValueError(f"{place}: {str(error).removeprefix('text: ')}{hint}") from None


def _category_columns(
    hands: NDArray[np.uint8], rules: tc.Rules, writer: _Writer
) -> Iterator[_Column]:
    """Say what hands are, and their points where points rule."""
    categories = map(tc.Category, tc.classify(hands, rules=rules).tolist())
    yield _Column(writer.words("category"), [writer.category(item) for item in categories])
    if rules.points is not None:
        points = [f"{points:,}" for points in tc.points(hands, rules=rules).tolist()]
        yield _Column(writer.words("points"), points, number=True)


def _standing_columns(
    hands: NDArray[np.uint8], rules: tc.Rules, writer: _Writer
) -> Iterator[_Column]:
    """Say how likely the hands' categories are, and where the hands stand among all.

    The place leaves out what a special 2-3-5 does, which depends on the table.
    """
    chances = tc.exact_categories(rules=rules).probabilities
    categories = tc.classify(hands, rules=rules).tolist()
    shares = [percent_text(chances[category]) for category in categories]
    yield _Column(writer.words("probability %"), shares, number=True)

    in_line = replace(rules, special_235="off")
    strengths = np.sort(tc.strength(tc.all_hands(), rules=in_line))
    levels = np.unique(strengths)
    own = tc.strength(hands, rules=in_line)
    places = len(levels) - np.searchsorted(levels, own)
    heading = writer.words("place (of {levels})", levels=len(levels))
    yield _Column(heading, list(map(str, places.tolist())), number=True)

    weaker = np.searchsorted(strengths, own) / len(strengths)
    beaten = list(map(percent_text, weaker.tolist()))
    yield _Column(writer.words("beats %"), beaten, number=True)


def _write_notes(hands: NDArray[np.uint8], rules: tc.Rules, writer: _Writer) -> None:
    """Say which hands are worth more than they look."""
    if rules.special_235 == "off":
        return
    ranks_235 = (np.sort(hands // 4) == _TWO_THREE_FIVE).all(axis=1)
    off_suit = tc.classify(hands, rules=rules) == tc.Category.HIGH_CARD
    for hand in hands[ranks_235 & off_suit]:
        writer.line("{hand} beats any three of a kind at the table", hand=writer.cards(hand))


def _write_winners(names: Sequence[str], won: NDArray[np.bool_], writer: _Writer) -> None:
    best = [name for name, wins in zip(names, won, strict=True) if wins]
    separator = "、" if writer.lang == "zh" else ", "
    result = "winner: {names}" if len(best) == 1 else "tie: {names}"
    writer.line(result, names=separator.join(best))


# --- Writing ----------------------------------------------------------------------------------

_ZH = {
    "hand": "手牌",
    "player": "玩家",
    "category": "牌型",
    "points": "点数",
    "probability %": "概率 %",
    "place (of {levels})": "名次（共 {levels}）",
    "beats %": "大过 %",
    "{hand} beats any three of a kind at the table": "{hand} 可吃掉同桌的任何豹子",
    "winner: {names}": "赢家：{names}",
    "tie: {names}": "平局：{names}",
    "no winner: {cards} in more than one hand": "无法比较：{cards} 出现在不止一手牌中",
    "game {game}, {rules}, seed {seed}": "第 {game} 局，{rules}，随机种子 {seed}",
    "{hand}, opponents: {opponents}, {rules}": "{hand}，对手 {opponents} 人，{rules}",
    "outcome": "结果",
    "win": "胜",
    "draw": "平",
    "lose": "负",
    "share of the pot": "底池份额",
    "exactly": "精确值",
    "standard error %": "标准误 %",
    "all {total:,} deals counted": "共 {total:,} 种发牌，全部穷举",
    "{total:,} deals simulated, seed {seed}": "模拟 {total:,} 局，随机种子 {seed}",
}
_HAND_STYLES = {"en": ("unicode",), "zh": ("unicode", "zh")}  # the first that can be written
_PLAIN = str.maketrans("♦♣♥♠×–—−…", "dchsx---~") | str.maketrans({"±": "+/-"})


class _Column(NamedTuple):
    heading: str
    cells: Sequence[str]
    number: bool = False  # numbers stand on the right, words on the left


@dataclass(frozen=True)
class _Writer:
    """Puts answers into one language, for a terminal of 80 columns that may know only ASCII."""

    lang: Lang

    def words(self, english: str, **values: object) -> str:
        """Say it in the language, with values put in."""
        template = _ZH[english] if self.lang == "zh" else english
        return template.format(**values)

    def category(self, category: tc.Category) -> str:
        return category.label_zh if self.lang == "zh" else category.label

    def cards(self, codes: NDArray[np.uint8]) -> str:
        texts = (cards.format(codes, style) for style in _HAND_STYLES[self.lang])
        return next(filter(_can_be_written, texts), cards.format(codes))

    def line(self, english: str, **values: object) -> None:
        _write("\n".join(wrapped(self.words(english, **values))))

    def table(self, *columns: _Column) -> None:
        aligned = map(_aligned, columns)
        for cells in zip(*aligned, strict=True):
            _write("  ".join(cells).rstrip())


def _language(asked: Lang) -> Lang:
    """Fall back on English where the terminal has no Chinese."""
    return asked if _can_be_written("".join(_ZH.values())) else "en"


def _aligned(column: _Column) -> list[str]:
    cells = [column.heading, *column.cells]
    width = max(map(display_width, cells))
    pads = [" " * (width - display_width(cell)) for cell in cells]
    pairs = zip(pads, cells, strict=True)
    return [pad + cell if column.number else cell + pad for pad, cell in pairs]


def _write(text: str, end: str = "\n", flush: bool = False) -> None:
    """Print, with a stand-in for what the terminal's encoding does not have."""
    print(_writable(text), end=end, flush=flush)


def _writable(text: str) -> str:
    if _can_be_written(text):
        return text
    encoding = _encoding()
    return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)


def _can_be_written(text: str) -> bool:
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


# --- Arguments --------------------------------------------------------------------------------


_HELP_WIDTH = 56  # what a terminal of 80 columns leaves beside the options


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and whose help can always be printed."""

    def error(self, message: str) -> Any:
        self.exit(BAD_INPUT, f"{self.prog}: error: {message}\n")

    def format_help(self) -> str:
        return _writable(super().format_help())


class _Command(NamedTuple):
    run: Callable[[argparse.Namespace, _Writer], None]
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
            description=f"{command.help.capitalize()}.",
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


def _rules(text: str) -> tc.Rules:
    if text not in tc.RULES:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(tc.RULES)}")
    return tc.RULES[text]


def _part(text: str) -> str:
    from cardstats.reproduce import PARTS

    if text not in PARTS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(PARTS)}")
    return text


_LANG = {"choices": get_args(Lang), "default": "en", "help": "language of the answer (default en)"}


def _rules_argument(default: tc.Rules) -> dict[str, Any]:
    return {
        "type": _rules,
        "default": default,
        "metavar": "NAME",
        "help": f"{', '.join(tc.RULES)} (default {default.name})",
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
                "help": "one part alone: three-card (all there is so far) or best-of-six",
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
    "classify": _Command(
        _classify,
        "say what three-card hands are, how rare and how strong; and which wins",
        'cardstats classify "As Ah Ad" "2s 3h 5d" --rules zha-jin-hua-235',
        {
            "hands": {
                "nargs": "+",
                "metavar": "HAND",
                "help": "three cards in quotes, or - to read hands from standard input, one a line",
            },
            "--rules": _rules_argument(tc.ZHA_JIN_HUA),
            "--lang": _LANG,
        },
    ),
    "deal": _Command(
        _deal,
        "deal three cards to each player and tell who wins",
        "cardstats deal --players 5 --rules zha-jin-hua-points --seed 7",
        {
            "--players": _number_argument(1, 2, "1 to 17 (default 2)"),
            "--rules": _rules_argument(tc.ZHA_JIN_HUA),
            "--games": _number_argument(1, 1, "deals (default 1)"),
            "--seed": _number_argument(0, None, "equal seeds give equal deals (default: drawn)"),
            "--lang": _LANG,
        },
    ),
    "equity": _Command(
        _equity,
        "tell how often a three-card hand wins against unknown ones",
        'cardstats equity "As Kd 7c" --opponents 4',
        {
            "hand": {"metavar": "HAND", "help": "three cards in quotes"},
            "--opponents": _number_argument(1, 1, "1 to 16 (default 1); up to 2 exactly"),
            "--rules": _rules_argument(tc.ZHA_JIN_HUA),
            "--games": _number_argument(1, 10**7, "deals to simulate (default 10,000,000)"),
            "--seed": _number_argument(0, None, "seed of the simulation (default: drawn)"),
            "--lang": _LANG,
        },
    ),
}
