"""One hand explained: every grouping, and the reason where there is none."""

import random
from itertools import combinations_with_replacement

import mahjong_samples as samples
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardstats import mahjong
from cardstats.mahjong import (
    CHINESE,
    RIICHI,
    RULES,
    SICHUAN,
    STANDARD_ONLY,
    Form,
    Group,
    check,
    decompose,
    is_win,
    parse,
)

ORPHANS = "19m19p19s1234567z"


def texts(ways):
    return [way.format() for way in ways]


# The plainest way to group tiles: take any two equal ones, then any three that make a set.


def set_of(three):
    low, middle, high = sorted(three)
    if low == middle == high:
        return ("triplet", low)
    one_suit = low < 27 and low // 9 == high // 9
    return ("run", low) if one_suit and (middle, high) == (low + 1, low + 2) else None


def ways_to_make_sets(tiles):
    """Multisets of sets, as sorted tuples, that use up all tiles."""
    if not tiles:
        return {()}
    found = set()
    first, others = tiles[0], tiles[1:]
    for i in range(len(others)):
        for j in range(i + 1, len(others)):
            group = set_of((first, others[i], others[j]))
            if group:
                left = [tile for k, tile in enumerate(others) if k not in (i, j)]
                found |= {tuple(sorted((group, *ways))) for ways in ways_to_make_sets(left)}
    return found


def naive_groupings(tiles):
    """Every pair and multiset of sets that a list of kinds can be parted into."""
    found = set()
    for pair in {tile for tile in tiles if tiles.count(tile) >= 2}:
        left = sorted(tiles)
        left.remove(pair)
        left.remove(pair)
        found |= {(pair, sets) for sets in ways_to_make_sets(left)}
    return found


def groupings(ways):
    """Standard decompositions in the same terms; none may come twice."""
    standard = [way for way in ways if way.form == Form.STANDARD]
    found = {(way.groups[0].tile, tuple(sorted(map(tuple, way.groups[1:])))) for way in standard}
    assert len(found) == len(standard)
    return found


def hand_of(kinds):
    return np.bincount(kinds, minlength=34)


def one_suit_hands(size):
    for tiles in combinations_with_replacement(range(9), size):
        if max(map(tiles.count, tiles)) <= 4:
            yield list(tiles)


@pytest.mark.parametrize("size", [2, 5, 8])
def test_every_one_suit_hand_against_brute_force(size):
    for tiles in one_suit_hands(size):
        assert groupings(decompose(hand_of(tiles))) == naive_groupings(tiles), tiles


def test_hands_of_many_ways_against_brute_force():
    rng = random.Random(5)
    sets = [(t, t, t) for t in range(34)] + [
        (s + t, s + t + 1, s + t + 2) for s in (0, 9, 18) for t in range(7)
    ]
    for count in (3, 4):
        tried = 0
        while tried < 100:
            near = [tiles for tiles in sets if tiles[0] < rng.choice((4, 6, 34))]
            pair = rng.choice(near)[0]
            tiles = sorted([pair, pair, *(t for _ in range(count) for t in rng.choice(near))])
            if max(map(tiles.count, tiles)) > 4:
                continue
            tried += 1
            ways = decompose(hand_of(tiles))
            assert groupings(ways) == naive_groupings(tiles)
            assert ways
            for way in ways:
                assert sorted(t for group in way.groups for t in group.tiles) == tiles


@given(st.permutations(range(3)), st.integers(0, 2**32))
def test_suits_are_alike(order, seed):
    hand = samples.winning(np.random.default_rng(seed), 1, 11, range(27))[0]
    moved = np.concatenate([hand[9 * suit : 9 * suit + 9] for suit in order] + [hand[27:]])
    assert len(decompose(hand)) == len(decompose(moved)) > 0


def test_decompositions_come_in_order():
    assert texts(decompose(parse("11122233344455m"))) == [
        "22m 111m 234m 345m 345m",
        "55m 111m 222m 333m 444m",
        "55m 111m 234m 234m 234m",
        "55m 123m 123m 123m 444m",
    ]
    assert texts(decompose(parse("11223344556677m"))) == [
        "11m 234m 234m 567m 567m",
        "44m 123m 123m 567m 567m",
        "77m 123m 123m 456m 456m",
        "11m 22m 33m 44m 55m 66m 77m",
    ]


