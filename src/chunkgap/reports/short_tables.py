"""The tables of the terminal's first screen: the primary measure by cutoff, evidence, and the price in short."""

from collections.abc import Iterable, Iterator, Sequence

from chunkgap.formatting import number, percent
from chunkgap.reports.price import Price
from chunkgap.reports.price_tables import building, embedding, mean_tokens, priced
from chunkgap.reports.quantities import count, data_size, duration
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import (
    BEST,
    best_control,
    compared_with,
    gap_name,
    oracle_name,
    scales_word,
    starred,
    storage_of,
)
from chunkgap.results import (
    CROSS_FITTED,
    FILLED,
    Headroom,
    Latency,
    Results,
    Row,
    RowKind,
    ScaleFacts,
    ScaleTimings,
)

_MOST_COLUMNS = 3
_AGAINST = {CROSS_FITTED: "best fixed, cross-fitted", FILLED: "best fixed, filled as fusion"}


def short_means_table(results: Results) -> Table:
    """The primary measure by scale and cutoff, then fusion and the best control with their price, oracle and gap.

    The best fixed scale of each cutoff has a star there, unless it is the only one.
    """
    measure, first = results.endpoint.measure, results.primary
    found = {headroom.cutoff: headroom for headroom in results.headroom if headroom.measure == measure}
    best = {cutoff: starred(headroom, results) for cutoff, headroom in found.items()}
    cells = [
        (Cell(label), *(_mean(results.row(kind, name, measure, at), best[at]) for at in found))
        for label, kind, name in _shown(results)
    ]
    cells.append((Cell(oracle_name(first)), *(Cell(number(at.oracle)) for at in found.values())))
    cells.append((Cell(gap_name(first)), *(Cell(number(at.gap.estimate)) for at in found.values())))
    cells.append(
        (Cell("share of the gap closed"), *(Cell(percent(at.share_closed)) for at in found.values()))
    )
    heads = (scales_word(results)[:-1], *(f"@{cutoff}" for cutoff in found))
    return Table(_caption(results), heads, tuple(cells))


def evidence_table(results: Results) -> Table:
    """Measures of evidence and answers by scale and for fusion; empty where there are none.

    Each stands at the primary cutoff, or, where it has none there, at the first of its own. The caption tells where
    there are more than are shown.
    """
    measured = _evidence_endpoints(results)
    found = measured[:_MOST_COLUMNS]
    if not found:
        return Table("", (), ())
    held_against = FILLED if any(_has(FILLED, at, results) for at in found) else CROSS_FITTED
    kept = [row for row in _shown(results, against=held_against) if row[1] != "control"]
    rows = tuple(
        (
            Cell(label),
            *(_mean(results.row(kind, name, at.measure, at.cutoff), starred(at, results)) for at in found),
        )
        for label, kind, name in kept
    )
    heads = (scales_word(results)[:-1], *(at.name.replace("_", " ") for at in found))
    more = f", {len(found)} of {len(measured)} measures" if len(measured) > len(found) else ""
    return Table(f"Evidence and answers{more}", heads, rows)


def _evidence_endpoints(results: Results) -> list[Headroom]:
    found: dict[str, Headroom] = {}
    for at in results.headroom:
        if _is_of_evidence(at.measure, results) and (
            at.measure not in found or at.cutoff == results.endpoint.cutoff
        ):
            found[at.measure] = at
    return list(found.values())


def _has(name: str, at: Headroom, results: Results) -> bool:
    return results.row("best fixed", name, at.measure, at.cutoff) is not None


def short_prices_table(results: Results) -> Table:
    """What one production index per scale costs, and all of them; empty for `score`, which has none."""
    if not priced(results):
        return Table("Price", (), ())
    word, timings = scales_word(results), results.timings
    taken = timings.scales if timings else ()
    rows = []
    for scale in results.scales:
        own = [timing for timing in taken if timing.scale == scale.name]
        rows.append(_price(scale.name, [scale], _seconds(results, own, own[0].latency if own else None)))
    whole = _seconds(results, taken, timings.multi_scale if timings else None)
    rows.append(_price(f"all {word}", results.scales, whole))
    heads = (word[:-1], "chunks", "tokens", "vectors", "bytes", "embed", "build", "query")
    earlier = "; embed: at a speed measured earlier" if timings and timings.has_earlier_speed else ""
    return Table(f"Price (tokens: mean of a chunk; query: median time of one{earlier})", heads, tuple(rows))


def _caption(results: Results) -> str:
    caption = f"Mean {results.endpoint.measure}; the primary endpoint is {results.endpoint.name}"
    if len(results.scales) < 2:
        return caption
    return f"{caption}; {BEST} best {scales_word(results)[:-1]} at that cutoff, which the gap is against"


def _shown(results: Results, *, against: str | None = None) -> Iterator[tuple[str, RowKind, str]]:
    """Label, kind and name of the rows: all scales, what fusion is held against, fusion, the best control."""
    best = starred(results.primary, results)
    for scale in results.scales:
        yield f"{scale.name} (best fixed)" if scale.name == best else scale.name, "scale", scale.name
    endpoint = results.endpoint
    if against is None and (held_against := compared_with(results)):
        against = held_against.name
    if against is not None and len(results.scales) > 1:
        yield _AGAINST[against], "best fixed", against
    fused = results.row("fusion", endpoint.fusion, endpoint.measure, endpoint.cutoff)
    yield _with_storage(f"RRF {endpoint.fusion}", fused, results), "fusion", endpoint.fusion
    control = best_control(results)
    if control is not None:
        yield _with_storage(f"control: {control.name}", control, results), "control", control.name


def _with_storage(label: str, row: Row | None, results: Results) -> str:
    storage = storage_of(row, results)
    return f"{label} ({storage})" if storage else label


def _is_of_evidence(measure: str, results: Results) -> bool:
    return measure != results.endpoint.measure and ("evidence" in measure or "answer" in measure)


def _mean(row: Row | None, best: str | None) -> Cell:
    flagged = row is not None and row.kind == "scale" and row.name == best
    return Cell(number(row.value if row else None), flag=BEST if flagged else "")


def _price(name: str, scales: Sequence[ScaleFacts], seconds: Iterable[str]) -> tuple[Cell, ...]:
    price = Price.of(scales)
    return (
        Cell(name),
        Cell(count(price.chunks)),
        Cell(mean_tokens(price)),
        Cell(count(price.vectors)),
        Cell(data_size(price.vector_bytes)),
        *map(Cell, seconds),
    )


def _seconds(results: Results, taken: Sequence[ScaleTimings], latency: Latency | None) -> Iterator[str]:
    """Embedding, build and query time of one scale or of all."""
    yield embedding(taken)
    yield building(taken, results)
    yield duration(latency.p50 if latency else None)
