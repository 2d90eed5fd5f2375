"""One measure at one cutoff: its scores, the queries it is defined for, and its statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from chunkgap import oracle
from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels
from chunkgap.analysis.scores import Floats, score_run, score_scales
from chunkgap.ranking import Cutoff
from chunkgap.records import Interval
from chunkgap.results import CROSS_FITTED, FILLED, Headroom, Row, RowKind
from chunkgap.statistics import Draws, Resampling, gap_closed, headroom


@dataclass(frozen=True, eq=False)
class Endpoint:
    """Scores of everything at one measure and cutoff.

    Attributes:
        measure, cutoff: Their names.
        all_scores: `(W, R, Q)`, NaN where the measure is not defined for a query.
        fused: Per fused row, `(Q,)`; None where fusion has no such form.
        packed: `(W, Q)`, each scale alone, its token budget filled as fusion fills it; None for other cutoffs.
    """

    measure: str
    cutoff: str
    all_scores: Floats
    fused: Mapping[str, Floats | None]
    draws: Draws
    packed: Floats | None = None

    @cached_property
    def defined(self) -> NDArray[np.bool_]:
        """Queries that the measure is defined for, shape (Q,)."""
        return np.asarray(np.isfinite(self.all_scores).all(axis=(0, 1)))

    @cached_property
    def scores(self) -> Floats:
        """`(W, R, D)`, the defined queries alone."""
        return self.all_scores[:, :, self.defined]

    @property
    def comparable(self) -> Floats:
        """`(W, D)`, the scales as fusion is held against them: under a token budget filled by the same rule."""
        return self.scores[:, 0] if self.packed is None else self.packed[:, self.defined]

    @cached_property
    def resampling(self) -> Resampling:
        """The draw over the defined queries."""
        return self.draws.of(self.defined)

    @cached_property
    def folds(self) -> NDArray[np.intp]:
        """Folds of the defined queries."""
        return self.draws.folds(self.defined)

    def fused_scores(self, name: str) -> Floats | None:
        """A fused row over the defined queries, None where it does not exist."""
        found = self.fused.get(name)
        return None if found is None else found[self.defined]

    @property
    def empty(self) -> bool:
        """Whether no query has this measure."""
        return not self.defined.any()


def score_endpoint(measure: str, cutoff: str, retrieval: Retrieval, draws: Draws) -> Endpoint:
    """Score all runs at one measure and cutoff, no fused rows yet.

    Args:
        measure: Its name.
        cutoff: As text, `5c`.
        retrieval: The runs.
        draws: Shared by all endpoints.
    """
    scores = score_scales(measure, Cutoff.parse(cutoff), retrieval.runs, retrieval.labels)
    return Endpoint(measure, cutoff, scores, {}, draws)


def score_fused_rows(
    endpoint: Endpoint, fused: Sequence[Fused], alone: Sequence[Fused], labels: Labels
) -> Endpoint:
    """The endpoint with the scores of all fused rows.

    Args:
        endpoint: What `score_endpoint` gave.
        fused: Rows that fuse.
        alone: `packed_alone`, scored under token budgets.
        labels: Of the queries.
    """
    measure, cutoff = endpoint.measure, Cutoff.parse(endpoint.cutoff)
    packed = [row.score(measure, cutoff, labels) for row in alone if cutoff.unit == "tokens"]
    return replace(
        endpoint,
        fused={row.name: row.score(measure, cutoff, labels) for row in fused},
        packed=np.stack([scores for scores in packed if scores is not None]) if packed else None,
    )


def headroom_at(endpoint: Endpoint, retrieval: Retrieval, main: str) -> Headroom:
    """The headroom at one endpoint, as results show it.

    Args:
        endpoint: At least one query must be defined.
        retrieval: The scales.
        main: Name of the main fusion, for its share of the gap.
    """
    found = headroom(endpoint.scores, retrieval.vectors, endpoint.resampling)
    corrected = found.corrected
    first = endpoint.scores[:, 0]
    fusion = endpoint.fused_scores(main)
    placebo = dict(zip(retrieval.names, corrected.placebo_gaps, strict=True)) if corrected else {}
    return Headroom(
        measure=endpoint.measure,
        cutoff=endpoint.cutoff,
        best_fixed=retrieval.names[found.best_fixed],
        best_fixed_value=found.best_fixed_mean.estimate,
        cross_fitted_value=float(oracle.cross_fitted(first, endpoint.folds, retrieval.vectors)),
        oracle=found.oracle.estimate,
        gap=found.raw_gap,
        corrected=corrected is not None,
        placebo={name: gap.estimate for name, gap in placebo.items()},
        like_for_like=_estimate(corrected.mean_gap) if corrected else None,
        matched_placebo=_matched(endpoint, retrieval),
        pair_same=_estimate(corrected.same_size) if corrected else None,
        pair_different=_estimate(corrected.different_sizes) if corrected else None,
        excess=corrected.size_excess if corrected else None,
        interaction=corrected.interaction if corrected else None,
        reproducible=corrected.reproducible_gap if corrected else None,
        excess_matrix=_without_diagonal(corrected.excess_matrix)
        if corrected and corrected.excess_matrix
        else (),
        share_closed=None
        if fusion is None or endpoint.packed is not None
        else gap_closed(fusion, first, retrieval.vectors, found.raw_gap),
    )


def rows_at(
    endpoint: Endpoint,
    retrieval: Retrieval,
    fused: Sequence[Fused],
    *,
    primary: bool,
    routers: Mapping[str, Floats],
) -> tuple[Row, ...]:
    """The lines of the table of means at one endpoint."""

    def row(kind: RowKind, name: str, value: Interval | None, vectors: int | None = None) -> Row:
        estimate = value.estimate if value else None
        known = vectors if retrieval.whole else None
        return Row(kind, name, endpoint.measure, endpoint.cutoff, estimate, value, primary, known)

    first, resampling, mean = endpoint.scores[:, 0], endpoint.resampling, endpoint.resampling.mean
    interval = partial(resampling.interval, floor=0.0)
    means = resampling.intervals(mean(first), floor=0.0)
    rows = [row("scale", *columns) for columns in zip(retrieval.names, means, retrieval.vectors, strict=True)]
    fixed = retrieval.vectors[oracle.best_fixed(first, retrieval.vectors)]
    rows.append(row("best fixed", "in sample", interval(oracle.best_fixed_mean(first, resampling)), fixed))
    crossed = oracle.cross_fitted(first, endpoint.folds, retrieval.vectors, resampling)
    rows.append(row("best fixed", CROSS_FITTED, interval(crossed)))
    if endpoint.packed is not None:
        filled = oracle.cross_fitted(endpoint.comparable, endpoint.folds, retrieval.vectors, resampling)
        rows.append(row("best fixed", FILLED, interval(filled)))
    scored = {item.name: scores for item in fused if (scores := endpoint.fused_scores(item.name)) is not None}
    known = _intervals({**scored, **routers}, resampling)
    rows.extend(row(item.kind, item.name, known.get(item.name), item.vectors) for item in fused)
    rows.extend(row("router", name, known[name]) for name in routers)
    rows.append(row("oracle", "oracle", interval(oracle.oracle_mean(first, resampling))))
    return tuple(rows)


def _intervals(runs: Mapping[str, Floats], resampling: Resampling) -> dict[str, Interval]:
    """The mean of each run with its interval; all at once, since reading the weights is what takes time."""
    if not runs:
        return {}
    means = resampling.mean(np.stack(list(runs.values())))
    return dict(zip(runs, resampling.intervals(means, floor=0.0), strict=True))


def _matched(endpoint: Endpoint, retrieval: Retrieval) -> float | None:
    """The oracle gap over as many phases of the best fixed scale as there are scales."""
    if not retrieval.matched:
        return None
    cutoff = Cutoff.parse(endpoint.cutoff)
    runs = [score_run(endpoint.measure, cutoff, run, retrieval.labels) for run in retrieval.matched]
    return float(oracle.oracle_gap(np.stack(runs)[:, endpoint.defined]))


def _estimate(interval: Interval | None) -> float | None:
    return interval.estimate if interval else None


def _without_diagonal(
    matrix: Sequence[Sequence[Interval]],
) -> tuple[tuple[Interval | None, ...], ...]:
    return tuple(
        tuple(None if row == column else cell for column, cell in enumerate(cells))
        for row, cells in enumerate(matrix)
    )
