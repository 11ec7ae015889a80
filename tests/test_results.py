"""Distribution, Tally, Showdown, Comparison: what they refuse, add, say and export."""

import ast
import csv
import dataclasses
import io
import json
import math
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardstats
from cardstats.results import Comparison, Distribution, Run, Showdown, Source, Tally

LABELS = ("none", "one", "two")
LABELS_ZH = ("无", "一个", "两个")


@pytest.fixture
def coins():
    return Distribution("two coins", LABELS, LABELS_ZH, (1, 2, 1))


@pytest.fixture
def tally():
    return Tally("seen", LABELS, LABELS_ZH, [24, 52, 24])


@pytest.fixture
def ace_and_kings():
    """Two players get one card each from A, K, K."""
    return Showdown(
        "A K K",
        ("king", "ace"),
        ("老K", "尖"),
        players=2,
        exact=True,
        hands=(2, 1),
        win=(0, 2),
        draw=(2, 0),
        lose=(2, 0),
        share=(1, 2),
        best=(2, 4),
    )


@pytest.fixture
def comparison():
    return Comparison(
        "compared",
        LABELS,
        LABELS_ZH,
        expected=[0.25, 0.5, 0.25],
        observed=[0.24, 0.52, 0.24],
        expected_counts=[25.0, 50.0, 25.0],
        counts=[24, 52, 24],
        low=[0.16, 0.51, 0.16],
        high=[0.33, 0.62, 0.33],
        z=[-0.23, math.inf, -0.23],
        p=[0.82, 0.0, 0.82],
        chi2=math.inf,
        dof=2,
        p_value=0.0,
        confidence=0.95,
    )


@pytest.fixture(params=["coins", "tally", "ace_and_kings", "comparison"])
def result(request):
    return request.getfixturevalue(request.param)


def source(*runs, players=1, **changes):
    told = {"game": "coins", "rules": "fair", "by": "heads", "players": players} | changes
    return Source(runs=runs, **told)


def simulated(start, stop, entropy=7, players=1, **changes):
    games = Run(entropy, (), start, stop)
    counts = [(stop - start) * players, 0, 0]
    return Tally("t", LABELS, LABELS_ZH, counts, players, source(games, players=players, **changes))


# --- all results


def test_equal_results_are_equal_and_give_one_bool(result):
    twin = dataclasses.replace(result)
    assert (result == twin) is True
    assert hash(result) == hash(twin)
    assert (result == dataclasses.replace(result, title="other")) is False
    assert (result == "a string") is False


def test_arrays_are_compared_by_value(tally):
    assert tally != dataclasses.replace(tally, counts=[25, 51, 24])


