"""The three-card sections of the report: seeds 000, 001 and 003, and what lies beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np

from cardstats import plot, published
from cardstats import three_card as tc
from cardstats._report import Figure, Grid, Section
from cardstats._report_run import (
    Settings,
    agreement_column,
    fit_words,
    percent_column,
    rows_of,
    z_column,
)
from cardstats._table import Column, Lang, Words, count_text, percent_text, z_text
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Showdown, Tally
from cardstats.three_card.rules import row_labels

_SEED_001_GAMES = 10**7
_BEYOND_GAMES = 10**7
_CATEGORIES = row_labels("category")
_BEST_PLAYERS = range(2, 7)
_POINTS_PLAYERS = (2, 5)
_SIMULATED = Words("simulated", "模拟")

_BY_RANK_000 = tc.Rules(name="seed 000's order, by rank", order=tc.ZHA_JIN_HUA_POINTS.order)


def sections(settings: Settings) -> Iterator[Section]:
    """Make the sections, one by one as they are computed."""
    yield _five_players(settings)
    yield _printed_games(settings.lang)
    yield _probabilities(settings)
    yield _win_rates(settings)
    yield _best_hands(settings)
    yield _points_against_rank(settings)
    yield _against_rarity(settings.lang)


def best_of_six(settings: Settings) -> Iterator[Section]:
    """Make the section on the best of six hands."""
    title = Words("The best of six hands, exact and dealt", "六家中的最大牌：精确与模拟")
    comparison = replace(_best_comparison(settings, 6), title=title[settings.lang])
    yield Section(
        Words("Beyond the seeds: the best of six hands", "原文之外：六家中的最大牌"),
        (
            Words(
                "How often is the best hand at a table of six of each category? Counted over all "
                "ordered deals, and dealt.",
                "六人桌上最大的一手牌属于各牌型的概率：对所有发牌逐一精确计数，并与模拟对照。",
            ),
            comparison,
            Figure(
                "best-of-six",
                title,
                lambda lang: plot.bars(
                    comparison, labels=lang, title=title[lang], label=_SIMULATED[lang]
                ),
            ),
        ),
    )


# --- Seeds 000 and 003: five players ----------------------------------------------------------


def _five_players(settings: Settings) -> Section:
    seed = published.SEED_000_COUNTS
    exact = tc.exact_categories(rules=tc.ZHA_JIN_HUA_POINTS)
    counts = {label: seed.counts[label] for label in exact.labels}
    printed = compare(
        Tally.from_counts(counts, players=seed.players, labels_zh=exact.labels_zh), exact
    )
    simulated = compare(
        tc.simulate(
            settings.deals(seed.games),
            players=seed.players,
            rules=tc.ZHA_JIN_HUA_POINTS,
            **settings.run(0),
        ),
        exact,
    )
    title = Words(
        "Hands of five players, and as seed 000 printed them",
        "五人局的牌型：模拟、精确与原文 000 的公布值",
    )
    table = Grid(
        Words("seed 000: the hands of five players", "原文 000：五人局的手牌")[settings.lang],
        *_CATEGORIES,
        (
            Column("published", "公布", [count_text(count) for count in counts.values()]),
            percent_column("published %", "公布 %", printed.observed.tolist()),
            percent_column("exact %", "精确 %", exact.probabilities),
            percent_column("simulated %", "模拟 %", simulated.observed.tolist()),
            z_column("z pub.", "z 公布", printed),
            z_column("z sim.", "z 模拟", simulated),
        ),
        (
            fit_words("published counts", "公布的次数", printed),
            fit_words("simulated counts", "模拟的次数", simulated),
        ),
    )
    return Section(
        Words(
            "Seeds 000 and 003: a hundred thousand games of five players",
            "原文 000 与 003：五人十万局",
        ),
        (
            Words(
                "Seed 000 prints how often each category came in 100,000 games of five hands; seed "
                "003 plays the same game. Five hands of one deck are not independent, and the test "
                "of fit takes that into account. Seed 000's counts are a sample, so they should "
                "differ from the exact values about as much as ours do.",
                "原文 000 公布了五人十万局中各牌型出现的次数，原文 003 玩的是同一种游戏。"
                "同一副牌发出的五手牌并不独立，拟合检验已考虑这一点。公布的次数来自抽样，与精确值的偏差应与我们的模拟相仿。",
            ),
            table,
            Figure(
                "seed-000-categories",
                title,
                lambda lang: plot.bars(
                    simulated,
                    published=dict(zip(exact.labels, printed.observed.tolist(), strict=True)),
                    labels=lang,
                    title=title[lang],
                    label=_SIMULATED[lang],
                ),
            ),
        ),
    )


def _printed_games(lang: Lang) -> Section:
    games = published.SEED_000_GAMES
    labels, labels_zh = [], []
    cells: dict[str, list[str]] = {
        name: [] for name in ("hand", "category", "word", "points", "printed")
    }
    agreed: list[bool] = []
    winners_agree = []
    for number, game in enumerate(games, start=1):
        hands = np.array([tc.parse(hand.cards) for hand in game.hands])
        points = tc.points(hands).tolist()
        won = tc.winners(hands, rules=tc.ZHA_JIN_HUA_POINTS)
        winners_agree.append(np.flatnonzero(won).tolist() == [game.winner - 1])
        categories = [tc.Category(code) for code in tc.classify(hands).tolist()]
        for seat, printed in enumerate(game.hands):
            category, star = categories[seat], " *" if won[seat] else ""
            labels.append(f"game {number} p{seat + 1}{star}")
            labels_zh.append(f"第 {number} 局 p{seat + 1}{star}")
            cells["hand"].append(tc.format(hands[seat], style="unicode"))
            cells["word"].append(printed.word)
            cells["points"].append(count_text(points[seat]))
            cells["printed"].append(count_text(printed.points))
            cells["category"].append(category.label_zh if lang == "zh" else category.label)
            same_category = published.SEED_000_WORDS[printed.word] == category.label
            agreed.append(same_category and points[seat] == printed.points)
    table = Grid(
        Words("seed 000: points and winners", "原文 000：点数与赢家")[lang],
        tuple(labels),
        tuple(labels_zh),
        (
            Column("hand", "手牌", cells["hand"]),
            Column("category", "牌型", cells["category"]),
            Column("as printed", "原文牌型", cells["word"]),
            Column("points", "点数", cells["points"]),
            Column("printed", "原文点数", cells["printed"]),
            agreement_column(agreed, lang),
        ),
        (
            Words(
                f"{sum(agreed)} of {len(agreed)} hands and {sum(winners_agree)} of {len(games)} "
                "winners (*) agree in points, category and winner.",
                f"{len(agreed)} 手牌中有 {sum(agreed)} 手的点数与牌型一致，"
                f"{len(games)} 局中有 {sum(winners_agree)} 局的赢家（*）一致。",
            ),
        ),
        rows_are=Words("game", "牌局"),
    )
    return Section(
        Words("Seed 000: the printed games, scored again", "原文 000：公布的牌局重新计分"),
        (table,),
    )


# --- Seed 001: fifteen rows -------------------------------------------------------------------


def _probabilities(settings: Settings) -> Section:
    exact = tc.exact_categories(by="top_card")
    simulated = compare(
        tc.simulate(settings.deals(_SEED_001_GAMES), by="top_card", **settings.run(1)), exact
    )
    order = _strongest_first(exact)
    printed = [published.SEED_001_PERCENTAGES.percent[exact.labels[row]] for row in order]
    rounded = [
        _rounded(exact.probabilities[row], like) for row, like in zip(order, printed, strict=True)
    ]
    agreed = [one == two for one, two in zip(rounded, printed, strict=True)]
    shown = rows_of(simulated, order)
    table = Grid(
        Words("seed 001: fifteen rows", "原文 001：十五种牌")[settings.lang],
        shown.labels,
        shown.labels_zh,
        (
            Column("hands", "手数", [count_text(exact.counts[row]) for row in order]),
            Column("published %", "公布 %", [str(value) for value in printed]),
            percent_column("exact %", "精确 %", [exact.probabilities[row] for row in order]),
            agreement_column(agreed, settings.lang),
            percent_column("simulated %", "模拟 %", shown.observed.tolist()),
            z_column("z", "z", shown),
        ),
        (
            Words(
                f"{sum(agreed)} of {len(agreed)} published values are the exact ones, rounded.",
                f"{len(agreed)} 个公布值中有 {sum(agreed)} 个与精确值四舍五入后一致。",
            ),
            fit_words(
                f"{simulated.counts.sum():,} simulated hands",
                f"模拟 {simulated.counts.sum():,} 手",
                simulated,
            ),
        ),
    )
    residuals = Words("How far the simulated rows are from exact", "模拟值与精确值的偏差")
    largest = np.abs(simulated.observed - simulated.expected).max()
    largest_text = np.format_float_positional(largest, precision=2, fractional=False)
    return Section(
        Words("Seed 001: the probability of each hand", "原文 001：各牌型的概率"),
        (
            Words(
                "Seed 001 derives the probabilities by hand, prints them rounded, and checks them "
                "with ten million simulated hands, finding none of them off by more than 0.0001. "
                f"The largest deviation of the {simulated.counts.sum():,} hands dealt here is "
                f"{largest_text}.",
                "原文 001 用排列组合推出各概率并四舍五入，"
                "再用一千万手模拟验证，称误差不超过万分之一。"
                f"此处模拟 {simulated.counts.sum():,} 手，最大偏差为 {largest_text}。",
            ),
            table,
            *_two_charts(
                "seed-001-probability",
                simulated,
                Words("Probability of the categories", "各牌型的概率"),
                Words("Probability of high cards, by top card", "各散牌的概率"),
            ),
            Figure(
                "seed-001-residuals",
                residuals,
                lambda lang: plot.residuals(shown, labels=lang, title=residuals[lang]),
            ),
        ),
    )


def _win_rates(settings: Settings) -> Section:
    exact = tc.exact_showdown(by="top_card")
    simulated = tc.simulate_showdown(
        settings.deals(_SEED_001_GAMES), by="top_card", **settings.run(2)
    )
    comparison = compare(simulated, exact, of="win")
    order = _strongest_first(exact)
    shown = rows_of(comparison, order)

    def rates(counts: tuple[int, ...] | tuple[Fraction, ...]) -> list[Fraction]:
        return [Fraction(counts[row]) / exact.deals[row] for row in order]

    table = Grid(
        Words("seed 001: win rates heads-up", "原文 001：两人对局的胜率")[settings.lang],
        shown.labels,
        shown.labels_zh,
        (
            percent_column("win %", "胜 %", rates(exact.win)),
            percent_column("draw %", "平 %", rates(exact.draw)),
            percent_column("lose %", "负 %", rates(exact.lose)),
            percent_column("simulated win %", "模拟胜 %", shown.observed.tolist()),
            z_column("z", "z", shown),
        ),
        (
            fit_words(
                f"{simulated.total:,} simulated deals", f"模拟 {simulated.total:,} 局", comparison
            ),
        ),
    )
    return Section(
        Words("Seed 001: how often each hand wins heads-up", "原文 001：两人对局中各牌型的胜率"),
        (
            Words(
                "The seed found theory too hard here, simulated ten million deals, and shows the "
                f"win rates only as a picture. These are exact, over all {exact.total:,} ordered "
                f"pairs of disjoint hands, beside {simulated.total:,} simulated deals.",
                "原文 001 认为此处理论推导困难，用一千万局模拟，结果只有图片。"
                f"这里对两手牌的全部 {exact.total:,} 种发法逐一计数，得出精确值，"
                f"并附 {simulated.total:,} 局模拟。",
            ),
            table,
            *_two_charts(
                "seed-001-win-rate",
                comparison,
                Words("Win rate heads-up, by category", "两人对局：各牌型的胜率"),
                Words("Win rate heads-up, high cards by top card", "两人对局：各散牌的胜率"),
                Words("Win rate, %", "胜率（%）"),
            ),
        ),
    )


def _two_charts(
    name: str,
    comparison: Comparison,
    made: Words,
    high_cards: Words,
    axis: Words | None = None,
) -> tuple[Figure, Figure]:
    """Make the seed's two charts: five categories, and ten high cards, of another scale."""
    rows = _strongest_first(comparison)
    split = len(_CATEGORIES[0]) - 1
    return (
        _chart(f"{name}-categories", made, rows_of(comparison, rows[:split]), axis),
        _chart(f"{name}-high-cards", high_cards, rows_of(comparison, rows[split:]), axis),
    )


