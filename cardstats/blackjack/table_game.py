"""The terminal game: rounds of blackjack between a person and the dealer, and the score.

The one module, besides the command line, that talks to a person: through functions it is given.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from cardstats._checks import check_choice
from cardstats._engine import RNG, Stream
from cardstats._table import Lang, percent_text, wrapped
from cardstats.blackjack.advice import Chances, advise
from cardstats.blackjack.dealer import DRAWS_ON, final_of
from cardstats.blackjack.decks import NATURAL_HAND, Hand, best_total, result_of
from cardstats.blackjack.hands import format, values
from cardstats.blackjack.rules import BEST, SEED_RULES, Result
from cardstats.cards import DECK_SIZE

RULES = SEED_RULES  # of the table


def play(
    *,
    rng: RNG = None,
    lang: Lang = "zh",
    hints: bool = False,
    style: str = "unicode",
    input: Callable[[str], str] = input,
    output: Callable[[str], object] = print,
) -> None:
    """Play blackjack against the dealer, round after round, for as long as one likes.

    A round is dealt from one shuffled pack under `SEED_RULES`: player, dealer, player, dealer,
    and both hands lie open. The player draws or stands, then the dealer draws to 17. The end of
    the input and Ctrl-C end the game with the score so far; an unfinished round does not count.

    Parameters
    ----------
    rng : None, int, SeedSequence or Generator
        Seed of the decks: see `shuffled_deck`.
    lang : {"zh", "en"}
        Language of the game. Answers are understood in both.
    hints : bool
        Whether to show, before each decision, the exact chances of hitting (and then playing in
        the best way) and of standing, given every card that is seen; see `advise`.
    style : {"unicode", "ascii", "zh"}
        How cards are written; see `format`.
    input : callable
        Takes a question and gives the answer, or raises EOFError: like the builtin.
    output : callable
        Takes a line of text, at most 80 columns wide.

    Raises
    ------
    TypeError, ValueError
        If `rng`, `lang` or `style` is none of these.

    Examples
    --------
    >>> answers = iter(["n", "n"])
    >>> play(rng=1, lang="en", input=lambda question: next(answers))
    round 1
    dealer: ♣7 ♦3 (10)
    player: ♣5 ♠Q (15)
    dealer: ♣7 ♦3 ♠4 (14)
    dealer: ♣7 ♦3 ♠4 ♠9 (23)
    dealer bust: player wins
    score: won 1, drawn 0, lost 0
    goodbye; rounds: 1, won 1, drawn 0, lost 0
    """
    with suppress(KeyboardInterrupt):
        play_until_interrupted(
            rng=rng, lang=lang, hints=hints, style=style, input=input, output=output
        )


def play_until_interrupted(
    *,
    rng: RNG,
    lang: Lang,
    hints: bool,
    style: str,
    input: Callable[[str], str],
    output: Callable[[str], object],
) -> None:
    """Do the same as `play`, but pass a KeyboardInterrupt on after the last word."""
    check_choice("lang", lang, tuple(_WORDS))
    format(range(DECK_SIZE), style)  # refuses an unknown style before anything is dealt
    table = _Table(_WORDS[lang], style, hints, input, output)
    decks = _decks(Stream.of(rng))
    score: Counter[Result] = Counter()
    interrupted = None
    try:
        _play_rounds(table, decks, score)
    except (EOFError, KeyboardInterrupt) as stop:
        interrupted = stop if isinstance(stop, KeyboardInterrupt) else None
        table.say("")  # the cursor still stands behind the question
    table.say(table.words.goodbye.format(**_figures(score)))
    if interrupted is not None:
        raise interrupted


def shuffled_deck(seed: np.random.SeedSequence) -> list[int]:
    """Shuffle a pack of cards: give each a random 64-bit number, and put them in that order.

    The numbers are the first 52 of PCG64, which NumPy keeps the same in all versions and on all
    machines, as it does not with its own shuffles. Two of them are equal once in 10^16 decks.

    Parameters
    ----------
    seed : numpy.random.SeedSequence
        Of the deck. Round i of a game, from 0, takes the seed's child with spawn key i, so that
        its deck does not depend on how the earlier rounds went.

    Returns
    -------
    list of int
        Card codes, the first to be dealt first.

    Examples
    --------
    >>> deck = shuffled_deck(np.random.SeedSequence(1, spawn_key=(0,)))
    >>> format(deck[:4])
    '5c 7c Qs 3d'
    """
    numbers = np.random.PCG64(seed).random_raw(DECK_SIZE)
    deck: list[int] = np.argsort(numbers, kind="stable").tolist()
    return deck


def _decks(stream: Stream) -> Iterator[list[int]]:
    return (shuffled_deck(stream.chunk(number)) for number in count())


def _play_rounds(table: _Table, decks: Iterator[list[int]], score: Counter[Result]) -> None:
    """Play until there is to be no other round, and keep the score on the way."""
    for number, deck in enumerate(decks, start=1):
        table.say(table.words.round.format(number=number))
        score[_play_round(table, deck)] += 1
        table.say(table.words.score.format(**_figures(score)))
        if not table.agrees(table.words.another_round):
            return
        table.say("")


# --- A round ----------------------------------------------------------------------------------


def _play_round(table: _Table, deck: Sequence[int]) -> Result:
    """Deal, let both draw, and tell who wins."""
    words = table.words
    to_deal = iter(deck)
    player, dealer = [], []
    for _ in range(2):
        player.append(next(to_deal))
        dealer.append(next(to_deal))
    table.show(words.dealer, dealer)
    table.show(words.player, player)
    while table.player_draws(player, dealer):
        player.append(next(to_deal))
        table.show(words.player, player)
        if _is_bust(player):
            return table.tell(words.player_bust, Result.LOSE)
    while _dealer_draws(dealer):
        dealer.append(next(to_deal))
        table.show(words.dealer, dealer)
        if _is_bust(dealer):
            return table.tell(words.dealer_bust, Result.WIN)
    both = words.compared.format(player=table.worth(player), dealer=table.worth(dealer))
    return table.tell(both, result_of(_hand(player), _hand(dealer), RULES))


def _hand(codes: Sequence[int]) -> Hand:
    return tuple(sorted(values(codes).tolist()))


def _is_bust(codes: Sequence[int]) -> bool:
    return best_total(_hand(codes))[0] > BEST


def _dealer_draws(codes: Sequence[int]) -> bool:
    return final_of(_hand(codes), RULES.hit_soft_17) == DRAWS_ON


def _figures(score: Counter[Result]) -> dict[str, int]:
    """Put a score into the numbers that are told."""
    return {
        "rounds": score.total(),
        "won": score[Result.NATURAL] + score[Result.WIN],
        "drawn": score[Result.DRAW],
        "lost": score[Result.LOSE],
    }


# --- The person -------------------------------------------------------------------------------

_LONGEST_ANSWER = 100  # of it no more is read: normalising takes the square of the length
_YES = {"", "y", "yes", "hit", "是", "是的", "要", "好", "好的", "继续", "拿", "拿牌"}
_NO = {"n", "no", "stand", "否", "不", "不是", "不要", "不了", "不用", "不继续", "停", "停牌"}


@dataclass(frozen=True)
class _Table:
    """Where a person and the dealer sit: what is asked and shown there, in one language."""

    words: _Words
    style: str
    hints: bool
    input: Callable[[str], str]
    output: Callable[[str], object]

    def say(self, text: str) -> None:
        """Print a text, on several lines if it is too wide for one; or an empty line."""
        for line in wrapped(text) or [""]:
            self.output(line)

    def agrees(self, question: str) -> bool:
        """Ask until the answer is a clear yes or no."""
        while True:
            # Chinese keyboards type full-width letters, which NFKC makes plain ones.
            typed = self.input(question).strip()[:_LONGEST_ANSWER]
            answer = unicodedata.normalize("NFKC", typed).casefold()
            if answer in _YES:
                return True
            if answer in _NO:
                return False
            self.say(self.words.unclear)

    def player_draws(self, player: Sequence[int], dealer: Sequence[int]) -> bool:
        """Ask whether the player takes another card, with a hint if that is wanted."""
        if self.hints:
            advice = advise(_hand(player), _hand(dealer), rules=RULES)
            self._hint(self.words.hit, advice.hit, advice.stand)
            self._hint(self.words.stand, advice.stand, advice.hit)
        return self.agrees(self.words.another_card)

    def show(self, whose: str, codes: Sequence[int]) -> None:
        """Show the cards of a hand, and what they are worth."""
        hand, worth = _hand(codes), self.worth(codes)
        if best_total(hand)[1] and hand != NATURAL_HAND:
            worth = self.words.soft.format(worth=worth)
        self.say(whose.format(cards=format(codes, self.style), worth=worth))

    def worth(self, codes: Sequence[int]) -> str:
        """Say what a hand is worth in the end."""
        hand = _hand(codes)
        is_natural = hand == NATURAL_HAND
        return self.words.natural if is_natural else self.words.points.format(best_total(hand)[0])

    def tell(self, how: str, result: Result) -> Result:
        """Say how a round ended."""
        self.say(self.words.end.format(how=how, result=self.words.results[result]))
        return result

    def _hint(self, play: str, chances: Chances, other: Chances) -> None:
        win, draw, lose = (percent_text(chance).rjust(8) for chance in chances[:3])
        mark = self.words.better if chances.ev > other.ev else ""
        value = float(chances.ev)
        self.say(
            self.words.hint.format(play=play, win=win, draw=draw, lose=lose, value=value, mark=mark)
        )


# --- Words ------------------------------------------------------------------------------------


class _Words(NamedTuple):
    """All that is said at the table."""

    round: str
    dealer: str
    player: str
    points: str
    soft: str
    natural: str
    hint: str
    hit: str
    stand: str
    better: str
    another_card: str
    another_round: str
    unclear: str
    end: str
    player_bust: str
    dealer_bust: str
    compared: str
    results: tuple[str, ...]  # in the order of `Result`
    score: str
    goodbye: str


_WORDS = {
    "zh": _Words(
        round="第 {number} 局",
        dealer="庄家：{cards}（{worth}）",
        player="玩家：{cards}（{worth}）",
        points="{} 点",
        soft="软 {worth}",
        natural="黑杰克",
        hint="{play}：胜 {win} %  平 {draw} %  负 {lose} %  期望 {value:+.4f}{mark}",
        hit="拿牌",
        stand="停牌",
        better="  较优",
        another_card="是否继续拿牌（y/n，回车=y）：",
        another_round="再来一局吗（y/n，回车=y）：",
        unclear="没看懂，请回答 y 或 n；要退出请按 Ctrl-C。",
        end="{how}，{result}！",
        player_bust="爆掉",
        dealer_bust="庄家爆掉",
        compared="{player} 对 {dealer}",
        results=("玩家赢", "玩家赢", "平局", "玩家输"),
        score="战绩：{won} 胜 {drawn} 平 {lost} 负",
        goodbye="再见！共 {rounds} 局：{won} 胜 {drawn} 平 {lost} 负",
    ),
    "en": _Words(
        round="round {number}",
        dealer="dealer: {cards} ({worth})",
        player="player: {cards} ({worth})",
        points="{}",
        soft="soft {worth}",
        natural="natural",
        hint="{play}  win {win} %  draw {draw} %  lose {lose} %  value {value:+.4f}{mark}",
        hit="hit:  ",
        stand="stand:",
        better="  better",
        another_card="another card? (y/n, Enter = y) ",
        another_round="another round? (y/n, Enter = y) ",
        unclear="please answer y or n, or leave with Ctrl-C",
        end="{how}: {result}",
        player_bust="bust",
        dealer_bust="dealer bust",
        compared="{player} against {dealer}",
        results=("player wins", "player wins", "draw", "player loses"),
        score="score: won {won}, drawn {drawn}, lost {lost}",
        goodbye="goodbye; rounds: {rounds}, won {won}, drawn {drawn}, lost {lost}",
    ),
}
