"""Imports go down only, and importing cardstats loads nothing slow: read from the sources."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import cardstats
from cardstats import _jit, benchmark

PACKAGE = Path(cardstats.__file__).parent
FILES = {
    ".".join(file.relative_to(PACKAGE).with_suffix("").parts): file
    for file in sorted(PACKAGE.rglob("*.py"))
}
GAMES = sorted(init.parent.name for init in PACKAGE.glob("*/__init__.py"))

# The floors, and what a module on them may reach, directly or through others.
NUMBERS = {"results", "throughput", "_checks", "_files", "_source", "_table"}
PLOTS = {"plot", "_plot_axes", "_plot_data", "_plot_fonts", "_plot_rates", "_plot_rows"}
STATISTICS = NUMBERS | PLOTS | {"comparison"}
MACHINERY = NUMBERS | {"cards", "_jit", "_random", "_lanes", "_engine"}
SECTIONS = {f"_report_{game}" for game in GAMES}  # of the report, one module a game
REPORT = SECTIONS | {"published", "reproduce", "_report", "_report_run"}
CONTESTS = {f"_benchmark_{game}" for game in GAMES}  # of the benchmark, one module a game
BENCHMARK = CONTESTS | {"benchmark", "_benchmark", "_benchmark_long"}
COMMANDS = {f"_cli_{game}" for game in GAMES}  # of the command line, one module a game
PRINTING = {"cli", "_cli_writer"}
TALKING = {"blackjack.table_game"}  # to a person, by functions that default to the builtins
FRONT = {"__init__", "__main__"} | COMMANDS | PRINTING

# The floors by the names that CONTRIBUTING.md gives them, each without what it rests on.
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
FLOORS = {
    "FRONT": FRONT,
    "BENCHMARK": BENCHMARK,
    "REPORT": REPORT,
    "GAMES": set(GAMES),
    "STATISTICS": STATISTICS - NUMBERS,
    "MACHINERY": MACHINERY - NUMBERS,
    "NUMBERS": NUMBERS,
}

PEERS = {peer for peers in benchmark.PEERS.values() for peer in peers}
SLOW = {"matplotlib", "scipy", "pandas", "tqdm", "dask", "distributed", "IPython"}


@cache
def tree(module):
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def statements(node, *, deep):
    """Import statements below a node; unless `deep`, only those that run at import."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif deep or not (is_function(child) or is_for_type_checkers(child)):
            yield from statements(child, deep=deep)


def is_function(node):
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def is_for_type_checkers(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


@cache
def imported(module, *, deep):
    """Full names that a module imports, `from a import b` as a.b."""
    names = set()
    for statement in statements(tree(module), deep=deep):
        if isinstance(statement, ast.Import):
            names.update(alias.name for alias in statement.names)
        else:
            assert statement.level == 0, f"{module}: relative import"
            names.update(f"{statement.module}.{alias.name}" for alias in statement.names)
    return names


@cache
def used(module):
    """Modules of cardstats that a module imports anywhere."""
    inside = {
        name.removeprefix("cardstats.")
        for name in imported(module, deep=True)
        if name.startswith("cardstats.")
    }
    return {resolve(name) for name in inside}


def resolve(name):
    """The module a name comes from: `results.Tally` from results, `three_card` from its init."""
    for candidate in (name, f"{name}.__init__", name.rpartition(".")[0]):
        if candidate in FILES:
            return candidate
    package = f"{name.rpartition('.')[0]}.__init__"
    return package if package in FILES else "__init__"


def reached(module):
    seen, ahead = set(), {module}
    while ahead:
        seen |= ahead
        ahead = {other for one in ahead for other in used(one)} - seen
    return seen


def game_of(module):
    return module.partition(".")[0]


def third_party(module, *, deep):
    tops = {name.partition(".")[0] for name in imported(module, deep=deep)}
    return tops - {"cardstats", "__future__"} - set(sys.stdlib_module_names)


def test_the_sources_are_read():
    """Lest everything below passes because nothing was found."""
    assert GAMES
    assert "three_card.kernels" in FILES
    assert used("results") == {"_checks", "_source", "_table"}
    assert "_jit" in reached("three_card.__init__")
    assert "comparison" in used("__init__")


@pytest.mark.parametrize(
    ("floor", "allowed"), [(NUMBERS, NUMBERS), (STATISTICS, STATISTICS), (MACHINERY, MACHINERY)]
)
def test_a_floor_rests_on_itself(floor, allowed):
    for module in floor & set(FILES):
        assert reached(module) <= allowed, module


@pytest.mark.parametrize("game", GAMES)
def test_a_game_knows_the_machinery_and_itself(game):
    for module in FILES:
        if game_of(module) == game:
            strangers = {other for other in reached(module) if game_of(other) != game}
            assert strangers <= MACHINERY, module


def test_every_module_stands_on_a_floor():
    outside = {module for module in FILES if game_of(module) not in GAMES}
    assert outside == STATISTICS | MACHINERY | REPORT | BENCHMARK | FRONT


def test_contributing_draws_every_module_on_its_floor():
    """`_cli_{game}` stands for one module a game."""
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]+) \|.*\| (`.*`) \|$", page, flags=re.MULTILINE)
    drawn = {
        floor: {name.format(game=game) for name in re.findall("`(.*?)`", names) for game in GAMES}
        for floor, names in rows
    }
    assert drawn == FLOORS


