"""Tables of what each size and each set of sizes costs, and how faithfully it was searched and read."""

from collections.abc import Iterator, Sequence

from chunkgap.formatting import MISSING, number, percent
from chunkgap.reports.price import Price
from chunkgap.reports.quantities import count, data_size, duration
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import scales_word
from chunkgap.results import Results, ScaleFacts, ScaleTimings


def priced(results: Results) -> bool:
    """Whether prices are known: run files of one's own hold no vectors."""
    return results.index != "runs"


def prices_table(results: Results) -> Table:
    """What one production index per scale holds and takes, and all of them together; empty without a price.

    The best fixed scale is marked. A head says where seconds of embedding are not of this time.
    """
    word, timings = scales_word(results), results.timings
    heads = (
        word[:-1],
        "chunks",
        "distinct vectors",
        "mean tokens",
        "vector bytes",
        "index file",
    )
    embedded = "embedding"
    if timings is not None and timings.has_earlier_speed:
        embedded += " at a speed measured earlier"
    timed = (embedded, "index build", "query p50")
    names = [scale.name for scale in results.scales]
    rows = [_price(scale.name, [scale], results) for scale in results.scales if priced(results)]
    if len(rows) > 1:
        rows.append(_price(f"all {word}", results.scales, results))
    return Table(
        f"Price of each {word[:-1]}",
        (*heads, *(timed if timings else ())),
        tuple(rows),
        marked=frozenset(place for place, name in enumerate(names) if name == results.primary.best_fixed),
    )


def sets_note(results: Results) -> str:
    """That the verdict is about all scales, where a cheaper set of several is recommended; empty elsewhere."""
    chosen = results.smaller_set
    if chosen is None:
        return ""
    return (
        f"The verdict is about all {scales_word(results)} together. The set marked, "
        f"{' + '.join(chosen.scales)}, is cheaper: measure it alone to get a verdict."
    )


def latency_table(results: Results) -> Table:
    """How long one query takes over each index and over all; empty without timings."""
    timings, word = results.timings, scales_word(results)
    if timings is None:
        return Table("Time of one query", (), ())
    named = [(found.scale, found.latency) for found in timings.scales]
    named.append((f"all {word}, one after another", timings.multi_scale))
    named.append((f"all {word}, side by side", timings.multi_scale_parallel))
    rows = tuple(
        (
            Cell(name),
            Cell(count(found.searches)),
            *(Cell(duration(seconds)) for seconds in (found.p50, found.p95, found.p99)),
        )
        for name, found in named
        if found is not None
    )
    return Table("Time of one query", ("over", "searches timed", "p50", "p95", "p99"), rows)


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
            Cell(", ".join(found.marks) or MISSING),
        )
        for found in ordered
    )
    heads = ("set", f"fused {results.endpoint.name}", "vectors", "vector bytes", "remark")
    recommended = frozenset(place for place, found in enumerate(ordered) if found.recommended)
    return Table("Sets of sizes and their price", heads, rows, marked=recommended, texts=frozenset({0, 4}))


def timings_table(results: Results) -> Table:
    """Wall-clock seconds of the measurement; empty without timings."""
    timings = results.timings
    if timings is None:
        return Table("Time", (), ())
    rows = [(Cell(name), Cell(duration(seconds))) for name, seconds in timings.steps.items()]
    rows.append((Cell("in all"), Cell(duration(timings.total))))
    rows.append((Cell("texts embedded"), Cell(count(timings.texts_embedded))))
    rows.append((Cell("texts from the cache"), Cell(count(timings.texts_cached))))
    return Table("Time", ("step", "wall clock"), tuple(rows))


def mean_tokens(price: Price) -> str:
    """The mean over all chunks; a dash where there are none."""
    return MISSING if price.mean_tokens is None else f"{price.mean_tokens:,.1f}"


def embedding(taken: Sequence[ScaleTimings]) -> str:
    """Seconds that embedding took; a dash where no times are known."""
    return _spent([timing.embed for timing in taken])


def building(taken: Sequence[ScaleTimings], results: Results) -> str:
    """Seconds that building the indexes took; a dash for exact search, which has none."""
    return _spent([timing.build for timing in taken]) if results.index == "hnsw" else MISSING


def _spent(seconds: Sequence[float | None]) -> str:
    """The sum, a dash where a part is not known, and `cached` where none is."""
    known = [second for second in seconds if second is not None]
    if seconds and not known:
        return "cached"
    return duration(sum(known)) if known and len(known) == len(seconds) else MISSING


def _price(name: str, scales: Sequence[ScaleFacts], results: Results) -> tuple[Cell, ...]:
    price = Price.of(scales)
    return (
        Cell(name),
        Cell(count(price.chunks)),
        Cell(count(price.vectors)),
        Cell(mean_tokens(price)),
        Cell(data_size(price.vector_bytes)),
        Cell(data_size(price.index_bytes)),
        *_taken(scales, results),
    )


def _taken(scales: Sequence[ScaleFacts], results: Results) -> Iterator[Cell]:
    """Embedding, build and median query time; nothing where no times were taken."""
    timings = results.timings
    if timings is None:
        return
    names = {scale.name for scale in scales}
    taken = [timing for timing in timings.scales if timing.scale in names]
    latency = timings.multi_scale if len(scales) > 1 else next((timing.latency for timing in taken), None)
    yield Cell(embedding(taken))
    yield Cell(building(taken, results))
    yield Cell(duration(latency.p50 if latency else None))
