"""From runs to results: every endpoint scored, the primary one decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap import __version__
from chunkgap.analysis.diagnoses import diagnose
from chunkgap.analysis.endpoints import (
    Endpoint,
    headroom_at,
    rows_at,
    score_endpoint,
    score_fused_rows,
)
from chunkgap.analysis.fusions import Fused, controls, fuse_scales, packed_alone
from chunkgap.analysis.notices import blocking_first, find_notices
from chunkgap.analysis.payoff import Asked, compare_sets, compare_with_best_fixed, give_verdict, judge, route
from chunkgap.analysis.queries import MOST_LOSSES, count_wins, find_losses, per_query
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run, Text
from chunkgap.analysis.scores import Floats
from chunkgap.analysis.slices import group_queries, left_out_notices, slice_endpoint, win_tables
from chunkgap.config import Settings, StatisticsSettings
from chunkgap.errors import ConfigError
from chunkgap.fusion import PRESETS, Fusion
from chunkgap.oracle import best_fixed
from chunkgap.results import CorpusFacts, ModelFacts, Notice, PrimaryEndpoint, QueryFacts, Results, Row
from chunkgap.statistics import Draws, query_clusters

__all__ = ["Analysis", "Fused", "Labels", "Retrieval", "Run", "Text", "analyse", "main_fusion"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """The results, and the main fusion behind them for the artifacts."""

    results: Results
    fused: Fused


def main_fusion(settings: Settings) -> Fusion:
    """The rule of the primary endpoint; one of the user's own is named by its numbers."""
    chosen = settings.fusion
    if isinstance(chosen, str):
        return PRESETS[chosen]
    same = [
        preset for preset in PRESETS.values() if (preset.rrf_k, preset.votes) == (chosen.rrf_k, chosen.votes)
    ]
    return (
        same[0] if same else Fusion(f"rrf_k {chosen.rrf_k}, votes {chosen.votes}", chosen.rrf_k, chosen.votes)
    )


def analyse(
    settings: Settings,
    retrieval: Retrieval,
    *,
    command: Literal["measure", "score"],
    corpus: CorpusFacts,
    queries: QueryFacts,
    model: ModelFacts | None,
    notices: Sequence[Notice] = (),
) -> Analysis:
    """Score every endpoint, compare, slice, warn, decide.

    Args:
        settings: Endpoints, fusion, statistics, decision.
        retrieval: The runs.
        command: Which command asks.
        corpus: What was read.
        queries: What was read; its clusters are counted here.
        model: None for `score`.
        notices: Warnings of the steps before.

    Raises:
        ConfigError: The primary measure is not defined for any query.
    """
    scored = _score(settings, retrieval)
    primary, main = scored.primary, scored.fused[0]
    headroom = tuple(headroom_at(endpoint, retrieval, main.name) for endpoint in scored.endpoints)
    main_headroom = headroom[scored.endpoints.index(primary)]
    routers = route(primary, retrieval)
    comparisons = compare_with_best_fixed(
        primary, retrieval, scored.fused, routers, settings.decision, settings.statistics
    )
    compared = next((comparison for comparison in comparisons if comparison.row == main.name), None)
    long_chunks = model.long_chunks if model else None
    cutoffs = [cutoff for _, cutoff in settings.endpoints()]
    warned = find_notices(
        primary, retrieval, cutoffs=cutoffs, measures=settings.measures, long_chunks=long_chunks
    )
    groups, left_out = group_queries(retrieval)
    found = blocking_first((*notices, *scored.left_out, *warned, *left_out_notices(left_out)))
    asked = Asked.of(primary)
    answered = per_query(scored.endpoints, retrieval, main, scored.clusters)
    losses = find_losses(primary, answered, retrieval.names, scored.best_fixed)
    results = Results(
        chunkgap_version=__version__,
        command=command,
        name=settings.name,
        endpoint=PrimaryEndpoint(*settings.primary_endpoint(), main.name),
        corpus=corpus,
        queries=replace(queries, clusters=int(scored.clusters.max(initial=-1)) + 1),
        model=model,
        index=settings.retrieval.index if command == "measure" else "runs",
        phases=len(retrieval.runs[0]),
        confidence=settings.statistics.confidence,
        scales=retrieval.scales,
        rows=_rows(scored, retrieval, routers),
        headroom=headroom,
        comparisons=comparisons,
        verdict=give_verdict(compared, main_headroom, retrieval, found, asked, settings.decision),
        headroom_verdict=judge(main_headroom, found, asked),
        sets=compare_sets(primary, retrieval, main_fusion(settings), depth=settings.fetch_depth()),
        wins=count_wins(primary, retrieval.names),
        losses=losses[:MOST_LOSSES],
        slices=slice_endpoint(
            primary, primary.fused_scores(main.name), groups, retrieval, settings.statistics
        ),
        win_tables=win_tables(primary, groups, retrieval),
        diagnoses=diagnose(primary, retrieval, main),
        notices=found,
        per_query=answered,
        timings=None,
        lost=len(losses),
        exclude_same_id=settings.exclude_same_id,
    )
    return Analysis(results, main)


