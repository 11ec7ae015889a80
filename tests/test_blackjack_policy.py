"""Policies as data: tables, single hands, thresholds, and the chart that they print."""

import math
import pickle
from collections import Counter

import naive_blackjack as naive
import numpy as np
import pytest

from cardstats import plot
from cardstats.blackjack.chart import reached
from cardstats.blackjack.decks import best_total, compositions, seen_hands
from cardstats.blackjack.exact import exact_outcome, optimal_policy
from cardstats.blackjack.policy import MIMIC_DEALER, Policy, stand_on
from cardstats.blackjack.rules import Rules


def own_table():
    hit = np.zeros((22, 2, 11), dtype=bool)
    hit[:12] = True
    hit[12:17, 0, 7:] = hit[12:17, 0, 1] = True
    hit[:18, 1] = True
    return hit


# --- Hands by number ------------------------------------------------------------------------------


def test_hands_are_numbered():
    hands = compositions()
    assert len(hands.hands) == 1 + 10 + 3072
    assert hands.hands[0] == ()
    assert hands.hands[1:11] == tuple((value,) for value in range(1, 11))
    assert [len(seen_hands(seen)) for seen in range(3)] == [1, 10, 55]
    assert sorted(set(hands.hands)) == sorted(hands.hands)
    for number in range(0, len(hands.hands), 7):
        hand = hands.hands[number]
        assert hands.numbers[hand] == number
        assert number in range(*hands.of_size[len(hand)].indices(len(hands.hands)))
        assert best_total(hand) == (hands.total[number], bool(hands.soft[number]))
        assert best_total(hand) == (naive.total(hand), naive.is_soft(hand))
        assert [hand.count(value) for value in range(1, 11)] == hands.counts[number].tolist()
        for value in range(1, 11):
            after = hands.after[number, value - 1]
            longer = tuple(sorted((*hand, value)))
            assert (after == -1) if naive.total(longer) > 21 else (hands.hands[after] == longer)


# --- Thresholds and tables ------------------------------------------------------------------------


@pytest.mark.parametrize("total", range(4, 22))
def test_thresholds_go_by_best_total(total):
    policy = stand_on(total)
    assert policy.dealer_cards_seen == 0
    for hand in compositions().hands[11::13]:
        assert policy.hits(hand) == (naive.total(hand) < total)


def test_mimic_does_as_the_dealer():
    assert MIMIC_DEALER.name == "mimic the dealer"
    assert np.array_equal(MIMIC_DEALER.hit, stand_on(17).hit)
    rules = Rules()
    for hand in compositions().hands[11::13]:
        assert MIMIC_DEALER.hits(hand) == naive.dealer_draws(hand, rules)


def test_a_table_decides_by_its_cell():
    hit = own_table()
    policy = Policy.from_table(hit, name="mine")
    for hand in compositions().hands[11::29]:
        for upcard in range(1, 11):
            cell = naive.total(hand), int(naive.is_soft(hand)), upcard
            assert policy.hits(hand, [upcard]) == hit[cell]
    hit[:] = False
    assert policy.hits("10 6", "9")  # the policy keeps its own


def test_a_natural_is_played_as_the_table_says():
    hit = np.zeros((22, 2, 11), dtype=bool)
    hit[21, 1] = True
    outcome = exact_outcome(Policy.from_table(hit))
    assert outcome.natural == 0
    assert exact_outcome(stand_on(4)).win > outcome.win > 0


def test_a_table_without_upcard_uses_the_first_column():
    hit = np.zeros((22, 2, 11), dtype=bool)
    hit[:15, :, 0] = True
    policy = Policy.from_table(hit, dealer_cards_seen=0)
    assert exact_outcome(policy).ev == exact_outcome(stand_on(15)).ev


@pytest.mark.parametrize("decks", [1, 8, math.inf])
def test_the_same_plays_by_table_and_by_composition(decks):
    rules = Rules(decks=decks)
    table = Policy.from_table(own_table())
    spelled_out = Policy(name="same", hit=table.by_composition(), dealer_cards_seen=1)
    assert not spelled_out.is_table
    assert exact_outcome(spelled_out, rules=rules).ev == exact_outcome(table, rules=rules).ev
    for seen in (1, 2):
        blind = Policy(name="blind", hit=stand_on(14).by_composition(seen), dealer_cards_seen=seen)
        expected = exact_outcome(stand_on(14), rules=rules).distribution.probabilities
        assert exact_outcome(blind, rules=rules).distribution.probabilities == expected


# --- Single hands ---------------------------------------------------------------------------------


def test_single_hands():
    policy = Policy.from_compositions(
        {("10 2", "4"): True, ((2, 3, "K"), (4,)): False},
        otherwise=Policy.from_table(own_table()),
        name="with exceptions",
    )
    assert policy.hits("2 10", [4])
    assert not policy.hits("9 3", "4")
    assert not policy.hits("K 3 2", "4")
    assert (
        policy.by_composition().sum() == Policy.from_table(own_table()).by_composition().sum() + 1
    )