def test_results_are_frozen(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.title = "new"


def test_arrays_are_read_only_copies():
    counts = np.array([1, 2, 3])
    tally = Tally("", LABELS, LABELS_ZH, counts)
    counts[0] = 9
    assert tally.counts.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        tally.counts[0] = 9


def test_dict_is_json_in_the_strict_sense(result):
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["type"] == type(result).__name__
    assert told["labels_zh"] == list(result.labels_zh)


def test_csv_holds_one_row_a_label(result, tmp_path):
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert tuple(row["label"] for row in rows) == result.labels
    assert tuple(row["label_zh"] for row in rows) == result.labels_zh
    assert result.to_csv(tmp_path / "out.csv") is None
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == result.to_csv()


def test_dataframe_holds_the_columns_of_the_csv(result):
    pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert ["label", *frame.columns] == result.to_csv().split("\n")[0].split(",")
    assert tuple(frame.index) == result.labels


def test_dataframe_without_pandas_names_the_extra(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"cardstats\[dataframe\]"):
        result.to_dataframe()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_text_markdown_and_html_hold_labels_and_title(result, lang):
    labels = result.labels_zh if lang == "zh" else result.labels
    for text in (result.to_text(lang), result.to_markdown(lang), result.to_html(lang)):
        assert result.title in text
        assert all(label in text for label in labels)


def test_str_and_notebook_view_are_english(result):
    assert str(result) == result.to_text("en")
    assert result._repr_html_() == result.to_html("en")


def test_unknown_language_is_refused(result):
    for write in (result.to_text, result.to_markdown, result.to_html):
        with pytest.raises(ValueError, match="lang: 'fr' is none of 'en', 'zh'"):
            write("fr")


def test_html_escapes():
    tally = Tally("<b>", ("a<b",), ("甲<乙",), [1])
    assert "&lt;b&gt;" in tally.to_html()
    assert "a&lt;b" in tally.to_html()


def test_markdown_is_aligned_and_escaped():
    tally = Tally.from_counts({"a|b": 1, "散牌": 1000}, title="T")
    assert tally.to_markdown().split("\n") == [
        "**T**",
        "",
        "| label | count | frequency % |",
        "| :---- | ----: | ----------: |",
        "| a\\|b  |     1 |      0.0999 |",
        "| 散牌  | 1,000 |     99.9001 |",
        "| total | 1,001 |    100.0000 |",
    ]


def test_chinese_text_is_aligned(coins):
    assert coins.to_text("zh").split("\n") == [
        "two coins",
        "类别  数目    概率 %",
        "--------------------",
        "无       1   25.0000",
        "一个     2   50.0000",
        "两个     1   25.0000",
        "--------------------",
        "合计     4  100.0000",
    ]


def display_width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


LABEL = st.text("ab 散牌金花", min_size=1, max_size=60).filter(lambda text: text.strip())


@given(
    st.dictionaries(LABEL, st.integers(0, 10**15), min_size=1, max_size=5),
    st.text("word 散牌 ", max_size=200),
)
def test_tables_fit_the_page_and_are_aligned(counts, title):
    tally = Tally.from_counts(counts, title=title)
    lines = tally.to_text().split("\n")
    assert all(display_width(line) <= 80 for line in lines)
    table = lines[-len(counts) - 4 :]
    assert len({display_width(line) for line in table}) == 1


def test_longest_tables_fit_the_page(comparison, ace_and_kings):
    labels = ("three of a kind", "straight flush", "high card 10")
    rare = dataclasses.replace(
        comparison,
        labels=labels,
        low=[1.234e-6] * 3,
        high=[2.3e-5] * 3,
        p=[1e-9] * 3,
        z=[-12.3] * 3,
    )
    assert all("…" not in line and len(line) <= 80 for line in str(rare).split("\n"))
    billions = Showdown(
        "",
        labels[:2],
        labels[:2],
        players=5,
        exact=False,
        hands=(10**11, 10**11),
        win=(10**11, 0),
        draw=(0, 0),
        lose=(0, 10**11),
        share=(10**11, 0),
        best=(10**11, 10**11),
    )
    assert all("…" not in line and len(line) <= 80 for line in str(billions).split("\n"))


def test_long_labels_are_shortened_to_fit_the_page():
    accented = "e\N{COMBINING ACUTE ACCENT}" * 60  # 120 characters, 60 columns
    lines = str(Tally.from_counts({"散牌" * 40: 1, accented: 2})).split("\n")
    assert lines[2].count("散牌") == 15
    assert "…" in lines[2]
    assert "…" not in lines[3]
    assert all(
        display_width(line.replace("\N{COMBINING ACUTE ACCENT}", "")) <= 80 for line in lines
    )


def test_rare_probabilities_keep_their_digits():
    rare = Distribution("", ("win", "no win"), ("和", "不和"), (3, 10**6))
    assert "3.00e-04" in str(rare)


def test_index_takes_both_languages(coins):
    assert coins.index("two") == coins.index("两个") == 2
    with pytest.raises(ValueError, match="label 'three' is none of 'none', 'one', 'two'"):
        coins.index("three")


@pytest.mark.parametrize(
    ("labels", "labels_zh", "error", "message"),
    [
        ("abc", ("a", "b", "c"), TypeError, "single text 'abc'"),
        (("a", 2), ("a", "b"), TypeError, "labels: expected text, got 2"),
        (("a", "a"), ("a", "b"), ValueError, "labels: 'a' names two rows"),
        (("a", "b"), ("c", "c"), ValueError, "labels_zh: 'c' names two rows"),
        (("a", "b"), ("b", "a"), ValueError, "labels_zh: 'b' of row 0 is the English label"),
        (("a", "b\nc"), ("a", "b"), ValueError, "is not a line of text"),
        (("a", " "), ("a", "b"), ValueError, "is not a line of text"),
        (("a", "b"), ("a",), ValueError, "labels_zh: expected 2 values, one a row, got 1"),
        ((), (), ValueError, "there is no row"),
    ],
)
def test_bad_labels_are_refused(labels, labels_zh, error, message):
    with pytest.raises(error, match=message):
        Tally("", labels, labels_zh, [1] * len(labels))


@pytest.mark.parametrize("name", ["results", "comparison", "_table", "_checks", "_source"])
def test_heavy_packages_are_imported_inside_functions_only(name):
    path = Path(cardstats.__file__).with_name(f"{name}.py")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    names = [a.name for node in body if isinstance(node, ast.Import) for a in node.names]
    names += [node.module for node in body if isinstance(node, ast.ImportFrom)]
    roots = {name.split(".")[0] for name in names}
    assert roots.isdisjoint({"numba", "scipy", "pandas", "matplotlib", "tqdm"})


# --- Distribution


def test_distribution_is_exact(coins):
    assert coins.total == 4
    assert coins.probabilities == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert all(
        type(count) is int for count in Distribution("", ("a",), ("a",), np.ones(1, int)).counts
    )


def test_counts_may_be_longer_than_64_bits():
    deals = Distribution("", ("a", "b"), ("甲", "乙"), (7 * 10**30, 3 * 10**30))
    assert deals.probabilities[0] == Fraction(7, 10)
    assert deals.to_dict()["counts"] == [7 * 10**30, 3 * 10**30]


def test_dict_tells_fractions_twice(coins):
    told = coins.to_dict()
    assert told["probabilities"] == ["1/4", "1/2", "1/4"]
    assert told["probabilities_float"] == [0.25, 0.5, 0.25]


@pytest.mark.parametrize(
    ("counts", "error", "message"),
    [
        ((1, 2), ValueError, "counts: expected 3 values, one a row, got 2"),
        ((1, -2, 1), ValueError, "counts: row 'one': -2 is negative"),
        ((1, 2.0, 1), TypeError, "counts: row 'one': expected an integer, got 2.0"),
        ((1, True, 1), TypeError, "counts: row 'one': expected an integer, got True"),
        ((0, 0, 0), ValueError, "counts: all are 0"),
    ],
)
def test_bad_counts_are_refused(counts, error, message):
    with pytest.raises(error, match=message):
        Distribution("", LABELS, LABELS_ZH, counts)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (((2, 2),), "joint: expected 2 values, one a row, got 1"),
        (((2, 2), (2,)), "joint: expected 2 values"),
        (((2, -2), (-2, 2)), "joint: row 'b': -2 is negative"),
        (((2, 1), (3, 2)), "joint: row 'a' differs from its column"),
        (((3, 2), (2, 2)), "joint: row 'a' is 5 of 9 pairs, which is not the probability 2/4"),
        (((0, 0), (0, 0)), "joint: all are 0"),
    ],
)
def test_bad_joint_counts_are_refused(joint, message):
    with pytest.raises(ValueError, match=message):
        Distribution("", ("a", "b"), ("甲", "乙"), (2, 2), joint)