def test_groups_say_what_they_are():
    (way,) = decompose(parse("123m 11p 777z"))
    assert way.form == Form.STANDARD
    assert way.groups == (Group("pair", 9), Group("run", 0), Group("triplet", 33))
    assert [group.tiles for group in way.groups] == [(9, 9), (0, 1, 2), (33, 33, 33)]
    assert str(way) == "11p 123m 777z"
    assert way.format("unicode") == "🀙🀙 🀇🀈🀉 🀄🀄🀄"
    assert way.format("zh") == "一一饼 一二三万 中中中"
    with pytest.raises(ValueError, match=r"style: .* is none of"):
        way.format("ascii")


def test_seven_pairs():
    quads, distinct = parse("11113355778899m"), parse("11m33p55s77s99s1z1z2z2z")
    assert texts(decompose(quads)) == ["11m 11m 33m 55m 77m 88m 99m"]
    assert decompose(quads, rules=RIICHI) == decompose(quads, rules=STANDARD_ONLY) == []
    (way,) = decompose(distinct, rules=RIICHI)
    assert way.form == Form.SEVEN_PAIRS
    assert str(way) == "11m 33p 55s 77s 99s 11z 22z"
    assert decompose(distinct, rules=STANDARD_ONLY) == []


def test_thirteen_orphans():
    (way,) = decompose(parse(ORPHANS + "7z"))
    assert way.form == Form.THIRTEEN_ORPHANS
    assert str(way) == "77z 1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z"
    assert way.groups[:2] == (Group("pair", 33), Group("single", 0))
    assert len(way.groups) == 13
    assert decompose(parse(ORPHANS + "7z"), rules=STANDARD_ONLY) == []
    assert decompose(parse("19m19p19s11134567z")) == []


@pytest.mark.parametrize(
    ("hand", "rules", "message"),
    [
        (parse("1234m"), CHINESE, "hand: a hand has 2, 5, 8, 11 or 14 tiles, not 4"),
        (34 * [0], CHINESE, "hand: a hand has 2, 5, 8, 11 or 14 tiles, not 0"),
        (parse("123456789m12345678p"), CHINESE, "14 tiles, not 17"),
        (hand_of(5 * [4]), CHINESE, "hand: 5 of 5m; there are four"),
        (parse("11z"), SICHUAN, "hand: 1z is no tile: sichuan rules have no honours"),
        (14 * [1], CHINESE, "hand: expected one count a kind"),
    ],
)
def test_decompose_refuses_what_is_no_hand(hand, rules, message):
    with pytest.raises(ValueError, match=message):
        decompose(hand, rules=rules)


def test_decompose_reads_text():
    assert decompose("112m 22z") == []
    assert decompose("11122233344455m") == decompose(parse("11122233344455m"))
    with pytest.raises(ValueError, match=r"^hand: cannot read a tile at '1x'"):
        decompose("1x")
    with pytest.raises(ValueError, match=r"^hand: .*5 of 1m"):
        decompose("11111m")


def test_decompose_refuses_other_types():
    with pytest.raises(TypeError, match="hand: expected an array of integers, got dtype object"):
        decompose(None)
    with pytest.raises(TypeError, match=r"rules: expected mahjong\.Rules"):
        decompose(parse("11m"), rules="riichi")


