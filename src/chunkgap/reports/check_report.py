"""What `chunkgap check` found, on the terminal and as JSON."""

from collections.abc import Iterator

from rich.console import Console

from chunkgap.checking import Check, Lengths, SizeForecast
from chunkgap.formatting import as_given, counted, number, percent
from chunkgap.reports.json_text import by_field, json_text
from chunkgap.reports.quantities import count, data_size, duration, multiple
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table

FORMAT_VERSION = 1

_BAR = 40
_BARS = "#"


def check_json(check: Check) -> str:
    """A check as one JSON object."""
    return json_text({"format_version": FORMAT_VERSION, **by_field(check)})


def render(check: Check, *, console: Console) -> None:
    """Print a check.

    Args:
        check: What was found.
        console: Where to; its width, encoding and colours are respected.
    """
    screen = Screen(console)
    screen.say("chunkgap check", style="bold")
    screen.say(_corpus(check))
    screen.say(_queries(check))
    for warning in check.warnings:
        screen.item("!", warning, style="yellow")
    screen.say()
    screen.table(lengths(check))
    screen.say()
    screen.table(histogram(check.corpus.lengths))
    screen.say()
    screen.say(f"Suggested sizes: {_listed(check.suggestion.sizes)}", style="bold")
    screen.say(f"Why: {check.suggestion.reason}.")
    screen.say()
    screen.table(sizes(check))
    for sentence in _about_sizes(check):
        screen.say(sentence)
    screen.say()
    for sentence in _detection(check):
        screen.say(sentence)


def lengths(check: Check) -> Table:
    """Percentiles of the lengths of documents and of their parts."""
    found = {"documents": check.corpus.lengths, **check.corpus.parts}
    rows = tuple(
        (
            Cell(name),
            Cell(count(kind.count)),
            *(Cell(f"{value:,.0f}") for value in (kind.p10, kind.median, kind.p90, kind.longest)),
        )
        for name, kind in found.items()
    )
    return Table("Length in tokens", ("", "number", "p10", "median", "p90", "longest"), rows)


def histogram(found: Lengths) -> Table:
    """How many documents are how long, as bars of text."""
    most = max(part.count for part in found.histogram)
    rows = tuple(
        (
            Cell(f"{part.low:,} to {part.high - 1:,}"),
            Cell(count(part.count)),
            Cell(_BARS * -(-part.count * _BAR // most)),
        )
        for part in found.histogram
    )
    return Table("Documents by length in tokens", ("tokens", "documents", ""), rows, texts=frozenset({0, 2}))


def sizes(check: Check) -> Table:
    """One row per size: what one production index would hold."""
    heads = (
        "size",
        "chunks",
        "one-chunk documents",
        "over the window",
        "vectors",
        "index",
        "embed",
        "all / one",
    )
    of = "the configured sizes" if check.are_sizes_given else "the suggested sizes"
    most = check.max_storage
    rows = tuple((*_size(size), Cell(f"{multiple(check.storage(size), most=most)}x")) for size in check.sizes)
    return Table(f"Forecast for {of}, one index each", heads, rows)


def _size(size: SizeForecast) -> tuple[Cell, ...]:
    return (
        Cell(size.name),
        Cell(count(size.chunks)),
        Cell(percent(size.single)),
        Cell(percent(size.long)),
        Cell(data_size(size.vector_bytes)),
        Cell(data_size(size.index_bytes)),
        Cell(duration(size.seconds)),
    )


def _corpus(check: Check) -> str:
    corpus = check.corpus
    skipped = ", ".join(f"{files:,} {reason}" for reason, files in corpus.skipped.items())
    left_out = f"; skipped: {skipped}" if skipped else ""
    documents, characters = counted(corpus.documents, "document"), counted(corpus.characters, "character")
    return f"{documents} of {corpus.source}, {characters}{left_out}"


def _queries(check: Check) -> str:
    queries = check.queries
    left_out = f" ({len(queries.excluded):,} left out)" if queries.excluded else ""
    spans = f", {queries.with_spans:,} with evidence spans" if queries.with_spans else ""
    return f"{counted(queries.evaluated, 'query', 'queries')}{left_out} of {queries.source}{spans}"


def _about_sizes(check: Check) -> Iterator[str]:
    """How the table came about, and what all of it costs together."""
    whole, corpus = check.forecast, check.corpus
    took = "" if whole.seconds is None else f", about {duration(whole.seconds)} to embed on this machine"
    yield (
        f"All sizes, {counted(check.phases, 'phase')} each: at most {count(whole.vectors)} texts to embed{took}, "
        f"{data_size(whole.vector_bytes)} in the cache, about {data_size(whole.memory_bytes)} of memory."
    )
    if check.storage_warning:
        yield f"All / one: chunks of all sizes, in those of one. {check.storage_warning}"
    if not corpus.is_complete:
        yield (
            f"{corpus.tokenised:,} of {corpus.documents:,} documents were tokenised; the lengths of the "
            "others, and all counts of chunks, are estimated from their characters."
        )
    if check.window is not None:
        most = max(size.counted for size in check.sizes)
        yield (
            f"Over the window: chunks of more than {check.window:,} word pieces, which {check.model} does "
            f"not read at once; counted on at most {counted(most, 'chunk')} per size."
        )
    if whole.seconds is None:
        yield "Seconds are not forecast without a calibration."


def _detection(check: Check) -> Iterator[str]:
    found = check.queries.detection
    if found.detectable is None:
        yield f"{found.queries} query detects nothing: give at least two."
        return
    yield (
        f"What {found.queries:,} queries can detect: a difference of {number(found.detectable, decimals=3)} "
        f"(in 80% of cases, at 5%), if two sizes differ on {percent(found.discordant, decimals=0)} of them."
    )
    if found.clusters == 1 < found.queries:
        yield "All of them share a relevant document; if they behave as one query, nothing can be detected."
    elif found.clusters < found.queries:
        clustered = found.detectable_clustered
        worst = "nothing" if clustered is None else number(clustered, decimals=3)
        yield (
            f"They fall into {counted(found.clusters, 'cluster')} that share a relevant document; if those behave as "
            f"one query each, it is {worst}."
        )
    if found.queries_needed is not None:
        yield f"A difference of {as_given(found.min_gain)} would need about {found.queries_needed:,} queries."


def _listed(found: tuple[int, ...]) -> str:
    return ", ".join(str(size) for size in found)