@pytest.mark.parametrize(
    ("payouts", "value"),
    [
        ({}, 0),
        ({"two": 4}, 1),
        ({"两个": 4, "none": -4}, 0),
        ({"one": "3:2"}, Fraction(3, 4)),
        ({"one": "3/2"}, Fraction(3, 4)),
        ({"one": 1.5}, Fraction(3, 4)),
        ({"one": "0.1"}, Fraction(1, 20)),
        ({"one": Fraction(1, 10)}, Fraction(1, 20)),
        ({"one": np.int64(3)}, Fraction(3, 2)),
    ],
)
def test_expectation(coins, payouts, value):
    assert coins.expectation(payouts) == value
    assert type(coins.expectation(payouts)) is Fraction


@pytest.mark.parametrize(
    ("payouts", "error", "message"),
    [
        ({"three": 1}, ValueError, "payouts: label 'three' is none of 'none', 'one', 'two'"),
        ({"one": 1, "一个": 1}, ValueError, "names a row that another label names too"),
        ({"one": 0.1}, ValueError, r"the float 0.1 is not exact; .* Fraction\('0.1'\) or '0.1'"),
        ({"one": math.nan}, ValueError, "cannot read nan"),
        ({"one": math.inf}, ValueError, "cannot read inf"),
        ({"one": "much"}, ValueError, "cannot read 'much'"),
        ({"one": "1/0"}, ValueError, "cannot read '1/0'"),
        ({"one": None}, TypeError, "expected a number or text, got None"),
    ],
)
def test_bad_payouts_are_refused(coins, payouts, error, message):
    with pytest.raises(error, match=message):
        coins.expectation(payouts)


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3).filter(any), st.fractions())
def test_expectation_is_the_sum_of_probability_times_payout(counts, payout):
    distribution = Distribution("", LABELS, LABELS_ZH, counts)
    pays = {"none": payout, "one": 3, "two": -payout}
    p = distribution.probabilities
    assert distribution.expectation(pays) == p[0] * payout + 3 * p[1] - p[2] * payout


