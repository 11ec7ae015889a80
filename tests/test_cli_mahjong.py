"""`cardstats mahjong`: what a person reads of a hand, in both languages, and what is refused."""

import numpy as np
import pytest
from command_line import run_apart, width
from mahjong_samples import dealt, of_few_kinds, winning

from cardstats import mahjong

WON = ("11223344556677m",)
WINS = """\
🀇🀇🀈🀈🀉🀉🀊🀊🀋🀋🀌🀌🀍🀍 11223344556677m, chinese
win: seven pairs
form         groups
standard     11m 234m 234m 567m 567m      🀇🀇 🀈🀉🀊 🀈🀉🀊 🀋🀌🀍 🀋🀌🀍
standard     44m 123m 123m 567m 567m      🀊🀊 🀇🀈🀉 🀇🀈🀉 🀋🀌🀍 🀋🀌🀍
standard     77m 123m 123m 456m 456m      🀍🀍 🀇🀈🀉 🀇🀈🀉 🀊🀋🀌 🀊🀋🀌
seven pairs  11m 22m 33m 44m 55m 66m 77m  🀇🀇 🀈🀈 🀉🀉 🀊🀊 🀋🀋 🀌🀌 🀍🀍
"""
WINS_ZH = """\
🀇🀇🀈🀈🀉🀉🀊🀊🀋🀋🀌🀌🀍🀍 一一二二三三四四五五六六七七万，chinese
和牌：七对
牌型      分组
基本牌型  一一万 二三四万 二三四万 五六七万 五六七万        🀇🀇 🀈🀉🀊 🀈🀉🀊 🀋🀌🀍 🀋🀌🀍
基本牌型  四四万 一二三万 一二三万 五六七万 五六七万        🀊🀊 🀇🀈🀉 🀇🀈🀉 🀋🀌🀍 🀋🀌🀍
基本牌型  七七万 一二三万 一二三万 四五六万 四五六万        🀍🀍 🀇🀈🀉 🀇🀈🀉 🀊🀋🀌 🀊🀋🀌
七对      一一万 二二万 三三万 四四万 五五万 六六万 七七万  🀇🀇 🀈🀈 🀉🀉 🀊🀊 🀋🀋 🀌🀌 🀍🀍
"""

ORPHANS = ("19m", "19p", "19s", "11234567z")
ORPHANS_WIN = """\
🀇🀏🀙🀡🀐🀘🀀🀀🀁🀂🀃🀆🀅🀄 19m19p19s11234567z, chinese
win: thirteen orphans
groups
11z 19m19p19s234567z  🀀🀀 🀇🀏🀙🀡🀐🀘🀁🀂🀃🀆🀅🀄
"""
ORPHANS_WIN_ZH = """\
🀇🀏🀙🀡🀐🀘🀀🀀🀁🀂🀃🀆🀅🀄 一九万一九饼一九条东东南西北白发中，chinese
和牌：十三幺
分组
东东 一九万一九饼一九条南西北白发中  🀀🀀 🀇🀏🀙🀡🀐🀘🀁🀂🀃🀆🀅🀄
"""

KONG = ("22233344455s", "--kong", "1111s")
KONG_WINS = """\
🀑🀑🀑🀒🀒🀒🀓🀓🀓🀔🀔 22233344455s, declared 🀐🀐🀐🀐 1111s, chinese
win: standard
groups
22s 234s 345s 345s 1111s  🀑🀑 🀑🀒🀓 🀒🀓🀔 🀒🀓🀔 🀐🀐🀐🀐
55s 222s 333s 444s 1111s  🀔🀔 🀑🀑🀑 🀒🀒🀒 🀓🀓🀓 🀐🀐🀐🀐
55s 234s 234s 234s 1111s  🀔🀔 🀑🀒🀓 🀑🀒🀓 🀑🀒🀓 🀐🀐🀐🀐
"""
KONG_WINS_ZH = """\
🀑🀑🀑🀒🀒🀒🀓🀓🀓🀔🀔 二二二三三三四四四五五条，杠 🀐🀐🀐🀐 一一一一条，chinese
和牌：基本牌型
分组
二二条 二三四条 三四五条 三四五条 一一一一条  🀑🀑 🀑🀒🀓 🀒🀓🀔 🀒🀓🀔 🀐🀐🀐🀐
五五条 二二二条 三三三条 四四四条 一一一一条  🀔🀔 🀑🀑🀑 🀒🀒🀒 🀓🀓🀓 🀐🀐🀐🀐
五五条 二三四条 二三四条 二三四条 一一一一条  🀔🀔 🀑🀒🀓 🀑🀒🀓 🀑🀒🀓 🀐🀐🀐🀐
"""

