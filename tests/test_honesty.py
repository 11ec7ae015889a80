"""Whether `compare` keeps its word on dealt hands: coverage, uniform p-values, biases caught.

Runs are judged by criteria, each of which is a p-value itself: what a thousand pinned runs say
against what they should. There are some two hundred, so that LEAST_P lets a right library pass
with other seeds too, 998 times of a thousand; what is wrong falls far below it, as tests of
planted errors show.
"""

import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from cardstats import blackjack, comparison, mahjong, three_card
from cardstats.comparison import compare, covariance
from cardstats.results import Distribution, Tally

LEAST_P = 1e-5
FIRST_SEED = 0  # another one makes all runs anew

RUNS, FEW_RUNS = 1000, 300
# By players. The rarest row is expected 400 times or more, and its p takes many values.
GAMES = {1: 200_000, 5: 40_000, 17: 20_000}
LEVELS = (0.8, 0.95)

each_by = pytest.mark.parametrize("by", ["category", "top_card"])


@cache
def exact_of(by):
    return three_card.exact_categories(by=by)


@cache
def dealt(players, by):
    """Honest runs, which several tests judge."""
    return [
        three_card.simulate(GAMES[players], players=players, by=by, rng=FIRST_SEED + run)
        for run in range(RUNS)
    ]


@cache
def compared(players, by, confidence=0.95):
    return [compare(tally, exact_of(by), confidence=confidence) for tally in dealt(players, by)]


# --- criteria ---


def uniform(p_values):
    return stats.kstest(p_values, "uniform").pvalue


def adds_up(results):
    """Is the sum of the runs' chi-squares a chi-square?

    The p-values, looked at one by one, are slower to tell a variance from a slightly wrong one.
    """
    law = stats.chi2(sum(result.dof for result in results))
    statistic = sum(result.chi2 for result in results)
    return 2 * min(law.cdf(statistic), law.sf(statistic))


def of_all_rows(results):
    """Criteria of the tests of all rows at once."""
    p_values = [result.p_value for result in results]
    return {"p uniform": uniform(p_values), "sum of chi-squares": adds_up(results)}


def of_each_row(results):
    p_values = np.array([result.p for result in results]).T
    return {
        f"p uniform, {label}": uniform(p)
        for label, p in zip(results[0].labels, p_values, strict=True)
    }


def coverage(results):
    """Criteria of the rows' intervals, each in as many runs around the truth as it should be."""
    held = sum(
        (result.low <= result.expected) & (result.expected <= result.high) for result in results
    )
    told, one = {}, results[0]
    trials = one.counts.sum().item()
    for label, chance, count in zip(one.labels, one.expected.tolist(), held.tolist(), strict=True):
        share = covering(trials, chance, one.confidence)
        told[f"coverage, {label}"] = stats.binomtest(count, len(results), share).pvalue
    return told


def covering(trials, chance, level):
    """Probability that Wilson's interval holds the truth, which it does where |z| is below q.

    It is not quite its level, as counts are whole. The binomial tells how far off that is for
    hands of one deal too: rows so rare that it matters hardly meet themselves there.
    """
    mean = trials * chance
    reach = stats.norm.isf((1 - level) / 2) * math.sqrt(mean * (1 - chance))
    law = stats.binom(trials, chance)
    held = law.cdf(math.floor(mean + reach)) - law.cdf(math.ceil(mean - reach) - 1)
    assert held == pytest.approx(level, abs=0.01)
    return held


def assert_honest(criteria):
    assert min(criteria.values()) > LEAST_P, min(criteria, key=criteria.get)


# --- honest runs ---


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("players", [1, 5])
@each_by
def test_intervals_cover_as_often_as_they_say(by, players, level):
    assert_honest(coverage(compared(players, by, level)))


@pytest.mark.parametrize("players", [1, 5])
@each_by
def test_p_values_are_uniform(by, players):
    results = compared(players, by)
    assert_honest(of_all_rows(results) | of_each_row(results))


def naive_p_values(tallies, by):
    """Pearson's chi-square, as if all hands came from decks of their own."""
    chances = np.array(exact_of(by).probabilities, float)
    return [stats.chisquare(tally.counts, tally.total * chances).pvalue for tally in tallies]


