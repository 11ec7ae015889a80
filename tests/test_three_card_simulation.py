"""Dealing and counting against a plain twin, bit for bit; and what a simulation promises.

Whether all deals are equally likely is for `test_three_card_statistics`.
"""

import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import islice

import naive
import numpy as np
import pytest
from three_card_samples import HANDS, RULE_SETS, each

from cardstats import _engine, three_card
from cardstats._random import LANES, WORD_LANES, lane_states
from cardstats.three_card import ZHA_JIN_HUA, ZHA_JIN_HUA_235, ZHA_JIN_HUA_POINTS, simulation

each_by = pytest.mark.parametrize("by", ["category", "top_card"])

# --- the plain twin ---


def plain_rounds(seed, players, given=()):
    """Rounds of LANES games without end, each a table or None where it is dropped.

    Each lane of words serves two games, with the low and the high half of a word. A card is the
    high half of the product of 16 bits and the cards left; a low half below 2^16 mod that number
    drops the game. `given` is the hand of seat 0, for which nothing is drawn.
    """
    states = lane_states(seed).reshape(4, WORD_LANES).T.tolist()
    lanes = [naive.xoshiro128pp(state) for state in states]
    deck = list(range(52))
    given_draws = []
    for card in given:
        given_draws.append(deck.index(card))
        deck.remove(card)
    left = range(52 - len(given), 52 - 3 * players, -1)
    while True:
        words = [[next(lane) for lane in lanes] for _ in left]
        halves = [
            [row[game // 2] >> 16 * (game % 2) & 0xFFFF for row in words] for game in range(LANES)
        ]
        yield [plain_table(numbers, left, given_draws) for numbers in halves]


def plain_table(numbers, left, given_draws):
    products = [number * cards for number, cards in zip(numbers, left, strict=True)]
    if any(product % 2**16 < 2**16 % cards for product, cards in zip(products, left, strict=True)):
        return None
    dealt = naive.deal_from_draws([*given_draws, *(product >> 16 for product in products)])
    return [dealt[seat : seat + 3] for seat in range(0, len(dealt), 3)]


def plain_games(seed, players, given=()):
    """The tables that are not dropped, without end."""
    for tables in plain_rounds(seed, players, given):
        yield from filter(None, tables)


def chunk_of(seed, index=0):
    return np.random.SeedSequence(seed, spawn_key=(index,))


@cache
def plain_deal(seed, players, games):
    return list(islice(plain_games(chunk_of(seed), players), games))


@pytest.mark.parametrize("players", [1, 2, 3, 5, 16, 17])
def test_deal_is_the_plain_dealing(players):
    dealt = three_card.deal(1700, players=players, rng=11)
    assert dealt.dtype == np.uint8
    assert dealt.shape == (1700, players, 3)
    assert dealt.tolist() == plain_deal(11, players, 1700)


@pytest.mark.parametrize("players", [1, 2, 5, 17])
def test_games_that_would_bias_the_deal_are_dropped(players):
    drawn = [table for tables in islice(plain_rounds(chunk_of(11), players), 5) for table in tables]
    kept = list(filter(None, drawn))
    assert 0 < len(drawn) - len(kept) < 50
    assert three_card.deal(len(kept), players=players, rng=11).tolist() == kept


def test_a_hand_without_players_is_a_table_of_one():
    np.testing.assert_array_equal(
        three_card.deal(1000, rng=3), three_card.deal(1000, players=1, rng=3)[:, 0]
    )


def test_known_deals():
    """A change here changes every simulated figure."""
    assert three_card.deal(2, rng=7).tolist() == [[50, 3, 23], [1, 35, 12]]
    assert three_card.deal(1, players=2, rng=7).tolist() == [[[1, 35, 12], [32, 24, 34]]]


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of 10,200 hands: 600 games of 17."""
    hands = 17 * 600
    monkeypatch.setattr(_engine, "HANDS_A_CHUNK", hands)
    return hands


@pytest.mark.usefixtures("small_chunks")
def test_chunks_draw_from_seeds_of_their_own():
    dealt = three_card.deal(1300, players=17, rng=np.random.SeedSequence(5, spawn_key=(8,)))
    expected = []
    for index, games in enumerate([600, 600, 100]):
        seed = np.random.SeedSequence(5, spawn_key=(8, index))
        expected += islice(plain_games(seed, 17), games)
    assert dealt.tolist() == expected


# --- what is counted is what is dealt ---


@cache
def kind(hand, rules, by):
    """Place of the hand's row by the order of the rules, and the row."""
    row = naive.row(hand, by, rules)
    return rules.order.index(naive.category(hand, rules)), row


@cache
def naive_winners(table, rules):
    return naive.winners(table, rules)


def plain_showdown(tables, rules, by):
    """Counters of rows: the hero's hands, sharers of a won place (by row and k), best hands."""
    hands, shared, best = Counter(), Counter(), Counter()
    for table in tables:
        table = tuple(tuple(sorted(hand)) for hand in table)
        won = naive_winners(table, rules)
        kinds = [kind(hand, rules, by) for hand in table]
        hands[kinds[0][1]] += 1
        if won[0]:
            shared[kinds[0][1], sum(won)] += 1
        best[max(kind for kind, wins in zip(kinds, won, strict=True) if wins)[1]] += 1
    return hands, shared, best


def as_figures(showdown):
    names = ("hands", "win", "draw", "lose", "share", "best")
    return {name: getattr(showdown, name) for name in names}


def expected_figures(hands, shared, best, rows, players):
    win = [shared[row, 1] for row in range(rows)]
    draw = [sum(shared[row, k] for k in range(2, players + 1)) for row in range(rows)]
    return {
        "hands": tuple(hands[row] for row in range(rows)),
        "win": tuple(win),
        "draw": tuple(draw),
        "lose": tuple(hands[row] - win[row] - draw[row] for row in range(rows)),
        "share": tuple(
            sum((Fraction(shared[row, k], k) for k in range(1, players + 1)), Fraction(0))
            for row in range(rows)
        ),
        "best": tuple(best[row] for row in range(rows)),
    }


@pytest.mark.parametrize("players", [1, 5, 17])
@each_by
@each(RULE_SETS)
def test_simulate_counts_the_plain_deal(rules, by, players):
    games = 1700 // players
    counted = three_card.simulate(games, players=players, rules=rules, by=by, rng=11)
    tables = plain_deal(11, players, 1700)[:games]
    rows = Counter(kind(tuple(sorted(hand)), rules, by)[1] for table in tables for hand in table)
    assert counted.counts.tolist() == [rows[row] for row in range(len(counted.labels))]
    assert (counted.total, counted.games, counted.players) == (games * players, games, players)


@pytest.mark.parametrize("players", [2, 5, 17])
@each_by
@each(RULE_SETS)
def test_showdown_counts_the_plain_deal(rules, by, players):
    games = 2 * 1700 // players if players > 2 else 1700
    shown = three_card.simulate_showdown(games, players=players, rules=rules, by=by, rng=11)
    tables = plain_deal(11, players, 1700)[:games]
    figures = expected_figures(*plain_showdown(tables, rules, by), len(shown.labels), players)
    assert as_figures(shown) == figures
    assert (shown.total, shown.players, shown.exact) == (games, players, False)


@cache
def dealt(players):
    return three_card.deal(60_000, players=players, rng=5)


def rows_of(hands, rules=ZHA_JIN_HUA, by="category"):
    codes = three_card.classify(hands, rules=rules).astype(int)
    if by == "category":
        return codes
    return np.where(codes == 0, hands.max(axis=-1).astype(int) // 4 - naive.FIVE, codes + 9)


def kernel_showdown(tables, rules, by):
    """As `plain_showdown`, by way of the kernels for arrays."""
    rows = rows_of(tables, rules, by)
    won = three_card.winners(tables, rules=rules)
    sharing = won.sum(axis=1)
    order = np.array(rules.order)
    places = np.argsort(order)[three_card.classify(tables, rules=rules)]
    best = np.where(won, 100 * places + rows, -1).max(axis=1) % 100
    hero_rows, hero_won = rows[:, 0], won[:, 0]
    shared = Counter(zip(hero_rows[hero_won].tolist(), sharing[hero_won].tolist(), strict=True))
    return Counter(hero_rows.tolist()), shared, Counter(best.tolist())


@pytest.mark.parametrize("players", [1, 2, 5, 17])
@each_by
@each(RULE_SETS)
def test_simulate_counts_many_deals(rules, by, players):
    counted = three_card.simulate(60_000, players=players, rules=rules, by=by, rng=5)
    rows = rows_of(dealt(players), rules, by)
    expected = np.bincount(rows.ravel(), minlength=len(counted.labels))
    np.testing.assert_array_equal(counted.counts, expected)
    tallied = three_card.tally(dealt(players), rules=rules, by=by)
    np.testing.assert_array_equal(tallied.counts, expected)


@pytest.mark.parametrize("players", [2, 5, 17])
@each_by
@each(RULE_SETS)
def test_showdown_counts_many_deals(rules, by, players):
    shown = three_card.simulate_showdown(60_000, players=players, rules=rules, by=by, rng=5)
    counters = kernel_showdown(dealt(players), rules, by)
    assert as_figures(shown) == expected_figures(*counters, len(shown.labels), players)


def test_counters_are_emptied_before_they_overflow():
    """A lane counts in a byte. Three aces always win, and fill the counter round by round."""
    games = 3 * 255 * LANES + 17
    counts = simulation.equity_counts(
        three_card.parse("As Ah Ad"), players=2, rules=ZHA_JIN_HUA, games=games, rng=2
    )
    assert counts == [games, 0]
    for players in (1, 2, 17):
        counted = three_card.simulate(300_000, players=players, rng=2)
        hands = three_card.deal(300_000, players=players, rng=2)
        np.testing.assert_array_equal(counted.counts, np.bincount(rows_of(hands).ravel()))
    shown = three_card.simulate_showdown(games, rng=2)
    tables = three_card.deal(games, players=2, rng=2)
    counters = kernel_showdown(tables, ZHA_JIN_HUA, "category")
    assert as_figures(shown) == expected_figures(*counters, 6, 2)


@pytest.mark.parametrize("hero", ["As Kd 7c", "2d 3c 5s", "5s 3c 2d", "Ad As Ah", "2d 2c 2h"])
@pytest.mark.parametrize("players", [2, 4, 17])
@each(RULE_SETS)
def test_equity_counts_the_plain_deal(rules, players, hero):
    hand = three_card.parse(hero)
    games = 2000 // players
    counts = simulation.equity_counts(hand, players=players, rules=rules, games=games, rng=11)
    shared = Counter()
    for table in equity_tables(hero, players, games):
        won = naive_winners(table, rules)
        shared[sum(won) if won[0] else 0] += 1
    assert counts == [shared[k] for k in range(1, players + 1)]


@cache
def equity_tables(hero, players, games):
    given = three_card.parse(hero).tolist()
    tables = list(islice(plain_games(chunk_of(11), players, given), games))
    assert all(table[0] == given for table in tables)
    return [tuple(tuple(sorted(hand)) for hand in table) for table in tables]


def test_any_hand_can_be_given():
    """The draws of a hand, in each order of its cards, deal that hand."""
    for cards in np.concatenate([HANDS[::7], HANDS[::7, ::-1], HANDS[3::7, [1, 2, 0]]]):
        draws = simulation._draws_of(cards).tolist()
        assert naive.deal_from_draws(draws) == cards.tolist()


# --- a result depends on the seed, the games, the players and the rules ---

SIMULATORS = {
    "simulate": (three_card.simulate, {"players": 17}),
    "by top card": (three_card.simulate, {"players": 1, "by": "top_card"}),
    "showdown": (three_card.simulate_showdown, {"players": 5, "rules": ZHA_JIN_HUA_235}),
    "points": (three_card.simulate_showdown, {"players": 2, "rules": ZHA_JIN_HUA_POINTS}),
}
each_simulator = pytest.mark.parametrize(
    ("simulate", "how"), SIMULATORS.values(), ids=SIMULATORS.keys()
)


def figures(result):
    return result.counts.tolist() if hasattr(result, "counts") else as_figures(result)


@each_simulator
@pytest.mark.usefixtures("small_chunks")
def test_workers_change_nothing(simulate, how):
    alone = simulate(25_000, **how, rng=9)
    with ThreadPoolExecutor(2) as pool:
        for workers in (2, 3, pool.map, lambda f, tasks: map(f, list(tasks)[::-1])):
            other = simulate(25_000, **how, rng=9, workers=workers)
            assert figures(other) == figures(alone)
            assert other.source == alone.source


@pytest.mark.usefixtures("small_chunks")
def test_other_processes_change_nothing():
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        for simulate, how in SIMULATORS.values():
            other = simulate(25_000, **how, rng=9, workers=pool.map)
            assert figures(other) == figures(simulate(25_000, **how, rng=9))


@pytest.mark.parametrize("players", [1, 5, 17])
@pytest.mark.usefixtures("small_chunks")
def test_a_deal_is_a_prefix_of_a_longer_one(players):
    long = three_card.deal(15_000, players=players, rng=4)
    for games in (0, 1, 511, 512, 513, 599, 600, 601, 2040, 10_200, 14_999):
        short = three_card.deal(games, players=players, rng=4)
        np.testing.assert_array_equal(short, long[:games])


@each_simulator
@pytest.mark.usefixtures("small_chunks")
def test_a_simulation_is_a_prefix_of_a_longer_one(simulate, how):
    games = 15_000
    players = how["players"]
    tables = three_card.deal(games, players=players, rng=4)
    rules, by = how.get("rules", ZHA_JIN_HUA), how.get("by", "category")
    for part in (0, 1, 513, 600, 2041, 10_201, games):
        shorter = simulate(part, **how, rng=4)
        if simulate is three_card.simulate:
            assert figures(shorter) == three_card.tally(tables[:part], by=by).counts.tolist()
        else:
            counters = kernel_showdown(tables[:part], rules, by)
            rows = len(shorter.labels)
            assert figures(shorter) == expected_figures(*counters, rows, players)


def test_a_whole_chunk_and_more():
    """At the size that chunks really have: 986,895 games of 17."""
    games = _engine.HANDS_A_CHUNK // 17 + 500
    tables = three_card.deal(games, players=17, rng=3)
    counted = three_card.simulate(games, players=17, rng=3)
    np.testing.assert_array_equal(counted.counts, three_card.tally(tables).counts)
    tail = islice(plain_games(chunk_of(3, index=1), 17), 500)
    assert tables[-500:].tolist() == list(tail)


@each_simulator
def test_runs_of_different_seeds_add_up(simulate, how):
    one, other = simulate(1000, **how, rng=1), simulate(500, **how, rng=2)
    both = one + other
    assert both.total == one.total + other.total
    assert [(run.entropy, run.stop) for run in both.source.runs] == [(1, 1000), (2, 500)]
    with pytest.raises(ValueError, match="come twice"):
        one + simulate(500, **how, rng=1)


@each_simulator
def test_seeds(simulate, how):
    def run(rng):
        return figures(simulate(3000, **how, rng=rng))

    assert run(1) == run(np.int64(1)) == run(np.random.SeedSequence(1))
    assert run(1) != run(2)
    seed = np.random.SeedSequence(1, spawn_key=(4,))
    assert run(seed) == run(seed) != run(1)
    assert seed.n_children_spawned == 0
    generator, twin = np.random.default_rng(8), np.random.default_rng(8)
    first, second = run(generator), run(generator)
    assert first != second
    assert [first, second] == [run(twin), run(twin)]
    assert run(None) != run(None)


def test_seeds_of_deals():
    def run(rng):
        return three_card.deal(20, rng=rng).tolist()

    assert run(1) == run(np.int64(1)) == run(np.random.SeedSequence(1))
    generator, twin = np.random.default_rng(8), np.random.default_rng(8)
    assert [run(generator), run(generator)] == [run(twin), run(twin)]
    assert run(generator) != run(generator)
    assert run(None) != run(None)


@each_simulator
def test_a_drawn_seed_can_be_used_again(simulate, how):
    first = simulate(3000, **how)
    assert figures(simulate(3000, **how, rng=first.source.runs[0].entropy)) == figures(first)


# --- no games, and what is refused ---


@each_simulator
def test_no_games(simulate, how):
    empty = simulate(0, **how, rng=1)
    assert empty.total == 0
    assert "0" in str(empty)
    more = empty + simulate(100, **how, rng=2)
    assert figures(more) == figures(simulate(100, **how, rng=2))


def test_no_hands():
    assert three_card.deal(0).shape == (0, 3)
    assert three_card.deal(0, players=5).shape == (0, 5, 3)


NOT_COUNTS = [(-1, ValueError), (1.0, TypeError), (True, TypeError), ("9", TypeError)]
CALLS = {
    "deal": lambda games=1, **how: three_card.deal(games, **how),
    "simulate": lambda games=1, **how: three_card.simulate(games, **how),
    "showdown": lambda games=1, **how: three_card.simulate_showdown(games, **how),
}
each_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())


@each_call
@pytest.mark.parametrize(("games", "error"), [*NOT_COUNTS, (None, TypeError), (np.nan, TypeError)])
def test_what_is_no_number_of_games_is_refused(call, games, error):
    with pytest.raises(error, match=r"^(games|n): "):
        call(games)


@each_call
@pytest.mark.parametrize(("players", "error"), [*NOT_COUNTS, (0, ValueError), (18, ValueError)])
def test_what_is_no_number_of_players_is_refused(call, players, error):
    with pytest.raises(error, match=r"^players: "):
        call(players=players)


def test_nobody_has_a_showdown_alone():
    with pytest.raises(ValueError, match=r"^players: 1 is less than 2"):
        three_card.simulate_showdown(1, players=1)


@each_call
@pytest.mark.parametrize(
    ("rng", "error"), [(-1, ValueError), (True, TypeError), (0.5, TypeError), ("7", TypeError)]
)
def test_what_is_no_seed_is_refused(call, rng, error):
    with pytest.raises(error, match=r"^rng: "):
        call(rng=rng)


@pytest.mark.parametrize("call", [CALLS["simulate"], CALLS["showdown"]])
@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"by": "suit"}, ValueError, "by: 'suit' is none of 'category', 'top_card'"),
        ({"by": None}, ValueError, "by: None is none of"),
        ({"workers": 0}, ValueError, "workers: 0 is less than 1"),
        ({"workers": 2.0}, TypeError, "workers: "),
        ({"rules": "zha-jin-hua"}, TypeError, "rules: "),
        ({"rules": None}, TypeError, "rules: "),
    ],
)
def test_what_nothing_can_be_counted_by_is_refused(call, how, error, message):
    with pytest.raises(error) as caught:
        call(**how)
    assert str(caught.value).startswith(message)


