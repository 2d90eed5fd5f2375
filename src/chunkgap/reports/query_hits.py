"""The ranked chunks behind a query's numbers, as much of them as a report shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chunkgap.records import ScoredChunk
from chunkgap.results import PerQuery, Results

EXCERPT = 300
CHUNKS_PER_SCALE = 5
QUERIES = 300

_LEAD = 60  # code points shown before the first evidence of a long chunk


@dataclass(frozen=True, slots=True)
class ShownChunk:
    """One ranked chunk.

    Attributes:
        rank: Place among the chunks of its scale, from 1.
        start, end: Half-open code points of the document, None where runs came without text.
        text: An excerpt of the chunk, empty where there is none.
        evidence: Half-open ranges of `text` that hold evidence, ascending, apart from each other.
        relevant: Whether its document is relevant to the query.
        fused_rank: Rank of its document in the primary fusion, from 1; None when fusion did not rank it.
        cut_before, cut_after: Whether the excerpt leaves out text of the chunk on that side.
    """

    doc_id: str
    rank: int
    score: float
    start: int | None
    end: int | None
    text: str
    evidence: tuple[tuple[int, int], ...] = ()
    relevant: bool = False
    fused_rank: int | None = None
    cut_before: bool = False
    cut_after: bool = False


@dataclass(frozen=True, slots=True)
class QueryHits:
    """The first chunks of one query, by scale name, in rank order."""

    scales: Mapping[str, Sequence[ShownChunk]] = field(default_factory=dict)


def shown_chunk(
    found: ScoredChunk,
    *,
    spans: Sequence[tuple[int, int]] = (),
    relevant: bool = False,
    fused_rank: int | None = None,
    limit: int = EXCERPT,
) -> ShownChunk:
    """Cut a chunk down to an excerpt in which evidence, if it holds any, is in sight.

    Args:
        found: The whole chunk at its place in a run.
        spans: Evidence in code points of the document, in any order, overlapping or not.
        relevant: Whether the document is.
        fused_rank: Of the document.
        limit: Code points of the excerpt at most.

    >>> from chunkgap.records import Chunk
    >>> chunk = Chunk("d#100.0.4", "d", start=100, end=116, tokens=4, text="the answer is 42")
    >>> shown = shown_chunk(ScoredChunk(chunk, rank=1, score=0.5), spans=[(114, 120)])
    >>> shown.evidence, shown.end
    (((14, 16),), 116)
    """
    chunk, text = found.chunk, found.chunk.text
    inside = _united([(max(0, low - chunk.start), min(len(text), high - chunk.start)) for low, high in spans])
    first = max(0, min(inside[0][0] - _LEAD, len(text) - limit)) if inside else 0
    last = min(len(text), first + limit)
    evidence = tuple(
        (max(low, first) - first, min(high, last) - first)
        for low, high in inside
        if low < last and high > first
    )
    return ShownChunk(
        doc_id=chunk.doc_id,
        rank=found.rank,
        score=found.score,
        start=chunk.start,
        end=chunk.end,
        text=text[first:last],
        evidence=evidence,
        relevant=relevant,
        fused_rank=fused_rank,
        cut_before=first > 0,
        cut_after=last < len(text),
    )


def query_gaps(results: Results) -> list[float | None]:
    """By how much the best scale beats the best fixed one, per query, at the primary endpoint.

    Returns:
        One number at least 0 for each query, None where the measure is not defined for it.
    """
    scores = results.per_query.scores[results.endpoint.name]
    names = [scale.name for scale in results.scales]
    fixed = scores.scales[names.index(results.primary.best_fixed)]
    columns = zip(*scores.scales, strict=True)
    return [_gap(column, base) for column, base in zip(columns, fixed, strict=True)]


def widest_queries(results: Results, *, limit: int = QUERIES) -> tuple[str, ...]:
    """The queries whose chunks a report should hold: those with the widest gap first, ties in file order."""
    per_query: PerQuery = results.per_query
    gaps = query_gaps(results)
    order = sorted(range(len(gaps)), key=lambda row: -(gaps[row] or 0.0))
    return tuple(per_query.query_ids[row] for row in order[:limit])


def _gap(column: tuple[float | None, ...], base: float | None) -> float | None:
    values = [value for value in column if value is not None]
    return None if base is None or not values else max(values) - base


def _united(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for low, high in sorted(found for found in ranges if found[0] < found[1]):
        if united and low <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], high))
        else:
            united.append((low, high))
    return united
