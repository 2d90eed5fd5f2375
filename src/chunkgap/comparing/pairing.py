"""Which queries two measurements share, and which of them moved."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.comparing.difference import EndpointChanges, Moved
from chunkgap.errors import NotComparableError
from chunkgap.results import Results


@dataclass(frozen=True, eq=False)
class Pairing:
    """The queries that both have, in A's order: their rows in A and in B, and their clusters."""

    a: NDArray[np.intp]
    b: NDArray[np.intp]
    clusters: NDArray[np.intp]

    @classmethod
    def of(cls, a: Results, b: Results) -> "Pairing":
        """Pair by `query_id`.

        Raises:
            NotComparableError: No query is in both.
        """
        row_of = {query_id: row for row, query_id in enumerate(b.per_query.query_ids)}
        pairs = [(row, row_of[name]) for row, name in enumerate(a.per_query.query_ids) if name in row_of]
        if not pairs:
            raise NotComparableError(
                "queries: expected some in both, got none. Compare measurements that share some."
            )
        rows_a, rows_b = np.array(pairs, dtype=np.intp).T
        return cls(rows_a, rows_b, np.array(a.per_query.clusters, dtype=np.intp)[rows_a])


def scale_names(results: Results) -> tuple[str, ...]:
    """The scales, in their order."""
    return tuple(scale.name for scale in results.scales)


def moved_queries(a: Results, b: Results, primary: EndpointChanges, pairing: Pairing) -> list[Moved]:
    """Every query with a change at the primary endpoint, the largest first."""
    scores_a, scores_b = a.per_query.scores[primary.name], b.per_query.scores[primary.name]
    names_a, names_b = scale_names(a), scale_names(b)
    fixed_a, fixed_b = (
        names.index(best) for names, best in zip((names_a, names_b), primary.best_fixed, strict=True)
    )
    common = [(name, names_a.index(name), names_b.index(name)) for name in names_a if name in names_b]
    moved = [
        Moved(
            query_id=a.per_query.query_ids[row_a],
            text=a.per_query.texts[row_a],
            best_fixed=(scores_a.scales[fixed_a][row_a], scores_b.scales[fixed_b][row_b]),
            fusion=(
                scores_a.fusion[row_a] if scores_a.fusion else None,
                scores_b.fusion[row_b] if scores_b.fusion else None,
            ),
            scales={name: (scores_a.scales[i][row_a], scores_b.scales[j][row_b]) for name, i, j in common},
        )
        for row_a, row_b in zip(pairing.a.tolist(), pairing.b.tolist(), strict=True)
    ]
    return sorted((query for query in moved if any(_distances(query))), key=_by_distance)


def _by_distance(query: Moved) -> tuple[float, float, str]:
    fixed, fusion, *scales = _distances(query)
    return -max(fixed, fusion), -sum(scales), query.query_id


def _distances(query: Moved) -> list[float]:
    """How far best fixed, fusion and each scale moved; 0 where either has no value."""
    pairs = (query.best_fixed, query.fusion, *query.scales.values())
    return [0.0 if a is None or b is None else abs(b - a) for a, b in pairs]