# --- cost, progress, interrupts, checkpoints: the engine's tests say more ---


def test_memory_does_not_grow_with_the_games():
    resource = pytest.importorskip("resource", reason="there is none on Windows")

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    three_card.simulate(10**6, rng=1)
    three_card.simulate_showdown(10**6, rng=1)
    before = peak()
    three_card.simulate(10**8, rng=1)
    three_card.simulate_showdown(10**7, rng=1)
    assert peak() - before < 20_000  # KiB; an array of 10^7 hands would take 30,000


@each_simulator
@pytest.mark.usefixtures("small_chunks")
def test_progress_is_shown_on_stderr_only(simulate, how, capfd):
    simulate(25_000, **how, rng=1, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "25.0k/25.0k" in err
    simulate(25_000, **how, rng=1)
    assert capfd.readouterr() == ("", "")


COUNTERS = {three_card.simulate: "_count_classes", three_card.simulate_showdown: "_count_showdowns"}


@each_simulator
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usefixtures("small_chunks")
def test_an_interrupted_simulation_goes_on(simulate, how, workers, tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    name = COUNTERS[simulate]
    count = getattr(simulation, name)

    def interrupted(seed, *args):
        if seed.spawn_key == (2,):
            raise KeyboardInterrupt
        return count(seed, *args)

    with monkeypatch.context() as patch:
        patch.setattr(simulation, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            simulate(50_000, **how, rng=9, workers=workers, checkpoint=path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    resumed = simulate(50_000, **how, rng=9, workers=workers, checkpoint=path)
    alone = simulate(50_000, **how, rng=9)
    assert figures(resumed) == figures(alone)
    assert resumed.source == alone.source
    more = simulate(70_000, **how, rng=9, checkpoint=path)
    assert figures(more) == figures(simulate(70_000, **how, rng=9))


@pytest.mark.usefixtures("small_chunks")
def test_a_checkpoint_of_another_simulation_is_refused(tmp_path):
    path = tmp_path / "run.json"
    three_card.simulate(50_000, players=2, rng=9, checkpoint=path)
    before = path.read_bytes()
    others = {
        "rules is": lambda: three_card.simulate(
            50_000, players=2, rules=ZHA_JIN_HUA_235, rng=9, checkpoint=path
        ),
        "players is 2, not 3": lambda: three_card.simulate(
            50_000, players=3, rng=9, checkpoint=path
        ),
        "by is 'category', not 'top_card'": lambda: three_card.simulate(
            50_000, players=2, by="top_card", rng=9, checkpoint=path
        ),
        "game is": lambda: three_card.simulate_showdown(50_000, rng=9, checkpoint=path),
        "of seed": lambda: three_card.simulate(50_000, players=2, rng=8, checkpoint=path),
        "holds more than games=100": lambda: three_card.simulate(
            100, players=2, rng=9, checkpoint=path
        ),
    }
    for reason, other in others.items():
        with pytest.raises(ValueError, match=rf"^checkpoint: .*{reason}"):
            other()
    assert path.read_bytes() == before