@pytest.mark.slow
def test_only_the_right_chi_square_stands_a_full_table():
    """17 hands of one deal are far from independent: Pearson's chi-square is too small for them."""
    tallies = dealt(17, "top_card")
    results = compared(17, "top_card")
    assert_honest(of_all_rows(results) | of_each_row(results))
    assert uniform(naive_p_values(tallies, "top_card")) < LEAST_P
    for level in LEVELS:
        assert_honest(coverage(compared(17, "top_card", level)))


# --- planted errors of the statistics: each of the criteria can fail ---


WRONG = {
    "too small": lambda true, naive: 0.9 * true,
    "too large": lambda true, naive: 1.1 * true,
    "of the wrong sign": lambda true, naive: 2 * naive - true,
    "naive": lambda true, naive: naive,
}


@pytest.mark.parametrize(
    ("players", "wrong"),
    [
        (1, "too small"),
        (5, "too large"),
        (5, "of the wrong sign"),
        *(pytest.param(17, wrong, marks=pytest.mark.slow) for wrong in WRONG),
    ],
)
def test_a_wrong_covariance_is_found_out(players, wrong, monkeypatch):
    exact = exact_of("top_card")
    told = WRONG[wrong](covariance(exact, players), players * covariance(exact))
    monkeypatch.setattr(comparison, "covariance", lambda *_: told)
    criteria = of_all_rows([compare(tally, exact) for tally in dealt(players, "top_card")])
    assert max(criteria.values()) < LEAST_P


def test_a_level_that_is_not_kept_is_found_out():
    """Intervals 5 per cent too narrow, and said to be so wide: all rows' together give it away."""
    held = np.array(
        [
            (result.low <= result.expected) & (result.expected <= result.high)
            for result in compared(1, "top_card", 0.8)
        ]
    )
    assert stats.binomtest(held.sum(), held.size, 0.8).pvalue > LEAST_P
    assert stats.binomtest(held.sum(), held.size, 0.825).pvalue < LEAST_P


# --- the covariance, entry by entry ---


