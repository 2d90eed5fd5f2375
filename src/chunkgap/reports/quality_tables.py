"""Tables of what was found: means by cutoff, the gap and its parts, paired comparisons."""

from collections.abc import Iterable

from chunkgap.formatting import MISSING, number, percent, signed
from chunkgap.records import Interval
from chunkgap.reports.quantities import count
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import gap_name, interval_range, oracle_name, row_name, scales_word, unit_words
from chunkgap.results import Headroom, Results, Row


def panels(results: Results) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What belongs on one axis: each measure with its cutoffs of one unit, the primary endpoint's first.

    Returns:
        Pairs of a measure and its cutoffs, in configured order.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for measure, cutoff in results.endpoints:
        found.setdefault((measure, unit_words(cutoff)), []).append(cutoff)
    first = (results.endpoint.measure, unit_words(results.endpoint.cutoff))
    ordered = sorted(found, key=lambda panel: panel != first)
    return tuple((measure, tuple(found[measure, unit])) for measure, unit in ordered)


def panel_name(measure: str, cutoffs: tuple[str, ...]) -> str:
    """A panel in words, as `recall by documents`."""
    return f"{measure} by {unit_words(cutoffs[0])}"


def means_table(results: Results, measure: str, cutoffs: tuple[str, ...]) -> Table:
    """Every row by every cutoff of one measure, the oracle last; best fixed scale and fusion are marked."""
    found = dict.fromkeys((row.kind, row.name) for row in results.rows if row.measure == measure)
    names = sorted(found, key=lambda row: row[0] == "oracle")
    corrected = results.primary.corrected
    rows = tuple(
        (
            Cell(row_name(kind, name, corrected=corrected)),
            *(_mean(results.row(kind, name, measure, cutoff)) for cutoff in cutoffs),
        )
        for kind, name in names
    )
    marked = (("scale", results.primary.best_fixed), ("fusion", results.endpoint.fusion))
    return Table(
        f"Mean {panel_name(measure, cutoffs)}",
        ("run", *(f"at {cutoff}" for cutoff in cutoffs)),
        rows,
        marked=frozenset(place for place, name in enumerate(names) if name in marked),
        primary=_primary_column(results, measure, cutoffs),
    )


def headroom_table(results: Results) -> Table:
    """The gap and its parts at every endpoint."""
    corrected = any(found.corrected for found in results.headroom)
    rows = tuple(
        (
            Cell(found.name),
            Cell(number(found.best_fixed_value), found.best_fixed),
            Cell(number(found.oracle)),
            _interval(found.gap),
            *(_corrections(found) if corrected else ()),
            Cell(percent(found.share_closed)),
        )
        for found in results.headroom
    )
    primary = [place for place, found in enumerate(results.headroom) if found.name == results.endpoint.name]
    first = results.headroom[0]
    parts = ("placebo gap", "reproducible gap", "size excess", "interaction") if corrected else ()
    heads = (
        "endpoint",
        "best fixed",
        oracle_name(first),
        gap_name(first),
        *parts,
        "closed by fusion",
    )
    return Table("The gap at every endpoint", heads, rows, marked=frozenset(primary))


def placebo_table(results: Results) -> Table:
    """The placebo gap of each scale at the primary endpoint; empty without a second phase."""
    rows = tuple((Cell(name), Cell(number(gap))) for name, gap in results.primary.placebo.items())
    return Table("Placebo gap by size: luck alone", (scales_word(results)[:-1], "placebo gap"), rows)


def excess_table(results: Results) -> Table:
    """The size excess of every pair of scales, shaded by its estimate; empty without a second phase."""
    matrix = results.primary.excess_matrix
    names = [scale.name for scale in results.scales]
    strongest = max((abs(cell.estimate) for cells in matrix for cell in cells if cell), default=0.0) or 1.0
    rows = tuple(
        (Cell(name), *(_excess(cell, strongest) for cell in cells))
        for name, cells in zip(names, matrix, strict=False)
    )
    return Table("Size excess of each pair", (scales_word(results)[:-1], *names), rows)


def comparisons_table(results: Results) -> Table:
    """The paired differences at the primary endpoint; those of the declared fusion are marked."""
    rows = tuple(
        (
            Cell(found.row),
            Cell(found.against),
            Cell(signed(found.difference.estimate), interval_range(found.difference)),
            Cell(number(found.p)),
            Cell(number(found.p_holm)),
            Cell(number(found.detectable)),
            Cell(count(found.queries_needed)),
        )
        for found in results.comparisons
    )
    heads = ("run", "minus", "difference", "p", "p after Holm", "smallest detectable", "queries needed")
    return Table(f"Paired differences in {results.endpoint.name}", heads, rows, texts=frozenset({0, 1}))


def _corrections(found: Headroom) -> Iterable[Cell]:
    yield Cell(number(mean_placebo(found)))
    yield from map(_interval, (found.reproducible, found.excess, found.interaction))


def mean_placebo(found: Headroom) -> float | None:
    """The mean of the placebo gaps over scales, None without a second phase."""
    gaps = found.placebo.values()
    return sum(gaps) / len(gaps) if gaps else None


def _mean(row: Row | None) -> Cell:
    return Cell(MISSING) if row is None else Cell(number(row.value), interval_range(row.interval))


def _interval(value: Interval | None) -> Cell:
    return Cell(number(value.estimate if value else None), interval_range(value))


def _excess(value: Interval | None, strongest: float) -> Cell:
    if value is None:
        return Cell(MISSING)
    return Cell(signed(value.estimate), interval_range(value), share=value.estimate / strongest)


def _primary_column(results: Results, measure: str, cutoffs: tuple[str, ...]) -> int | None:
    if measure != results.endpoint.measure or results.endpoint.cutoff not in cutoffs:
        return None
    return cutoffs.index(results.endpoint.cutoff) + 1
