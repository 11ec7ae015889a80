"""The plots: the numbers they show, their words in both languages, and that nothing overlaps."""

import math
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.text import Text
from scipy.stats import binomtest, norm

from cardstats import _plot_fonts, plot
from cardstats.comparison import compare, covariance, rare_rows, wilson
from cardstats.results import Distribution, Showdown, Tally
from cardstats.throughput import Rate, Throughput

# What a dependency deprecates some day is none of these tests' business.
pytestmark = [
    pytest.mark.filterwarnings("error:Glyph"),
    pytest.mark.filterwarnings("error:constrained_layout not applied"),
    pytest.mark.filterwarnings("error:no font with Chinese characters"),
]

LABELS = ("high card", "pair", "three of a kind")
LABELS_ZH = ("散牌", "对子", "豹子")

needs_chinese_font = pytest.mark.skipif(
    _plot_fonts.chinese_font() is None, reason="no font with Chinese characters is installed"
)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    """Draw without a screen, in an English locale, and leave no figure open."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("a plot called show"))
    _plot_fonts._warn_of_no_font.cache_clear()
    yield
    plt.close("all")


@pytest.fixture
def no_chinese_font(monkeypatch):
    monkeypatch.setattr(_plot_fonts, "_installed_fonts", lambda: {"DejaVu Sans"})


@pytest.fixture
def exact():
    """Two hands of one deal cannot both be of the rarest class."""
    joint = ((600, 190, 10), (190, 3, 2), (10, 2, 0))
    return Distribution("exact hands", LABELS, LABELS_ZH, tuple(map(sum, joint)), joint)


@pytest.fixture
def seen():
    return Tally("hands dealt", LABELS, LABELS_ZH, [8000, 1900, 100])


@pytest.fixture
def comparison(seen, exact):
    return compare(seen, exact)


def showdown(exact, factor=1, **changed):
    fields = {
        "title": "showdown",
        "labels": LABELS,
        "labels_zh": LABELS_ZH,
        "players": 2,
        "exact": exact,
        "hands": (4 * factor, 2 * factor, factor) if exact else (400, 200, 0),
        "win": (1 * factor, 1 * factor, factor) if exact else (90, 110, 0),
        "draw": (2 * factor, 0, 0) if exact else (210, 0, 0),
        "lose": (1 * factor, 1 * factor, 0) if exact else (100, 90, 0),
        "share": (2 * factor, 1 * factor, factor) if exact else (195, 110, 0),
        "best": (2 * factor, 3 * factor, 2 * factor) if exact else (200, 400, 0),
    }
    return Showdown(**fields | changed)


def rate(kind, hands, label, label_zh, job=("category", "散牌与对子"), **more):
    names = {"job": job[0], "job_zh": job[1], "label": label, "label_zh": label_zh}
    return Rate(**names, kind=kind, hands=hands, **more)


DEALING = ("dealing", "发牌")
RATES = Throughput(
    (
        rate("limit", 3e9, "copy", "复制"),
        rate("cardstats", 2.4e9, "columns", "按列"),
        rate("cardstats", 0.9e9, "rows", "按行"),
        rate("plain", 2e5, "a loop", "循环", times=12e3),
        rate("peer", 4e4, "a package", "软件包", times=6e4),
        rate("another job", 1e6, "five cards", "五张牌"),
        rate("limit", 4e9, "copy of packs", "复制整副牌", DEALING),
        rate("limit", 5e8, "random numbers", "随机数", DEALING),
        rate("cardstats", 3e7, "deals", "发牌", DEALING),
    ),
    "hands per second",
    "每秒手数",
)


def drawers(exact, comparison, seen):
    """Each function with something to draw, as a function of its options."""
    runs = [seen, seen + seen]
    return {
        "bars": lambda **options: plot.bars(comparison, published={"pair": 0.2}, **options),
        "showdown": lambda **options: plot.showdown(showdown(True), showdown(False), **options),
        "residuals": lambda **options: plot.residuals(comparison, **options),
        "throughput": lambda **options: plot.throughput(RATES, **options),
        "convergence": lambda **options: plot.convergence(runs, exact, **options),
        "heatmap": lambda **options: plot.heatmap(exact.joint, exact, **options),
    }


NAMES = ("bars", "showdown", "residuals", "throughput", "convergence", "heatmap")


@pytest.fixture(params=NAMES)
def draw(request, exact, comparison, seen):
    return drawers(exact, comparison, seen)[request.param]


def texts(ax):
    return [text for text in ax.findobj(Text) if text.get_text()]


def drawn_texts(ax):
    """Leave out the labels of ticks beyond the ends of the axis."""
    low, high = sorted(ax.get_xlim())
    ticks = zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    beyond = {label for place, label in ticks if not low <= place <= high}
    return [text for text in texts(ax) if text not in beyond]


def value_texts(ax):
    return [text.get_text() for text in ax.texts]


def row_labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def marks(ax, name):
    """Find where the marks of this name are, in per cent."""
    (line,) = (line for line in ax.lines if line.get_label() == name)
    return line.get_xdata()


def intervals(ax):
    """Read the ends of the intervals, in shares; NaN where none is drawn."""
    ends = np.array([path.vertices[:, 0] for path in ax.collections[0].get_paths()])
    return ends[:, 0] / 100, ends[:, 1] / 100


# What every plot keeps to


def test_importing_plot_does_not_import_matplotlib():
    code = "import cardstats.plot, sys; assert not {'matplotlib', 'scipy.stats'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_makes_one_figure_or_draws_on_the_axes_given(draw):
    import matplotlib.pyplot as plt

    assert plt.get_fignums() == []
    made = draw()
    assert plt.get_fignums() == [made.figure.number]
    _, (left, right) = plt.subplots(1, 2)
    assert draw(ax=right) is right
    assert not left.has_data()
    assert len(plt.get_fignums()) == 2


def test_leaves_settings_alone(draw):
    before = dict(mpl.rcParams)
    draw(labels="en").figure.canvas.draw()
    assert dict(mpl.rcParams) == before


def test_title_can_be_replaced_and_left_out(draw):
    assert draw(title="mine").get_title(loc="left") == "mine"
    assert draw(title="").get_title(loc="left") == ""


def test_refuses_unknown_languages(draw):
    with pytest.raises(ValueError, match="labels: 'fr' is none of 'auto', 'en', 'zh'"):
        draw(labels="fr")


@pytest.mark.parametrize(
    ("name", "options", "read"),
    [
        ("bars", {"color": "red"}, lambda ax: ax.patches[0].get_facecolor()),
        ("showdown", {"color": "red"}, lambda ax: ax.patches[0].get_facecolor()),
        ("throughput", {"color": "red"}, lambda ax: ax.patches[0].get_facecolor()),
        ("residuals", {"facecolor": "red"}, lambda ax: ax.collections[-1].get_facecolor()[0]),
        ("convergence", {"color": "red"}, lambda ax: to_rgba(ax.lines[1].get_color())),
    ],
)
def test_passes_options_to_the_artist(name, options, read, exact, comparison, seen):
    ax = drawers(exact, comparison, seen)[name](**options)
    assert tuple(read(ax)) == to_rgba("red")


def test_passes_options_to_the_image(exact):
    assert plot.heatmap(exact.joint, exact, cmap="Reds").images[0].get_cmap().name == "Reds"


# Layout

LONG = tuple(f"straight flush to {number}" for number in range(15))
LONG_ZH = tuple(f"同花顺到{number}" for number in range(15))


@pytest.mark.parametrize("size", [None, (4.5, 3), (11, 8)])
@pytest.mark.parametrize("kind", ["bars", "residuals"])
def test_fifteen_rows_neither_overlap_nor_leave_the_figure(kind, size):
    import matplotlib.pyplot as plt

    expected = Distribution(
        "a title so long that it does not fit on one line",
        LONG,
        LONG_ZH,
        [2**row for row in range(15)],
    )
    counts = dict(zip(LONG, [3 * 2**row + row for row in range(15)], strict=True))
    comparison = compare(Tally.from_counts(counts), expected)
    ax = None if size is None else plt.subplots(figsize=size, layout="constrained")[1]
    ax = getattr(plot, kind)(comparison, ax=ax)
    renderer = ax.figure.canvas.get_renderer()
    ax.figure.canvas.draw()
    page = ax.figure.bbox
    for text in drawn_texts(ax):
        box = text.get_window_extent(renderer)
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text
    rows = [label.get_window_extent(renderer) for label in ax.get_yticklabels()]
    values = [text.get_window_extent(renderer) for text in ax.texts if text.get_text()[-1] == "%"]
    for boxes in (rows, values):
        assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))
    note = [ax.texts[-1]] if kind == "residuals" else []
    head = [
        artist.get_window_extent(renderer) for artist in (ax._left_title, *note, ax.get_legend())
    ]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(head))


# bars


def test_bars_show_observed_under_exact(comparison, exact):
    ax = plot.bars(comparison)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([80, 19, 1])
    assert marks(ax, "exact") == pytest.approx([100 * p for p in exact.probabilities])
    assert np.array(intervals(ax)) == pytest.approx(np.array([comparison.low, comparison.high]))
    assert row_labels(ax) == list(LABELS)
    assert ax.yaxis_inverted()
    assert value_texts(ax) == ["80.0 %", "19.0 %", "1.0 %"]
    assert ax.get_xlabel() == "Frequency, %"
    assert ax.get_title(loc="left") == comparison.title


def test_bars_name_the_confidence_of_the_comparison(exact):
    few = Tally.from_counts(dict(zip(LABELS, [800, 190, 10], strict=True)))
    ax = plot.bars(compare(few, exact, confidence=0.99), label="simulated")
    assert legend_texts(ax) == ["simulated", "99 % interval", "exact"]


def test_intervals_stand_above_the_circles_and_in_the_legend(comparison, seen):
    ax = plot.bars(comparison)
    assert legend_texts(ax) == ["observed", "95 % interval", "exact"]
    assert legend_texts(plot.bars(seen)) == ["observed", "95 % interval"]
    (circles,) = (line for line in ax.lines if line.get_label() == "exact")
    caps = [line for line in ax.lines if line is not circles]
    assert len(caps) == 2  # that are seen where an interval is shorter than a line is wide
    for part in (ax.collections[0], *caps):
        assert part.get_zorder() > circles.get_zorder()


def test_bars_of_a_distribution_stand_alone(exact):
    ax = plot.bars(exact)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(
        [100 * p for p in exact.probabilities]
    )
    assert ax.get_legend() is None
    assert len(ax.lines) == 0
    assert ax.get_xlabel() == "Probability, %"


def test_bars_of_a_tally_have_the_intervals_that_compare_gives(seen, comparison):
    assert np.array(intervals(plot.bars(seen))) == pytest.approx(
        np.array([comparison.low, comparison.high])
    )


def test_bars_of_hands_that_share_a_deal_have_no_interval(seen):
    ax = plot.bars(Tally.from_counts(dict(zip(LABELS, [80, 19, 1], strict=True)), players=5))
    assert len(ax.collections) == 0


@pytest.mark.parametrize("title", ["bars", "showdown"])
def test_a_class_never_dealt_has_neither_bar_nor_interval(title):
    drawn, table = showdown(False), showdown(True)
    ax = {
        "bars": lambda: plot.bars(compare(drawn, table, of="win")),
        "showdown": lambda: plot.showdown(table, drawn, of="win"),
    }[title]()
    ax.figure.canvas.draw()
    assert math.isnan(ax.patches[2].get_width())
    assert np.isnan(intervals(ax)).tolist() == 2 * [[False, False, True]]
    assert value_texts(ax)[2] == "–"
    assert ax.texts[2].xy[0] == 100  # beside what is exact, as with the others
    assert ax.get_xlim()[1] > 100


@pytest.mark.parametrize("largest", [50, 86, 87, 100])
def test_no_tick_is_beyond_100_per_cent(largest):
    ax = plot.bars(Distribution("", ("a", "b"), ("甲", "乙"), (largest, 100 - largest)))
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    assert low == 0
    assert 1.05 < high / max(largest, 100 - largest) < 1.25
    ticks = [tick for tick in ax.get_xticks() if low <= tick <= high]
    assert len(ticks) >= 4
    assert max(ticks) <= 100
    assert (ax.spines["bottom"].get_bounds() == (0, 100)) == (high > 100)


def test_bars_mark_published_figures(exact):
    ax = plot.bars(exact, published={"对子": 0.2, "high card": Fraction(1, 2)})
    np.testing.assert_array_equal(marks(ax, "published"), [50, 20, np.nan])
    assert legend_texts(ax) == ["exact", "published"]


@pytest.mark.parametrize(
    ("published", "message"),
    [
        ({"pair": 16.9}, "published: 'pair': 16.9 is no probability from 0 to 1"),
        ({"pair": math.nan}, "published: 'pair': nan is no probability"),
        ({"pear": 0.1}, "published: label 'pear' is none of 'high card', 'pair', "),
        ({"pair": 0.1, "对子": 0.2}, "published: '对子' names a row that another label names too"),
        ({"pair": "16.9 %"}, "published: 'pair': expected a number, got '16.9 %'"),
        ({"pair": None}, "published: 'pair': expected a number, got None"),
        ([0.1, 0.2, 0.7], r"published: expected probabilities by label, got \[0.1, 0.2, 0.7\]"),
    ],
)
def test_figures_that_are_no_probabilities_are_refused(exact, seen, published, message):
    for use in (plot.bars, lambda result, **given: compare(seen, result, **given)):
        with pytest.raises((TypeError, ValueError), match=f"^{message}"):
            use(exact, published=published)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((1, 1), ["50.0 %", "50.0 %"]),
        ((0, 1), ["0 %", "100 %"]),
        ((2173, 997_827), ["0.217 %", "99.783 %"]),
        ((1, 3 * 10**9 - 1), ["3.33e-08 %", "100.000000 %"]),
    ],
)
def test_exact_values_have_three_digits(counts, said):
    assert value_texts(plot.bars(Distribution("", ("a", "b"), ("甲", "乙"), counts))) == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        # As fine as the intervals, but with two digits of the smallest.
        ((3, 4), ["43 %", "57 %"]),
        ((996, 4), ["99.60 %", "0.40 %"]),
        ((99_600_000, 400_000), ["99.600 %", "0.400 %"]),
        ((7439, 1694, 845, 22), ["74.39 %", "16.94 %", "8.45 %", "0.22 %"]),
        ((900, 100, 0), ["90 %", "10 %", "0 %"]),
        # One row is too rare for one number of decimals.
        ((600_000, 399_999, 1), ["60.00 %", "40.00 %", "0.0001 %"]),
    ],
)
def test_simulated_values_have_one_number_of_decimals(counts, said):
    seen = Tally.from_counts({f"row {row}": count for row, count in enumerate(counts)})
    assert value_texts(plot.bars(seen)) == said


def test_exact_values_have_one_number_of_decimals():
    counts = (16440, 3744, 720, 1096, 48, 52)
    labels = tuple("abcdef")
    texts = value_texts(plot.bars(Distribution("", labels, labels, counts)))
    assert texts == ["74.39 %", "16.94 %", "3.26 %", "4.96 %", "0.22 %", "0.24 %"]


def test_bars_of_an_empty_tally_are_empty():
    ax = plot.bars(Tally.from_counts({"a": 0, "b": 0}))
    ax.figure.canvas.draw()
    assert value_texts(ax) == ["–", "–"]


# showdown


@pytest.mark.parametrize(
    ("of", "rates", "axis"),
    [
        ("win", [25, 50, 100], "Win rate, %"),
        ("draw", [50, 0, 0], "Draw rate, %"),
        ("lose", [25, 50, 0], "Loss rate, %"),
        ("share", [50, 50, 100], "Equity: average share of the pot, %"),
        ("best", [200 / 7, 300 / 7, 200 / 7], "Best hand at the table, %"),
    ],
)
def test_showdown_draws_rates(of, rates, axis):
    ax = plot.showdown(showdown(True), of=of)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(rates)
    assert ax.get_xlabel() == axis
    assert ax.get_legend() is None


@pytest.mark.parametrize("of", ["win", "draw", "lose", "best"])
def test_showdown_has_the_intervals_that_compare_gives(of):
    ax = plot.showdown(showdown(True), showdown(False), of=of)
    expected = compare(showdown(False), showdown(True), of=of)
    known = ~np.isnan(expected.observed)
    bounds = np.where(known, [expected.low, expected.high], np.nan)
    assert np.array(intervals(ax)) == pytest.approx(bounds, nan_ok=True)
    assert marks(ax, "exact") == pytest.approx(100 * expected.expected)
    assert legend_texts(ax) == ["simulated", "95 % interval", "exact"]


def test_showdown_of_shares_has_intervals_around_them():
    parts = (Fraction(391, 2), 110, 0)
    table = showdown(False, draw=(211, 0, 0), lose=(99, 90, 0), share=parts)
    low, high = intervals(plot.showdown(table, of="share"))
    fewer, more = (binomtest(wins, 400).proportion_ci(0.95, method="wilson") for wins in (195, 196))
    assert fewer.low < low[0] < more.low
    assert fewer.high < high[0] < more.high


def test_showdown_leaves_a_class_never_dealt_empty():
    ax = plot.showdown(showdown(False))
    ax.figure.canvas.draw()
    assert value_texts(ax)[2] == "–"


def test_showdown_refuses_what_does_not_belong_together():
    with pytest.raises(ValueError, match=r"of: 'wins' is none of 'win', 'draw'"):
        plot.showdown(showdown(True), of="wins")
    with pytest.raises(TypeError, match="expected an exact and a simulated Showdown, in order"):
        plot.showdown(showdown(False), showdown(True))
    with pytest.raises(ValueError, match="players: 2 of the exact one are not 3"):
        plot.showdown(showdown(True), showdown(False, players=3))
    with pytest.raises(ValueError, match="labels: "):
        plot.showdown(showdown(True), showdown(False, labels=("a", "b", "c")))


# What is no such result


@pytest.mark.parametrize("wrong", [None, 1, "pair", {"pair": 1}])
def test_other_results_are_refused(wrong, exact, seen, comparison):
    kind = type(wrong).__name__
    for call, message in (
        (lambda: plot.bars(wrong), "result: expected a Comparison, a Distribution or a Tally"),
        (lambda: plot.showdown(wrong), "result: expected a Showdown"),
        (lambda: plot.residuals(wrong), "comparison: expected a Comparison, as `compare` returns"),
        (lambda: plot.agreement(wrong), "comparison: expected a Comparison, as `compare` returns"),
        (lambda: plot.throughput(wrong), "result: expected a Throughput"),
        (lambda: plot.convergence([seen, wrong], exact), "tallies: number 1: expected a Tally"),
        (lambda: plot.convergence([wrong], exact), "tallies: number 0: expected a Tally"),
        (lambda: plot.convergence([seen], wrong), "expected: expected a Distribution"),
    ):
        with pytest.raises(TypeError, match=f"^{message}.*, got a {kind}$"):
            call()


def test_results_of_the_wrong_kind_are_refused(exact, seen):
    for call, message in (
        (lambda: plot.bars(showdown(True)), "result: expected .*, got a Showdown"),
        (lambda: plot.residuals(exact), "comparison: expected .*, got a Distribution"),
        (lambda: plot.showdown(seen), "result: expected a Showdown, got a Tally"),
        (
            lambda: plot.showdown(showdown(True), seen),
            "simulated: expected a Showdown, got a Tally",
        ),
        (lambda: plot.convergence(seen, exact), "tallies: expected Tally after Tally, got a Tally"),
    ):
        with pytest.raises(TypeError, match=f"^{message}$"):
            call()


# residuals


def test_residuals_draw_z_and_the_overall_test(comparison):
    ax = plot.residuals(comparison)
    points = ax.collections[-1].get_offsets()
    assert points[:, 0].tolist() == pytest.approx(comparison.z.tolist())
    assert row_labels(ax) == list(LABELS)
    overall = f"χ² = {comparison.chi2:.2f}, 2 degrees of freedom, p = {comparison.p_value:.4f}"
    assert value_texts(ax)[-1] == overall


def test_residuals_mark_rare_rows_and_outliers(exact):
    seen = Tally.from_counts({"high card": 155, "pair": 40, "three of a kind": 5})
    comparison = compare(seen, exact)
    ax = plot.residuals(comparison)
    faces = ax.collections[-1].get_facecolor().tolist()
    assert [tuple(face) == to_rgba("white") for face in faces] == [False, False, True]
    assert value_texts(ax)[0] == f"p = {comparison.p[2]:.4f}"
    far = Tally.from_counts({"high card": 7000, "pair": 2900, "three of a kind": 100})
    assert f"{compare(far, exact).z[0]:+.2f}".replace("-", "−") in value_texts(
        plot.residuals(compare(far, exact))
    )


def test_residuals_say_what_the_band_and_hollow_points_are(comparison, exact):
    assert legend_texts(plot.residuals(comparison)) == ["±2 standard deviations"]
    few = Tally.from_counts({"high card": 155, "pair": 40, "three of a kind": 5})
    ax = plot.residuals(compare(few, exact))
    assert legend_texts(ax) == ["±2 standard deviations", "rare: exact p"]


AB = ("a", "b")


def test_rare_rows_are_those_with_an_exact_p():
    labels = ("usual", "five times", "rare", "never", "most")
    exact = Distribution("", labels, labels, (500, 5, 4, 0, 491))
    seen = compare(Tally("", labels, labels, [490, 9, 9, 0, 492]), exact)
    assert rare_rows(seen).tolist() == [False, False, True, False, False]
    from_z = 2 * norm.sf(np.abs(seen.z))
    assert (seen.p == pytest.approx(from_z)) is False
    assert seen.p[~rare_rows(seen)] == pytest.approx(from_z[~rare_rows(seen)])
    both = compare(Tally.from_counts({"a": 99, "b": 1}), Distribution("", AB, AB, (98, 2)))
    assert rare_rows(both).tolist() == [True, True]
    assert not rare_rows(compare(showdown(False), showdown(True), of="win"))[2]


def test_wilson_is_scipys_and_knows_nothing_without_a_trial():
    low, high = wilson(np.array([0.2, 1, np.nan]), np.array([50.0, 9, 0]), 0.9)
    tests = [binomtest(10, 50), binomtest(9, 9)]
    for row, test in enumerate(tests):
        interval = test.proportion_ci(confidence_level=0.9, method="wilson")
        assert (low[row], high[row]) == pytest.approx(tuple(interval))
    assert (low[2], high[2]) == (0, 1)


def test_residuals_of_a_class_never_dealt_are_0():
    ax = plot.residuals(compare(showdown(False), showdown(True), of="win"))
    ax.figure.canvas.draw()
    assert ax.collections[-1].get_offsets()[2].tolist() == [0, 2]


def test_residuals_may_all_be_infinite():
    certain = Distribution("", ("a", "b"), ("甲", "乙"), (1, 0))
    ax = plot.residuals(compare(Tally.from_counts({"a": 8, "b": 1}), certain))
    ax.figure.canvas.draw()
    assert ax.collections[-1].get_offsets()[:, 0].tolist() == list(ax.get_xlim())
    assert value_texts(ax)[:2] == ["−∞", "+∞"]
    for text in ax.texts[:2]:
        box = text.get_window_extent()
        assert ax.bbox.x0 < box.x0 < box.x1 < ax.bbox.x1


def test_residuals_put_infinite_ones_at_the_edge():
    impossible = Distribution("", ("a", "b", "c"), ("甲", "乙", "丙"), (0, 1, 1))
    ax = plot.residuals(compare(Tally.from_counts({"a": 1, "b": 50, "c": 49}), impossible))
    ax.figure.canvas.draw()
    assert ax.collections[-1].get_offsets()[0, 0] == ax.get_xlim()[1]
    assert value_texts(ax)[0] == "+∞"


# agreement


def test_agreement_draws_bars_and_residuals_of_the_same_rows(comparison):
    import matplotlib.pyplot as plt

    left, right = plot.agreement(comparison, label="simulated")
    assert plt.get_fignums() == [left.figure.number]
    alone, z = plot.bars(comparison), plot.residuals(comparison)
    left.figure.canvas.draw()
    for half, whole in ((left, alone), (right, z)):
        for drawn, expected in zip(half.collections, whole.collections, strict=True):
            assert np.array_equal(drawn.get_offsets(), expected.get_offsets())
    assert value_texts(left)[:3] == value_texts(alone)
    assert row_labels(left) == list(LABELS)
    assert not any(label.get_visible() for label in right.get_yticklabels())
    assert left.get_ylim() == right.get_ylim()
    assert left.bbox.y0 == pytest.approx(right.bbox.y0)
    assert left.bbox.y1 == pytest.approx(right.bbox.y1)
    band = "±2 standard deviations"
    assert legend_texts(left) == ["simulated", "95 % interval", "exact", band]
    assert right.get_legend() is None
    assert left.get_title(loc="left") == comparison.title
    assert value_texts(left)[-1] == value_texts(z)[-1]  # the overall test


@pytest.mark.parametrize("title", [None, ""])
@pytest.mark.parametrize("labels", ["en", pytest.param("zh", marks=needs_chinese_font)])
def test_agreement_keeps_its_halves_apart_and_together_on_the_page(exact, labels, title):
    seen = Tally.from_counts({"high card": 155, "pair": 40, "three of a kind": 5})
    comparison = compare(seen, exact, published={"pair": 0.2})
    left, right = plot.agreement(comparison, labels=labels, title=title)
    left.figure.canvas.draw()
    for text in (*drawn_texts(left), *drawn_texts(right)):
        box = text.get_window_extent()
        assert left.figure.bbox.padded(1).contains(box.x0, box.y0), text
        assert left.figure.bbox.padded(1).contains(box.x1, box.y1), text
    gap = right.bbox.x0 - left.bbox.x1
    assert 0 < gap < 0.2 * left.figure.bbox.width
    assert right.bbox.width > 0.25 * left.figure.bbox.width
    # Below the title: the overall test, then the legend, then the data.
    head = [artist.get_window_extent() for artist in (left.texts[-1], left.get_legend())]
    assert head[0].y0 >= head[1].y1 - 1
    assert head[1].y0 >= left.bbox.y1 - 1


def test_agreement_draws_on_the_axes_given_and_is_saved(comparison, tmp_path):
    import matplotlib.pyplot as plt

    pair = plt.subplots(1, 2, layout="constrained")[1]
    axes = plot.agreement(comparison, axes=pair, title="mine")
    assert axes == tuple(pair)
    assert axes[0].get_title(loc="left") == "mine"
    with pytest.raises(ValueError, match="axes: expected two, got 1"):
        plot.agreement(comparison, axes=pair[:1])
    with pytest.raises(ValueError, match="labels: 'fr' is none of 'auto', 'en', 'zh'"):
        plot.agreement(comparison, labels="fr")
    for number, saved in enumerate((axes, plot.bars(comparison), plt.subplots(1, 2)[1])):
        path = tmp_path / f"{number}.png"
        plot.save(saved, path)
        assert path.stat().st_size > 0
    assert plt.get_fignums() == []


# throughput


def test_throughput_draws_rates_job_by_job():
    ax = plot.throughput(RATES)
    ax.figure.canvas.draw()
    assert row_labels(ax) == [
        "category",
        *("columns", "rows", "a loop", "a package", "five cards"),
        "dealing",
        "deals",
    ]
    bold = [label.get_fontweight() == "bold" for label in ax.get_yticklabels()]
    assert np.flatnonzero(bold).tolist() == [0, 6]
    assert [bar.get_width() for bar in ax.patches] == [2.4e9, 0.9e9, 2e5, 4e4, 1e6, 3e7]
    middles = [bar.get_y() + bar.get_height() / 2 for bar in ax.patches]
    assert middles == pytest.approx([1, 2, 3, 4, 5, 7])
    said = ["2.4 G", "900 M", "200 k (12,000 ×)", "40 k (60,000 ×)", "1.0 M", "30 M"]
    assert set(said) <= set(value_texts(ax))
    assert "(n ×): cardstats is n times as fast" in value_texts(ax)
    kinds = ["cardstats", "plain Python", "other packages", "another job, for scale"]
    assert legend_texts(ax) == kinds
    assert len({(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}) == 4
    assert ax.get_xscale() == "log"
    assert ax.get_xlabel() == "Hands per second"


def test_throughput_draws_limits_as_lines_across_their_job():
    ax = plot.throughput(RATES)
    lines = [path.vertices for lines in ax.collections for path in lines.get_paths()]
    rates = [line[:, 0].tolist() for line in lines]
    assert rates == [[3e9, 3e9], [5e8, 5e8], [4e9, 4e9]]
    rows = [np.round(line[:, 1]).tolist() for line in lines]
    assert rows == [[0, 5], [6, 7], [6, 7]]
    places = {
        text.get_text(): (text.xy, text.get_ha()) for text in ax.texts if " G" in text.get_text()
    }
    assert places["copy 3.0 G"] == ((3e9, 0), "right")
    assert places["copy of packs 4.0 G"] == ((4e9, 6), "left")


def test_throughput_writes_the_rates_of_cardstats_inside_unless_bars_are_short():
    ax = plot.throughput(RATES)
    sides = {text.get_text(): text.get_ha() for text in ax.texts}
    assert (sides["2.4 G"], sides["200 k (12,000 ×)"]) == ("right", "left")
    slow = Throughput((rate("cardstats", 1, "slow", "慢"), rate("peer", 1e9, "fast", "快")))
    assert plot.throughput(slow).texts[0].get_ha() == "left"


@pytest.mark.parametrize("labels", ["en", pytest.param("zh", marks=needs_chinese_font)])
def test_throughput_of_forty_rows_can_be_read(labels):
    rows = [
        rate(
            kind, 10 ** (3 + number % 7), f"{kind} {number}, columns", f"{kind}，按列 {number}", job
        )
        for number in range(40)
        for job in [(f"what is done {number // 5}", f"第 {number // 5} 项")]
        for kind in [("limit", "cardstats", "plain", "peer", "another job")[number % 5]]
    ]
    ax = plot.throughput(Throughput(tuple(rows), "forty", "四十"), labels=labels)
    ax.figure.canvas.draw()
    width, height = ax.figure.get_size_inches()
    assert width <= 7
    assert height <= 11
    for text in drawn_texts(ax):
        box = text.get_window_extent()
        assert ax.figure.bbox.contains(box.x0, box.y0), text
        assert ax.figure.bbox.contains(box.x1, box.y1), text
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))
    assert min(label.get_fontsize() for label in ax.get_yticklabels()) >= 7.9


def test_throughput_may_hold_limits_alone():
    ax = plot.throughput(Throughput((rate("limit", 3e9, "copy", "复制"),)))
    ax.figure.canvas.draw()
    assert row_labels(ax) == ["category"]
    assert ax.get_legend() is None


@needs_chinese_font
def test_throughput_in_chinese():
    ax = plot.throughput(RATES, labels="zh")
    assert row_labels(ax)[:2] == ["散牌与对子", "按列"]
    assert "复制 3.0 G" in value_texts(ax)
    assert legend_texts(ax)[1:] == ["纯 Python", "其他软件包", "任务不同，仅供参照"]
    assert ax.get_title(loc="left") == "每秒手数"
    assert ax.get_xlabel() == "每秒手数"


# convergence


def funnel(ax):
    """Read the band of the first row: games, lower and upper end."""
    corners = ax.collections[0].get_paths()[0].vertices
    games = sorted(set(corners[:, 0]))
    ends = [corners[corners[:, 0] == game, 1] for game in games]
    return games, [min(end) for end in ends], [max(end) for end in ends]


def test_convergence_draws_deviations_in_a_funnel_of_two_standard_deviations(exact):
    runs = [
        Tally("", LABELS, LABELS_ZH, [size * 16 // 20, size * 4 // 20, 0], players=2)
        for size in (100, 1000)
    ]
    ax = plot.convergence(runs, exact, rows=["对子"])
    level, line = ax.lines[:2]
    chance = float(exact.probabilities[1])
    assert set(level.get_ydata()) == {0}
    assert line.get_xdata().tolist() == [50, 500]
    assert line.get_ydata() == pytest.approx(100 * (0.2 / chance - 1))
    variance = covariance(exact, 2)[1, 1] / 4
    band = 200 * np.sqrt(variance / np.array([50, 500])) / chance
    games, low, high = funnel(ax)
    assert games == [50, 500]
    assert low == pytest.approx(-band)
    assert high == pytest.approx(band)
    assert legend_texts(ax) == ["pair, exact 19.4 %", "±2 standard deviations"]


def test_convergence_tells_too_many_from_too_few(exact):
    few, many = (Tally("", LABELS, LABELS_ZH, [90 - n, n, 10]) for n in (5, 50))
    ends = [
        plot.convergence([seen], exact, rows=["pair"]).lines[1].get_ydata() for seen in (few, many)
    ]
    assert ends[0] < 0 < ends[1]


def test_convergence_has_no_band_below_never():
    rare = Distribution("", ("a", "b"), ("甲", "乙"), (999, 1))
    runs = [Tally.from_counts({"a": games, "b": 0}) for games in (100, 1000)]
    ax = plot.convergence(runs, rare, rows=["b"])
    ax.figure.canvas.draw()
    assert ax.lines[1].get_ydata().tolist() == [-100, -100]
    assert min(funnel(ax)[1]) == -100
    assert -110 < ax.get_ylim()[0] < -100
    ticks = dict(zip(ax.get_yticks(), row_labels(ax), strict=True))
    assert (ticks[0], ticks[-100], ticks[100]) == ("0", "−100", "+100")
    assert min(ticks) == -100


def test_convergence_draws_the_most_and_the_least_likely_row(seen, exact):
    ax = plot.convergence([seen], exact)
    names = [text.partition(",")[0] for text in legend_texts(ax)]
    assert names[:2] == ["high card", "three of a kind"]


def test_convergence_says_what_closes_on_what(seen, exact):
    title = plot.convergence([seen], exact).get_title(loc="left").replace("\n", " ")
    assert title == "simulated frequency closing on exact: exact hands"


@needs_chinese_font
def test_convergence_says_so_in_chinese(seen):
    expected = Distribution("hands", LABELS, LABELS_ZH, (8, 1, 1), title_zh="手牌")
    ax = plot.convergence([seen], expected, labels="zh")
    assert ax.get_title(loc="left") == "模拟频率趋近精确值：手牌"


def test_convergence_survives_a_frequency_that_is_exact():
    coin = Distribution("", ("a", "b"), ("甲", "乙"), (1, 1))
    runs = [Tally.from_counts({"a": half, "b": half}) for half in (5, 50)]
    plot.convergence(runs, coin).figure.canvas.draw()


def test_convergence_refuses_what_is_not_one_growing_run(seen, exact):
    other = Tally.from_counts({"a": 1})
    for runs, message in (
        ([], "tallies: there is none"),
        ([seen, seen], r"tallies: games do not grow from 1 on: \[10000, 10000\]"),
        ([seen, other], "tallies: number 1 has other players or labels than the first"),
    ):
        with pytest.raises(ValueError, match=message):
            plot.convergence(runs, exact)
    for rows, message in (
        (["pear"], "rows: label 'pear' is none of"),
        ([], "rows: name at least one row"),
    ):
        with pytest.raises(ValueError, match=message):
            plot.convergence([seen], exact, rows=rows)
    never = Distribution("", LABELS, LABELS_ZH, (1, 1, 0))
    with pytest.raises(ValueError, match="rows: 'three of a kind' is impossible"):
        plot.convergence([seen], never, rows=["three of a kind"])
    always = Distribution("", LABELS, LABELS_ZH, (1, 0, 0))
    with pytest.raises(ValueError, match="rows: 'high card' is certain; nothing can deviate"):
        plot.convergence([seen], always, rows=["high card"])
    with pytest.raises(ValueError, match="expected: no row can deviate"):
        plot.convergence([seen], always)


# heatmap


def test_heatmap_writes_each_cell_in_an_ink_that_can_be_read():
    ax = plot.heatmap([[0, 0.5, 1], [0.25, math.nan, 12345]], ["a", "b"], ["x", "y", "z"], vmax=1)
    assert value_texts(ax) == ["0", "0.5", "1", "0.25", "", "1.23e+04"]
    assert ax.texts[0].get_color() == "black"
    assert ax.texts[2].get_color() == "white"
    assert row_labels(ax) == ["a", "b"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y", "z"]


def test_heatmap_slants_names_that_do_not_fit_below_their_column():
    for names, angle in ((["win", "natural"], 0), ([f"straight flush {n}" for n in range(9)], 40)):
        ax = plot.heatmap([[0.5] * len(names)], ["a"], names)
        assert {label.get_rotation() for label in ax.get_xticklabels()} == {angle}


@pytest.mark.parametrize("columns", [3, 10])
def test_figures_have_one_width_and_rows_one_height(columns, comparison):
    rows = [f"row {number}" for number in range(columns)]
    heatmap = plot.heatmap(np.ones((columns, columns)), rows)
    bars = plot.bars(Tally.from_counts(dict.fromkeys(rows, 1)))
    pair = plot.agreement(compare(Tally.from_counts(dict.fromkeys(rows, 9)), even(rows)))[0]
    heights = []
    for ax in (bars, plot.residuals(comparison), pair, heatmap):
        ax.figure.canvas.draw()
        assert ax.figure.get_figwidth() == 6.4
        heights.append(ax.bbox.height / abs(np.diff(ax.get_ylim())[0]) / ax.figure.dpi)
    assert heights == pytest.approx(4 * [0.3], rel=0.08)


def even(rows):
    return Distribution("", rows, rows, [1] * len(rows))


def test_heatmap_refuses_labels_that_do_not_fit():
    message = r"matrix: shape \(1, 2\) is not that of 2 row labels and 2 column labels"
    with pytest.raises(ValueError, match=message):
        plot.heatmap([[1, 2]], ["a", "b"])


# Languages


def test_auto_is_english_without_a_chinese_locale(exact):
    assert row_labels(plot.bars(exact)) == list(LABELS)


@needs_chinese_font
@pytest.mark.parametrize("name", ["LC_ALL", "LC_MESSAGES", "LANG"])
def test_auto_is_chinese_in_a_chinese_locale(exact, name, monkeypatch):
    monkeypatch.setenv(name, "zh_CN.UTF-8")
    assert row_labels(plot.bars(exact)) == list(LABELS_ZH)


def test_auto_is_english_where_no_font_could_draw_chinese(exact, no_chinese_font, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    ax = plot.bars(exact)
    ax.figure.canvas.draw()
    assert row_labels(ax) == list(LABELS)


def test_chinese_without_a_font_warns_once_and_draws_english(draw, no_chinese_font):
    with pytest.warns(UserWarning, match="install one, for example Noto Sans CJK") as caught:
        first = draw(labels="zh")
    assert caught[0].filename == __file__
    first.figure.canvas.draw()
    again = draw(labels="zh")
    said = " ".join(text.get_text() for text in texts(again))
    assert "high card" in said or "category" in said


@needs_chinese_font
def test_chinese_is_drawn_in_a_font_that_holds_it(draw):
    ax = draw(labels="zh")
    ax.figure.canvas.draw()  # a missing glyph warns, and that is an error here
    said = " ".join(text.get_text() for text in texts(ax))
    assert "散牌" in said
    assert "high card" not in said
    font = _plot_fonts.chinese_font()
    assert all(text.get_fontfamily()[0] == font for text in texts(ax))


@needs_chinese_font
def test_chinese_words_of_a_comparison(comparison, seen):
    ax = plot.bars(comparison, published={"pair": 0.2}, labels="zh")
    assert legend_texts(ax) == ["观测", "95 % 区间", "精确", "公布值"]
    assert legend_texts(plot.bars(seen, labels="zh")) == ["观测", "95 % 区间"]
    assert ax.get_xlabel() == "频率（%）"
    ax = plot.residuals(comparison, labels="zh")
    assert ax.texts[-1].get_text().startswith("χ² = ")
    assert legend_texts(ax) == ["±2 倍标准差"]
    assert plot.showdown(showdown(False), labels="zh").get_xlabel() == "胜率（%）"


@needs_chinese_font
def test_labels_typed_in_chinese_are_drawn_in_any_language():
    ax = plot.bars(Tally.from_counts({"对子": 1, "其他": 9}), labels="en", title="−1 × 甲")
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == "Frequency, %"


def test_labels_typed_in_chinese_warn_where_no_font_holds_them(no_chinese_font):
    with pytest.warns(UserWarning, match="no font with Chinese characters"):
        plot.bars(Tally.from_counts({"对子": 1, "其他": 9}), labels="en")


def test_cells_of_a_heatmap_may_hold_words():
    ax = plot.heatmap([[0.1, math.nan], [1.0, 0.0]], ["a", "b"], text=[["x", "y"], ["z", ""]])
    assert [cell.get_text() for cell in ax.texts] == ["x", "", "z", ""]
    with pytest.raises(ValueError, match=r"text: shape \(1, 2\) is not that of the matrix"):
        plot.heatmap([[0.1, 0.2], [1.0, 0.0]], ["a", "b"], text=[["x", "y"]])