READY = ("1112345678999m",)
WAITS = """\
🀇🀇🀇🀈🀉🀊🀋🀌🀍🀎🀏🀏🀏 1112345678999m, chinese
ready
kinds  tiles  waits on (left of each)
    9     23  2345678m(3) 19m(1)       🀈🀉🀊🀋🀌🀍🀎 🀇🀏
"""
WAITS_ZH = """\
🀇🀇🀇🀈🀉🀊🀋🀌🀍🀎🀏🀏🀏 一一一二三四五六七八九九九万，chinese
听牌
种  张  听（各剩几张）
 9  23  二三四五六七八万(3) 一九万(1)  🀈🀉🀊🀋🀌🀍🀎 🀇🀏
"""

AHEAD = ("123m", "4455p", "7899s", "112z", "--rules", "riichi")
ACCEPTS = """\
🀇🀈🀉🀜🀜🀝🀝🀖🀗🀘🀘🀀🀀🀁 123m4455p7899s112z, riichi
no win: no grouping into sets and a pair, nor into seven different pairs
shanten 1
discard  kinds  tiles  accepts (left of each)
9s           5     14  36p(4) 45p1z(2)         🀛🀞 🀜🀝🀀
2z           5     14  36p(4) 45p1z(2)         🀛🀞 🀜🀝🀀
"""
ACCEPTS_ZH = """\
🀇🀈🀉🀜🀜🀝🀝🀖🀗🀘🀘🀀🀀🀁 一二三万四四五五饼七八九九条东东南，riichi
不和：不能分成顺子、刻子和一个对子，也不是七个不同的对子
一向听
打    种  张  进张（各剩几张）
九条   5  14  三六饼(4) 四五饼东(2)  🀛🀞 🀜🀝🀀
南     5  14  三六饼(4) 四五饼东(2)  🀛🀞 🀜🀝🀀
"""

READY_AFTER = ("123456m", "1123s", "2z")
BEST_FIRST = """\
🀇🀈🀉🀊🀋🀌🀐🀐🀑🀒🀁 123456m1123s2z, chinese
no win: no grouping into sets and a pair
ready after a discard
discard  kinds  tiles  waits on (left of each)
2z           2      6  4s(4) 1s(2)              🀓 🀐
1s           1      3  2z(3)                    🀁
"""
BEST_FIRST_ZH = """\
🀇🀈🀉🀊🀋🀌🀐🀐🀑🀒🀁 一二三四五六万一一二三条南，chinese
不和：不能分成顺子、刻子和一个对子
打一张后听牌
打    种  张  听（各剩几张）
南     2   6  四条(4) 一条(2)  🀓 🀐
一条   1   3  南(3)            🀁
"""


@pytest.mark.parametrize(
    ("arguments", "english", "chinese"),
    [
        (WON, WINS, WINS_ZH),
        (ORPHANS, ORPHANS_WIN, ORPHANS_WIN_ZH),
        (KONG, KONG_WINS, KONG_WINS_ZH),
        (READY, WAITS, WAITS_ZH),
        (AHEAD, ACCEPTS, ACCEPTS_ZH),
        (READY_AFTER, BEST_FIRST, BEST_FIRST_ZH),
    ],
    ids=["win", "orphans", "kong", "ready", "ahead", "ready after"],
)
def test_what_a_person_reads(run, arguments, english, chinese):
    assert run("mahjong", *arguments) == (0, english, "")
    assert run("mahjong", *arguments, "--lang", "zh") == (0, chinese, "")