@dataclass(frozen=True, eq=False)
class _Scored:
    """Every run and every fused row at every endpoint.

    Attributes:
        clusters: Cluster of each query, (Q,).
        fused: The main fusion first.
        endpoints: Those that some query has labels for.
        left_out: A warning for each measure that no query has labels for.
        primary: The primary one of `endpoints`.
        best_fixed: Row of the best fixed scale there.
    """

    clusters: NDArray[np.intp]
    fused: tuple[Fused, ...]
    endpoints: tuple[Endpoint, ...]
    left_out: tuple[Notice, ...]
    primary: Endpoint
    best_fixed: int


def _score(settings: Settings, retrieval: Retrieval) -> _Scored:
    """Fuse, and score everything.

    Raises:
        ConfigError: The primary measure is not defined for any query.
    """
    main, named = main_fusion(settings), settings.primary_endpoint()
    reach = settings.reach()
    clusters = query_clusters([_relevant(query.relevant) for query in retrieval.labels.queries])
    draws = _draws(clusters, settings.statistics)
    scored = [score_endpoint(*pair, retrieval, draws) for pair in settings.endpoints()]
    plain = next(endpoint for endpoint in scored if (endpoint.measure, endpoint.cutoff) == named)
    if plain.empty:
        raise ConfigError(
            f"primary: expected a measure that the queries have labels for, got {settings.primary}. "
            "Add evidence spans or answers to the queries, or choose recall."
        )
    fixed = best_fixed(plain.scores[:, 0], retrieval.vectors)
    fused = (*fuse_scales(retrieval, main, reach), *controls(retrieval, fixed, main, reach))
    alone = packed_alone(retrieval)
    defined = [endpoint for endpoint in scored if not endpoint.empty]
    endpoints = tuple(score_fused_rows(endpoint, fused, alone, retrieval.labels) for endpoint in defined)
    primary = endpoints[defined.index(plain)]
    return _Scored(clusters, fused, endpoints, _undefined(scored), primary, fixed)


def _draws(clusters: NDArray[np.intp], settings: StatisticsSettings) -> Draws:
    """Draws as the configuration wants them."""
    return Draws(
        clusters,
        resamples=settings.resamples,
        seed=settings.seed,
        confidence=settings.confidence,
        method=settings.interval,
        folds=settings.folds,
    )


def _rows(scored: _Scored, retrieval: Retrieval, routers: Mapping[str, Floats]) -> tuple[Row, ...]:
    """The table of means, endpoint by endpoint; routers stand at the primary one alone."""
    return tuple(
        row
        for endpoint in scored.endpoints
        for row in rows_at(
            endpoint,
            retrieval,
            scored.fused,
            primary=endpoint is scored.primary,
            routers=routers if endpoint is scored.primary else {},
        )
    )


def _relevant(grades: Mapping[str, float]) -> list[str]:
    return [doc_id for doc_id, grade in grades.items() if grade > 0]


def _undefined(endpoints: Sequence[Endpoint]) -> tuple[Notice, ...]:
    """Measures that no query has labels for."""
    names = sorted({endpoint.measure for endpoint in endpoints if endpoint.empty})
    return tuple(
        Notice("undefined", f"{name} is not defined for any query and is left out") for name in names
    )
