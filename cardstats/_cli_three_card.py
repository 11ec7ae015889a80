"""Three-card poker on the command line: what hands are, deals with their winner, equity.

The game computes; here its answers are put into words.
"""

from __future__ import annotations

import argparse
import math
import secrets
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardstats import cards
from cardstats import three_card as tc
from cardstats._cli_writer import Column, Writer, can_be_written, write
from cardstats._table import percent_text
from cardstats.cards import RANKS
from cardstats.three_card.hands import read_hand
from cardstats.three_card.rules import MAX_PLAYERS


def classify(args: argparse.Namespace, writer: Writer) -> None:
    """Say what hands are and which of them wins."""
    hands = np.array(list(_read_hands(args.hands)))
    names = [_cards(writer, hand) for hand in hands]
    writer.table(
        Column(writer.words("hand"), names),
        *_category_columns(hands, args.rules, writer),
        *_standing_columns(hands, args.rules, writer),
    )
    _write_notes(hands, args.rules, writer)
    if len(hands) < 2:
        return
    dealt, times = np.unique(hands, return_counts=True)
    if times.max() > 1:
        twice = _cards(writer, dealt[times > 1])
        writer.line("no winner: {cards} in more than one hand", cards=twice)
    elif len(hands) <= MAX_PLAYERS:
        _write_winners(names, tc.winners(hands, rules=args.rules), writer)


def deal(args: argparse.Namespace, writer: Writer) -> None:
    """Deal, and say who wins."""
    seed = _seed(args)
    tables = tc.deal(args.games, players=args.players, rng=seed)
    won = tc.winners(tables, rules=args.rules)
    players = [f"p{seat}" for seat in range(1, args.players + 1)]
    high_to_low = np.sort(tables)[..., ::-1]
    for game, hands in enumerate(high_to_low):
        if game:
            write("")
        title = "game {game}, {rules}, seed {seed}"
        writer.line(title, game=game + 1, rules=args.rules.name, seed=seed)
        writer.table(
            Column(writer.words("player"), players),
            Column(writer.words("hand"), [_cards(writer, hand) for hand in hands]),
            *_category_columns(hands, args.rules, writer),
        )
        _write_notes(hands, args.rules, writer)
        _write_winners(players, won[game], writer)


def equity(args: argparse.Namespace, writer: Writer) -> None:
    """Say how often a hand wins."""
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
        hand=_cards(writer, hand),
        opponents=args.opponents,
        rules=args.rules.name,
    )
    outcomes = ("win", "draw", "lose", "share of the pot")
    heading = "exactly" if counted else "standard error %"
    precision = list(map(str, rates)) if counted else [f"± {100 * error:.2g}" for error in errors]
    writer.table(
        Column(writer.words("outcome"), list(map(writer.words, outcomes))),
        Column(writer.words("probability %"), list(map(percent_text, rates)), number=True),
        Column(writer.words(heading), precision, number=True),
    )
    how = "all {total:,} deals counted" if counted else "{total:,} deals simulated, seed {seed}"
    writer.line(how, total=found.total, seed=seed)


_MOST_OPPONENTS_COUNTED = 2  # beyond them `equity` simulates
_HAND_STYLES = {"en": ("unicode",), "zh": ("unicode", "zh")}  # the first that can be written
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
        return read_hand(text, place)
    except ValueError as error:
        hint = "; put each hand in quotes" if len(text.split()) < 3 else ""
        raise ValueError(f"{error}{hint}") from None


def _category_columns(
    hands: NDArray[np.uint8], rules: tc.Rules, writer: Writer
) -> Iterator[Column]:
    """Say what hands are, and their points where points rule."""
    categories = map(tc.Category, tc.classify(hands, rules=rules).tolist())
    yield Column(writer.words("category"), [_name(writer, item) for item in categories])
    if rules.points is not None:
        points = [f"{points:,}" for points in tc.points(hands, rules=rules).tolist()]
        yield Column(writer.words("points"), points, number=True)


def _standing_columns(
    hands: NDArray[np.uint8], rules: tc.Rules, writer: Writer
) -> Iterator[Column]:
    """Say how likely the hands' categories are, and where the hands stand among all.

    Where a 2-3-5 is special they stand nowhere: what beats what depends on the table.
    """
    chances = tc.exact_categories(rules=rules).probabilities
    categories = tc.classify(hands, rules=rules).tolist()
    shares = [percent_text(chances[category]) for category in categories]
    yield Column(writer.words("probability %"), shares, number=True)

    if not rules.transitive:
        return
    strengths = np.sort(tc.strength(tc.all_hands(), rules=rules))
    levels = np.unique(strengths)
    own = tc.strength(hands, rules=rules)
    places = len(levels) - np.searchsorted(levels, own)
    heading = writer.words("place (of {levels})", levels=len(levels))
    yield Column(heading, list(map(str, places.tolist())), number=True)

    weaker = np.searchsorted(strengths, own) / len(strengths)
    beaten = list(map(percent_text, weaker.tolist()))
    yield Column(writer.words("beats %"), beaten, number=True)


def _write_notes(hands: NDArray[np.uint8], rules: tc.Rules, writer: Writer) -> None:
    """Say which hands are worth more than they look."""
    if rules.special_235 == "off":
        return
    ranks_235 = (np.sort(hands // 4) == _TWO_THREE_FIVE).all(axis=1)
    off_suit = tc.classify(hands, rules=rules) == tc.Category.HIGH_CARD
    for hand in hands[ranks_235 & off_suit]:
        writer.line("{hand} beats any three of a kind at the table", hand=_cards(writer, hand))


def _write_winners(names: Sequence[str], won: NDArray[np.bool_], writer: Writer) -> None:
    best = [name for name, wins in zip(names, won, strict=True) if wins]
    result = "winner: {names}" if len(best) == 1 else "tie: {names}"
    writer.line(result, names=writer.listed(best))


def _cards(writer: Writer, codes: NDArray[np.uint8]) -> str:
    texts = (cards.format(codes, style) for style in _HAND_STYLES[writer.lang])
    return next(filter(can_be_written, texts), cards.format(codes))


def _name(writer: Writer, category: tc.Category) -> str:
    return category.label_zh if writer.lang == "zh" else category.label
