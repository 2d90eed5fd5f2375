"""Tables of who wins where: sizes by tag, neighbours side by side, queries lost, what came along with the best."""

from chunkgap.formatting import MISSING, number, numbers_apart, percent, signed
from chunkgap.records import Interval
from chunkgap.reports.quantities import count
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import asked_text, interval_range, scales_word
from chunkgap.results import Results, Slice

LOSSES = 10

_SLICE_NAME = 120

DIAGNOSES = {
    "documents": "distinct documents retrieved",
    "regions": "pieces of text without a hole between them; many of them, and many documents: diversity",
    "redundancy": "characters retrieved / characters of their union; above 1, overlap crowds other text out",
    "tokens": "tokens retrieved",
    "unique tokens": "the same, text that was retrieved twice counted once",
    "without heading": "share of all chunks that neither hold a heading nor start their document, though "
    "the document has headings",
    "rank change, chunks": "correlation of a relevant document's chunks with the ranks it rises by fusion; "
    "clearly above 0, votes favour long documents",
    "plateau": "share of queries that the neighbouring sizes serve as well; the lower, the more of a peak",
}
"""What each diagnosis is, in the words of a legend."""


def slice_name(tag: str, value: str) -> str:
    """What a slice is called, the end of long names left out."""
    name = f"{tag}: {value}"
    return name if len(name) <= _SLICE_NAME else name[: _SLICE_NAME - 3] + "..."


def slices_table(results: Results) -> Table:
    """The primary endpoint by tag, means shaded within a row from the worst scale to the best."""
    names = [scale.name for scale in results.scales]
    rows = tuple(
        (
            Cell(slice_name(found.tag, found.value)),
            Cell(count(found.queries)),
            *_means(found, names),
            Cell(_best(found)),
            Cell(number(found.gap)),
            Cell(number(found.reproducible)),
            _gain(found.gain),
            Cell(number(found.p_holm)),
        )
        for found in results.slices
    )
    heads = (
        "slice",
        "queries",
        *names,
        "best",
        "raw gap" if results.primary.corrected else "gap (uncorrected)",
    )
    return Table(
        f"{results.endpoint.name} by tag",
        (*heads, "reproducible", "fusion gain", "p after Holm"),
        rows,
        texts=frozenset({0}),
    )


def short_slices_table(results: Results) -> Table:
    """The slices without the means of their scales."""
    rows = tuple(
        (
            Cell(slice_name(found.tag, found.value)),
            Cell(count(found.queries)),
            Cell(_best(found)),
            Cell(number(found.gap)),
            _gain(found.gain),
        )
        for found in results.slices
    )
    gap = "raw gap" if results.primary.corrected else "gap (uncorrected)"
    heads = ("slice", "queries", "best", gap, "fusion gain")
    return Table(f"{results.endpoint.name} by tag", heads, rows)


def wins_table(results: Results) -> Table:
    """How many queries each scale alone answers best, of those that the measure is defined for."""
    total = max(1, results.wins.queries)
    wins = results.wins
    counted = [*wins.alone.items(), ("shared by several", wins.tied), ("none finds it", wins.none)]
    rows = tuple(
        (Cell(name), Cell(count(number_)), Cell(percent(number_ / total))) for name, number_ in counted
    )
    return Table(
        f"Which {scales_word(results)[:-1]} alone has the highest {results.endpoint.name}, of {asked_text(results)}",
        (scales_word(results)[:-1], "queries", "share"),
        rows,
    )


def win_table(results: Results) -> Table:
    """Neighbouring scales on the same queries: all queries first, then by tag."""
    rows = tuple(
        (
            Cell("all queries" if found.tag is None else slice_name(found.tag, found.value or "")),
            Cell(f"{found.left} against {found.right}"),
            Cell(count(found.left_wins)),
            Cell(count(found.ties)),
            Cell(count(found.right_wins)),
            Cell(count(found.missing)),
        )
        for found in sorted(results.win_tables, key=lambda found: found.tag is not None)
    )
    everywhere = frozenset(range(sum(found.tag is None for found in results.win_tables)))
    heads = ("queries", "pair", "first wins", "tie", "second wins", "missing")
    return Table(
        "Neighbouring sizes on the same queries", heads, rows, marked=everywhere, texts=frozenset({0, 1})
    )


