"""The primary endpoint on parts of the queries: by every tag, and by lengths and counts; and neighbours' win tables."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chunkgap import oracle
from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.scores import Floats
from chunkgap.config import StatisticsSettings
from chunkgap.formatting import counted
from chunkgap.records import Interval, Query
from chunkgap.results import Notice, Slice, WinTable
from chunkgap.statistics import Resampling, cluster_folds, holm, sign_flip

SMALLEST = 20
"""Below so many queries a slice shows its means and says that it is too small for an interval."""

MOST_VALUES = 30
"""A tag with more values than this names queries rather than groups them; it makes no slices."""

MOST_GROUPS = 100
"""So many values of tags are sliced by, those of most queries; more than that nobody reads."""

_RESAMPLES = 2_000  # at most: enough for the two ends of an exploratory interval

Groups = dict[tuple[str, str], NDArray[np.bool_]]
"""By tag and value, the queries `(Q,)` that have it."""


def group_queries(retrieval: Retrieval) -> tuple[Groups, int]:
    """Group the queries by every tag, then by query length, relevant documents, their length, and evidence length.

    Lengths are cut into thirds, named by their range. What is counted here is called so where a tag has its name.

    Returns:
        The groups, of tags the `MOST_GROUPS` largest, and how many of tags were left out.
    """
    queries = retrieval.labels.queries
    groups, left_out = _by_tags(queries)
    derived: Groups = {}
    for name, unit, measured in _derived(retrieval):
        derived.update(_by_thirds(name, unit, measured))
    relevant = retrieval.labels.judgements.relevant.tolist()
    derived.update(
        _by_value("relevant documents", [str(count) if count < 4 else "4 or more" for count in relevant])
    )
    tags = {tag for query in queries for tag in query.tags}
    for (name, value), members in derived.items():
        groups[f"{name} (counted)" if name in tags else name, value] = members
    return groups, left_out


def left_out_notices(left_out: int) -> Iterator[Notice]:
    """That groups of queries were left out of the slices, if any were."""
    if left_out:
        told = f"slices are of the {MOST_GROUPS} largest groups that tags make of the queries"
        yield Notice("many-slices", f"{told}; {counted(left_out, 'other')} left out")


def slice_endpoint(
    endpoint: Endpoint,
    fusion: Floats | None,
    groups: Groups,
    retrieval: Retrieval,
    settings: StatisticsSettings,
) -> tuple[Slice, ...]:
    """Every group's means, best scale, gap and fusion gain; p-values are Holm's over all groups large enough.

    Args:
        endpoint: The primary one.
        fusion: The main fusion over the defined queries, None where it does not exist.
        groups: What `group_queries` gave.
        retrieval: The scales.
        settings: Resamples (2,000 at most), folds, seed, confidence and kind of interval.
    """
    made: list[Slice] = []
    p_values: list[float | None] = []
    for (tag, value), members in groups.items():
        rows = members[endpoint.defined]
        if rows.any():
            found, p = _slice(tag, value, endpoint, fusion, rows, retrieval, settings)
            made.append(found)
            p_values.append(p)
    corrected = iter(holm([p for p in p_values if p is not None]))
    return tuple(
        found if p is None else _with_p(found, next(corrected))
        for found, p in zip(made, p_values, strict=True)
    )


def win_tables(endpoint: Endpoint, groups: Groups, retrieval: Retrieval) -> tuple[WinTable, ...]:
    """Scales of neighbouring sizes, over all queries and then per group."""
    everyone = np.ones(len(endpoint.defined), dtype=bool)
    parts: list[tuple[tuple[str | None, str | None], NDArray[np.bool_]]] = [((None, None), everyone)]
    parts.extend(groups.items())
    return tuple(
        _duel(endpoint, members, tag, value, retrieval.names, pair)
        for (tag, value), members in parts
        for pair in pairwise(retrieval.by_size)
    )


def _slice(
    tag: str,
    value: str,
    endpoint: Endpoint,
    fusion: Floats | None,
    rows: NDArray[np.bool_],
    retrieval: Retrieval,
    settings: StatisticsSettings,
) -> tuple[Slice, float | None]:
    scores = endpoint.scores[:, :, rows]
    first, vectors, count = scores[:, 0], retrieval.vectors, int(rows.sum())
    gain, p = None, None
    if fusion is not None and count >= SMALLEST:
        gain, p = _gain(
            fusion[rows], endpoint.comparable[:, rows], endpoint.resampling.clusters[rows], vectors, settings
        )
    means = dict(zip(retrieval.names, first.mean(axis=1).tolist(), strict=True))
    found = Slice(
        tag=tag,
        value=value,
        queries=count,
        small=count < SMALLEST,
        means=means,
        best=retrieval.names[oracle.best_fixed(first, vectors)],
        reproducible=float(oracle.reproducible_gap(scores, vectors)) if scores.shape[1] > 1 else None,
        gap=float(oracle.oracle_gap(first)),
        gain=gain,
        p_holm=None,
    )
    return found, p


def _gain(
    fusion: Floats,
    first: Floats,
    clusters: NDArray[np.intp],
    vectors: Sequence[int],
    settings: StatisticsSettings,
) -> tuple[Interval, float]:
    """Fusion minus the best fixed scale, cross-fitted within the slice, with its p-value."""
    resamples = min(_RESAMPLES, settings.resamples)
    resampling = Resampling.draw(
        clusters,
        resamples=resamples,
        seed=settings.seed,
        confidence=settings.confidence,
        method=settings.interval,
    )
    folds = cluster_folds(clusters, folds=settings.folds, seed=settings.seed)
    baseline = oracle.cross_fitted(first, folds, vectors, resampling)
    difference = resampling.interval(resampling.mean(fusion) - baseline)
    crossed = oracle.cross_fitted_scores(first, folds, vectors)
    p = sign_flip(fusion - crossed, clusters, resamples=resamples, seed=settings.seed)
    return difference, float(p[0])


def _with_p(found: Slice, p: float) -> Slice:
    return replace(found, p_holm=p)


def _duel(
    endpoint: Endpoint,
    members: NDArray[np.bool_],
    tag: str | None,
    value: str | None,
    names: Sequence[str],
    pair: tuple[int, int],
) -> WinTable:
    scores = endpoint.all_scores[list(pair), 0][:, members]
    known = np.isfinite(scores).all(axis=0)
    first, second = scores[:, known]
    return WinTable(
        tag=tag,
        value=value,
        left=names[pair[0]],
        right=names[pair[1]],
        left_wins=int((first > second).sum()),
        right_wins=int((first < second).sum()),
        ties=int((first == second).sum()),
        missing=int((~known).sum()),
    )


def _by_tags(queries: Sequence[Query]) -> tuple[Groups, int]:
    """The largest groups, by tag and value, and the number of the others; ties go to the earlier by name."""
    columns = {
        tag: [query.tags.get(tag) for query in queries]
        for tag in sorted({tag for query in queries for tag in query.tags})
    }
    sizes = {(tag, value): size for tag, values in columns.items() for value, size in _sizes(values).items()}
    largest = set(sorted(sizes, key=lambda group: -sizes[group])[:MOST_GROUPS])
    groups = {group: _having(group[1], columns[group[0]]) for group in sizes if group in largest}
    return groups, len(sizes) - len(groups)


def _by_value(name: str, values: Sequence[str | None]) -> Groups:
    """One group per value."""
    return {(name, value): _having(value, values) for value in _sizes(values)}


def _sizes(values: Sequence[str | None]) -> Mapping[str, int]:
    """How many queries have each value; nothing where all share one, or where there are too many."""
    found = Counter(value for value in values if value is not None)
    return dict(sorted(found.items())) if 1 < len(found) <= MOST_VALUES else {}


def _having(value: str, values: Sequence[str | None]) -> NDArray[np.bool_]:
    return np.array([other == value for other in values])


def _by_thirds(name: str, unit: str, measured: NDArray[np.float64]) -> Groups:
    """Three groups of about equal size; fewer where values repeat, none where all are one."""
    known = np.isfinite(measured)
    if not known.any():
        return {}
    inner = np.unique(np.quantile(measured[known], [1 / 3, 2 / 3], method="lower"))
    edges = [-np.inf, *inner.tolist(), np.inf]
    groups: Groups = {}
    for low, high in pairwise(edges):
        members = known & (measured > low) & (measured <= high)
        if members.any():
            least, most = int(measured[members].min()), int(measured[members].max())
            label = f"{least} to {most} {unit}" if least < most else f"{least} {unit}"
            groups[name, label] = members
    return groups if len(groups) > 1 else {}


def _derived(retrieval: Retrieval) -> Iterator[tuple[str, str, NDArray[np.float64]]]:
    """Name, unit and value per query of what is sliced by length; NaN where a query has none."""
    queries = retrieval.labels.queries
    yield "query length", "words", _of_each(queries, lambda query: len(query.text.split()))
    if retrieval.document_tokens:
        tokens = dict(zip(retrieval.doc_ids, retrieval.document_tokens, strict=True))
        yield "document length", "tokens", _of_each(queries, lambda query: _longest(query, tokens))
    if any(query.spans for query in queries):
        required = retrieval.labels.evidence.required.astype(np.float64)
        yield "evidence length", "characters", np.where(required > 0, required, np.nan)


def _of_each(queries: Sequence[Query], measure: Callable[[Query], float]) -> NDArray[np.float64]:
    return np.array([measure(query) for query in queries], dtype=np.float64)


def _longest(query: Query, tokens: dict[str, int]) -> float:
    """Tokens of the longest relevant document."""
    lengths = [tokens[doc_id] for doc_id, grade in query.relevant.items() if grade > 0 and doc_id in tokens]
    return float(max(lengths)) if lengths else float("nan")
