import numpy as np

from chunkgap.measures.success import success


def test_one_relevant_document_is_enough():
    grades = np.array([[0, 0.5], [0, 0]])
    assert success(grades, np.array([9, 1])).tolist() == [1, 0]


def test_no_relevant_document_is_undefined_and_no_result_is_zero():
    np.testing.assert_array_equal(success(np.zeros((2, 0)), np.array([0, 3])), [np.nan, 0])