def losses_table(results: Results, *, limit: int = LOSSES) -> Table:
    """The first queries that the best fixed scale loses and another finds, `limit` at most, of how many."""
    rows = tuple(
        (
            Cell(found.query_id),
            Cell(found.text),
            Cell(number(found.best_fixed_value), _rank(found.best_fixed_rank)),
            Cell(found.scale),
            Cell(number(found.value), _rank(found.rank)),
        )
        for found in results.losses[:limit]
    )
    heads = ("query", "text", f"at {results.primary.best_fixed}", "found at", "there")
    caption = "Queries that the best fixed size loses"
    if results.lost_queries > len(rows):
        caption += f", the first {len(rows):,} of {results.lost_queries:,}"
    return Table(caption, heads, rows, texts=frozenset({0, 1, 3}))


def diagnoses_table(results: Results) -> Table:
    """What came along with each scale, so with the best one, one row per scale."""
    names = tuple(dict.fromkeys(name for found in results.diagnoses for name in found.values))
    rows = tuple(
        (Cell(found.scale), *(Cell(number(found.values.get(name), decimals=3)) for name in names))
        for found in results.diagnoses
    )
    return Table("What may explain which size is best", (scales_word(results)[:-1], *names), rows)


def diagnoses_legend(results: Results) -> list[str]:
    """What each column of the diagnoses means, a line each."""
    names = dict.fromkeys(name for found in results.diagnoses for name in found.values)
    return [f"{name}: {DIAGNOSES[name]}" for name in names if name in DIAGNOSES]


def diversity_sentence(results: Results) -> str:
    """Whether the best fixed scale also retrieves the most distinct documents; empty where it does not."""
    documents = {found.scale: found.values.get("documents") for found in results.diagnoses}
    best = documents.pop(results.primary.best_fixed, None)
    others = [value for value in documents.values() if value is not None]
    if best is None or not others or best <= max(others):
        return ""
    most, next_most = numbers_apart(best, max(others), decimals=2)
    return (
        f"The best fixed {scales_word(results)[:-1]}, {results.primary.best_fixed}, also retrieves the most "
        f"distinct documents, {most} against at most {next_most}: it may win by diversity."
    )


def exclusions_table(results: Results) -> Table:
    """Queries and files left out, counted by reason."""
    reasons: dict[str, int] = {}
    for reason in results.queries.excluded.values():
        reasons[reason] = reasons.get(reason, 0) + 1
    rows = [(Cell("queries"), Cell(reason), Cell(count(found))) for reason, found in reasons.items()]
    rows += [
        (Cell("files"), Cell(reason), Cell(count(found))) for reason, found in results.corpus.skipped.items()
    ]
    return Table("Left out", ("what", "why", "how many"), tuple(rows), texts=frozenset({0, 1}))


def _means(found: Slice, names: list[str]) -> list[Cell]:
    present = [found.means[name] for name in names if name in found.means]
    low, high = min(present, default=0.0), max(present, default=0.0)
    spread = (high - low) or 1.0
    return [
        Cell(number(found.means[name]), share=(found.means[name] - low) / spread)
        if name in found.means
        else Cell(MISSING)
        for name in names
    ]


def _best(found: Slice) -> str:
    if found.small:
        return "too few to say"
    tied = found.best_scales
    if len(tied) < 2:
        return found.best
    return "all the same" if len(tied) == len(found.means) else ", ".join(tied)


def _gain(value: Interval | None) -> Cell:
    return Cell(signed(value.estimate if value else None), interval_range(value))


def _rank(rank: int | None) -> str:
    return "not retrieved" if rank is None else f"rank {rank:,}"
