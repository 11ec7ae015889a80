"""What is handed to others: sources that do nothing behind one's back, packages without more.

Packages are built by hatchling, without a network, from a copy of what the sdist is to hold and of
junk that a working tree collects. `.ci/run` installs them.
"""

import ast
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

import pytest

import cardstats

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cardstats"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
METADATA = PROJECT["project"]
EXTRAS = METADATA["optional-dependencies"]

# --- what sources may not do ---

FORBIDDEN_IMPORTS = {
    "network": {
        *("aiohttp", "ftplib", "http", "httpx", "imaplib", "nntplib", "poplib", "requests"),
        *("smtplib", "socket", "socketserver", "ssl", "telnetlib", "urllib", "urllib3"),
        *("webbrowser", "xmlrpc"),
    },
    "pickle": {
        *("_pickle", "cloudpickle", "dill", "joblib", "marshal", "numba.core.caching", "pickle"),
        "shelve",
    },
    "other programs": {"ctypes", "pty", "subprocess"},
    "processes": {"concurrent.futures.ProcessPoolExecutor", "multiprocessing"},
    "code from text": {"code", "codeop", "importlib.import_module", "imp", "runpy"},
}
FORBIDDEN_NAMES = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_ATTRIBUTES = re.compile(
    r"os\.(system|popen|startfile|fork\w*|exec\w+|spawn\w+|posix_spawn\w*)"
    r"|.*\.(read_pickle|to_pickle|import_module)|builtins\.\w+"
)

# What is needed all the same, and why.
ALLOWED = {
    # numba pickles the index of its compiled kernels. They lie where bytecode does, in __pycache__
    # or a directory of the user's; who may write there may run code by changing that, too.
    ("_jit.py", "pickle: numba.core.caching.FunctionCache"),
    # A long run's memory is measured in a process of its own; what is pickled for it is no file.
    ("_benchmark_long.py", "processes: concurrent.futures.ProcessPoolExecutor"),
    ("_benchmark_long.py", "processes: multiprocessing.get_context"),
}


def faults(source):
    """List what a source does that it may not, as found in its syntax."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                found += imports(alias.name for alias in node.names)
            case ast.ImportFrom():
                found += imports(f"{node.module}.{alias.name}" for alias in node.names)
            case ast.Name(id=name) if name in FORBIDDEN_NAMES:
                found.append(name)
            case ast.Attribute() if FORBIDDEN_ATTRIBUTES.fullmatch(ast.unparse(node)):
                found.append(ast.unparse(node))
            case ast.keyword(arg="allow_pickle", value=value) if ast.unparse(value) != "False":
                found.append("allow_pickle")
    return found


def imports(names):
    for name in names:
        for what, modules in FORBIDDEN_IMPORTS.items():
            if any(f"{name}.".startswith(f"{module}.") for module in modules):
                yield f"{what}: {name}"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import pickle", "pickle: pickle"),
        ("def f():\n    from urllib import request", "network: urllib.request"),
        ("import os, socket as s", "network: socket"),
        ("from http.client import HTTPSConnection", "network: http.client.HTTPSConnection"),
        ("import subprocess", "other programs: subprocess"),
        ("from importlib import import_module", "code from text: importlib.import_module"),
        ("import importlib\nimportlib.import_module(name)", "importlib.import_module"),
        ("x = eval(text)", "eval"),
        ("x = list(map(exec, texts))", "exec"),
        ("__import__('os')", "__import__"),
        ("import os\nos.system('ls')", "os.system"),
        ("import os\nos.execvp('ls', [])", "os.execvp"),
        ("import numpy as np\nnp.load(path, allow_pickle=True)", "allow_pickle"),
        ("import pandas\npandas.read_pickle(path)", "pandas.read_pickle"),
    ],
)
def test_what_is_forbidden_is_found(source, fault):
    assert faults(source) == [fault]


@pytest.mark.parametrize(
    "source",
    [
        "import re\nre.compile('a')",
        "from importlib.util import find_spec",
        "import html, httpfree",
        "import numpy as np\nnp.load(path, allow_pickle=False)",
        "import os\nos.fsync(1)",
        "'eval(this)'",
    ],
)
def test_what_is_harmless_is_not(source):
    assert not faults(source)


def test_no_network_no_evaluation_no_pickle():
    found = {
        (file.relative_to(PACKAGE).as_posix(), fault)
        for file in PACKAGE.rglob("*.py")
        for fault in faults(file.read_text(encoding="utf-8"))
    }
    assert found == ALLOWED


WATCHED = """
import sys

network, others = [], []

def watch(event, arguments):
    if event.partition(".")[0] in ("socket", "ssl", "urllib", "http", "ftplib", "webbrowser"):
        network.append(event)
    if event in ("os.system", "subprocess.Popen"):
        others.append(arguments)

sys.addaudithook(watch)
from cardstats import blackjack, compare, mahjong, three_card
compare(three_card.simulate(1000, rng=1), three_card.exact_categories())
mahjong.shanten(mahjong.parse("123m11z"))
blackjack.simulate(1000, blackjack.MIMIC_DEALER, rng=1)
print(len(network), len(others))
import socket
socket.socket()
print(len(network))
"""


def test_nothing_is_opened_to_the_network():
    """Nor by what cardstats imports: Python's own audit looks on. The last line is to be seen."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "0", "1"]


# --- what packages hold ---

