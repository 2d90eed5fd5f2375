import numpy as np

from chunkgap.measures.recall import recall


def test_share_of_the_relevant_documents_whatever_their_grade():
    grades = np.array([[0, 3, 0, 1], [1, 0, 0, 0]], float)
    assert recall(grades, np.array([4, 1])).tolist() == [2 / 4, 1 / 1]


def test_more_relevant_documents_than_the_cutoff_keep_recall_below_one():
    assert recall(np.ones((1, 2)), np.array([4])).tolist() == [2 / 4]


def test_no_relevant_document_is_undefined_and_no_result_is_zero():
    np.testing.assert_array_equal(recall(np.zeros((2, 0)), np.array([0, 3])), [np.nan, 0])
