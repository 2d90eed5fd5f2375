"""Documents that a list does not show: the best chunk of each, where a cutoff counts more than the list holds.

A store that fetches a fixed number of chunks would not have fetched these at all, so exact search finds them, whatever
index the list came from. One matrix product serves all documents; asking an index for ever longer lists would
rank nearly the whole corpus where documents are few and large.
"""

import numpy as np
from numpy.typing import NDArray

from chunkgap.index.scoring import MARGIN, UNDEFINED, pair_scores
from chunkgap.ranking import PADDING, Ranking, first_of_document, order

LooseHits = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Loose hits: query, chunk and score of each, all (n,)."""

NO_HITS: LooseHits = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))

_BLOCK_BYTES = 16 << 20


def further_documents(
    ranking: Ranking,
    queries: NDArray[np.float32],
    vectors: NDArray[np.float32],
    expansion: NDArray[np.integer],
    document: NDArray[np.integer],
    wanted: NDArray[np.integer],
    own: NDArray[np.integer],
) -> LooseHits:
    """The best remaining chunk of each document that lists go without.

    A chunk above the end of its query's list is left out: the index has missed it, and a list that goes on does not go
    back.

    Args:
        ranking: The lists of Q queries.
        queries: (Q, d).
        vectors: (n, d) distinct vectors.
        expansion: (chunks,) row of each chunk's vector.
        document: (chunks,) document row of each chunk, ascending.
        wanted: (Q,) documents that each list is to show, at most as many as there are.
        own: (Q,) document row that a query must not find, -1 for none.
    """
    shown = first_of_document(ranking.document).sum(axis=1)
    short = np.flatnonzero(shown < wanted)
    hits = [NO_HITS]
    at_once = max(1, _BLOCK_BYTES // (4 * max(1, len(document))))
    for start in range(0, len(short), at_once):
        batch = short[start : start + at_once]
        products = _products(queries[batch], vectors)[:, expansion]
        products[products > _end_of_list(ranking, batch)[:, None] + MARGIN] = -np.inf
        barred = np.column_stack([ranking.document[batch], own[batch]])
        query, chunk = _candidates(products, document, barred, (wanted - shown)[batch])
        scores = pair_scores(queries[batch], vectors, query, expansion[chunk])
        best = _best_of_documents(query, chunk, scores, document, (wanted - shown)[batch])
        hits.append((batch[query[best]], chunk[best], scores[best]))
    query, chunk, score = (np.concatenate(column) for column in zip(*hits, strict=True))
    return query, chunk, score


def _products(queries: NDArray[np.float32], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines (Q, n) but for the last bits of a matrix product, and `UNDEFINED` where there is none."""
    products = queries @ vectors.T
    products[:, np.logical_not(np.any(vectors, axis=1))] = UNDEFINED
    products[np.logical_not(np.any(queries, axis=1))] = UNDEFINED
    return products


def _end_of_list(ranking: Ranking, queries: NDArray[np.intp]) -> NDArray[np.float64]:
    """Score (Q,) of the last chunk of each list, infinite where it is empty."""
    score = ranking.score[queries]
    return np.asarray(np.where(np.isneginf(score), np.inf, score).min(axis=1, initial=np.inf))


def _candidates(
    products: NDArray[np.float32],
    document: NDArray[np.integer],
    barred: NDArray[np.integer],
    missing: NDArray[np.integer],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Query and chunk of all that can be the best of one of the `missing` best documents not `barred`."""
    starts = np.flatnonzero(np.diff(document, prepend=PADDING))
    best = np.maximum.reduceat(products, starts, axis=1)
    rows, columns = np.nonzero(np.isin(barred, document))
    best[rows, np.searchsorted(document[starts], barred[rows, columns])] = -np.inf
    descending = -np.sort(-best, axis=1)
    least = descending[np.arange(len(best)), np.minimum(missing, best.shape[1]) - 1]
    chosen = (best >= least[:, None] - 2 * MARGIN) & np.isfinite(best)
    floor = np.where(chosen, best - 2 * MARGIN, np.inf)
    query, chunk = np.nonzero(products >= np.repeat(floor, np.diff(starts, append=len(document)), axis=1))
    return query, chunk


def _best_of_documents(
    query: NDArray[np.int64],
    chunk: NDArray[np.int64],
    score: NDArray[np.float64],
    document: NDArray[np.integer],
    missing: NDArray[np.integer],
) -> NDArray[np.intp]:
    """Which candidates are the best chunk of one of the `missing` best documents of their query."""
    best_first = order(score, chunk, query)
    pair = np.stack([query, document[chunk]])[:, best_first]
    _, first = np.unique(pair, axis=1, return_index=True)
    best = best_first[np.sort(first)]
    place = np.arange(len(best)) - np.searchsorted(query[best], query[best])
    return best[place < missing[query[best]]]