def _chart(name: str, caption: Words, comparison: Comparison, axis: Words | None = None) -> Figure:
    def draw(lang: Lang) -> object:
        axes = plot.bars(comparison, labels=lang, title=caption[lang], label=_SIMULATED[lang])
        if axis is not None:
            axes.xaxis.label.set_text(axis[lang])  # set_xlabel would forget the Chinese font
        return axes

    return Figure(name, caption, draw)


def _strongest_first(table: Distribution | Showdown | Comparison) -> list[int]:
    """Rows in the order in which the seed prints them."""
    return list(range(len(table.labels)))[::-1]


def _rounded(probability: Fraction, like: Decimal) -> Decimal:
    """Per cent, with the digits of a printed value; exact until it is rounded."""
    percent = Decimal(100 * probability.numerator) / Decimal(probability.denominator)
    return percent.quantize(like, rounding=ROUND_HALF_UP)


# --- Beyond the seeds -------------------------------------------------------------------------


def _best_comparison(settings: Settings, players: int) -> Comparison:
    deals = settings.deals(_BEYOND_GAMES)
    shown = tc.simulate_showdown(deals, players=players, **settings.run(10 + players))
    return compare(shown, tc.exact_best(players=players), of="best")


def _best_hands(settings: Settings) -> Section:
    tables = {n: _best_comparison(settings, n) for n in _BEST_PLAYERS}
    one = tc.exact_categories()
    deals = math.perm(52, 3 * _BEST_PLAYERS[-1]) / 6 ** _BEST_PLAYERS[-1]

    def headings(players: int) -> tuple[str, str]:
        return f"{players} players", f"{players} 人"

    title = Words("The best hand at the table, exact, in per cent", "全桌最大牌的概率（精确，%）")
    exact = Grid(
        title[settings.lang],
        *_CATEGORIES,
        (
            percent_column("1 player", "1 人", one.probabilities),
            *(percent_column(*headings(n), c.expected.tolist()) for n, c in tables.items()),
        ),
    )
    simulated = Grid(
        Words("the same, simulated", "同上，模拟值")[settings.lang],
        *_CATEGORIES,
        tuple(percent_column(*headings(n), c.observed.tolist()) for n, c in tables.items()),
        tuple(fit_words(*headings(n), c) for n, c in tables.items()),
    )
    columns = [[float(p) for p in one.probabilities], *(c.expected for c in tables.values())]
    matrix = 100 * np.array(columns).T
    players = Words("Players", "人数")
    return Section(
        Words("Beyond the seeds: the best hand at the table", "原文之外：全桌的最大牌"),
        (
            Words(
                "With five players the winner most often holds a pair, and a flush is almost as "
                "often the best hand as a high card is. Exact counts over all ordered deals, of "
                f"which there are {_power(deals)} for six, beside simulated ones.",
                "五人局里最大的一手牌最常见的是对子，而金花成为最大牌的机会已接近散牌。"
                f"精确值对所有发牌（六人时约 {_power(deals)} 种）计数，并与模拟对照。",
            ),
            exact,
            simulated,
            Figure(
                "best-hand",
                title,
                lambda lang: plot.heatmap(
                    matrix,
                    _CATEGORIES[1] if lang == "zh" else _CATEGORIES[0],
                    [str(n) for n in (1, *_BEST_PLAYERS)],
                    text="{:.2f}",
                    xlabel=players[lang],
                    title=title[lang],
                    labels=lang,
                ),
            ),
        ),
    )


