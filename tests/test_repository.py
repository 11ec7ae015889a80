"""What the repository says in two places is the same in both."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
GATE, HOOKS = ROOT / ".ci/run", ROOT / ".pre-commit-config.yaml"


def test_hooks_run_what_the_gate_lints():
    gate = GATE.read_text(encoding="utf-8")
    [step] = re.findall(r'^step "lint.*\n((?:(?!step ).*\n)*)', gate, flags=re.MULTILINE)
    commands = [line for line in step.splitlines() if line and not line.startswith("#")]
    hooks = re.findall(r"^ +entry: (.*)$", HOOKS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert commands == hooks
    assert len(hooks) >= 3


def test_hooks_fetch_nothing():
    config = HOOKS.read_text(encoding="utf-8")
    assert set(re.findall(r"- repo: (.*)", config)) == {"local"}
    assert set(re.findall(r"language: (.*)", config)) == {"system"}
