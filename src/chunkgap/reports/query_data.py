"""What `report.html` holds about each query: a row of the searchable table, and chunks of the widest gaps.

The page has a budget. Rows come first, those with the widest gap before the others, texts shortened when
there are many; tags and chunks fill what their own budgets allow. What was left out is counted, and the page says so.
"""

import json
from collections.abc import Mapping, Sequence

from chunkgap.formatting import number
from chunkgap.reports.query_hits import CHUNKS_PER_SCALE, EXCERPT, QueryHits, ShownChunk, query_gaps
from chunkgap.results import QueryScores, Results

ROWS_BUDGET = 2_000_000  # bytes of JSON
TAGS_BUDGET = 500_000
HITS_BUDGET = 700_000

_TEXT = (40, 300)  # code points of a query's text, at least and at most
_NAME = 200


def query_data(
    results: Results,
    hits: Mapping[str, QueryHits] | None = None,
    *,
    rows_budget: int = ROWS_BUDGET,
    tags_budget: int = TAGS_BUDGET,
    hits_budget: int = HITS_BUDGET,
) -> dict[str, object]:
    """The queries as the page reads them; numbers are text, as `chunkgap.formatting` writes them.

    Args:
        results: The measurement.
        hits: Ranked chunks by query id, of any of the queries.
        rows_budget: Bytes of JSON at most, for rows.
        tags_budget: The same for the names and values of tags.
        hits_budget: The same for chunks.

    Returns:
        Names of the columns, tags, rows in file order, and chunks by query id.
    """
    scores = results.per_query.scores[results.endpoint.name]
    named = _tags(results)
    tags = _first(named, tags_budget)
    rows = _within(_rows(results, scores, tags), rows_budget)
    shown = {str(row[0]) for row in rows}
    return {
        "endpoint": results.endpoint.name,
        "scales": [scale.name for scale in results.scales],
        "fusion": f"RRF {results.endpoint.fusion}" if scores.fusion else None,
        "total": len(results.per_query.query_ids),
        "tags": list(tags),
        "tags_left_out": len(named) - len(tags),
        "rows": rows,
        "hits": _hits(results, hits or {}, shown, hits_budget),
    }


def script_json(value: object) -> str:
    r"""JSON that is safe inside a `<script>` element: nothing in it can end the element or begin a comment.

    >>> print(script_json("</script>&"))
    "\u003c/script\u003e\u0026"
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _tags(results: Results) -> dict[str, int]:
    """Every tag with its value as one text, numbered."""
    pairs = (pair for tags in results.per_query.tags for pair in tags.items())
    texts = dict.fromkeys(_tag_text(tag, value) for tag, value in pairs)
    return {text: place for place, text in enumerate(texts)}


def _first(tags: Mapping[str, int], budget: int) -> dict[str, int]:
    """As many of the first tags as fit."""
    kept = {}
    for text, place in tags.items():
        budget -= _weight(text) + 1
        if budget < 0:
            break
        kept[text] = place
    return kept


def _rows(results: Results, scores: QueryScores, tags: Mapping[str, int]) -> list[list[object]]:
    """One row per query, widest gap first, in the columns that the page's script names; last, its place."""
    per_query = results.per_query
    gaps = query_gaps(results)
    least, most = _TEXT
    limit = max(least, min(most, ROWS_BUDGET // (3 * max(1, len(gaps)))))
    order = sorted(range(len(gaps)), key=lambda row: -(gaps[row] or 0.0))
    return [
        [
            per_query.query_ids[row],
            _short(per_query.texts[row], limit),
            _numbers(per_query.tags[row], tags),
            per_query.relevant[row],
            [number(values[row]) for values in scores.scales],
            [ranks[row] for ranks in per_query.ranks],
            number(scores.fusion[row]) if scores.fusion else None,
            per_query.fused_ranks[row] if per_query.fused_ranks else None,
            number(gaps[row]),
            row,
        ]
        for row in order
    ]


def _numbers(given: Mapping[str, str], tags: Mapping[str, int]) -> list[int]:
    """The tags of one query by number, as far as the page has them."""
    texts = (_tag_text(tag, value) for tag, value in given.items())
    return [tags[text] for text in texts if text in tags]


def _within(rows: list[list[object]], budget: int) -> list[list[object]]:
    """As many of the first rows as fit, in file order."""
    kept = []
    for row in rows:
        budget -= _weight(row)
        if budget < 0:
            break
        kept.append(row)
    return sorted(kept, key=lambda row: int(str(row[-1])))


def _tag_text(tag: str, value: str) -> str:
    return f"{_short(tag, _NAME)}: {_short(value, _NAME)}"


def _hits(
    results: Results, hits: Mapping[str, QueryHits], shown: set[str], budget: int
) -> dict[str, list[list[dict[str, object]]]]:
    """Chunks per scale in scale order, the queries with the widest gap first, until the budget is spent."""
    kept: dict[str, list[list[dict[str, object]]]] = {}
    ids, gaps = results.per_query.query_ids, query_gaps(results)
    for row in sorted(range(len(ids)), key=lambda row: -(gaps[row] or 0.0)):
        query_id = ids[row]
        if query_id not in hits or query_id not in shown:
            continue
        found = [_chunks(hits[query_id].scales.get(scale.name, ())) for scale in results.scales]
        budget -= _weight(found)
        if budget < 0:
            break
        kept[query_id] = found
    return kept


def _chunks(chunks: Sequence[ShownChunk]) -> list[dict[str, object]]:
    return [
        {
            "doc": chunk.doc_id,
            "rank": chunk.rank,
            "score": number(chunk.score),
            "range": None if chunk.start is None else f"[{chunk.start:,}, {chunk.end:,})",
            "fused": chunk.fused_rank,
            "relevant": chunk.relevant,
            "pieces": _pieces(chunk),
        }
        for chunk in chunks[:CHUNKS_PER_SCALE]
    ]


def _pieces(chunk: ShownChunk) -> list[str]:
    """The excerpt cut at evidence: plain text and evidence in turn, plain text first."""
    text, evidence = chunk.text[:EXCERPT], chunk.evidence
    pieces, place = [], 0
    for low, high in evidence:
        pieces += [text[place:low], text[low:high]]
        place = high
    pieces.append(text[place:])
    ellipsis = "\N{HORIZONTAL ELLIPSIS}"
    pieces[0] = (ellipsis if chunk.cut_before else "") + pieces[0]
    cut = chunk.cut_after or len(chunk.text) > EXCERPT
    return [*pieces[:-1], pieces[-1] + (ellipsis if cut else "")]


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _weight(value: object) -> int:
    return len(script_json(value).encode())
