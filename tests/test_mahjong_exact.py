"""Exact Mahjong counts: published integers, hands one by one, and each other."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache, reduce
from itertools import combinations_with_replacement, product

import mahjong_samples
import naive_mahjong as naive
import numpy as np
import pytest
from mahjong_samples import RULE_SETS, each, each_size, each_waiting_size, each_winning_size

from cardstats.mahjong import (
    RIICHI,
    SICHUAN,
    STANDARD_ONLY,
    Form,
    exact,
    exact_forms,
    exact_lacking,
    exact_overlap,
    exact_parts,
    exact_shanten,
    exact_waits,
)
from cardstats.mahjong.rules import SIZES
from cardstats.mahjong.suits import WITH_PAIR, complete, digits, states, tile_counts
from cardstats.mahjong.tiles import HONOURS, SUIT

each_weight = pytest.mark.parametrize("weighted", [True, False], ids=["tiles", "distinct"])


def counted(distribution):
    """Counts by the English labels, without empty rows."""
    rows = zip(distribution.labels, distribution.counts, strict=True)
    return {label: count for label, count in rows if count}


# --- Integers that were published, or enumerated elsewhere --------------------------------------


def test_forms_of_riichi():
    assert exact_forms(rules=RIICHI, weighted=False).counts[1:] == (
        *(11_498_658 - 4_668, 5_379_616, 13),
    )
    assert exact_forms(rules=RIICHI).counts[1:] == (
        *(11_353_128_141_498 - 1_306_741_248, 1_505_948_184_576, 1_308_622_848),
    )
    assert sum(exact_forms(rules=RIICHI, weighted=False).counts[1:]) == 16_873_619
    assert sum(exact_forms(rules=RIICHI).counts[1:]) == 12_859_078_207_674


def test_forms_of_chinese():
    assert exact_forms(weighted=False).counts[1:] == (*(11_498_658 - 7_938, 16_417_104, 13),)
    assert exact_forms().counts[1:] == (
        *(11_353_128_141_498 - 1_318_439_178, 1_569_298_171_584, 1_308_622_848),
    )
    assert sum(exact_forms(weighted=False).counts[1:]) == 27_907_837
    assert sum(exact_forms().counts[1:]) == 12_922_416_496_752


def test_hands_of_two_forms():
    assert exact_overlap(rules=RIICHI, weighted=False) == 4_668
    assert exact_overlap(rules=RIICHI) == 1_306_741_248
    assert exact_overlap(weighted=False) == 7_938
    assert exact_overlap() == 1_318_439_178
    assert exact_overlap(rules=STANDARD_ONLY) == 0


def test_standard_wins_of_every_size():
    weighted = (204, 280_944, 165_372_972, 54_780_703_332, 11_353_128_141_498)
    distinct = (34, 1_836, 49_332, 875_418, 11_498_658)
    for size, tiles, hands in zip((2, 5, 8, 11, 14), weighted, distinct, strict=True):
        wins = exact_forms(size=size, rules=STANDARD_ONLY)
        assert wins.counts[Form.STANDARD] == tiles
        wins = exact_forms(size=size, rules=STANDARD_ONLY, weighted=False)
        assert wins.counts[Form.STANDARD] == hands


def test_shanten_of_14_tiles():
    riichi = exact_shanten(rules=RIICHI)
    assert riichi.labels == ("-1", *"0123456")
    assert riichi.counts == (
        *(12_859_078_207_674, 2_966_241_795_738_948, 99_154_452_630_748_356),
        *(828_714_358_375_292_670, 1_867_404_976_243_926_528, 1_211_948_980_271_480_832),
        *(233_501_763_289_743_360, 6_601_397_483_077_632),
    )
    standard = exact_shanten(rules=STANDARD_ONLY)
    assert standard.labels == ("-1", *"012345678")
    assert standard.counts == (
        *(11_353_128_141_498, 2_560_073_618_528_580, 84_836_864_591_965_380),
        *(708_866_296_874_217_726, 1_732_690_933_213_527_552, 1_270_342_844_384_821_248),
        *(398_021_022_894_784_512, 50_748_272_871_997_440, 2_205_616_265_232_384),
        21_751_324_999_680,
    )


def test_shanten_of_13_tiles():
    riichi = exact_shanten(size=13, rules=RIICHI)
    assert riichi.labels == tuple("0123456")
    assert riichi.counts == (
        *(39_270_395_383_132, 3_006_175_115_638_776, 45_249_205_945_148_216),
        *(175_141_291_509_958_900, 192_909_046_305_573_888, 63_384_201_353_756_672),
        4_045_365_540_028_416,
    )


def test_totals_fit_64_bits_just_so():
    assert exact_shanten().total == 4_250_305_029_168_216_000 < 2**63
    assert exact_shanten(size=13).total == 483_774_556_165_488_000
    assert exact_shanten(weighted=False).total == 326_520_504_500
    assert exact_shanten(size=13, weighted=False).total == 98_521_596_000


def test_one_suit():
    of_one_suit = exact_parts.states_of(
        SUIT, exact._completions_of_states(SUIT, exact._AMISS_OF["distinct"]), False, range(15)
    )
    ready, won = of_one_suit[13], of_one_suit[14]
    assert ready.ways.sum() == 93_600
    assert won.ways.sum() == 118_800
    headed = won.keys[exact._HEADED] == 1
    assert won.ways[headed].sum() == 13_259
    assert won.ways[headed | (won.keys[exact._AMISS] == 0)].sum() == 13_277
    kinds = ready.keys[exact._TO_HEADED]
    assert [ready.ways[kinds == k].sum() for k in range(1, 10)] == [
        *(14_067, 14_493, 6_739, 2_948, 1_335, 392, 79, 16, 1)
    ]


# --- Closed forms -------------------------------------------------------------------------------


@each()
@each_weight
@each_size
def test_all_hands_are_counted(rules, weighted, size):
    kinds = len(naive.kinds_of(rules))
    total = math.comb(4 * kinds, size)
    if not weighted:  # each kind 0 to 4 times: all multisets, less those of five, by inclusion
        total = sum(
            (-1) ** many
            * math.comb(kinds, many)
            * math.comb(size - 5 * many + kinds - 1, kinds - 1)
            for many in range(size // 5 + 1)
        )
    for found in tables_of(size, rules, weighted):
        assert found.total == total
        assert all(type(count) is int for count in found.counts)


@each()
@each_weight
def test_seven_pairs_and_orphans(rules, weighted):
    kinds, (_, one, two, _, four) = len(naive.kinds_of(rules)), ways_to_hold(weighted)
    pairs = {
        "quads": sum(
            math.comb(kinds, quads) * four**quads * math.comb(kinds - quads, rest) * two**rest
            for quads, rest in ((0, 7), (1, 5), (2, 3), (3, 1))
        ),
        "distinct": math.comb(kinds, 7) * two**7,
        "off": 0,
    }
    orphans = 13 * two * one**12 if rules.thirteen_orphans else 0
    counts = exact_forms(rules=rules, weighted=weighted).counts
    assert counts[2:] == (pairs[rules.seven_pairs], orphans)


def test_nothing_is_far_from_ready_with_few_tiles():
    assert exact_shanten(size=1).counts == (136,)
    assert exact_waits(size=1).counts == (0, 136)
    assert exact_waits(size=1, rules=SICHUAN, weighted=False).counts == (0, 27)
    assert exact_forms(size=2).counts == (9_180 - 204, 204, 0, 0)


# --- What the tables say of each other ----------------------------------------------------------


@each()
@each_weight
@each_winning_size
def test_what_is_complete_is_won(rules, weighted, size):
    forms = exact_forms(size=size, rules=rules, weighted=weighted)
    shanten = exact_shanten(size=size, rules=rules, weighted=weighted)
    assert sum(forms.counts[1:]) == shanten.counts[0]
    if size == 14:
        standard = exact_forms(rules=without_other_forms(rules), weighted=weighted)
        both = standard.counts[Form.STANDARD] - forms.counts[Form.STANDARD]
        assert exact_overlap(rules=rules, weighted=weighted) == both


@each()
@each_weight
@each_waiting_size
def test_what_is_ready_waits(rules, weighted, size):
    waits = exact_waits(size=size, rules=rules, weighted=weighted)
    shanten = exact_shanten(size=size, rules=rules, weighted=weighted)
    assert sum(waits.counts[1:]) == shanten.counts[0]
    assert waits.counts[-1] > 0
    assert waits.labels == ("not ready", *map(str, range(1, len(waits.counts))))


@each()
@each_winning_size
def test_every_kind_of_a_win_is_a_wait_of_the_rest(rules, size):
    waits = exact_waits(size=size - 1, rules=rules, weighted=False)
    waited_on = sum(k * hands for k, hands in enumerate(waits.counts))
    assert waited_on == kinds_in_all_wins(size, rules)


@each_weight
def test_more_ways_to_win_bring_hands_nearer(weighted):
    for size in SIZES:
        nearer = {
            name: np.cumsum(exact_shanten(size=size, rules=rules, weighted=weighted).counts)
            for name, rules in RULE_SETS.items()
        }
        for fewer, more in (
            ("standard-only", "quads-alone"),
            ("standard-only", "orphans-alone"),
            ("quads-alone", "chinese"),
            ("standard-only", "riichi"),
            ("standard-108", "sichuan"),
            ("standard-108", "distinct-108"),
        ):
            same = min(len(nearer[fewer]), len(nearer[more]))
            assert (nearer[fewer][:same] <= nearer[more][:same]).all()
            if size < 13:
                assert np.array_equal(nearer[fewer], nearer[more])


# --- Hands, one by one --------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RIICHI, SICHUAN], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_every_hand_of_few_tiles(rules, size):
    shanten, forms, waits = ({True: Counter(), False: Counter()} for _ in range(3))
    for hand, alike in hands_but_for_names(size, rules):
        for weighted in (True, False):
            number = alike * math.prod(ways_to_hold(weighted)[count] for count in hand)
            shanten[weighted][str(naive.shanten(hand, rules))] += number
            if size % 3 == 2:
                forms[weighted][naive.form(hand, rules).label] += number
            else:
                kinds = sum(naive.waits(hand, rules))
                waits[weighted][str(kinds) if kinds else "not ready"] += number
    for weighted in (True, False):
        assert (
            counted(exact_shanten(size=size, rules=rules, weighted=weighted)) == shanten[weighted]
        )
        if size % 3 == 2:
            assert (
                counted(exact_forms(size=size, rules=rules, weighted=weighted)) == forms[weighted]
            )
        else:
            assert (
                counted(exact_waits(size=size, rules=rules, weighted=weighted)) == waits[weighted]
            )


@each()
@pytest.mark.parametrize("size", [13, 14])
def test_hands_of_few_states(rules, size, monkeypatch):
    """Count hands of which each suit is in one of few states, against a list of all of them."""
    rng = np.random.default_rng(size)
    chosen = {kinds: few_states(rng, kinds) for kinds in (SUIT, HONOURS)}

    def only_chosen(kinds):
        tiles = np.full(5**kinds, 99, dtype=np.uint8)
        tiles[chosen[kinds]] = tile_counts(kinds)[chosen[kinds]]
        return tiles

    monkeypatch.setattr(exact_parts, "tile_counts", only_chosen)
    monkeypatch.setattr(exact, "_completions", exact._completions.__wrapped__)
    hands = hands_of_states(chosen, size, rules)
    for weighted in (True, False):
        ways = [
            alike * math.prod(ways_to_hold(weighted)[count] for count in hand)
            for hand, alike in hands
        ]
        seen = Counter()
        for (hand, _), number in zip(hands, ways, strict=True):
            seen[naive.shanten(hand, rules)] += number
        found = exact_lacking.shanten_counts.__wrapped__(size, rules, weighted)
        assert found == seen
        # Orphans are counted apart, whatever states there are.
        others = replace(rules, thirteen_orphans=False)
        rows = Counter()
        for (hand, _), number in zip(hands, ways, strict=True):
            row = naive.form(hand, others) if size == 14 else sum(naive.waits(hand, others))
            rows[int(row)] += number
        count = exact._form_counts if size == 14 else exact._wait_counts
        assert counted_rows(count(size, others, weighted)) == rows


@each()
@pytest.mark.parametrize("size", [7, 10, 13])
def test_kinds_waited_on_by_hands(rules, size):
    """Join the parts of hands, ready or not, and see what one tile completes."""
    rules = replace(rules, thirteen_orphans=False)  # they are counted apart
    hands = mahjong_samples.mixture(np.random.default_rng(size), 300, size, rules)
    for hand in hands.tolist():
        kinds = exact._kinds_waited_on(completions_of_hand(hand, size, rules))
        assert kinds.tolist() == [sum(naive.waits(hand, rules))]


# --- Words and errors ---------------------------------------------------------------------------


def test_titles_and_rows():
    waits = exact_waits(size=4, rules=RIICHI, weighted=False)
    assert waits.title == "kinds waited on of distinct hands, 4 tiles, riichi"
    assert waits.title_zh == "不同手牌的听牌种数，4 张，riichi"
    assert waits.labels == ("not ready", "1", "2", "3")
    assert waits.labels_zh == ("未听牌", "听 1 种", "听 2 种", "听 3 种")
    forms = exact_forms()
    assert (forms.title, forms.title_zh) == ("forms, 14 tiles, chinese", "和牌牌型，14 张，chinese")
    assert forms.labels == tuple(form.label for form in Form)
    shanten = exact_shanten(size=4)
    assert (shanten.title, shanten.title_zh) == (
        *("shanten, 4 tiles, chinese", "向听数，4 张，chinese"),
    )
    assert shanten.labels_zh == ("听牌", "一向听", "二向听")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: exact_forms(size=13), ValueError, "size: 13 is none of 2, 5, 8, 11, 14"),
        (lambda: exact_waits(size=14), ValueError, "size: 14 is none of 1, 4, 7, 10, 13"),
        (lambda: exact_shanten(size=3), ValueError, "size: 3 is none of 1, 2, 4, 5"),
        (lambda: exact_shanten(size=16), ValueError, "size: 16 is none of"),
        (lambda: exact_shanten(size=14.0), TypeError, "size: expected an integer, got 14.0"),
        (lambda: exact_waits(size=True), TypeError, "size: expected an integer, got True"),
        (lambda: exact_forms(rules="riichi"), TypeError, "rules: expected mahjong.Rules"),
        (lambda: exact_overlap(rules=None), TypeError, "rules: expected mahjong.Rules, got None"),
        (lambda: exact_shanten(weighted=1), TypeError, "weighted: expected True or False, got 1"),
        (lambda: exact_overlap(weighted=0), TypeError, "weighted: expected True or False, got 0"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- Oracles ----------------------------------------------------------------------------------


def tables_of(size, rules, weighted):
    yield exact_shanten(size=size, rules=rules, weighted=weighted)
    table = exact_forms if size % 3 == 2 else exact_waits
    yield table(size=size, rules=rules, weighted=weighted)


def ways_to_hold(weighted):
    """Ways to hold 0 to 4 tiles of a kind."""
    return (1, 4, 6, 4, 1) if weighted else (1, 1, 1, 1, 1)


def without_other_forms(rules):
    return replace(rules, seven_pairs="off", thirteen_orphans=False)


def hands_but_for_names(size, rules):
    """All hands, and how many each stands for: suits that swap or turn round, honours that swap."""
    suits = {tiles: [] for tiles in range(size + 1)}
    for tiles, found in suits.items():
        for counts in map(tuple, mahjong_samples.suit_states(SUIT, tiles).tolist()):
            if counts <= counts[::-1]:
                found.append((counts, 1 if counts == counts[::-1] else 2))
    for parts in product(range(size + 1), repeat=3):
        of_honours = size - sum(parts)
        if list(parts) != sorted(parts) or of_honours < 0 or (of_honours and not rules.honours):
            continue
        honours = Counter(
            tuple(sorted(counts))
            for counts in mahjong_samples.suit_states(HONOURS, of_honours).tolist()
        )
        for three in product(*(suits[tiles] for tiles in parts)):
            if list(three) != sorted(three, key=lambda suit: (sum(suit[0]), suit)):
                continue
            ordered = orders(three) * math.prod(turned for _, turned in three)
            tiles = sum((counts for counts, _ in three), ())
            for counts, alike in honours.items():
                yield tiles + counts, ordered * alike


def orders(three):
    """Ways to give three things, of which some may be equal, to the three suits."""
    return math.factorial(3) // math.prod(map(math.factorial, Counter(three).values()))


def few_states(rng, kinds):
    """For each number of tiles a state by chance, and one that is complete or pairs."""
    tiles, every = tile_counts(kinds)[states(kinds)], states(kinds)
    pairs = (digits(every, kinds) % 2 == 0).all(axis=1)
    special = (complete(kinds)[every] > 0) | pairs
    chosen = [rng.choice(every[tiles == size]) for size in range(15)]
    if kinds == SUIT:
        chosen += [
            rng.choice(every[(tiles == size) & special]) for size in range(15) if size % 6 != 1
        ]
    return np.unique(chosen)


def hands_of_states(chosen, size, rules):
    """All hands made of these states, and how many each stands for: suits may swap."""
    suits = list(map(tuple, digits(chosen[SUIT], SUIT).tolist()))
    honours = list(map(tuple, digits(chosen[HONOURS], HONOURS).tolist()))
    if not rules.honours:
        honours = [(0,) * HONOURS]
    hands = []
    for three in combinations_with_replacement(suits, 3):
        tiles = sum(three, ())
        left = size - sum(tiles)
        hands += [(tiles + last, orders(three)) for last in honours if sum(last) == left]
    return hands


def counted_rows(counts):
    return {row: count for row, count in enumerate(counts) if count}


def completions_of_hand(hand, size, rules):
    amiss = exact._AMISS_OF[rules.seven_pairs if size >= 13 else "off"]
    parts = []
    for suit in naive.SUITS:
        index = sum(hand[kind] * 5**place for place, kind in enumerate(suit))
        keys = [key[index] for key in completions_of_states(len(suit), amiss)]
        parts.append(exact_parts.Groups(np.array(keys)[:, None], np.ones(1, np.int64)))
    return reduce(lambda one, two: exact_parts._pairs(one, two, exact._both_complete), parts)


completions_of_states = cache(exact._completions_of_states)


def kinds_in_all_wins(size, rules):
    """Kinds that distinct winning hands hold, added up over all of them."""
    paired = {"quads": (0, 2, 4), "distinct": (0, 2), "off": ()}[rules.seven_pairs]
    hands = Counter({(0, 0, 0, True): 1})  # tiles, pairs set apart, kinds, all of them paired
    for kinds in (SUIT, SUIT, SUIT, HONOURS) if rules.honours else (SUIT, SUIT, SUIT):
        more = Counter()
        for (tiles, heads, held, even), number in hands.items():
            for (own_tiles, own_heads, own_held, own_even), ways in done(kinds, paired).items():
                if tiles + own_tiles <= size and heads + own_heads <= 1:
                    key = (tiles + own_tiles, heads + own_heads, held + own_held, even & own_even)
                    more[key] += number * ways
        hands = more
    standard = Counter()
    for (tiles, heads, held, even), number in hands.items():
        if (tiles, heads) == (size, 1):
            standard[even] += held * number
    if size < 14:
        return standard.total()
    kinds = len(naive.kinds_of(rules))
    pairs = sum(
        (quads + rest) * math.comb(kinds, quads) * math.comb(kinds - quads, rest)
        for quads, rest in {"quads": ((0, 7), (1, 5), (2, 3), (3, 1)), "distinct": ((0, 7),)}.get(
            rules.seven_pairs, ()
        )
    )
    return standard[False] + pairs + 13 * 13 * rules.thirteen_orphans


@cache
def done(kinds, paired):
    """Complete states by tiles, whether they hold the pair, kinds, and whether all are paired."""
    at = np.flatnonzero(complete(kinds))
    counts = digits(at, kinds)
    columns = (
        counts.sum(axis=1),
        complete(kinds)[at] == WITH_PAIR,
        (counts > 0).sum(axis=1),
        np.isin(counts, paired).all(axis=1),
    )
    return Counter(zip(*(column.tolist() for column in columns), strict=True))
