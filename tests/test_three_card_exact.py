"""Exact three-card counts: against published totals, enumeration deal by deal, and each other."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache

import naive
import numba
import numpy as np
import pytest

from cardstats.three_card import (
    Equity,
    equity,
    exact_best,
    exact_categories,
    exact_showdown,
    exact_table,
)
from cardstats.three_card.rules import (
    RULES,
    TEEN_PATTI,
    THREE_CARD_POKER,
    ZHA_JIN_HUA,
    ZHA_JIN_HUA_235,
    Category,
    Rules,
)

HANDS = np.array(naive.all_hands())
NUMBER_OF = {tuple(hand): number for number, hand in enumerate(HANDS.tolist())}
DEALS = {1: 22_100, 2: 22_100 * 18_424, 3: 22_100 * 18_424 * 15_180}

OWN_RULES = [
    Rules(name="upside-down", order=tuple(reversed(Category)), a23="none"),
    Rules(name="mixed", order=(3, 0, 5, 1, 4, 2), a23="lowest", highest_trips="2"),
    Rules(name="top-card", suit_tiebreak="top_card", a23="highest"),
    Rules(name="card-by-card", suit_tiebreak="card_by_card"),
    Rules(name="aces-235", special_235="beats_aces", a23="highest", highest_trips="3"),
    Rules(
        name="aces-235-suits",
        special_235="beats_aces",
        suit_tiebreak="card_by_card",
        order=(0, 1, 3, 2, 5, 4),
    ),
    Rules(name="235-below-straight-flush", special_235="beats_trips", order=(0, 1, 3, 2, 5, 4)),
    Rules(name="235-sinks", special_235="beats_trips", order=(5, 0, 4, 1, 3, 2), a23="none"),
    Rules(name="235-suits", special_235="beats_trips", suit_tiebreak="top_card"),
    Rules(name="sum-of-ranks", points=(1, 1, 1, 1, 1, 1), a23="none"),
    Rules(name="points-backwards", points=(0, 9, 8, 7, 6, 5), order=tuple(reversed(Category))),
]
RULE_SETS = {rules.name: rules for rules in [*RULES.values(), *OWN_RULES]}
RANKED = [name for name, rules in RULE_SETS.items() if rules.points is None]


def random_rules(seed: int) -> Rules:
    rng = np.random.default_rng(seed)
    return Rules(
        name=f"random-{seed}",
        order=tuple(rng.permutation(6).tolist()),
        a23=str(rng.choice(["lowest", "second", "highest", "none"])),
        special_235=str(rng.choice(["off", "beats_trips", "beats_aces"])),
        highest_trips=str(rng.choice(["2", "3", "A"])),
    )


# --- Totals that were published, or enumerated elsewhere --------------------------------------


def test_categories_of_zha_jin_hua():
    assert exact_categories().counts == (16_440, 3_744, 720, 1_096, 48, 52)
    by_top_card = exact_categories(by="top_card")
    assert by_top_card.counts == (
        *(120, 300, 540, 840, 1_200, 1_620, 2_100, 2_640, 3_240, 3_840),
        *(3_744, 720, 1_096, 48, 52),
    )
    assert by_top_card.labels[9] == "high card A"


def test_heads_up_of_zha_jin_hua():
    showdown = exact_showdown(by="top_card")
    assert showdown.win == (
        *(2_028, 45_264, 244_704, 826_716, 2_167_068, 4_826_028, 9_584_364, 17_479_344),
        *(29_840_736, 47_505_696, 57_094_704, 12_319_752, 19_585_556, 881_176, 956_800),
    )
    assert showdown.draw == (
        *(3_048, 7_620, 13_716, 21_336, 30_480, 41_148, 53_340, 67_056, 82_296, 97_536),
        *(11_232, 18_288, 3_288, 144, 0),
    )
    assert sum(showdown.win) == sum(showdown.lose) == 203_359_936
    assert showdown.exact
    assert showdown.players == 2


def test_best_hand_of_three_and_four():
    assert exact_best(players=3).counts == (
        *(2_549_231_430_240, 2_160_715_900_608, 521_922_683_952),
        *(865_469_488_560, 39_991_220_736, 43_515_947_904),
    )
    assert exact_best(players=4).counts == (
        *(23_447_941_140_657_888, 29_653_346_629_922_976, 7_984_827_987_515_136),
        *(13_820_870_107_027_968, 655_734_069_950_976, 715_108_844_077_056),
    )


def test_pair_plus_returns_what_casinos_publish():
    pays = {
        "high card": -1,
        "pair": 1,
        "flush": 4,
        "straight": 6,
        "three of a kind": 30,
        "straight flush": 40,
    }
    assert exact_categories(rules=THREE_CARD_POKER).expectation(pays) == Fraction(-512, 22_100)


# --- Enumeration, deal by deal ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["zha-jin-hua", "upside-down"])
@pytest.mark.parametrize("by", ["category", "top_card"])
def test_joint_against_enumeration(name, by):
    rules = RULE_SETS[name]
    hands = exact_categories(rules=rules, by=by)
    rows = rows_of(rules, by)
    joint = np.zeros((len(hands.labels),) * 2, dtype=np.int64)
    for hero, weight in representatives():
        others = rows[avoiding(hero)]
        joint[rows[hero]] += weight * np.bincount(others, minlength=len(joint))
    assert np.array_equal(hands.joint, joint)
    assert np.array_equal(joint, joint.T)
    assert joint.sum(axis=1).tolist() == [18_424 * count for count in hands.counts]
    assert all(type(pairs) is int for row in hands.joint for pairs in row)


@pytest.mark.parametrize(
    ("name", "hero"),
    [
        ("zha-jin-hua-235", (0, 5, 14)),
        ("aces-235", (48, 49, 50)),
        ("235-suits", (0, 4, 13)),
    ],
)
def test_one_opponent_by_the_rules_themselves(name, hero):
    rules = RULE_SETS[name]
    seen = Counter()
    for other in HANDS[avoiding(NUMBER_OF[hero])].tolist():
        won, lost = naive.winners([hero, other], rules)
        seen["draw" if won and lost else "win" if won else "lose"] += 1
    found = equity(hero, rules=rules)
    assert (found.win, found.draw, found.lose) == (seen["win"], seen["draw"], seen["lose"])


@pytest.mark.parametrize("name", RULE_SETS)
def test_one_and_two_opponents_deal_by_deal(name):
    rules = RULE_SETS[name]
    hero = [0, 4, 13] if rules.special_235 != "off" else [22, 32, 37]  # 2♦ 3♦ 5♣, or J♣ 10♦ 7♥
    for opponents in (1, 2):
        found = equity(hero, opponents=opponents, rules=rules)
        alone, with_one, with_two, total = enumerate_deals(rules, hero, opponents)
        assert found == Equity(
            win=alone,
            draw=with_one + with_two,
            lose=total - alone - with_one - with_two,
            share=alone + Fraction(with_one, 2) + Fraction(with_two, 3),
            total=total,
            se=0.0,
        )


@pytest.mark.parametrize("name", ["three-card-brag", "235-sinks", "points-backwards"])
def test_heads_up_against_every_hand(name):
    rules = RULE_SETS[name]
    levels = levels_of(rules)
    rows = rows_of(rules, "top_card")
    finer = rows + 100 * np.array([rules.order.index(max(row - 9, 0)) for row in rows.tolist()])
    showdown = exact_showdown(rules=rules, by="top_card")
    seen = {column: Counter() for column in ("win", "draw", "lose", "best")}
    for hero, weight in representatives():
        others = avoiding(hero)
        own, their = levels.at_a_table_of_two(hero, others)
        row = int(rows[hero])
        for column, hit in (("win", own > their), ("draw", own == their), ("lose", own < their)):
            seen[column][row] += weight * int(hit.sum())
        best = np.where(own > their, rows[hero], rows[others])
        higher = np.where(finer[hero] > finer[others], rows[hero], rows[others])
        for row, count in enumerate(np.bincount(np.where(own == their, higher, best))):
            seen["best"][row] += weight * int(count)
    for column, counts in seen.items():
        assert list(getattr(showdown, column)) == [counts[row] for row in range(15)]


# --- What must hold under any rules ---------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", RULE_SETS)
def test_showdown_is_consistent(name, players):
    rules = RULE_SETS[name]
    showdown = exact_showdown(players=players, rules=rules)
    fine = exact_showdown(players=players, rules=rules, by="top_card")
    for column in ("hands", "win", "draw", "lose", "share", "best"):
        counts = getattr(fine, column)
        assert getattr(showdown, column) == (sum(counts[:10]), *counts[10:])
    assert sum(showdown.deals) == sum(showdown.best) == DEALS[players]
    assert sum(showdown.share) == Fraction(DEALS[players], players)
    assert fine.hands == exact_categories(rules=rules, by="top_card").counts
    assert all(type(count) is int for count in (*fine.win, *fine.draw, *fine.lose, *fine.best))
    if players == 2:
        assert sum(showdown.win) == sum(showdown.lose)


@pytest.mark.parametrize("players", [2, 3])
def test_suits_card_by_card_leave_no_draw(players):
    rules = RULE_SETS["card-by-card"]
    assert sum(exact_showdown(players=players, rules=rules).draw) == 0
    assert sum(exact_showdown(players=players, rules=ZHA_JIN_HUA).draw) > 0


@pytest.mark.parametrize("hero_row", [Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND])
def test_equities_add_up_to_the_showdown(hero_row):
    showdown = exact_showdown(players=3, rules=ZHA_JIN_HUA_235)
    of_row = HANDS[rows_of(ZHA_JIN_HUA_235, "category") == hero_row]
    found = [equity(hand, opponents=2, rules=ZHA_JIN_HUA_235) for hand in of_row]
    assert sum(one.win for one in found) == showdown.win[hero_row]
    assert sum(one.draw for one in found) == showdown.draw[hero_row]
    assert sum(one.lose for one in found) == showdown.lose[hero_row]
    assert sum(one.share for one in found) == showdown.share[hero_row]


# --- The best hand at a whole table ---------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [*(RULE_SETS[name] for name in RANKED), *map(random_rules, range(6))],
    ids=lambda rules: rules.name,
)
def test_best_of_few_is_the_showdowns(rules):
    for players, by in ((2, "top_card"), (3, "category")):
        showdown = exact_showdown(players=players, rules=rules, by=by)
        assert exact_best(players=players, rules=rules, by=by).counts == showdown.best
        alone = exact_best(players=1, rules=rules, by=by)
        assert alone.counts == exact_categories(rules=rules, by=by).counts


def test_best_of_three_by_top_card():
    showdown = exact_showdown(players=3, rules=ZHA_JIN_HUA_235, by="top_card")
    best = exact_best(players=3, rules=ZHA_JIN_HUA_235, by="top_card")
    assert best.counts == showdown.best


@pytest.mark.parametrize("name", ["zha-jin-hua-points", "sum-of-ranks"])
def test_best_by_points(name):
    rules = RULE_SETS[name]
    assert exact_best(players=1, rules=rules).counts == exact_categories(rules=rules).counts
    assert exact_best(players=3, rules=rules).counts == exact_showdown(players=3, rules=rules).best
    with pytest.raises(ValueError, match=rf"players: 4 are too many .* under {name}"):
        exact_best(players=4, rules=rules)


@pytest.mark.parametrize("players", [4, 5])
def test_best_at_larger_tables_agrees_with_itself(players):
    total = math.prod(math.comb(52 - 3 * seat, 3) for seat in range(players))
    rows = exact_best(players=players, by="top_card").counts
    categories = exact_best(players=players).counts
    assert sum(categories) == total
    assert categories == (sum(rows[:10]), *rows[10:])
    # What stands above a category does not change how often all hands are below it.
    patti = exact_best(players=players, rules=TEEN_PATTI).counts
    assert patti[:2] == categories[:2]
    assert patti[4:] == categories[4:]
    assert patti[2] + patti[3] == categories[2] + categories[3]
    # Ties that suits break are ties within a category.
    assert exact_best(players=players, rules=RULE_SETS["card-by-card"]).counts == categories
    # A five-high hand holds a five, and there are four.
    assert (rows[0] > 0) == (players <= 4)


@pytest.mark.parametrize("players", [2, 5, 6])
def test_tables_of_one_kind_by_closed_forms(players):
    trips = np.zeros((13, 7), dtype=np.int64)
    trips[:, Category.THREE_OF_A_KIND] = 1
    # Each player has a rank of its own, and one of its four cards stays in the deck.
    expected = math.perm(13, players) * 4**players
    assert exact_table.count_deals(players, trips, a23=True) == expected

    one_suit = np.zeros((13, 7), dtype=np.int64)
    one_suit[:, [Category.FLUSH, Category.STRAIGHT_FLUSH]] = 1
    in_one_suit = [math.prod(math.comb(13 - 3 * seat, 3) for seat in range(n)) for n in range(5)]
    expected = sum(
        math.factorial(players)
        * math.prod(Fraction(in_one_suit[n], math.factorial(n)) for n in sizes)
        for sizes in np.ndindex(5, 5, 5, 5)
        if sum(sizes) == players
    )
    assert exact_table.count_deals(players, one_suit, a23=True) == expected


def test_best_of_six():
    best = exact_best(players=6)
    assert best.total == math.prod(math.comb(52 - 3 * seat, 3) for seat in range(6))
    assert_frequencies(best, ZHA_JIN_HUA, 6, "category", games=200_000)


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("zha-jin-hua", "top_card"),
        ("zha-jin-hua-235", "category"),
        ("aces-235", "category"),
        ("235-sinks", "category"),
        ("mixed", "category"),
    ],
)
def test_best_of_five_is_what_deals_show(name, by):
    rules = RULE_SETS[name]
    best = exact_best(players=5, rules=rules, by=by)
    assert_frequencies(best, rules, 5, by, games=200_000)


def test_sums_of_residues_fit_64_bits():
    p, q = exact_table._PRIMES
    deals = math.prod(math.comb(52 - 3 * seat, 3) for seat in range(6))
    assert p * q > 2 * deals
    every_weight = np.ones(5, dtype=np.int64)
    for held in range(6):
        suited = exact_table._suited_side(held).step_beside(every_weight)
        free = exact_table._free_side(6 - held).step(every_weight)
        # By the number of cards that the free hands take: the most ways into one table.
        into_suited = suited.sum(axis=1).reshape(5, -1).max(axis=1)
        into_free = free.toarray().reshape(5, free.shape[1], -1).sum(axis=1).max(axis=1)
        assert int(into_suited @ into_free) * max(p, q) < 2**63


# --- Equity's words, and errors -------------------------------------------------------------------


def test_equity_of_a_hand():
    nuts = equity([51, 50, 49], opponents=2)
    assert (nuts.win, nuts.draw, nuts.lose) == (18_424 * 15_180, 0, 0)
    assert nuts.equity == 1
    assert nuts.se == 0
    assert str(nuts) == (
        "win 100.0000 %, draw 0.0000 %, lose 0.0000 %; equity 100.0000 % (exact, 279,676,320 deals)"
    )
    assert equity([49, 51, 50], opponents=2) == equity("♠A 红心A Ac", opponents=2) == nuts
    sampled = Equity(win=3, draw=1, lose=4, share=Fraction(7, 2), total=8, se=0.25, exact=False)
    assert str(sampled).endswith(
        "equity 43.7500 % (± 25.0000 % standard error, simulated, 8 deals)"
    )
    assert sampled.to_text("zh").endswith("权益 43.7500 %（标准误 ± 25.0000 %，模拟 8 局）")


def test_equity_against_more_is_simulated():
    hand = [51, 45, 20]
    found = equity(hand, opponents=3, rng=1, games=100_000)
    assert found == equity(hand, opponents=3, rng=1, games=100_000)
    assert found.win + found.draw + found.lose == found.total == 100_000
    assert 0.001 < found.se < 0.002
    assert not found.exact
    assert found.equity < equity(hand, opponents=2).equity
    aces = equity([51, 50, 49], opponents=16, rng=1, games=1_000)
    assert (aces.win, aces.se) == (1_000, 0)
    assert "simulated" in str(aces)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: exact_showdown(players=1), ValueError, "players: 1 is less than 2"),
        (lambda: exact_showdown(players=4), ValueError, "players: 4 is more than 3; simulate"),
        (lambda: exact_showdown(players=2.0), TypeError, "players: expected an integer"),
        (lambda: exact_best(players=0), ValueError, "players: 0 is less than 1"),
        (lambda: exact_best(players=7), ValueError, "players: 7 is more than 6; simulate"),
        (lambda: exact_best(players=True), TypeError, "players: expected an integer"),
        (lambda: exact_categories(by="suit"), ValueError, "by: 'suit' is none of"),
        (lambda: exact_showdown(by="suit"), ValueError, "by: 'suit' is none of"),
        (lambda: exact_best(players=2, by="suit"), ValueError, "by: 'suit' is none of"),
        (lambda: equity("As Kd"), ValueError, "hand: expected three cards, got 2 in 'As Kd'"),
        (lambda: equity("As Kd As"), ValueError, "hand: As comes twice in 'As Kd As'"),
        (lambda: equity("As Kd 1c"), ValueError, "hand: cannot read a card at '1c'"),
        (lambda: equity([1, 2]), ValueError, r"hand: expected three cards, shape \(3,\)"),
        (lambda: equity([[1, 2, 3]]), ValueError, r"hand: expected .* got shape \(1, 3\)"),
        (lambda: equity([1, 2, 2]), ValueError, "twice"),
        (lambda: equity([1, 2, 52]), ValueError, r"outside 0\.\.51"),
        (lambda: equity([1, 2, 3], opponents=0), ValueError, "opponents: 0 is less than 1"),
        (lambda: equity([1, 2, 3], opponents=3, games=0), ValueError, "games: 0 is less than 1"),
        (lambda: equity([1, 2, 3], opponents=17), ValueError, "opponents: 17 is more than 16"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- Oracles ----------------------------------------------------------------------------------


class Levels:
    """The rules' order as numbers: of a hand as it looks, and where 2-3-5 is summoned."""

    def __init__(self, rules: Rules) -> None:
        hands = HANDS.tolist()
        keys = [naive.sort_key(hand, rules) for hand in hands]
        level = {key: 100 * place for place, key in enumerate(sorted(set(keys)))}
        self.plain = np.array([level[key] for key in keys])
        self.raised = self.plain.copy()
        self.summons = np.zeros(len(hands), dtype=bool)
        if rules.special_235 == "off":
            return
        self.summons = np.array([naive.summons_235(hand, rules) for hand in hands])
        three_alike = HANDS[:, 0] // 4 == HANDS[:, 2] // 4
        for number, hand in enumerate(hands):
            if naive.is_235(hand):
                by_suits = sum(4**i * s for i, s in enumerate(reversed(naive.suits(hand, rules))))
                self.raised[number] = self.plain[three_alike].max() + 1 + by_suits

    def at_a_table_of_two(self, hero: int, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        summoned = self.summons[others] | self.summons[hero]
        own = np.where(summoned, self.raised[hero], self.plain[hero])
        return own, np.where(summoned, self.raised[others], self.plain[others])


@cache
def levels_of(rules: Rules) -> Levels:
    return Levels(rules)


BITS = (np.uint64(1) << HANDS.astype(np.uint64)).sum(axis=1, dtype=np.uint64)


def avoiding(hero: int) -> np.ndarray:
    """Numbers of the 18,424 hands that share no card with a hand."""
    return np.flatnonzero(BITS & BITS[hero] == 0)


@cache
def rows_of(rules: Rules, by: str) -> np.ndarray:
    return np.array([naive.row(hand, by, rules) for hand in HANDS.tolist()])


@cache
def representatives() -> list[tuple[int, int]]:
    """One hand for all that differ by which suit is which, and how many those are."""
    found: dict = {}
    for number, hand in enumerate(HANDS.tolist()):
        names: dict[int, int] = {}
        key = tuple((card // 4, names.setdefault(card % 4, len(names))) for card in hand)
        first, count = found.get(key, (number, 0))
        found[key] = first, count + 1
    return list(found.values())


def enumerate_deals(rules: Rules, hero: list[int], opponents: int) -> tuple[int, int, int, int]:
    """Deals in which the hero wins alone, with one, with two others; and all deals."""
    levels, number = levels_of(rules), NUMBER_OF[tuple(sorted(hero))]
    others = avoiding(number)
    if opponents == 1:
        own, their = levels.at_a_table_of_two(number, others)
        return int((own > their).sum()), int((own == their).sum()), 0, len(others)
    # Who beats the hero in either order need not be looked at twice.
    plain, raised = levels.plain[number], levels.raised[number]
    others = others[(levels.plain[others] <= plain) | (levels.raised[others] <= raised)]
    arrays = (table[others] for table in (BITS, levels.plain, levels.raised, levels.summons))
    alone, with_one, with_two = _every_pair(*arrays, plain, raised, levels.summons[number])
    return 2 * alone, 2 * with_one, 2 * with_two, 18_424 * 15_180  # either opponent sits first


@numba.njit
def _every_pair(bits, plain, raised, summons, hero_plain, hero_raised, hero_summons):
    wins = np.zeros(3, np.int64)
    for i in range(len(bits)):
        for j in range(i):
            if bits[i] & bits[j]:
                continue
            if hero_summons or summons[i] or summons[j]:
                own, first, second = hero_raised, raised[i], raised[j]
            else:
                own, first, second = hero_plain, plain[i], plain[j]
            if own >= first and own >= second:
                wins[(own == first) + (own == second)] += 1
    return wins


def assert_frequencies(best, rules, players, by, games):
    """Deal with NumPy alone, and compare within four standard deviations a row."""
    rng = np.random.default_rng(players)
    deals = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (games, 1)), axis=1)
    hands = np.sort(deals[:, : 3 * players].reshape(games, players, 3), axis=2)
    table = np.full((52, 52, 52), -1)
    table[tuple(HANDS.T)] = np.arange(len(HANDS))
    numbers = table[tuple(np.moveaxis(hands, 2, 0))]
    levels = levels_of(rules)
    summoned = levels.summons[numbers].any(axis=1, keepdims=True)
    worth = np.where(summoned, levels.raised[numbers], levels.plain[numbers])
    winner = np.take_along_axis(numbers, worth.argmax(axis=1)[:, np.newaxis], axis=1)
    seen = np.bincount(rows_of(rules, by)[winner[:, 0]], minlength=len(best.labels))
    p = np.array(best.probabilities, dtype=float)
    sigma = np.sqrt(games * p * (1 - p))
    assert seen[p == 0].sum() == 0
    assert (np.abs(seen - games * p) <= 4 * sigma + 1).all()
