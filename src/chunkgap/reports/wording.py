"""The words that reports share: names of rows, the verdict, what each number means and what not."""

from pathlib import PurePath

from chunkgap.analysis.fusions import DEEPER, MATCHED, PHASES_OF, VOTES_WITHIN
from chunkgap.decision import gain_decimals
from chunkgap.formatting import counted, interval, number, numbers_apart, signed
from chunkgap.ranking import Cutoff
from chunkgap.records import Interval
from chunkgap.reports.quantities import multiple, times
from chunkgap.results import CROSS_FITTED, FILLED, Headroom, Results, Row, RowKind

ONE_SCALE = (VOTES_WITHIN, DEEPER, PHASES_OF, MATCHED)
"""Controls over one scale: what the storage and the votes of fusion buy without a second one."""

BEST = "*"
"""Stands behind the mean of the best scale of a column."""

MEANINGS = {
    "best fixed": "The one size with the best mean, chosen and scored on the same queries.",
    "cross-fitted": "Each fold of the queries scored at the size that is best on all other folds, so that "
    "picking the best does not flatter it. Fusion's gain is against this.",
    "fusion": "Every size searched, the lists fused by reciprocal rank. This can be deployed.",
    "oracle": "Every query answered by whichever size suits it best. Nobody can deploy it: it is the most that "
    "choosing one size per query could reach, and luck raises it. Fusion, which uses all sizes at once, may exceed it.",
    "gap": "Oracle minus best fixed size. It is above 0 even where size does nothing, because the "
    "best of several noisy results beats the best average.",
    "reproducible": "The gap that is left when the size is chosen on one phase and scored on another.",
    "bracket": "From the reproducible to the raw gap: what a perfect chooser could win lies between them. "
    "Behind it the same from the lower end of the one's interval to the upper end of the other's.",
    "excess": "What an oracle over two different sizes gains over an oracle over two placements of "
    "one same size. About 0 means that size is worth nothing here; it also rises when one "
    "size is better for everybody.",
    "interaction": "The part of size's effect that differs from query to query. Above 0 means that size matters more "
    "for some queries than for others; whether these want another size, the bracket tells.",
    "placebo": "The oracle gap over phases of one size, copies whose windows start at other places: luck, and "
    "nothing but. Mean over the sizes.",
    "like for like": "The mean gap over sets of as many sizes as there are phases: the number to hold "
    "the placebo gap against, since a maximum over more results is higher.",
    "matched": "The placebo gap over as many phases of the best fixed size as there are sizes: the "
    "number to hold the raw gap against.",
    "storage": "Vectors of all indexes together, in those of the best fixed one.",
    "gain": "Fusion minus the cross-fitted best fixed size. The verdict rests on this.",
}


def title(results: Results) -> str:
    """What a report is headed: the name of the measurement, else that of its corpus."""
    source = results.corpus.source
    return results.name or PurePath(source).name or source


def verdict_sentence(results: Results) -> str:
    """What fusion wins and costs, and whether one scale does as well; empty where there is no gain."""
    gain, storage = results.verdict.gain, results.verdict.storage
    if gain is None or len(results.scales) < 2:
        return ""
    price = "" if storage is None else f", at {times(storage, most=results.verdict.max_storage)} its storage"
    told = (
        f"Fusion over {len(results.scales)} {scales_word(results)} changes {results.endpoint.name} by "
        f"{verdict_gain(results)} against the best fixed {scales_word(results)[:-1]}, cross-fitted"
        f"{_value_against(results)}{price}."
    )
    return f"{told} {control_sentence(results)}".rstrip()


def compared_with(results: Results) -> Row | None:
    """The row that fusion is held against at the primary endpoint."""
    endpoint = results.endpoint
    rows = (
        results.row("best fixed", name, endpoint.measure, endpoint.cutoff) for name in (FILLED, CROSS_FITTED)
    )
    return next((row for row in rows if row is not None), None)


def _value_against(results: Results) -> str:
    row = compared_with(results)
    return "" if row is None else f" ({number(row.value)})"


