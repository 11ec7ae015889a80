"""The Mahjong part of the report: the seed's verdicts, and numbers that can be found otherwise."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, prod

import naive_mahjong as naive
import pytest
from report_pages import make, markdown_tables, rows_of, says

from cardstats import mahjong, published
from cardstats._table import count_text, percent_text
from cardstats.mahjong import RULES, Form

GAMES = 2000
DEALS = comb(136, 14)
FIGURES = {
    "mahjong-shanten-13.png",
    "mahjong-shanten-13-residuals.png",
    "mahjong-shanten-14.png",
    "mahjong-shanten-14-residuals.png",
    "mahjong-waits.png",
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    return {
        lang: make(tmp_path_factory.mktemp(lang), lang, only="mahjong", games=GAMES)
        for lang in ("en", "zh")
    }


@pytest.fixture(params=["en", "zh"])
def made(request, reports):
    return reports[request.param]


def table(made, en, zh):
    """Cells by label of the one table in whose title these words are."""
    word = zh if made.lang == "zh" else en
    [rows] = [rows for title, rows in markdown_tables(made.markdown) if word in title]
    return {label: cells for label, *cells in rows[1:]}


def number(cell):
    return int(cell.replace(",", ""))


def test_it_has_its_figures(made):
    assert set(made.figures) == FIGURES


# --- The seed's hands -------------------------------------------------------------------------

LEGAL = {*range(1, 10), *range(11, 20), *range(21, 30), 31, 33, 35, 37, 41, 43, 45}
ORPHANS = {1, 9, 11, 19, 21, 29, 31, 33, 35, 37, 41, 43, 45}


def seed_004(codes):
    """What seed 004's program says, told from its steps: each pair, then ever the lowest tile."""
    held = Counter(codes)
    if not set(held) <= LEGAL or max(held.values()) > 4 or len(codes) % 3 != 2:
        return False
    pairs = [tile for tile, count in held.items() if count >= 2]
    seven_pairs = len(codes) == 14 and set(held.values()) <= {2, 4}
    orphans = len(codes) == 14 and all(1 <= held[tile] <= 2 for tile in ORPHANS)
    return bool(pairs) and (
        seven_pairs or orphans or any(takes_apart(held - Counter([pair] * 2)) for pair in pairs)
    )


def takes_apart(held):
    while held:
        low = min(held)
        group = [low] * 3 if held[low] == 3 else [low, low + 1, low + 2]
        if Counter(group) - held:
            return False
        held = held - Counter(group)
    return True


def test_published_verdicts_are_those_of_the_seeds_steps():
    verdicts = [seed_004(hand.codes) for hand in published.SEED_004_CHECKS]
    assert verdicts == [hand.win for hand in published.SEED_004_CHECKS]
    assert len(verdicts) == 10


def test_published_groups_are_made_of_the_hand():
    groups = {hand.codes: hand.groups for hand in published.SEED_004_CHECKS if hand.groups}
    assert len(groups) == 4
    for codes, grouping in groups.items():
        assert sorted(codes) == sorted(tile for group in grouping for tile in group)


def test_published_waits_name_tiles_that_the_hand_lacks_or_holds_four_of():
    seed = published.SEED_004_WAITS
    assert set(seed.used_up) < set(seed.named)
    assert [seed.codes.count(code) == 4 for code in seed.named] == [
        code in seed.used_up for code in seed.named
    ]


def test_every_verdict_is_shown_with_form_and_groupings(made):
    rows = list(table(made, "of its tests", "自测").values())
    for hand, (seed, form, groupings, agrees) in zip(published.SEED_004_CHECKS, rows, strict=True):
        assert agrees == ("是" if made.lang == "zh" else "yes")
        assert (seed in {"win", "和"}) == hand.win == seed_004(hand.codes)
        if hand.win:
            assert form in expected_form(hand.codes)
            assert int(groupings) == expected_groupings(hand.codes)
        else:
            assert (form, groupings) == (seed, "0")


def expected_form(codes):
    form = naive.form(mahjong.from_codes(codes).tolist(), mahjong.CHINESE)
    return form.label, form.label_zh


