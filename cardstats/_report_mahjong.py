"""The Mahjong sections of the report: seed 004's win check, and the counts that it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from cardstats import mahjong as mj
from cardstats import plot, published
from cardstats._report import Figure, Grid, Section
from cardstats._report_run import (
    Settings,
    agreement_column,
    fit_words,
    percent_column,
    rows_of,
    z_column,
)
from cardstats._table import Column, Lang, Words, count_text
from cardstats.comparison import compare
from cardstats.mahjong.numbering import kind_of_code
from cardstats.mahjong.rules import WINNING_SIZES
from cardstats.mahjong.tiles import run_on
from cardstats.results import Comparison, Distribution, Tally

_DEALS = 10**7
_DEALT_AT_ONCE = 10**6  # hands that are kept while their waits are found

# Numbers of the simulations, each with a stream of its own.
_FORMS, _WAITS, _SHANTEN = 100, 101, 110

# What the named rules are called in Chinese, and what is special about them.
_RULES_ZH = {"chinese": "中国", "riichi": "日本", "sichuan": "四川", "standard-only": "基本"}
_MEANINGS = {
    "chinese": Words("four of a kind may be two pairs", "四张相同可作两个对子"),
    "riichi": Words("the seven pairs differ", "七个对子各不相同"),
    "sichuan": Words("108 tiles, no thirteen orphans", "108 张牌，无十三幺"),
    "standard-only": Words("sets and a pair alone", "只计基本牌型"),
}
_SHANTEN_RULES = (mj.CHINESE, mj.RIICHI)
_SHANTEN_WORDS = {"-1": "-1, complete", "0": "0, ready"}

# In the seed's numbers: a hand with a declared kong, and the hand that waits on nine kinds.
_KONG_HAND = ((12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15), (11, 11, 11, 11))
_NINE_GATES = (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9)

_SIMULATED = Words("simulated", "模拟")
_TILES = Words("tiles", "牌")
_FORM = Words("form", "和牌牌型")


def sections(settings: Settings) -> Iterator[Section]:
    """Make the sections, one by one as they are computed."""
    yield _test_hands(settings.lang)
    yield _how_hands_win(settings)
    yield _shanten(settings)
    yield _waits(settings)


# --- Seed 004: its test hands -----------------------------------------------------------------


def _test_hands(lang: Lang) -> Section:
    hand, kong = _KONG_HAND
    groupings = len(mj.check(hand, kongs=[kong]).decompositions)
    return Section(
        Words("Seed 004: its test hands, checked again", "原文 004：测试用的手牌重新检验"),
        (
            Words(
                "Seed 004 decides whether a Mahjong hand wins, by sets and a pair, seven pairs or "
                "thirteen orphans, and tests itself with ten hands. It stops at the first "
                "grouping that it finds; cardstats finds them all, or says why there is none.",
                "原文 004 判断一手麻将是否和牌（基本牌型、七对、十三幺），并用十手牌自测。"
                "它找到一种分法就停止；cardstats 列出所有分法，不和时说明原因。",
            ),
            _verdicts(lang),
            Words(
                "Its rules let 1111 stand for 111, but its program refuses the fifteen tiles of "
                f"{_tiles(hand)} with {_tiles(kong)}. With the kong declared apart, the hand wins "
                f"in {groupings} groupings.",
                "它的规则允许以杠（1111）代替刻子（111），程序却因张数不符而拒绝"
                f"{_tiles(hand, 'zh')}加杠{_tiles(kong, 'zh')}这十五张。"
                f"把杠另行申报，这手牌有 {groupings} 种分法。",
            ),
            _example_waits(lang),
        ),
    )


def _verdicts(lang: Lang) -> Grid:
    hands = published.SEED_004_CHECKS
    found = [mj.check(hand.codes) for hand in hands]
    agreed = [hand.win == check.win for hand, check in zip(hands, found, strict=True)]
    grouped = [
        _kinds(hand.groups) in [_groups(way) for way in check.decompositions]
        for hand, check in zip(hands, found, strict=True)
        if hand.groups
    ]
    reasons = (
        Words(
            f"{_tiles(hand.codes)}: {check.reason}.",
            f"{_tiles(hand.codes, 'zh')}：{check.reason_zh}。",
        )
        for hand, check in zip(hands, found, strict=True)
        if not check.win
    )
    won = _win_words(lang)
    return Grid(
        Words("seed 004: the hands of its tests", "原文 004：自测的手牌")[lang],
        *_tile_labels([hand.codes for hand in hands]),
        (
            Column("seed", "原文", [won[hand.win] for hand in hands]),
            Column("cardstats", "cardstats", [_form_text(check, lang) for check in found]),
            Column("groupings", "分法", [count_text(len(check.decompositions)) for check in found]),
            agreement_column(agreed, lang),
        ),
        (
            Words(
                f"{sum(agreed)} of {len(agreed)} verdicts agree. Of the groupings that the seed "
                f"prints, {sum(grouped)} of {len(grouped)} are among those found.",
                f"{len(agreed)} 手中有 {sum(agreed)} 手判断一致。"
                f"原文打印的 {len(grouped)} 种分法中有 {sum(grouped)} 种在所列之内。",
            ),
            *reasons,
        ),
        rows_are=_TILES,
    )


def _example_waits(lang: Lang) -> Grid:
    """Check the example in which the seed noticed that there is no fifth tile of a kind."""
    seed = published.SEED_004_WAITS
    found = [mj.check([*seed.codes, code]) for code in seed.named]
    expected = [code not in seed.used_up for code in seed.named]
    wait = mj.waits(mj.from_codes(seed.codes))
    kinds = np.flatnonzero(wait).tolist()
    unnamed = [kind for kind in kinds if kind not in map(kind_of_code, seed.named)]
    won = _win_words(lang)
    hand, hand_zh = _tiles(seed.codes), _tiles(seed.codes, "zh")
    return Grid(
        Words(f"seed 004: what {hand} waits on", f"原文 004：{hand_zh}听什么")[lang],
        *_tile_labels([[code] for code in seed.named]),
        (
            Column("held", "已有", [count_text(seed.codes.count(code)) for code in seed.named]),
            Column("seed", "原文", [won[win] for win in expected]),
            Column("cardstats", "cardstats", [_form_text(check, lang) for check in found]),
            agreement_column(
                [check.win == win for check, win in zip(found, expected, strict=True)], lang
            ),
        ),
        (
            Words(
                f"The hand waits on {run_on(kinds)}; the seed does not name "
                f"{run_on(unnamed) or 'any other'}.",
                f"这手牌听{run_on(kinds, 'zh')}；原文没有提到{run_on(unnamed, 'zh') or '别的牌'}。",
            ),
        ),
        rows_are=_TILES,
    )


def _win_words(lang: Lang) -> tuple[str, str]:
    return ("不和", "和") if lang == "zh" else ("no win", "win")


def _form_text(check: mj.WinCheck, lang: Lang) -> str:
    if not check.win:
        return _win_words(lang)[False]
    return check.form.label_zh if lang == "zh" else check.form.label


def _tile_labels(hands: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(map(_tiles, hands)), tuple(_tiles(hand, "zh") for hand in hands)


def _tiles(codes: Sequence[int], lang: Lang = "en") -> str:
    """Write tiles in the seed's numbers as text; as those numbers if one is no tile."""
    kinds = sorted(kind for code in codes if (kind := kind_of_code(code)) is not None)
    if len(kinds) < len(codes):
        return " ".join(map(str, codes))
    return run_on(kinds, "zh" if lang == "zh" else "mpsz")


