"""Measure what the project promises of its speed: python benchmarks/bars.py [--quick] [PART ...].

Every figure is a ratio to a yardstick measured in the same run, interleaved with it, as the median
of several rounds: `copy` is np.copyto of the kernel's input into a touched array, `draw` is NumPy's
SFC64 filling a touched float32 buffer. Absolute times are printed for the curious.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

import blackjack_bars
import mahjong_bars
import scale_bars
import three_card_bars
from measure import Bar, import_cost, reproduce_twice

PARTS: dict[str, Callable[[bool], Iterable[Bar]]] = {
    "three-card": three_card_bars.bars,
    "mahjong": mahjong_bars.bars,
    "blackjack": blackjack_bars.bars,
    "scale": scale_bars.bars,
    "import": lambda quick: import_cost(5 if quick else 11),
    "reproduce": lambda quick: reproduce_twice([], 180, 60),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="fewer rounds, games, and no six")
    args = parser.parse_args()
    for part in args.parts or PARTS:
        for bar in PARTS[part](args.quick):
            print(bar, flush=True)


if __name__ == "__main__":
    main()
