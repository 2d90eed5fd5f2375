from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.measures.ndcg import ndcg


def test_gain_is_the_grade_and_the_first_rank_is_not_discounted():
    score = ndcg(np.array([[1.0, 0.0, 3.0]]), np.array([[3.0, 1.0]]), ideal_cut=3)
    assert score == pytest.approx([(1 / log2(2) + 3 / log2(4)) / (3 / log2(2) + 1 / log2(3))])


def test_the_ideal_ranking_is_cut_too():
    assert ndcg(np.array([[3.0]]), np.array([[3.0, 1.0]]), ideal_cut=1).tolist() == [1]
    uncut = ndcg(np.array([[3.0]]), np.array([[3.0, 1.0]]), ideal_cut=None)
    assert uncut == pytest.approx([3 / (3 + 1 / log2(3))])


def test_no_relevant_document_is_undefined_and_no_result_is_zero():
    np.testing.assert_array_equal(ndcg(np.zeros((2, 0)), np.array([[0.0], [2.0]]), ideal_cut=5), [np.nan, 0])
    np.testing.assert_array_equal(ndcg(np.zeros((1, 3)), np.zeros((1, 0)), ideal_cut=5), [np.nan])


@given(grades=st.lists(st.floats(0.01, 10), min_size=1, max_size=20), padding=st.integers(0, 9))
def test_the_ideal_ranking_scores_exactly_one_whatever_stands_behind_it(grades, padding):
    ideal = np.sort([grades])[:, ::-1]
    ranked = np.pad(ideal, ((0, 0), (0, padding)))
    assert ndcg(ranked, ideal, ideal_cut=None).tolist() == [1]