@pytest.mark.parametrize(
    ("codes", "form", "reason"),
    [
        ([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7], Form.SEVEN_PAIRS, ""),
        ([1, 1, 1, 1, 13, 13, 4, 4, 5, 5, 6, 6, 17, 17], Form.SEVEN_PAIRS, ""),
        ([1, 9, 11, 19, 21, 29, 31, 33, 35, 37, 41, 43, 45, 29], Form.THIRTEEN_ORPHANS, ""),
        ([1, 1, 2, 2, 2, 2, 3, 3], Form.STANDARD, ""),
        ([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 17, 18, 19], Form.STANDARD, ""),
        ([18, 18, 31, 33, 35, 31, 31, 33, 33, 35, 35], Form.STANDARD, ""),
        ([33, 34, 35, 36, 36], Form.NOT_WINNING, "34 and 36 are no tiles: "),
        ([1, 2, 3, 4], Form.NOT_WINNING, "a hand has 2, 5, 8, 11 or 14 tiles, not 4"),
        ([1, 2, 3, 4, 5], Form.NOT_WINNING, "no pair"),
        ([1, 1, 2, 3, 5, 6, 7, 8], Form.NOT_WINNING, "no grouping into sets and a pair"),
    ],
)
def test_hands_as_numbers(codes, form, reason):
    result = check(codes)
    assert result.form == form
    assert result.win is bool(result) is (form != Form.NOT_WINNING)
    assert result.reason.startswith(reason)
    assert bool(result.reason) == bool(result.reason_zh) == (not result)
    assert bool(result.decompositions) == result.win
    assert check(np.array(codes, np.int16)) == check(tuple(codes)) == result


def test_the_five_base_patterns_and_seven_pairs():
    sets = ["123m", "456p", "789s", "234p"]
    triplets = ["222z", "111m", "999s", "555p"]
    for count in range(5):
        result = check("11z" + "".join(sets[count:] + triplets[:count]))
        assert result.form == Form.STANDARD
        words = [group.word for way in result.decompositions for group in way.groups]
        assert sorted(words) == sorted(["pair"] + count * ["triplet"] + (4 - count) * ["run"])
    assert check("11m22p33s44z55z66z77z").form == Form.SEVEN_PAIRS


@pytest.mark.parametrize(
    ("hand", "rules", "form"),
    [
        ("2222m34m444p555s55z", CHINESE, Form.STANDARD),
        ("11112222333m", CHINESE, Form.STANDARD),
        ("11113355778899m", CHINESE, Form.SEVEN_PAIRS),
        ("11113355778899m", SICHUAN, Form.SEVEN_PAIRS),
        ("11113355778899m", RIICHI, Form.NOT_WINNING),
        ("22m11p999p1199s111z", CHINESE, Form.NOT_WINNING),
        ("11122233344455m", CHINESE, Form.STANDARD),
        ("11223344556677m", RIICHI, Form.SEVEN_PAIRS),
        ("11223344556677m", STANDARD_ONLY, Form.STANDARD),
        ("44555555m123p678s", CHINESE, Form.NOT_WINNING),
        ("19m19p19s11134567z", CHINESE, Form.NOT_WINNING),
        ("11112223334m", CHINESE, Form.STANDARD),
        ("66678889m", CHINESE, Form.STANDARD),
        ("11122m", CHINESE, Form.STANDARD),
        ("11112233m", CHINESE, Form.STANDARD),
        ("8899m123m", CHINESE, Form.NOT_WINNING),
        ("11m 891p", CHINESE, Form.NOT_WINNING),
        ("11m 345z", CHINESE, Form.NOT_WINNING),
    ],
)
def test_hands_that_programs_got_wrong(hand, rules, form):
    assert check(hand, rules=rules).form == form


def test_any_form_of_a_hand_is_read_alike():
    text = "11223344556677m"
    hand = parse(text)
    codes = mahjong.to_codes(hand)
    zh, symbols = mahjong.format(hand, "zh"), mahjong.format(hand, "unicode")
    for given_as in (hand, hand.tolist(), codes, codes.tolist(), zh, symbols):
        assert check(given_as) == check(text)