# --- Tally


def test_tally_counts_hands_and_games():
    tally = Tally.from_counts({"a": 30, "b": 20}, players=5, labels_zh=["甲", "乙"])
    assert (tally.total, tally.games) == (50, 10)
    assert tally.frequencies.tolist() == [0.6, 0.4]
    assert tally.counts.dtype == np.int64
    assert tally.labels_zh == ("甲", "乙")
    assert "10 games of 5 hands" in str(tally)
    assert "10 局，每局 5 手" in tally.to_text("zh")


def test_empty_tally_has_no_frequencies():
    empty = Tally.from_counts({"a": 0, "b": 0})
    assert np.isnan(empty.frequencies).all()
    assert "nan" not in str(empty)


@pytest.mark.parametrize(
    ("counts", "players", "error", "message"),
    [
        ({"a": 1.5}, 1, TypeError, "counts: row 'a': expected an integer, got 1.5"),
        ({"a": -1}, 1, ValueError, "counts: row 'a': -1 is negative"),
        ({"a": 2**63}, 1, ValueError, "does not fit 64 bits"),
        ({"a": 2**62, "b": 2**62}, 1, ValueError, "does not fit 64 bits"),
        ({"a": 1}, 0, ValueError, "players: 0 is less than 1"),
        ({"a": 1}, 1.0, TypeError, "players: expected an integer"),
        ({3: 1}, 1, TypeError, "labels: expected text, got 3"),
    ],
)
def test_bad_tallies_are_refused(counts, players, error, message):
    with pytest.raises(error, match=message):
        Tally.from_counts(counts, players=players)


def test_typed_in_tallies_add_up(tally):
    assert (tally + tally).counts.tolist() == [48, 104, 48]


def test_adjacent_runs_are_joined():
    whole = simulated(0, 30)
    assert simulated(0, 10) + simulated(10, 30) == whole
    assert simulated(10, 30) + simulated(0, 10) == whole
    assert "seed 7, games 0 to 29" in str(whole)
    assert "随机种子 7，第 0 至 29 局" in whole.to_text("zh")


def test_runs_with_a_gap_stay_apart():
    runs = (simulated(20, 30) + simulated(0, 10)).source.runs
    assert [(run.start, run.stop) for run in runs] == [(0, 10), (20, 30)]


