"""Mahjong's words: rule sets as data, forms by name, and the rows of tables."""

import pytest

from cardstats.mahjong import CHINESE, RIICHI, RULES, SICHUAN, STANDARD_ONLY, Form, Rules
from cardstats.mahjong.rules import checked_rules, highest_shanten, row_labels


def test_the_named_rule_sets():
    assert list(RULES) == ["chinese", "riichi", "sichuan", "standard-only"]
    assert [rules.seven_pairs for rules in RULES.values()] == ["quads", "distinct", "quads", "off"]
    assert [rules.thirteen_orphans for rules in RULES.values()] == [True, True, False, False]
    assert [rules.tiles for rules in RULES.values()] == [136, 136, 108, 136]
    assert Rules(name="chinese") == CHINESE


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rules_write_themselves(rules):
    assert eval(repr(rules)) == rules
    assert hash(eval(repr(rules))) == hash(rules)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seven_pairs": "all"}, ValueError, "seven_pairs: 'all' is none of 'quads', 'distinct'"),
        ({"seven_pairs": True}, ValueError, "seven_pairs: True is none of"),
        ({"thirteen_orphans": 1}, TypeError, "thirteen_orphans: expected True or False, got 1"),
        ({"honours": None}, TypeError, "honours: expected True or False, got None"),
        ({"honours": False}, ValueError, "thirteen_orphans: need honours"),
        ({"name": ""}, TypeError, "name: expected a non-empty string"),
    ],
)
def test_rules_that_cannot_be(options, error, message):
    with pytest.raises(error, match=message):
        Rules(**options)


def test_what_only_looks_like_rules():
    with pytest.raises(TypeError, match=r"rules: expected mahjong.Rules, got 'riichi'; RULES\["):
        checked_rules("riichi")


@pytest.mark.parametrize("form", Form)
def test_forms_are_found_by_their_names(form):
    assert Form.from_label(form.label) is Form.from_label(form.label_zh) is form
    assert Form.from_label(f" {form.name} ") is form


@pytest.mark.parametrize(("text", "error"), [("flush", ValueError), (None, TypeError)])
def test_what_is_no_form(text, error):
    with pytest.raises(error, match="form: "):
        Form.from_label(text)


def test_rows_are_as_many_as_hands_can_be_far():
    assert row_labels("shanten", 14, STANDARD_ONLY)[0] == tuple(map(str, range(-1, 9)))
    assert row_labels("shanten", 13, RIICHI)[1][:2] == ("听牌", "一向听")
    assert [highest_shanten(size, SICHUAN) for size in (1, 4, 11, 13, 14)] == [0, 2, 6, 6, 6]
    assert row_labels("form", 14, CHINESE)[0][0] == "not winning"
