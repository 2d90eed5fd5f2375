"""Clusters of queries, and folds of whole clusters."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.statistics import cluster_folds, query_clusters


def test_queries_of_one_document_are_one_cluster():
    assert query_clusters([["a"], ["b"], ["a"]]).tolist() == [0, 1, 0]


def test_a_query_belongs_to_the_document_that_most_queries_share():
    # b is shared by queries 2 to 4, a by 1 and 2 only
    assert query_clusters([["a"], ["a", "b"], ["b"], ["b"]]).tolist() == [0, 1, 1, 1]


def test_a_tie_goes_to_the_first_id_in_string_order():
    # both documents have two queries; "10" < "9" as strings
    assert query_clusters([["9", "10"], ["9"], ["10"]]).tolist() == [0, 1, 0]


def test_a_document_named_twice_by_one_query_counts_once():
    assert query_clusters([["a", "a", "b"], ["b"]]).tolist() == [0, 0]


def test_sharing_a_chain_of_documents_does_not_end_in_one_giant_cluster():
    chain = [[f"d{i}", f"d{i + 1}"] for i in range(10)]
    assert len(set(query_clusters(chain))) > 4


def test_a_query_without_relevant_documents_stands_alone():
    assert query_clusters([[], [], ["a"]]).tolist() == [0, 1, 2]


def test_folds_are_balanced_when_clusters_are_queries():
    assert np.bincount(cluster_folds(np.arange(100))).tolist() == [20] * 5


def test_a_giant_cluster_fills_a_fold_of_its_own():
    clusters = np.array([0] * 50 + list(range(1, 41)))
    folds = cluster_folds(clusters)
    assert sorted(np.bincount(folds).tolist()) == [10, 10, 10, 10, 50]


def test_there_are_never_more_folds_than_clusters():
    assert set(cluster_folds(np.array([7, 7, 9])).tolist()) == {0, 1}
    assert cluster_folds(np.array([3, 3])).tolist() == [0, 0]


def test_another_seed_deals_other_folds():
    clusters = np.arange(40)
    assert cluster_folds(clusters, seed=1).tolist() == cluster_folds(clusters, seed=1).tolist()
    assert cluster_folds(clusters, seed=1).tolist() != cluster_folds(clusters, seed=2).tolist()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=40))
def test_a_cluster_is_never_split(labels):
    folds = cluster_folds(np.array(labels))
    assert all(
        len({fold for fold, one in zip(folds, labels, strict=True) if one == label}) == 1 for label in labels
    )
    assert set(folds.tolist()) == set(range(min(5, len(set(labels)))))
