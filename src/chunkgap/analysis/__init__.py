"""From runs to results: every endpoint scored, the primary one decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chunkgap import __version__
from chunkgap.analysis.diagnoses import diagnose
from chunkgap.analysis.endpoints import Endpoint, Resamplings, headroom_at, rows_at, score_endpoint
from chunkgap.analysis.fusions import Fused, controls, fuse_scales
from chunkgap.analysis.notices import find_notices
from chunkgap.analysis.payoff import compare_sets, compare_with_best_fixed, give_verdict, judge, route
from chunkgap.analysis.queries import count_wins, find_losses, per_query
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run, Text
from chunkgap.analysis.slices import group_queries, slice_endpoint, win_tables
from chunkgap.config import Settings
from chunkgap.errors import ConfigError
from chunkgap.fusion import PRESETS, Fusion
from chunkgap.oracle import best_fixed
from chunkgap.results import CorpusFacts, ModelFacts, Notice, QueryFacts, Results
from chunkgap.results import Endpoint as PrimaryEndpoint
from chunkgap.statistics import query_clusters

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
    main, depth = main_fusion(settings), settings.fetch_depth()
    clusters = query_clusters([_relevant(query.relevant) for query in retrieval.labels.queries])
    resamplings = Resamplings(clusters, settings.statistics)
    fused = list(fuse_scales(retrieval.first, main, depth=depth))
    primary = score_endpoint(*settings.primary_endpoint(), retrieval, fused, resamplings)
    if primary.empty:
        raise ConfigError(
            f"primary: expected a measure that the queries have labels for, got {settings.primary}. "
            "Add evidence spans or answers to the queries, or choose recall."
        )
    fixed = best_fixed(primary.scores[:, 0], retrieval.vectors)
    fused += controls(retrieval.runs, fixed, main, depth=depth, deeper=retrieval.deeper)
    scored = [score_endpoint(*pair, retrieval, fused, resamplings) for pair in settings.endpoints()]
    endpoints = [endpoint for endpoint in scored if not endpoint.empty]
    primary = next(e for e in endpoints if (e.measure, e.cutoff) == settings.primary_endpoint())

    headroom = tuple(headroom_at(endpoint, retrieval, main.name) for endpoint in endpoints)
    main_headroom = headroom[endpoints.index(primary)]
    routers = route(primary, retrieval)
    comparisons = compare_with_best_fixed(
        primary, retrieval, fused, routers, settings.decision, settings.statistics
    )
    long_chunks = model.long_chunks if model else None
    warned = find_notices(primary, retrieval, cutoffs=settings.cutoffs, long_chunks=long_chunks)
    found = (*notices, *_undefined(scored), *warned)
    compared = next((comparison for comparison in comparisons if comparison.row == main.name), None)
    answered = per_query(endpoints, retrieval, fused[0], clusters)
    groups = group_queries(retrieval)
    return Analysis(
        Results(
            chunkgap_version=__version__,
            command=command,
            name=settings.name,
            endpoint=PrimaryEndpoint(*settings.primary_endpoint(), main.name),
            corpus=corpus,
            queries=_with_clusters(queries, int(clusters.max(initial=-1)) + 1),
            model=model,
            index=settings.retrieval.index if command == "measure" else "runs",
            phases=len(retrieval.runs[0]),
            confidence=settings.statistics.confidence,
            scales=retrieval.scales,
            rows=tuple(
                row
                for endpoint in endpoints
                for row in rows_at(
                    endpoint,
                    retrieval,
                    fused,
                    primary=endpoint is primary,
                    routers=routers if endpoint is primary else None,
                )
            ),
            headroom=headroom,
            comparisons=comparisons,
            verdict=give_verdict(
                compared, main_headroom, retrieval, found, int(primary.defined.sum()), settings.decision
            ),
            headroom_verdict=judge(main_headroom),
            sets=compare_sets(primary, retrieval, main, depth=depth),
            wins=count_wins(primary, retrieval.names),
            losses=find_losses(primary, answered, retrieval.names, fixed),
            slices=slice_endpoint(
                primary, primary.fused_scores(main.name), groups, retrieval, settings.statistics
            ),
            win_tables=win_tables(primary, groups, retrieval.names),
            diagnoses=diagnose(primary, retrieval, fused[0]),
            notices=found,
            per_query=answered,
            timings=None,
        ),
        fused[0],
    )


def _relevant(grades: Mapping[str, float]) -> list[str]:
    return [doc_id for doc_id, grade in grades.items() if grade > 0]


def _undefined(endpoints: Sequence[Endpoint]) -> list[Notice]:
    """Measures that no query has labels for."""
    names = sorted({endpoint.measure for endpoint in endpoints if endpoint.empty})
    return [Notice("undefined", f"{name} is not defined for any query and is left out") for name in names]


def _with_clusters(queries: QueryFacts, clusters: int) -> QueryFacts:
    return replace(queries, clusters=clusters)
