"""Running the command line in a process of its own, and measuring what it prints."""

import os
import subprocess
import sys
import unicodedata


def start(*arguments, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "cardstats", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **settings,
    )


def run_apart(*arguments, encoding):
    with start(*arguments, env={**os.environ, "PYTHONIOENCODING": encoding}) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(encoding), err.decode(encoding)


def width(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)
