"""Which sets of scales are tried, and which are worth having."""

import numpy as np
import pytest

from chunkgap.scale_sets import candidate_sets, pareto_front, smallest_within_error


def no_score(_rows):
    raise AssertionError("every set is tried; none is scored")


@pytest.mark.parametrize(("scales", "sets"), [(1, 1), (2, 3), (4, 15), (6, 63)])
def test_every_set_is_tried_up_to_six_scales(scales, sets):
    found = candidate_sets(scales, no_score)
    assert len(found) == len(set(found)) == sets
    assert found[-1] == tuple(range(scales))


def test_beyond_six_sets_grow_by_the_scale_that_helps_most():
    worth = [0, 5, 1, 0, 3, 0, 2, 0]
    found = candidate_sets(8, lambda rows: sum(worth[row] for row in rows))
    assert found[:8] == [(row,) for row in range(8)]
    assert found[8:11] == [(1, 4), (1, 4, 6), (1, 2, 4, 6)]
    assert found[-1] == tuple(range(8))
    assert len(found) == 8 + 7


def test_a_set_that_costs_more_and_finds_no_more_is_off_the_front():
    assert pareto_front([0.7, 0.7, 0.8], [10, 20, 30]).tolist() == [True, False, True]
    assert pareto_front([0.7, 0.8], [10, 10]).tolist() == [False, True]


def test_equal_sets_are_on_the_front_together():
    assert pareto_front([0.7, 0.7], [10, 10]).tolist() == [True, True]


def test_the_cheapest_set_within_one_error_of_the_best_is_chosen():
    best, close, far = np.ones((3, 100))
    best[:2], close[2:5] = 0, 0  # means 0.98 and 0.97; the error of their difference is 0.022
    far[:20] = 0  # 0.18 behind, error 0.039
    runs = np.stack([best, close, far])
    assert smallest_within_error(runs, [30, 20, 10], np.arange(100)) == 1


def test_equal_means_go_to_fewer_vectors():
    runs = np.array([[1.0, 0, 1], [1, 0, 1]])
    assert smallest_within_error(runs, [20, 10], np.arange(3)) == 1


def test_with_one_cluster_only_the_best_itself_will_do():
    runs = np.array([[1.0, 1, 1], [1, 1, 0]])
    assert smallest_within_error(runs, [20, 10], np.zeros(3, dtype=int)) == 0
