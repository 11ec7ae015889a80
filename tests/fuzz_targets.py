"""Every public callable, as data: what it takes, and what the plain answer is.

`test_fuzz` fails where one is missing. The oracles are `naive`, `naive_mahjong` and
`naive_blackjack`, kept for hands that come again; what has no plain answer that is quick enough
(counts over all deals) is held against the same call with plain arguments.
"""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Mapping
from typing import Any

import fuzz_blackjack
import fuzz_cards
import fuzz_mahjong
import fuzz_plot
import fuzz_results
import fuzz_three_card
import numpy as np
from fuzz_kinds import (
    LANG,
    UNSURE,
    Answer,
    Fixed,
    Kind,
    Refused,
    Whole,
    Word,
    anything,
    folder,
    hostile,
)
from fuzzing import Target

from cardstats import benchmark, blackjack, mahjong, published, reproduce, three_card, throughput

TARGETS: dict[str, Target] = {
    **fuzz_cards.TARGETS,
    **fuzz_three_card.TARGETS,
    **fuzz_mahjong.TARGETS,
    **fuzz_blackjack.TARGETS,
    **fuzz_results.TARGETS,
    **fuzz_plot.TARGETS,
}


READY = mahjong.prospects("123m456p78s789s114z")
IN_WORDS = Fixed(
    three_card.equity("As Kd 7c"),
    mahjong.check("11m234m"),
    mahjong.check("11m235m"),
    READY,
    *READY.options,
    blackjack.advise("A 6", 9),
    blackjack.exact_outcome(blackjack.MIMIC_DEALER),
)


class OutFolder(Kind):
    """Is no folder that can be made: the work that would fill one is not to be done here."""

    always = True

    def good(self, r: random.Random) -> Any:
        file = folder() / "file"
        file.write_text("no folder")
        return file / "below"

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        file = self.good(r).parent
        ways = [file, str(file), str(file).encode(), "a\0b", "x" * 5000, 3, None, [str(file)], b"",
                "\ud800", "/proc/none/x", hostile("__fspath__")]  # fmt: skip
        return r.choice(ways)

    def read(self, value: Any) -> Any:
        raise Refused


class NoSeconds(Kind):
    """Is no time that anything could be measured for."""

    always = True

    def good(self, r: random.Random) -> Any:
        return r.choice([-1, -0.5, math.nan, math.inf, "5", [5], True, 10**5000, 1j, np.array(1.0)])

    def odd(self, r: random.Random, others: Mapping[str, Any]) -> Any:
        return self.good(r)

    def read(self, value: Any) -> Any:
        raise Refused


TARGETS |= {
    "InWords.to_text": Target(
        type(READY).to_text,
        {"self": IN_WORDS, "lang": LANG},
        lambda self, lang: Answer(lambda text: (str(self) == text) == (lang == "en")),
        tries=200,
    ),
    "reproduce": Target(
        reproduce.reproduce,
        {
            "out": OutFolder(),
            "only": Word(None, "three-card", "mahjong", "blackjack", "best-of-six"),
            "games": Whole(1, none=True),
            "rng": Whole(0, none=True),
            "workers": Whole(1),
            "lang": LANG,
        },
        tries=150,
        files=True,
    ),
    "benchmark.benchmark": Target(
        benchmark.benchmark,
        {"only": Word(None, "three-card", "mahjong", "blackjack"), "seconds": NoSeconds()},
        tries=150,
    ),
}


# --- Records: what functions return. They hold what they are given, and check nothing ----------


class Whatever(Kind):
    """Is anything."""

    def good(self, r: random.Random) -> Any:
        return anything(r)

    def read(self, value: Any) -> Any:
        return UNSURE


RECORDS = (
    three_card.Equity,
    mahjong.Decomposition,
    mahjong.Group,
    mahjong.Option,
    mahjong.Prospects,
    mahjong.WinCheck,
    blackjack.Advice,
    blackjack.Chances,
    blackjack.Outcome,
    throughput.Rate,
    *(
        item
        for item in vars(published).values()
        if isinstance(item, type) and item.__module__ == published.__name__
    ),
)
TARGETS |= {
    f"{record.__module__.split('.')[1]}.{record.__name__}": Target(
        record, {name: Whatever() for name in inspect.signature(record).parameters}, tries=25
    )
    for record in RECORDS
}