def _kinds(groups: Sequence[Sequence[int]]) -> list[tuple[int | None, ...]]:
    """Turn groups in the seed's numbers into groups of kinds, in order."""
    return sorted(tuple(map(kind_of_code, group)) for group in groups)


def _groups(way: mj.Decomposition) -> list[tuple[int | None, ...]]:
    return sorted(group.tiles for group in way.groups)


# --- Beyond the seed: how hands win -----------------------------------------------------------


def _how_hands_win(settings: Settings) -> Section:
    exact = mj.exact_forms()
    share = Fraction(sum(exact.counts[1:]), exact.total)
    expected = f"{float(settings.deals(_DEALS) * share):.3g}"
    return Section(
        Words("Beyond the seed: how Mahjong hands win", "原文之外：麻将如何和牌"),
        (
            Words(
                "Counted over all hands, as tiles are dealt (each of them a thing of its own) "
                "and as distinct hands (equal tiles alike). A hand can be sets and a pair "
                f"and seven pairs at once; such hands have a row, so that all rows add up. Of "
                f"random hands of 14 tiles, one in {_one_in(share)} wins under seed 004's rules.",
                "对所有手牌精确计数：既按发牌计（每张牌各不相同），也按不同的手牌计（相同的牌不加区分）。"
                "一手牌可以既是基本牌型又是七对；这样的手牌单列一行，各行相加即为总数。"
                f"按原文 004 的规则，随机的 14 张牌中每 {_one_in(share)} 手有一手和牌。",
            ),
            *(_wins(rules, settings.lang) for rules in mj.RULES.values()),
            _wins_by_size(settings.lang),
            Words(
                f"Dealing shows little of this: of {settings.deals(_DEALS):,} hands of 14 tiles, "
                f"{expected} are expected to win.",
                f"靠发牌几乎看不到这些：{settings.deals(_DEALS):,} 手 14 张牌中预期只有 "
                f"{expected} 手和牌。",
            ),
            _forms_dealt(settings, exact),
        ),
    )


