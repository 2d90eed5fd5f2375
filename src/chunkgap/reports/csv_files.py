"""`summary.csv`, `per_query.csv` and `slices.csv`: unrounded, undefined is empty, no cell runs in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from chunkgap.records import Interval
from chunkgap.reports.price import Price
from chunkgap.results import Headroom, PerQuery, QueryScores, Results, Row, ScaleFacts

Cell = str | float | bool | None

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_FUSION = "fusion"
_SUMMARY_HEAD = (
    "kind",
    "name",
    "measure",
    "cutoff",
    "value",
    "low",
    "high",
    "primary",
    "p",
    "p_holm",
    "chunks",
    "mean_tokens",
    "long",
    "unread",
    "vectors",
    "vector_bytes",
    "index_bytes",
    "text",
)


def summary_csv(results: Results) -> str:
    """One line per row of the tables of means, then headroom, comparisons, sets of scales and the verdicts.

    Columns that a line does not have are empty.
    """
    lines = (
        *(_of_row(row, results) for row in results.rows),
        *(line for found in results.headroom for line in _of_headroom(found, results)),
        *_of_comparisons(results),
        *_of_sets(results),
        *_of_verdicts(results),
    )
    return _csv(_SUMMARY_HEAD, ([line.get(column) for column in _SUMMARY_HEAD] for line in lines))


def per_query_csv(results: Results) -> str:
    """One line per evaluated query: tags, best scales, scores and ranks at every scale and in the fusion.

    The queries that are left out follow, each with the reason and nothing else.
    """
    queries, names = results.per_query, [*(scale.name for scale in results.scales), _FUSION]
    tags = sorted({tag for given in queries.tags for tag in given})
    head = [
        *("query_id", "text", "relevant", "cluster", "left out"),
        *(f"tag:{tag}" for tag in tags),
        "best scales",
        *(f"{endpoint} [{name}]" for endpoint in queries.scores for name in names),
        *(f"rank [{name}]" for name in names),
    ]
    primary = queries.scores[results.endpoint.name]
    columns: list[Sequence[Cell]] = [
        *(
            queries.query_ids,
            queries.texts,
            queries.relevant,
            queries.clusters,
            [None] * len(queries.query_ids),
        ),
        *([given.get(tag) for given in queries.tags] for tag in tags),
        [" ".join(best) for best in _best_scales(primary, names)],
        *(column for scores in queries.scores.values() for column in _score_columns(scores, queries)),
        *(*queries.ranks, queries.fused_ranks or [None] * len(queries.query_ids)),
    ]
    rest = [None] * (len(head) - 5)
    left_out = ((query, None, None, None, why, *rest) for query, why in results.queries.excluded.items())
    return _csv(head, [*zip(*columns, strict=True), *left_out])


def slices_csv(results: Results) -> str:
    """One line per tag value at the primary endpoint: means by scale, gap and fusion's gain."""
    names = [scale.name for scale in results.scales]
    head = [
        *("tag", "value", "queries", "small"),
        *(f"{results.endpoint.name} [{name}]" for name in names),
        *("best", "gap", "reproducible", "gain", "low", "high", "p_holm"),
    ]
    lines: list[list[Cell]] = [
        [
            *(found.tag, found.value, found.queries, found.small),
            *(found.means.get(name) for name in names),
            *(found.best, found.gap, found.reproducible),
            *((found.gain.estimate, found.gain.low, found.gain.high) if found.gain else (None,) * 3),
            found.p_holm,
        ]
        for found in results.slices
    ]
    return _csv(head, lines)


def _best_scales(scores: QueryScores, names: Sequence[str]) -> Iterator[list[str]]:
    """The scales that share the highest score of each query; none where it is 0 or undefined."""
    for values in zip(*scores.scales, strict=True):
        known = [value for value in values if value is not None]
        highest = max(known, default=0.0)
        yield [name for name, value in zip(names, values, strict=False) if highest > 0 and value == highest]


def _score_columns(scores: QueryScores, queries: PerQuery) -> Iterator[Sequence[float | None]]:
    """One column per scale and one for fusion, empty where fusion has no such measure."""
    yield from scores.scales
    yield scores.fusion or [None] * len(queries.query_ids)


