"""The terminal game: every ending, every answer, both languages, and how one leaves it."""

import os
import re
import select
import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from command_line import start, width

from cardstats import blackjack as bj
from cardstats import cards
from cardstats._table import percent_text
from cardstats.blackjack import table_game

CARD = "another card? (y/n, Enter = y) "
ROUND = "another round? (y/n, Enter = y) "
CARD_ZH = "是否继续拿牌（y/n，回车=y）："
ROUND_ZH = "再来一局吗（y/n，回车=y）："
END = "(end of input)"


@pytest.fixture
def sit(monkeypatch):
    """Play with stacked decks and given answers, of which some are raised instead."""

    def sit(decks, answers, play=table_game.play, **settings):
        stacked = iter([bj.parse(deck).tolist() for deck in decks])
        monkeypatch.setattr(table_game, "shuffled_deck", lambda seed: next(stacked))
        ahead = iter(answers)
        lines = []

        def answer(question):
            given = next(ahead)
            lines.append(question + (given if isinstance(given, str) else ""))
            if not isinstance(given, str):
                raise given
            return given

        play(**{"lang": "en", **settings}, input=answer, output=lines.append)
        assert not list(ahead), "answers are left"
        return lines

    return sit


# --- Rounds -----------------------------------------------------------------------------------

# Decks are in the order of dealing: player, dealer, player, dealer, then who draws.
BUST = "♦4 ♣10 ♥8 ♦Q ♥K"


def test_a_bust_ends_the_round_at_once(sit):
    assert sit([BUST], ["y", "n"]) == [
        "round 1",
        "dealer: ♣10 ♦Q (20)",
        "player: ♦4 ♥8 (12)",
        f"{CARD}y",
        "player: ♦4 ♥8 ♥K (22)",
        "bust: player loses",
        "score: won 0, drawn 0, lost 1",
        f"{ROUND}n",
        "goodbye; rounds: 1, won 0, drawn 0, lost 1",
    ]


def test_the_same_in_chinese_which_is_the_default(sit):
    def play(lang, **settings):
        table_game.play(**settings)

    assert sit([BUST], ["y", "n"], play=play) == [
        "第 1 局",
        "庄家：♣10 ♦Q（20 点）",
        "玩家：♦4 ♥8（12 点）",
        f"{CARD_ZH}y",
        "玩家：♦4 ♥8 ♥K（22 点）",
        "爆掉，玩家输！",
        "战绩：0 胜 0 平 1 负",
        f"{ROUND_ZH}n",
        "再见！共 1 局：0 胜 0 平 1 负",
    ]


ENDINGS = {
    "dealer bust": ("Td 9c 8h 7s Kd", "dealer bust: player wins", "庄家爆掉，玩家赢！"),
    "dealer bust, player low": ("2d 9c 2h 7s Kd", "dealer bust: player wins", "庄家爆掉，玩家赢！"),
    "win": ("Td 9c Qh 9s", "20 against 18: player wins", "20 点 对 18 点，玩家赢！"),
    "lose": ("Td 9c 8h Ks", "18 against 19: player loses", "18 点 对 19 点，玩家输！"),
    "draw": ("Td 9c 9h Ks", "19 against 19: draw", "19 点 对 19 点，平局！"),
    "natural": ("Ad Kc Kh 6s 5d", "natural against 21: player wins", "黑杰克 对 21 点，玩家赢！"),
    "both natural": ("Ad Kc Kh As", "natural against natural: draw", "黑杰克 对 黑杰克，平局！"),
    "soft 17 stands": ("Td Ac 8h 6s", "18 against 17: player wins", "18 点 对 17 点，玩家赢！"),
    "16 draws": ("Td 9c 5h 7s 4d", "15 against 20: player loses", "15 点 对 20 点，玩家输！"),
}


@pytest.mark.parametrize(("deck", "ending", "ending_zh"), ENDINGS.values(), ids=ENDINGS)
def test_how_a_round_ends_when_the_player_stands(sit, deck, ending, ending_zh):
    assert sit([deck], ["n", "n"])[-4] == ending
    assert sit([deck], ["n", "n"], lang="zh")[-4] == ending_zh


