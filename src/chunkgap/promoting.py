"""Which few queries tell scales apart: a small query file, for pull requests that cannot wait for all."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunkgap.errors import ConfigError, InputError
from chunkgap.formatting import counted, number
from chunkgap.records import Document, Query
from chunkgap.rereading import read_settings, reread
from chunkgap.results import Results


@dataclass(frozen=True, slots=True)
class Promoted:
    """One chosen query.

    Attributes:
        spread: Highest minus lowest value of the primary measure over the scales.
        rank_spread: The same of one over the rank of the first relevant document, 0 where it was not found.
        loss: By how much the best fixed scale stays below the best scale for this query.
        why: The choice in one sentence.
    """

    query_id: str
    text: str
    cluster: int
    spread: float
    rank_spread: float
    loss: float
    why: str


@dataclass(frozen=True, slots=True)
class Promotion:
    """The chosen queries, the lines of their query file, and what the user has to know.

    Attributes:
        remarks: How many queries could not be chosen, and what has changed since the measurement.
    """

    queries: tuple[Promoted, ...]
    lines: tuple[str, ...]
    remarks: tuple[str, ...]


def promote_from(
    out: Path, results: Results, count: int, *, corpus: Path | None = None, queries: Path | None = None
) -> Promotion:
    """Choose queries of a measurement and write them as a query file would.

    Args:
        out: The folder of the measurement.
        results: What stands in it.
        count: Queries to choose, at least 1.
        corpus: Where the corpus lies now; None: where it lay.
        queries: Where the queries lie now; None: where they lay.

    Raises:
        ResultsError: The folder cannot be read.
        ConfigError: `count` is below 1.
        InputError: The queries cannot be read again, or the primary measure is not defined for any of them.
    """
    again = reread(results, read_settings(out), out=out, corpus=corpus, queries=queries)
    chosen = promote(results, count)
    if not again.queries:
        raise InputError(
            "queries: expected the query file of the measurement, got none. Name it with --queries.",
            *again.remarks,
        )
    lines = query_lines(chosen, again.queries, again.documents)
    return Promotion(chosen, tuple(lines), (*_left_out(results), *again.remarks))


def promote(results: Results, count: int) -> tuple[Promoted, ...]:
    """Choose the queries on which scales disagree most.

    The larger spread of the primary measure over the scales comes first; among equals the larger loss of the
    best fixed scale, then the larger spread of one over the rank of the first relevant document, then the
    earlier query. So that they do not all come from one cluster (the queries about one document), every
    cluster gives its first before any gives its second; but queries whose measure differs come before those
    where ranks alone do, and these before those where nothing does. Queries for which the measure is not defined,
    such as one of evidence where they have no spans, tell nothing and are left out.

    Args:
        results: A measurement.
        count: Queries to choose, at least 1; all, in this order, where there are fewer.

    Raises:
        ConfigError: `count` is below 1.
        InputError: The measure is not defined for any query.
    """
    if count < 1:
        raise ConfigError(f"N: expected a number of queries, at least 1, got {count}. Give one such as 50.")
    rows = _defined(results)
    if not rows:
        raise InputError(
            f"queries: expected some for which {results.endpoint.name} is defined, got none. "
            "Measure with another primary."
        )
    names = [scale.name for scale in results.scales]
    fixed = names.index(results.primary.best_fixed)
    found = [_candidate(results, row, names, fixed) for row in rows]
    ordered = sorted(found, key=lambda query: (_kind(query), -query.spread, -query.loss, -query.rank_spread))
    turns = _turns(ordered)
    in_turns = sorted(zip(ordered, turns, strict=True), key=lambda pair: (_kind(pair[0]), pair[1]))
    return tuple(query for query, _ in in_turns[:count])


def query_lines(
    promoted: Iterable[Promoted], queries: Mapping[str, Query], documents: Mapping[str, Document]
) -> list[str]:
    """The lines of a query file of the chosen queries, with `why` as a field that readers pass over.

    Args:
        promoted: The chosen queries.
        queries: All queries as read again.
        documents: The corpus, where spans were found; empty: spans are as the query file gave them.

    Raises:
        InputError: A chosen query is no longer there.
    """
    chosen = tuple(promoted)
    gone = [query.query_id for query in chosen if query.query_id not in queries]
    if gone:
        raise InputError(
            f"queries: expected every query that was measured, got a file without {gone[0]!r} "
            f"({len(gone)} in all). Measure again."
        )
    return [json.dumps(_record(queries[p.query_id], documents, p.why), ensure_ascii=False) for p in chosen]


def _record(query: Query, documents: Mapping[str, Document], why: str) -> dict[str, object]:
    """The query as a file gives it: spans count from the body of their document, titles aside."""
    grades = dict(query.relevant)
    plain = all(grade == 1 for grade in grades.values())
    record: dict[str, object] = {
        "_id": query.query_id,
        "text": query.text,
        "relevant": list(grades) if plain else grades,
    }
    if query.spans:
        starts = {
            span.doc_id: documents[span.doc_id].body_start for span in query.spans if span.doc_id in documents
        }
        record["spans"] = [
            {
                "doc": span.doc_id,
                "start": span.start - starts.get(span.doc_id, 0),
                "end": span.end - starts.get(span.doc_id, 0),
            }
            for span in query.spans
        ]
    if query.answers:
        record["answers"] = list(query.answers)
    if query.tags:
        record["tags"] = dict(query.tags)
    return {**record, "why": why}


def _defined(results: Results) -> list[int]:
    """The rows of the queries for which the primary measure is defined at every scale."""
    queries = range(len(results.per_query.query_ids))
    return [row for row in queries if None not in _values(results, row)]


def _left_out(results: Results) -> Iterator[str]:
    missing = len(results.per_query.query_ids) - len(_defined(results))
    if missing:
        yield (
            f"{counted(missing, 'query is', 'queries are')} left out, for {results.endpoint.name} is not defined "
            f"for {'it' if missing == 1 else 'them'}"
        )


def _values(results: Results, row: int) -> list[float | None]:
    """The primary measure of a query at every scale, None where it is not defined."""
    columns = results.per_query.scores[results.endpoint.name].scales
    return [None if (value := column[row]) is None or math.isnan(value) else value for column in columns]


def _candidate(results: Results, row: int, names: Sequence[str], fixed: int) -> Promoted:
    per_query = results.per_query
    values = [value for value in _values(results, row) if value is not None]
    ranks = [column[row] for column in per_query.ranks]
    nearness = [1 / rank if rank else 0.0 for rank in ranks]
    spread, rank_spread = max(values) - min(values), max(nearness) - min(nearness)
    loss = max(values) - values[fixed]
    return Promoted(
        query_id=per_query.query_ids[row],
        text=per_query.texts[row],
        cluster=per_query.clusters[row],
        spread=spread,
        rank_spread=rank_spread,
        loss=loss,
        why=_why(results.endpoint.name, values, ranks, names, fixed),
    )


def _why(
    endpoint: str, values: Sequence[float], ranks: Sequence[int | None], names: Sequence[str], fixed: int
) -> str:
    best, worst = values.index(max(values)), values.index(min(values))
    if values[best] > values[worst]:
        told = (
            f"{endpoint} is {number(values[best])} at {names[best]} ({_rank(ranks[best])}) and "
            f"{number(values[worst])} at {names[worst]} ({_rank(ranks[worst])})"
        )
        if values[fixed] == values[best]:
            return told
        return f"{told}; the best fixed scale {names[fixed]} loses it ({_rank(ranks[fixed])})"
    places = [rank or float("inf") for rank in ranks]
    first, last = places.index(min(places)), places.index(max(places))
    if places[first] == places[last]:
        return f"no scale differs: {endpoint} is {number(values[best])} at all ({_rank(ranks[first])})"
    return (
        f"{endpoint} is {number(values[best])} at all, but {names[first]} has {_rank(ranks[first])} "
        f"and {names[last]} {_rank(ranks[last])}"
    )


def _rank(rank: int | None) -> str:
    return "not found" if rank is None else f"rank {rank}"


def _kind(query: Promoted) -> int:
    """0 where the measure differs between scales, 1 where ranks alone do, 2 where nothing does."""
    if query.spread > 0:
        return 0
    return 1 if query.rank_spread > 0 else 2


def _turns(ordered: Sequence[Promoted]) -> list[int]:
    """Whether each query is the first, second, ... of its cluster and kind."""
    seen: dict[tuple[int, int], int] = {}
    turns = []
    for query in ordered:
        key = _kind(query), query.cluster
        turns.append(seen.get(key, 0))
        seen[key] = turns[-1] + 1
    return turns