def _wins(rules: mj.Rules, lang: Lang) -> Grid:
    """Make a table of the ways to win, in which no hand stands twice."""
    deals, distinct = (_ways_to_win(rules, weighted) for weighted in (True, False))
    all_deals = mj.exact_forms(rules=rules).total
    all_distinct = mj.exact_forms(rules=rules, weighted=False).total
    labels = ("standard alone", "seven pairs alone", "both at once", "thirteen orphans")
    labels_zh = ("仅基本牌型", "仅七对", "两者兼是", "十三幺")
    rows = [row for row, count in enumerate(deals) if count]
    columns = _odds_columns(
        [*(distinct[row] for row in rows), sum(distinct)],
        [*(deals[row] for row in rows), sum(deals)],
        [all_deals] * (len(rows) + 1),
    )
    meaning, name = _MEANINGS[rules.name], rules.name
    title = Words(f"{name} ({meaning.en})", f"{_RULES_ZH[name]}规则（{name}）：{meaning.zh}")
    return Grid(
        title[lang],
        tuple(labels[row] for row in rows),
        tuple(labels_zh[row] for row in rows),
        tuple(
            column._replace(cells=column.cells[:-1], total=column.cells[-1]) for column in columns
        ),
        (
            Words(
                f"of {all_distinct:,} distinct hands and {all_deals:,} deals",
                f"不同手牌共 {all_distinct:,} 种，发牌共 {all_deals:,} 种",
            ),
        ),
        rows_are=_FORM,
    )


def _ways_to_win(rules: mj.Rules, weighted: bool) -> tuple[int, int, int, int]:
    """Count hands of the standard form alone, of seven pairs alone, of both, and orphans."""
    _, standard, pairs, orphans = mj.exact_forms(rules=rules, weighted=weighted).counts
    both = mj.exact_overlap(rules=rules, weighted=weighted)
    return standard, pairs - both, both, orphans


def _wins_by_size(lang: Lang) -> Grid:
    exact, kinds = (
        [
            mj.exact_forms(size=size, rules=mj.STANDARD_ONLY, weighted=weighted)
            for size in WINNING_SIZES
        ]
        for weighted in (True, False)
    )
    return Grid(
        Words(
            "sets and a pair, by the tiles in hand (three fewer for each open set)",
            "基本牌型，按手中张数（每副露一组少三张）",
        )[lang],
        tuple(f"{size} tiles" for size in WINNING_SIZES),
        tuple(f"{size} 张" for size in WINNING_SIZES),
        _odds_columns(
            [hands.counts[mj.Form.STANDARD] for hands in kinds],
            [hands.counts[mj.Form.STANDARD] for hands in exact],
            [hands.total for hands in exact],
        ),
        (
            Words(
                "At 14 tiles, hands that are seven pairs as well are counted here too.",
                "14 张一行包括同时是七对的手牌。",
            ),
        ),
        rows_are=Words("size", "张数"),
    )


def _odds_columns(
    distinct: Sequence[int], deals: Sequence[int], all_deals: Sequence[int]
) -> tuple[Column, ...]:
    shares = [Fraction(count, total) for count, total in zip(deals, all_deals, strict=True)]
    return (
        Column("distinct", "不同手牌", list(map(count_text, distinct))),
        Column("deals", "发牌数", list(map(count_text, deals))),
        percent_column("%", "%", shares),
        Column("1 in", "几手一遇", list(map(_one_in, shares))),
    )


def _one_in(share: Fraction) -> str:
    return count_text(round(1 / share))


