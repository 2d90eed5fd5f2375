"""The oracle, by hand and by its properties."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from chunkgap.oracle import (
    best_fixed,
    best_fixed_mean,
    chance_level,
    choose,
    cross_fitted,
    cross_fitted_scores,
    mean_gap,
    oracle_gap,
    oracle_mean,
    placebo_gaps,
    reproducible_gap,
)

GRADES = st.sampled_from([0.0, 0.5, 1.0])


SCORES = st.tuples(st.integers(1, 4), st.just(2), st.integers(4, 12)).flatmap(
    lambda shape: arrays(float, shape, elements=GRADES)
)
"""Score arrays `(scales, phases, queries)` full of ties."""

TWO_SIZES = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0]])


def test_two_sizes_by_hand():
    assert best_fixed_mean(TWO_SIZES) == (1 + 0 + 1 + 0) / 4
    assert oracle_mean(TWO_SIZES) == (1 + 1 + 1 + 0) / 4
    assert oracle_gap(TWO_SIZES) == 0.75 - 0.5


def test_best_fixed_tie_goes_to_fewer_vectors_then_to_the_earlier_row():
    assert best_fixed(TWO_SIZES, vectors=[40, 10]) == 1
    assert best_fixed(TWO_SIZES, vectors=[10, 40]) == 0
    assert best_fixed(TWO_SIZES, vectors=[10, 10]) == 0


def test_a_better_mean_beats_fewer_vectors():
    assert best_fixed(np.array([[1.0, 1], [1, 0]]), vectors=[100, 1]) == 0


def test_means_that_differ_by_rounding_are_tied():
    assert choose(np.array([0.1 + 0.2, 0.3]), vectors=[9, 1]) == 1


def test_gap_is_zero_when_one_scale_wins_every_query():
    assert oracle_gap(np.array([[1.0, 0.5, 0.2], [0.9, 0.5, 0.1]])) == 0


def test_gap_of_one_scale_is_exactly_zero():
    gap = float(oracle_gap(np.array([[1.0, 1 / 3, 0]])))
    assert gap == 0
    assert not np.signbit(gap)


def test_placebo_gap_is_the_gap_over_one_sizes_phases():
    scores = np.array([TWO_SIZES, [[1.0, 1, 0, 0], [1, 0, 0, 0]]])
    # size 1: max 3/4, best phase 2/4; size 2: max 2/4, best phase 2/4
    assert placebo_gaps(scores).tolist() == [0.25, 0.0]


def test_mean_gap_averages_the_gaps_of_every_set():
    scores = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]])
    pairs = [oracle_gap(scores[list(rows)]) for rows in combinations(range(3), 2)]
    assert mean_gap(scores, 2) == pytest.approx(sum(pairs) / 3)
    assert mean_gap(scores, 3) == oracle_gap(scores)


def test_mean_gap_needs_as_many_scales_as_members():
    with pytest.raises(ValueError, match="at least 3 scales, got 2"):
        mean_gap(TWO_SIZES, 3)


def test_reproducible_gap_by_hand():
    scores = np.array(
        [
            [[1.0, 0, 1, 0], [1, 0, 0, 0]],  # size 1: means 2/4 and 1/4
            [[0.0, 1, 0, 1], [0, 1, 1, 1]],  # size 2: means 2/4 and 3/4
        ]
    )
    # chosen on phase 0: sizes 1, 2, 1, 2, no tie; scored on phase 1: 1, 1, 0, 1 = 3/4.
    # best fixed there: a tie, size 2 has fewer vectors; its phase 1: 3/4. Difference 0.
    # chosen on phase 1: sizes 1, 2, 2, 2; scored on phase 0: 1, 1, 0, 1 = 3/4; best fixed size 2: 2/4.
    assert reproducible_gap(scores, vectors=[40, 10]) == (0 + (3 / 4 - 2 / 4)) / 2


def test_reproducible_gap_breaks_a_querys_tie_by_the_better_mean():
    scores = np.array(
        [
            [[1.0, 0, 0], [1, 0, 0]],
            [[1.0, 0, 1], [0, 1, 1]],  # the better mean in both phases: 2/3 against 1/3
        ]
    )
    # phase 0 ties queries 1 and 2: both go to size 2, which scores 0 and 1; query 3 to size 2: 1. Mean 2/3.
    # phase 1 has no tie: sizes 1, 2, 2; scored on phase 0: 1, 0, 1. Mean 2/3. Best fixed: size 2, twice 2/3.
    assert reproducible_gap(scores, vectors=[1, 1]) == pytest.approx(0)


def test_reproducible_gap_is_the_raw_gap_when_phases_agree():
    scores = np.repeat(TWO_SIZES[:, None], 2, axis=1)
    assert reproducible_gap(scores, vectors=[1, 1]) == oracle_gap(TWO_SIZES)


def test_four_phases_are_halved_by_even_and_odd():
    generator = np.random.default_rng(0)
    scores = generator.integers(0, 2, (3, 4, 30)).astype(float)
    halves = np.stack([scores[:, [0, 2]].mean(axis=1), scores[:, [1, 3]].mean(axis=1)], axis=1)
    assert reproducible_gap(scores, [3, 2, 1]) == reproducible_gap(halves, [3, 2, 1])


def test_reproducible_gap_needs_two_phases():
    with pytest.raises(ValueError, match="at least 2 phases, got 1"):
        reproducible_gap(TWO_SIZES[:, None], [1, 1])


def test_cross_fitted_chooses_without_the_fold_it_scores():
    folds = np.array([0, 0, 1, 1])
    scores = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])
    # fold 0 is scored at the scale that won fold 1, and the other way round: always the wrong one.
    assert cross_fitted_scores(scores, folds, [1, 1]).tolist() == [0, 0, 0, 0]
    assert cross_fitted(scores, folds, [1, 1]) == 0


def test_cross_fitted_with_one_fold_falls_to_the_tie_rule():
    assert cross_fitted(np.array([[1.0, 1], [0, 0]]), np.array([0, 0]), vectors=[9, 1]) == 0


def test_chance_level_is_the_cutoffs_share_of_the_documents():
    assert chance_level(200, 10) == 10 / 200
    assert chance_level(3, 10) == 1


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_oracle_is_at_least_every_scale(scores):
    first = scores[:, 0]
    assert np.all(oracle_mean(first) >= first.mean(axis=1))
    assert oracle_gap(first) >= 0


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_copies_of_one_scale_leave_every_gap_at_zero(scores):
    copies = np.repeat(scores[:1, :1], 3, axis=0).repeat(2, axis=1)
    assert oracle_gap(copies[:, 0]) == 0
    assert reproducible_gap(copies, [3, 2, 1]) == 0
    assert placebo_gaps(copies).tolist() == [0, 0, 0]


@settings(max_examples=50, deadline=None)
@given(SCORES, st.randoms())
def test_the_order_of_queries_does_not_matter(scores, random):
    order = list(range(scores.shape[2]))
    random.shuffle(order)
    vectors = list(range(len(scores)))
    assert reproducible_gap(scores[..., order], vectors) == pytest.approx(reproducible_gap(scores, vectors))


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_a_scale_that_is_never_better_changes_nothing(scores):
    worse = np.concatenate([scores, np.zeros((1, *scores.shape[1:]))])
    assert oracle_gap(worse[:, 0]) == oracle_gap(scores[:, 0])


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_cross_fitted_is_the_mean_of_its_scores_and_at_most_the_oracle(scores):
    first, folds = scores[:, 0], np.arange(scores.shape[2]) % 3
    vectors = [1] * len(first)
    value = cross_fitted(first, folds, vectors)
    assert value == pytest.approx(cross_fitted_scores(first, folds, vectors).mean())
    assert value <= oracle_mean(first) + 1e-12
