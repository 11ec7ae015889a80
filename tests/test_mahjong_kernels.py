"""Every Mahjong kernel against `naive_mahjong`: all hands of one suit, and many of the others."""

from functools import cache

import mahjong_samples as samples
import naive_mahjong as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mahjong_samples import RULE_SETS, each, each_size, each_waiting_size, each_winning_size

from cardstats import mahjong as mj
from cardstats._random import LANES
from cardstats.mahjong import CHINESE, RIICHI, STANDARD_ONLY, Form
from cardstats.mahjong.rules import SIZES, WAITING_SIZES, WINNING_SIZES

WITHOUT_HONOURS = {name: rules for name, rules in RULE_SETS.items() if not rules.honours}


def rng_of(*words):
    """A stream of its own for each test, the same in every run."""
    return np.random.default_rng(list("|".join(map(str, words)).encode()))


def assert_same(answer, expected, hands):
    """Equal, or the smallest hand that shows a difference."""
    answer, expected = np.asarray(answer), np.asarray(expected)
    assert answer.shape == expected.shape
    wrong = (answer != expected).any(axis=tuple(range(1, answer.ndim)))
    if wrong.any():
        row = min(np.flatnonzero(wrong), key=lambda row: hands[row].sum())
        pytest.fail(
            f"{wrong.sum()} of {len(hands)} hands differ; {mj.format(hands[row])} (row {row}): "
            f"got {answer[row]!r}, expected {expected[row]!r}"
        )


# --- the witnesses themselves ---


@cache
def won_suits(kinds, size):
    """Which states of a suit with so many tiles are all sets, or all sets and one pair."""
    won = {0: naive.suit_is_sets, 1: lambda _: False, 2: naive.suit_is_sets_and_a_pair}[size % 3]
    return np.array([won(state) for state in samples.suit_states(kinds, size).tolist()])


def number_of_won_suits(kinds, with_pair):
    """How many there are, by number of tiles, with a pair or without."""
    return np.array(
        [won_suits(kinds, size).sum() * (size % 3 == 2 * with_pair) for size in range(15)]
    )


def test_naive_counts_the_winning_hands():
    """By size, as published; put together from suits: one of them holds the pair."""
    sets, with_pair = number_of_won_suits(9, False), number_of_won_suits(9, True)
    two, three = np.convolve(sets, sets), np.convolve(np.convolve(sets, sets), sets)
    wins = np.convolve(three, number_of_won_suits(7, True))
    wins += 3 * np.convolve(np.convolve(with_pair, two), number_of_won_suits(7, False))
    assert with_pair[14] == 13_259
    assert {size: wins[size] for size in WINNING_SIZES} == {
        2: 34,
        5: 1_836,
        8: 49_332,
        11: 875_418,
        14: 11_498_658,
    }


def test_naive_counts_the_winning_hands_of_one_suit():
    hands = samples.all_of_one_suit(14).tolist()
    assert len(hands) == 118_800
    assert sum(naive.is_win(hand, RIICHI) for hand in hands) == 13_277
    assert sum(naive.is_win(hand, STANDARD_ONLY) for hand in hands) == 13_259


def test_a_suit_lacks_what_the_search_says():
    for kinds in (9, 7):
        table = naive.lacking_table(kinds)
        for state in rng_of("suits", kinds).integers(0, 5, size=(150, kinds)).tolist():
            for sets in range(5):
                for pairs in range(2):
                    expected = naive.missing_in_suit(state, sets, pairs)
                    assert table[(sets, pairs, *state)] == expected, (state, sets, pairs)


@each()
def test_both_witnesses_agree(rules):
    hands = samples.mixed_sizes(rng_of("witnesses", rules), 1_000, SIZES, rules)
    expected = [naive.shanten(hand, rules) for hand in hands.tolist()]
    assert_same(naive.shanten_of_many(hands, rules), expected, hands)


