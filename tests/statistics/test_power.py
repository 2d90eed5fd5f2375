"""Standard errors and power."""

import math

import numpy as np
import pytest
from scipy import stats

from chunkgap.statistics import Resampling, power, standard_error
from chunkgap.statistics.power import detection_probability


def test_standard_error_of_independent_queries_is_the_textbooks():
    differences = np.random.default_rng(0).normal(size=50)
    assert standard_error(differences, np.arange(50)) == pytest.approx(stats.sem(differences))


def test_queries_that_move_together_count_as_one():
    differences = np.array([1.0, 1, 0, 0, 1, 1])
    paired = standard_error(differences, np.array([0, 0, 1, 1, 2, 2]))
    assert paired == pytest.approx(stats.sem([1.0, 0, 1]))


def test_standard_error_agrees_with_the_bootstrap_of_unequal_clusters():
    generator = np.random.default_rng(1)
    clusters = generator.integers(0, 60, 400)
    differences = generator.normal(size=60)[clusters] + generator.normal(size=400)
    resampling = Resampling.draw(clusters, resamples=4000)
    drawn = resampling.standard_error(resampling.mean(differences))
    assert standard_error(differences, clusters) == pytest.approx(drawn, rel=0.08)


def test_one_cluster_has_no_error_and_no_power():
    assert math.isnan(standard_error(np.array([0.0, 1]), np.zeros(2, dtype=int)))
    result = power(math.nan, clusters=1, queries=2, min_gain=0.02)
    assert math.isnan(result.detectable)
    assert result.queries_needed is None


def test_detectable_difference_is_two_point_eight_errors_with_many_clusters():
    result = power(0.01, clusters=100_000, queries=1000, min_gain=0.02)
    assert result.detectable == pytest.approx(0.01 * (1.96 + 0.8416), abs=1e-4)
    assert result.queries_needed == math.ceil(1000 * (result.detectable / 0.02) ** 2)


def test_few_clusters_detect_less():
    few, many = (power(0.01, clusters=count, queries=100, min_gain=0.02).detectable for count in (5, 500))
    assert few > many


def test_the_detectable_difference_is_detected_in_four_of_five():
    result = power(0.03, clusters=40, queries=200, min_gain=0.02)
    assert detection_probability(result.detectable, 0.03, clusters=40) == pytest.approx(0.8)


def test_runs_that_never_differ_do_not_tell_what_could_be_seen():
    found = power(0.0, clusters=10, queries=50, min_gain=0.02)
    assert math.isnan(found.detectable)
    assert found.queries_needed is None
    assert detection_probability(0.1, 0.0, clusters=10) == 1
    assert detection_probability(0.0, 0.0, clusters=10) == 0
