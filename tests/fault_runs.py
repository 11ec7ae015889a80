"""Long runs to be killed or interrupted, in processes of their own."""

import os
import sys
import time

from cardstats import _engine, blackjack, three_card

SEED = 20
SMALL_CHUNK = 1 << 18  # less than a millisecond


def go_on(path):
    """Work with two threads, save after each small chunk, without end."""
    _engine.HANDS_A_CHUNK = SMALL_CHUNK
    _engine.SECONDS_BETWEEN_SAVES = 0.0
    three_card.simulate(10**15, rng=SEED, workers=2, checkpoint=path)


def many_lives(path):
    """For each line of standard input fork a process that goes on with the work.

    What it forks has imported and compiled all it needs, and starts at once. Its number is
    printed, and how it ended.
    """
    three_card.simulate(10, rng=SEED)
    for _ in sys.stdin:
        process = os.fork()
        if process == 0:
            go_on(path)
            os._exit(0)
        print(process, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


def best_play(games, **how):
    """Play the slowest kind of game, in chunks of the usual size."""
    return blackjack.simulate(games, blackjack.optimal_policy(), rng=SEED, **how)


def play_until_interrupted(path, workers):
    """Say when the interrupt arrived where it was caught, on the clock of all processes."""
    try:
        best_play(10**12, workers=int(workers), checkpoint=path)
    except KeyboardInterrupt:
        print(time.monotonic())


if __name__ == "__main__":
    {"many lives": many_lives, "play": play_until_interrupted}[sys.argv[1]](*sys.argv[2:])