def test_single_hands_may_see_more():
    policy = Policy.from_compositions(
        {("10 9", "K J"): True}, otherwise=stand_on(17), dealer_cards_seen=2
    )
    assert policy.hits("9 10", [10, 10])
    assert not policy.hits("9 10", [10, 9])
    assert policy.hits("10 6", [10, 9])


def test_a_policy_is_a_value():
    policy = Policy.from_table(own_table(), name="mine")
    again = Policy.from_table(own_table(), name="mine")
    assert policy == again
    assert hash(policy) == hash(again)
    assert policy != stand_on(12)
    assert policy != "mine"
    with pytest.raises(AttributeError):
        policy.name = "yours"
    with pytest.raises(ValueError, match="read-only"):
        policy.hit[0, 0, 0] = False
    travelled = pickle.loads(pickle.dumps(policy))
    assert travelled == policy
    assert not travelled.hit.flags.writeable
    assert repr(policy) == "<Policy by total, 1 dealer cards seen: mine>"


# --- Charts ---------------------------------------------------------------------------------------


def test_chart_of_a_threshold():
    chart = stand_on(15).chart()
    assert chart.labels == (
        *(f"hard {total}" for total in range(4, 22)),
        *(f"soft {total}" for total in range(12, 22)),
    )
    assert chart.columns == ("any",)
    assert chart.hits[:, 0].tolist() == [t < 15 for t in (*range(4, 22), *range(12, 22))]
    assert "*" not in str(chart)


def test_chart_of_a_table():
    policy = Policy.from_table(own_table(), name="mine")
    chart = policy.chart()
    assert chart.columns == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    assert set(chart.hits.ravel().tolist()) == {0.0, 1.0}
    lines = str(policy).splitlines()
    assert lines[0] == "mine"
    assert lines[1].split() == ["total", *chart.columns]
    assert lines[3 + 12].split() == ["hard", "16", *"SSSSSHHHHH"]
    assert policy._repr_html_() == chart.to_html()


def test_chart_marks_where_hands_disagree():
    policy = optimal_policy()
    lines = {line[:7]: line[7:].split() for line in str(policy).splitlines()}
    assert lines["hard 16"] == ["S", "S", "S", "S", "S", "H*", "H*", "H*", "H*", "H"]
    assert lines["hard 11"] == ["H"] * 10
    assert lines["soft 18"] == ["S", "S", "S", "S", "S", "S", "S", "H", "H*", "S*"]
    chart = policy.chart()
    row, column = chart.labels.index("hard 16"), chart.columns.index("10")
    # 10-6 and 9-7, the most common hands of 16, draw; many of three cards and more do not.
    assert 0.5 < chart.hits[row, column] < 1
    assert policy.hits("10 6", "10")
    assert not policy.hits("6 5 5", "10")


def test_chart_of_both_dealer_cards():
    policy = optimal_policy(dealer_cards_seen=2)
    chart = policy.chart()
    assert chart.columns == (
        *map(str, range(4, 17)), "AA", "A2", "A3", "A4", "A5", "A6", "17", "18", "19", "20", "21"
    )  # fmt: skip
    assert max(map(len, str(policy).splitlines())) <= 80
    hits = dict(zip(chart.columns, chart.hits[chart.labels.index("hard 18")], strict=True))
    assert (hits["18"], hits["19"], hits["20"], hits["21"]) == (0, 1, 1, 0)


def test_chart_leaves_out_what_never_comes():
    never = Policy.from_compositions({}, otherwise=stand_on(4), dealer_cards_seen=1)
    chart = never.chart()
    assert np.isnan(chart.hits[chart.labels.index("hard 21")]).all()
    assert (chart.hits[chart.labels.index("hard 20")] == 0).all()
    assert str(chart).splitlines()[3 + 17].strip() == "hard 21"


def test_chart_in_chinese():
    text = optimal_policy(dealer_cards_seen=0).to_text("zh")
    assert text.splitlines()[0] == "最佳打法，见庄家 0 张牌"
    assert "硬 16" in text
    assert "软 18" in text
    assert "拿牌" in text


def test_chart_is_exported_and_plotted():
    chart = optimal_policy().chart()
    assert chart.to_csv().splitlines()[0] == "label,label_zh,2,3,4,5,6,7,8,9,10,A"
    assert chart.to_dict()["dealer_cards_seen"] == 1
    ax = plot.heatmap(chart.hits, chart, chart.columns, labels="en")
    assert len(ax.texts) == chart.hits.size


