"""The fuzz itself: nothing public is left out, inputs are counted, the judge sees what is wrong.

The calls are made in `test_fuzz_three_card` and its like, one file a game. A failure names a call:
``PYTHONPATH=tests python3 -c "from fuzzing import again; again('cards.format', 17)"`` repeats it.
"""

import enum
import functools
import inspect
import io
import random
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace

import fuzzing
import numpy as np
import pytest
from fuzz_kinds import TEXTS, Workers
from fuzz_targets import TARGETS
from fuzzing import Wrong, faults, judge

import cardstats
from cardstats import benchmark, cli, published, results, throughput

PUBLIC = {
    "": cardstats,
    **{f"{name}.": getattr(cardstats, name) for name in cardstats.__all__ if name.islower()},
    "results.": results,
    "throughput.": throughput,
    "benchmark.": benchmark,
    "published.": published,
}
PUBLIC = {prefix: module for prefix, module in PUBLIC.items() if inspect.ismodule(module)}
# Their messages begin with the file that they are about, which they look into: `test_benchmark`.
OF_FILES = {"benchmark.save", "benchmark.insert", "benchmark.check_writable", "benchmark.place_in"}
LONG = "benchmark.long_run", "benchmark.LongRun"  # whatever it is given, it plays for minutes

FEWEST = 20_000


# --- Nothing is left out, and all is counted ---------------------------------------------------


def public_callables():
    """Names of all public functions, classes, and methods that take arguments."""
    names = {"reproduce"}
    for prefix, module in PUBLIC.items():
        for name in getattr(module, "__all__", vars(module)):
            item = getattr(module, name)
            ours = (getattr(item, "__module__", "") or "").startswith("cardstats")
            if name.startswith("_") or not ours or (prefix and item in vars(cardstats).values()):
                continue
            if not hasattr(module, "__all__") and item.__module__ != module.__name__:
                continue
            if inspect.isfunction(item):
                names.add(prefix + name)
            elif inspect.isclass(item):
                names |= set(of_class(prefix, item))
    return names


def of_class(prefix, item):
    if not issubclass(item, enum.Enum):  # what an Enum is called with is Python's business
        yield prefix + item.__name__
    for name, method in inspect.getmembers(item, inspect.isroutine):
        function = getattr(method, "__func__", method)
        ours = (getattr(function, "__module__", "") or "").startswith("cardstats")
        if name.startswith("_") or not ours:
            continue
        if len(inspect.signature(function).parameters) > 1:
            inherited = function.__qualname__.startswith(("Table.", "InWords."))
            yield function.__qualname__ if inherited else prefix + function.__qualname__


def test_every_public_callable_is_fuzzed():
    left_out = public_callables() - set(TARGETS)
    assert {name for name in left_out if not name.startswith(LONG)} == OF_FILES
    assert len(public_callables()) > 80


def test_every_argument_is_fuzzed():
    """But `progress`, which is any truth, what goes to matplotlib, and where a game talks."""
    for name, target in TARGETS.items():
        left = set(target.parameters) - set(target.kinds)
        assert left <= {"progress", "kwargs", "output", "show", "peers"}, name


def test_twenty_thousand_inputs():
    """Each file of tests makes those of its own targets; together they are all."""
    from test_fuzz_blackjack import MINE as BLACKJACK
    from test_fuzz_mahjong import MINE as MAHJONG
    from test_fuzz_others import MINE as OTHERS
    from test_fuzz_three_card import MINE as THREE_CARD

    made = [*THREE_CARD, *MAHJONG, *BLACKJACK, *OTHERS]
    assert sorted(made) == sorted(TARGETS)
    inputs = {name: TARGETS[name].tries for name in made}
    print(*(f"{number:6,} {name}" for name, number in inputs.items()), sep="\n")
    print(f"{sum(inputs.values()) + COMMANDS:6,} in all")
    assert sum(inputs.values()) >= FEWEST


def test_calls_can_be_made_again():
    for name in ("three_card.classify", "mahjong.check", "blackjack.advise", "compare"):
        for number in range(50):
            one, two = (TARGETS[name].case(name, number) for _ in range(2))
            assert list(one) == list(two)
            kinds = [[type(value).__name__ for value in case.values()] for case in (one, two)]
            assert kinds[0] == kinds[1]
    assert fuzzing.again("three_card.classify", 3) in ("answered", "refused")


