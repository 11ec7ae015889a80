"""Blackjack's words: rules as data, and what cannot be one."""

import math
from fractions import Fraction

import pytest

from cardstats.blackjack import SEED_RULES, Result, Rules
from cardstats.blackjack.rules import checked_rules, row_labels


def test_the_seed_rules():
    assert (SEED_RULES.decks, SEED_RULES.hit_soft_17, SEED_RULES.natural_beats_21) == (
        1,
        False,
        True,
    )
    assert SEED_RULES.natural_payout == 1


@pytest.mark.parametrize(
    ("payout", "expected"),
    [
        (1, 1),
        ("3:2", Fraction(3, 2)),
        ("6/5", Fraction(6, 5)),
        (1.5, Fraction(3, 2)),
        ("1.2", Fraction(6, 5)),
    ],
)
def test_payouts(payout, expected):
    assert Rules(natural_payout=payout).natural_payout == expected


@pytest.mark.parametrize(
    "rules", [SEED_RULES, Rules(name="x", decks=6, hit_soft_17=True, natural_payout="3:2")]
)
def test_rules_write_themselves(rules):
    assert eval(repr(rules)) == rules


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"decks": 0}, ValueError, "decks: 0 is less than 1"),
        ({"decks": 9}, ValueError, "decks: 9 is more than 8; use math.inf"),
        ({"decks": 2.0}, TypeError, "decks: expected an integer, got 2.0"),
        ({"decks": math.nan}, TypeError, "decks: "),
        ({"hit_soft_17": 1}, TypeError, "hit_soft_17: expected True or False, got 1"),
        ({"natural_payout": 1.2}, ValueError, "natural_payout: 1.2 is not exact"),
        ({"natural_payout": "3 to 2"}, ValueError, "natural_payout: cannot read '3 to 2'"),
        ({"natural_payout": 10**7}, ValueError, "natural_payout: 10000000 is more than 1,000,000"),
        ({"natural_payout": -1}, ValueError, "natural_payout: -1 is negative"),
        ({"natural_payout": True}, TypeError, "natural_payout: expected a number"),
        ({"name": None}, TypeError, "name: expected a non-empty string"),
    ],
)
def test_rules_that_cannot_be(options, error, message):
    with pytest.raises(error, match=message):
        Rules(**options)


def test_what_only_looks_like_rules():
    with pytest.raises(TypeError, match=r"rules: expected blackjack.Rules, got 'seed'; RULES\["):
        checked_rules("seed")


def test_rows_are_the_results():
    labels, labels_zh = row_labels()
    assert labels == tuple(result.label for result in Result) == ("natural", "win", "draw", "lose")
    assert labels_zh == tuple(result.label_zh for result in Result)
