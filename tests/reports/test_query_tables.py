from dataclasses import replace

from chunkgap.formatting import MISSING
from chunkgap.reports.query_tables import (
    diagnoses_legend,
    diagnoses_table,
    diversity_sentence,
    exclusions_table,
    losses_table,
    short_slices_table,
    slices_table,
    win_table,
    wins_table,
)
from chunkgap.results import Diagnosis, Results, Wins
from tests.reports.results_builder import build_results


def test_wins_add_up_to_the_queries() -> None:
    found = wins_table(build_results())
    assert sum(int(row[1].text) for row in found.rows) == 60


def half_undefined() -> Results:
    """60 evaluated queries, for 30 of which the primary measure is defined."""
    results = build_results()
    return replace(results, wins=Wins({"50": 10, "100": 5, "200": 0, "500": 0}, tied=12, none=3))


def test_shares_of_wins_are_of_the_queries_that_the_measure_is_defined_for() -> None:
    found = wins_table(half_undefined())
    assert found.caption == (
        "Which size alone has the highest recall@5, of 30 queries (30 more have no recall@5)"
    )
    # 10, 5, 0, 0, 12 and 3 of 30
    assert [row[2].text for row in found.rows] == ["33.3%", "16.7%", "0%", "0%", "40.0%", "10.0%"]


def test_slice_is_shaded_from_its_worst_scale_to_its_best() -> None:
    results = build_results()
    for row, found in zip(slices_table(results).rows, results.slices, strict=True):
        shares = dict(zip(found.means, [cell.share for cell in row[2:6]], strict=True))
        assert (shares[found.best], min(share or 0.0 for share in shares.values())) == (1.0, 0.0)


def test_small_slice_says_so_and_has_no_gain() -> None:
    row = slices_table(build_results()).rows[2]
    assert (row[0].line, row[6].text) == ("domain: legal", "too few to say")
    assert (row[-1].text, row[-2].text) == (MISSING, MISSING)


def test_a_tie_for_the_best_scale_is_shown_as_one() -> None:
    results = build_results(scales=("15", "45", "120"))
    whole = {"15": 0.9615, "45": 0.9615, "120": 0.9615}
    tied, same = (
        replace(results.slices[0], means=means, best="120", small=False)
        for means in ({**whole, "45": 0.9}, whole)
    )
    found = replace(results, slices=(tied, same))
    assert [row[5].text for row in slices_table(found).rows] == ["15, 120", "all the same"]
    assert [row[2].text for row in short_slices_table(found).rows] == ["15, 120", "all the same"]


def test_one_scale_alone_ties_with_none() -> None:
    results = build_results(scales=("50",))
    assert slices_table(results).rows[0][3].text == "50"


def test_short_slices_are_the_same_without_the_scales() -> None:
    results = build_results()
    short, whole = short_slices_table(results), slices_table(results)
    assert [row[:2] for row in short.rows] == [row[:2] for row in whole.rows]
    assert [(row[2], row[4]) for row in short.rows] == [(row[6], row[9]) for row in whole.rows]


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


def test_a_part_of_the_lost_queries_says_of_how_many() -> None:
    results = build_results()
    assert losses_table(replace(results, lost=98)).caption == (
        "Queries that the best fixed size loses, the first 5 of 98"
    )
    assert losses_table(replace(results, lost=5)).caption == "Queries that the best fixed size loses"
    assert losses_table(results, limit=2).caption.endswith(", the first 2 of 5")  # an older file has no count


def test_long_names_of_slices_are_cut() -> None:
    results = build_results()
    long = replace(results, slices=tuple(replace(found, value="x" * 5_000) for found in results.slices))
    assert {len(row[0].text) for row in slices_table(long).rows} == {120}


def test_diagnosis_that_a_scale_lacks_is_a_dash() -> None:
    assert diagnoses_table(build_results()).rows[0][-1].text == MISSING
    assert not diagnoses_table(build_results(bare=True))


def with_documents(*documents: float | None) -> Results:
    """Results whose scales, the best fixed one first, retrieve so many distinct documents."""
    results = build_results()
    best = results.primary.best_fixed
    names = [best, *(scale.name for scale in results.scales if scale.name != best)]
    found = (Diagnosis(name, {"documents": value}) for name, value in zip(names, documents, strict=False))
    return replace(results, diagnoses=tuple(found))


def test_each_diagnosis_that_is_shown_has_a_line_in_the_legend() -> None:
    assert diagnoses_legend(with_documents(4.2, 3.9)) == ["documents: distinct documents retrieved"]
    assert diagnoses_legend(build_results(bare=True)) == []


def test_a_best_fixed_scale_with_the_most_documents_may_win_by_diversity() -> None:
    results = with_documents(4.2, 3.9, None)
    assert diversity_sentence(results) == (
        f"The best fixed size, {results.primary.best_fixed}, also retrieves the most distinct documents, "
        "4.20 against at most 3.90: it may win by diversity."
    )
    assert "4.201 against at most 4.199" in diversity_sentence(with_documents(4.201, 4.199))
    assert diversity_sentence(with_documents(3.9, 3.9)) == ""
    assert diversity_sentence(with_documents(None, 3.9)) == ""
    assert diversity_sentence(with_documents(3.9)) == ""


def test_exclusions_are_counted_by_reason() -> None:
    found = exclusions_table(build_results())
    assert [tuple(cell.text for cell in row) for row in found.rows] == [
        ("queries", "no relevant document", "2"), ("files", "not UTF-8", "1"), ("files", "empty", "3"),
    ]  # fmt: skip
