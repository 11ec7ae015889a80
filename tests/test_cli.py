"""The command line: what a person reads, in both languages, and what goes wrong politely."""

import io

import pytest
from command_line import run_apart, start, width

import cardstats
from cardstats import cli, reproduce
from cardstats import three_card as tc
from cardstats._cli_writer import write

CLASSIFY = ("classify", "♠A ♥A ♦A", "黑桃2 红心3 方块5", "--rules", "zha-jin-hua-235")
CLASSIFIED = """\
hand      category         probability %
♠A ♥A ♦A  three of a kind         0.2353
♠2 ♥3 ♦5  high card              74.3891
♠2 ♥3 ♦5 beats any three of a kind at the table
winner: ♠2 ♥3 ♦5
"""
CLASSIFIED_ZH = """\
手牌      牌型   概率 %
♠A ♥A ♦A  豹子   0.2353
♠2 ♥3 ♦5  散牌  74.3891
♠2 ♥3 ♦5 可吃掉同桌的任何豹子
赢家：♠2 ♥3 ♦5
"""

DEAL = ("deal", "--players", "5", "--rules", "zha-jin-hua-points", "--seed", "7")
DEALT = """\
game 1, zha-jin-hua-points, seed 7
player  hand        category   points
p1      ♠10 ♦5 ♣2   high card      17
p2      ♥10 ♦10 ♦8  pair           48
p3      ♠A ♣9 ♥3    high card      26
p4      ♦K ♣8 ♣7    high card      28
p5      ♣A ♣6 ♣5    flush         225
winner: p5
"""
DEALT_ZH = """\
第 1 局，zha-jin-hua-points，随机种子 7
玩家  手牌        牌型  点数
p1    ♠10 ♦5 ♣2   散牌    17
p2    ♥10 ♦10 ♦8  对子    48
p3    ♠A ♣9 ♥3    散牌    26
p4    ♦K ♣8 ♣7    散牌    28
p5    ♣A ♣6 ♣5    金花   225
赢家：p5
"""

EQUITY = ("equity", "As Kd 7c")
WEIGHED = """\
♠A ♦K ♣7, opponents: 1, zha-jin-hua
outcome           probability %      exactly
win                     73.4911    3385/4606
draw                     0.1411      13/9212
lose                    26.3678     347/1316
share of the pot        73.5617  13553/18424
all 18,424 deals counted
"""
WEIGHED_ZH = """\
♠A ♦K ♣7，对手 1 人，zha-jin-hua
结果       概率 %       精确值
胜        73.4911    3385/4606
平         0.1411      13/9212
负        26.3678     347/1316
底池份额  73.5617  13553/18424
共 18,424 种发牌，全部穷举
"""


@pytest.mark.parametrize(
    ("arguments", "english", "chinese"),
    [(CLASSIFY, CLASSIFIED, CLASSIFIED_ZH), (DEAL, DEALT, DEALT_ZH), (EQUITY, WEIGHED, WEIGHED_ZH)],
    ids=["classify", "deal", "equity"],
)
def test_what_a_person_reads(run, arguments, english, chinese):
    assert run(*arguments) == (0, english, "")
    assert run(*arguments, "--lang", "zh") == (0, chinese, "")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_everything_fits_eighty_columns(run, lang):
    widest = ["♠10 ♥10 ♦10", "♣10 ♥9 ♠8", "10h 9h 8h"]
    pages = [
        run("classify", *widest, "--rules", "zha-jin-hua-points", "--lang", lang),
        run("deal", "--players", "17", "--rules", "zha-jin-hua-points", "--lang", lang),
        run("equity", "10h 9c 8d", "--opponents", "2", "--lang", lang),
        run("equity", "10h 9c 8d", "--opponents", "16", "--games", "1000", "--lang", lang),
        run("--help"),
        *(run(command, "--help") for command in cli._COMMANDS),
    ]
    for status, out, err in pages:
        assert (status, err) == (0, "")
        assert max(map(width, out.splitlines())) <= 80


# --- classify ---------------------------------------------------------------------------------


def test_classify_reads_standard_input_one_hand_a_line(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("2s 3h 5d\n\n  ♠A ♥A ♦A\n"))
    status, out, _ = run("classify", "Kh Qh Jh", "-")
    assert status == 0
    assert [line[:8] for line in out.splitlines()[1:4]] == ["♥K ♥Q ♥J", "♠2 ♥3 ♦5", "♠A ♥A ♦A"]
    assert out.endswith("winner: ♠A ♥A ♦A\n")


def test_classify_tells_a_tie(run):
    assert run("classify", "As Kd 7c", "Ah Ks 7d")[1].endswith("tie: ♠A ♦K ♣7, ♥A ♠K ♦7\n")
    assert run("classify", "As Kd 7c", "Ah Ks 7d", "--lang", "zh")[1].endswith(
        "平局：♠A ♦K ♣7、♥A ♠K ♦7\n"
    )


