"""The blackjack sections of the report: seed 002's round, and what its player may wonder."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardstats import blackjack as bj
from cardstats import cards, plot, published
from cardstats._report import Figure, Grid, Section
from cardstats._report_run import Settings, agreement_column, percent_column
from cardstats._table import Column, Lang, Words, p_text
from cardstats.blackjack.dealer import BUST, FINALS, FINALS_ZH
from cardstats.blackjack.decks import card_name, result_of
from cardstats.blackjack.rules import ACE, BEST, VALUES, row_labels
from cardstats.blackjack.simulation import dealt_dealers
from cardstats.comparison import compare
from cardstats.results import Comparison, Distribution, Tally

_GAMES = 10**7
_DEALERS = 10**6

# Numbers of the simulations, each with a stream of its own.
_DEALER_STREAM, _POLICY_STREAM = 200, 210

_UPCARDS = (*VALUES[1:], ACE)  # in the order of charts
_STANDING_ON = range(12, BEST + 1)
_SEEN = (0, 1, 2)  # cards of the dealer
_DECKS = (1, 2, 6, 8, math.inf)

_SIMULATED = Words("simulated", "模拟")
_UPCARD = Words("up-card", "明牌")
_PLAYS = {"hit": Words("hit", "拿牌"), "stand": Words("stand", "停牌")}


class _Names(NamedTuple):
    """Labels of rows or columns."""

    en: tuple[str, ...]
    zh: tuple[str, ...]

    def of(self, lang: Lang) -> tuple[str, ...]:
        return self.zh if lang == "zh" else self.en


_UPCARD_NAMES = _Names(("any", *map(card_name, _UPCARDS)), ("不限", *map(card_name, _UPCARDS)))
_FINAL_NAMES = _Names(FINALS, FINALS_ZH)
_RESULT_NAMES = _Names(*row_labels())


def sections(settings: Settings) -> Iterator[Section]:
    """Make the sections, one by one as they are computed."""
    yield _printed_round(settings.lang)
    yield _dealer(settings)
    yield _policies(settings)
    yield _best_plays()
    yield _other_rules(settings.lang)


# --- Seed 002: its round ----------------------------------------------------------------------


def _printed_round(lang: Lang) -> Section:
    seed = published.SEED_002_ROUND
    dealer, player = bj.parse(seed.dealer), bj.parse(seed.player)
    drawn = bj.parse(f"{seed.player} {seed.drawn}")
    advice = bj.advise(bj.values(player).tolist(), bj.values(dealer).tolist())
    left = np.setdiff1d(np.arange(cards.DECK_SIZE), [*dealer, *player])
    busts = int((bj.total([[*player, card] for card in left]) > BEST).sum())
    card = bj.format(bj.parse(seed.drawn), style="unicode")
    best = _PLAYS[advice.best]
    return Section(
        Words("Seed 002: its printed round, played again", "原文 002：打印的一局重新裁定"),
        (
            Words(
                "Seed 002 is a game of blackjack against the computer, with one deck; it prints "
                "both hands, asks the player for each further card, and lets the dealer draw "
                "below 17. It shows one round.",
                "原文 002 是与计算机对局的 21 点：用一副牌，双方的牌都打印出来，"
                "每次询问玩家是否继续拿牌，庄家不足 17 点必须拿牌。文中打印了一局。",
            ),
            _hands(lang, dealer, player, drawn),
            _verdicts(lang, seed, dealer, drawn),
            Words(
                f"Was it right to draw? {busts} of the {len(left)} other cards bust the player, as "
                f"{card} did. With both of the dealer's cards in sight the better play was to "
                f"{best.en}: standing wins {_percent(advice.stand.win)} % and loses "
                f"{_percent(advice.stand.lose)} %, one more card and the best play from there on "
                f"wins {_percent(advice.hit.win)} % and loses {_percent(advice.hit.lose)} %.",
                f"该不该拿牌？其余 {len(left)} 张牌中有 {busts} 张使玩家爆牌，{card} 即其一。"
                f"庄家两张牌都看得见，较优的选择是{best.zh}："
                f"停牌胜 {_percent(advice.stand.win)}%、负 {_percent(advice.stand.lose)}%；"
                "再拿一张并按最佳打法继续，"
                f"胜 {_percent(advice.hit.win)}%、负 {_percent(advice.hit.lose)}%。",
            ),
            _advice(lang, dealer, player),
        ),
    )


def _hands(lang: Lang, *hands: NDArray[np.uint8]) -> Grid:
    return Grid(
        Words("seed 002: the hands", "原文 002：双方的牌")[lang],
        ("dealer", "player", "player, after the draw"),
        ("庄家", "玩家", "玩家拿牌后"),
        (
            Column("cards", "牌", [bj.format(hand, style="unicode") for hand in hands]),
            Column("total", "点数", [str(bj.total(hand)) for hand in hands]),
        ),
        rows_are=Words("hand", "手牌"),
    )


def _verdicts(
    lang: Lang,
    seed: published.PrintedRound,
    dealer: NDArray[np.uint8],
    player: NDArray[np.uint8],
) -> Grid:
    own, his = (tuple(sorted(bj.values(hand).tolist())) for hand in (player, dealer))
    bust, result = bool(bj.total(player) > BEST), result_of(own, his, bj.SEED_RULES)
    printed = bj.Result[seed.result.upper()]
    agreed = [seed.bust == bust, printed == result]
    return Grid(
        Words("seed 002: how the round ends", "原文 002：这一局的结局")[lang],
        ("player's hand", "for the player"),
        ("玩家的牌", "玩家胜负"),
        (
            Column("seed", "原文", [_bust_word(seed.bust, lang), _result_word(printed, lang)]),
            Column("cardstats", "cardstats", [_bust_word(bust, lang), _result_word(result, lang)]),
            agreement_column(agreed, lang),
        ),
        (
            Words(
                f"{sum(agreed)} of {len(agreed)} statements agree.",
                f"{len(agreed)} 项中有 {sum(agreed)} 项一致。",
            ),
        ),
        rows_are=Words("what", "项目"),
    )


def _bust_word(bust: bool, lang: Lang) -> str:
    return (Words("no bust", "未爆"), Words("bust", "爆掉"))[bust][lang]


def _result_word(result: bj.Result, lang: Lang) -> str:
    return result.label_zh if lang == "zh" else result.label


def _advice(lang: Lang, dealer: NDArray[np.uint8], player: NDArray[np.uint8]) -> Grid:
    """Tell what both plays come to, the more the better of the dealer's cards are seen."""
    labels, labels_zh, better = [], [], []
    chances: list[bj.Chances] = []
    own, shown_values = bj.values(player).tolist(), bj.values(dealer).tolist()
    for seen in _SEEN:
        advice = bj.advise(own, shown_values[:seen])
        shown = bj.format(dealer[:seen], style="unicode") if seen else ""
        for play, words in _PLAYS.items():
            labels.append(f"{shown or 'no card'} seen: {words.en}")
            labels_zh.append(f"{'见 ' + shown if shown else '未见牌'}：{words.zh}")
            chances.append(getattr(advice, play))
            better.append(Words("better", "较优")[lang] if advice.best == play else "")
    hand = bj.format(player, style="unicode")
    return Grid(
        Words(f"what {hand} comes to, exactly", f"{hand} 的精确结果")[lang],
        tuple(labels),
        tuple(labels_zh),
        (
            percent_column("win %", "胜 %", [play.win for play in chances]),
            percent_column("draw %", "平 %", [play.draw for play in chances]),
            percent_column("lose %", "负 %", [play.lose for play in chances]),
            _value_column("value %", "期望值 %", [play.ev for play in chances]),
            Column("", "", better),
        ),
        rows_are=Words("dealer's cards", "庄家的牌"),
    )


