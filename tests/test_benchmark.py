"""The benchmark: whom it holds against each other, and that it is honest about answers."""

import time
from collections import Counter

import naive_blackjack as naive
import numpy as np
import pytest

from cardstats import Distribution, benchmark, compare
from cardstats import _benchmark as machinery
from cardstats import _benchmark_blackjack as of_blackjack
from cardstats import _benchmark_mahjong as of_mahjong
from cardstats import _benchmark_three_card as of_three_card
from cardstats import blackjack as bj
from cardstats import mahjong as mj
from cardstats import three_card as tc
from cardstats._benchmark import Answers, Contest, Contestant, Held, one_by_one, same_answers
from cardstats._table import Words
from cardstats.cards import RANKS
from cardstats.results import Tally

MODULES = (of_three_card, of_mahjong, of_blackjack)


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
    hands = np.concatenate([winning, of_mahjong._half_changed(winning), mj.deal(2000, rng=1)])
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
def test_the_plain_game_is_the_seeds(deck, result, monkeypatch):
    monkeypatch.setattr(of_blackjack.random, "shuffle", lambda deck: None)
    assert of_blackjack.plain_game(deck.split()).label == result


def test_the_plain_games_end_as_they_must():
    of_blackjack.random.seed(1)
    seen = Tally.from_counts(of_blackjack.plain_games(50_000))
    assert compare(seen, bj.exact_outcome(bj.MIMIC_DEALER).distribution).p_value > 1e-4


def test_the_plain_deals_are_as_likely_as_they_must_be():
    of_three_card.random.seed(1)
    seen = Tally.from_counts(of_three_card.plain_simulation(50_000))
    assert compare(seen, tc.exact_categories()).p_value > 1e-4


# --- timing ---


def hold(contest, seconds=0):
    held = Held(contest)
    for _ in range(3):
        held.measure(seconds / 3)
    return held.rates()


def sleeper(name, seconds, hands=1, kind="cardstats", slower_than=""):
    return Contestant(Words(name, name), kind, lambda: time.sleep(seconds), hands, slower_than)


def test_rates_are_ratios_of_times(monkeypatch):
    monkeypatch.setattr(machinery, "_TURN", 0.0)
    contest = Contest(
        Words("sleep", "睡"),
        (
            sleeper("limit", 0.02, hands=4, kind="limit"),
            sleeper("own", 0.02, hands=2),
            sleeper("peer", 0.06, hands=1, kind="peer", slower_than="own"),
        ),
    )
    (limit, own, peer), notes = hold(contest, 0)
    assert not notes
    assert (limit.of_limit, limit.times, own.times) == (None, None, None)
    assert own.hands < 2 / 0.02
    assert own.of_limit == pytest.approx(0.5, rel=0.3)
    assert peer.times == pytest.approx(6, rel=0.3)
    assert peer.of_limit == pytest.approx(1 / 12, rel=0.3)


def test_short_jobs_are_repeated_until_a_turn_is_long_enough(monkeypatch):
    monkeypatch.setattr(machinery, "_TURN", 0.05)
    calls = []
    job = Contestant(Words("a", "一"), "cardstats", lambda: calls.append(time.sleep(0.005)), 1)
    (row,), _ = hold(Contest(Words("b", "二"), (job,)), 0)
    assert 2 + 3 * 3 <= len(calls) <= 2 + 3 * 10
    assert 100 < row.hands < 200


def test_a_contest_lasts_as_long_as_it_is_asked_to(monkeypatch):
    monkeypatch.setattr(machinery, "_TURN", 0.0)
    calls = []
    job = Contestant(Words("a", "一"), "cardstats", lambda: calls.append(time.sleep(0.01)), 1)
    start = time.monotonic()
    hold(Contest(Words("b", "二"), (job,)), 0.3)
    assert time.monotonic() - start >= 0.3
    assert len(calls) > 5


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
    _, notes = hold(Contest(Words("j", "事"), (peer,)), 0)
    assert [note.en for note in notes] == ["p: 1 of 2 answers differ, first 1: 2, cardstats 1"]


