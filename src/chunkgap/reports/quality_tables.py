"""Tables of what was found: means by cutoff, the gap and its parts, paired comparisons."""

from collections.abc import Iterable

from chunkgap.formatting import MISSING, number, percent, signed
from chunkgap.records import Interval
from chunkgap.reports.gaps import mean_placebo
from chunkgap.reports.quantities import count
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import (
    BEST,
    gap_name,
    interval_range,
    oracle_name,
    row_name,
    scales_word,
    starred,
    storage_of,
    unit_words,
)
from chunkgap.results import Comparison, Headroom, Results, Row


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
    """Every row by every cutoff of one measure, the oracle last, with the vectors it stores where they are known.

    The fusion is marked; the best fixed scale of each cutoff has a star there, unless it is the only one.
    """
    of_measure = [row for row in results.rows if row.measure == measure]
    names = sorted(
        dict.fromkeys((row.kind, row.name) for row in of_measure), key=lambda row: row[0] == "oracle"
    )
    known = any(row.vectors is not None for row in of_measure)
    corrected = results.primary.corrected
    best = {found.cutoff: starred(found, results) for found in results.headroom if found.measure == measure}
    rows = tuple(
        (
            Cell(row_name(kind, name, corrected=corrected)),
            *(_mean(results.row(kind, name, measure, cutoff), best[cutoff]) for cutoff in cutoffs),
            *((_vectors(kind, name, of_measure, results),) if known else ()),
        )
        for kind, name in names
    )
    several = len(results.scales) > 1
    return Table(
        f"Mean {panel_name(measure, cutoffs)}",
        (
            f"run ({BEST} best {scales_word(results)[:-1]})" if several else "run",
            *(f"at {cutoff}" for cutoff in cutoffs),
            *(("vectors",) if known else ()),
        ),
        rows,
        marked=frozenset(
            place for place, name in enumerate(names) if name == ("fusion", results.endpoint.fusion)
        ),
        primary=_primary_column(results, measure, cutoffs),
    )


def headroom_table(results: Results) -> Table:
    """The gap and its parts at every endpoint, each placebo gap beside the gap over as many scales."""
    corrected = any(found.corrected for found in results.headroom)
    matched = any(found.matched_placebo is not None for found in results.headroom)
    rows = tuple(
        (
            Cell(found.name),
            Cell(number(found.best_fixed_value), found.best_fixed),
            Cell(number(found.oracle)),
            _interval(found.gap),
            *((Cell(number(found.matched_placebo)),) if matched else ()),
            *(_corrections(found) if corrected else ()),
            Cell(percent(found.share_closed)),
        )
        for found in results.headroom
    )
    primary = [place for place, found in enumerate(results.headroom) if found.name == results.endpoint.name]
    first, word, phases = results.headroom[0], scales_word(results), results.phases
    like_for_like = (f"mean gap of {phases} {word}", f"placebo gap of {phases} phases")
    parts = (*like_for_like, "reproducible gap", "size excess", "interaction") if corrected else ()
    heads = (
        "endpoint",
        "best fixed",
        oracle_name(first),
        gap_name(first),
        *((f"placebo gap of {len(results.scales)} phases",) if matched else ()),
        *parts,
        "share of the gap closed",
    )
    return Table("The gap at every endpoint", heads, rows, marked=frozenset(primary))


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
            *(_power(found)),
        )
        for found in results.comparisons
    )
    needed = "queries for 80% power at min_gain"
    heads = ("run", "minus", "difference", "p", "p after Holm", "smallest detectable", needed)
    return Table(f"Paired differences in {results.endpoint.name}", heads, rows, texts=frozenset({0, 1}))


def comparisons_note(results: Results) -> str:
    """How p and interval can seem to disagree; empty without comparisons."""
    if not results.comparisons:
        return ""
    word = scales_word(results)[:-1]
    return (
        f"p takes the choice of the best fixed {word} as given and flips signs; the interval makes the choice "
        "anew in every resample, so that p can be small where the interval includes 0. The verdict rests on "
        "the interval."
    )


def _power(found: Comparison) -> tuple[Cell, Cell]:
    """Dashes where nothing varies, so that there is no difference to detect."""
    if found.difference.low == found.difference.high == 0:
        return Cell(MISSING), Cell(MISSING)
    return Cell(number(found.detectable)), Cell(count(found.queries_needed))


def _corrections(found: Headroom) -> Iterable[Cell]:
    yield Cell(number(found.like_for_like))
    yield Cell(number(mean_placebo(found)))
    yield from map(_interval, (found.reproducible, found.excess, found.interaction))


def _mean(row: Row | None, best: str | None) -> Cell:
    if row is None:
        return Cell(MISSING)
    flag = BEST if row.kind == "scale" and row.name == best else ""
    return Cell(number(row.value), interval_range(row.interval), flag=flag)


def _vectors(kind: str, name: str, rows: Iterable[Row], results: Results) -> Cell:
    """What a row stores; nothing where that is another scale at another cutoff."""
    named = [row for row in rows if (row.kind, row.name) == (kind, name)]
    if len({row.vectors for row in named}) > 1:
        return Cell(MISSING)
    return Cell(count(named[0].vectors), storage_of(named[0], results))


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