@pytest.mark.parametrize(
    ("deck", "ending"),
    [
        ("6d Ac 5h Ks Tc", "21 against natural: player loses"),
        ("6d 6c 5h 5s Tc Td", "21 against 21: draw"),
        ("Ad 6c Kh 5s Jc Td", "21 against 21: draw"),  # who draws to a natural has none
    ],
)
def test_how_a_round_ends_when_the_player_draws_once(sit, deck, ending):
    assert sit([deck], ["", "n", "n"])[-4] == ending


def test_hands_are_shown_as_they_grow(sit):
    lines = sit(["Ad 2c 2h Ac 5s 7d 3s 9h 5c"], ["y", "y", "n", "n"])
    assert [line for line in lines if line.startswith(("player:", "dealer:"))] == [
        "dealer: ♣2 ♣A (soft 13)",
        "player: ♦A ♥2 (soft 13)",
        "player: ♦A ♥2 ♠5 (soft 18)",
        "player: ♦A ♥2 ♠5 ♦7 (15)",
        "dealer: ♣2 ♣A ♠3 (soft 16)",
        "dealer: ♣2 ♣A ♠3 ♥9 (15)",
        "dealer: ♣2 ♣A ♠3 ♥9 ♣5 (20)",
    ]
    assert sit(["Ad Kc Kh 9s"], ["n", "n"])[2] == "player: ♦A ♥K (natural)"


def test_the_score_runs_over_several_rounds(sit):
    decks = [ENDINGS[name][0] for name in ("win", "draw", "natural", "lose", "dealer bust")]
    lines = sit(decks, ["n", "", "n", "y", "n", "y", "n", "y", "n", "n"])
    assert [line for line in lines if line.startswith("score")] == [
        "score: won 1, drawn 0, lost 0",
        "score: won 1, drawn 1, lost 0",
        "score: won 2, drawn 1, lost 0",
        "score: won 2, drawn 1, lost 1",
        "score: won 3, drawn 1, lost 1",
    ]
    assert [line for line in lines if line.startswith("round")] == [
        f"round {i + 1}" for i in range(5)
    ]
    assert lines[-1] == "goodbye; rounds: 5, won 3, drawn 1, lost 1"


# --- Answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", ["", "y", "Y", " y ", "\ty", "yes", "Yes", "ｙ", "hit", "是", " 要 ", "好", "拿牌"]
)
def test_answers_that_mean_yes(sit, answer):
    assert "bust: player loses" in sit([BUST], [answer, "n"])
    assert "round 2" in sit([BUST, BUST], ["y", answer, "y", "n"])


@pytest.mark.parametrize(
    "answer", ["n", "N", " n ", "no", "NO", "ｎ", "stand", "否", "不", "不要", "停牌"]
)
def test_answers_that_mean_no(sit, answer):
    assert "12 against 20: player loses" in sit([BUST], [answer, "n"])
    assert "round 2" not in sit([BUST], ["y", answer])


@pytest.mark.parametrize(
    "answer", ["q", "maybe", "yn", "ny", "0", "1", "?", "退出", "\x1b[A", "\x00", "�"]
)
def test_other_answers_are_asked_again(sit, answer):
    unclear = "please answer y or n, or leave with Ctrl-C"
    lines = sit([BUST], [answer, answer, "y", answer, "n"])
    assert lines[3:8] == [f"{CARD}{answer}", unclear, f"{CARD}{answer}", unclear, f"{CARD}y"]
    assert lines[-4:-1] == [f"{ROUND}{answer}", unclear, f"{ROUND}n"]
    assert "没看懂，请回答 y 或 n；要退出请按 Ctrl-C。" in sit(
        [BUST], [answer, "y", "n"], lang="zh"
    )


# --- Leaving ----------------------------------------------------------------------------------

PLACES = {  # answers up to there, and the score then
    "first question": ([], (0, 0, 0)),
    "second card": ([""], (0, 0, 0)),
    "another round": (["", "n"], (0, 0, 1)),
    "after an unclear answer": (["", "n", "q"], (0, 0, 1)),
    "second round": (["", "n", "y"], (0, 0, 1)),
    "after the second round": (["", "n", "y", "n"], (0, 0, 2)),
}
LOW = "2d Tc 3h Ks 4d"


