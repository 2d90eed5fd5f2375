"""Tables of what each size and each set of sizes costs, and how faithfully it was searched and read."""

from chunkgap.formatting import MISSING, number, percent
from chunkgap.reports.quantities import count, data_size, duration
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import scales_word
from chunkgap.results import Results, ScaleFacts, ScaleTimings


def priced(results: Results) -> bool:
    """Whether prices are known: run files of one's own hold no vectors."""
    return results.index != "runs"


def prices_table(results: Results) -> Table:
    """What one production index per scale holds and takes, the best fixed scale marked; empty without a price."""
    timings = {found.scale: found for found in results.timings.scales} if results.timings else {}
    heads = (
        scales_word(results)[:-1],
        "chunks",
        "distinct vectors",
        "mean tokens",
        "vector bytes",
        "index file",
    )
    timed = ("embedding", "index build", "query p50", "query p95")
    return Table(
        f"Price of each {scales_word(results)[:-1]}",
        (*heads, *(timed if timings else ())),
        tuple(
            (*_held(scale), *(_taken(timings.get(scale.name)) if timings else ()))
            for scale in results.scales
            if priced(results)
        ),
        marked=frozenset(
            place for place, scale in enumerate(results.scales) if scale.name == results.primary.best_fixed
        ),
    )


def reading_table(results: Results) -> Table:
    """How much of each scale was read and how well it was searched; empty where chunkgap did neither."""
    documents = max(1, results.corpus.documents)
    rows = tuple(
        (
            Cell(scale.name, "truncated" if scale.truncated else ""),
            Cell(percent(first.single / documents)),
            Cell(count(first.blank)),
            Cell(percent(first.long)),
            Cell(percent(first.unread)),
            Cell(count(first.ef)),
            Cell(percent(first.found, decimals=2)),
            Cell(count(first.flipped)),
            Cell(count(first.tied)),
        )
        for scale in results.scales
        for first in scale.phases[:1]
        if priced(results)
    )
    heads = (
        scales_word(results)[:-1],
        "one-chunk documents",
        "blank chunks dropped",
        "chunks past the window",
        "tokens unread",
        "ef",
        "of the exact top found",
        "queries that differ",
        "queries tied at the cutoff",
    )
    return Table("What was read and found", heads, rows)


def sets_table(results: Results, *, front: bool = False) -> Table:
    """The sets of scales by price; the recommended one is marked.

    Args:
        results: Where the sets are.
        front: Only those that no set both beats and undercuts, and the recommended one.
    """
    chosen = [found for found in results.sets if not front or found.pareto or found.recommended]
    ordered = sorted(chosen, key=lambda found: (found.vectors, -found.value))
    rows = tuple(
        (
            Cell(" + ".join(found.scales)),
            Cell(number(found.value)),
            Cell(count(found.vectors if priced(results) else None)),
            Cell(data_size(found.vector_bytes if priced(results) else None)),
            Cell(", ".join(_remarks(pareto=found.pareto, recommended=found.recommended)) or MISSING),
        )
        for found in ordered
    )
    heads = ("set", f"fused {results.endpoint.name}", "vectors", "vector bytes", "remark")
    recommended = frozenset(place for place, found in enumerate(ordered) if found.recommended)
    return Table("Sets of sizes and their price", heads, rows, marked=recommended, texts=frozenset({0, 4}))


def timings_table(results: Results) -> Table:
    """Wall-clock seconds of the measurement, and latencies of searching all scales; empty without timings."""
    timings = results.timings
    if timings is None:
        return Table("Time", (), ())
    rows = [(Cell(name), Cell(duration(seconds))) for name, seconds in timings.steps.items()]
    rows.append((Cell("in all"), Cell(duration(timings.total))))
    for name, found in (
        ("a query over all sizes, one after another, p50", timings.multi_scale),
        ("a query over all sizes, side by side, p50", timings.multi_scale_parallel),
    ):
        if found is not None:
            rows.append((Cell(name), Cell(duration(found.p50))))
    rows.append((Cell("texts embedded"), Cell(count(timings.texts_embedded))))
    rows.append((Cell("texts from the cache"), Cell(count(timings.texts_cached))))
    return Table("Time", ("step", "wall clock"), tuple(rows))


def _held(scale: ScaleFacts) -> tuple[Cell, ...]:
    first = scale.phases[0]
    return (
        Cell(scale.name),
        Cell(count(first.chunks)),
        Cell(count(first.vectors)),
        Cell(f"{first.mean_tokens:,.1f}"),
        Cell(data_size(scale.vector_bytes)),
        Cell(data_size(scale.index_bytes)),
    )


def _taken(timing: ScaleTimings | None) -> tuple[Cell, ...]:
    if timing is None:
        return (Cell(MISSING),) * 4
    latency = timing.latency
    return (
        Cell("cached" if timing.embed is None else duration(timing.embed)),
        Cell(duration(timing.build)),
        Cell(duration(latency.p50 if latency else None)),
        Cell(duration(latency.p95 if latency else None)),
    )


def _remarks(*, pareto: bool, recommended: bool) -> list[str]:
    remarks = ("recommended", recommended), ("on the front", pareto)
    return [word for word, holds in remarks if holds]