@given(st.permutations([(0, 4), (4, 9), (9, 10), (12, 15)]))
def test_the_order_of_merging_does_not_matter(pieces):
    first, *rest = [simulated(start, stop) for start, stop in pieces]
    merged = sum(rest, start=first)
    assert merged == simulated(0, 10) + simulated(12, 15)


def test_runs_of_different_streams_add_up():
    both = simulated(0, 10) + simulated(0, 10, entropy=8)
    assert both.total == 20
    assert len(both.source.runs) == 2


@pytest.mark.parametrize("entropy", [7, (7,), (7, 0)])
def test_a_game_is_not_counted_twice(entropy):
    with pytest.raises(ValueError, match="runs: games 5 to 9 of the stream with entropy"):
        simulated(0, 10) + simulated(5, 20, entropy=entropy)


@given(
    st.lists(st.integers(0, 2**40), max_size=6),
    st.lists(st.integers(0, 2**40), max_size=6),
    st.lists(st.integers(0, 3), max_size=2),
    st.lists(st.integers(0, 3), max_size=2),
)
def test_streams_are_equal_where_numpy_draws_the_same(entropy, other, key, other_key):
    def draws(entropy, key):
        return np.random.SeedSequence(entropy, spawn_key=key).generate_state(4).tolist()

    same = Run(tuple(entropy), key, 0, 1).stream == Run(tuple(other), other_key, 0, 1).stream
    assert same == (draws(entropy, key) == draws(other, other_key))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "dice"}, "game: cannot add 'coins' and 'dice'"),
        ({"rules": "loaded"}, "rules: cannot add 'fair' and 'loaded'"),
        ({"by": "tails"}, "by: cannot add 'heads' and 'tails'"),
        ({"players": 2}, "players: cannot add 1 and 2"),
    ],
)
def test_tallies_of_different_things_do_not_add_up(changes, message):
    with pytest.raises(ValueError, match=message):
        simulated(0, 10) + simulated(10, 20, **changes)


def test_other_labels_do_not_add_up(tally):
    with pytest.raises(ValueError, match="labels: cannot add"):
        tally + Tally.from_counts({"a": 1})


def test_simulated_and_typed_in_do_not_add_up(tally):
    with pytest.raises(ValueError, match="one side was simulated, the other not"):
        tally + simulated(0, 10)
    with pytest.raises(ValueError, match="one side was simulated, the other not"):
        simulated(0, 10) + tally
    with pytest.raises(TypeError):
        tally + 1


def test_source_must_tell_of_these_games():
    with pytest.raises(ValueError, match="source: tells of 5 games of 1, but there are 4 hands"):
        Tally("", ("a",), ("甲",), [4], 1, source(Run(7, (), 0, 5)))
    with pytest.raises(ValueError, match="source: tells of 1 players, not of 2"):
        Tally("", ("a",), ("甲",), [4], 2, source(Run(7, (), 0, 2)))


@pytest.mark.parametrize(
    ("run", "error", "message"),
    [
        ((7, (), 5, 4), ValueError, "stop: 4 is before start 5"),
        ((7, (), -1, 4), ValueError, "start: -1 is negative"),
        ((-7, (), 0, 4), ValueError, "entropy: -7 is negative"),
        (((1, 2.5), (), 0, 4), TypeError, "entropy: expected an integer, got 2.5"),
        ((7, (-1,), 0, 4), ValueError, "key: -1 is negative"),
    ],
)
def test_bad_runs_are_refused(run, error, message):
    with pytest.raises(error, match=message):
        Run(*run)


def test_runs_hold_python_numbers():
    run = Run(np.array([1, 2]), [np.int64(3)], np.int64(0), np.uint8(4))
    assert repr(run) == "Run(entropy=(1, 2), key=(3,), start=0, stop=4)"
    assert run.games == 4
    assert json.loads(json.dumps(simulated(0, 3).to_dict()))["source"]["runs"][0]["stop"] == 3