@pytest.mark.parametrize(("answers", "score"), PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("stop", [EOFError, KeyboardInterrupt])
def test_one_may_leave_at_every_question(sit, stop, answers, score):
    won, drawn, lost = score
    lines = sit([LOW, LOW], [*answers, stop()])
    assert lines[-2:] == [
        "",
        f"goodbye; rounds: {sum(score)}, won {won}, drawn {drawn}, lost {lost}",
    ]
    assert lines[-3] in (CARD, ROUND)


def test_the_command_line_hears_of_ctrl_c(sit):
    said = []

    def play(input, output, **settings):
        table_game.play_until_interrupted(
            rng=None, hints=False, style="zh", input=input, output=said.append, **settings
        )

    with pytest.raises(KeyboardInterrupt):
        sit([LOW], ["n", KeyboardInterrupt()], play=play, lang="zh")
    assert said[1] == "庄家：梅花10 黑桃K（20 点）"
    assert said[-1] == "再见！共 1 局：0 胜 0 平 1 负"


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"lang": "fr"}, ValueError, "lang: 'fr' is none of 'zh', 'en'"),
        ({"style": "latin"}, ValueError, "style: 'latin' is none of 'ascii', 'unicode', 'zh'"),
        ({"rng": -1}, ValueError, "rng: seed -1 is negative"),
        ({"rng": "seed"}, TypeError, "rng: expected None, an int"),
    ],
)
def test_bad_settings_are_refused_before_a_word_is_said(sit, settings, error, message):
    with pytest.raises(error, match=message):
        table_game.play(**settings, input=pytest.fail, output=pytest.fail)


# --- Hints ------------------------------------------------------------------------------------


def test_hints_are_the_exact_chances_given_every_card_seen(sit):
    lines = sit(["4d Tc 8h Ks 2c 9d"], ["y", "n", "n"], hints=True)
    hints = [line for line in lines if " %" in line]
    for pair, player in ((hints[:2], "4 8"), (hints[2:], "4 8 2")):
        advice = bj.advise(player, "10 K")
        for line, word, chances in zip(
            pair, ("hit", "stand"), (advice.hit, advice.stand), strict=True
        ):
            win, draw, lose = map(percent_text, chances[:3])
            told = ["win", win, "%", "draw", draw, "%", "lose", lose, "%"]
            told += ["value", f"{float(chances.ev):+.4f}"]
            assert line.split() == [f"{word}:", *told, *["better"] * (advice.best == word)]
    assert len(hints) == 4
    assert lines.index(hints[2]) == lines.index("player: ♦4 ♥8 ♣2 (14)") + 1


def test_a_hint_by_hand(sit):
    """Dealer 20, player 20: of 48 unseen cards four aces win, and nothing else helps."""
    assert sit(["Td Tc Qh Ks"], ["n", "n"], hints=True, lang="zh")[3:6] == [
        "拿牌：胜   8.3333 %  平   0.0000 %  负  91.6667 %  期望 -0.8333",
        "停牌：胜   0.0000 %  平 100.0000 %  负   0.0000 %  期望 +0.0000  较优",
        f"{CARD_ZH}n",
    ]
    assert bj.advise("10 Q", "10 K").hit.win == Fraction(4, 48)


def test_a_hint_without_a_better_choice_marks_none(sit):
    lines = sit(["Td Kc 6h As"], ["n", "n"], hints=True)
    assert [line.split()[-2:] for line in lines[3:5]] == [["value", "-1.0000"]] * 2


def test_the_exact_chances_are_those_of_the_game(sit, monkeypatch):
    """Stand on 13 against 9 and 7 once for each card that the dealer may draw."""
    seen = bj.parse("Td 9c 3h 7s").tolist()
    unseen = sorted(set(range(cards.DECK_SIZE)) - set(seen))
    results = [table_game._play_round(_mute(), [*seen, card]) for card in unseen]
    won = results.count(bj.Result.WIN)
    assert Fraction(won, len(unseen)) == bj.advise("10 3", "9 7").stand.win