def expected_groupings(codes):
    hand = mahjong.from_codes(codes).tolist()
    special = naive.is_seven_pairs(hand, mahjong.CHINESE) + naive.is_thirteen_orphans(hand)
    return len(naive.decompositions(hand)) + special


def test_what_does_not_win_is_told_why(made):
    for hand in published.SEED_004_CHECKS:
        check = mahjong.check(hand.codes)
        reason = check.reason_zh if made.lang == "zh" else check.reason
        assert reason in made.markdown


def test_the_program_refuses_a_declared_kong_and_cardstats_does_not(reports):
    hand, kong = "22233344455s", "1111s"
    codes = [*mahjong.to_codes(mahjong.parse(hand)), *mahjong.to_codes(mahjong.parse(kong))]
    assert not seed_004([int(code) for code in codes])
    ways = mahjong.check(hand, kongs=kong).decompositions
    told = reports["en"].markdown
    assert f"{hand} with {kong}" in told
    assert f"wins in {len(ways)} groupings" in told


def test_the_example_waits_on_more_than_the_seed_names(made):
    hand = mahjong.from_codes(published.SEED_004_WAITS.codes).tolist()
    waits = naive.waits(hand, mahjong.CHINESE)
    assert [kind + 1 for kind in naive.KINDS if waits[kind]] == [2, 8]
    assert {"en": "waits on 28m", "zh": "听二八万"}[made.lang] in made.markdown
    rows = table(made, "3455556788m", "听什么")
    assert [cells[0] for cells in rows.values()] == ["4", "2"]
    assert [cells[2] in {"no win", "不和"} for cells in rows.values()] == [True, False]


# --- How hands win ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_way_to_win_has_a_row_and_they_add_up(made, rules):
    rows = wins(made, rules)
    *ways, total = rows.values()
    for column in (0, 1):
        assert sum(number(cells[column]) for cells in ways) == number(total[column])
    deals = comb(rules.tiles, 14)
    for cells in rows.values():
        share = number(cells[1]) / deals
        assert cells[2] == percent_text(share)
        assert number(cells[3]) == round(1 / share)


def wins(made, rules):
    return table(made, f"{rules.name} (", f"（{rules.name}）")


@pytest.mark.parametrize("rules", [mahjong.CHINESE, mahjong.RIICHI], ids=lambda rules: rules.name)
def test_pairs_and_orphans_are_what_arithmetic_says(made, rules):
    _, pairs, both, orphans, _ = wins(made, rules).values()
    quads = rules.seven_pairs == "quads"
    # k kinds are held four times, 7 - 2k twice: one way to hold four of them, six to hold two.
    parts = [
        (comb(34, k) * comb(34 - k, 7 - 2 * k), 6 ** (7 - 2 * k)) for k in range(1 + 3 * quads)
    ]
    assert number(pairs[0]) + number(both[0]) == sum(kinds for kinds, _ in parts)
    assert number(pairs[1]) + number(both[1]) == sum(map(prod, parts))
    assert [number(cell) for cell in orphans[:2]] == [13, 13 * 6 * 4**12]


def test_wins_of_few_tiles_are_what_a_list_of_them_says(made):
    two, five = list(table(made, "open set", "副露").values())[:2]
    sets = naive.sets_of(naive.KINDS)
    hands = {tuple(sorted((kind, kind, *group))) for kind, group in product(naive.KINDS, sets)}
    held = [Counter(hand).values() for hand in hands]
    ways = [prod(comb(4, count) for count in counts) for counts in held]
    assert [number(cell) for cell in two[:2]] == [34, 34 * 6]
    assert [number(cell) for cell in five[:2]] == [sum(map(bool, ways)), sum(ways)]
    assert five[2] == percent_text(sum(ways) / comb(136, 5))


def test_the_hands_dealt_are_all_there(made):
    rows = table(made, f"{GAMES:,}", f"{GAMES:,}")
    assert sum(number(cells[2]) for cells in rows.values()) == GAMES
    assert len(rows) == len(Form)


