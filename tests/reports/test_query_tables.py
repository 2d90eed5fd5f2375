from chunkgap.formatting import MISSING
from chunkgap.reports.query_tables import (
    diagnoses_table,
    exclusions_table,
    losses_table,
    slices_table,
    win_table,
    wins_table,
)
from tests.reports.results_builder import build_results


def test_wins_add_up_to_the_queries() -> None:
    found = wins_table(build_results())
    assert sum(int(row[1].text) for row in found.rows) == 60


def test_slice_is_shaded_from_its_worst_scale_to_its_best() -> None:
    results = build_results()
    for row, found in zip(slices_table(results).rows, results.slices, strict=True):
        shares = dict(zip(found.means, [cell.share for cell in row[2:6]], strict=True))
        assert (shares[found.best], min(share or 0.0 for share in shares.values())) == (1.0, 0.0)


def test_small_slice_says_so_and_has_no_gain() -> None:
    row = slices_table(build_results()).rows[2]
    assert (row[0].detail, row[-1].text, row[-2].text) == ("too few to say", MISSING, MISSING)


def test_gap_of_slices_is_called_uncorrected_with_one_phase() -> None:
    assert "gap (uncorrected)" in slices_table(build_results(phases=1)).columns


def test_all_queries_stand_before_tags_in_the_win_table() -> None:
    found = win_table(build_results())
    assert found.marked == {0, 1, 2}
    assert [row[0].text for row in found.rows[:4]] == ["all queries"] * 3 + ["domain: finance"]


def test_losses_show_where_the_query_was_found() -> None:
    results = build_results()
    first, row = results.losses[0], losses_table(results).rows[0]
    assert (row[0].text, row[3].text, row[4].detail) == (first.query_id, first.scale, f"rank {first.rank}")


def test_diagnosis_that_a_scale_lacks_is_a_dash() -> None:
    assert diagnoses_table(build_results()).rows[0][-1].text == MISSING
    assert not diagnoses_table(build_results(bare=True))


def test_exclusions_are_counted_by_reason() -> None:
    found = exclusions_table(build_results())
    assert [tuple(cell.text for cell in row) for row in found.rows] == [
        ("queries", "no relevant document", "2"), ("files", "not UTF-8", "1"), ("files", "empty", "3"),
    ]  # fmt: skip