SDIST = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
JUNK = [
    *(".git/HEAD", ".venv/bin/python3", ".hypothesis/examples", "build/lib/cardstats/cards.py"),
    *("dist/cardstats-0.0.0.tar.gz", "cardstats-report/index.html", "notes.txt", ".coverage"),
    *("cardstats/__pycache__/kernels.win-1.py311.nbi", "cardstats/kernels.win-1.py311.1.nbc"),
    *("cardstats/mahjong/__pycache__/suits.cpython-311.pyc", "tests/__pycache__/naive.pyc"),
    *("notebooks/.ipynb_checkpoints/mahjong.ipynb", "tests/.pytest_cache/README.md"),
]

needs_hatchling = pytest.mark.skipif(find_spec("hatchling") is None, reason="needs hatchling")


def build(tree, out):
    """Build both packages of a tree; give the wheel and the sdist."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel], [sdist] = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A working tree, and junk."""
    tree = tmp_path_factory.mktemp("tree")
    for name in [*SDIST, "pyproject.toml", ".gitignore"]:
        source, copy = ROOT / name.strip("/"), tree / name.strip("/")
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    for name in JUNK:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("junk", encoding="utf-8")
    return tree


@pytest.fixture(scope="module")
def built(tree, tmp_path_factory):
    return build(tree, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def in_wheel(built):
    with zipfile.ZipFile(built[0]) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


@pytest.fixture(scope="module")
def in_sdist(built):
    with tarfile.open(built[1]) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def files(tree, folder, pattern="*.py"):
    return {file.relative_to(tree).as_posix() for file in (tree / folder).rglob(pattern)}


@needs_hatchling
def test_the_wheel_holds_the_package_and_nothing_else(tree, in_wheel):
    about = {name for name in in_wheel if ".dist-info/" in name}
    assert set(in_wheel) - about == files(tree, "cardstats") | {"cardstats/py.typed"}
    assert {name.partition("/")[0] for name in about} == {
        f"cardstats-{METADATA['version']}.dist-info"
    }
    assert {name.partition("/")[2] for name in about} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    for name in set(in_wheel) - about:
        assert in_wheel[name] == (tree / name).read_bytes(), name


@needs_hatchling
def test_the_sdist_holds_what_one_works_with_and_no_junk(tree, in_sdist):
    for folder in ("cardstats", "tests", "benchmarks"):
        assert files(tree, folder) <= in_sdist
    assert files(tree, "docs", "*.png") | {"README.md", "README.zh.md", ".ci/run"} <= in_sdist
    notebooks = {f"notebooks/{file.name}" for file in (tree / "notebooks").glob("*.ipynb")}
    assert {name for name in in_sdist if name.startswith("notebooks/")} == notebooks
    assert not in_sdist & set(JUNK)
    tops = {name.strip("/").partition("/")[0] for name in SDIST}
    assert {"cardstats", "tests", "benchmarks", "docs", "notebooks"} <= tops
    written = {"PKG-INFO", "pyproject.toml", ".gitignore"}
    assert {name.partition("/")[0] for name in in_sdist} == tops | written


@needs_hatchling
def test_the_sdist_builds_the_same_wheel(built, tmp_path):
    with tarfile.open(built[1]) as sdist:
        sdist.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    again, _ = build(unpacked, tmp_path / "again")
    assert again.name == built[0].name
    assert again.read_bytes() == built[0].read_bytes()


# --- what packages say of themselves ---


@needs_hatchling
def test_the_wheel_says_what_the_project_does(in_wheel):
    [name] = [name for name in in_wheel if name.endswith(".dist-info/METADATA")]
    told = message_from_bytes(in_wheel[name])
    assert told["Name"] == METADATA["name"]
    assert told["Version"] == METADATA["version"]
    assert told["Requires-Python"] == METADATA["requires-python"]
    assert told.get_all("Classifier") == METADATA["classifiers"]
    assert set(told.get_all("Provides-Extra")) == set(EXTRAS)
    needed = [line for line in told.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(needed) == sorted(METADATA["dependencies"])
    assert told.get_payload(decode=True).decode().startswith("# cardstats")


def test_there_is_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (\S+)$", citation, flags=re.MULTILINE) == [METADATA["version"]]
    assert cardstats.__version__ == METADATA["version"]


def test_the_licence_is_one():
    assert METADATA["license"] == {"text": "MIT"}
    assert "License :: OSI Approved :: MIT License" in METADATA["classifiers"]
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_oldest_python_is_the_same_to_the_linter():
    oldest = METADATA["requires-python"].removeprefix(">=")
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"


def bounds(requirements):
    """Lower bounds by name; there are no other ones, nor anything else than bounds."""
    parts = [re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement) for requirement in requirements]
    return {part[1]: part[2] for part in parts}


def test_the_oldest_versions_that_are_promised_are_those_that_are_tested():
    gate = (ROOT / ".ci/run").read_text(encoding="utf-8")
    [step] = re.findall(r'^step "the oldest versions.*\n((?:(?!step ).*\n)*)', gate, re.MULTILINE)
    tested = dict(re.findall(r"([\w-]+)==([\d.]+?)(?:\.\*)?(?=\s)", step))
    always = bounds(METADATA["dependencies"]) | bounds(EXTRAS["dataframe"])
    assert always.items() <= tested.items() <= (always | bounds(EXTRAS["dask"])).items()


def test_extras_are_those_that_the_papers_name():
    papers = ("README.md", "README.zh.md", "CONTRIBUTING.md", ".ci/run")
    text = "".join((ROOT / paper).read_text(encoding="utf-8") for paper in papers)
    named = {
        extra for extras in re.findall(r"'\.\[([\w,]+)\]'", text) for extra in extras.split(",")
    }
    assert named == set(EXTRAS)
