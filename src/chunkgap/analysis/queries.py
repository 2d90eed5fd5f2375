"""Query by query: scores, ranks, which scale wins, and what the best fixed scale loses."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.scores import Floats, first_relevant
from chunkgap.results import Loss, PerQuery, QueryScores, Wins

MOST_LOSSES = 50
"""How many of the queries that the best fixed scale loses are listed; all of them are counted."""


def per_query(
    endpoints: Sequence[Endpoint], retrieval: Retrieval, fused: Fused, clusters: NDArray[np.intp]
) -> PerQuery:
    """Every query's scores at every endpoint, and the ranks of its first relevant document."""
    queries = retrieval.labels.queries
    return PerQuery(
        query_ids=tuple(query.query_id for query in queries),
        texts=tuple(query.text for query in queries),
        tags=tuple(dict(query.tags) for query in queries),
        clusters=tuple(clusters.tolist()),
        relevant=tuple(retrieval.labels.judgements.relevant.tolist()),
        scores={
            f"{endpoint.measure}@{endpoint.cutoff}": QueryScores(
                tuple(_numbers(scores) for scores in endpoint.all_scores[:, 0]),
                _numbers(endpoint.fused[fused.name]),
            )
            for endpoint in endpoints
        },
        ranks=tuple(first_relevant(run.documents.document, retrieval.labels) for run in retrieval.first),
        fused_ranks=first_relevant(fused.ranking.document, retrieval.labels),
    )


def count_wins(endpoint: Endpoint, names: Sequence[str]) -> Wins:
    """How many queries each scale alone answers best, of those that the measure is defined for."""
    scores = endpoint.scores[:, 0]
    highest = scores.max(axis=0)
    found, at_highest = highest > 0, scores == highest
    alone = found & (at_highest.sum(axis=0) == 1)
    return Wins(
        alone={name: int((alone & at_highest[row]).sum()) for row, name in enumerate(names)},
        tied=int((found & ~alone).sum()),
        none=int((~found).sum()),
    )


def find_losses(
    endpoint: Endpoint, queries: PerQuery, names: Sequence[str], best_fixed: int
) -> tuple[Loss, ...]:
    """The queries that the best fixed scale loses to another, the strongest first.

    Stronger is the larger difference of the measure, then the better rank at the other scale, then the worse one at the
    best fixed scale.
    """
    scores = np.nan_to_num(endpoint.all_scores[:, 0], nan=0.0)
    winner = _winners(scores, queries.ranks)
    lost = np.flatnonzero(scores[winner, np.arange(scores.shape[1])] > scores[best_fixed])
    losses = [
        Loss(
            query_id=queries.query_ids[row],
            text=queries.texts[row],
            best_fixed_value=float(scores[best_fixed, row]),
            best_fixed_rank=queries.ranks[best_fixed][row],
            scale=names[winner[row]],
            value=float(scores[winner[row], row]),
            rank=queries.ranks[winner[row]][row],
        )
        for row in lost.tolist()
    ]
    return tuple(sorted(losses, key=_strength))


def _winners(scores: Floats, ranks: Sequence[Sequence[int | None]]) -> NDArray[np.intp]:
    """The scale with the highest score of each query; ties go to the better rank, then to the earlier scale."""
    places = np.array([[np.inf if rank is None else rank for rank in row] for row in ranks])
    best_first = np.lexsort((places, -scores), axis=0)
    return np.asarray(best_first[0])


def _strength(loss: Loss) -> tuple[float, float, float, str]:
    unseen = float("inf")
    return (
        loss.best_fixed_value - loss.value,
        loss.rank or unseen,
        -(loss.best_fixed_rank or unseen),
        loss.query_id,
    )


def _numbers(scores: Floats | None) -> tuple[float | None, ...]:
    if scores is None:
        return ()
    return tuple(None if np.isnan(score) else score for score in scores.tolist())
