"""Measurements whose values per query are written out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chunkgap.results import QueryScores, Results

from ..reports.results_builder import build_results


def measured(
    scales: Mapping[str, Sequence[float | None]],
    *,
    fusion: Sequence[float | None] | None = None,
    query_ids: Sequence[str] | None = None,
    clusters: Sequence[int] | None = None,
    primary: str = "recall@1",
    **also: Mapping[str, Sequence[float | None]],
) -> Results:
    """A measurement with these values at `primary`, and `also` at `recall_at_5` and the like."""
    names = tuple(scales)
    count = len(next(iter(scales.values())))
    extra = {name.replace("_at_", "@"): values for name, values in also.items()}
    cutoffs = [name.split("@")[1] for name in (primary, *extra)]
    built = build_results(scales=names, queries=count, cutoffs=cutoffs, primary=primary)
    scores = {name: QueryScores(tuple(map(tuple, values.values())), ()) for name, values in extra.items()}
    scores = {primary: QueryScores(tuple(map(tuple, scales.values())), tuple(fusion or ())), **scores}
    per_query = replace(
        built.per_query,
        scores=scores,
        query_ids=tuple(query_ids or built.per_query.query_ids),
        clusters=tuple(clusters or range(count)),
    )
    return replace(built, per_query=per_query)