def _power(number: float) -> str:
    """Write a large number as 5.86 × 10^24."""
    digits, exponent = f"{number:.2e}".split("e")
    return f"{digits} × 10^{int(exponent)}"


def _points_against_rank(settings: Settings) -> Section:
    labels, labels_zh, rows = [], [], []
    cases = [(rules, n) for rules in (_BY_RANK_000, tc.ZHA_JIN_HUA) for n in _POINTS_PLAYERS]
    for number, (rules, players) in enumerate(cases):
        seed = "000" if rules is _BY_RANK_000 else "001"
        labels.append(f"{seed}'s order, {players} players")
        labels_zh.append(f"按原文 {seed}，{players} 人")
        seen = tc.simulate_disagreement(
            settings.deals(_BEYOND_GAMES), players=players, other=rules, **settings.run(20 + number)
        )
        exact = tc.exact_disagreement(other=rules) if players == 2 else None
        rows.append(_disagreement_cells(seen, exact))
    headings = (
        ("same %", "相同 %"),
        ("partly %", "部分 %"),
        ("other %", "不同 %"),
        ("exact other %", "不同 %（精确）"),
        ("z", "z"),
    )
    table = Grid(
        Words("winners by points against winners by rank", "按点数与按牌型的赢家")[settings.lang],
        tuple(labels),
        tuple(labels_zh),
        tuple(
            Column(*heading, cells)
            for heading, cells in zip(headings, zip(*rows, strict=True), strict=True)
        ),
        (
            Words(
                "same: the same seats win; partly: some win under both, but not the same; other: "
                "nobody wins under both. Simulated, with exact values where two play.",
                "相同：赢家完全一致；部分：有人在两种算法下都赢，但赢家不尽相同；不同：没有人在两种算法下都赢。"
                "模拟值；两人时附精确值。",
            ),
        ),
        rows_are=Words("order", "牌型顺序"),
    )
    return Section(
        Words("Beyond the seeds: points against ranks", "原文之外：点数与牌型大小的分歧"),
        (
            Words(
                "Seed 000 lets the larger number of points win, so that K-Q-5, worth 30, beats a "
                "pair of twos with a ten, worth 18. How often do points name another winner than "
                "ranks do, under seed 000's own order of categories and under seed 001's?",
                "原文 000 以点数定胜负：散牌 K Q 5 计 30 点，胜过只计 18 点的对 2 带 10。"
                "点数与牌型大小选出不同赢家的情形有多常见？"
                "分别按原文 000 与原文 001 的牌型顺序统计。",
            ),
            table,
        ),
    )