def played(policy, dealer):
    """How often hands of each total come, and are drawn to, by playing on from no card."""
    left = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16]
    for card in dealer:
        left[card - 1] -= 1
    reached, drawn = Counter(), Counter()

    def play_on(hand, chance):
        for card in range(1, 11):
            after = sorted([*hand, card])
            best, soft = best_total(tuple(after))
            comes = chance * left[card - 1] / sum(left)
            if comes == 0 or best > 21:
                continue
            hits = len(after) < 2 or policy.hits(after, dealer)
            if len(after) >= 2:
                reached[best, soft] += comes
                drawn[best, soft] += comes * hits
            left[card - 1] -= 1
            if hits:
                play_on(after, comes)
            left[card - 1] += 1

    play_on([], 1.0)
    return reached, drawn


@pytest.mark.parametrize(
    ("column", "dealers"),
    [
        ("10", {(10,): 1}),
        ("2", {(2,): 1}),
        # Unequal cards come in two orders: 2 × 4 × 4, and 4 × 3.
        ("10", {(2, 8): 32, (3, 7): 32, (4, 6): 32, (5, 5): 12}),
        ("A5", {(1, 5): 32}),
    ],
)
def test_chart_weighs_hands_by_how_often_they_come(column, dealers):
    policy = optimal_policy(dealer_cards_seen=len(next(iter(dealers))))
    reached, drawn = Counter(), Counter()
    for dealer, ways in dealers.items():
        for total, counted in zip((reached, drawn), played(policy, dealer), strict=True):
            total.update({cell: ways * chance for cell, chance in counted.items()})
    chart = policy.chart()
    for (best, soft), chance in reached.items():
        row = chart.labels.index(f"{'soft' if soft else 'hard'} {best}")
        share = chart.hits[row, chart.columns.index(column)]
        assert share == pytest.approx(drawn[best, soft] / chance, abs=1e-9)


def test_orders_in_which_hands_come():
    hands = compositions()
    orders = reached(stand_on(17).by_composition())[:, 0]
    for hand, expected in {
        (2, 3): 2, (2, 2): 1, (2, 3, 4): 6, (6, 6, 6): 1, (6, 10): 2, (1, 6, 10): 2,
        (4, 7, 10): 4, (1, 1, 10): 1,
    }.items():  # fmt: skip
        assert orders[hands.numbers[tuple(sorted(hand))]] == expected, hand


# --- Errors ---------------------------------------------------------------------------------------


def table_policy(**changes):
    return Policy(**{"name": "x", "hit": own_table(), "dealer_cards_seen": 1} | changes)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: stand_on(3), ValueError, "total: 3 is less than 4"),
        (lambda: stand_on(22), ValueError, "total: 22 is more than 21; 21 is the best"),
        (lambda: stand_on(15.0), TypeError, "total: expected an integer, got 15.0"),
        (
            lambda: Policy.from_table(np.zeros((22, 2, 10), bool)),
            ValueError,
            r"hit: expected shape \(22, 2, 11\), got \(22, 2, 10\)",
        ),
        (
            lambda: Policy.from_table(np.zeros((22, 2, 11))),
            TypeError,
            "hit: expected booleans, got dtype float64",
        ),
        (
            lambda: Policy.from_table(own_table(), dealer_cards_seen=2),
            ValueError,
            "dealer_cards_seen: 2 is more than a table",
        ),
        (
            lambda: table_policy(hit=np.zeros((3083, 55), bool)),
            ValueError,
            r"hit: expected .* or \(3083, 10\) by composition with 1 dealer cards",
        ),
        (lambda: table_policy(name=""), TypeError, "name: expected a non-empty string, got ''"),
        (lambda: table_policy(name_zh=7), TypeError, "name_zh: expected text, got 7"),
        (lambda: table_policy(deck=1), TypeError, "deck: expected a Deck, got 1"),
        (lambda: table_policy(dealer_cards_seen=3), ValueError, "dealer_cards_seen: 3 is more"),
        (
            lambda: table_policy().by_composition(2),
            ValueError,
            "dealer_cards_seen: x looks at 1, not at 2",
        ),
        (lambda: table_policy().hits("10 6"), ValueError, r"dealer: expected 1 cards .* got \(\)"),
        (lambda: table_policy().hits("10 6 6", "2"), ValueError, "player: '10 6 6' is bust"),
        (lambda: table_policy().hits("10", "2"), ValueError, "player: '10' has fewer than two"),
        (
            lambda: Policy.from_compositions({("10 6", "2"): 1}, otherwise=table_policy()),
            TypeError,
            r"plays\['10 6', '2'\]: expected a bool, got 1",
        ),
        (
            lambda: Policy.from_compositions(
                {("10 6", "2"): True, ("6 10", "2"): True}, otherwise=table_policy()
            ),
            ValueError,
            "plays: '6 10' against '2' is given twice",
        ),
        (
            lambda: Policy.from_compositions({("10 x", "2"): True}, otherwise=table_policy()),
            ValueError,
            r"plays\['10 x', '2'\]: cannot read 'x' at place 1",
        ),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
