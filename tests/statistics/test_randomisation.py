"""The sign-flip test and Holm's correction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from chunkgap.statistics import holm, randomisation, sign_flip


def test_three_equal_differences_by_hand():
    # of +++ ++- +-+ ... --- only the first and the last reach a total of 3
    assert sign_flip(np.array([1.0, 1, 1]), np.arange(3)).tolist() == [2 / 8]


def test_clusters_flip_as_one():
    assert sign_flip(np.array([1.0, 1, 1]), np.array([0, 0, 1])).tolist() == [2 / 4]
    assert sign_flip(np.array([1.0, 1, 1]), np.zeros(3, dtype=int)).tolist() == [1.0]


def test_no_difference_is_no_evidence():
    assert sign_flip(np.zeros(30), np.arange(30), resamples=100).tolist() == [1.0]


def test_both_directions_count():
    differences = np.array([0.5, 0.2, -0.1, 0.7])
    assert sign_flip(differences, np.arange(4)) == sign_flip(-differences, np.arange(4))


def test_exact_p_equals_scipys():
    differences = np.random.default_rng(2).normal(0.3, 1.0, 10)
    scipys = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(differences, np.arange(10))[0] == pytest.approx(scipys.pvalue)


def test_drawn_p_is_close_to_scipys_and_never_zero():
    differences = np.random.default_rng(4).normal(0.3, 1.0, 40)
    scipys = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(0)
    )
    assert sign_flip(differences, np.arange(40), resamples=20_000)[0] == pytest.approx(
        scipys.pvalue, abs=0.01
    )
    assert sign_flip(np.ones(40), np.arange(40), resamples=99)[0] == 1 / 100


def test_comparisons_are_tested_side_by_side():
    differences = np.random.default_rng(5).normal(size=(3, 50))
    together = sign_flip(differences, np.arange(50), resamples=500)
    assert together.tolist() == [sign_flip(row, np.arange(50), resamples=500)[0] for row in differences]


def test_same_seed_same_p():
    differences = np.random.default_rng(6).normal(size=60)
    assert sign_flip(differences, np.arange(60), seed=1) == sign_flip(differences, np.arange(60), seed=1)


def test_holm_by_hand():
    # sorted 0.01, 0.02, 0.03, 0.5: 4 * 0.01, 3 * 0.02, 2 * 0.03, 1 * 0.5
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx((0.06, 0.04, 0.5, 0.06))


def test_holm_never_exceeds_one_nor_falls_below_a_smaller_p():
    assert holm([0.4, 0.6]) == (0.8, 0.8)
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=8))
def test_holm_lies_between_the_p_values_and_bonferroni(p_values):
    for p, corrected in zip(p_values, holm(p_values), strict=True):
        assert p <= corrected <= min(1.0, p * len(p_values)) or corrected == max(holm(p_values))


def test_what_is_drawn_does_not_depend_on_the_blocks(monkeypatch):
    differences = np.random.default_rng(3).normal(0.1, 1, (2, 31))
    whole = sign_flip(differences, np.arange(31), resamples=999)
    monkeypatch.setattr(randomisation, "_BLOCK_SIGNS", 400)
    assert sign_flip(differences, np.arange(31), resamples=999).tolist() == whole.tolist()
