"""What a hit scores: the one place where vectors become cosines, the same for every kind of index.

Matrix products and distances of a library differ in their last bits with the batch, the threads and the
processor, so they only propose candidates. A proposed pair is scored here in float64, where the order of
additions moves nothing that survives the rounding of `ranking`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Hits
from chunkgap.ranking import order, rounded

UNDEFINED = -2.0
"""The score of a pair with a zero vector, whose cosine is undefined: below every cosine.

A zero row therefore comes after every row with a cosine, and a zero query finds all rows tied, in row order.
"""

MARGIN = 1e-5
"""Further below a proposed score than float32 products and the rounding can be wrong."""

_PAIRS_AT_ONCE = 2048


def pair_scores(
    queries: NDArray[np.float32],
    vectors: NDArray[np.float32],
    query: NDArray[np.integer],
    row: NDArray[np.integer],
) -> NDArray[np.float64]:
    """Score pairs of unit (or zero) vectors.

    Args:
        queries: (Q, d).
        vectors: (n, d).
        query: (p,) position of each pair's query.
        row: (p,) position of its vector.

    Returns:
        (p,) rounded cosines in [-1, 1], or `UNDEFINED`.
    """
    scores = np.empty(len(query))
    for start in range(0, len(query), _PAIRS_AT_ONCE):
        pairs = slice(start, start + _PAIRS_AT_ONCE)
        scores[pairs] = np.einsum("pd,pd->p", queries[query[pairs]], vectors[row[pairs]], dtype=np.float64)
    undefined = np.logical_not(np.any(queries, axis=1))[query]
    near_zero = np.flatnonzero(
        scores == 0
    )  # only these can be zero rows: looking through all would cost more
    undefined[near_zero] |= ~np.any(vectors[row[near_zero]], axis=1)
    return np.where(undefined, UNDEFINED, np.clip(rounded(scores), -1, 1))


def search_defined(
    queries: NDArray[np.float32], depth: int, search: Callable[[NDArray[np.float32], int], Hits]
) -> Hits:
    """Search for the queries that have a vector; the others find the first `depth` rows, all `UNDEFINED`.

    Args:
        queries: (Q, d).
        depth: k, not above the number of rows; 0 searches for nothing.
        search: From (q, d) queries with a vector and k to their hits, both (q, k).
    """
    rows = np.tile(np.arange(depth, dtype=np.int32), (len(queries), 1))
    scores = np.full(rows.shape, UNDEFINED)
    defined = np.flatnonzero(queries.any(axis=1))
    if len(defined) and depth:
        rows[defined], scores[defined] = search(queries[defined], depth)
    return rows, scores


def best_of(
    query: NDArray[np.integer],
    row: NDArray[np.integer],
    score: NDArray[np.float64],
    *,
    queries: int,
    depth: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The first `depth` candidates of every query in the one order.

    Args:
        query: (p,) query of each candidate, in any order; every query has at least `depth` of them.
        row: (p,) its row in the index.
        score: (p,) its score.
        queries: Q.
        depth: k.

    Returns:
        Rows int32 (Q, k) and their scores float64 (Q, k).
    """
    sequence = order(score, row, query)
    starts = np.searchsorted(query[sequence], np.arange(queries))
    best = sequence[starts[:, None] + np.arange(depth)]
    return row[best].astype(np.int32), score[best]
