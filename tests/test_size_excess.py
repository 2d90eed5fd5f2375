"""Size excess and interaction, by hand and by their properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from chunkgap.size_excess import (
    different_sizes,
    excess_matrix,
    interaction,
    pair_oracles,
    same_size,
    size_excess,
)

SCORES = st.tuples(st.integers(2, 4), st.integers(2, 3), st.integers(2, 10)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0.0, 0.5, 1.0]))
)

SMALL = [[1.0, 0, 1, 0], [1, 0, 0, 0]]
LARGE = [[0.0, 1, 0, 0], [0, 1, 0, 1]]


def test_pair_oracles_by_hand():
    pairs = pair_oracles(np.array([SMALL, LARGE]))
    # max(small 0, small 1) = 1 0 1 0; max(large 0, large 1) = 0 1 0 1
    assert same_size(pairs) == (2 / 4 + 2 / 4) / 2
    # max(small 0, large 1) = 1 1 1 1; max(large 0, small 1) = 1 1 0 0
    assert different_sizes(pairs) == (4 / 4 + 2 / 4) / 2
    assert size_excess(pairs) == 0.75 - 0.5


def test_interaction_by_hand():
    # means: small 2/4, 1/4; large 1/4, 2/4. Covariance of two phases: small 1/4 - 2/16, large 1/4 - 2/16.
    # Different sizes: small 0 with large 1: 0 - 4/16; large 0 with small 1: 0 - 1/16.
    expected = (1 / 4 - 2 / 16) - (-4 / 16 - 1 / 16) / 2
    assert interaction(np.array([SMALL, LARGE])) == pytest.approx(expected)


def test_a_size_that_is_better_everywhere_has_excess_but_no_interaction():
    better = np.array([np.ones((2, 5)), np.zeros((2, 5))])
    assert size_excess(pair_oracles(better)) == 1 - (1 + 0) / 2
    assert interaction(better) == 0


def test_the_matrix_tells_copies_from_sizes_that_differ():
    scores = np.array([SMALL, SMALL, LARGE])
    scores[:, 1] = scores[:, 0]  # no luck between phases
    matrix = excess_matrix(pair_oracles(scores))
    assert matrix[0, 1] == 0
    assert matrix[0, 2] == matrix[2, 1] > 0


def test_for_success_excess_is_half_the_squared_difference_of_the_probabilities():
    generator = np.random.default_rng(0)
    probabilities = np.array([0.2, 0.5, 0.9])[:, None, None]
    scores = (generator.random((3, 2, 200_000)) < probabilities).astype(float)
    squares = [(0.2 - 0.5) ** 2, (0.2 - 0.9) ** 2, (0.5 - 0.9) ** 2]
    assert size_excess(pair_oracles(scores)) == pytest.approx(sum(squares) / 3 / 2, abs=0.003)


def test_three_phases_are_averaged_over_their_pairs():
    generator = np.random.default_rng(1)
    scores = generator.random((3, 3, 20))
    by_pair = [size_excess(pair_oracles(scores[:, [j, k]])) for j, k in ((0, 1), (0, 2), (1, 2))]
    assert size_excess(pair_oracles(scores)) == pytest.approx(np.mean(by_pair))
    by_pair = [interaction(scores[:, [j, k]]) for j, k in ((0, 1), (0, 2), (1, 2))]
    assert interaction(scores) == pytest.approx(np.mean(by_pair))


@pytest.mark.parametrize("shape", [(1, 2, 5), (2, 1, 5)])
def test_it_takes_two_scales_and_two_phases(shape):
    with pytest.raises(ValueError, match="at least 2 scales and 2 phases"):
        pair_oracles(np.zeros(shape))


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_copies_of_one_scale_have_no_excess(scores):
    copies = np.repeat(scores[:1], 3, axis=0)
    assert size_excess(pair_oracles(copies)) == pytest.approx(0)
    assert interaction(copies) == pytest.approx(0)


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_the_matrix_is_symmetric_and_averages_to_the_excess(scores):
    pairs = pair_oracles(scores)
    matrix = excess_matrix(pairs)
    assert np.array_equal(matrix, matrix.T)
    assert np.all(np.diagonal(matrix) == 0)
    assert different_sizes(matrix) == pytest.approx(size_excess(pairs))


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_interaction_is_the_covariance_of_numpy(scores):
    scales, phases = scores.shape[:2]
    covariances = np.cov(scores.reshape(scales * phases, -1), bias=True)
    blocks = covariances.reshape(scales, phases, scales, phases)
    pairs = [(j, k) for j in range(phases) for k in range(phases) if j != k]
    within = np.mean([blocks[w, j, w, k] for w in range(scales) for j, k in pairs])
    between = np.mean(
        [blocks[w, j, v, k] for w in range(scales) for v in range(scales) if v != w for j, k in pairs]
    )
    assert interaction(scores) == pytest.approx(within - between)