def test_classify_tells_no_winner_of_one_hand(run):
    assert "winner" not in run("classify", "As Kd 7c")[1]


def test_classify_tells_why_there_is_no_winner(run):
    hands = ("classify", "As Kd 7c", "As Ks 7d")
    assert run(*hands)[1].endswith("no winner: ♠A in more than one hand\n")
    assert run(*hands, "--lang", "zh")[1].endswith("无法比较：♠A 出现在不止一手牌中\n")


def test_hands_without_quotes_get_a_hint(run):
    status, _, error = run("classify", "As", "Kd", "7c")
    assert status == 2
    assert "put each hand in quotes" in error


def test_a_235_of_one_suit_and_other_rules_get_no_note(run):
    assert "beats any" not in run("classify", "2h 3h 5h", "--rules", "zha-jin-hua-235")[1]
    assert "beats any" not in run("classify", "2h 3h 5s")[1]


def test_places_and_shares_are_those_of_all_hands(run):
    rules = tc.TEEN_PATTI
    hand = tc.parse("9h 9c 4d")
    strengths = tc.strength(tc.all_hands(), rules=rules)
    own = tc.strength(hand, rules=rules)
    better = {int(strength) for strength in strengths if strength > own}
    weaker = sum(int(strength < own) for strength in strengths)
    row = run("classify", "9h 9c 4d", "--rules", rules.name)[1].splitlines()[1]
    assert row.split()[-2:] == [str(len(better) + 1), f"{100 * weaker / len(strengths):.4f}"]


# --- deal -------------------------------------------------------------------------------------


def test_a_deal_can_be_repeated_with_the_seed_it_prints(run):
    _, out, _ = run("deal", "--players", "3", "--games", "2")
    seed = out.splitlines()[0].rsplit(" ", 1)[1]
    assert run("deal", "--players", "3", "--games", "2", "--seed", seed)[1] == out
    assert run("deal", "--players", "3", "--seed", seed)[1] == out.split("\n\n")[0] + "\n"


def test_deal_shows_the_hands_that_the_library_deals(run):
    rules = tc.ZHA_JIN_HUA
    tables = tc.deal(50, players=4, rng=11)
    games = run("deal", "--players", "4", "--games", "50", "--seed", "11")[1].split("\n\n")
    for game, table, won in zip(games, tables, tc.winners(tables, rules=rules), strict=True):
        _, _, *seats, result = game.splitlines()
        shown = [tc.parse(" ".join(seat.split()[1:4])) for seat in seats]
        assert [set(hand) for hand in shown] == [set(hand) for hand in table.tolist()]
        names = ", ".join(f"p{seat}" for seat, wins in enumerate(won, start=1) if wins)
        assert result.split(": ")[1] == names


def test_deal_explains_a_winning_235(run):
    rules = tc.ZHA_JIN_HUA_235
    tables = tc.deal(20_000, players=17, rng=1)
    trips = (tc.classify(tables) == tc.Category.THREE_OF_A_KIND).any(axis=1)
    high_card_wins = tc.winners(tables, rules=rules) & (tc.classify(tables) == 0)
    game = int((trips & high_card_wins.any(axis=1)).argmax()) + 1
    seat = int(high_card_wins[game - 1].argmax())
    hand = tc.format(sorted(tables[game - 1, seat], reverse=True), "unicode")
    out = run(
        "deal", "--players", "17", "--games", str(game), "--seed", "1", "--rules", rules.name
    )[1]
    last = out.split("\n\n")[-1]
    assert f"{hand} beats any three of a kind at the table\n" in last
    assert f"p{seat + 1}" in last.splitlines()[-1]


# --- equity -----------------------------------------------------------------------------------


def test_equity_against_many_is_simulated_and_can_be_repeated(run):
    arguments = ("equity", "As Kd 7c", "--opponents", "4", "--games", "20000")
    status, out, _ = run(*arguments)
    assert status == 0
    assert "standard error %" in out
    assert "±" in out
    assert out.splitlines()[-1].startswith("20,000 deals simulated, seed ")
    assert run(*arguments, "--seed", out.split()[-1])[1] == out


def test_equity_against_two_is_exact(run):
    exact = tc.equity(tc.parse("As Kd 7c"), opponents=2)
    out = run("equity", "As Kd 7c", "--opponents", "2")[1]
    assert f" {exact.equity}\n" in out
    assert out.endswith(f"all {exact.total:,} deals counted\n")


# --- reproduce --------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """Stand in for the report, and keep what it was asked for."""
    asked = {}

    def stand_in(*, show, **settings):
        asked.update(settings)
        show("published, exact, simulated")

    monkeypatch.setattr(reproduce, "reproduce", stand_in)
    return asked