# --- Beyond the seed: the dealer --------------------------------------------------------------


def _dealer(settings: Settings) -> Section:
    exact = [bj.exact_dealer(upcard=card) for card in (None, *_UPCARDS)]
    counts = dealt_dealers(settings.deals(_DEALERS), **settings.run(_DEALER_STREAM))
    counts = counts[[VALUES.index(card) for card in _UPCARDS]]
    dealt = [
        _compared(row, finals)
        for row, finals in zip((counts.sum(axis=0), *counts), exact, strict=True)
    ]
    six, ace = (exact[1 + _UPCARDS.index(card)].probabilities[BUST] for card in (6, ACE))
    title = Words(
        "The dealer's final totals by up-card, exact, in per cent",
        "庄家的最终点数，按明牌（精确，%）",
    )
    return Section(
        Words("Beyond the seed: where the dealer ends", "原文之外：庄家的最终点数"),
        (
            Words(
                "The dealer has no choice. Counted here when no other card has left the pack: with "
                f"a 6 up the dealer busts in {_percent(six, '.1f')} % of all hands, with an ace up "
                f"in {_percent(ace, '.1f')} %. 21 is one of three cards or more.",
                "庄家别无选择。这里假设没有别的牌离开牌堆：明牌为 6 时，庄家有 "
                f"{_percent(six, '.1f')}% 爆牌；明牌为 A 时只有 {_percent(ace, '.1f')}%。"
                "21 一列指三张以上的 21 点。",
            ),
            _finals_table(title, [finals.probabilities for finals in exact], settings.lang),
            _dealt_table(dealt, int(counts.sum()), settings.lang),
            *_dealer_figures(title, exact, dealt),
        ),
    )