def _mute():
    return table_game._Table(
        table_game._WORDS["en"], "ascii", False, lambda question: "n", lambda line: None
    )


# --- Decks ------------------------------------------------------------------------------------


def test_a_deck_is_the_order_of_52_numbers():
    seed = np.random.SeedSequence(7, spawn_key=(2,))
    deck = table_game.shuffled_deck(seed)
    numbers = np.random.PCG64(np.random.SeedSequence(7, spawn_key=(2,))).random_raw(52).tolist()
    assert deck == sorted(range(52), key=numbers.__getitem__)
    assert sorted(deck) == list(range(52))


def test_decks_stay_the_same_in_all_versions_and_on_all_machines():
    deck = table_game.shuffled_deck(np.random.SeedSequence(7, spawn_key=(0,)))
    assert cards.format(deck[:4]) == "Th 8d Ts As"


def test_every_card_comes_equally_often_at_every_place():
    decks = np.array(
        [table_game.shuffled_deck(np.random.SeedSequence(1, spawn_key=(i,))) for i in range(5200)]
    )
    counts = np.array([np.bincount(place, minlength=52) for place in decks.T])
    chi2 = ((counts - 100) ** 2 / 100).sum()
    assert abs(chi2 - 51 * 51) < 4 * np.sqrt(2 * 51 * 51)


def transcript(*arguments, answers, **environment):
    """Play in a process of its own."""
    settings = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    with start("play", "blackjack", *arguments, stdin=subprocess.PIPE, env=settings) as process:
        out, err = process.communicate(answers.encode(), timeout=120)
    encoding = settings["PYTHONIOENCODING"]
    return process.returncode, out.decode(encoding), err.decode(encoding)


def test_a_seed_gives_the_same_decks_whatever_the_hash_seed():
    games = [
        transcript("--seed", "11", answers="n\ny\n" * 5, PYTHONHASHSEED=hash_seed)
        for hash_seed in ("1", "2")
    ]
    assert games[0] == games[1]
    assert games[0][1].count("round ") >= 6
    assert games[0][1] != transcript("--seed", "12", answers="n\ny\n" * 5)[1]


def test_decks_do_not_depend_on_earlier_rounds():
    def second_round(answers):
        ahead, lines = iter(answers), []
        table_game.play(rng=11, lang="en", input=lambda question: next(ahead), output=lines.append)
        return lines[lines.index("round 2") :][1:3]

    assert second_round("nynn") == second_round("yyynn")


# --- The command ------------------------------------------------------------------------------


def test_the_command_ends_well_at_the_end_of_input():
    status, out, err = transcript("--seed", "1", answers="n\n")
    assert (status, err) == (0, "")
    assert out.endswith("\ngoodbye; rounds: 1, won 1, drawn 0, lost 0\n")


def test_bytes_that_are_no_text_are_asked_again(monkeypatch, run):
    answers = iter([UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "n", "n"])

    def answer():
        given = next(answers)
        if isinstance(given, str):
            return given
        raise given

    monkeypatch.setattr("builtins.input", answer)
    status, out, err = run("play", "blackjack", "--seed", "1")
    assert (status, err) == (0, "")
    assert f"{CARD}please answer y or n" in out


def test_a_closed_input_is_the_end_of_input(monkeypatch, run):
    monkeypatch.setattr("sys.stdin", None)
    status, out, err = run("play", "blackjack")
    assert (status, err) == (0, "")
    assert "goodbye; rounds: 0" in out


def test_ctrl_c_gives_the_status_of_the_command_line(monkeypatch, run):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    status, out, err = run("play", "blackjack", "--lang", "zh")
    assert (status, err) == (130, "cardstats play: interrupted\n")
    assert out.endswith("\n再见！共 0 局：0 胜 0 平 0 负\n")


