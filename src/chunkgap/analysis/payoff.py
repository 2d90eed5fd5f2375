"""What fusion wins back at the primary endpoint: comparisons, sets of scales, the router, the verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkgap import router
from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.scores import Floats
from chunkgap.config import DecisionSettings, StatisticsSettings
from chunkgap.decision import decide, headroom_headline, judge_headroom
from chunkgap.fusion import Fusion, complete, fuse, vote_table
from chunkgap.measures.scoring import score_documents
from chunkgap.ranking import Cutoff, documents_within, truncate
from chunkgap.results import (
    CROSS_FITTED,
    FILLED,
    Comparison,
    Headroom,
    HeadroomVerdict,
    Notice,
    ScaleSet,
    VerdictFacts,
)
from chunkgap.scale_sets import candidate_sets, pareto_front, smallest_within_error
from chunkgap.statistics import gains


@dataclass(frozen=True, slots=True)
class Asked:
    """How many queries an endpoint rests on, in how many clusters, and the confidence of its intervals."""

    queries: int
    clusters: int
    confidence: float

    @classmethod
    def of(cls, endpoint: Endpoint) -> "Asked":
        """Count those that the measure is defined for."""
        return cls(int(endpoint.defined.sum()), endpoint.resampling.count, endpoint.resampling.confidence)


def route(endpoint: Endpoint, retrieval: Retrieval) -> dict[str, Floats]:
    """Scores of the routers over the defined queries; none without query vectors, with one scale or with one fold."""
    vectors = retrieval.query_vectors
    if vectors is None or len(retrieval.scales) < 2 or endpoint.folds.max() == 0:
        return {}
    queries, first = vectors[endpoint.defined], endpoint.scores[:, 0]
    return {
        "nearest neighbours": router.nearest_neighbours(queries, first, endpoint.folds, retrieval.vectors),
        "logistic regression": router.logistic_regression(queries, first, endpoint.folds, retrieval.vectors),
    }


def compare_with_best_fixed(
    endpoint: Endpoint,
    retrieval: Retrieval,
    fused: Sequence[Fused],
    routers: Mapping[str, Floats],
    decision: DecisionSettings,
    settings: StatisticsSettings,
) -> tuple[Comparison, ...]:
    """Every fused row and router against the best fixed scale, cross-fitted; the main fusion first."""
    runs = {row.name: scores for row in fused if (scores := endpoint.fused_scores(row.name)) is not None}
    runs.update(routers)
    found = gains(
        runs,
        endpoint.comparable,
        retrieval.vectors,
        endpoint.folds,
        endpoint.resampling,
        min_gain=decision.min_gain,
        seed=settings.seed,
    )
    return tuple(
        Comparison(
            row=name,
            against=f"best fixed ({CROSS_FITTED if endpoint.packed is None else FILLED})",
            difference=gain.cross_fitted,
            p=gain.p_value,
            p_holm=gain.holm_p_value,
            detectable=_known(gain.power.detectable),
            queries_needed=gain.power.queries_needed,
        )
        for name, gain in found.items()
    )


def _known(value: float) -> float | None:
    """A number as results hold it: None for NaN."""
    return None if math.isnan(value) else value


def compare_sets(
    endpoint: Endpoint, retrieval: Retrieval, main: Fusion, *, depth: int
) -> tuple[ScaleSet, ...]:
    """Every set of scales, fused by the main rule, with its price; a single scale is searched plainly, not voted on.

    Empty where there is one scale, and at cutoffs in chunks and tokens: fusion has no form at the first, and at the
    second each set would have to be packed anew.
    """
    cutoff = Cutoff.parse(endpoint.cutoff)
    if len(retrieval.scales) < 2 or cutoff.unit != "documents":
        return ()
    lists = [run.ranking for run in retrieval.first]
    voting = [truncate(ranking, depth) for ranking in lists]
    votes = vote_table(voting, rrf_k=main.rrf_k, votes=main.votes)

    def score(rows: Sequence[int]) -> Floats:
        if len(rows) == 1:
            return np.asarray(endpoint.scores[rows[0], 0])
        ranking = complete(fuse(votes, rows), [lists[row] for row in rows], cutoff.amount)
        inside = documents_within(None, ranking, cutoff)
        scores = score_documents(
            endpoint.measure, ranking.document, inside, retrieval.labels.judgements, cutoff
        )
        return np.asarray(scores[endpoint.defined])

    sets = candidate_sets(len(lists), lambda rows: float(score(rows).mean()))
    scores = np.stack([score(rows) for rows in sets])
    vectors = [sum(retrieval.vectors[row] for row in rows) for rows in sets]
    front = pareto_front(scores.mean(axis=1).tolist(), vectors)
    chosen = smallest_within_error(scores, vectors, endpoint.resampling.clusters)
    return tuple(
        ScaleSet(
            scales=tuple(retrieval.names[row] for row in rows),
            value=float(scores[place].mean()),
            vectors=vectors[place],
            vector_bytes=sum(retrieval.scales[row].vector_bytes for row in rows),
            pareto=bool(front[place]),
            recommended=place == chosen,
        )
        for place, rows in enumerate(sets)
    )


def give_verdict(
    comparison: Comparison | None,
    headroom: Headroom,
    retrieval: Retrieval,
    notices: Sequence[Notice],
    asked: Asked,
    decision: DecisionSettings,
) -> VerdictFacts:
    """The verdict on the main fusion.

    Args:
        comparison: Of the main fusion with the best fixed scale; None where fusion has no form at this endpoint.
        headroom: At the primary endpoint.
        retrieval: The scales.
        notices: Blocking ones forbid a verdict.
        asked: The queries of this endpoint.
        decision: Bounds of gain and storage.
    """
    fixed = retrieval.vectors[retrieval.names.index(headroom.best_fixed)]
    storage = sum(retrieval.vectors) / max(fixed, 1) if retrieval.whole else None
    limits = {"min_gain": decision.min_gain, "max_storage": decision.max_storage}
    if comparison is None or len(retrieval.scales) < 2:
        return VerdictFacts(
            word="cannot decide",
            rule="A verdict takes two scales or more, and a primary endpoint in documents or tokens.",
            reasons=(_nothing_to_judge(comparison, headroom),),
            gain=comparison.difference if comparison else None,
            storage=storage,
            queries_needed=None,
            **limits,
        )
    found = decide(
        comparison.difference,
        storage=storage,
        queries=asked.queries,
        clusters=asked.clusters,
        confidence=asked.confidence,
        blocking=_blocking(notices),
        **limits,
    )
    return VerdictFacts(
        word=found.outcome,
        rule=found.rule,
        reasons=(found.reason,),
        gain=comparison.difference,
        storage=storage,
        queries_needed=found.queries_needed,
        **limits,
    )


def _nothing_to_judge(comparison: Comparison | None, headroom: Headroom) -> str:
    if comparison is None:
        return f"Fusion ranks documents and has no form at {headroom.name}."
    return "One scale alone: there is nothing to fuse."


def judge(headroom: Headroom, notices: Sequence[Notice], asked: Asked) -> HeadroomVerdict:
    """The verdict on headroom with its one-sentence headline; arguments as for `give_verdict`."""
    found = judge_headroom(
        headroom.interaction,
        headroom.excess,
        gap=headroom.gap,
        reproducible=headroom.reproducible,
        clusters=asked.clusters,
        confidence=asked.confidence,
        blocking=_blocking(notices),
    )
    told = ""
    if headroom.excess and headroom.pair_same is not None and headroom.pair_different is not None:
        told = headroom_headline(
            headroom.pair_same, headroom.pair_different, headroom.gap.estimate, headroom.excess
        )
    return HeadroomVerdict(found.dependent, found.sentence, told)


def _blocking(notices: Sequence[Notice]) -> list[str]:
    return [notice.message for notice in notices if notice.blocking]