def counts_of_games(games, players, by):
    """Hands of each class in each game, shape (games, k)."""
    hands = three_card.deal(games, players=players, rng=FIRST_SEED)
    rows = three_card.classify(hands).astype(int)
    if by == "top_card":
        lowest, high_cards = three_card.rules.LOWEST_TOP_CARD, len(exact_of(by).labels) - 6
        rows = np.where(rows == 0, hands.max(axis=-1) // 4 - lowest, rows + high_cards)
    classes = len(exact_of(by).labels)
    places = rows + classes * np.arange(games)[:, np.newaxis]
    counts = np.bincount(places.ravel(), minlength=classes * games).reshape(games, classes)
    assert counts.sum(axis=0).tolist() == three_card.tally(hands, by=by).counts.tolist()
    return counts


def errors_of(matrix, counts):
    """By entry: how many standard errors it is from the covariance of the counts."""
    centred = counts - counts.mean(axis=0)
    seen = centred.T @ centred / len(counts)
    squares = (centred**2).T @ centred**2 / len(counts)
    return np.abs(matrix - seen) / np.sqrt((squares - seen**2) / len(counts))


@pytest.mark.parametrize("players", [5, 17])
@each_by
def test_covariance_is_that_of_dealt_games(by, players):
    """A row whose variance is off would be lost among the others' in a chi-square."""
    counts = counts_of_games(2_500_000 // players, players, by)
    true = covariance(exact_of(by), players)
    limit = stats.norm.isf(LEAST_P / 2)
    assert errors_of(true, counts).max() < limit
    for row in range(len(true)):
        wrong = true.copy()
        wrong[row, row] *= 0.9
        assert errors_of(wrong, counts)[row, row] > limit


# --- few hands, rare rows ---


def missing(mean, level):
    """Probability that the interval of a row with this expected count leaves out the truth."""
    trials, times = 10_000, 1000  # counts of the distribution are whole
    chances = (round(times * mean), times * trials - round(times * mean))
    exact = Distribution("", ("row", "rest"), ("行", "余"), chances)
    law = stats.binom(trials, chances[0] / sum(chances))
    counts = range(int(law.isf(1e-9)) + 2)
    results = [
        compare(Tally.from_counts({"row": seen, "rest": trials - seen}), exact, confidence=level)
        for seen in counts
    ]
    missed = [not result.low[0] <= result.expected[0] <= result.high[0] for result in results]
    return law.pmf(counts)[missed].sum()


RARE_MEANS = np.geomspace(0.05, 0.99 * comparison.RARE, 20).round(3)
OTHER_MEANS = np.geomspace(comparison.RARE, 50, 10).round(3)


@pytest.mark.parametrize("level", [*LEVELS, 0.99])
def test_intervals_of_rare_rows_never_promise_too_much(level):
    """Exactly, count by count. Where rows are barely not rare, Wilson's may miss more often."""
    assert max(missing(mean, level) for mean in RARE_MEANS) <= 1 - level
    assert max(missing(mean, level) for mean in OTHER_MEANS) <= 1.7 * (1 - level)


def test_wilsons_interval_of_rare_rows_is_found_out(monkeypatch):
    monkeypatch.setattr(comparison, "RARE", 1e-9)
    assert max(missing(mean, 0.95) for mean in RARE_MEANS) > 3 * 0.05


@pytest.mark.parametrize(("players", "games"), [(1, 200), (5, 400)])
def test_small_p_values_of_few_hands_are_not_too_frequent(players, games):
    """Straight flushes are expected 0.4 or 4 times; p of rare rows is exact, of others normal."""
    exact = exact_of("top_card")
    results = [
        compare(three_card.simulate(games, players=players, by="top_card", rng=seed), exact)
        for seed in range(FIRST_SEED, FIRST_SEED + FEW_RUNS)
    ]
    rare = comparison.rare_rows(results[0])
    assert rare.any()
    of_rows = np.array([result.p for result in results])
    of_all = np.array([result.p_value for result in results])
    for level in (0.01, 0.05):
        most = np.where(rare, level, 1.6 * level)
        assert stats.binom.sf((of_rows <= level).sum(axis=0) - 1, FEW_RUNS, most).min() > LEAST_P
        assert stats.binom.sf((of_all <= level).sum() - 1, FEW_RUNS, 1.5 * level) > LEAST_P


# --- planted biases ---

BIAS = 0.01  # of a class's probability, at the cost of high cards or of all others
# An alarm: one time in a hundred false, and the slightest bias below is still four times as far
# off as it takes for the row alone.
ALARM = 0.01
PLANTED = [
    *((label, players, 10**7) for label in ("straight", "flush", "pair") for players in (1, 5)),
    *(
        pytest.param(label, 1, 10**8, marks=pytest.mark.slow)
        for label in ("three of a kind", "straight flush")
    ),
]
PLANTED_RUNS = {10**7: 50, 10**8: 25}  # by hands


@cache
def long_runs(players, hands):
    return [
        three_card.simulate(hands // players, players=players, rng=FIRST_SEED + RUNS + run)
        for run in range(PLANTED_RUNS[hands])
    ]


def planted(tally, label, rng):
    """Make some of the high cards hands of a class: as if it were dealt more often."""
    exact = exact_of("category")
    row, counts = exact.index(label), tally.counts.copy()
    moved = rng.binomial(counts[0], BIAS * float(exact.probabilities[row] / exact.probabilities[0]))
    counts[[0, row]] += [-moved, moved]
    return Tally("planted", tally.labels, tally.labels_zh, counts, tally.players)


def alarms(tallies, row):
    """In how many runs are all rows together suspicious, and how often is this one?"""
    results = [compare(tally, exact_of("category")) for tally in tallies]
    of_row = [result.p[row] < ALARM / len(result.p) for result in results]  # Bonferroni
    return sum(result.p_value < ALARM for result in results), sum(of_row)


def powers(shift, row, players, hands):
    """Probabilities of both alarms, where each hand's probabilities are off by `shift`.

    Chi-square is noncentral then, by games · dᵀ V⁺ d for a game's counts off by d; the row's z
    is normal about its own deviation.
    """
    matrix = covariance(exact_of("category"), players)
    off, games = players * shift, hands / players
    dof = len(off) - 1
    noncentrality = games * off @ np.linalg.pinv(matrix, rcond=1e-9, hermitian=True) @ off
    of_all = stats.ncx2.sf(stats.chi2.isf(ALARM, dof), dof, noncentrality)
    z = math.sqrt(games / matrix[row, row]) * abs(off[row])
    of_row = stats.norm.sf(stats.norm.isf(ALARM / len(off) / 2) - z)
    return of_all, of_row


def assert_caught(tallies, row, shift):
    """As often as theory says, which is nearly always."""
    players, hands, runs = tallies[0].players, tallies[0].total, len(tallies)
    for count, power in zip(alarms(tallies, row), powers(shift, row, players, hands), strict=True):
        assert power > 0.85
        assert stats.binomtest(count, runs, power).pvalue > LEAST_P


def assert_quiet(tallies, row):
    for count in alarms(tallies, row):
        assert stats.binom.sf(count - 1, len(tallies), ALARM) > LEAST_P


@pytest.mark.parametrize(("label", "players", "hands"), PLANTED)
def test_a_planted_bias_is_caught(label, players, hands):
    exact = exact_of("category")
    row, rng = exact.index(label), np.random.default_rng(FIRST_SEED)
    shift = np.zeros(len(exact.labels))
    shift[[0, row]] = np.array([-BIAS, BIAS]) * float(exact.probabilities[row])
    runs = long_runs(players, hands)
    assert_quiet(runs, row)
    assert_caught([planted(tally, label, rng) for tally in runs], row, shift)


def redealt(label, redraws, seed, *, blindly=False):
    """Deal 10^7 hands with a bias: the dealer takes back a hand that is not of the class.

    He does so with probability `redraws`, and deals another from the rest of the deck; or takes
    back any hand `blindly`, which changes nothing.
    """
    rng = np.random.default_rng(seed)
    row = three_card.Category.from_label(label)
    counts = np.zeros(len(exact_of("category").labels), int)
    for _ in range(10):
        classes = three_card.classify(three_card.deal(10**6, players=2, rng=rng))
        back = rng.random(10**6) < redraws
        if not blindly:
            back &= classes[:, 0] != row
        counts += np.bincount(np.where(back, classes[:, 1], classes[:, 0]), minlength=len(counts))
    return Tally(
        "dealt with a bias", exact_of("category").labels, exact_of("category").labels_zh, counts
    )


@pytest.mark.parametrize("label", ["straight", "flush", "pair"])
def test_a_dealer_who_redraws_is_caught(label):
    exact = exact_of("category")
    row, chances = exact.index(label), np.array(exact.probabilities, float)
    joint = np.array(exact.joint, float) / np.sum(exact.joint)
    # Of the class are its hands, and the redrawn share of those dealt after another class.
    others = np.arange(len(chances)) != row
    redraws = BIAS * chances[row] / joint[others, row].sum()
    shift = redraws * (joint[others].sum(axis=0) - np.where(others, chances, 0))
    assert shift[row] == pytest.approx(BIAS * chances[row])
    runs = [redealt(label, redraws, FIRST_SEED + run) for run in range(3)]
    assert_caught(runs, row, shift)
    assert_quiet([redealt(label, 0.5, FIRST_SEED, blindly=True)], row)


# --- the other comparisons ---


@pytest.mark.parametrize(
    ("of", "players"), [("win", 2), ("draw", 2), ("lose", 2), ("best", 2), ("win", 3), ("best", 3)]
)
def test_p_values_of_showdowns_are_uniform(of, players):
    exact = three_card.exact_showdown(players=players)
    assert_honest(of_all_rows([compare(shown, exact, of=of) for shown in showdowns(players)]))


@cache
def showdowns(players):
    return [
        three_card.simulate_showdown(100_000, players=players, rng=FIRST_SEED + run)
        for run in range(FEW_RUNS)
    ]


@pytest.mark.parametrize("size", [13, 14])
def test_p_values_of_shanten_numbers_are_uniform(size):
    exact = mahjong.exact_shanten(size=size)
    runs = [mahjong.simulate(20_000, size=size, rng=FIRST_SEED + run) for run in range(FEW_RUNS)]
    assert_honest(of_all_rows([compare(tally, exact) for tally in runs]))


@pytest.mark.parametrize("policy", [blackjack.MIMIC_DEALER, blackjack.stand_on(12)])
def test_p_values_of_blackjack_are_uniform(policy):
    exact = blackjack.exact_outcome(policy).distribution
    runs = [blackjack.simulate(20_000, policy, rng=FIRST_SEED + run) for run in range(FEW_RUNS)]
    results = [compare(tally, exact) for tally in runs]
    assert_honest(of_all_rows(results) | of_each_row(results))
