"""The benchmark: whom it holds against each other, and that it is honest about answers."""

import itertools
import math
import random
import sys
from collections import Counter
from dataclasses import replace

import naive_blackjack as naive
import numpy as np
import pytest
from command_line import width

from cardstats import Distribution, Showdown, benchmark, cli, compare, plot
from cardstats import _benchmark as machinery
from cardstats import _benchmark_blackjack as of_blackjack
from cardstats import _benchmark_mahjong as of_mahjong
from cardstats import _benchmark_three_card as of_three_card
from cardstats import blackjack as bj
from cardstats import mahjong as mj
from cardstats import three_card as tc
from cardstats._benchmark import Answers, Contest, Contestant, Timing, one_by_one, same_answers
from cardstats._table import Words
from cardstats.blackjack import exact
from cardstats.cards import RANKS
from cardstats.results import Tally

# --- the seeds' ways: baselines that are right ---


def plain_hands(hands):
    return [[(card // 4 + 2, card % 4) for card in hand] for hand in hands.tolist()]


def test_the_plain_categories_and_points_are_those_of_all_hands():
    hands = tc.all_hands()
    plain = plain_hands(hands)
    assert list(map(of_three_card.plain_category, plain)) == tc.classify(hands).tolist()
    assert list(map(of_three_card.plain_points, plain)) == tc.points(hands).tolist()


def test_the_plain_win_check_is_right_on_winning_and_nearly_winning_hands():
    winning = of_mahjong.winning_hands(4000)
    hands = np.concatenate([winning, of_mahjong.half_changed(winning), mj.deal(2000, rng=1)])
    assert 0.4 < mj.is_win(hands).mean() < 0.9
    tiles = [np.repeat(np.arange(34), hand).tolist() for hand in hands]
    assert list(map(of_mahjong.plain_win, tiles)) == mj.is_win(hands).tolist()


@pytest.mark.parametrize("text", ["19m19p19s12345677z", "1122m3344p5566s77z", "1111m22p333444z55s"])
def test_the_plain_win_check_knows_the_special_forms(text):
    hand = mj.parse(text)
    tiles = np.repeat(np.arange(34), hand).tolist()
    assert of_mahjong.plain_win(tiles) == mj.is_win(hand)


def test_ready_hands_are_ready():
    assert (mj.shanten(of_mahjong.ready_hands(2000)) == 0).all()


def test_the_plain_totals_are_right():
    hands = np.random.default_rng(1).integers(0, 52, (5000, 5), dtype=np.uint8)
    ranks = [[RANKS[card // 4] for card in hand] for hand in hands.tolist()]
    assert list(map(of_blackjack.plain_total, ranks)) == bj.total(hands).tolist()


@pytest.mark.parametrize(
    ("deck", "result"),
    [
        ("A 5 K 6 9", "natural"), ("A A K K", "draw"), ("10 9 9 9", "win"), ("10 9 9 10", "draw"),
        ("10 10 8 9", "lose"), ("10 10 6 2 6", "lose"), ("10 10 7 6 K", "win"),
        ("10 A 6 K 5", "lose"),  # 21 in three cards against a natural
        ("A 10 K 5 6", "natural"),
    ],
)  # fmt: skip
def test_the_plain_game_is_the_seeds(deck, result):
    assert of_blackjack.plain_game(deck.split()).label == result


def test_the_plain_games_end_as_they_must():
    seen = Tally.from_counts(of_blackjack.plain_games(50_000, random.Random(1)))
    assert compare(seen, bj.exact_outcome(bj.MIMIC_DEALER).distribution).p_value > 1e-4


def test_the_plain_deals_are_as_likely_as_they_must_be():
    seen = Tally.from_counts(of_three_card.plain_simulation(50_000, random.Random(1)))
    assert compare(seen, tc.exact_categories()).p_value > 1e-4


# --- timing ---


class Clock:
    """A clock that stands still but when somebody sleeps."""

    def __init__(self):
        self.now = 0.0

    def sleep(self, seconds):
        self.now += seconds

    def read(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(machinery.time, name, clock.read)
    monkeypatch.setattr(machinery, "_TURN", 0.01)
    return clock


def sleeper(clock, name, seconds, hands=1, kind="cardstats", slower_than=""):
    """Make a contestant that takes so long, or as long as a list says, turn by turn."""
    ahead = iter(seconds) if isinstance(seconds, list) else itertools.repeat(seconds)
    return Contestant(Words(name, name), kind, lambda: clock.sleep(next(ahead)), hands, slower_than)


def rates_of(*contestants, seconds=0.0, passes=3, notes=()):
    timing = Timing(Contest(Words("sleep", "睡"), contestants, notes))
    for _ in range(passes):
        timing.measure(seconds)
    return timing.rates(), [note.en for note in timing.notes]


def test_rates_are_ratios_of_times(clock):
    (limit, own, peer, other), notes = rates_of(
        sleeper(clock, "limit", 0.02, hands=4, kind="limit"),
        sleeper(clock, "own", 0.02, hands=2),
        sleeper(clock, "peer", 0.06, hands=1, kind="peer", slower_than="own"),
        sleeper(clock, "other", 0.01, hands=3, kind="another job"),
    )
    assert not notes
    assert [row.hands for row in (limit, own, peer, other)] == pytest.approx(
        [200, 100, 100 / 6, 300]
    )
    assert (limit.of_limit, limit.times, own.times) == (None, None, None)
    assert (other.of_limit, other.times) == (None, None)
    assert own.of_limit == pytest.approx(0.5)
    assert peer.times == pytest.approx(6)
    assert peer.of_limit == pytest.approx(1 / 12)


def test_figures_are_medians_and_ratios_are_taken_round_by_round(clock):
    """The first two turns only prepare: they are long here, and count for nothing."""
    limit = [9, 9, 1, 2, 3, 4, 5]
    own = [9, 9, 1, 1, 6, 4, 10]  # times the limit: 1, 1/2, 2, 1, 2
    peer = [9, 9, 3, 4, 6, 8, 90]  # times own: 3, 4, 1, 2, 9
    (_, row, slow), _ = rates_of(
        sleeper(clock, "limit", limit, kind="limit"),
        sleeper(clock, "own", own),
        sleeper(clock, "peer", peer, kind="peer", slower_than="own"),
        passes=5,
    )
    assert (row.hands, row.of_limit) == (1 / 4, 1)
    assert (slow.hands, slow.times) == (1 / 6, 3)


def test_short_jobs_are_repeated_until_a_turn_is_long_enough(clock):
    calls = []

    def job():
        calls.append(None)
        clock.sleep(0.003)

    (row,), _ = rates_of(Contestant(Words("a", "一"), "cardstats", job, 1), passes=1)
    assert len(calls) == 2 + 4
    assert row.hands == pytest.approx(1 / 0.003)


def test_a_contest_lasts_as_long_as_it_is_asked_to(clock):
    calls = []

    def job():
        calls.append(None)
        clock.sleep(1 / 64)

    rates_of(Contestant(Words("a", "一"), "cardstats", job, 1), seconds=10 / 64, passes=2)
    assert len(calls) == 2 + 2 * 10


def test_a_benchmark_measures_for_so_long_in_several_passes(monkeypatch, clock):
    asked = []
    job = Contestant(Words("a", "一"), "cardstats", lambda: clock.sleep(0.02), 1)
    monkeypatch.setitem(
        benchmark.PARTS, "mahjong", lambda peers: iter([Contest(Words("job", "事"), [job])])
    )
    measure = Timing.measure
    monkeypatch.setattr(
        Timing, "measure", lambda self, seconds: (asked.append(seconds), measure(self, seconds))
    )
    monkeypatch.setattr(benchmark, "installed", lambda package: package == "xiangting")
    for how, seconds in (
        ({"seconds": 3}, 3),
        ({}, 20),
        ({"peers": False}, 5),
    ):
        asked.clear()
        benchmark.benchmark(only="mahjong", **how)
        assert len(asked) == 10
        assert sum(asked) == pytest.approx(seconds)


def test_yardsticks_count_what_they_do():
    hands = np.ones((300, 3), np.uint8)
    copy = machinery.copying(Words("c", "复"), hands)
    assert (copy.kind, copy.hands) == ("limit", 300)
    assert copy.call() is None
    monkey = machinery.drawing(Words("d", "抽"), 4)
    assert (monkey.kind, monkey.hands) == ("another job", (1 << 20) // 4)


def test_a_copy_copies_all_of_it(monkeypatch):
    copied = []
    monkeypatch.setattr(
        machinery.np, "copyto", lambda to, hands: copied.append((to.shape, hands.shape))
    )
    machinery.copying(Words("c", "复"), np.ones((300, 3), np.uint8)).call()
    assert copied == [((300, 3), (300, 3))]


def test_of_hands_one_by_one_every_nth_is_timed_and_all_are_compared():
    asked = []

    def answer(hand):
        asked.append(hand)
        return hand

    peer = one_by_one(Words("p", "甲"), answer, range(100), own=[*range(99), 0], timed=20)
    peer.call()
    assert asked == list(range(0, 100, 5))
    assert peer.hands == 20
    assert peer.answers().short.en == "1 of 100 differ"


# --- answers ---


def test_disagreements_are_told_with_the_first_hand():
    answers = same_answers(Words("they", "他们"), [1, 2, 3, 5], [1, 2, 4, 4], "abcd".__getitem__)
    assert answers.short.en == "2 of 4 differ"
    assert answers.note.en == "they: 2 of 4 answers differ, first c: 3, cardstats 4"
    assert answers.note.zh == "他们：4 个答案中 2 个不同，首个 c：3，cardstats 4"


def test_equal_answers_are_counted():
    answers = same_answers(Words("they", "他们"), [1, 2], [1, 2], str)
    assert answers == Answers(Words("2 the same", "2 个相同"))


def test_a_peer_that_answers_otherwise_is_found_out():
    peer = one_by_one(Words("p", "甲"), lambda hand: hand + 1, [0, 1], own=[1, 1])
    _, notes = rates_of(peer)
    assert notes == ["p: 1 of 2 answers differ, first 1: 2, cardstats 1"]


def own_kernel(ask, hands=None):
    hands = np.arange(12, dtype=np.uint8).reshape(6, 2) if hands is None else hands
    return machinery.kernel(Words("k", "核"), ask, hands, np.zeros(len(hands), np.uint8), str)


def add(hands, out=None):
    return np.add(hands[:, 0], hands[:, 1], out=out)


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray])
def test_a_kernel_that_answers_alike_for_many_and_few_is_right(layout):
    (row,), notes = rates_of(own_kernel(add, layout(np.ones((50, 2), np.uint8))))
    assert (notes, row.answers) == ([], "")


def test_a_kernel_that_fills_its_output_with_something_else_is_found_out():
    def wrong(hands, out=None):
        found = add(hands, out)
        if out is not None:
            out[-1] = 0
        return found

    (row,), notes = rates_of(own_kernel(wrong))
    assert row.answers == "1 of 6 differ"
    assert notes == ["k: 1 of 6 answers differ, first [10 11]: 0, cardstats 21"]


def test_a_kernel_that_fills_nothing_is_found_out():
    (row,), notes = rates_of(own_kernel(lambda hands, out=None: add(hands)))
    assert row.answers == "6 of 6 differ"
    assert notes


def test_a_simulator_that_counts_otherwise_is_found_out():
    coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    for counts, answer in (((5000, 5000), "fits, p 1.0000"), ((6000, 4000), "does not fit, p ")):
        seen = Tally.from_counts(dict(zip(coin.labels, counts, strict=True)))
        one = machinery.simulator(
            Words("s", "模"), lambda seen=seen: seen, 1, lambda seen: compare(seen, coin)
        )
        (row,), notes = rates_of(one)
        assert row.answers.startswith(answer)
        assert bool(notes) == answer.startswith("does not")


def test_a_simulation_that_cannot_be_true_is_found_out():
    coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    assert (
        machinery.fitting_answers(Counter(heads=5000, tails=5000), coin).short.en
        == "fits, p 1.0000"
    )
    wrong = machinery.fitting_answers(Counter(heads=6000, tails=4000), coin)
    assert wrong.short.en.startswith("does not fit, p ")
    assert wrong.note is not None


# --- packages that fail ---


def failing(after):
    """Make a call that fails after so many."""
    left = itertools.count(after, -1)

    def call():
        if next(left) <= 0:
            raise RuntimeError("it broke")

    return call


@pytest.mark.parametrize("after", [0, 1, 2, 4])
def test_a_package_that_fails_is_left_out_and_named(after):
    good = Contestant(Words("good", "好"), "cardstats", lambda: None, 1)
    bad = Contestant(Words("bad", "坏"), "peer", failing(after), 1, "good")
    rows, notes = rates_of(good, bad, passes=5)
    assert [row.label for row in rows] == ["good"]
    assert notes == ["bad is left out: RuntimeError: it broke"]


def test_a_package_that_fails_while_answering_is_left_out_and_named():
    bad = Contestant(Words("bad", "坏"), "peer", lambda: None, 1, answers=failing(0))
    assert rates_of(bad) == ([], ["bad is left out: RuntimeError: it broke"])


def test_our_own_faults_are_raised():
    with pytest.raises(RuntimeError, match="it broke"):
        rates_of(Contestant(Words("own", "本"), "cardstats", failing(3), 1), passes=5)


@pytest.mark.parametrize(
    ("content", "note"),
    [("raise ImportError('no such library')", "ImportError: no such library"), ("", "ImportError")],
)
def test_a_package_that_cannot_be_imported_is_left_out_and_named(
    small, tmp_path, monkeypatch, content, note
):
    """Also one that only has the same name."""
    (tmp_path / "sham.py").write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sham", raising=False)

    def make():
        from sham import evaluate

        return evaluate, str

    monkeypatch.setitem(of_three_card._FIVE_CARDS, "sham", make)
    result = benchmark.benchmark(only="three-card", seconds=0)
    assert not any(label.startswith("sham") for label in result.labels)
    assert any(said.startswith(f"sham is left out: {note}") for said in result.notes)
    assert "simulate, 1 player" in result.labels


def test_a_folder_is_no_package(tmp_path, monkeypatch):
    (tmp_path / "nothing_here").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert not machinery.installed("nothing_here")
    assert machinery.installed("numpy")
    assert not machinery.installed("no_such_package")


# --- the whole of it ---

KERNELS = (
    *("classify", "strength", "points", "is_win", "shanten", "waits", "acceptance", "discards"),
    *("total", "deal", "simulate", "simulate_showdown", "optimal_policy"),
)


def handled(found):
    """How many hands, games or decisions a call's result is about."""
    if isinstance(found, Counter):
        return sum(found.values())
    if isinstance(found, bj.Policy):
        return len(list(of_blackjack.decisions()))
    if isinstance(found, Showdown):  # which counts deals
        return found.total * found.players
    return found.total if isinstance(found, Tally) else len(found)


@pytest.mark.parametrize("game", benchmark.PARTS)
def test_contestants_handle_as_many_hands_as_they_say(small, game):
    for contest in benchmark.PARTS[game](True):
        for one in contest.contestants:
            found = one.call()
            assert found is None or handled(found) == one.hands, one.label


def test_kernels_fill_the_array_that_they_are_given(small):
    for contest in (next(part(False)) for part in benchmark.PARTS.values()):
        for one in contest.contestants:
            if one.kind == "cardstats":
                assert one.call() is one.call()


def test_best_play_is_found_anew_each_time(small):
    *_, contest = of_blackjack.contests(False)
    (best,) = contest.contestants
    exact._best.cache_clear()  # of what other tests asked
    before = exact._best.cache_info()
    for _ in range(60):
        best.call()
    after = exact._best.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (0, 60)


def test_every_kernel_is_measured_beside_the_seeds_way(small):
    result = benchmark.benchmark(peers=False, seconds=0)
    kinds = Counter(row.kind for row in result.rows)
    assert set(kinds) == {"limit", "cardstats", "plain", "another job"}
    for row in result.rows:
        assert row.hands > 0
        if row.kind == "plain":
            assert row.times > 0
            assert row.answers.endswith("the same") or row.answers.startswith("fits")
        assert "differ" not in row.answers
        assert "not fit" not in row.answers
    named = " ".join(result.labels)
    for kernel in KERNELS:
        assert kernel in named
    assert not any(peer in named for peer in [*of_three_card.PEERS, *of_blackjack.PEERS])


def test_who_is_slower_than_what_answers_the_same(small):
    slower = {
        one.label.en: one.slower_than
        for part in benchmark.PARTS.values()
        for contest in part(True)
        for one in contest.contestants
        if one.slower_than
    }
    expected = {
        "seed 001, plain Python": "classify, rows",
        "seed 000, plain Python": "points, rows",
        "seed 001's dealing, plain Python": "simulate, 1 player",
        "seed 004, plain Python": "is_win, half win, rows",
        "seed 002's totals, plain Python": "total, rows",
        "seed 002's games, plain Python": "simulate, mimic the dealer",
        "pokerkit, category": "classify, rows",
        "pokerkit, place": "strength, rows",
        "mahjong, win": "is_win riichi, half win, rows",
        "mahjong, shanten": "shanten, rows",
        "xiangting, shanten": "shanten, rows",
        "xiangting, acceptance": "acceptance, rows",
        "riichienv, shanten": "shanten, rows",
        "riichienv, waits": "waits, ready, rows",
        "gymnasium's Blackjack-v1": "simulate, mimic the dealer",
        "exactbj's best_action": "optimal_policy",
    }
    assert slower.items() <= expected.items()
    assert len(slower) >= 6


@pytest.mark.parametrize("game", benchmark.PARTS)
def test_peers_that_are_installed_are_measured(small, game):
    there = [peer for peer in benchmark.PEERS[game] if machinery.installed(peer)]
    if not there:
        pytest.skip(f"none of {', '.join(benchmark.PEERS[game])} is installed")
    result = benchmark.benchmark(only=game, seconds=0)
    for peer in there:
        rows = [row for row in result.rows if row.label.startswith(peer)]
        assert rows
        assert all(row.kind in ("peer", "another job") for row in rows)
        compared = [row for row in rows if row.kind == "peer"]
        if peer != "exactbj":  # which is off in close calls
            assert all(row.answers.endswith("the same") or row.answers.startswith("fits")
                       for row in compared)  # fmt: skip
    assert any(note.startswith("peers: ") for note in result.notes)


def test_exactbj_is_off_in_close_calls_only():
    """Plain recursion bears cardstats out in each of them; some stand in test_blackjack_exact."""
    exactbj = pytest.importorskip("exactbj")
    rules = of_blackjack._EXACTBJ_RULES
    policy = bj.optimal_policy(rules=rules)
    decisions = list(of_blackjack.decisions())
    differ = 0
    for hand, upcard in decisions:
        hits = policy.hits(hand, upcard)
        if exactbj.best_action(*of_blackjack.question(hand, upcard)) == hits:  # it says to stand
            deck = naive.without(naive.PACK, *hand, upcard)
            stood = naive.ev(naive.standing(hand, (upcard,), deck, rules), rules)
            gain = naive.hitting(hand, upcard, deck, rules) - stood
            assert (gain > 0) == hits
            assert abs(gain) < 0.01
            differ += 1
    assert (len(decisions), differ) == (19_620, 38)


def test_only_and_seconds_are_checked():
    with pytest.raises(ValueError, match="only: 'chess' is none of 'three-card', 'mahjong'"):
        benchmark.benchmark(only="chess")
    for wrong in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="seconds: expected a number of at least 0"):
            benchmark.benchmark(seconds=wrong)


@pytest.fixture
def blackjack(small):
    return benchmark.benchmark(only="blackjack", peers=False, seconds=0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_saving_speaks_the_language(blackjack, tmp_path, monkeypatch, lang):
    asked, draw = [], plot.throughput
    monkeypatch.setattr(
        plot, "throughput", lambda result, labels: (asked.append(labels), draw(result))[1]
    )
    benchmark.save(blackjack, tmp_path, lang=lang)
    table = (tmp_path / "benchmark.md").read_text(encoding="utf-8").strip()
    assert table == blackjack.to_markdown(lang)
    assert asked == [lang]


def test_saving_writes_table_data_and_figure(blackjack, tmp_path):
    figure = benchmark.save(blackjack, tmp_path / "new", lang="en")
    assert sorted(path.name for path in figure.parent.iterdir()) == [
        "benchmark.csv",
        "benchmark.md",
        "benchmark.png",
    ]
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert "total, columns" in (tmp_path / "new" / "benchmark.md").read_text(encoding="utf-8")


# --- the long run ---

DEALT = 20_000_000


@pytest.fixture(scope="module")
def long():
    return benchmark.long_run(DEALT, workers=2, rng=3)


def test_a_long_run_deals_and_compares(long):
    tally = tc.simulate(DEALT // 5, players=5, by="top_card", rng=3)
    expected = compare(tally, tc.exact_categories(by="top_card"))
    assert long.comparison == expected
    assert long.comparison.counts.dtype == np.int64
    assert (long.hands, long.workers) == (DEALT, 2)
    assert long.seconds > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of this process")
def test_a_longer_run_holds_no_more_in_memory(long):
    short, end = long.memory
    assert 10**7 < short <= end < short + 20 * 10**6


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_long_run_tells_what_it_took(long, lang):
    text, markdown = long.to_text(lang), long.to_markdown(lang)
    assert max(map(width, text.splitlines())) <= 80
    for said in (text, markdown):
        assert f"{DEALT:,}" in said
        assert " MB" in said
        assert f"{long.seconds:.1f} " in said
    unknown = replace(long, memory=None)
    assert " MB" not in unknown.to_text(lang) + unknown.to_markdown(lang)


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"hands": 10**6}, "hands: 1000000 is "),
        ({"hands": 10**7 + 1}, "hands: 10000001 are no whole games of 5"),
        ({"workers": 0}, "workers: 0 is "),
    ],
)
def test_no_long_run(how, error):
    with pytest.raises(ValueError, match=f"^{error}"):
        benchmark.long_run(**how)


def test_the_command_writes_the_long_run_below_the_table(run, small, tmp_path):
    arguments = ["--only", "blackjack", "--no-peers", "--seconds", "0", "--long-run", "10000000"]
    status, out, _ = run("benchmark", *arguments, "--out", str(tmp_path))
    assert status == 0
    table, _, below = (tmp_path / "benchmark.md").read_text(encoding="utf-8").partition("**hands d")
    assert "total, columns" in table
    assert "10,000,000 hands, 2 threads" in below
    assert "10,000,000 hands, 2 threads" in out


PAPER = """# Title

<!-- cardstats benchmark {} -->
old
<!-- end of cardstats benchmark -->

Rest.
"""


def test_papers_get_the_table_in_their_language(blackjack, tmp_path):
    papers = [tmp_path / "a.md", tmp_path / "b.md"]
    for paper, lang in zip(papers, ("en", "zh"), strict=True):
        paper.write_text(PAPER.format(lang), encoding="utf-8")
    benchmark.insert(blackjack, papers)
    benchmark.insert(blackjack, papers)  # again: the same place
    for paper, lang in zip(papers, ("en", "zh"), strict=True):
        text = paper.read_text(encoding="utf-8")
        assert text.count(blackjack.to_markdown(lang)) == 1
        assert "old" not in text
        assert text.startswith("# Title\n\n<!-- cardstats benchmark")
        assert text.endswith("<!-- end of cardstats benchmark -->\n\nRest.\n")


NO_PLACES = (
    "nothing here",
    "<!-- cardstats benchmark en --> never ends",
    "<!-- end of cardstats benchmark --> before <!-- cardstats benchmark en -->",
    "<!-- cardstats benchmark en --> text " + PAPER.format("zh"),
    PAPER.format("en") + PAPER.format("zh"),
)


@pytest.mark.parametrize("text", NO_PLACES)
def test_a_paper_without_one_clear_place_changes_none(blackjack, tmp_path, text):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(PAPER.format("en"), encoding="utf-8")
    bad.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.md: expected <!-- cardstats benchmark en -->"):
        benchmark.insert(blackjack, [good, bad])
    assert good.read_text(encoding="utf-8") == PAPER.format("en")
    assert bad.read_text(encoding="utf-8") == text


def test_a_paper_that_cannot_be_written_changes_none(blackjack, tmp_path, monkeypatch):
    papers = [tmp_path / "good.md", tmp_path / "locked.md"]
    for paper in papers:
        paper.write_text(PAPER.format("en"), encoding="utf-8")
    monkeypatch.setattr(benchmark.os, "access", lambda path, mode: path != papers[1])
    with pytest.raises(PermissionError, match=r"locked\.md: cannot be written"):
        benchmark.insert(blackjack, papers)
    assert papers[0].read_text(encoding="utf-8") == PAPER.format("en")


def test_line_ends_stay_as_they_are(blackjack, tmp_path):
    paper = tmp_path / "windows.md"
    paper.write_bytes(PAPER.format("en").replace("\n", "\r\n").encode())
    benchmark.insert(blackjack, [paper])
    text = paper.read_bytes()
    assert text.count(b"\n") == text.count(b"\r\n") > 20


def test_the_command_prints_saves_and_inserts(small, run, tmp_path):
    paper = tmp_path / "paper.md"
    paper.write_text(PAPER.format("zh"), encoding="utf-8")
    status, out, _ = run(
        "benchmark", "--only", "blackjack", "--no-peers", "--seconds", "0",
        "--out", str(tmp_path), "--readme", str(paper),
    )  # fmt: skip
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "hands a second on one core"
    assert all(len(line) <= 80 for line in lines[:-1])
    assert lines[-1] == f"figure: {tmp_path / 'benchmark.png'}"
    assert "照庄家规则" in paper.read_text(encoding="utf-8")


@pytest.fixture
def _no_work(monkeypatch):
    monkeypatch.setattr(benchmark, "benchmark", lambda **how: pytest.fail("it went to work"))


@pytest.mark.usefixtures("_no_work")
def test_the_command_refuses_what_it_cannot_do_before_any_work(run, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    for said, arguments in (
        ("'chess' is none of three-card, mahjong, blackjack", ("--only", "chess")),
        ("missing.md", ("--readme", str(tmp_path / "missing.md"))),
        ("file is a file, not a folder", ("--out", str(tmp_path / "file"))),
        ("invalid float value: 'soon'", ("--seconds", "soon")),
    ):
        status, out, err = run("benchmark", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert said in err


def test_a_closed_pipe_loses_no_file(small, run, tmp_path, monkeypatch):
    def closed(text, **how):
        if text:
            raise BrokenPipeError

    monkeypatch.setattr(cli, "write", closed)
    status, _, _ = run(
        "benchmark", "--only", "blackjack", "--no-peers", "--seconds", "0", "--out", str(tmp_path)
    )
    assert status == cli.PIPE_CLOSED
    assert (tmp_path / "benchmark.md").exists()