def _forms_dealt(settings: Settings, exact: Distribution) -> Grid:
    dealt = mj.simulate(settings.deals(_DEALS), by="form", **settings.run(_FORMS))
    comparison = compare(dealt, exact)
    expected = [f"{count:,.3f}" for count in comparison.expected_counts.tolist()]
    title = Words(f"{dealt.total:,} hands dealt, chinese", f"发出 {dealt.total:,} 手，中国规则")
    return Grid(
        title[settings.lang],
        exact.labels,
        exact.labels_zh,
        (
            percent_column("exact %", "精确 %", exact.probabilities),
            Column("expected", "期望次数", expected),
            Column("dealt", "发出", list(map(count_text, dealt.counts.tolist()))),
            z_column("z", "z", comparison),
        ),
        (fit_words("simulated counts", "模拟的次数", comparison),),
        rows_are=_FORM,
    )


# --- Beyond the seed: how far from winning ----------------------------------------------------


def _shanten(settings: Settings) -> Section:
    return Section(
        Words("Beyond the seed: how far a hand is from winning", "原文之外：离和牌有多远"),
        (
            Words(
                "The shanten number says how many tiles must be exchanged until a hand is ready, "
                "that is, waits for its last tile: 0 is ready, -1 complete. Exact, beside "
                "simulated hands; where seven pairs win, no hand is farther than 6.",
                "向听数是到听牌还需换几张：听牌为 0，和牌为 -1。"
                "精确值与模拟值并排；七对可和时最多六向听。",
            ),
            *_shanten_blocks(settings, 13, _SHANTEN),
            *_shanten_blocks(settings, 14, _SHANTEN + len(_SHANTEN_RULES)),
        ),
    )


def _shanten_blocks(settings: Settings, size: int, number: int) -> tuple[Grid | Figure, ...]:
    exact = [mj.exact_shanten(size=size, rules=rules) for rules in _SHANTEN_RULES]
    compared = [
        compare(
            mj.simulate(
                settings.deals(_DEALS), size=size, rules=rules, **settings.run(number + place)
            ),
            exact[place],
        )
        for place, rules in enumerate(_SHANTEN_RULES)
    ]
    chinese = _named(compared[0])
    bars = Words(
        f"Shanten number of {size} random tiles, chinese rules",
        f"随机 {size} 张牌的向听数（中国规则）",
    )
    residuals = Words(
        f"Shanten number of {size} tiles: simulated against exact",
        f"{size} 张牌的向听数：模拟值与精确值的偏差",
    )
    return (
        _shanten_table(settings.lang, size, exact, compared),
        Figure(
            f"mahjong-shanten-{size}",
            bars,
            lambda lang: plot.bars(chinese, labels=lang, title=bars[lang], label=_SIMULATED[lang]),
        ),
        Figure(
            f"mahjong-shanten-{size}-residuals",
            residuals,
            lambda lang: plot.residuals(chinese, labels=lang, title=residuals[lang]),
        ),
    )


def _shanten_table(
    lang: Lang, size: int, exact: Sequence[Distribution], compared: Sequence[Comparison]
) -> Grid:
    columns: list[Column] = []
    notes = []
    for rules, all_hands, comparison in zip(_SHANTEN_RULES, exact, compared, strict=True):
        name, name_zh = rules.name, _RULES_ZH[rules.name]
        columns += (
            percent_column(f"{name} %", f"{name_zh} %", all_hands.probabilities),
            percent_column("simulated", "模拟 %", comparison.observed.tolist()),
            z_column("z", "z", comparison),
        )
        mean = float(all_hands.expectation({label: int(label) for label in all_hands.labels}))
        notes.append(
            fit_words(
                f"{name}: mean {mean:.4f}; {comparison.counts.sum():,} hands dealt",
                f"{name_zh}：平均 {mean:.4f}；发出 {comparison.counts.sum():,} 手",
                comparison,
            )
        )
    labels = _named(compared[0])
    return Grid(
        Words(f"shanten number of {size} tiles", f"{size} 张牌的向听数")[lang],
        labels.labels,
        labels.labels_zh,
        tuple(columns),
        tuple(notes),
        rows_are=Words("shanten", "向听数"),
    )


def _named(comparison: Comparison) -> Comparison:
    """Say beside the two numbers that have a name what they mean."""
    labels = tuple(_SHANTEN_WORDS.get(label, label) for label in comparison.labels)
    return replace(comparison, labels=labels)


# --- Beyond the seed: what a ready hand waits on ----------------------------------------------