def _of_row(row: Row, results: Results) -> dict[str, Cell]:
    ends: dict[str, Cell] = {"low": row.interval.low, "high": row.interval.high} if row.interval else {}
    named: dict[str, Cell] = {
        "kind": row.kind,
        "name": row.name,
        "measure": row.measure,
        "cutoff": row.cutoff,
    }
    return {**named, "value": row.value, **ends, "primary": row.primary, **_price(row, results)}


def _price(row: Row, results: Results) -> dict[str, Cell]:
    """What a scale costs alone, or all of them fused; of a control the vectors alone, of a router nothing."""
    priced: Sequence[ScaleFacts] = ()
    if row.kind == "scale":
        priced = [scale for scale in results.scales if scale.name == row.name]
    elif row.kind == _FUSION:
        priced = results.scales
    if not priced:
        return {"vectors": row.vectors}
    first = priced[0].phases[0]
    read: dict[str, Cell] = {"long": first.long, "unread": first.unread} if row.kind == "scale" else {}
    return {**asdict(Price.of(priced)), **read}


def _of_headroom(found: Headroom, results: Results) -> Iterator[dict[str, Cell]]:
    gap_name = "oracle gap" if found.corrected else "oracle gap (uncorrected)"
    values: list[tuple[str, Interval | float | None]] = [
        (gap_name, found.gap),
        *((f"placebo gap [{scale}]", value) for scale, value in found.placebo.items()),
        ("mean gap like for like", found.like_for_like),
        ("matched placebo gap", found.matched_placebo),
        ("oracle over two copies of one size", found.pair_same),
        ("oracle over two sizes", found.pair_different),
        ("size excess", found.excess),
        ("interaction", found.interaction),
        ("reproducible gap", found.reproducible),
        ("share of gap closed by fusion", found.share_closed),
    ]
    common: dict[str, Cell] = {
        "measure": found.measure,
        "cutoff": found.cutoff,
        "primary": found.name == results.endpoint.name,
    }
    for name, value in values:
        if value is not None:
            yield {"kind": "headroom", "name": name, **common, **_interval(value)}


def _of_comparisons(results: Results) -> Iterator[dict[str, Cell]]:
    for compared in results.comparisons:
        name = f"{compared.row} minus {compared.against}"
        ends = _interval(compared.difference)
        yield {**_at_primary("comparison", name, results), **ends, "p": compared.p, "p_holm": compared.p_holm}


def _of_sets(results: Results) -> Iterator[dict[str, Cell]]:
    for found in results.sets:
        price = {"vectors": found.vectors, "vector_bytes": found.vector_bytes}
        name = " ".join(found.scales)
        yield {
            **_at_primary("set", name, results),
            "value": found.value,
            **price,
            "text": " ".join(found.marks),
        }


def _of_verdicts(results: Results) -> Iterator[dict[str, Cell]]:
    verdict = results.verdict
    gain = {**_at_primary("verdict", _FUSION, results), **_interval(verdict.gain)}
    yield {**gain, "text": " ".join((f"{verdict.word}.", *verdict.reasons, f"Rule: {verdict.rule}"))}
    interaction = _interval(results.primary.interaction)
    yield {
        **_at_primary("verdict", "headroom", results),
        **interaction,
        "text": results.headroom_verdict.sentence,
    }


def _at_primary(kind: str, name: str, results: Results) -> dict[str, Cell]:
    endpoint = results.endpoint
    return {
        "kind": kind,
        "name": name,
        "measure": endpoint.measure,
        "cutoff": endpoint.cutoff,
        "primary": True,
    }


def _interval(value: Interval | float | None) -> dict[str, Cell]:
    if isinstance(value, Interval):
        return {"value": value.estimate, "low": value.low, "high": value.high}
    return {"value": value}


def _csv(head: Sequence[str], lines: Iterable[Iterable[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(_LineFeeds(text), lineterminator="\r\n")
    writer.writerow([_text(cell) for cell in head])
    writer.writerows([_text(cell) for cell in line] for line in lines)
    return text.getvalue()


def _text(cell: Cell) -> str:
    """A cell as it is written: numbers with every digit, an apostrophe before text that would be run."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell
    return "" if cell != cell else repr(cell)


class _LineFeeds:
    """Ends lines with LF.

    The csv writer itself is told CRLF, since it quotes only what its line end holds: a lone CR inside a cell
    would stand bare and cut the line for readers.
    """

    def __init__(self, text: io.StringIO) -> None:
        self._text = text

    def write(self, line: str) -> int:
        return self._text.write(line.removesuffix("\r\n") + "\n")