# --- What a hand may look like ----------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["123m 456p 789s 11z"],
        ["123m", "456p", "789s", "11z"],
        ["11z", "456p789s", "321m"],
        ["一二三万", "4饼", "5筒", "6p", "七八九索", "东", "東"],
        ["🀇🀈🀉🀜🀝🀞🀖🀗🀘🀀🀀"],
        ["--codes", "1,2,3,24,25,26,17,18,19,31,31"],
        ["--codes", "1", "2", "3", "24,25,26", "17, 18, 19，31 31"],
        ["--codes", "[1, 2, 3, 24, 25, 26, 17, 18, 19, 31, 31]"],
    ],
)
def test_one_hand_in_many_spellings(run, words):
    status, out, err = run("mahjong", *words)
    assert (status, err) == (0, "")
    assert out.splitlines()[0].endswith(" 123m456p789s11z, chinese")
    assert out.splitlines()[3].startswith("11z 123m 456p 789s ")


@pytest.mark.parametrize(
    ("codes", "verdict"),
    [
        ("1,1,2,2,2,2,3,3", "win: standard"),
        ("18,18,31,31,31,33,33,33,35,35,35", "win: standard"),
        ("1,1,1,1,13,13,4,4,5,5,6,6,17,17", "win: seven pairs"),
        ("1,2,3,4,5", "no win: no pair"),
        ("1,1,2,3,5,6,7,8", "no win: no grouping into sets and a pair"),
    ],
)
def test_verdicts_on_codes(run, codes, verdict):
    assert run("mahjong", "--codes", codes)[1].splitlines()[1] == verdict


@pytest.mark.parametrize(
    ("hand", "rules", "verdict"),
    [
        ("11113355778899m", "chinese", "win: seven pairs"),
        ("11113355778899m", "riichi", "no win: no grouping into sets and a pair, nor into seven"),
        ("11223344556677m", "standard-only", "win: standard"),
        ("11223344556677m", "sichuan", "win: seven pairs"),
    ],
)
def test_rules_decide(run, hand, rules, verdict):
    title, line = run("mahjong", hand, "--rules", rules)[1].splitlines()[:2]
    assert title.endswith(f", {rules}")
    assert line.startswith(verdict)


# --- What helps -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "kongs", "verdict", "row"),
    [
        ("1113456666788s", [], "ready", "4     12  2s(4) 57s(3) 8s(2)"),
        ("5557999m", [], "ready", "3     11  68m(4) 7m(3)"),
        ("3455556788m", [], "ready", "2      6  2m(4) 8m(2)"),
        ("19m19p19s1234567z", [], "ready", "13     39  19m19p19s1234567z(3)"),
        ("123456m45s99p", [], "ready", "2      8  36s(4)"),
        ("123456m45s99p", ["3333s"], "ready", "1      4  6s(4)"),
        ("123456m12s99p", ["3333s"], "shanten 1", "3      8  12s(3) 9p(2)"),
        ("1z", ["1111m", "2222m", "3333m", "4444m"], "ready", "1      3  1z(3)"),
        ("1111z", [], "shanten 1", "33    132  123456789m123456789p123456789s234567z(4)"),
    ],
)
def test_what_a_hand_waits_on_and_accepts(run, hand, kongs, verdict, row):
    out = run("mahjong", hand, *(["--kong", *kongs] if kongs else []))[1].splitlines()
    assert out[1] == verdict
    assert row in out[3]
    assert len(out) == 4
    assert ("accepts" in out[2]) == (verdict != "ready")


def test_the_best_discard_stands_first(run):
    out = run("mahjong", "147m258p369s12345z")[1].splitlines()
    tiles = [int(line.split()[2]) for line in out[4:]]
    assert tiles == sorted(tiles, reverse=True)
    assert len(set(tiles)) == 2


# --- Terminals --------------------------------------------------------------------------------