def _waits(settings: Settings) -> Section:
    deals, distinct = mj.exact_waits(), mj.exact_waits(weighted=False)
    ready, ready_distinct = _of_ready(deals), _of_ready(distinct)
    kinds = {label: place for place, label in enumerate(ready.labels, start=1)}
    mean = f"{float(ready.expectation(kinds)):.4f}"
    mean_distinct = f"{float(ready_distinct.expectation(kinds)):.4f}"
    one_in = _one_in(1 - deals.probabilities[0])
    absent = [label for label, count in zip(ready.labels, ready.counts, strict=True) if not count]
    nine = int(mj.waits(mj.from_codes(_NINE_GATES)).sum())
    as_many = distinct.counts[nine]
    title = Words(
        "Kinds that a ready hand of 13 tiles waits on, chinese rules",
        "听牌的 13 张牌听几种（中国规则）",
    )
    return Section(
        Words("Beyond the seed: what a ready hand waits on", "原文之外：听牌听几种"),
        (
            Words(
                f"Of random hands of 13 tiles one in {one_in} is ready; they wait on {mean} kinds "
                f"on average, or on {mean_distinct} if each distinct hand counts once. No hand "
                f"waits on {', '.join(absent[:-1])} or {absent[-1]} kinds. {_tiles(_NINE_GATES)} "
                f"waits on {nine}, which {as_many:,} distinct hands do in all: it, and the same in "
                f"the two other suits. Thirteen different orphans wait on {len(ready.counts)}.",
                f"随机 13 张牌中每 {one_in} 手有一手听牌，平均听 {mean} 种；"
                f"若每种不同手牌各计一次，则为 {mean_distinct} 种。"
                f"没有手牌听 {'、'.join(absent)} 种。"
                f"{_tiles(_NINE_GATES, 'zh')}听 {nine} 种，听这么多种的不同手牌共 {as_many:,} 手："
                f"九莲宝灯，三门各一。十三种幺九牌各一张则听 {len(ready.counts)} 种。",
            ),
            _waits_table(settings, deals, distinct),
            Figure(
                "mahjong-waits",
                title,
                lambda lang: plot.bars(ready, labels=lang, title=title[lang]),
            ),
        ),
    )


def _of_ready(waits: Distribution) -> Distribution:
    """Leave out the hands that are not ready."""
    return Distribution(waits.title, waits.labels[1:], waits.labels_zh[1:], waits.counts[1:])


def _waits_table(settings: Settings, deals: Distribution, distinct: Distribution) -> Grid:
    comparison = compare(_waits_dealt(settings, deals), deals)
    shown = rows_of(comparison, range(1, len(deals.labels)))
    ready, ready_distinct = _of_ready(deals), _of_ready(distinct)
    return Grid(
        Words("kinds that ready hands wait on, chinese", "听牌手牌所听的种数，中国规则")[
            settings.lang
        ],
        shown.labels,
        shown.labels_zh,
        (
            Column(
                "distinct",
                "不同手牌",
                list(map(count_text, ready_distinct.counts)),
                count_text(ready_distinct.total),
            ),
            percent_column("%", "%", ready_distinct.probabilities),
            Column("deals", "发牌数", list(map(count_text, ready.counts)), count_text(ready.total)),
            percent_column("%", "%", ready.probabilities),
            Column(
                "dealt",
                "发出",
                list(map(count_text, shown.counts.tolist())),
                count_text(int(shown.counts.sum())),
            ),
            z_column("z", "z", shown),
        ),
        (
            fit_words(
                f"{comparison.counts.sum():,} hands dealt, ready or not",
                f"发出 {comparison.counts.sum():,} 手（含未听牌）",
                comparison,
            ),
        ),
        rows_are=Words("kinds", "种数"),
    )


def _waits_dealt(settings: Settings, exact: Distribution) -> Tally:
    """Deal hands, find the waits of each, and count them by their number."""
    left = settings.deals(_DEALS)
    counts = np.zeros(len(exact.labels), np.int64)
    stream: np.random.SeedSequence = settings.run(_WAITS)["rng"]
    while left:
        hands = mj.deal(min(left, _DEALT_AT_ONCE), size=13, rng=stream.spawn(1)[0])
        counts += np.bincount(mj.waits(hands).sum(axis=1), minlength=len(counts))
        left -= len(hands)
    return Tally(exact.title, exact.labels, exact.labels_zh, counts)
