"""Two measurements of the same queries, compared query by query: what changed from A to B, and how surely."""

from collections.abc import Collection, Mapping

from chunkgap.comparing.changes import changes_at
from chunkgap.comparing.comparability import ALLOWED, check_comparable
from chunkgap.comparing.difference import Change, Difference, EndpointChanges, Moved, Setting
from chunkgap.comparing.pairing import Pairing, moved_queries, scale_names
from chunkgap.comparing.settings import different_settings
from chunkgap.errors import NotComparableError
from chunkgap.results import Results
from chunkgap.statistics import Draws

__all__ = [
    "ALLOWED",
    "Change",
    "Difference",
    "EndpointChanges",
    "Moved",
    "Setting",
    "check_comparable",
    "compare",
]

MOST_MOVED = 10


def compare(
    a: Results,
    b: Results,
    *,
    allow: Collection[str] = (),
    manifests: tuple[Mapping[str, object], Mapping[str, object]] | None = None,
    most_moved: int = MOST_MOVED,
    resamples: int = 10_000,
    seed: int = 13,
) -> Difference:
    """Compare two measurements, paired by query.

    Args:
        a: The earlier one.
        b: The later one.
        allow: What may differ: `corpus`, `queries` (those of both are paired), `endpoint` (A's is used).
        manifests: Of A and of B, for what differs in how they were made; None: what the results alone tell.
        most_moved: Queries to list.
        resamples: Of the bootstrap and of the randomisation test.
        seed: Of both.

    Raises:
        ConfigError: `allow` names something else.
        NotComparableError: Something differs that is not allowed to, or no query, or no endpoint, is in both.
    """
    warnings = check_comparable(a, b, allow)
    pairing = Pairing.of(a, b)
    names = _endpoints(a, b)
    draws = Draws(pairing.clusters, resamples=resamples, seed=seed, confidence=a.confidence)
    endpoints = tuple(
        found for name in names if (found := changes_at(a, b, name, names[0], pairing, draws)) is not None
    )
    if not endpoints or endpoints[0].name != names[0]:
        raise NotComparableError(
            f"queries: expected {names[0]} for some query of both, got none. "
            "Compare measurements that share it."
        )
    moved = moved_queries(a, b, endpoints[0], pairing)
    scales_a, scales_b = scale_names(a), scale_names(b)
    return Difference(
        endpoint=names[0],
        confidence=a.confidence,
        queries=len(pairing.a),
        only_a=len(a.per_query.query_ids) - len(pairing.a),
        only_b=len(b.per_query.query_ids) - len(pairing.a),
        scales_only_a=tuple(name for name in scales_a if name not in scales_b),
        scales_only_b=tuple(name for name in scales_b if name not in scales_a),
        verdicts=(a.verdict.word, b.verdict.word),
        endpoints=endpoints,
        moved=tuple(moved[:most_moved]),
        moved_queries=len(moved),
        settings=different_settings(a, b, manifests),
        warnings=warnings,
    )


def _endpoints(a: Results, b: Results) -> list[str]:
    """The endpoints of both, the primary one (A's, else B's, else the first) first."""
    common = [name for name in a.per_query.scores if name in b.per_query.scores]
    if not common:
        raise NotComparableError(
            "endpoint: expected some measure in both, got none. Measure both at the same cutoffs."
        )
    first = next((e.name for e in (a.endpoint, b.endpoint) if e.name in common), common[0])
    return [first, *(name for name in common if name != first)]