WIDE = ["1111z", "11112222z", "123456m11112222z", "147m258p369s12345z", "1z", "1z1m"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_everything_fits_eighty_columns(run, lang):
    rng = np.random.default_rng(5)
    hands = np.vstack(
        [
            *(dealt(rng, 15, size) for size in (13, 14)),
            *(of_few_kinds(rng, 15, size) for size in (4, 5, 8, 11, 13, 14)),
            winning(rng, 15, 14),
        ]
    )
    kongs = ("99p", "--kong", "1111m", "4444m", "1111s", "7777s")
    asked = [*([mahjong.format(hand)] for hand in hands), *([hand] for hand in WIDE), kongs]
    for arguments in [*asked, ORPHANS, AHEAD]:
        status, out, err = run("mahjong", *arguments, "--lang", lang)
        assert (status, err) == (0, "")
        assert max(map(width, out.splitlines())) <= 80, out


def test_pictures_are_left_out_where_they_do_not_fit(run):
    out = run("mahjong", "11112222z", "--lang", "zh")[1].splitlines()
    assert out[-1] == "2z  32  128  123456789m123456789p123456789s34567z(4)"


def test_an_ascii_terminal_gets_ascii():
    status, out, err = run_apart("mahjong", *READY, "--lang", "zh", encoding="ascii")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "1112345678999m, chinese",
        "ready",
        "kinds  tiles  waits on (left of each)",
        "    9     23  2345678m(3) 19m(1)",
    ]


def test_a_terminal_of_chinese_without_tiles_gets_their_names():
    status, out, _ = run_apart("mahjong", *READY, "--lang", "zh", encoding="gbk")
    assert status == 0
    assert out.splitlines()[0] == "一一一二三四五六七八九九九万，chinese"
    assert out.splitlines()[-1] == " 9  23  二三四五六七八万(3) 一九万(1)"


def test_help_names_every_rule_set_and_an_example_that_runs(run):
    out = run("mahjong", "--help")[1]
    for name in mahjong.RULES:
        assert name in out
    example = out.splitlines()[-1].removeprefix("example: cardstats ")
    assert "win: standard" in run(*example.split())[1]


# --- What goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["44555555m123p678s"], "hand: six 5m: there are four of each"),
        (["1234m", "11z"], "hand: a hand has 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 tiles, not 6"),
        (["123m"], "hand: a hand has 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14 tiles, not 3"),
        (["123m", "11x"], "hand: cannot read a tile at '11x' (character 6); write tiles like"),
        (["11z", "--rules", "sichuan"], "hand: 1z is no tile: sichuan rules have no honours"),
        (["11m", "--rules", "bridge"], "'bridge' is none of chinese, riichi, sichuan, standard-"),
        (["--codes", "33 34 35 36 36"], "hand: 34 and 36 are no tiles: characters are 1–9"),
        (["--codes", "1,2,3,4,5,6"], "13 or 14 tiles, not 6"),
        (["--codes", "1,1,m"], "codes: 'm' is no tile; characters are 1–9"),
        (["--codes", "1" * 30], "1' is no tile; characters are 1–9"),
        (["--codes", ","], "13 or 14 tiles, not 0"),
        (["11m", "--codes", "1,1"], "give HAND or --codes, not both"),
        ([], "no hand: give HAND or --codes\n"),
        ([" "], "hand: holds no tile"),
        (["--kong", "1111s", "11m"], "no hand: give HAND or --codes, HAND before --kong\n"),
        (["11m", "--kong", "111s"], "kongs: a kong is four of a kind, not 3 of 1s"),
        (["11m", "--kong", "1111m"], "hand: six 1m, declared kongs included: there are four"),
        (["123m", "--kong", "1111s"], "a hand beside 1 kong has 1, 2, 4, 5, 7, 8, 10 or 11 tiles"),
        (["11m", "--kong", "1111222233334444s", "5555s"], "at most 4 kongs, not 5"),
        (["11m", "--lang", "fr"], "invalid choice: 'fr'"),
    ],
)
def test_bad_input_gives_one_line_and_status_2(run, arguments, message):
    status, out, err = run("mahjong", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("cardstats mahjong: error: ")
    assert message in err
    assert err.count("\n") == 1


def test_kongs_given_one_by_one_all_count(run):
    together = run("mahjong", "22m345p", "--kong", "1111s", "2222s", "3333s")
    apart = run("mahjong", "22m345p", *("--kong", "1111s"), *("--kong", "2222s", "3333s"))
    assert apart == together
    assert "1111s" in apart[1]
    assert apart[1].count("3333s") == together[1].count("3333s") > 0
