"""The random streams that kernels draw from: lanes of xoshiro128++.

xoshiro128++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM
Transactions on Mathematical Software 47, 2021) keeps 128 bits of state a lane and gives 32 a
step. The lanes of a chunk are seeded by NumPy's SeedSequence. Each word serves two games, with
16 bits each, so that a row of words is a row of twice as many 16-bit numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardstats._jit import kernel

WORD_LANES = 512  # fewer, and calls between kernels cost more than what they do
LANES = 2 * WORD_LANES  # 16-bit numbers a row, and games dealt at once


def lane_states(seed: np.random.SeedSequence) -> NDArray[np.uint32]:
    """Make the initial states of all lanes, flat: four rows of WORD_LANES words.

    A state of 128 zeros, a fixed point of the generator, is replaced.
    """
    words = seed.generate_state(4 * WORD_LANES, np.uint32).astype(np.uint32, copy=False)
    states = words.reshape(4, WORD_LANES)
    states[0, ~states.any(axis=0)] = 1
    return states.reshape(-1)


@kernel
def fill_words(state: NDArray[np.uint32], words: NDArray[np.uint32]) -> None:
    """Step every lane three times and write three rows of words; `state` moves on.

    Three steps while the state is in registers cost half of three passes over it.
    """
    n = np.uint64(WORD_LANES)
    for lane in range(n):
        s0, s1, s2, s3 = state[lane], state[n + lane], state[n + n + lane], state[n + n + n + lane]
        words[lane] = _output(s0, s3)
        s0, s1, s2, s3 = _step(s0, s1, s2, s3)
        words[n + lane] = _output(s0, s3)
        s0, s1, s2, s3 = _step(s0, s1, s2, s3)
        words[n + n + lane] = _output(s0, s3)
        s0, s1, s2, s3 = _step(s0, s1, s2, s3)
        state[lane], state[n + lane], state[n + n + lane], state[n + n + n + lane] = s0, s1, s2, s3


@kernel
def _output(s0: np.uint32, s3: np.uint32) -> np.uint32:
    return np.uint32(_rotate(np.uint32(s0 + s3), 7) + s0)


@kernel
def _step(
    s0: np.uint32, s1: np.uint32, s2: np.uint32, s3: np.uint32
) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    shifted = np.uint32(s1 << np.uint32(9))
    s2 = np.uint32(s2 ^ s0)
    s3 = np.uint32(s3 ^ s1)
    return (
        np.uint32(s0 ^ s3),
        np.uint32(s1 ^ s2),
        np.uint32(s2 ^ shifted),
        _rotate(s3, 11),
    )


@kernel
def _rotate(word: np.uint32, bits: int) -> np.uint32:
    left = np.uint32(word << np.uint32(bits))
    return np.uint32(left | np.uint32(word >> np.uint32(32 - bits)))