def _compared(counts: NDArray[np.int64], exact: Distribution) -> Comparison | None:
    """Hold hands against the exact values, if there are any."""
    if not counts.any():
        return None
    tally = Tally.from_counts(
        dict(zip(exact.labels, counts.tolist(), strict=True)), labels_zh=exact.labels_zh
    )
    return compare(tally, exact)


def _finals_table(title: Words, rows: Sequence[Sequence[Fraction | float]], lang: Lang) -> Grid:
    return Grid(
        title[lang],
        *_UPCARD_NAMES,
        tuple(
            percent_column(*names, column)
            for names, column in zip(
                zip(*_FINAL_NAMES, strict=True), zip(*rows, strict=True), strict=True
            )
        ),
        rows_are=_UPCARD,
    )


def _dealt_table(dealt: Sequence[Comparison | None], hands: int, lang: Lang) -> Grid:
    """Make the same table of dealt hands; the row of an up-card that never came is empty."""
    none = [math.nan] * len(FINALS)
    table = _finals_table(
        Words(f"the same, {hands:,} hands dealt", f"同上，发出 {hands:,} 手"),
        [none if seen is None else seen.observed.tolist() for seen in dealt],
        lang,
    )
    fits = ["-" if seen is None else p_text(seen.p_value) for seen in dealt]
    note = Words("p: how well a whole row fits the exact one", "p：整行与精确值拟合的程度")
    return replace(table, columns=(*table.columns, Column("p", "p", fits)), notes=(note,))


def _dealer_figures(
    title: Words, exact: Sequence[Distribution], dealt: Sequence[Comparison | None]
) -> Iterator[Figure]:
    all_hands = dealt[0]
    bars = Words("The dealer's final totals, any card up", "庄家的最终点数（不限明牌）")
    off = Words(
        "The dealer's final totals: how far simulated is from exact, z",
        "庄家的最终点数：模拟值与精确值的偏差 z",
    )
    if all_hands is not None:
        yield Figure(
            "blackjack-dealer",
            bars,
            lambda lang: plot.bars(
                all_hands, labels=lang, title=bars[lang], label=_SIMULATED[lang]
            ),
        )
    yield Figure(
        "blackjack-dealer-by-upcard",
        title,
        lambda lang: plot.heatmap(
            [[100 * float(share) for share in finals.probabilities] for finals in exact],
            _UPCARD_NAMES.of(lang),
            _FINAL_NAMES.of(lang),
            text="{:.1f}",
            ylabel=_UPCARD[lang],
            title=title[lang],
            labels=lang,
        ),
    )
    yield Figure(
        "blackjack-dealer-residuals",
        off,
        lambda lang: _z_map(
            dealt, _UPCARD_NAMES, _FINAL_NAMES, lang, title=off[lang], ylabel=_UPCARD[lang]
        ),
    )