# --- Shanten and waits ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [13, 14])
@pytest.mark.parametrize("place", [0, 1], ids=["chinese", "riichi"])
def test_shanten_is_shown_exact_beside_simulated(made, size, place):
    rules = (mahjong.CHINESE, mahjong.RIICHI)[place]
    rows = table(made, f"{size} tiles", f"{size} 张牌的向听数")
    exact = mahjong.exact_shanten(size=size, rules=rules)
    assert [cells[3 * place] for cells in rows.values()] == list(
        map(percent_text, exact.probabilities)
    )
    assert sum(float(cells[3 * place + 1]) for cells in rows.values()) == pytest.approx(100)


def test_complete_hands_are_those_that_win(made):
    rows = table(made, "14 tiles", "14 张牌的向听数")
    complete = rows["-1, complete" if made.lang == "en" else "和牌"]
    totals = [list(wins(made, rules).values())[-1] for rules in (mahjong.CHINESE, mahjong.RIICHI)]
    assert [complete[0], complete[3]] == [total[2] for total in totals]


def test_many_kinds_are_waited_on_by_few_hands(made):
    rows = list(table(made, "wait on", "所听的种数").values())
    *by_kinds, total = rows
    assert len(by_kinds) == 13
    # 1112345678999 in three suits; one of each terminal and honour.
    assert [number(cell) for cell in (by_kinds[8][0], by_kinds[8][2])] == [3, 3 * 4**9]
    assert [number(cell) for cell in (by_kinds[12][0], by_kinds[12][2])] == [1, 4**13]
    assert [by_kinds[kinds - 1][0] for kinds in (10, 11, 12)] == ["0", "0", "0"]
    for column in (0, 2, 4):
        assert sum(number(cells[column]) for cells in by_kinds) == number(total[column])
    assert {"en": "10, 11 or 12", "zh": "10、11、12"}[made.lang] in made.markdown
    for column in (1, 3):
        assert sum(float(cells[column]) for cells in by_kinds) == pytest.approx(100, abs=1e-3)


def test_the_mean_of_the_kinds_is_told(made):
    rows = list(table(made, "wait on", "所听的种数").values())[:-1]
    for column in (0, 2):
        counts = [number(cells[column]) for cells in rows]
        mean = sum(kinds * count for kinds, count in enumerate(counts, start=1)) / sum(counts)
        assert f"{mean:.4f}" in made.markdown


@pytest.mark.parametrize("suit", range(3))
def test_nine_gates_wait_on_nine_kinds_in_each_suit(suit):
    hand = [0] * 34
    hand[9 * suit : 9 * suit + 9] = [3, 1, 1, 1, 1, 1, 1, 1, 3]
    waits = naive.waits(hand, mahjong.CHINESE)
    assert [kind for kind in naive.KINDS if waits[kind]] == list(naive.SUITS[suit])


def test_ready_hands_are_those_of_shanten_nought(made):
    ready = number(list(table(made, "wait on", "所听的种数").values())[-1][2])
    share = ready / comb(136, 13)
    rows = table(made, "13 tiles", "13 张牌的向听数")
    assert next(iter(rows.values()))[0] == percent_text(share)
    assert count_text(round(1 / share)) in made.markdown


# --- Planted errors ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A report on verdicts, a grouping and waits that are wrong."""
    first, *others, last = published.SEED_004_CHECKS
    first = replace(first, groups=((2, 2), *first.groups[1:]))
    last = replace(last, win=True)
    waits = replace(published.SEED_004_WAITS, used_up=(8,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "SEED_004_CHECKS", (first, *others, last))
        patch.setattr(published, "SEED_004_WAITS", waits)
        return make(tmp_path_factory.mktemp("planted"), only="mahjong", games=GAMES)


def test_a_wrong_verdict_is_found(planted):
    assert says(planted, 9, 10)
    assert [cells[-1] for cells in rows_of(planted, "11235678m")] == ["NO"]


def test_a_wrong_grouping_is_found(planted):
    assert says(planted, 3, 4)


def test_wrong_waits_are_found(planted):
    assert [cells[-1] for tile in ("5m", "8m") for cells in rows_of(planted, tile)] == ["NO", "NO"]


def test_nothing_else_is_called_wrong(planted):
    assert sum("NO" in cells for cells in rows_of(planted)) == 3
