import numpy as np

from chunkgap.measures.diagnostics import diversity

from .spans import retrieved


def test_documents_and_regions_of_each_query():
    found = diversity(retrieved([("a", 0, 10), ("b", 0, 10), ("a", 10, 20), ("a", 40, 50)], [("b", 0, 1)]))
    assert found.documents.tolist() == [2, 1]
    assert found.regions.tolist() == [3, 1]  # a[0, 20), a[40, 50), b[0, 10)


def test_redundancy_is_one_without_overlap_and_rises_with_it():
    found = diversity(retrieved([("a", 0, 10), ("a", 10, 20)], [("a", 0, 10), ("a", 5, 15)]))
    assert found.redundancy.tolist() == [1, 20 / 15]


def test_no_results_have_no_redundancy_and_come_from_nowhere():
    found = diversity(retrieved([], [("a", 0, 5)]))
    np.testing.assert_array_equal(found.redundancy, [np.nan, 1])
    assert found.documents.tolist() == [0, 1]
    assert diversity(retrieved([])).documents.tolist() == [0]
