"""The words that reports share: names of rows, the verdict, what each number means and what not."""

from pathlib import PurePath

from chunkgap.formatting import interval, signed
from chunkgap.ranking import Cutoff
from chunkgap.records import Interval
from chunkgap.reports.quantities import times
from chunkgap.results import Headroom, Results, RowKind

VERDICTS = {
    "go": "Go: index at several sizes and fuse them.",
    "no-go": "No-go: stay with one size.",
    "cannot decide": "Cannot decide: these queries do not settle it.",
}

MEANINGS = {
    "best fixed": "The one size with the best mean. Cross-fitted: chosen on four fifths of the queries "
    "and scored on the rest, so that picking the winner does not flatter it.",
    "fusion": "Every size searched, the lists fused by reciprocal rank. This can be deployed.",
    "oracle": "Every query answered by whichever size suits it best. Nobody can deploy it: it is a "
    "ceiling, and luck raises it.",
    "gap": "Oracle minus best fixed size. It is above 0 even where size does nothing, because the "
    "best of several noisy results beats the best average.",
    "reproducible": "The gap that is left when the size is chosen on one placement of the windows and "
    "scored on another. What a perfect chooser could win lies between this and the raw gap.",
    "excess": "What an oracle over two different sizes gains over an oracle over two placements of "
    "one same size. About 0 means that size is worth nothing here; it also rises when one "
    "size is better for everybody.",
    "interaction": "The part of size's effect that differs from query to query. Above 0 means that queries "
    "want different sizes; it does not say that anything can tell which.",
    "placebo": "The oracle gap over copies of one size whose windows start at other places: luck, and "
    "nothing but.",
    "like for like": "The mean gap over sets of as many sizes as there are placements: the number to hold "
    "the placebo gap against, since a maximum over more results is higher.",
    "matched": "The placebo gap over as many placements of the best fixed size as there are sizes: the "
    "number to hold the raw gap against.",
    "storage": "Vectors of all indexes together, in those of the best fixed one.",
    "gain": "Fusion minus the cross-fitted best fixed size. The verdict rests on this.",
}


def title(results: Results) -> str:
    """What a report is headed: the name of the measurement, else that of its corpus."""
    source = results.corpus.source
    return results.name or PurePath(source).name or source


def verdict_sentence(results: Results) -> str:
    """What fusion wins and costs, in one sentence."""
    gain, storage = results.verdict.gain, results.verdict.storage
    if gain is None:
        return f"Fusion has no value at {results.endpoint.name}, so there is no gain to judge."
    price = "" if storage is None else f", at {times(storage)} its storage"
    return (
        f"Fusion over {len(results.scales)} {scales_word(results)} changes {results.endpoint.name} by "
        f"{gain_text(gain)} against the best single one{price}."
    )


def gain_text(value: Interval | None) -> str:
    """A difference and its interval, the estimate with its sign."""
    if value is None:
        return interval(None)
    return f"{signed(value.estimate)} {interval_range(value)}"


def interval_range(value: Interval | None) -> str:
    """The two ends alone, empty for None.

    >>> interval_range(Interval(0.2, 0.1, 0.3))
    '[0.1000, 0.3000]'
    """
    return "" if value is None else f"[{interval(value).split(' [', maxsplit=1)[1]}"


def scales_word(results: Results) -> str:
    """`sizes` where every scale is a window size, `scales` otherwise."""
    return "sizes" if all(scale.size is not None for scale in results.scales) else "scales"


def gap_name(found: Headroom) -> str:
    """What the raw gap is called: without a second phase it says that luck is in it."""
    return "raw gap" if found.corrected else "oracle gap (uncorrected)"


def oracle_name(found: Headroom) -> str:
    """What the oracle is called, by the same rule."""
    return "oracle" if found.corrected else "oracle (uncorrected)"


def row_name(kind: RowKind, name: str, *, corrected: bool = True) -> str:
    """How a line of the table of means is called."""
    if kind == "oracle":
        return "oracle" if corrected else "oracle (uncorrected)"
    prefix = {"best fixed": "best fixed, ", "fusion": "RRF ", "router": "router "}.get(kind, "")
    return f"{prefix}{name}"


def unit_words(cutoff: str) -> str:
    """What a cutoff counts: documents, chunks or tokens."""
    return Cutoff.parse(cutoff).unit


def facts_line(results: Results) -> str:
    """The measurement in one line: how much of what was measured."""
    parts = [
        f"{len(results.scales)} {scales_word(results)}",
        f"{results.queries.evaluated:,} queries",
        f"{results.corpus.documents:,} documents",
        f"primary endpoint {results.endpoint.name}, fusion {results.endpoint.fusion}",
        results.model.name if results.model else "own run files",
    ]
    return " \N{MIDDLE DOT} ".join(parts)