def _disagreement_cells(seen: Tally, exact: Distribution | None) -> list[str]:
    shares = [percent_text(share) for share in seen.frequencies.tolist()]
    if exact is None:
        return [*shares, "-", "-"]
    comparison = compare(seen, exact)
    return [*shares, percent_text(exact.probabilities[-1]), z_text(comparison.z.tolist()[-1])]


def _against_rarity(lang: Lang) -> Section:
    labels, labels_zh, above, below = [], [], [], []
    in_order = []
    for rules in tc.RULES.values():
        counts = tc.exact_categories(rules=rules).counts
        pairs = [
            (high, low)
            for place, high in enumerate(rules.order)
            for low in rules.order[:place]
            if counts[high] > counts[low]
        ]
        if not pairs:
            in_order.append(rules.name)
        for high, low in pairs:
            labels.append(f"{rules.name}: {high.label} > {low.label}")
            labels_zh.append(f"{rules.name}：{high.label_zh} > {low.label_zh}")
            above.append(count_text(counts[high]))
            below.append(count_text(counts[low]))
    table = Grid(
        Words("a more frequent category above a rarer one", "较常见的牌型大于较稀有的牌型")[lang],
        tuple(labels),
        tuple(labels_zh),
        (
            Column("hands", "手数", above),
            Column("of the rarer", "较稀有者", below),
        ),
        (
            Words(
                f"Ranked by rarity throughout: {', '.join(in_order)}.",
                f"完全按稀有程度排列的规则：{'、'.join(in_order)}。",
            ),
        ),
        rows_are=Words("rules", "规则"),
    )
    return Section(
        Words(
            "Beyond the seeds: categories that are ranked against their rarity",
            "原文之外：大小与稀有程度相反的牌型",
        ),
        (
            Words(
                "Seed 001 closes with the remark that trips beat straight flushes although they "
                "come more often, and flushes straights. So it is, but not under every rule set.",
                "原文 001 最后提到：豹子虽大于顺金，出现的概率却略高；金花与顺子也是如此。"
                "并非每种规则都这样：",
            ),
            table,
        ),
    )