# --- The judge --------------------------------------------------------------------------------

CLASSIFY = TARGETS["three_card.classify"]
SIMULATE = TARGETS["three_card.simulate"]


def mutant(target, change):
    """The target with a function that calls `change` with the right one and the arguments."""

    @functools.wraps(target.function)
    def changed(**arguments):
        return change(target.function, **arguments)

    return replace(target, function=changed)


def wrong_for_one_hand(function, hands, **others):
    codes = function(hands, **others)
    return np.where(codes == 4, codes + 1, codes).astype(np.uint8)


def of_another_type(function, **arguments):
    return np.asarray(function(**arguments)).astype(np.int64)


def of_another_shape(function, **arguments):
    return np.atleast_1d(function(**arguments))


def out_of_range(function, **arguments):
    try:
        return function(**arguments)
    except ValueError as error:
        raise IndexError(str(error)) from None


def without_a_name(function, **arguments):
    try:
        return function(**arguments)
    except (ValueError, TypeError) as error:
        raise type(error)(str(error).split(": ")[-1]) from None


def by_another_name(function, **arguments):
    try:
        return function(**arguments)
    except (ValueError, TypeError) as error:
        raise type(error)(str(error).replace("hands:", "rules:")) from None


def on_two_lines(function, **arguments):
    try:
        return function(**arguments)
    except (ValueError, TypeError) as error:
        raise type(error)(f"{error}\n") from None


def sorting(function, hands, **others):
    if isinstance(hands, np.ndarray) and type(hands) is np.ndarray and hands.flags.writeable:
        hands.sort(axis=-1)
    return function(hands, **others)


def warning(function, **arguments):
    warnings.warn("take care", RuntimeWarning, stacklevel=2)
    return function(**arguments)


def taking_all(function, hands, **others):
    try:
        return function(hands, **others)
    except ValueError:
        return np.zeros(np.shape(hands)[:-1], np.uint8)


def taking_floats(function, hands, **others):
    if isinstance(hands, np.ndarray) and hands.dtype.kind == "f":
        hands = np.asarray(hands).astype(np.int64)
    return function(hands, **others)


def wrapping_round(function, hands, **others):
    if isinstance(hands, np.ndarray) and hands.dtype.kind in "ui":
        hands = np.asarray(hands).astype(np.uint8)
    return function(hands, **others)


def refusing_columns(function, hands, **others):
    if isinstance(hands, np.ndarray) and not hands.flags.c_contiguous:
        raise ValueError("hands: is not in C order")
    return function(hands, **others)


def forgetting_out(function, out=None, **others):
    answer = function(out=out, **others)
    return answer if out is None else answer.copy()


MUTANTS = {
    wrong_for_one_hand: "answered",
    of_another_type: "answered",
    of_another_shape: "answered",
    out_of_range: "raised IndexError",
    without_a_name: "names no argument",
    by_another_name: "blames {'rules'}",
    on_two_lines: "no line to print",
    sorting: "hands: was changed",
    warning: "raised RuntimeWarning",
    taking_all: "must be refused",
    taking_floats: "must be refused",
    wrapping_round: "must be refused",
    refusing_columns: "though the answer is",
    forgetting_out: "out: was not what came back",
}


@pytest.mark.parametrize("change", MUTANTS, ids=lambda change: change.__name__)
def test_the_judge_sees(change):
    """The same calls as are made of the real function, which ends them all well."""
    found = list(faults(mutant(CLASSIFY, change), "three_card.classify", range(400)))
    assert any(MUTANTS[change] in fault for fault in found), found[:3]
    assert "again('three_card.classify', " in found[0]


def after_some_work(function, **arguments):
    try:
        return function(**arguments)
    except (ValueError, TypeError):
        sum(range(10**7))
        raise


@pytest.mark.skipif(not fuzzing.ON_THE_CLOCK, reason="bounds are checked, which takes its time")
def test_the_judge_sees_slow_refusals():
    found = list(faults(mutant(CLASSIFY, after_some_work), "three_card.classify", range(8)))
    assert any("to refuse" in fault for fault in found)


