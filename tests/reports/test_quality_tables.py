import pytest

from chunkgap.formatting import MISSING, number, signed
from chunkgap.reports.quality_tables import (
    comparisons_table,
    excess_table,
    headroom_table,
    mean_placebo,
    means_table,
    panels,
    placebo_table,
)
from chunkgap.results import Results
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
    shown = {cell.text for row in found.rows for cell in row[1:]}
    assert shown == {number(row.value) for row in results.rows if row.cutoff in ("1", "5")}
    assert len(found.rows) == len({(row.kind, row.name) for row in results.rows})


def test_means_table_marks_the_best_fixed_scale_the_fusion_and_the_primary_cutoff() -> None:
    results = build_results()
    found = means_table(results, "recall", ("1", "3", "5"))
    assert {found.rows[row][0].text for row in found.marked} == {results.primary.best_fixed, "RRF ai21"}
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
    assert not placebo_table(build_results(phases=1))


def test_mean_placebo_is_the_mean_over_scales() -> None:
    assert mean_placebo(build_results().primary) == pytest.approx((0.020 + 0.023 + 0.026 + 0.029) / 4)
    assert mean_placebo(build_results(phases=1).primary) is None


def test_comparisons_show_differences_with_their_sign() -> None:
    results: Results = build_results()
    found = comparisons_table(results)
    assert [row[2].text for row in found.rows] == [
        signed(one.difference.estimate) for one in results.comparisons
    ]
    assert found.rows[1][-1].text == MISSING
