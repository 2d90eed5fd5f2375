"""Which queries belong together: clusters that resample whole, and folds made of whole clusters."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

FEW_CLUSTERS = 20
"""Below so many clusters the bootstrap is too sure of itself, and the caller warns."""


def query_clusters(relevant: Sequence[Collection[str]]) -> NDArray[np.intp]:
    """The cluster of each query: the one of its relevant documents which most queries share.

    Queries about one document succeed and fail together, so that they must be resampled together. (Joining
    all queries that share any document would end in one giant cluster where queries have several.)

    Args:
        relevant: The relevant `doc_id`s of each query. Ties go to the first `doc_id` in plain string order; a
            query without any is a cluster of its own.

    Returns:
        `(queries,)`, numbered from 0 in the order of first appearance.

    >>> query_clusters([["a", "b"], ["b"], ["a", "c"], ["b", "c"]])  # b has three queries, a and c two
    array([0, 0, 1, 0])
    """
    queries_of = Counter(doc_id for doc_ids in relevant for doc_id in set(doc_ids))
    labels: dict[tuple[str, int], int] = {}
    clusters = np.empty(len(relevant), dtype=np.intp)
    for row, doc_ids in enumerate(relevant):
        key = (min(doc_ids, key=lambda doc_id: (-queries_of[doc_id], doc_id)), -1) if doc_ids else ("", row)
        clusters[row] = labels.setdefault(key, len(labels))
    return clusters


def cluster_folds(clusters: NDArray[np.intp], *, folds: int = 5, seed: int = 13) -> NDArray[np.intp]:
    """Folds of whole clusters, about equal in queries.

    The clusters are shuffled by `seed`, then dealt out, the largest first, each to the fold with the fewest
    queries.

    Args:
        clusters: Cluster of each query, `(queries,)`, at least one query.
        folds: Folds wanted; as many as there are clusters when those are fewer.
        seed: Seed of the shuffle.

    Returns:
        Fold of each query, `(queries,)`, numbered from 0.
    """
    names, cluster_of, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    shuffled = np.random.default_rng(seed).permutation(len(names))
    largest_first = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    filled = np.zeros(min(folds, len(names)), dtype=np.intp)
    fold_of = np.empty(len(names), dtype=np.intp)
    for cluster in largest_first:
        fold_of[cluster] = np.argmin(filled)
        filled[fold_of[cluster]] += sizes[cluster]
    return fold_of[cluster_of]