def test_reproduce_passes_its_options_on(run, asked, tmp_path):
    status, out, _ = run(
        *("reproduce", "--games", "1000", "--seed", "5", "--workers", "2", "--lang", "zh"),
        *("--out", str(tmp_path), "--only", "best-of-six"),
    )
    assert (status, out) == (0, "published, exact, simulated\n")
    assert asked == {
        "out": tmp_path,
        "only": "best-of-six",
        "games": 1000,
        "rng": 5,
        "workers": 2,
        "lang": "zh",
        "progress": True,
    }


def test_reproduce_alone_does_the_main_job(run, asked):
    assert run("reproduce")[0] == 0
    assert asked["only"] is None
    assert asked["games"] is None
    assert str(asked["out"]) == "cardstats-report"


def test_reproduce_names_its_parts(run):
    out = run("reproduce", "--help")[1]
    for part in reproduce.PARTS:
        assert part in out
    status, _, err = run("reproduce", "--only", "chess")
    assert status == 2
    assert err.endswith(f"'chess' is none of {', '.join(reproduce.PARTS)}\n")


# --- What goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classify", "As Kd"], "cardstats classify: error: hand 1: expected three cards, got 2"),
        (["classify", "As Ah Ad", "As Kd xx"], "hand 2: cannot read a card at 'xx'"),
        (["classify", "♣ 11 As Kd"], "hand 1: cannot read a card at '♣ 11' (character 1)"),
        (["classify", "As Kd As"], "hand 1: As comes twice"),
        (["classify", "As Ah Ad", "--rules", "bridge"], "'bridge' is none of zha-jin-hua, zha-"),
        (["classify"], "required: HAND"),
        (["deal", "--players", "18"], "cardstats deal: error: players: 18 is more than 17"),
        (["deal", "--players", "two"], "argument --players: 'two' is not a whole number"),
        (["deal", "--seed", "-1"], "argument --seed: -1 is less than 0"),
        (["deal", "--games", "0"], "argument --games: 0 is less than 1"),
        (["deal", "--games", str(10**15)], "cardstats deal: error: Unable to allocate"),
        (["deal", "--lang", "fr"], "invalid choice: 'fr'"),
        (["equity", "As Kd 7c", "--opponents", "17"], "opponents: 17 is "),
        (["equity", "As Kd"], "hand: expected three cards, got 2"),
        (["bet"], "invalid choice: 'bet'"),
    ],
)
def test_bad_input_gives_one_line_and_status_2(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("cardstats")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("As Ah Ad\nnonsense\n", "standard input, line 2: cannot read a card at 'nonsense'"),
        ("\n", "standard input: holds no hand"),
    ],
)
def test_bad_standard_input_names_the_line(run, monkeypatch, text, message):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    status, out, err = run("classify", "-")
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "cardstats deal: interrupted\n"),
        (BrokenPipeError(), 141, ""),
        (PermissionError(13, "Permission denied", "report"), 2, "Permission denied: 'report'\n"),
        (ValueError("two\nlines"), 2, "cardstats deal: error: two lines\n"),
    ],
)
def test_what_happens_while_a_command_runs(run, monkeypatch, error, status, message):
    def fail(*args, **settings):
        raise error

    monkeypatch.setattr(tc, "deal", fail)
    assert run("deal")[0] == status
    assert run("deal")[2].endswith(message)
    assert run("deal")[2].count("\n") == bool(message)


def test_no_command_prints_the_help_on_stderr(run):
    status, out, err = run()
    assert (status, out) == (2, "")
    for command in cli._COMMANDS:
        assert command in err


def test_version(run):
    assert run("--version") == (0, f"cardstats {cardstats.__version__}\n", "")


def test_a_reader_that_stops_is_no_error():
    with start("deal", "--games", "20000") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_ascii_terminal_gets_ascii():
    status, out, err = run_apart(*CLASSIFY, "--lang", "zh", encoding="ascii")
    assert (status, err) == (0, "")
    assert out.endswith("winner: 2s 3h 5d\n")
    many = run_apart(*EQUITY, "--opponents", "4", "--games", "1000", encoding="ascii")
    assert many[0] == 0
    assert "+/- " in many[1]


def test_a_terminal_of_chinese_without_suits_gets_their_names():
    status, out, _ = run_apart(*CLASSIFY, "--lang", "zh", encoding="gbk")
    assert status == 0
    assert out.endswith("赢家：黑桃2 红心3 方块5\n")


def test_other_texts_are_printed_with_stand_ins(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", terminal)
    write("♠A ♥10 ± 0.1 – 炸金花")
    terminal.flush()
    assert terminal.buffer.getvalue() == b"sA h10 +/- 0.1 - ???\n"