# A game that is played to its end does not tell the dealer's total, so dealers are dealt alone:
# the first cards of shuffled packs, as games deal them, and public kernels say where to stop.


# --- Beyond the seed: policies ----------------------------------------------------------------


class _Played(NamedTuple):
    """A policy, what it comes to, and games that were played by it."""

    policy: bj.Policy
    outcome: bj.Outcome
    games: Comparison


def _policies(settings: Settings) -> Section:
    best = [bj.optimal_policy(dealer_cards_seen=seen) for seen in _SEEN]
    played = [
        _played(policy, settings, number)
        for number, policy in enumerate(
            (bj.MIMIC_DEALER, *map(bj.stand_on, _STANDING_ON), *best), start=_POLICY_STREAM
        )
    ]
    values = [_percent(one.outcome.ev, "+.2f") for one in played]
    mimic, *thresholds = (one.outcome.ev for one in played[: -len(best)])
    steady = thresholds.index(max(thresholds))
    lost = _percent(-mimic, ".2f")
    return Section(
        Words("Beyond the seed: how to play, and what it is worth", "原文之外：怎样打，值多少"),
        (
            Words(
                "With both of the dealer's cards in sight, as the seed prints them, the player has "
                f"the edge: the best play is worth {values[-1]} % of the stakes. With one of them "
                f"seen it is worth {values[-2]} %, with none {values[-3]} %. Of fixed totals, to "
                f"stand on {_STANDING_ON[steady]} is best: {values[1 + steady]} %.",
                "庄家两张牌都看得见（原文就是这样打印的）时，玩家占优：最佳打法的期望值为赌注的 "
                f"{values[-1]}%。只见一张时为 {values[-2]}%，一张不见时为 {values[-3]}%。"
                f"固定点数停牌以 {_STANDING_ON[steady]} 点最佳：{values[1 + steady]}%。",
            ),
            Words(
                f"Whoever mimics the dealer gets hands as good, and still loses {lost} % of the "
                "stakes: exactly as often would both be bust, and the player, who draws first, has "
                "lost by then. To stand on 17 is the same play, simulated once more.",
                f"照庄家规则打的玩家拿到的牌与庄家同样好，却仍输掉赌注的 {lost}%："
                "这恰是双方都爆牌的概率，而玩家先拿牌，爆掉即输。"
                "17 点停牌是同样的打法，另模拟一次。",
            ),
            *_policy_tables(played, settings.lang),
            *_policy_figures(played),
        ),
    )


def _played(policy: bj.Policy, settings: Settings, number: int) -> _Played:
    outcome = bj.exact_outcome(policy)
    games = bj.simulate(settings.deals(_GAMES), policy, **settings.run(number))
    return _Played(policy, outcome, compare(games, outcome.distribution))


def _policy_names(played: Sequence[_Played]) -> _Names:
    names = [(one.policy.name, one.policy.name_zh) for one in played[: -len(_SEEN)]]
    names += [
        (f"best, {seen} card{'s' * (seen != 1)} seen", f"最佳，见 {seen} 张牌") for seen in _SEEN
    ]
    return _Names(*zip(*names, strict=True))


def _policy_tables(played: Sequence[_Played], lang: Lang) -> Iterator[Grid]:
    names = _policy_names(played)
    policy = Words("policy", "打法")
    exact = [one.outcome for one in played]
    natural = _percent(exact[0].natural, ".4f")
    yield Grid(
        Words("how games end, exactly", "胜负的精确概率")[lang],
        *names,
        _result_columns(
            [[one.win, one.draw, one.lose] for one in exact], [one.ev for one in exact]
        ),
        (
            Words(
                f"Under each of these policies {natural} % of all games are won by a natural.",
                f"按这些打法，都有 {natural}% 的对局以黑杰克取胜。",
            ),
        ),
        rows_are=policy,
    )
    seen = [_shares_seen(one.games) for one in played]
    games = [one.games for one in played]
    yield Grid(
        Words(
            f"how games end, {games[0].counts.sum():,} played by each policy",
            f"各打法模拟 {games[0].counts.sum():,} 局的胜负",
        )[lang],
        *names,
        (
            *_result_columns(seen, [win - lose for win, _, lose in seen]),
            Column("chi2", "卡方", [f"{fit.chi2:.2f}" for fit in games]),
            Column("dof", "自由度", [str(fit.dof) for fit in games]),
            Column("p", "p", [p_text(fit.p_value) for fit in games]),
        ),
        rows_are=policy,
    )


