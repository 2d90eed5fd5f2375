"""Draws are made once for each set of queries."""

import numpy as np

from chunkgap.statistics import Draws, Resampling, cluster_folds

CLUSTERS = np.arange(40) // 2


def test_the_same_queries_share_one_draw_which_is_that_of_their_clusters():
    draws = Draws(CLUSTERS, resamples=60, seed=5)
    everyone, half = np.ones(40, dtype=bool), np.arange(40) < 20
    assert draws.of(everyone) is draws.of(everyone.copy())
    expected = Resampling.draw(CLUSTERS[half], resamples=60, seed=5)
    assert np.array_equal(draws.of(half).weights, expected.weights)


def test_folds_are_those_of_the_queries_asked_for():
    draws, half = Draws(CLUSTERS, seed=5, folds=3), np.arange(40) < 20
    assert np.array_equal(draws.folds(half), cluster_folds(CLUSTERS[half], folds=3, seed=5))