@given(st.sampled_from(list(RULES.values())), st.sampled_from([2, 5, 8, 11, 14]), st.data())
def test_check_agrees_with_decompose(rules, size, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    won = samples.winning(rng, 1, size, range(rules.kinds))
    for hand in (won[0], samples.one_replaced(rng, won)[0]):
        if hand[rules.kinds :].any():
            assert not check(hand, rules=rules)
        else:
            ways = decompose(hand, rules=rules)
            assert list(check(hand, rules=rules).decompositions) == ways
            assert bool(ways) == is_win(hand, rules=rules)


@pytest.mark.parametrize(
    "kongs",
    [
        "1111s",
        ["1111s"],
        ("一一一一条",),
        [[11, 11, 11, 11]],
        np.array([[11, 11, 11, 11]]),
        [parse("1111s")],
        iter(["🀐🀐🀐🀐"]),
    ],
)
def test_a_declared_kong_is_a_set(kongs):
    result = check("22233344455s", kongs=kongs)
    assert result.form == Form.STANDARD
    assert [str(way) for way in result.decompositions] == [
        "22s 234s 345s 345s 1111s",
        "55s 222s 333s 444s 1111s",
        "55s 234s 234s 234s 1111s",
    ]
    assert {way.groups[-1] for way in result.decompositions} == {Group("kong", 18)}


def test_kongs_of_every_number():
    kongs = ["1111m", "2222p", "3333s", "4444z"]
    sets = ["123m", "456p", "789s", "999s"]
    for count in range(5):
        (way,) = check("55z" + "".join(sets[count:]), kongs=kongs[:count]).decompositions
        assert way.format().split()[5 - count :] == kongs[:count]
        assert len(way.groups) == 5
        assert check("55z", kongs=" ".join(kongs[:count]) if count else ()).win
    assert check("55z", kongs="4444z 1111m").decompositions[0].format() == "55z 1111m 4444z"


def test_beside_a_kong_only_the_standard_form_wins():
    assert check("1188m2288p555s", kongs="1111s").reason == "no grouping into sets and a pair"
    assert "2, 5, 8 or 11 tiles, not 14" in check("11223344556677m", kongs="1111s").reason


@pytest.mark.parametrize(
    ("hand", "kongs", "reason", "reason_zh"),
    [
        ([34, 1], (), "34 is no tile: characters are 1–9, bamboo", "34 不是牌：万 1–9，条"),
        ([33, 34, 36], (), "34 and 36 are no tiles", "34、36 不是牌"),
        ([0, 10, 46], (), "0, 10 and 46 are no tiles", "0、10、46 不是牌"),
        ([1, 1, -5, 300], (), "-5 and 300 are no tiles", "-5、300 不是牌"),
        ([1, 1], [[11, 11, 11, 12, 99]], "99 is no tile", "99 不是牌"),
        # What is asked first is the tiles, then their number, then the size, then the pair.
        ([1, 1, 1, 1, 1, 34], (), "34 is no tile", "34 不是牌"),
        ("11m", "111s", "a kong is four of a kind, not 3 of 1s", "杠是四张相同的牌，不是 3 张一条"),
        ("11m", "123s", "not 1 of 1s, 1 of 2s and 1 of 3s", "不是 1 张一条、 1 张二条"),
        ("11m", [[]], "a kong is four of a kind, not nothing", "不是空的"),
        ("11m", ["11s", "11s"], "a kong is four of a kind, not 2 of 1s", "2 张一条"),
        ("11111m", (), "five 1m: there are four of each", "5 张一万：每种牌只有四张"),
        ("44555555m123p678s", (), "six 5m: there are four of each", "6 张五万"),
        ("11111m22222p", (), "five 1m and five 2p: there are four of each", "5 张一万、5 张二饼"),
        (12 * "1m", (), "12 of 1m: there are four of each", "12 张一万"),
        ([5] + 33 * [0], (), "five 1m: there are four of each", "5 张一万"),
        ([10**9] + 33 * [0], (), "1000000000 of 1m: there are four", "1000000000 张一万"),
        ([-1] + 33 * [0], (), "-1 of 1m: no count is negative", "一万 -1 张"),
        ("11m1s", "1111s", "five 1s, declared kongs included: there are", "5 张一条（含杠）"),
        ("11m", ["1111s", "1111s"], "eight 1s, declared kongs included", "8 张一条（含杠）"),
        ("1234m", (), "a hand has 2, 5, 8, 11 or 14 tiles, not 4", "11 或 14 张，不是 4 张"),
        ("22233344455s1111s", (), "14 tiles, not 15", "14 张，不是 15 张"),
        ([], (), "a hand has 2, 5, 8, 11 or 14 tiles, not 0", "不是 0 张"),
        (34 * [0], (), "tiles, not 0", "不是 0 张"),
        ("1234m", "1111z", "a hand beside 1 kong has 2, 5, 8 or 11 tiles, not 4", "另有 1 个杠"),
        ("1234m", "1111z2222z", "a hand beside 2 kongs has 2, 5 or 8 tiles", "2、5 或 8 张"),
        ("1234m", "1111222233334444z", "a hand beside 4 kongs has 2 tiles, not 4", "应有 2 张"),
        ("11m", "11112222333344445555z", "a hand has at most 4 kongs, not 5", "最多有 4 个杠"),
        ("12345m", (), "no pair", "没有对子"),
        ("12345m", "1111z", "no pair", "没有对子"),
        ("11235678m", (), "no grouping into sets and a pair", "不能分成顺子、刻子和一个对子"),
    ],
)  # fmt: skip
def test_why_it_does_not_win(hand, kongs, reason, reason_zh):
    result = check(hand, kongs=kongs)
    assert not result
    assert result.win is False
    assert result.form == Form.NOT_WINNING
    assert result.decompositions == ()
    assert reason in result.reason
    assert reason_zh in result.reason_zh
    assert str(result) == f"no win: {result.reason}"
    assert result.to_text("zh") == f"不和：{result.reason_zh}"


def test_a_full_hand_has_no_seven_pairs_either():
    for rules, nor in [
        (CHINESE, ", nor into seven pairs"),
        (RIICHI, ", nor into seven different pairs"),
        (STANDARD_ONLY, ""),
    ]:
        reason = check("11113355778889m", rules=rules).reason
        assert reason == f"no grouping into sets and a pair{nor}"


def test_honours_are_no_tiles_where_the_set_has_none():
    result = check("11z", rules=SICHUAN)
    assert result.reason == "1z is no tile: sichuan rules have no honours"
    assert result.reason_zh == "东 不是牌：sichuan 规则没有字牌"
    assert "1z and 7z are no tiles" in check("11z", kongs="7777z", rules=SICHUAN).reason
    assert check("11s", kongs="7777s", rules=SICHUAN)


def test_a_win_is_written_with_every_grouping():
    result = check("22333344m", kongs="1111z")
    assert str(result).splitlines() == ["win: standard", "  standard: 33m 234m 234m 1111z"]
    assert result.to_text("zh").splitlines() == [
        "和牌：基本牌型",
        "  基本牌型：三三万 二三四万 二三四万 东东东东",
    ]
    assert str(check("11223344556677m")).splitlines()[::4] == [
        "win: seven pairs",
        "  seven pairs: 11m 22m 33m 44m 55m 66m 77m",
    ]
    with pytest.raises(ValueError, match="lang: 'de' is none of 'en', 'zh'"):
        result.to_text("de")


@pytest.mark.parametrize(
    ("hand", "kongs", "error", "message"),
    [
        ("abc", (), ValueError, r"hand: cannot read a tile at 'abc' \(character 1\)"),
        ("", (), ValueError, "hand: holds no tile"),
        ("11m", "x", ValueError, "kongs: cannot read a tile at 'x'"),
        ([1.5, 2.5], (), TypeError, "hand: expected an array of integers, got dtype float64"),
        ([True, True], (), TypeError, "hand: expected an array of integers, got dtype bool"),
        (["1m", "1m"], (), TypeError, "hand: expected an array of integers, got text"),
        (None, (), TypeError, "hand: expected an array of integers, got dtype object"),
        ([[1, 1]], (), ValueError, r"hand: expected text, counts or codes, got shape \(1, 2\)"),
        (11, (), ValueError, r"hand: expected text, counts or codes, got shape \(\)"),
        ("11m", 11, TypeError, "kongs: expected text or a sequence of kongs, got 11"),
        ("11m", [11, 11, 11, 11], ValueError, "kongs: expected text, counts or codes"),
        ("11m", None, TypeError, "kongs: expected text or a sequence of kongs, got None"),
    ],
)
def test_check_raises_for_what_cannot_be_read(hand, kongs, error, message):
    with pytest.raises(error, match=message):
        check(hand, kongs=kongs)


def test_check_takes_rules_only():
    with pytest.raises(TypeError, match=r"rules: .*RULES\['riichi'\] is one"):
        check("11m", rules="riichi")
