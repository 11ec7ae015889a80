"""What a type checker makes of a user's program: the package is typed, and its types are right."""

import doctest
import importlib.util
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"

# What people write, beyond the README. Where a line is wrong, mypy must say so: an ignore that
# is not needed is an error too.
CALLS = """
from collections.abc import Sequence
from fractions import Fraction
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

from cardstats import Comparison, Distribution, Showdown, Tally, cards, compare, plot
from cardstats import three_card as tc
from cardstats.three_card import Category, Rules

by_name = Rules(name="house", order=["high card", "pair", "flush", "straight", "trips", "顺金"])
by_category = Rules(order=tuple(Category), a23="highest", suit_tiebreak="card_by_card")
by_both = Rules(order=[Category.HIGH_CARD, "pair", 2, 3, 4, 5], special_235="beats_aces")
by_mapping = Rules(points={category: 1 for category in Category})
by_named_mapping = Rules(points={"high card": 1, "pair": 2})
by_list = Rules(points=[1, 2, 3, 4, 5, 6])
assert_type(by_name.order, tuple[Category, ...])
assert_type(tc.RULES["teen-patti"], Rules)
Rules(a23="third")  # type: ignore[arg-type]
Rules(order=None)  # type: ignore[arg-type]

coin = Distribution("coin", ["heads", "tails"], ["正", "反"], [1, 1])
pair = Distribution("pair", ("a", "b"), ("甲", "乙"), (1, 1), joint=[[0, 1], [1, 0]])
seen = Tally("seen", ["heads", "tails"], ["正", "反"], [49, 51])
array = Tally("seen", ("heads", "tails"), ("正", "反"), np.array([49, 51]), players=2)
typed = Tally.from_counts({"heads": 49, "tails": 51}, labels_zh=["正", "反"])
duel = Showdown(
    "A K K", ["king", "ace"], ["老K", "尖"], players=2, exact=True, hands=[2, 1],
    win=[0, 2], draw=[2, 0], lose=[2, 0], share=[Fraction(1), 2], best=[2, 4],
)
assert_type(coin.counts, tuple[int, ...])
assert_type(coin.probabilities, tuple[Fraction, ...])
assert_type(coin.expectation({"heads": "3:2", "tails": -1}), Fraction)
assert_type(seen.counts, NDArray[np.int64])
assert_type(seen + array, Tally)
assert_type(duel.share, tuple[Fraction, ...])
assert_type(compare(seen, coin, confidence=0.99, published={"heads": 0.5}), Comparison)
compare(seen, coin, of="none")  # type: ignore[arg-type]
compare(coin, seen)  # type: ignore[arg-type]

hand = tc.parse("As Ks Qs")
hands: Sequence[Sequence[int]] = [[0, 1, 2], [3, 4, 5]]
assert_type(hand, NDArray[np.uint8])
assert_type(cards.format(hand, "zh"), str)
assert_type(tc.format(hand, style="unicode"), str)
assert_type(tc.all_hands(), NDArray[np.uint8])
assert_type(tc.deal(10, players=5, rng=np.random.default_rng(1)), NDArray[np.uint8])
tc.classify(hands, out=np.empty(2, np.uint8))
tc.strength(hands, rules=tc.TEEN_PATTI)
tc.points(hands)
tc.winners(hands, rules=by_name)
tc.parse(3)  # type: ignore[arg-type]

assert_type(tc.tally(hands, by="top_card"), Tally)
assert_type(tc.simulate(10, players=5, by="top_card", rng=1, workers=2), Tally)
assert_type(tc.simulate(10, rng=np.random.SeedSequence(1), workers=map), Tally)
assert_type(tc.simulate_showdown(10, players=3, checkpoint="run.json", progress=True), Showdown)
assert_type(tc.simulate_disagreement(10, players=3, other=by_name), Tally)
assert_type(tc.exact_categories(by="top_card", rules=by_name), Distribution)
assert_type(tc.exact_showdown(players=3), Showdown)
assert_type(tc.exact_best(players=2), Distribution)
assert_type(tc.exact_disagreement(other=by_name), Distribution)
assert_type(tc.equity(hand, opponents=4, games=100, rng=1), tc.Equity)
assert_type(tc.equity([51, 50, 48]).equity, Fraction)
tc.simulate(10, by="suit")  # type: ignore[arg-type]
tc.simulate("10")  # type: ignore[arg-type]

axes = plot.bars(coin, published={"heads": 0.5}, labels="zh", title="Coin")
plot.residuals(compare(seen, coin), ax=axes)
plot.showdown(duel, labels="en")
plot.save(axes, "coin.png")
plot.bars(coin, labels="fr")  # type: ignore[arg-type]

for result in (coin, seen, duel, compare(seen, coin)):
    assert_type(result.to_text("zh"), str)
    assert_type(result.to_markdown(), str)
    assert_type(result.to_csv("result.csv"), str | None)
"""


def test_the_package_says_that_it_is_typed():
    assert resources.files("cardstats").joinpath("py.typed").is_file()


def readme_calls():
    """The README's examples, as one program."""
    examples = doctest.DocTestParser().get_examples(README.read_text(encoding="utf-8"))
    assert len(examples) > 20
    return "".join(example.source for example in examples)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.parametrize("program", [readme_calls(), CALLS], ids=["README", "calls"])
def test_programs_pass_mypy(program, tmp_path, tmp_path_factory):
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "program.py"]
    options = [
        "--allow-redefinition",  # the README's examples use short names again
        "--no-error-summary",
        f"--cache-dir={tmp_path_factory.getbasetemp() / 'mypy'}",  # shared: seconds less
    ]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