def test_a_simulation_that_cannot_be_true_is_found_out():
    coin = Distribution("coin", ("heads", "tails"), ("正", "反"), (1, 1))
    assert (
        machinery.fitting_answers(Counter(heads=5000, tails=5000), coin).short.en
        == "fits, p 1.0000"
    )
    wrong = machinery.fitting_answers(Counter(heads=6000, tails=4000), coin)
    assert wrong.short.en.startswith("does not fit, p ")
    assert wrong.note is not None


# --- the whole of it ---

KERNELS = (
    *("classify", "strength", "points", "is_win", "shanten", "waits", "acceptance", "discards"),
    *("total", "deal", "simulate", "simulate_showdown", "optimal_policy"),
)


def test_every_kernel_is_measured_beside_the_seeds_way(small):
    result = benchmark.benchmark(peers=False, seconds=0)
    kinds = Counter(row.kind for row in result.rows)
    assert set(kinds) == {"limit", "cardstats", "plain", "another job"}
    for row in result.rows:
        assert row.hands > 0
        if row.kind == "plain":
            assert row.times > 0
            assert row.answers.endswith("the same") or row.answers.startswith("fits")
    named = " ".join(result.labels)
    for kernel in KERNELS:
        assert kernel in named
    assert not any(peer in named for peer in [*of_three_card.PEERS, *of_blackjack.PEERS])


@pytest.mark.parametrize("game", benchmark.PARTS)
def test_peers_that_are_installed_are_measured(small, game):
    module = MODULES[list(benchmark.PARTS).index(game)]
    there = [peer for peer in module.PEERS if machinery.installed(peer)]
    if not there:
        pytest.skip(f"none of {', '.join(module.PEERS)} is installed")
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


def test_exactbj_is_off_in_close_calls_only(small):
    """Plain recursion bears cardstats out in each of them; some stand in test_blackjack_exact."""
    exactbj = pytest.importorskip("exactbj")
    rules = of_blackjack._EXACTBJ_RULES
    policy = bj.optimal_policy(rules=rules)
    decisions = list(of_blackjack._decisions())
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
    with pytest.raises(ValueError, match="only: 'chess' is none of three-card, mahjong, blackjack"):
        benchmark.benchmark(only="chess")
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match="seconds: expected a number of at least 0"):
            benchmark.benchmark(seconds=wrong)


@pytest.fixture
def blackjack(small):
    return benchmark.benchmark(only="blackjack", peers=False, seconds=0)


def test_saving_writes_table_data_and_figure(blackjack, tmp_path):
    figure = benchmark.save(blackjack, tmp_path / "new", lang="en")
    assert sorted(path.name for path in figure.parent.iterdir()) == [
        "benchmark.csv",
        "benchmark.md",
        "benchmark.png",
    ]
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert "total, columns" in (tmp_path / "new" / "benchmark.md").read_text(encoding="utf-8")


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


def test_a_paper_without_a_place_changes_none(blackjack, tmp_path):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(PAPER.format("en"), encoding="utf-8")
    bad.write_text("nothing here", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.md: expected <!-- cardstats benchmark en -->"):
        benchmark.insert(blackjack, [good, bad])
    assert good.read_text(encoding="utf-8") == PAPER.format("en")


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


def test_the_command_refuses_other_games_and_papers_before_any_work(run, tmp_path):
    status, _, err = run("benchmark", "--only", "chess")
    assert (status, err.count("\n")) == (2, 1)
    assert "'chess' is none of three-card, mahjong, blackjack" in err
    start = time.perf_counter()
    status, out, err = run("benchmark", "--readme", str(tmp_path / "missing.md"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "missing.md" in err
    assert time.perf_counter() - start < 5