def after_the_games(function, games, **arguments):
    if isinstance(games, int) and games > 10**6:
        while True:  # as long as it takes
            pass
    return function(games, **arguments)


def test_the_judge_sees_refusals_that_wait_for_the_games(monkeypatch):
    monkeypatch.setattr(fuzzing, "PATIENCE", 0.05)
    found = list(faults(mutant(SIMULATE, after_the_games), "three_card.simulate", range(8)))
    assert any("though it refuses few" in fault for fault in found)


def losing_a_chunk(function, workers=1, **arguments):
    kept = Workers.losing
    return function(workers=map if workers in kept else workers, **arguments)


def test_the_judge_sees_chunks_that_were_lost():
    found = list(faults(mutant(SIMULATE, losing_a_chunk), "three_card.simulate", range(200)))
    assert any("must be refused" in fault for fault in found)


def test_the_judge_lets_right_answers_pass():
    name = "three_card.classify"
    assert not list(faults(replace(CLASSIFY), name, range(400)))
    with pytest.raises(Wrong, match="answered"):
        judge(mutant(CLASSIFY, of_another_type), lambda: {"hands": [[1, 2, 3]]})


# --- The command line -------------------------------------------------------------------------

COMMANDS = 900
LINES = [
    "classify|As Ah Ad",
    "classify|As Ah Ad|2s 3h 5d|--rules|zha-jin-hua-235|--lang|zh",
    "deal|--players|5|--seed|7",
    "deal|--games|3|--rules|teen-patti",
    "equity|As Kd 7c|--opponents|2",
    "equity|As Kd 7c|--opponents|4|--games|500|--seed|1",
    "mahjong|123m|456p|789s|55z|--kong|1111z",
    "mahjong|--codes|1,1,2,2,2,2,3,3|--rules|riichi",
    "play|blackjack|--seed|1|--lang|en",
    "reproduce|--only|none|--games|1",
    "benchmark|--seconds|-1",
    "--version",
]
WORDS = [
    *(text for text in TEXTS if len(text) < 10**5),
    "-", "--", "-x", "--help", "--rules", "--games", "--seed", "--lang", "--players", "--opponents",
    "--kong", "--codes", "--out", "0", "-1", "1.5", "18", "x", "１", "fr", "As As As", "5m5m5m5m5m",
    "1,2,x", "As Kd", "7c 7d 7h", "nonsense", "--rules=riichi", "--seed=-1", "\udcff", "11z" * 50,
]  # fmt: skip


def a_command(number):
    r = random.Random(f"command {number}")
    line = r.choice(LINES).split("|")
    for _ in range(r.choice((0, 1, 1, 2))):
        at = r.randrange(len(line) + 1)
        word = r.choice(WORDS)
        line[at : at + r.choice((0, 1))] = r.choice(([word], [word], [], [word, r.choice(WORDS)]))
    return line


def run(line, typed):
    """Run a command in this process as a shell would; give status, output and errors."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = cli.main(line)
    except SystemExit as stop:
        status = stop.code
    finally:
        sys.stdin = stdin
    return status, out.getvalue(), err.getvalue()


def would_work(line):
    """Whether the report would be written, or the benchmark run: not here."""
    return line[:1] in (["reproduce"], ["benchmark"]) and not {"none", "-1"} & set(line)


def test_commands_end_well_or_in_one_clear_line(record_property):
    ended = {}
    for number in range(COMMANDS):
        line = a_command(number)
        if would_work(line):
            line = ["reproduce", "--only", "none"]
        status, out, err = run(line, "y\nmaybe\nn\n")
        said = f"command {number}, {line}: {status}, {err[-300:]!r}"
        ended[status] = ended.get(status, 0) + 1
        assert status in (0, 2), said
        assert "Traceback" not in out + err, said
        # argparse's messages quote what was typed, line ends too.
        if status == 2 and line and not err.startswith("usage") and "\n" not in "".join(line):
            assert err.count("\n") == 1, said
            assert err.startswith("cardstats"), said
            assert err.endswith("\n"), said
    record_property("inputs", COMMANDS)
    assert min(ended[0], ended[2]) > COMMANDS / 10
