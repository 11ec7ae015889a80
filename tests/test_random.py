"""The streams that kernels draw from: every lane against the plain generator, word for word."""

from itertools import islice

import naive
import numpy as np
import pytest

from cardstats._random import WORD_LANES, fill_words, lane_states

# The first words from the state 1, 2, 3, 4, as the authors' C program gives them.
REFERENCE = [
    641, 1573767, 3222811527, 3517856514, 836907274,
    4247214768, 3867114732, 1355841295, 495546011, 621204420,
]  # fmt: skip


def drawn(state, calls):
    """The words of `calls` calls of the kernel, shape (3 * calls, WORD_LANES); moves `state` on."""
    words = np.empty(3 * WORD_LANES, np.uint32)
    rows = []
    for _ in range(calls):
        fill_words(state, words)
        rows.append(words.reshape(3, WORD_LANES).copy())
    return np.concatenate(rows)


@pytest.mark.parametrize("lane", [0, 1, 100, WORD_LANES - 1])
def test_reference_vector(lane):
    state = np.random.default_rng(lane).integers(0, 2**32, (4, WORD_LANES), np.uint32)
    state[:, lane] = [1, 2, 3, 4]
    assert drawn(state.reshape(-1), calls=4)[: len(REFERENCE), lane].tolist() == REFERENCE


@pytest.mark.parametrize("seed", [0, 7, 2**128 - 1])
@pytest.mark.parametrize("chunk", [(), (0,), (5, 3)])
def test_every_lane_is_the_plain_generator(seed, chunk):
    state = lane_states(np.random.SeedSequence(seed, spawn_key=chunk))
    streams = [naive.xoshiro128pp(words) for words in state.reshape(4, WORD_LANES).T.tolist()]
    words = drawn(state, calls=5)
    for lane, stream in enumerate(streams):
        assert words[:, lane].tolist() == list(islice(stream, 15)), f"lane {lane}"


# Of the first lane, and of the first two lanes.
STATE_OF_SEED_7 = [1201125462, 604212162, 2725248430, 2917605926]
WORDS_OF_SEED_7 = [
    [117765840, 3957771260],
    [2945323691, 995797790],
    [949842480, 3767459365],
]


def test_states_and_words_of_a_known_seed():
    """A change here changes every simulated figure: then the checkpoint's format changes too."""
    state = lane_states(np.random.SeedSequence(7, spawn_key=(0,)))
    assert state.dtype == np.uint32
    assert state.shape == (4 * WORD_LANES,)
    assert state.reshape(4, WORD_LANES)[:, 0].tolist() == STATE_OF_SEED_7
    assert drawn(state, calls=1)[:, :2].tolist() == WORDS_OF_SEED_7


def test_states_are_those_of_seed_sequence():
    seed = np.random.SeedSequence(7, spawn_key=(0,))
    np.testing.assert_array_equal(lane_states(seed), seed.generate_state(4 * WORD_LANES))
    assert seed.n_children_spawned == 0


def test_states_differ_between_lanes_and_chunks():
    chunks = [np.random.SeedSequence(7, spawn_key=(index,)) for index in range(50)]
    states = np.concatenate([lane_states(chunk).reshape(4, WORD_LANES) for chunk in chunks], axis=1)
    assert len(np.unique(states, axis=1).T) == 50 * WORD_LANES


class _FewBits:
    """A SeedSequence that gives lane 3 the one state that never leaves zero."""

    def generate_state(self, n_words, dtype):
        words = np.arange(1, n_words + 1, dtype=dtype).reshape(4, -1)
        words[:, 3] = 0
        words[:3, 5] = 0
        return words.reshape(-1)


def test_a_state_of_zeros_is_replaced():
    state = lane_states(_FewBits()).reshape(4, WORD_LANES)
    assert state[:, 3].tolist() == [1, 0, 0, 0]
    assert state[:, 5].tolist() == [0, 0, 0, 3 * WORD_LANES + 6]
    words = drawn(state.reshape(-1), calls=10)
    assert np.count_nonzero(words[:, 3]) > 20


def test_the_state_moves_on():
    state = lane_states(np.random.SeedSequence(1))
    once = state.copy()
    together = drawn(once, calls=6)
    twice = np.concatenate([drawn(state, calls=2), drawn(state, calls=4)])
    np.testing.assert_array_equal(together, twice)
    np.testing.assert_array_equal(once, state)
