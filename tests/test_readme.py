"""What the READMEs say works: their commands and scripts. (Their examples run as doctests.)"""

import csv
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cardstats import benchmark
from cardstats.throughput import rate_text

ROOT = Path(__file__).parents[1]
PAPERS = ("README.md", "README.zh.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNTESTED = {"README.md": "(not tested here)", "README.zh.md": "（此处未测试）"}

# Less work than the reader asks for, and no more.
LIGHTER = {"reproduce": ["--games", "1000"], "benchmark": ["--seconds", "0"]}


def blocks(paper, language):
    """Code blocks of a language with the text before each."""
    text = (ROOT / paper).read_text(encoding="utf-8")
    return [
        (text[: found.start()].rstrip().splitlines()[-1], found[2])
        for found in BLOCK.finditer(text)
        if found[1] == language
    ]


def commands(paper):
    return [line for _, block in blocks(paper, "sh") for line in block.splitlines() if line]


def scripts(paper):
    return [(said, code) for said, code in blocks(paper, "python") if ">>>" not in code]


CASES = [(paper, line) for paper in PAPERS for line in commands(paper)]


def test_both_readmes_have_the_same_commands_and_scripts():
    own, other = ([line.split(" --lang")[0] for line in commands(paper)] for paper in PAPERS)
    assert [shlex.split(line)[:2] for line in own] == [shlex.split(line)[:2] for line in other]
    assert [code for _, code in scripts(PAPERS[0])] == [code for _, code in scripts(PAPERS[1])]
    assert len(scripts(PAPERS[0])) == 4


@pytest.mark.parametrize(("paper", "line"), [case for case in CASES if "pip" not in case[1]])
def test_commands_do_what_they_say(paper, line, run, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    program, *arguments = shlex.split(line)
    assert program == "cardstats"
    status, out, _ = run(*arguments, *LIGHTER.get(arguments[0], []))
    assert status == 0
    assert out


@pytest.mark.parametrize(
    ("paper", "shown"), [(paper, text) for paper in PAPERS for _, text in blocks(paper, "text")]
)
def test_what_a_command_prints_is_shown_as_it_is(paper, shown, run):
    hands = [line for line in commands(paper) if line.startswith("cardstats mahjong")]
    assert shown in [run(*shlex.split(line)[1:])[1] for line in hands]


@pytest.mark.parametrize(("paper", "line"), [case for case in CASES if "pip" in case[1]])
def test_installing_is_what_the_gate_does(paper, line):
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for word in re.findall(r"'\.\[\w+\]'|pytest|cardstats reproduce", line):
        assert word in gate


@pytest.mark.parametrize(
    ("paper", "place"), [(PAPERS[0], place) for place in range(len(scripts(PAPERS[0])))]
)
def test_scripts_run(paper, place, tmp_path):
    """Those of engines that are not tested here say so."""
    said, code = scripts(paper)[place]
    for engine in ("dask", "mpi4py", "ray"):
        if f"from {engine}" in code and engine != "dask":
            assert UNTESTED[paper] in said
            compile(code, paper, "exec")
            return
    assert UNTESTED[paper] not in said
    if "dask" in code:
        pytest.importorskip("distributed")
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "hands dealt" in done.stdout


def table_in(paper):
    """What stands at the place of the benchmark's table."""
    before, _, after = benchmark.place_in(ROOT / paper)
    text = (ROOT / paper).read_text(encoding="utf-8")
    return text[len(before) : len(text) - len(after)].strip()


def test_the_tables_of_speed_are_those_of_one_run():
    """Written by the command that also wrote docs/, whose figures it rounds."""
    saved = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    saved = saved.partition("\n**hands dealt")[0].strip()  # the long run is not in the papers
    assert table_in("README.md") == saved
    with (ROOT / "docs" / "benchmark.csv").open(encoding="utf-8") as file:
        rates = [rate_text(float(row["hands"])) for row in csv.DictReader(file)]
    for rate, row, row_zh in zip(
        rates,
        [line for line in saved.splitlines() if "\u2003" in line],
        [line for line in table_in("README.zh.md").splitlines() if "\u2003" in line],
        strict=True,
    ):
        assert f" {rate} " in row
        assert f" {rate} " in row_zh


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_speed_has_the_rows_of_the_command(paper, small):
    _, lang, _ = benchmark.place_in(ROOT / paper)
    written = re.findall(r"^\| \u2003(.*?) *\|", table_in(paper), re.MULTILINE)
    result = benchmark.benchmark(peers=False, seconds=0)
    labels = result.labels_zh if lang == "zh" else result.labels
    assert set(labels) <= set(written)
    assert len(written) > len(labels)  # with other packages


@pytest.mark.parametrize("paper", [*PAPERS, "CONTRIBUTING.md"])
def test_links_lead_somewhere(paper):
    text = (ROOT / paper).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target
