"""compare: matching rows, dependent hands, rare and impossible rows, and its statistics."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cardstats.comparison import compare, covariance
from cardstats.results import Distribution, Run, Showdown, Source, Tally

ABC = ("a", "b", "c")
ABC_ZH = ("甲", "乙", "丙")

# A deck small enough to count every deal: four red and four black cards, hands of two, and a
# hand's class is its number of red cards. Three players hold three quarters of the deck, so that
# their hands depend on each other strongly; four hold all of it.
REDS, DECK, SIZE = 4, 8, 2
REDS_LABELS = ("no red", "one red", "two red")


def reds(hand):
    return sum(card < REDS for card in hand)


@pytest.fixture(scope="module")
def red_cards():
    """The exact distribution of the number of red cards, with its joint, by enumeration."""
    hands = list(combinations(range(DECK), SIZE))
    joint = np.zeros((3, 3), dtype=int)
    for one in hands:
        for other in hands:
            if not set(one) & set(other):
                joint[reds(one), reds(other)] += 1
    counts = np.bincount([reds(hand) for hand in hands])
    return Distribution("reds", REDS_LABELS, ("无红", "一红", "两红"), counts, joint)


def deal_reds(rng, games, players):
    """Deal from a shuffled deck and count the classes."""
    decks = rng.permuted(np.tile(np.arange(DECK), (games, 1)), axis=1)
    hands = decks[:, : players * SIZE].reshape(-1, SIZE)
    counts = np.bincount((hands < REDS).sum(axis=1), minlength=3)
    return Tally("dealt", REDS_LABELS, REDS_LABELS, counts, players)


def tally(*counts, players=1):
    return Tally("", ABC[: len(counts)], ABC_ZH[: len(counts)], counts, players)


def distribution(*counts):
    return Distribution("", ABC[: len(counts)], ABC_ZH[: len(counts)], counts)


def uniform(p_values):
    return stats.kstest(p_values, "uniform").pvalue


# --- rows


def test_rows_are_matched_by_label_in_any_order_and_language():
    plain = compare(tally(20, 30, 50), distribution(1, 1, 2))
    for counts in ({"c": 50, "a": 20, "b": 30}, {"丙": 50, "b": 30, "甲": 20}):
        result = compare(Tally.from_counts(counts), distribution(1, 1, 2))
        assert result == plain
        assert result.labels_zh == ABC_ZH
        assert result.counts.tolist() == [20, 30, 50]


def test_a_row_that_was_not_typed_in_counts_nothing():
    result = compare(Tally.from_counts({"a": 20, "c": 20}), distribution(1, 1, 2))
    assert result.counts.tolist() == [20, 0, 20]


def test_a_simulation_may_not_miss_a_row():
    source = Source("game", "rules", "by", 1, (Run(7, (), 0, 40),))
    seen = Tally("", ("a", "c"), ("甲", "丙"), [20, 20], 1, source)
    with pytest.raises(ValueError, match="observed: has no row for b"):
        compare(seen, distribution(1, 1, 2))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"a": 1, "d": 2}, "observed: label 'd' is none of 'a', 'b', 'c'"),
        ({"a": 1, "甲": 2}, "observed: '甲' names a row that another label names too"),
        ({"a": 0, "b": 0}, "observed: there is no hand"),
    ],
)
def test_bad_tallies_are_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        compare(Tally.from_counts(counts), distribution(1, 1, 2))


def test_hands_must_fill_the_games(red_cards):
    seen = Tally.from_counts({"no red": 2, "one red": 5}, players=3)
    with pytest.raises(ValueError, match="observed: 7 hands are not a multiple of 3 players"):
        compare(seen, red_cards)


def test_hands_of_one_deal_need_their_joint_counts():
    with pytest.raises(ValueError, match="2 hands of one deal are not independent"):
        compare(tally(10, 10, players=2), distribution(1, 1))
    with pytest.raises(ValueError, match="2 hands of one deal are not independent"):
        covariance(distribution(1, 1), players=2)
    with pytest.raises(ValueError, match="players: 0 is less than 1"):
        covariance(distribution(1, 1), players=0)


def test_kinds_and_order_are_checked():
    seen, exact = tally(1, 1), distribution(1, 1)
    drawn, counted = showdown(False), showdown(True)
    for pair in ((exact, seen), (seen, seen), (seen, counted), (drawn, exact)):
        with pytest.raises(TypeError, match="compare takes a Tally and a Distribution"):
            compare(*pair)
    for pair in ((counted, drawn), (drawn, drawn), (counted, counted)):
        with pytest.raises(TypeError, match="a simulated Showdown and an exact one, in this order"):
            compare(*pair, of="win")


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_confidence_is_a_share(confidence):
    with pytest.raises(ValueError, match="confidence"):
        compare(tally(1, 1), distribution(1, 1), confidence=confidence)


# --- one hand a deal


def test_chi_square_is_pearsons():
    result = compare(tally(18, 33, 49), distribution(1, 1, 2))
    pearson = stats.chisquare([18, 33, 49], [25, 25, 50])
    assert result.chi2 == pytest.approx(pearson.statistic)
    assert result.p_value == pytest.approx(pearson.pvalue)
    assert result.dof == 2
    assert result.expected.tolist() == [0.25, 0.25, 0.5]
    assert result.observed.tolist() == [0.18, 0.33, 0.49]
    assert result.expected_counts.tolist() == [25, 25, 50]
    assert result.z[0] == pytest.approx((18 - 25) / np.sqrt(100 * 0.25 * 0.75))
    assert result.p == pytest.approx(2 * stats.norm.sf(np.abs(result.z)))


@given(st.integers(0, 40), st.integers(1, 40), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_intervals_are_wilsons_and_exact_where_rare(count, other, confidence):
    result = compare(tally(count, other), distribution(1, 3), confidence=confidence)
    test = stats.binomtest(count, count + other)
    method = "wilson" if result.expected_counts[0] >= 5 else "exact"
    interval = test.proportion_ci(confidence_level=confidence, method=method)
    assert (result.low[0], result.high[0]) == pytest.approx(tuple(interval))
    assert (result.low[1], result.high[1]) == pytest.approx((1 - interval.high, 1 - interval.low))


@given(
    st.lists(st.integers(0, 200), min_size=3, max_size=3).filter(any),
    st.lists(st.sampled_from([0, 1, 10, 10**6]), min_size=3, max_size=3).filter(any),
)
def test_nothing_is_ever_nan(counts, expected):
    result = compare(tally(*counts), distribution(*expected))
    columns = (result.z, result.p, result.low, result.high, result.observed)
    assert not any(np.isnan(column).any() for column in columns)
    assert not np.isnan([result.chi2, result.p_value]).any()
    assert np.all((result.low <= result.observed) & (result.observed <= result.high))
    assert np.all((result.p >= 0) & (result.p <= 1))
    assert 0 <= result.p_value <= 1


def test_p_values_of_independent_hands_are_uniform():
    exact = distribution(15, 4, 1)
    rng = np.random.default_rng(1)
    draws = rng.multinomial(2000, [0.75, 0.2, 0.05], size=500)
    results = [compare(tally(*counts), exact) for counts in draws.tolist()]
    assert uniform([result.p_value for result in results]) > 0.01
    for row in range(3):
        assert uniform([result.p[row] for result in results]) > 0.001
    covered = [(r.low <= r.expected) & (r.expected <= r.high) for r in results]
    assert np.mean(covered, axis=0) == pytest.approx([0.95] * 3, abs=0.03)


# --- hands that share a deal


@pytest.mark.parametrize("players", [1, 2, 3])
def test_covariance_is_that_of_all_deals(players):
    deck = "aaabbc"
    deals = np.array([[deal.count(x) for x in ABC] for deal in permutations(deck, players)])
    pairs = list(permutations(deck, 2))
    joint = [[pairs.count((x, y)) for y in ABC] for x in ABC]
    cards = Distribution("cards", ABC, ABC_ZH, [deck.count(x) for x in ABC], joint)
    assert covariance(cards, players) == pytest.approx(np.cov(deals.T, ddof=0), abs=1e-14)


def test_p_values_of_dependent_hands_are_uniform_and_naive_ones_are_not(red_cards):
    rng = np.random.default_rng(2)
    players = 3
    tallies = [deal_reds(rng, 300, players) for _ in range(500)]
    right = [compare(seen, red_cards) for seen in tallies]
    assert uniform([result.p_value for result in right]) > 0.01
    for row in range(3):
        assert uniform([result.p[row] for result in right]) > 0.001
    naive = [compare(tally(*seen.counts), distribution(*red_cards.counts)) for seen in tallies]
    assert uniform([result.p_value for result in naive]) < 1e-6


def test_intervals_of_dependent_hands_cover(red_cards):
    rng = np.random.default_rng(3)
    results = [compare(deal_reds(rng, 400, 3), red_cards, confidence=0.8) for _ in range(400)]
    covered = [(r.low <= r.expected) & (r.expected <= r.high) for r in results]
    assert np.mean(covered, axis=0) == pytest.approx([0.8] * 3, abs=0.06)


def test_interval_is_wilsons_at_the_effective_number_of_hands(red_cards):
    result = compare(deal_reds(np.random.default_rng(4), 100, 3), red_cards)
    # Negatively correlated hands tell more than 300 independent ones would, here in the middle
    # row; the ends of the interval are where the score test at that number just gives in.
    p = red_cards.probabilities[1]
    variance = covariance(red_cards, 3)[1, 1] / 3
    hands = 300 * float(p * (1 - p)) / variance
    for end in (result.low[1], result.high[1]):
        z = (result.observed[1] - end) / np.sqrt(end * (1 - end) / hands)
        assert abs(z) == pytest.approx(stats.norm.isf(0.025))


def test_at_a_full_table_the_rank_says_how_much_is_free(red_cards):
    seen = deal_reds(np.random.default_rng(5), 200, 4)
    result = compare(seen, red_cards)
    # All cards are dealt, so the red ones add up too: as many hands of two reds as of none.
    assert result.dof == 1
    assert result.chi2 == pytest.approx(result.z[0] ** 2)
    assert 0.001 < result.p_value < 1


def test_counts_that_no_deals_can_give_are_impossible(red_cards):
    seen = Tally("", REDS_LABELS, REDS_LABELS, [170, 460, 170], players=4)
    assert compare(seen, red_cards).p_value > 0
    torn = Tally("", REDS_LABELS, REDS_LABELS, [171, 460, 169], players=4)
    result = compare(torn, red_cards)
    assert (result.chi2, result.p_value) == (np.inf, 0)
    assert np.isfinite(result.z).all()


def test_counts_that_cannot_vary():
    # Two players get the two cards of the deck: one ace and one king, always.
    cards = Distribution("A K", ("ace", "king"), ("尖", "老K"), (1, 1), ((0, 1), (1, 0)))
    always = compare(Tally.from_counts({"ace": 7, "king": 7}, players=2), cards)
    assert always.z.tolist() == [0, 0]
    assert (always.chi2, always.dof, always.p_value) == (0, 0, 1)
    never = compare(Tally.from_counts({"ace": 8, "king": 6}, players=2), cards)
    assert never.z.tolist() == [np.inf, -np.inf]
    assert (never.chi2, never.p_value) == (np.inf, 0)


# --- rare, impossible and certain rows


def labelled(counts):
    labels = tuple(f"row {number}" for number in range(len(counts)))
    return labels, labels, counts


def test_rare_rows_are_pooled_and_get_an_exact_p():
    exact = Distribution("", *labelled((500, 490, 4, 3, 3)))
    seen = Tally("", *labelled((495, 490, 7, 3, 5)))
    result = compare(seen, exact)
    pooled = stats.chisquare([495, 490, 15], [500, 490, 10])
    assert result.dof == 2
    assert result.chi2 == pytest.approx(pooled.statistic)
    assert result.p_value == pytest.approx(pooled.pvalue)
    for row in (2, 3, 4):
        test = stats.binomtest(seen.counts[row].item(), 1000, exact.counts[row] / 1000)
        assert result.p[row] == pytest.approx(test.pvalue)
    assert result.p[0] == pytest.approx(2 * stats.norm.sf(abs(result.z[0])))


def test_a_pool_that_stays_rare_takes_the_next_smallest_row():
    exact = Distribution("", *labelled((700, 290, 6, 2, 2)))
    seen = Tally("", *labelled((690, 295, 8, 4, 3)))
    result = compare(seen, exact)
    pooled = stats.chisquare([690, 295, 15], [700, 290, 10])
    assert result.dof == 2
    assert result.chi2 == pytest.approx(pooled.statistic)


def test_five_times_is_not_rare():
    result = compare(tally(4, 96), distribution(5, 95))
    assert result.dof == 1
    assert result.p[0] == pytest.approx(2 * stats.norm.sf(abs(result.z[0])))


def test_too_few_hands_leave_nothing_to_test():
    result = compare(tally(1, 2), distribution(1, 1))
    assert (result.chi2, result.dof, result.p_value) == (0, 0, 1)
    assert result.p.tolist() == pytest.approx([1, 1])


def test_both_sides_of_a_rare_event_get_the_same_p():
    # As Mahjong: one million deals expect three wins.
    result = compare(tally(10, 10**6 - 10), distribution(3, 10**6 - 3))
    assert result.p[0] == pytest.approx(result.p[1], rel=1e-6)
    assert result.p[0] == pytest.approx(stats.binomtest(10, 10**6, 3e-6).pvalue)
    assert result.dof == 0


def test_an_impossible_row_that_was_seen():
    result = compare(tally(50, 49, 1), distribution(1, 1, 0))
    assert (result.z[2], result.p[2]) == (np.inf, 0)
    assert (result.chi2, result.p_value, result.dof) == (np.inf, 0, 1)
    assert result.outside == "1 of 3 rows outside their interval, 0.1 expected"
    assert "+inf" in str(result)


def test_an_impossible_row_that_was_not_seen_is_no_row():
    result = compare(tally(45, 55, 0), distribution(1, 1, 0))
    assert (result.z[2], result.p[2], result.low[2]) == (0, 1, 0)
    assert result.dof == 1
    assert result.chi2 == pytest.approx(1)


def test_a_certain_row():
    kept = compare(tally(9, 0), distribution(1, 0))
    assert (kept.z[0], kept.p[0], kept.high[0]) == (0, 1, 1)
    assert (kept.chi2, kept.dof, kept.p_value) == (0, 0, 1)
    broken = compare(tally(8, 1), distribution(1, 0))
    assert broken.z.tolist() == [-np.inf, np.inf]
    assert broken.p.tolist() == [0, 0]
    assert (broken.chi2, broken.p_value) == (np.inf, 0)


def test_p_values_of_rare_rows_keep_their_promise():
    exact = distribution(1, 1, 998)
    rng = np.random.default_rng(6)
    draws = rng.multinomial(2000, [0.001, 0.001, 0.998], size=400)
    p = np.array([compare(tally(*counts), exact).p[0] for counts in draws.tolist()])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(p <= level) <= level + 3 * np.sqrt(level / len(p))


# --- showdowns


def showdown(exact, win=(30, 60), draw=(10, 0), lose=(60, 40), best=(50, 150), **changes):
    deals = tuple(map(sum, zip(win, draw, lose, strict=True)))
    told = {
        "title": "table",
        "labels": ("low", "high"),
        "labels_zh": ("小", "大"),
        "players": 2,
        "hands": (1, 1) if exact else deals,
        "share": [w + Fraction(d, 2) for w, d in zip(win, draw, strict=True)],
    }
    return Showdown(exact=exact, win=win, draw=draw, lose=lose, best=best, **(told | changes))


def test_showdowns_are_compared_within_each_class():
    seen = showdown(False, win=(12, 33), draw=(3, 0), lose=(25, 17), best=(20, 70))
    result = compare(seen, showdown(True), of="win")
    assert result.title == "win: table"
    assert result.expected.tolist() == [0.3, 0.6]
    assert result.observed.tolist() == [12 / 40, 33 / 50]
    assert result.expected_counts.tolist() == [12, 30]
    z = [0, 3 / np.sqrt(50 * 0.6 * 0.4)]
    assert result.z == pytest.approx(z)
    assert (result.chi2, result.dof) == (pytest.approx(z[1] ** 2), 2)
    wilson = stats.binomtest(33, 50).proportion_ci(method="wilson")
    assert (result.low[1], result.high[1]) == pytest.approx(tuple(wilson))


def test_draws_that_cannot_come_are_no_row():
    seen = showdown(False, win=(30, 36), draw=(12, 0), lose=(58, 24), best=(40, 120))
    result = compare(seen, showdown(True), of="draw")
    assert result.dof == 1
    assert (result.z[1], result.p[1]) == (0, 1)


def test_rare_draws_are_pooled_over_the_classes():
    exact = showdown(True, win=(98, 96), draw=(2, 4), lose=(0, 0), best=(100, 100))
    seen = showdown(False, win=(95, 98), draw=(5, 2), lose=(0, 0), best=(100, 100))
    result = compare(seen, exact, of="draw")
    assert result.dof == 1
    assert result.chi2 == pytest.approx((7 - 6) ** 2 / (100 * 0.02 * 0.98 + 100 * 0.04 * 0.96))
    assert result.p[0] == pytest.approx(stats.binomtest(5, 100, 0.02).pvalue)


def test_best_hands_are_compared_over_the_games():
    seen = showdown(False, win=(12, 33), draw=(3, 0), lose=(25, 17), best=(20, 70))
    result = compare(seen, showdown(True), of="best")
    pearson = stats.chisquare([20, 70], [22.5, 67.5])
    assert result.chi2 == pytest.approx(pearson.statistic)
    assert (result.dof, result.title) == (1, "best: table, against table")


def test_rows_of_showdowns_are_matched_by_label():
    seen = showdown(False, win=(12, 33), draw=(3, 0), lose=(25, 17), best=(20, 70))
    turned = showdown(
        False,
        win=(33, 12),
        draw=(0, 3),
        lose=(17, 25),
        best=(70, 20),
        labels=("大", "low"),
        labels_zh=("high", "小"),
    )
    for of in ("win", "draw", "lose", "best"):
        assert compare(turned, showdown(True), of=of) == compare(seen, showdown(True), of=of)


def test_a_class_never_dealt_is_neutral():
    seen = showdown(False, win=(0, 55), draw=(0, 0), lose=(0, 45), best=(0, 100))
    result = compare(seen, showdown(True), of="win")
    assert (result.z[0], result.p[0]) == (0, 1)
    assert np.isnan(result.observed[0])
    assert (result.low[0], result.high[0]) == (0, 1)
    assert result.dof == 1
    assert result.outside == "0 of 2 rows outside their interval, 0.1 expected"


@pytest.mark.parametrize("of", ["win", "draw", "lose", "best"])
def test_a_class_that_cannot_be_dealt_contradicts_whatever_it_did(of):
    exact = showdown(True, win=(0, 100), draw=(0, 0), lose=(0, 100), best=(0, 200), hands=(0, 1))
    seen = showdown(False, win=(0, 50), draw=(0, 0), lose=(1, 49), best=(1, 99))
    result = compare(seen, exact, of=of)
    assert (result.z[0], result.p[0]) == (np.inf, 0)
    assert (result.chi2, result.p_value) == (np.inf, 0)


def test_bad_showdowns_are_refused():
    drawn, exact = showdown(False), showdown(True)
    with pytest.raises(ValueError, match="one of 'win', 'draw', 'lose', 'best'; got None"):
        compare(drawn, exact)
    with pytest.raises(ValueError, match="of: 'tie' is none of 'win', 'draw', 'lose', 'best'"):
        compare(drawn, exact, of="tie")
    with pytest.raises(ValueError, match="of: 'win' is asked of two Showdowns"):
        compare(tally(1, 1), distribution(1, 1), of="win")
    three = showdown(True, players=3, share=(30 + Fraction(10, 3), 60))
    with pytest.raises(ValueError, match="observed has 2 at the table, expected 3"):
        compare(drawn, three, of="win")
    nothing = showdown(False, win=(0, 0), draw=(0, 0), lose=(0, 0), best=(0, 0))
    with pytest.raises(ValueError, match="observed: there is no deal"):
        compare(nothing, exact, of="win")


@pytest.mark.parametrize("of", ["win", "best"])
def test_showdowns_need_every_row(of):
    one_row = showdown(False, (1,), (0,), (1,), (2,), labels=("low",), labels_zh=("小",))
    with pytest.raises(ValueError, match="observed: has no row for high"):
        compare(one_row, showdown(True), of=of)


def test_p_values_of_showdowns_are_uniform():
    rng = np.random.default_rng(7)
    p_values = []
    for _ in range(400):
        deals = rng.multinomial(1000, [0.5, 0.5])
        low = rng.multinomial(deals[0], [0.3, 0.1, 0.6]).tolist()
        high = rng.multinomial(deals[1], [0.6, 0.0, 0.4]).tolist()
        outcomes = tuple(zip(low, high, strict=True))
        seen = showdown(False, *outcomes, best=deals)
        p_values.append(compare(seen, showdown(True), of="win").p_value)
    assert uniform(p_values) > 0.01


@pytest.mark.parametrize(
    ("counts", "total"),
    [({"rare": 19, "usual": 0}, 22_100), ({"rare": 1_000, "usual": 999_000}, 333_333)],
)
def test_contradictions_too_rare_for_chi_square_are_not_called_a_fit(counts, total):
    exact = Distribution("rare", ("rare", "usual"), ("少", "多"), (1, total - 1))
    result = compare(Tally.from_counts(counts), exact)
    assert result.dof == 0
    assert result.p_value < 1e-20
    assert "too few for chi2" in str(result)


def test_the_best_hand_is_compared_with_its_distribution():
    seen = three_card_free_showdown()
    exact = Distribution("best", seen.labels, seen.labels_zh, seen.best)
    assert compare(seen, exact, of="best").chi2 == 0
    with pytest.raises(TypeError, match="compare takes"):
        compare(seen, exact, of="win")


def three_card_free_showdown():
    return Showdown(
        "s",
        ("low", "high"),
        ("低", "高"),
        players=2,
        exact=False,
        hands=(50, 50),
        win=(10, 30),
        draw=(10, 10),
        lose=(30, 10),
        share=(15, 35),
        best=(40, 60),
    )


def test_published_figures_have_a_column():
    exact = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    result = compare(Tally.from_counts({"heads": 5, "tails": 5}), exact, published={"正": 0.4})
    assert result.published[0] == 0.4
    assert np.isnan(result.published[1])
    assert "publ. %" in str(result)
    assert result.to_dict()["published"][0] == 0.4


@pytest.mark.parametrize("confidence", ["0.9", None, [0.9], True])
def test_a_confidence_that_is_no_number_is_refused(confidence):
    exact = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    with pytest.raises(TypeError, match="confidence: expected a number"):
        compare(Tally.from_counts({"heads": 5, "tails": 5}), exact, confidence=confidence)