def _shares_seen(games: Comparison) -> tuple[float, float, float]:
    natural, win, draw, lose = games.observed.tolist()
    return natural + win, draw, lose


def _result_columns(
    shares: Sequence[Sequence[Fraction | float]], values: Sequence[Fraction | float]
) -> tuple[Column, ...]:
    win, draw, lose = zip(*shares, strict=True)
    return (
        percent_column("win %", "胜 %", win),
        percent_column("draw %", "平 %", draw),
        percent_column("lose %", "负 %", lose),
        _value_column("value %", "期望值 %", values),
    )


def _policy_figures(played: Sequence[_Played]) -> Iterator[Figure]:
    names = _policy_names(played)
    caption = Words(
        "What wins bring, what losses cost, and what is left: % of the stakes, exact",
        "赢得、输掉与期望值：占赌注的百分比（精确）",
    )
    title = Words("% of the stakes, exact", "占赌注的百分比（精确）")
    columns = _Names(("wins", "losses", "value"), ("赢得", "输掉", "期望值"))
    outcomes = [one.outcome for one in played]
    off = Words("Games played, against exact: z", "胜负：模拟值与精确值的偏差 z")
    yield Figure(
        "blackjack-policies",
        caption,
        lambda lang: plot.heatmap(
            [[100 * float(part) for part in (one.win, -one.lose, one.ev)] for one in outcomes],
            names.of(lang),
            columns.of(lang),
            text="{:+.2f}",
            title=title[lang],
            labels=lang,
            **_around_nought(60),
        ),
    )
    yield Figure(
        "blackjack-policies-residuals",
        off,
        lambda lang: _z_map(
            [one.games for one in played], names, _RESULT_NAMES, lang, title=off[lang]
        ),
    )


# --- Beyond the seed: the best play -----------------------------------------------------------


def _best_plays() -> Section:
    one, both = (bj.optimal_policy(dealer_cards_seen=seen) for seen in _SEEN[1:])
    two_cards, three_cards = (_play(one, hand, "10") for hand in ("10 6", "5 5 6"))
    behind = _play(both, "10 8", "10 9")
    return Section(
        Words("Beyond the seed: the best play", "原文之外：最佳打法"),
        (
            Words(
                "Found by backward induction over every hand that the player may hold. Where hands "
                "of one total are played in different ways the cell has a star: with 16 against a "
                f"ten, {two_cards.en} on 10+6 and {three_cards.en} on 5+5+6.",
                "对玩家可能拿到的每手牌逆推得出。同一点数而打法不同的格子标有星号："
                f"16 点对 10，10+6 {two_cards.zh}，5+5+6 {three_cards.zh}。",
            ),
            one.chart(),
            _chart_figure(
                "blackjack-best-one-seen",
                one,
                Words("The best play, one dealer card seen", "最佳打法，见庄家一张牌"),
            ),
            Words(
                "With both cards seen there is nothing to guess once the dealer stands: against "
                f"10+9 the best play with 10+8 is to {behind.en}, since to stand is to lose. "
                "Against a natural nothing helps; of plays that are worth the same the chart has "
                "S, and where a hand never comes to a decision it has none.",
                "两张都看得见时，庄家若已够点数便无须猜测：对 10+9，手持 10+8 也应"
                f"{behind.zh}，因为停牌必负。庄家有黑杰克时怎么打都一样；"
                "两种打法价值相等时表中记 S，从不出现的手牌留空。",
            ),
            both.chart(),
            _chart_figure(
                "blackjack-best-both-seen",
                both,
                Words("The best play, both dealer cards seen", "最佳打法，见庄家两张牌"),
            ),
        ),
    )