@pytest.mark.parametrize(
    ("encoding", "first"),
    [
        ("ascii", "dealer: 7c 3d (10)"),
        ("gbk", "庄家：梅花7 方块3（10 点）"),
        ("utf-8", "庄家：♣7 ♦3（10 点）"),
    ],
)
def test_a_terminal_gets_the_cards_that_it_can_show(encoding, first):
    status, out, err = transcript(
        "--seed", "1", "--lang", "zh", answers="", PYTHONIOENCODING=encoding
    )
    assert (status, err) == (0, "")
    assert out.splitlines()[1] == first


def test_a_game_that_is_not_there_gives_one_line_and_status_2(run):
    assert run("play") == (
        2,
        "",
        "cardstats play: error: the following arguments are required: GAME\n",
    )
    status, out, err = run("play", "poker")
    assert (status, out) == (2, "")
    assert "invalid choice: 'poker'" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("style", ["unicode", "ascii", "zh"])
def test_everything_fits_eighty_columns(sit, lang, style):
    longest = "Ad Tc Ac 8s Ah As 2d 2c 2h 2s 3d 3c 3h Td"
    lines = sit([longest], "y" * 10 + "n", lang=lang, style=style, hints=True)
    assert max(map(width, lines)) <= 80
    assert any(line.endswith(("bust: player loses", "爆掉，玩家输！")) for line in lines)


# --- A terminal -------------------------------------------------------------------------------


class Terminal:
    """A game at a pseudo-terminal: what it shows, and a keyboard."""

    def __init__(self, *arguments):
        pty = pytest.importorskip("pty")
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardstats", "play", "blackjack", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        os.close(theirs)
        self.shown = b""

    def wait_for(self, text):
        """Read until a text is shown that was not before."""
        start = len(self.shown)
        while text.encode() not in self.shown[start:]:
            more = self._read()
            assert more, f"ended after {self.shown}"
            self.shown += more

    def type(self, keys):
        os.write(self._ours, keys.encode())

    def interrupt(self):
        """Press Ctrl-C, and again while nothing happens: between prompt and read it is missed."""
        self.process.send_signal(signal.SIGINT)
        while not select.select([self._ours], [], [], 1)[0]:
            self.process.send_signal(signal.SIGINT)

    def end(self):
        """Read to the end; give all lines and the exit status."""
        while more := self._read():
            self.shown += more
        os.close(self._ours)
        return self.shown.decode().split("\r\n"), self.process.wait(timeout=60)

    def _read(self):
        assert select.select([self._ours], [], [], 120)[0], f"nothing after {self.shown}"
        try:
            return os.read(self._ours, 4096)
        except OSError:  # how Linux says that nobody holds the other end
            return b""


def test_a_game_at_a_terminal():
    game = Terminal("--seed", "1", "--hints")
    game.wait_for(CARD)
    game.type("perhaps\n")
    game.wait_for(CARD)
    game.type("n\n")
    game.wait_for(ROUND)
    game.type("\n")
    game.wait_for(CARD)
    game.type("\x04")
    lines, status = game.end()
    assert status == 0
    assert lines[:3] == ["round 1", "dealer: ♣7 ♦3 (10)", "player: ♣5 ♠Q (15)"]
    assert [
        bool(re.fullmatch(r"(hit:  |stand:)  win .* %(  better)?", line)) for line in lines[3:5]
    ]
    assert lines[5:13] == [
        f"{CARD}perhaps",
        "please answer y or n, or leave with Ctrl-C",
        f"{CARD}n",
        "dealer: ♣7 ♦3 ♠4 (14)",
        "dealer: ♣7 ♦3 ♠4 ♠9 (23)",
        "dealer bust: player wins",
        "score: won 1, drawn 0, lost 0",
        ROUND,
    ]
    assert lines[13:15] == ["", "round 2"]
    assert lines[-3:] == [CARD, "goodbye; rounds: 1, won 1, drawn 0, lost 0", ""]


def test_ctrl_c_at_a_terminal():
    game = Terminal("--lang", "zh")
    game.wait_for(CARD_ZH)
    game.interrupt()
    lines, status = game.end()
    assert status == 130
    assert lines[-4:] == [
        CARD_ZH,
        "再见！共 0 局：0 胜 0 平 0 负",
        "cardstats play: interrupted",
        "",
    ]
