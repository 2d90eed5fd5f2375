"""Headroom as one record."""

import numpy as np
import pytest

from chunkgap.oracle import oracle_gap, reproducible_gap
from chunkgap.records import Interval
from chunkgap.size_excess import pair_oracles, size_excess
from chunkgap.statistics import Resampling, headroom


@pytest.fixture
def scores():
    """Three scales, two phases, 60 queries; each scale serves its own third of them, with luck."""
    generator = np.random.default_rng(0)
    own = np.arange(60) % 3 == np.arange(3)[:, None]
    return (generator.random((3, 2, 60)) < np.where(own, 0.9, 0.3)[:, None]).astype(float)


@pytest.fixture
def resampling():
    return Resampling.draw(np.arange(60) // 2, resamples=500)


def test_estimates_are_those_of_the_oracle(scores, resampling):
    room = headroom(scores, [3, 2, 1], resampling)
    assert room.raw_gap.estimate == pytest.approx(float(oracle_gap(scores[:, 0])))
    assert room.corrected.reproducible_gap.estimate == pytest.approx(
        float(reproducible_gap(scores, [3, 2, 1]))
    )
    assert room.corrected.size_excess.estimate == pytest.approx(float(size_excess(pair_oracles(scores))))
    assert room.means[room.best_fixed] == room.best_fixed_mean or room.best_fixed_mean.estimate == max(
        mean.estimate for mean in room.means
    )
    assert room.oracle.estimate - room.best_fixed_mean.estimate == pytest.approx(room.raw_gap.estimate)


def test_a_real_effect_is_found(scores, resampling):
    corrected = headroom(scores, [3, 2, 1], resampling).corrected
    assert corrected.interaction.low > 0
    assert corrected.size_excess.estimate == pytest.approx(
        corrected.different_sizes.estimate - corrected.same_size.estimate
    )


def test_one_phase_leaves_the_gap_uncorrected(scores, resampling):
    room = headroom(scores[:, :1], [3, 2, 1], resampling)
    assert room.corrected is None
    assert room.raw_gap.estimate > 0


def test_one_scale_has_a_gap_of_zero_and_no_excess(scores, resampling):
    room = headroom(scores[:1], [3], resampling)
    assert room.raw_gap == Interval(0.0, 0.0, 0.0)
    assert room.corrected.reproducible_gap == Interval(0.0, 0.0, 0.0)
    assert room.corrected.size_excess is None
    assert room.corrected.excess_matrix is None
    assert room.corrected.mean_gap is None


def test_the_matrix_is_symmetric_with_a_diagonal_of_zero(scores, resampling):
    matrix = headroom(scores, [3, 2, 1], resampling).corrected.excess_matrix
    assert matrix[0][1] == matrix[1][0]
    assert all(matrix[row][row] == Interval(0.0, 0.0, 0.0) for row in range(3))


def test_three_phases_of_two_scales_have_no_like_for_like_gap(resampling):
    corrected = headroom(np.zeros((2, 3, 60)), [2, 1], resampling).corrected
    assert corrected.mean_gap is None
    assert len(corrected.placebo_gaps) == 2


def test_sizes_that_are_phases_of_one_size_have_a_raw_gap_and_nothing_else():
    generator = np.random.default_rng(7)
    latent = generator.random(200)
    luck = (generator.random((3, 2, 200)) < latent).astype(float)
    room = headroom(luck, [1, 1, 1], Resampling.draw(np.arange(200) // 4, resamples=500))
    assert room.raw_gap.low > 0.05
    assert room.corrected.reproducible_gap.contains(0)
    assert room.corrected.interaction.contains(0)


def test_the_worked_example_of_the_documentation():
    small, large = [[1.0, 0, 1, 0], [1, 0, 0, 0]], [[0.0, 1, 1, 0], [0, 1, 0, 1]]
    room = headroom(np.array([small, large]), [40, 10], Resampling.draw(np.arange(4), resamples=50))
    corrected = room.corrected
    assert room.raw_gap.estimate == 3 / 4 - 2 / 4
    assert [gap.estimate for gap in corrected.placebo_gaps] == [2 / 4 - 2 / 4, 3 / 4 - 2 / 4]
    assert corrected.same_size.estimate == (2 / 4 + 3 / 4) / 2
    assert corrected.different_sizes.estimate == (4 / 4 + 3 / 4) / 2
    assert corrected.size_excess.estimate == 0.875 - 0.625
    assert corrected.interaction.estimate == (1 / 8 + 0) / 2 - (-1 / 4 - 1 / 8) / 2
    assert corrected.reproducible_gap.estimate == ((3 / 4 - 2 / 4) + (3 / 4 - 2 / 4)) / 2
