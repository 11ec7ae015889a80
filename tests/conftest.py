"""What all tests share: how hypothesis behaves, and a way to run commands."""

import signal
from contextlib import suppress

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, which no deadline allows for. Examples are the same in
# every run, so that a red test is red again tomorrow.
settings.register_profile("cardstats", deadline=None, derandomize=True, database=None)
settings.load_profile("cardstats")

# A shell's background job ignores Ctrl-C, and so would the processes that tests interrupt: forever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    with suppress(ValueError):  # pytest may not be in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    """Say how many inputs the fuzz has tried."""
    properties = [
        of for report in terminalreporter.getreports("passed") for of in report.user_properties
    ]
    inputs = sum(value for name, value in properties if name == "inputs")
    if inputs:
        terminalreporter.write_line(f"fuzz: {inputs:,} inputs")


@pytest.fixture
def run(capsys):
    """Run a command in this process; give status, output and errors."""
    from cardstats import cli

    def run(*arguments):
        try:
            status = cli.main(arguments)
        except SystemExit as stop:
            status = stop.code
        return status, *capsys.readouterr()

    return run


@pytest.fixture(scope="module")
def cluster():
    """Two processes of Dask; the dashboard takes any free port: others may hold its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster


@pytest.fixture
def small(monkeypatch):
    """Let the benchmark measure few hands, in short turns."""
    from cardstats import (
        _benchmark,
        _benchmark_blackjack,
        _benchmark_mahjong,
        _benchmark_three_card,
    )

    plain = {"_ONE_BY_ONE": 200, "_GAMES": 5000, "_PLAIN_GAMES": 200}
    sizes = {
        _benchmark: {"_TURN": 0.0},
        _benchmark_three_card: {"_HANDS": 3000, **plain},
        _benchmark_mahjong: {"_HANDS": 2000, "_ONE_BY_ONE": 50, "_GAMES": 50_000},
        _benchmark_blackjack: {"_HANDS": 3000, "_GYM_GAMES": 20, **plain},
    }
    for module, names in sizes.items():
        for name, value in names.items():
            monkeypatch.setattr(module, name, value)
