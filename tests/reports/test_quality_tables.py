from collections.abc import Sequence
from dataclasses import replace

import pytest

from chunkgap.formatting import MISSING, number, signed
from chunkgap.records import Interval
from chunkgap.reports.quality_tables import (
    comparisons_note,
    comparisons_table,
    excess_table,
    headroom_table,
    means_table,
    panels,
)
from chunkgap.results import Results, Row
from tests.reports.results_builder import build_results


def test_panels_hold_cutoffs_of_one_unit_and_the_primary_comes_first() -> None:
    results = build_results(measures=("rr", "recall"), cutoffs=("5c", "1", "5", "2000t"))
    assert panels(results) == (
        ("recall", ("1", "5")), ("rr", ("5c",)), ("rr", ("1", "5")), ("rr", ("2000t",)), ("recall", ("5c",)),
        ("recall", ("2000t",)),
    )  # fmt: skip


def test_means_table_shows_every_row_at_every_cutoff() -> None:
    results = build_results()
    found = means_table(results, "recall", ("1", "5"))
    shown = {cell.text for row in found.rows for cell in row[1:3]}
    assert shown == {number(row.value) for row in results.rows if row.cutoff in ("1", "5")}
    assert len(found.rows) == len({(row.kind, row.name) for row in results.rows})


def test_means_table_marks_the_fusion_the_best_scale_of_each_cutoff_and_the_primary_one() -> None:
    results = build_results()
    found = means_table(results, "recall", ("1", "3", "5"))
    assert [found.rows[row][0].text for row in found.marked] == ["RRF ai21"]
    starred = [[row[0].text for row in found.rows if row[column].flag] for column in (1, 2, 3)]
    assert starred == [[headroom.best_fixed] for headroom in results.headroom[:3]]
    assert not means_table(build_results(scales=("50",)), "recall", ("1",)).flagged
    assert found.columns[found.primary or 0] == "at 5"


def test_fusion_has_a_dash_where_it_has_no_value() -> None:
    found = means_table(build_results(cutoffs=("5c",), primary="recall@5c"), "recall", ("5c",))
    fused = next(row for row in found.rows if row[0].text == "RRF ai21")
    assert (fused[1].text, fused[1].detail) == (MISSING, "")


@pytest.mark.parametrize("table", [headroom_table, lambda results: means_table(results, "recall", ("5",))])
def test_one_phase_is_called_uncorrected(table: object) -> None:
    found = table(build_results(phases=1))  # type: ignore[operator]
    assert "uncorrected" in str(found)


def test_headroom_table_has_the_parts_only_where_they_were_measured() -> None:
    assert "reproducible gap" in headroom_table(build_results()).columns
    found = headroom_table(build_results(phases=1))
    assert "reproducible gap" not in found.columns
    assert {len(row) for row in found.rows} == {len(found.columns)}


def test_excess_is_shaded_against_the_largest() -> None:
    results = build_results()
    found = excess_table(results)
    cell = results.primary.excess_matrix[0][3]
    assert cell is not None
    assert (found.rows[0][4].text, found.rows[0][4].share) == (signed(cell.estimate), 1.0)
    assert (found.rows[0][1].text, found.rows[0][1].share) == (MISSING, None)
    assert (found.rows[0][2].share or 0) < 0


def test_without_a_second_phase_or_scale_there_is_no_excess() -> None:
    assert not excess_table(build_results(phases=1))
    assert not excess_table(build_results(scales=("200",)))


def test_placebo_gaps_stand_beside_gaps_of_as_many_sizes() -> None:
    results = build_results(matched=True)
    found = headroom_table(results)
    raw, matched, mean, placebo = (found.columns.index(name) for name in (
        "raw gap", "placebo gap of 4 phases", "mean gap of 2 sizes", "placebo gap of 2 phases"
    ))  # fmt: skip
    assert (matched, placebo) == (raw + 1, mean + 1)
    (primary,) = found.marked
    assert found.rows[primary][matched].text == number(results.primary.matched_placebo)
    assert found.rows[primary][mean].text == number(results.primary.like_for_like)
    assert {len(row) for row in found.rows} == {len(found.columns)}


def test_means_table_has_vectors_where_they_are_known() -> None:
    results = build_results()
    found = means_table(results, "recall", ("5",))
    held = {row[0].text: row[-1].line for row in found.rows}
    vectors = sum(scale.phases[0].vectors for scale in results.scales)
    assert found.columns[-1] == "vectors"
    assert held["RRF ai21"].startswith(f"{vectors:,} ")
    assert held["phases of best fixed"].endswith(" 2.0x")
    assert held["oracle"] == MISSING
    assert "vectors" not in means_table(build_results(command="score"), "recall", ("5",)).columns


def test_a_row_that_is_another_scale_at_another_cutoff_has_no_one_price() -> None:
    results = build_results()
    rows = results.rows
    fixed = [place for place, row in enumerate(rows) if (row.kind, row.name) == ("best fixed", "in sample")]
    same = {
        row[0].text: row[-1].line
        for row in means_table(_at(results, rows, fixed, 7), "recall", ("1", "5")).rows
    }
    other = _at(results, _at(results, rows, fixed, 7).rows, fixed[-1:], 8)
    apart = {row[0].text: row[-1].line for row in means_table(other, "recall", ("1", "5")).rows}
    assert same["best fixed, in sample"].startswith("7 ")
    assert apart["best fixed, in sample"] == MISSING


def _at(results: Results, rows: Sequence[Row], places: Sequence[int], vectors: int) -> Results:
    """The rows at some places with so many vectors."""
    changed = tuple(
        replace(row, vectors=vectors) if place in places else row for place, row in enumerate(rows)
    )
    return replace(results, rows=changed)


def test_comparisons_show_differences_with_their_sign() -> None:
    results: Results = build_results()
    found = comparisons_table(results)
    assert [row[2].text for row in found.rows] == [
        signed(one.difference.estimate) for one in results.comparisons
    ]
    assert found.rows[1][-1].text == MISSING


def test_where_nothing_varies_there_is_nothing_to_detect() -> None:
    results = build_results()
    same = replace(results.comparisons[0], difference=Interval(0.0, 0.0, 0.0))
    assert [cell.text for cell in comparisons_table(replace(results, comparisons=(same,))).rows[0][-2:]] == [
        MISSING,
        MISSING,
    ]


def test_p_and_interval_are_told_apart_where_there_are_comparisons() -> None:
    assert "The verdict rests on the interval." in comparisons_note(build_results())
    assert comparisons_note(build_results(bare=True)) == ""