def control_sentence(results: Results) -> str:
    """Whether a control with one scale does as well as fusion over all; empty where none does."""
    control, fused = rival_control(results), _declared_fusion(results)
    if control is None or fused is None:
        return ""
    return (
        f"A control with one {scales_word(results)[:-1]} does as well or better: {control.name} "
        f"{' against RRF '.join(numbers_apart(control.value, fused.value))}."
    )


def rival_control(results: Results) -> Row | None:
    """The best control over one scale, where it does as well as fusion over all or better."""
    control, fused = best_control(results), _declared_fusion(results)
    if control is None or fused is None or (control.value or 0.0) < (fused.value or 0.0):
        return None
    return control


def _declared_fusion(results: Results) -> Row | None:
    endpoint = results.endpoint
    return results.row("fusion", endpoint.fusion, endpoint.measure, endpoint.cutoff)


def best_control(results: Results) -> Row | None:
    """Of the controls over one scale, the one with the highest mean at the primary endpoint; the first of several."""
    controls = [
        row
        for row in results.rows
        if row.kind == "control" and row.name in ONE_SCALE and row.primary and row.value is not None
    ]
    return max(controls, key=lambda row: row.value or 0.0, default=None)


def verdict_gain(results: Results) -> str:
    """The gain that the verdict rests on, told from `min_gain`."""
    gain, least = results.verdict.gain, results.verdict.min_gain
    return gain_text(gain) if gain is None else gain_text(gain, decimals=gain_decimals(gain, least))


def gain_text(value: Interval | None, *, decimals: int = 4) -> str:
    """A difference and its interval, the estimate with its sign."""
    if value is None:
        return interval(None)
    return f"{signed(value.estimate, decimals=decimals)} {interval_range(value, decimals=decimals)}"


def interval_range(value: Interval | None, *, decimals: int = 4) -> str:
    """The two ends alone, empty for None.

    >>> interval_range(Interval(0.2, 0.1, 0.3))
    '[0.1000, 0.3000]'
    """
    return "" if value is None else f"[{interval(value, decimals=decimals).split(' [', maxsplit=1)[1]}"


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


def storage_of(row: Row | None, results: Results) -> str:
    """What a row has to store, as `storage_text`."""
    return storage_text(row.vectors if row else None, results)


def best_fixed_vectors(results: Results) -> int:
    """Vectors of the best fixed scale at the primary endpoint, the unit of storage."""
    best = next(scale for scale in results.scales if scale.name == results.primary.best_fixed)
    return best.phases[0].vectors


def storage_text(vectors: int | None, results: Results) -> str:
    """Vectors in those of the best fixed scale at the primary endpoint; empty where either is unknown."""
    own = best_fixed_vectors(results)
    return "" if vectors is None or not own else f"{multiple(vectors / own)}x"


def asked_text(results: Results) -> str:
    """How many queries the numbers at the primary endpoint are of, and how many it is not defined for."""
    defined = results.wins.queries
    missing = results.queries.evaluated - defined
    told = counted(defined, "query", "queries")
    return f"{told} ({missing:,} more have no {results.endpoint.name})" if missing else told


def starred(found: Headroom, results: Results) -> str | None:
    """The scale that has the star at an endpoint: the best fixed one; None where it is the only one."""
    return found.best_fixed if len(results.scales) > 1 else None


def unit_words(cutoff: str) -> str:
    """What a cutoff counts: documents, chunks or tokens."""
    return Cutoff.parse(cutoff).unit


def facts_line(results: Results) -> str:
    """The measurement in one line: how much of what was measured."""
    parts = [
        counted(len(results.scales), scales_word(results)[:-1]),
        counted(results.queries.evaluated, "query", "queries"),
        counted(results.corpus.documents, "document"),
        f"primary endpoint {results.endpoint.name}, fusion {results.endpoint.fusion}",
        results.model.name if results.model else "own run files",
    ]
    return " \N{MIDDLE DOT} ".join(parts)