def _play(policy: bj.Policy, player: str, dealer: str) -> Words:
    return _PLAYS["hit" if policy.hits(player, dealer) else "stand"]


def _chart_figure(name: str, policy: bj.Policy, what: Words) -> Figure:
    chart = policy.chart()
    caption = Words(
        f"{what.en}: H hit, S stand, * not with every hand of that total",
        f"{what.zh}：H 拿牌，S 停牌，* 因具体的牌而异",
    )

    def draw(lang: Lang) -> object:
        return plot.heatmap(
            chart.hits,
            chart,
            chart.columns,
            text=chart.marks,
            xlabel=Words("what the dealer shows", "庄家的牌")[lang],
            title=caption[lang],
            labels=lang,
            vmin=-0.2,  # lest standing be white
            vmax=1.3,
        )

    return Figure(name, caption, draw)


# --- Beyond the seed: other rules -------------------------------------------------------------


def _other_rules(lang: Lang) -> Section:
    columns = []
    for hit_soft_17, name, name_zh in ((False, "stands", "停"), (True, "draws", "拿")):
        best = [_best_outcome(bj.Rules(decks=n, hit_soft_17=hit_soft_17)) for n in _DECKS]
        for payout, paid in (("1:1", Fraction(1)), ("3:2", Fraction(3, 2))):
            # A natural that pays its stake or more is stood on: the best play stays the same.
            values = [replace(outcome, natural_payout=paid).ev for outcome in best]
            columns.append(_value_column(f"{name}, {payout}", f"{name_zh}，{payout}", values))
    return Section(
        Words("Beyond the seed: other rules", "原文之外：别的规则"),
        (
            Words(
                "Casinos deal from several packs, let the dealer draw to a 17 in which an ace "
                "counts 11, and pay 3:2 for a natural. What the best play is worth then, with one "
                "of the dealer's cards seen and neither doubling nor splitting:",
                "赌场常用多副牌，有的让庄家在软 17（其中 A 计 11）时继续拿牌，黑杰克赔 3:2。"
                "只见庄家一张牌、不加倍也不分牌时，最佳打法的期望值如下：",
            ),
            Grid(
                Words(
                    "expected value of the best play, % of the stakes, exact",
                    "最佳打法的期望值，占赌注的百分比，精确",
                )[lang],
                tuple("endless" if decks == math.inf else str(decks) for decks in _DECKS),
                tuple("无限" if decks == math.inf else f"{decks} 副" for decks in _DECKS),
                tuple(columns),
                (
                    Words(
                        "stands, draws: what the dealer does on a soft 17; 1:1, 3:2: what a "
                        "natural pays",
                        "停、拿：庄家遇软 17 停牌或拿牌；1:1、3:2：黑杰克的赔率",
                    ),
                ),
                rows_are=Words("packs", "副数"),
            ),
        ),
    )


def _best_outcome(rules: bj.Rules) -> bj.Outcome:
    return bj.exact_outcome(bj.optimal_policy(rules=rules), rules=rules)


# --- What they share --------------------------------------------------------------------------


def _z_map(
    compared: Sequence[Comparison | None], rows: _Names, columns: _Names, lang: Lang, **words: Any
) -> object:
    """Draw z, a row a comparison; a class that cannot come is left out.

    Nought is added lest it be written as -0.0.
    """
    none = np.full(len(columns.en), math.nan)
    z = [
        none if seen is None else np.where(seen.expected > 0, seen.z.round(1) + 0.0, math.nan)
        for seen in compared
    ]
    return plot.heatmap(
        z,
        rows.of(lang),
        columns.of(lang),
        text="{:+.1f}",
        labels=lang,
        **_around_nought(4),
        **words,
    )


def _around_nought(most: float) -> dict[str, Any]:
    """Colour what is above nought blue and what is below it red."""
    return {"cmap": "RdBu", "vmin": -most, "vmax": most}


def _value_column(heading: str, heading_zh: str, values: Sequence[Fraction | float]) -> Column:
    return Column(heading, heading_zh, [_percent(value, "+.4f") for value in values])


def _percent(share: Fraction | float, digits: str = ".2f") -> str:
    return format(100 * float(share), digits)