# --- Showdown


def showdown(start, stop, **changes):
    games = stop - start
    told = {
        "title": "t",
        "labels": ("low", "high"),
        "labels_zh": ("小", "大"),
        "players": 3,
        "exact": False,
        "hands": (games, 0),
        "win": (0, 0),
        "draw": (games, 0),
        "lose": (0, 0),
        "share": (Fraction(games, 3), 0),
        "best": (games, 0),
        "source": source(Run(7, (), start, stop), players=3),
    }
    return Showdown(**(told | changes))


def test_showdown_adds_its_deals_up(ace_and_kings):
    assert ace_and_kings.deals == (4, 2)
    assert ace_and_kings.total == 6
    assert ace_and_kings.equity == (Fraction(1, 4), Fraction(1))


def test_players_share_the_pot(ace_and_kings):
    assert sum(ace_and_kings.share) * ace_and_kings.players == ace_and_kings.total
    assert str(ace_and_kings).split("\n")[-2].split()[-2:] == ["50.0000", "100.0000"]


def test_a_class_never_dealt_has_no_equity():
    never = showdown(0, 6)
    assert never.equity == (Fraction(1, 3), None)
    assert "nan" not in str(never)
    assert never.to_dict()["equity_float"][1] is None
    assert never.to_csv().split("\n")[2] == "high,大,0,0,0,0,0,0.0,,0"


def test_simulated_showdowns_add_up():
    assert showdown(0, 6) + showdown(6, 9) == showdown(0, 9)


def test_showdowns_that_do_not_add_up(ace_and_kings):
    with pytest.raises(ValueError, match="exact showdowns hold every deal already"):
        ace_and_kings + ace_and_kings
    with pytest.raises(ValueError, match=r"games 3 to 5 of the stream .* come twice"):
        showdown(0, 6) + showdown(3, 9)
    with pytest.raises(ValueError, match="one side was simulated"):
        showdown(0, 6) + showdown(6, 9, source=None)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"players": 1}, ValueError, "players: 1 is less than 2"),
        ({"best": (5, 0)}, ValueError, "best: sums to 5, but there are 6 deals"),
        ({"hands": (5, 1)}, ValueError, "hands: a simulated showdown has one hand a deal"),
        ({"share": (1, 0)}, ValueError, r"share: row 'low': 1 is outside 2\.\.3"),
        ({"share": (4, 0)}, ValueError, r"share: row 'low': 4 is outside 2\.\.3"),
        ({"share": (2.0, 0)}, TypeError, "share: row 'low': expected a Fraction, got 2.0"),
        ({"win": (-1, 0)}, ValueError, "win: row 'low': -1 is negative"),
        ({"exact": True}, ValueError, "source: an exact showdown is not drawn"),
        ({"draw": (6,)}, ValueError, "draw: expected 2 values, one a row, got 1"),
    ],
)
def test_bad_showdowns_are_refused(changes, error, message):
    with pytest.raises(error, match=message):
        showdown(0, 6, **changes)


# --- Comparison


def test_comparison_says_how_many_rows_lie_outside(comparison):
    assert comparison.outside == "1 of 3 rows outside their interval, 0.2 expected"


def test_comparison_text_closes_with_the_overall_test(comparison):
    last = "chi2 inf, dof 2, p = 0; 1 of 3 rows outside their interval, 0.2 expected"
    assert str(comparison).split("\n")[-1] == last
    assert comparison.to_markdown().split("\n")[-1] == last
    zh = "卡方 inf，自由度 2，p = 0；3 行中 1 行在区间之外，预期 0.2 行"
    assert comparison.to_text("zh").split("\n")[-1] == zh


def test_comparison_dict_writes_infinity_as_text(comparison):
    told = comparison.to_dict()
    assert told["chi2"] == "inf"
    assert told["z"] == [-0.23, "inf", -0.23]
    assert told["outside"] == comparison.outside
