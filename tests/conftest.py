"""What all tests share: how hypothesis behaves, and a way to run commands."""

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, which no deadline allows for. Examples are the same in
# every run, so that a red test is red again tomorrow.
settings.register_profile("cardstats", deadline=None, derandomize=True, database=None)
settings.load_profile("cardstats")


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
