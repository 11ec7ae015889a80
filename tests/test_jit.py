"""The numba policy: caches that are never stale or in the way, and one compilation a kernel."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import numpy as np
import pytest
from three_card_samples import HANDS, RULE_SETS

import cardstats
from cardstats import _jit, three_card
from cardstats._random import fill_words
from cardstats.three_card import Rules, dealing, kernels

PACKAGE = Path(cardstats.__file__).parent


def python(code, *, path, **environment):
    """Run code in a new process; its output, or a failed test with its error."""
    variables = os.environ | {
        "PYTHONPATH": str(path),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=variables,
        cwd=path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# --- the cache ---


@pytest.fixture
def game(tmp_path):
    """A small package with the real `_jit`, and a kernel that inlines a helper of another file."""
    package = tmp_path / "game"
    (package / "cards").mkdir(parents=True)
    shutil.copy(PACKAGE / "_jit.py", package)
    for init in (package, package / "cards"):
        (init / "__init__.py").touch()
    write(package / "cards" / "helper.py", HELPER)
    write(package / "cards" / "kernels.py", KERNELS)
    return tmp_path


HELPER = """
    from game._jit import kernel

    @kernel
    def worth(card):
        return card + 1
"""
KERNELS = """
    from game._jit import kernel
    from game.cards.helper import worth

    @kernel
    def total(cards):
        points = 0
        for card in cards:
            points += worth(card)
        return points
"""
USE = """
    import numpy as np
    from game.cards.kernels import total
    print(total(np.arange(4)), sum(total.stats.cache_hits.values()))
"""


def write(file, code):
    file.write_text(textwrap.dedent(code), encoding="utf-8")


def use(game):
    answer, hits = python(USE, path=game, NUMBA_CACHE_DIR=str(game / "cache")).split()
    return int(answer), int(hits)


def test_a_second_process_finds_what_the_first_compiled(game):
    assert use(game) == (10, 0)
    assert use(game) == (10, 1)


def test_a_helper_that_changed_leaves_no_stale_kernel(game):
    """Not even one of the same size and time, as an update may leave it."""
    helper = game / "game" / "cards" / "helper.py"
    assert use(game) == (10, 0)
    times = helper.stat()
    write(helper, HELPER.replace("card + 1", "card + 3"))
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert use(game) == (18, 0)
    assert use(game) == (18, 1)
    write(helper, HELPER)
    assert use(game) == (10, 1)


def doubled(number):
    return 2 * number


@pytest.fixture
def cache_dir(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def hits():
    """Compile `doubled`, or find it in the cache: how often it was found."""
    kernel = _jit.kernel(doubled)
    assert kernel(21) == 42
    return sum(kernel.stats.cache_hits.values())


@pytest.mark.parametrize("suffix", ["*.nbi", "*.nbc"])
def test_a_damaged_cache_costs_a_compilation(cache_dir, suffix):
    assert [hits(), hits()] == [0, 1]
    (file,) = cache_dir.rglob(suffix)
    content = file.read_bytes()
    for damage in (b"", b"junk", content[:-1], content[: len(content) // 2], bytes(len(content))):
        file.write_bytes(damage)
        assert [hits(), hits()] == [0, 1]
    file.unlink()
    assert [hits(), hits()] == [0, 1]


def test_a_cache_that_cannot_be_read_or_written_costs_a_compilation(cache_dir):
    hits()
    (folder,) = {file.parent for file in cache_dir.rglob("*.nbi")}
    for file in list(folder.iterdir()):
        file.unlink()
        file.mkdir()  # for root a file is readable whatever its mode
    assert [hits(), hits()] == [0, 0]


def test_a_full_disk_costs_the_next_process_a_compilation(cache_dir, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert hits() == 0
    assert [hits(), hits()] == [0, 1]
    assert not list(cache_dir.rglob("*.tmp.*"))


def test_the_key_of_the_cache_knows_all_sources(monkeypatch):
    cache = fill_words._cache
    codegen = fill_words.targetctx.codegen()
    before = cache._index_key((), codegen)
    assert before == cache._index_key((), codegen)
    monkeypatch.setattr(_jit, "source_digest", lambda: "of other sources")
    assert cache._index_key((), codegen) != before


NOWHERE = """
    from cardstats import three_card
    from cardstats.three_card import kernels
    assert type(kernels._classify._cache).__name__ == "NullCache", kernels._classify._cache
    print(three_card.classify(three_card.all_hands()[::1000]).tolist())
