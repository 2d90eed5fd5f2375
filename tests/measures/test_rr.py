import numpy as np

from chunkgap.measures.rr import rr


def test_the_first_relevant_document_decides():
    grades = np.array([[0, 0, 1, 5], [2, 0, 0, 0], [0, 0, 0, 0]], float)
    assert rr(grades, np.array([2, 1, 1])).tolist() == [1 / 3, 1 / 1, 0]


def test_no_relevant_document_is_undefined_and_no_result_is_zero():
    np.testing.assert_array_equal(rr(np.zeros((2, 0)), np.array([0, 3])), [np.nan, 0])
