"""The blackjack part of the report: the seed's round, and numbers that can be found otherwise."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import naive_blackjack as naive
import numpy as np
import pytest
from report_pages import make, markdown_tables, rows_of, says

from cardstats import Tally, blackjack, compare, published
from cardstats._table import percent_text
from cardstats.blackjack import SEED_RULES, Result, simulation
from cardstats.blackjack.dealer import FINALS
from cardstats.blackjack.decks import result_of

GAMES = 2000
UPCARDS = {"any": None, **{str(value): value for value in range(2, 11)}, "A": 1}
FIGURES = {
    "blackjack-dealer.png",
    "blackjack-dealer-by-upcard.png",
    "blackjack-dealer-residuals.png",
    "blackjack-policies.png",
    "blackjack-policies-residuals.png",
    "blackjack-best-one-seen.png",
    "blackjack-best-both-seen.png",
}
# Expected values, found by other programs than this one.
MIMIC = Fraction(-78514068325804565071, 980301202330317367500)
ONE_SEEN = Fraction(-3380430443297395297, 79483881270025732500)
BOTH_SEEN = Fraction(5664001551830291437, 158967762540051465000)
STAND_ON_15 = (0.4232072, 0.0803067, 0.4964861)  # win, draw, lose


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    return {
        lang: make(tmp_path_factory.mktemp(lang), lang, only="blackjack", games=GAMES)
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


def signed(value):
    return f"{100 * float(value):+.4f}"


def test_it_has_its_figures(made):
    assert set(made.figures) == FIGURES


# --- The seed's round -------------------------------------------------------------------------

ROUND = published.SEED_002_ROUND


def values(*texts):
    return [naive.value(card) for text in texts for card in blackjack.parse(text).tolist()]


def test_the_printed_round_could_have_been_dealt():
    dealt = blackjack.parse(f"{ROUND.dealer} {ROUND.player} {ROUND.drawn}").tolist()
    assert len(set(dealt)) == len(dealt) == 2 + 2 + 1
    assert ROUND.result in {result.label for result in Result}
    assert naive.total(values(ROUND.player)) < naive.total(values(ROUND.player, ROUND.drawn))


def test_the_hands_are_shown_with_their_totals(made):
    rows = list(table(made, "the hands", "双方的牌").values())
    hands = [values(ROUND.dealer), values(ROUND.player), values(ROUND.player, ROUND.drawn)]
    assert [int(total) for _, total in rows] == list(map(naive.total, hands))
    assert [shown.split() for shown, _ in rows] == [
        ["♣10", "♦Q"],
        ["♦4", "♥8"],
        ["♦4", "♥8", "♥K"],
    ]


def test_the_round_ends_as_it_is_printed(made):
    assert naive.total(values(ROUND.player, ROUND.drawn)) > 21
    yes, bust, lose = ("是", "爆掉", "负") if made.lang == "zh" else ("yes", "bust", "lose")
    rows = list(table(made, "how the round ends", "这一局的结局").values())
    assert rows == [[bust, bust, yes], [lose, lose, yes]]
    assert says(made, 2, 2)


@pytest.mark.parametrize("drawn", ["♥ K", "♥ 8", "♥ 9", "♥ 7", "♥ A"])
@pytest.mark.parametrize("dealer", ["♣ 10  ♦ Q", "♣ A  ♦ Q", "♣ 9  ♦ 9"])
@pytest.mark.parametrize("player", ["♦ 4  ♥ 8", "♦ A  ♠ K", "♦ A"])
def test_rounds_are_judged_as_they_are_played(player, dealer, drawn):
    own, his = tuple(sorted(values(player, drawn))), tuple(sorted(values(dealer)))
    assert result_of(own, his, SEED_RULES) == naive.result(own, his, SEED_RULES)


def test_the_cards_that_bust_are_counted(made):
    deck = naive.without(naive.PACK, *values(ROUND.dealer, ROUND.player))
    hand = values(ROUND.player)
    busts = sum(
        count for value, count in enumerate(deck, start=1) if naive.total([*hand, value]) > 21
    )
    numbers = {"en": f"{busts} of the {sum(deck)} other", "zh": f"{sum(deck)} 张牌中有 {busts} 张"}
    assert numbers[made.lang] in " ".join(made.markdown.split())


@pytest.mark.parametrize("seen", [0, 1, 2])
def test_standing_is_worth_what_recursion_says(made, seen):
    rows = list(table(made, "comes to, exactly", "的精确结果").values())[2 * seen + 1]
    dealer = tuple(sorted(values(ROUND.dealer)[:seen]))
    deck = naive.without(naive.PACK, *values(ROUND.player), *dealer)
    chances = naive.standing(tuple(values(ROUND.player)), dealer, deck, SEED_RULES)
    assert rows[:4] == cells_of(chances)


def test_drawing_is_worth_what_recursion_says(made):
    dealer = tuple(sorted(values(ROUND.dealer)))

    def best(hand, deck):
        if naive.total(hand) > 21:
            return {Result.LOSE: Fraction(1)}
        plays = naive.standing(hand, dealer, deck, SEED_RULES), drawing(hand, deck)
        return max(plays, key=lambda chances: naive.ev(chances, SEED_RULES))

    def drawing(hand, deck):
        chances = Counter()
        for value, chance, left in naive.draws(deck):
            for result, share in best(tuple(sorted((*hand, value))), left).items():
                chances[result] += chance * share
        return chances

    hand = tuple(sorted(values(ROUND.player)))
    deck = naive.without(naive.PACK, *hand, *dealer)
    chances = drawing(hand, deck)
    rows = list(table(made, "comes to, exactly", "的精确结果").values())
    assert rows[4][:4] == cells_of(chances)
    better = [bool(cells[-1]) for cells in rows]
    stands = naive.standing(hand, dealer, deck, SEED_RULES)
    assert better[4:] == [naive.ev(chances, SEED_RULES) > naive.ev(stands, SEED_RULES), False]
    assert [sum(better[at : at + 2]) for at in (0, 2, 4)] == [1, 1, 1]


def cells_of(chances):
    shares = [chances.get(result, Fraction(0)) for result in (Result.WIN, Result.DRAW, Result.LOSE)]
    return [*map(percent_text, shares), signed(naive.ev(chances, SEED_RULES))]


# --- The dealer -------------------------------------------------------------------------------


@pytest.mark.parametrize("card", UPCARDS)
def test_the_dealers_totals_are_those_of_recursion(made, card):
    rows = table(made, "by up-card, exact", "按明牌")
    chances = naive.dealer(naive.PACK, SEED_RULES, UPCARDS[card])
    label = "不限" if made.lang == "zh" and card == "any" else card
    assert rows[label] == [percent_text(chances.get(row, 0)) for row in naive.DEALER_ROWS]
    assert len(rows) == len(UPCARDS)


def test_dealt_dealers_add_up(made):
    rows = table(made, f"{GAMES:,} hands dealt", f"发出 {GAMES:,} 手")
    exact = table(made, "by up-card, exact", "按明牌")
    natural = FINALS.index("natural")
    assert rows.keys() == exact.keys()
    for label, (*shares, p) in rows.items():
        assert sum(map(float, shares)) == pytest.approx(100, abs=1e-3)
        assert (float(shares[natural]) == 0) == (float(exact[label][natural]) == 0)
        assert float(p) > 1e-6


def test_first_cards_are_those_of_packs():
    packs = np.concatenate(
        list(simulation._first_cards(np.random.SeedSequence(2), 50_000, 10)), axis=1
    )
    assert packs.shape == (10, 50_000)
    assert (np.diff(np.sort(packs, axis=0), axis=0) > 0).all()
    assert packs.max() == 51
    uniform = 50_000 / 52
    counts = np.array([np.bincount(row, minlength=52) for row in packs])
    chi2 = ((counts - uniform) ** 2 / uniform).sum(axis=1)
    assert (chi2 < 51 + 5 * np.sqrt(2 * 51)).all()


def test_dealers_play_by_their_rule():
    seed, hands = np.random.SeedSequence(4), 3000
    counted = simulation._count_dealers(seed, hands, 10)
    expected = np.zeros_like(counted)
    for packs in simulation._first_cards(seed, hands, 10):
        for pack in packs.T.tolist():
            cards = [naive.value(card) for card in pack]
            held = 2
            while naive.dealer_draws(cards[:held], SEED_RULES):
                held += 1
            row = naive.DEALER_ROWS.index(naive.dealer_row(cards[:held]))
            expected[cards[0] - 1, row] += 1
    assert counted.tolist() == expected.tolist()
    assert counted.sum() == hands


def test_no_dealer_needs_more_cards_than_are_dealt():
    """The most cards before 17: every ace, every two, and threes."""
    longest = [1] * 4 + [2] * 4 + [3]
    assert naive.dealer_draws(longest, SEED_RULES)
    assert not naive.dealer_draws([*longest, 3], SEED_RULES)
    assert len(longest) + 1 == simulation.longest_hand(simulation.deck_of(SEED_RULES), False)


@pytest.mark.parametrize("card", UPCARDS)
def test_many_dealers_end_as_they_should(card):
    counts = simulation._count_dealers(np.random.SeedSequence(8), 200_000, 10)
    upcard = UPCARDS[card]
    row = counts.sum(axis=0) if upcard is None else counts[upcard - 1]
    tally = Tally.from_counts(dict(zip(FINALS, row.tolist(), strict=True)))
    assert compare(tally, blackjack.exact_dealer(upcard=upcard)).p_value > 1e-4


# --- Policies ---------------------------------------------------------------------------------


def exact_rows(made):
    return list(table(made, "how games end, exactly", "胜负的精确概率").values())


def test_exact_values_are_those_found_elsewhere(made):
    mimic, *standing, blind, one, both = exact_rows(made)
    assert len(standing) == 10
    assert mimic[3] == signed(MIMIC)
    assert one[3] == signed(ONE_SEEN)
    assert both[3] == signed(BOTH_SEEN)
    found = [float(cell) / 100 for cell in standing[15 - 12][:3]]
    assert found == pytest.approx(STAND_ON_15, abs=1e-6)
    assert standing[17 - 12] == mimic
    assert float(blind[3]) < float(one[3]) < 0 < float(both[3])
    assert all(float(cells[3]) <= float(blind[3]) for cells in standing)


def test_chances_add_up_to_one_and_to_the_value(made):
    for win, draw, lose, value in exact_rows(made):
        assert float(win) + float(draw) + float(lose) == pytest.approx(100, abs=2e-4)
        assert float(win) - float(lose) == pytest.approx(float(value), abs=2e-4)


def test_the_edge_is_told(made):
    text = " ".join(made.markdown.split()).replace(" %", "%")
    for value in (BOTH_SEEN, ONE_SEEN):
        assert f"{100 * float(value):+.2f}%" in text
    assert f"{100 * float(-MIMIC):.2f}%" in text
    values = [float(cells[3]) for cells in exact_rows(made)[1:11]]
    best = 12 + values.index(max(values))
    assert {"en": f"stand on {best} is best", "zh": f"以 {best} 点最佳"}[made.lang] in text


def test_games_that_are_played_agree(made):
    rows = list(table(made, f"{GAMES:,} played", f"模拟 {GAMES:,} 局").values())
    for played, exact in zip(rows, exact_rows(made), strict=True):
        *shares, value, chi2, dof, p = played
        assert sum(map(float, shares)) == pytest.approx(100, abs=1e-3)
        assert float(shares[0]) - float(shares[2]) == pytest.approx(float(value), abs=2e-4)
        for share, chance in zip(shares, exact[:3], strict=True):
            expected = float(chance) / 100
            error = (expected * (1 - expected) / GAMES) ** 0.5
            assert abs(float(share) / 100 - expected) < 5 * error
        assert int(dof) == 3
        assert float(p) > 1e-6
        assert float(chi2) < 40


def test_policies_have_streams_of_their_own(made):
    rows = list(table(made, f"{GAMES:,} played", f"模拟 {GAMES:,} 局").values())
    assert rows[0] != rows[17 - 11]
    assert len({tuple(cells) for cells in rows}) == len(rows)


# --- The best play ----------------------------------------------------------------------------


def test_the_charts_are_there(made):
    one = table(made, "1 dealer card seen", "见庄家 1 张牌")
    hard, soft = ("硬", "软") if made.lang == "zh" else ("hard", "soft")
    assert one[f"{hard} 16"][-2].startswith("H")
    assert one[f"{hard} 16"][-2].endswith("*")
    assert [cell.strip() for cell in one[f"{hard} 17"]] == ["S"] * 10
    assert [cell.strip() for cell in one[f"{soft} 17"]] == ["H"] * 10
    both = table(made, "2 dealer cards seen", "见庄家 2 张牌")
    assert both.keys() == one.keys()
    assert {cells[-1].strip() for cells in both.values()} <= {"S", ""}  # a natural has won


def test_the_examples_are_those_of_the_policy(made):
    plays = {True: ("hit", "拿牌"), False: ("stand", "停牌")}
    one = blackjack.optimal_policy(dealer_cards_seen=1)
    both = blackjack.optimal_policy(dealer_cards_seen=2)
    text = " ".join(made.markdown.split())
    for hand, shown in (("10 6", "10+6"), ("5 5 6", "5+5+6")):
        hit, hit_zh = plays[one.hits(hand, "10")]
        assert {"en": f"{hit} on {shown}", "zh": f"{shown} {hit_zh}"}[made.lang] in text
    hit, hit_zh = plays[both.hits("10 8", "10 9")]
    assert {"en": f"10+8 is to {hit}", "zh": f"10+8 也应{hit_zh}"}[made.lang] in text


# --- Other rules ------------------------------------------------------------------------------


def test_other_rules_start_from_the_seeds(made):
    rows = list(table(made, "the best play, %", "最佳打法的期望值").values())
    assert len(rows) == 5
    assert rows[0][0] == signed(ONE_SEEN)
    for stands, stands_paid, draws, draws_paid in rows:
        assert float(draws) < float(stands) < float(stands_paid)
        assert float(draws) < float(draws_paid) < float(stands_paid)


def test_a_better_paid_natural_is_worth_half_of_itself(made):
    rows = list(table(made, "the best play, %", "最佳打法的期望值").values())
    natural = Fraction(2 * 4 * 16, 52 * 51)
    another = Fraction(2 * 3 * 15, 50 * 49)
    endless = Fraction(2 * 1 * 4, 13 * 13)
    for cells, won in ((rows[0], natural * (1 - another)), (rows[-1], endless * (1 - endless))):
        for plain, paid in (cells[:2], cells[2:]):
            assert float(paid) - float(plain) == pytest.approx(50 * float(won), abs=2e-4)


# --- Few games, and planted errors ------------------------------------------------------------


def test_up_cards_that_never_came_are_empty(tmp_path):
    made = make(tmp_path, only="blackjack", games=1)
    rows = table(made, "1 hands dealt", "")
    empty = [label for label, cells in rows.items() if set(cells) == {"-"}]
    assert len(empty) == len(UPCARDS) - 2
    assert set(made.figures) == FIGURES


def planted(folder, **changes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "SEED_002_ROUND", replace(ROUND, **changes))
        return make(folder, only="blackjack", games=GAMES)


def test_a_wrong_result_is_found(tmp_path):
    made = planted(tmp_path, result="win")
    assert says(made, 1, 2)
    assert [cells[-1] for cells in rows_of(made, "for the player")] == ["NO"]
    assert sum("NO" in cells for cells in rows_of(made)) == 1


def test_a_hand_that_is_not_bust_is_found(tmp_path):
    made = planted(tmp_path, drawn="♥ 7")  # 19 against 20: lost, but no bust
    assert says(made, 1, 2)
    assert [cells[-1] for cells in rows_of(made, "player's hand")] == ["NO"]
    assert sum("NO" in cells for cells in rows_of(made)) == 1