def test_naive_counts_the_ready_hands_of_one_suit():
    """By how many kinds they wait on, standard form."""
    kinds = waits_of_one_suit(13, 0, STANDARD_ONLY).sum(axis=1)
    assert np.bincount(kinds)[1:].tolist() == [14_067, 14_493, 6_739, 2_948, 1_335, 392, 79, 16, 1]


def both(function, hands, rules):
    """What a function says of rows, and also of columns, enough of them to be taken in lanes."""
    answer = function(hands, rules=rules)
    times = -(-LANES // len(hands))
    columns = np.asfortranarray(np.tile(hands, (times, 1)))
    np.testing.assert_array_equal(function(columns, rules=rules), np.tile(answer, times))
    return answer


@cache
def waits_of_one_suit(size, suit, rules):
    """The waits of each hand of one suit; only tiles of that suit can complete one.

    To save time only those are looked at that the second witness finds ready.
    """
    hands = samples.all_of_one_suit(size, suit)
    waits = np.zeros(hands.shape, dtype=bool)
    for row in np.flatnonzero(naive.shanten_of_many(hands, rules) == 0):
        hand = hands[row].tolist()
        for kind in naive.SUITS[suit]:
            waits[row, kind] = hand[kind] < 4 and naive.is_win(naive.drawn(hand, kind), rules)
    return waits


# --- the samples are what they are meant to be ---


@each_size
@each()
def test_samples_are_hands(rules, size):
    hands = samples.mixture(rng_of("samples", rules, size), 300, size, rules)
    assert hands.dtype == np.uint8
    assert hands.max() <= 4
    assert (hands.sum(axis=1) == size).all()
    assert rules.honours or not hands[:, naive.HONOURS].any()
    if size in WINNING_SIZES:
        assert 0 < sum(naive.is_win(hand, rules) for hand in hands.tolist()) < len(hands)


# --- winning ---


@each_winning_size
@each()
def test_classify_and_is_win(rules, size):
    hands = samples.mixture(rng_of("classify", rules, size), 4_000, size, rules)
    expected = [naive.form(hand, rules) for hand in hands.tolist()]
    codes = both(mj.classify, hands, rules)
    assert codes.dtype == np.uint8
    assert_same(codes, expected, hands)
    wins = both(mj.is_win, hands, rules)
    assert wins.dtype == np.bool_
    assert_same(wins, np.array(expected) != Form.NOT_WINNING, hands)


@pytest.mark.parametrize("suit", range(4))
@each_winning_size
def test_every_hand_of_one_suit(size, suit):
    hands = samples.all_of_one_suit(size, suit)
    for rules in (CHINESE, RIICHI, STANDARD_ONLY):
        expected = forms_of_one_suit(size, len(naive.SUITS[suit]), rules)
        assert_same(both(mj.classify, hands, rules), expected, hands)
        assert_same(both(mj.is_win, hands, rules), expected != Form.NOT_WINNING, hands)


@cache
def forms_of_one_suit(size, kinds, rules):
    """The forms of all hands of characters (9 kinds) or honours (7)."""
    hands = samples.all_of_one_suit(size, {9: 0, 7: 3}[kinds]).tolist()
    return np.array([naive.form(hand, rules) for hand in hands])


def test_a_million_hands_of_14_tiles():
    """Half of them as they are dealt, half winning hands with one tile replaced."""
    for part in range(10):
        rng = rng_of("a million", part)
        won = [
            samples.winning(rng, 20_000, 14),
            samples.winning(rng, 15_000, 14, range(18, 34)),
            samples.winning(rng, 10_000, 14, range(9)),
            samples.seven_pairs(rng, 5_000, range(9)),
        ]
        near = samples.one_replaced(rng, np.vstack(won))
        hands = np.vstack([samples.dealt(rng, 50_000, 14), near])
        chinese = np.array([naive.form(hand, CHINESE) for hand in hands.tolist()])
        riichi = chinese.copy()  # which differs in seven pairs alone
        for row in np.flatnonzero(chinese == Form.SEVEN_PAIRS):
            riichi[row] = naive.form(hands[row].tolist(), RIICHI)
        for rules, expected in ((CHINESE, chinese), (RIICHI, riichi)):
            assert (expected != Form.NOT_WINNING).sum() > 1_000
            assert_same(both(mj.is_win, hands, rules), expected != Form.NOT_WINNING, hands)
            assert_same(both(mj.classify, hands, rules), expected, hands)


@pytest.mark.parametrize("suit", range(4))
def test_every_state_of_a_suit_beside_others(suit):
    """All 405,350 and 43,130 states, the other suits making a full hand of each.

    Beside sets, or sets and a pair, the state alone decides whether the hand wins.
    """
    rng = rng_of("beside others", suit)
    others = np.setdiff1d(naive.KINDS, naive.SUITS[suit])
    for size in range(15):
        hands = samples.all_of_one_suit(size, suit)
        dealt = hands + samples.dealt(rng, len(hands), 14 - size, others)
        expected = naive.shanten_of_many(dealt, RIICHI)
        assert_same(both(mj.shanten, dealt, RIICHI), expected, dealt)
        assert_same(both(mj.is_win, dealt, RIICHI), expected == -1, dealt)
        if size % 3 != 1:
            completed = hands + samples.winning(rng, len(hands), 14 - size, others)
            expected = won_suits(len(naive.SUITS[suit]), size)
            assert_same(both(mj.is_win, completed, STANDARD_ONLY), expected, completed)


def test_made_hands_win():
    rng = rng_of("made")
    for kinds in (naive.KINDS, range(18, 34), range(9)):
        for size in WINNING_SIZES:
            assert mj.is_win(samples.winning(rng, 20_000, size, kinds), rules=STANDARD_ONLY).all()
    distinct = samples.seven_pairs(rng, 20_000, pairs_of_a_kind=1)
    assert (both(mj.classify, distinct, RIICHI) == Form.SEVEN_PAIRS).all()
    any_pairs = samples.seven_pairs(rng, 20_000, range(9))
    assert (both(mj.classify, any_pairs, CHINESE) == Form.SEVEN_PAIRS).all()
    assert (mj.classify(samples.thirteen_orphans()) == Form.THIRTEEN_ORPHANS).all()
    assert not mj.is_win(samples.thirteen_orphans(), rules=STANDARD_ONLY).any()


@each_winning_size
@each()
def test_decompositions(rules, size):
    """The standard ones of winning hands, by their groups; the other forms by their number."""
    rng = rng_of("decompose", rules, size)
    kinds = naive.kinds_of(rules)
    hands = [samples.winning(rng, 40, size, kinds), samples.winning(rng, 80, size, range(9)),
             samples.mixture(rng, 120, size, rules)]  # fmt: skip
    for hand in np.vstack(hands):
        found = mj.decompose(hand, rules=rules)
        groups = [
            tuple(sorted((group.word, group.tile) for group in way.groups))
            for way in found
            if way.form == Form.STANDARD
        ]
        assert sorted(groups) == naive.decompositions(hand.tolist()), mj.format(hand)
        others = [way.form for way in found if way.form != Form.STANDARD]
        special = {Form.SEVEN_PAIRS, Form.THIRTEEN_ORPHANS} & {naive.form(hand.tolist(), rules)}
        assert others == list(special), mj.format(hand)


# --- shanten ---


@each_size
@each()
def test_shanten(rules, size):
    """Against the search for a few hundred hands of every sort, against the suits for many."""
    rng = rng_of("shanten", rules, size)
    hands = samples.mixture(rng, 200, size, rules)
    answer = both(mj.shanten, hands, rules)
    assert answer.dtype == np.int8
    assert_same(answer, [naive.shanten(hand, rules) for hand in hands.tolist()], hands)
    many = samples.mixture(rng, 20_000, size, rules)
    assert_same(both(mj.shanten, many, rules), naive.shanten_of_many(many, rules), many)


@pytest.mark.parametrize("suit", range(4))
@each_size
def test_shanten_of_every_hand_of_one_suit(size, suit):
    hands = samples.all_of_one_suit(size, suit)
    rule_sets = (RIICHI, CHINESE) if size >= 13 else (RIICHI,)
    for rules in (*rule_sets, STANDARD_ONLY, *(WITHOUT_HONOURS.values() if suit < 3 else ())):
        assert_same(both(mj.shanten, hands, rules), naive.shanten_of_many(hands, rules), hands)


@each()
def test_shanten_of_rows_of_mixed_sizes(rules):
    hands = samples.mixed_sizes(rng_of("mixed", rules), 20_000, SIZES, rules)
    assert_same(both(mj.shanten, hands, rules), naive.shanten_of_many(hands, rules), hands)
    winning = samples.mixed_sizes(rng_of("mixed wins", rules), 3_000, WINNING_SIZES, rules)
    expected = [naive.form(hand, rules) for hand in winning.tolist()]
    assert_same(both(mj.classify, winning, rules), expected, winning)


@pytest.mark.parametrize("size", [13, 14])
def test_the_package_mahjong_agrees(size):
    """On hands as they are dealt and on hands full of quads, form by form and together."""
    package = pytest.importorskip("mahjong.shanten").Shanten
    rng = rng_of("package", size)
    hands = np.vstack(
        [
            samples.dealt(rng, 50_000, size),
            samples.of_few_kinds(rng, 10_000, size),
            samples.dealt(rng, 2_000, size, range(9)),
        ]
    )
    answers = np.array(
        [
            [
                package.calculate_shanten_for_regular_hand(hand),
                package.calculate_shanten_for_chiitoitsu_hand(hand),
                package.calculate_shanten_for_kokushi_hand(hand),
            ]
            for hand in hands.tolist()
        ]
    )
    standard, pairs, orphans = answers.T
    for rules, expected in {
        STANDARD_ONLY: standard,
        mj.Rules(seven_pairs="distinct", thirteen_orphans=False): np.minimum(standard, pairs),
        mj.Rules(seven_pairs="off"): np.minimum(standard, orphans),
        RIICHI: answers.min(axis=1),
    }.items():
        assert_same(both(mj.shanten, hands, rules), expected, hands)


# --- waits, acceptance, discards ---


@each_waiting_size
@each()
def test_waits(rules, size):
    hands = samples.mixture(rng_of("waits", rules, size), 700, size, rules)
    waits = mj.waits(hands, rules=rules)
    assert waits.dtype == np.bool_
    assert_same(waits, [naive.waits(hand, rules) for hand in hands.tolist()], hands)


@pytest.mark.parametrize("suit", [0, 3])
@pytest.mark.parametrize("rules", [CHINESE, STANDARD_ONLY], ids=lambda rules: rules.name)
@each_waiting_size
def test_waits_of_every_hand_of_one_suit(size, rules, suit):
    hands = samples.all_of_one_suit(size, suit)
    assert_same(mj.waits(hands, rules=rules), waits_of_one_suit(size, suit, rules), hands)


@each_waiting_size
@each()
def test_acceptance(rules, size):
    rng = rng_of("acceptance", rules, size)
    hands = samples.mixture(rng, 40, size, rules)
    accepted = mj.acceptance(hands, rules=rules)
    assert accepted.dtype == np.bool_
    assert_same(accepted, [naive.acceptance(hand, rules) for hand in hands.tolist()], hands)
    many = samples.mixture(rng, 2_000, size, rules)
    assert_same(mj.acceptance(many, rules=rules), acceptance_of_many(many, rules), many)


def acceptance_of_many(hands, rules):
    """What `naive.acceptance` says, asked of the second witness."""
    before = naive.shanten_of_many(hands, rules)
    accepted = np.zeros(hands.shape, dtype=bool)
    for kind in naive.kinds_of(rules):
        drawn = hands.copy()
        drawn[:, kind] += 1
        can = hands[:, kind] < 4
        accepted[can, kind] = naive.shanten_of_many(drawn[can], rules) < before[can]
    return accepted


@each_winning_size
@each()
def test_discards(rules, size):
    rng = rng_of("discards", rules, size)
    hands = samples.mixture(rng, 40, size, rules)
    kept = mj.discards(hands, rules=rules)
    assert kept.dtype == np.bool_
    assert_same(kept, [naive.discards(hand, rules) for hand in hands.tolist()], hands)
    many = samples.mixture(rng, 2_000, size, rules)
    assert_same(mj.discards(many, rules=rules), discards_of_many(many, rules), many)


def discards_of_many(hands, rules):
    """What `naive.discards` says, asked of the second witness."""
    before = naive.shanten_of_many(hands, rules)
    kept = np.zeros(hands.shape, dtype=bool)
    for kind in naive.KINDS:
        can = hands[:, kind] > 0
        left = hands[can]
        left[:, kind] -= 1
        kept[can, kind] = naive.shanten_of_many(left, rules) == before[can]
    return kept


@each()
def test_rows_of_mixed_sizes(rules):
    waiting = samples.mixed_sizes(rng_of("mixed waits", rules), 2_000, WAITING_SIZES, rules)
    expected = [naive.waits(hand, rules) for hand in waiting.tolist()]
    assert_same(mj.waits(waiting, rules=rules), expected, waiting)
    expected = acceptance_of_many(waiting, rules)
    assert_same(mj.acceptance(waiting, rules=rules), expected, waiting)
    winning = samples.mixed_sizes(rng_of("mixed discards", rules), 2_000, WINNING_SIZES, rules)
    assert_same(mj.discards(winning, rules=rules), discards_of_many(winning, rules), winning)


# --- how the kernels agree with each other ---


@each_waiting_size
@each()
def test_ready_hands_wait(rules, size):
    hands = samples.mixture(rng_of("ready", rules, size), 20_000, size, rules)
    shanten = both(mj.shanten, hands, rules)
    waits = mj.waits(hands, rules=rules)
    accepted = mj.acceptance(hands, rules=rules)
    assert_same(waits.any(axis=1), shanten == 0, hands)
    assert_same(waits[shanten == 0], accepted[shanten == 0], hands[shanten == 0])
    assert accepted[shanten > 0].any(axis=1).all()


@each_waiting_size
@each()
def test_drawn_and_discarded(rules, size):
    """A wait completes the hand, an accepted tile brings it nearer, and others do not."""
    hands = samples.mixture(rng_of("drawn", rules, size), 2_000, size, rules)
    shanten = both(mj.shanten, hands, rules)
    waits = mj.waits(hands, rules=rules)
    accepted = mj.acceptance(hands, rules=rules)
    for kind in naive.kinds_of(rules):
        can = hands[:, kind] < 4
        drawn = hands[can]
        drawn[:, kind] += 1
        assert_same(both(mj.is_win, drawn, rules), waits[can, kind], drawn)
        expected = shanten[can] - accepted[can, kind]
        assert_same(both(mj.shanten, drawn, rules), expected, drawn)
        back = mj.discards(drawn, rules=rules)[:, kind]
        assert_same(back, ~accepted[can, kind], drawn)
    no_tile = (hands == 4) | ~np.isin(naive.KINDS, naive.kinds_of(rules))
    assert not (waits | accepted)[no_tile].any()


@each()
def test_complete_is_minus_one(rules):
    hands = samples.mixed_sizes(rng_of("complete", rules), 20_000, WINNING_SIZES, rules)
    wins = both(mj.is_win, hands, rules)
    assert_same(both(mj.shanten, hands, rules) == -1, wins, hands)
    assert_same(both(mj.classify, hands, rules) != Form.NOT_WINNING, wins, hands)
    kept = mj.discards(hands, rules=rules)
    assert_same(kept.any(axis=1), ~wins, hands)
    assert not kept[hands == 0].any()


def test_the_default_rules():
    hands = samples.mixture(rng_of("default"), 1_000, 14, CHINESE)
    waiting = samples.mixture(rng_of("default"), 1_000, 13, CHINESE)
    for function in (mj.classify, mj.is_win, mj.shanten, mj.discards):
        assert_same(function(hands), function(hands, rules=CHINESE), hands)
    for function in (mj.shanten, mj.waits, mj.acceptance):
        assert_same(function(waiting), function(waiting, rules=CHINESE), waiting)


# --- suits and kinds exchanged ---

hands_of_a_seed = st.integers(0, 2**32 - 1).map(np.random.default_rng)
any_rules = st.sampled_from(list(RULE_SETS.values()))


def answers(hands, rules):
    """All that the kernels say of hands of one size."""
    if hands[0].sum() in WINNING_SIZES:
        by_row = (both(mj.classify, hands, rules), both(mj.shanten, hands, rules))
        return by_row, (mj.discards(hands, rules=rules),)
    by_row = (both(mj.shanten, hands, rules),)
    return by_row, (mj.waits(hands, rules=rules), mj.acceptance(hands, rules=rules))


def assert_same_after(exchange, hands, rules):
    """The kernels give the same numbers, and the same kinds where they now are."""
    before, before_by_kind = answers(hands, rules)
    moved = hands[:, exchange]
    after, after_by_kind = answers(moved, rules)
    for one, other in zip(before, after, strict=True):
        assert_same(other, one, moved)
    for one, other in zip(before_by_kind, after_by_kind, strict=True):
        assert_same(other, one[:, exchange], moved)


@given(hands_of_a_seed, any_rules, st.sampled_from(SIZES), st.permutations(range(3)))
@settings(max_examples=60)
def test_suits_may_be_exchanged(rng, rules, size, suits):
    exchange = [kind for suit in (*suits, 3) for kind in naive.SUITS[suit]]
    assert_same_after(exchange, samples.mixture(rng, 200, size, rules), rules)


@given(hands_of_a_seed, any_rules, st.sampled_from(SIZES), st.integers(0, 2))
@settings(max_examples=60)
def test_a_suit_may_be_mirrored(rng, rules, size, mirrored):
    exchange = [
        kind
        for suit, kinds in enumerate(naive.SUITS)
        for kind in (reversed(kinds) if suit == mirrored else kinds)
    ]
    assert_same_after(exchange, samples.mixture(rng, 200, size, rules), rules)


@given(hands_of_a_seed, any_rules, st.sampled_from(SIZES), st.permutations(naive.HONOURS))
@settings(max_examples=60)
def test_honours_may_be_exchanged(rng, rules, size, honours):
    exchange = [*range(27), *honours]
    assert_same_after(exchange, samples.mixture(rng, 200, size, rules), rules)


# --- any hand that hypothesis thinks of ---


@given(
    st.sampled_from(SIZES).flatmap(
        lambda size: st.lists(st.integers(0, 135), min_size=size, max_size=size, unique=True)
    ),
    st.sampled_from([rules for rules in RULE_SETS.values() if rules.honours]),
)
@settings(max_examples=150)
def test_any_hand(tiles, rules):
    hand = np.bincount(np.array(tiles) // 4, minlength=34)
    counts = hand.tolist()
    assert both(mj.shanten, hand, rules) == naive.shanten(counts, rules)
    if len(tiles) in WINNING_SIZES:
        assert both(mj.classify, hand, rules) == naive.form(counts, rules)
        assert mj.discards(hand, rules=rules).tolist() == naive.discards(counts, rules)
    else:
        assert mj.waits(hand, rules=rules).tolist() == naive.waits(counts, rules)
        assert mj.acceptance(hand, rules=rules).tolist() == naive.acceptance(counts, rules)


# --- layouts ---

LAYOUTS = {
    "columns": np.asfortranarray,
    "every other row": lambda hands: np.repeat(hands, 2, axis=0)[::2],
    "every other column": lambda hands: np.repeat(hands, 2, axis=1)[:, ::2],
    "middle columns": lambda hands: np.pad(hands, [(0, 0), (3, 5)], constant_values=9)[:, 3:37],
    "rows reversed": lambda hands: hands[::-1].copy()[::-1],
    "part of columns": lambda hands: np.asfortranarray(np.tile(hands, (2, 1)))[: len(hands)],
    "int64": lambda hands: hands.astype(np.int64),
    "int64 columns": lambda hands: np.asfortranarray(hands.astype(np.int64)),
    "int8": lambda hands: hands.astype(np.int8),
    "big-endian": lambda hands: hands.astype(">i4"),
    "read-only": lambda hands: _read_only(hands.copy()),
    "list": lambda hands: hands.tolist(),
}  # fmt: skip
FUNCTIONS = {
    "classify": (mj.classify, (14,), np.uint8),
    "is_win": (mj.is_win, (14,), np.bool_),
    "shanten": (mj.shanten, (13, 14), np.int8),
    "waits": (mj.waits, (13,), np.bool_),
    "acceptance": (mj.acceptance, (13,), np.bool_),
    "discards": (mj.discards, (14,), np.bool_),
}
each_function = pytest.mark.parametrize(
    ("function", "sizes", "dtype"), FUNCTIONS.values(), ids=FUNCTIONS
)


def _read_only(hands):
    hands.flags.writeable = False
    return hands


def some_hands(n, sizes):
    return samples.mixed_sizes(rng_of("layouts"), n, sizes, CHINESE)[:n]


@each_function
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(function, sizes, dtype, layout):
    hands = some_hands(5_003, sizes)
    expected = function(hands)
    answer = function(LAYOUTS[layout](hands))
    assert answer.dtype == dtype
    assert_same(answer, expected, hands)


@each_function
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_number_of_hands(function, sizes, dtype, order):
    """No block is too small or too large by a row."""
    hands = some_hands(4 * LANES, sizes)
    expected = function(hands)
    around = (range(times * LANES - 2, times * LANES + 3) for times in (1, 2, 3))
    for n in (*range(70), *(number for numbers in around for number in numbers)):
        part = np.array(hands[:n], order=order)
        assert_same(function(part), expected[:n], part)


@each_function
def test_no_hands(function, sizes, dtype):
    empty = function(np.empty((0, 34), dtype=np.uint8))
    assert empty.shape[0] == 0
    assert empty.shape == function(some_hands(1, sizes))[:0].shape
    assert empty.dtype == dtype


@each_function
@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_one_hand(function, sizes, dtype, kind):
    hands = some_hands(50, sizes)
    for hand, expected in zip(hands.astype(kind), function(hands), strict=True):
        answer = function(hand)
        assert np.shape(answer) == np.shape(expected)
        assert np.asarray(answer).dtype == dtype
        np.testing.assert_array_equal(answer, expected)
        np.testing.assert_array_equal(function(hand.tolist()), expected)


@each_function
@pytest.mark.parametrize("order", ["C", "F"])
def test_out(function, sizes, dtype, order):
    hands = np.array(some_hands(5_003, sizes), order=order)
    expected = function(hands)
    out = np.ones(expected.shape, dtype=dtype)
    assert function(hands, out=out) is out
    assert_same(out, expected, hands)
    wide = np.ones((2 * len(hands), *expected.shape[1:]), dtype=dtype)
    function(hands, out=wide[::2])
    assert_same(wide[::2], expected, hands)
    assert (wide[1::2] == 1).all()
    columns = np.ones(expected.shape, dtype=dtype, order="F")
    function(hands, out=columns)
    assert_same(columns, expected, hands)


@each_function
def test_hands_are_left_as_they_were(function, sizes, dtype):
    hands = some_hands(5_003, sizes)
    kept = hands.copy()
    function(hands)
    np.testing.assert_array_equal(hands, kept)