def test_nothing_below_the_report_and_the_benchmark_knows_of_them():
    below = set(FILES) - REPORT - BENCHMARK - FRONT
    assert {game_of(module) for module in below} >= set(GAMES)
    for module in below:
        assert not reached(module) & (REPORT | BENCHMARK | FRONT), module


@pytest.mark.parametrize(("floor", "other"), [(REPORT, BENCHMARK), (BENCHMARK, REPORT)])
def test_report_and_benchmark_stand_side_by_side(floor, other):
    for module in floor:
        assert not reached(module) & other, module


def test_published_figures_know_nothing():
    """Lest something that is computed is called published."""
    assert reached("published") == {"published"}


def test_published_figures_are_for_the_report_alone():
    users = {module for module in FILES if "published" in used(module)}
    assert users <= SECTIONS | FRONT


@pytest.mark.parametrize("module", ["_report", "_report_run", "_benchmark", "_cli_writer"])
def test_what_is_said_of_any_game_knows_none(module):
    assert not {game_of(other) for other in reached(module)} & set(GAMES)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("front", ["_report", "_benchmark", "_cli"])
def test_what_shows_a_game_knows_no_other(front, game):
    strangers = set(GAMES) - {game}
    assert not {game_of(other) for other in reached(f"{front}_{game}")} & strangers


def test_the_whole_report_is_for_those_in_front():
    users = {module for module in FILES if "reproduce" in used(module)}
    assert users <= FRONT


def test_no_module_needs_itself():
    for module in FILES:
        for other in used(module) - {module}:
            assert module not in reached(other), f"{module} and {other} import each other"


def test_nobody_but_main_imports_the_command_line():
    assert [module for module in FILES if "cli" in used(module)] == ["__main__"]
    users = {module for module in FILES if used(module) & (COMMANDS | {"_cli_writer"})}
    assert users <= COMMANDS | {"cli"}


def test_results_never_import_numba():
    for module in NUMBERS:
        assert "numba" not in third_party(module, deep=True), module


def test_numba_is_set_up_in_one_place():
    assert [name for name in FILES if "numba" in third_party(name, deep=True)] == ["_jit"]


def test_a_change_of_what_a_kernel_may_contain_is_seen_by_its_cache():
    """Kernels inline helpers and freeze constants of the modules that they import."""
    sources = {name for name, file in FILES.items() if file in _jit.kernel_sources()}
    homes = {name for name in FILES if "cardstats._jit.kernel" in imported(name, deep=True)}
    assert len(homes) > 10
    needed = {other for home in homes for other in {home} | used(home)}
    assert needed - sources <= NUMBERS | {"_engine"}  # which hold no kernel and nothing for one
    assert not sources & (REPORT | BENCHMARK | STATISTICS | FRONT)


def test_only_plots_import_matplotlib():
    users = {module for module in FILES if "matplotlib" in third_party(module, deep=True)}
    assert users == PLOTS - {"_plot_data"}


@pytest.mark.parametrize("module", FILES)
def test_slow_packages_are_imported_where_they_are_needed(module):
    assert not third_party(module, deep=False) & SLOW
    allowed = SLOW | {"numpy", "numba"} | (PEERS if module in CONTESTS else set())
    assert third_party(module, deep=True) <= allowed


def test_importing_cardstats_loads_nothing_slow():
    code = "import sys, cardstats; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "cardstats.three_card.kernels" in loaded
    slow = {"scipy.stats", "matplotlib", "pandas", "tqdm", "dask", "distributed", "IPython"}
    assert not loaded & slow


def naming(builtin):
    return {
        module
        for module in FILES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Name) and node.id == builtin
    }


def test_a_person_is_talked_to_in_few_places():
    assert naming("print") == PRINTING | TALKING
    assert naming("input") == TALKING | {"_cli_blackjack"}
    users = {module for module in FILES if used(module) & TALKING}
    assert users == {"blackjack.__init__", "_cli_blackjack"}


STREAMS = {"sys.stdout", "sys.__stdout__"}


@pytest.mark.parametrize("module", sorted(set(FILES) - PRINTING))
def test_only_the_command_line_prints(module):
    for node in ast.walk(tree(module)):
        printing = isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
        writing = isinstance(node, ast.Attribute) and ast.unparse(node) in STREAMS
        assert not printing, f"line {node.lineno}"
        assert not writing, f"line {node.lineno}"