"""


def test_without_a_place_for_a_cache_all_works_uncached(tmp_path):
    """No HOME, no cache directory, a package nobody can write to: all below a plain file."""
    copy = tmp_path / "cardstats"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    # For root every directory is writable: a file in its place is not.
    for folder in (tmp_path / "home", copy / "__pycache__", copy / "three_card" / "__pycache__"):
        folder.touch()
    below = str(tmp_path / "home" / "below")
    found = python(
        NOWHERE,
        path=tmp_path,
        HOME=below,
        XDG_CACHE_HOME=below,
        LOCALAPPDATA=below,
        NUMBA_CACHE_DIR=below,
    )
    assert found == str(three_card.classify(three_card.all_hands()[::1000]).tolist())
    assert not list(tmp_path.rglob("*.nb[ic]"))


# --- one compilation a kernel ---


def kernels_of(*modules):
    return {
        name: member
        for module in modules
        for name, member in vars(module).items()
        if isinstance(member, numba.core.dispatcher.Dispatcher)
    }


def compiled(dispatchers):
    return {name: len(kernel.signatures) for name, kernel in dispatchers.items()}


LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "strided": lambda array: np.repeat(array, 2, axis=0)[::2],
    "reversed": lambda array: array[::-1],
}


DISJOINT = np.arange(51, dtype=np.uint8).reshape(17, 3)  # one table of 17


def use_all(table, rules):
    for hands in (table, table[0], table[np.newaxis]):
        three_card.classify(hands, rules=rules)
        if rules.transitive:
            three_card.strength(hands, rules=rules)
    three_card.winners(table, rules=rules)
    for by in ("category", "top_card"):
        three_card.tally(table, rules=rules, by=by)


def test_every_kernel_is_compiled_once():
    """Whatever dtype, layout and flags arrays have, and for rules never seen before."""
    own = Rules(name="not seen before", order=(5, 3, 1, 4, 2, 0), a23="none", highest_trips="9")
    for dtype in [*np.typecodes["AllInteger"], ">i4"]:
        for layout in LAYOUTS.values():
            hands = layout(DISJOINT.astype(dtype))
            use_all(hands, own)
            hands.flags.writeable = False
            use_all(hands, own)
    unaligned = np.frombuffer(bytearray(2 * len(HANDS) + 1), np.uint16, offset=1)
    three_card.strength(HANDS, out=unaligned)
    three_card.classify(HANDS, out=np.zeros(2 * len(HANDS), np.uint8)[::2])
    for rules in RULE_SETS.values():
        use_all(DISJOINT, rules)
        for by in ("category", "top_card"):
            three_card.simulate(10, players=3, rules=rules, by=by, rng=1)
            three_card.simulate_showdown(np.int32(10), players=3, rules=rules, by=by, rng=1)
        three_card.equity(HANDS[0], opponents=3, rules=rules, games=10, rng=1)
    three_card.deal(10, rng=1)
    three_card.deal(10, players=np.int8(4), rng=1)
    entries = {
        kernels: ["_classify", "_strength_by_rank", "_decide", "_winners", "_tally"],
        dealing: ["tally_games", "showdown_games", "deal_games"],
    }
    for module, names in entries.items():
        for name in names:
            assert compiled(kernels_of(module))[name] == 1, name


def test_kernels_release_the_gil_and_keep_arithmetic_exact():
    for name, kernel in kernels_of(kernels, dealing).items():
        options = kernel.targetoptions
        assert options.get("nogil"), name
        assert not options.get("fastmath"), name
        assert not options.get("parallel"), name


# --- out ---


def of_a_subclass(kind):
    return lambda shape, dtype: np.zeros(shape, dtype).view(kind)


OUTS = {
    "C": np.zeros,
    "F": lambda shape, dtype: np.zeros(shape, dtype, order="F"),
    "strided": lambda shape, dtype: np.zeros((*shape, 2), dtype)[..., 0],
    "reversed": lambda shape, dtype: np.zeros(shape, dtype)[::-1],
    "unaligned": lambda shape, dtype: np.frombuffer(
        bytearray(np.prod(shape) * np.dtype(dtype).itemsize + 1), dtype, offset=1
    ).reshape(shape),
    "matrix": of_a_subclass(np.matrix),
    "record": of_a_subclass(np.recarray),
    "masked": lambda shape, dtype: np.ma.zeros(shape, dtype),
}


@pytest.mark.parametrize("make", OUTS.values(), ids=OUTS.keys())
@pytest.mark.parametrize("rules", ["zha-jin-hua", "zha-jin-hua-points"])
def test_out_of_any_kind_is_filled(make, rules):
    """A matrix stays two-dimensional: taken for a flat array, it was written past its end."""
    tables = three_card.deal(4000, players=2, rng=1)
    rules = RULE_SETS[rules]
    for function in (three_card.classify, three_card.strength):
        expected = function(tables, rules=rules)
        out = make(expected.shape, expected.dtype)
        assert function(tables, rules=rules, out=out) is out
        np.testing.assert_array_equal(np.asarray(out), expected)


def test_out_may_be_a_file(tmp_path):
    out = np.memmap(tmp_path / "codes", np.uint8, "w+", shape=(len(HANDS),))
    three_card.classify(HANDS, out=out)
    out.flush()
    np.testing.assert_array_equal(
        np.fromfile(tmp_path / "codes", np.uint8), three_card.classify(HANDS)
    )


def test_out_may_be_the_input():
    hands = HANDS.copy()
    expected = three_card.classify(hands)
    assert three_card.classify(hands, out=hands[:, 1]).tolist() == expected.tolist()
    assert hands[:, 1].tolist() == expected.tolist()
