"""Gains of runs over the best fixed scale."""

import numpy as np
import pytest

from chunkgap.oracle import cross_fitted_scores
from chunkgap.records import Interval
from chunkgap.statistics import Resampling, cluster_folds, gains, gap_closed, holm

CLUSTERS = np.arange(60) // 2
FOLDS = cluster_folds(CLUSTERS)
RESAMPLING = Resampling.draw(CLUSTERS, resamples=300)
SCORES = np.random.default_rng(0).integers(0, 2, (3, 60)).astype(float)


def compare(runs, scores=SCORES):
    return gains(runs, scores, [1] * len(scores), FOLDS, RESAMPLING, min_gain=0.02)


def test_a_run_is_compared_with_the_cross_fitted_best():
    run = SCORES.max(axis=0)
    gain = compare({"oracle": run})["oracle"]
    baseline = cross_fitted_scores(SCORES, FOLDS, [1, 1, 1]).mean()
    assert gain.cross_fitted.estimate == pytest.approx(run.mean() - baseline)


def test_the_only_scale_against_itself_gains_exactly_nothing():
    gain = compare({"same": SCORES[0]}, SCORES[:1])["same"]
    assert gain.cross_fitted == Interval(0.0, 0.0, 0.0)
    assert gain.p_value == 1
    assert gain.power.queries_needed is None


def test_holm_corrects_over_all_runs():
    found = compare({"oracle": SCORES.max(axis=0), "worst": SCORES.min(axis=0), "first": SCORES[0]})
    assert list(found) == ["oracle", "worst", "first"]
    corrected = holm([gain.p_value for gain in found.values()])
    assert tuple(gain.holm_p_value for gain in found.values()) == corrected
    assert found["oracle"].holm_p_value < 0.05


def test_a_larger_set_of_runs_changes_no_interval():
    alone = compare({"oracle": SCORES.max(axis=0)})["oracle"]
    together = compare({"first": SCORES[0], "oracle": SCORES.max(axis=0)})["oracle"]
    assert alone.cross_fitted == together.cross_fitted


def test_no_runs_no_gains():
    assert compare({}) == {}


def test_share_of_the_gap_by_hand():
    scores = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0]])
    fused = np.array([1.0, 1, 1, 0])
    gap = Interval(0.25, 0.1, 0.4)
    assert gap_closed(fused, scores, [1, 1], gap) == (0.75 - 0.5) / 0.25
    assert gap_closed(scores[0], scores, [1, 1], gap) == 0
    assert gap_closed(np.zeros(4), scores, [1, 1], gap) == -2


@pytest.mark.parametrize(
    "gap", [Interval(0.0, 0.0, 0.0), Interval(0.1, 0.0, 0.2), Interval(0.1, float("nan"), float("nan"))]
)
def test_there_is_no_share_of_a_gap_that_may_be_nothing(gap):
    assert gap_closed(np.zeros(4), np.zeros((2, 4)), [1, 1], gap) is None
