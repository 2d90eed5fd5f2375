"""The bootstrap: what it resamples, its intervals, and that nothing is left out of a resample."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from chunkgap.oracle import (
    best_fixed_mean,
    cross_fitted,
    mean_gap,
    oracle_gap,
    placebo_gaps,
    reproducible_gap,
)
from chunkgap.records import Interval
from chunkgap.size_excess import interaction, pair_oracles
from chunkgap.statistics import Resampling, cluster_folds, resampling

SCORES = st.tuples(st.integers(2, 4), st.just(2), st.just(9)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0.0, 0.5, 1.0]))
)
CLUSTERS = np.array([4, 0, 0, 7, 7, 7, 2, 4, 1])


def repeated(clusters, weights):
    """The queries of one resample, each as often as its cluster was drawn."""
    return np.repeat(np.arange(len(clusters)), weights[clusters].astype(int))


def test_estimate_is_the_plain_mean():
    resampling = Resampling.draw(np.array([0, 0, 1]), resamples=10)
    assert resampling.interval(resampling.mean(np.array([1.0, 0, 1]))).estimate == pytest.approx(2 / 3)


def test_queries_of_a_cluster_are_drawn_together():
    resampling = Resampling.draw(np.array([0, 0, 1, 1, 2]), resamples=50)
    per_query = np.eye(5)
    means = resampling.mean(per_query)
    assert np.array_equal(means[:, 0], means[:, 1])
    assert np.array_equal(means[:, 2], means[:, 3])


def test_every_resample_draws_as_many_clusters_as_there_are():
    weights = Resampling.draw(np.arange(30), resamples=200).weights
    assert weights.shape == (201, 30)
    assert np.all(weights.sum(axis=1) == 30)
    assert len(np.unique(weights, axis=0)) > 190


def test_a_mean_counts_queries_not_clusters():
    resampling = Resampling.draw(np.array([0, 0, 0, 1]), resamples=200)
    means = set(np.round(resampling.mean(np.array([1.0, 1, 1, 0])), 6))
    assert means == {0.0, 0.75, 1.0}  # cluster 1 twice, each once, cluster 0 twice


@settings(max_examples=30, deadline=None)
@given(SCORES, st.integers(0, 2**16))
def test_a_resample_is_the_statistic_of_the_repeated_queries(scores, seed):
    resampling = Resampling.draw(CLUSTERS, resamples=5, seed=seed)
    folds, vectors = cluster_folds(CLUSTERS), [4, 3, 2, 1][: len(scores)]
    statistics = {
        "raw": lambda over: oracle_gap(scores[:, 0], over),
        "placebo": lambda over: placebo_gaps(scores, over),
        "sets": lambda over: mean_gap(scores[:, 0], 2, over),
        "reproducible": lambda over: reproducible_gap(scores, vectors, over),
        "pairs": lambda over: pair_oracles(scores, over),
        "interaction": lambda over: interaction(scores, over),
        "cross-fitted": lambda over: cross_fitted(scores[:, 0], folds, vectors, over),
    }
    rows = {name: statistic(resampling) for name, statistic in statistics.items()}
    for row, weights in enumerate(resampling.weights):
        queries = repeated(resampling.clusters, weights)
        drawn = scores[..., queries]
        assert rows["raw"][row] == pytest.approx(oracle_gap(drawn[:, 0]))
        assert rows["placebo"][row] == pytest.approx(placebo_gaps(drawn))
        assert rows["sets"][row] == pytest.approx(mean_gap(drawn[:, 0], 2))
        assert rows["reproducible"][row] == pytest.approx(reproducible_gap(drawn, vectors))
        assert rows["pairs"][row] == pytest.approx(pair_oracles(drawn))
        assert rows["interaction"][row] == pytest.approx(interaction(drawn))
        assert rows["cross-fitted"][row] == pytest.approx(cross_fitted(drawn[:, 0], folds[queries], vectors))


def test_the_best_fixed_scale_is_chosen_anew_in_every_resample():
    scores = np.array([[1.0, 1, 1, 0], [0, 0, 0, 1]])
    resampling = Resampling.draw(np.arange(4), resamples=500)
    best = best_fixed_mean(scores, resampling)
    by_scale = resampling.mean(scores)
    assert np.array_equal(best, by_scale.max(axis=1))
    assert np.any(by_scale[:, 1] > by_scale[:, 0])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_equal_scipys(method):
    sample = np.random.default_rng(3).gamma(1.0, size=40)
    resampling = Resampling.draw(np.arange(40), resamples=2000, seed=5, method=method)
    ours = resampling.interval(resampling.mean(sample), floor=-9, ceiling=9)
    scipys = stats.bootstrap(
        (sample,), np.mean, n_resamples=2000, method=method, rng=np.random.default_rng(5)
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((scipys.low, scipys.high), abs=1e-9)


def test_the_standard_interval_is_the_t_interval_of_a_mean():
    sample = np.random.default_rng(3).normal(0.5, 0.1, size=40)
    resampling = Resampling.draw(np.arange(40), resamples=20_000)
    ours = resampling.interval(resampling.mean(sample))
    error = sample.std(ddof=0) / math.sqrt(40)
    low, high = stats.t.interval(0.95, 39, sample.mean(), error)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.001)


def test_more_confidence_widens_the_interval():
    values = np.random.default_rng(0).random(30)
    wide, narrow = (Resampling.draw(np.arange(30), resamples=500, confidence=c) for c in (0.99, 0.8))
    wider, narrower = wide.interval(wide.mean(values)), narrow.interval(narrow.mean(values))
    assert wider.low < narrower.low < narrower.high < wider.high


def test_an_interval_is_cut_at_the_values_that_can_be():
    resampling = Resampling.draw(np.arange(5), resamples=200)
    interval = resampling.interval(resampling.mean(np.array([1.0, 1, 1, 1, 0])), floor=0.0)
    assert interval.high == 1.0


@pytest.mark.parametrize("method", ["standard", "percentile", "bca"])
def test_one_cluster_has_no_interval(method):
    resampling = Resampling.draw(np.zeros(5, dtype=int), resamples=20, method=method)
    interval = resampling.interval(resampling.mean(np.array([1.0, 0, 0, 0, 0])))
    assert interval.estimate == pytest.approx(0.2)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert math.isnan(resampling.standard_error(resampling.mean(np.ones(5))))


@pytest.mark.parametrize("method", ["standard", "percentile", "bca"])
def test_a_statistic_that_never_changes_has_an_interval_of_no_width(method):
    resampling = Resampling.draw(np.arange(6), resamples=50, method=method)
    third = resampling.mean(np.full(6, 1 / 3))
    assert resampling.interval(third - third) == Interval(0.0, 0.0, 0.0)
    interval = resampling.interval(third)
    assert interval.low == interval.estimate == interval.high == pytest.approx(1 / 3)


def test_bca_survives_resamples_all_on_one_side():
    resampling = replace(Resampling.draw(np.arange(4), resamples=3, method="bca"), resamples=3)
    interval = resampling.interval(np.array([0.9, 0.1, 0.2, 0.3, 0.5, 0.5, 0.6, 0.4]))
    assert 0.1 <= interval.low <= interval.high <= 0.3


def test_same_seed_same_bytes_other_seed_other_resamples():
    values = np.random.default_rng(0).random((3, 25))
    first, again, other = (Resampling.draw(np.arange(25), resamples=300, seed=seed) for seed in (1, 1, 2))
    assert first.mean(values).tobytes() == again.mean(values).tobytes()
    assert first.intervals(first.mean(values)) == again.intervals(again.mean(values))
    assert first.weights.tobytes() != other.weights.tobytes()


def test_resamples_do_not_depend_on_the_blocks_they_are_drawn_and_averaged_in(monkeypatch):
    values = np.random.default_rng(0).random((20, 7))
    whole = Resampling.draw(np.arange(7), resamples=1500)
    means = whole.mean(values)
    for constant in ("_BLOCK_DRAWN", "_BLOCK_WEIGHTS", "_BLOCK_COLUMNS"):
        monkeypatch.setattr(resampling, constant, 50)
    parts = Resampling.draw(np.arange(7), resamples=1500)
    assert np.array_equal(parts.weights, whole.weights)
    assert parts.mean(values) == pytest.approx(means, abs=1e-12)
    assert means == pytest.approx(whole.weights @ values.T / 7, abs=1e-12)
