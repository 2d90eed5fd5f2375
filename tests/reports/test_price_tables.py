from dataclasses import replace

from chunkgap.formatting import MISSING, number
from chunkgap.reports.price_tables import prices_table, reading_table, sets_table, timings_table
from tests.reports.results_builder import build_results


def test_prices_are_those_of_the_first_phase() -> None:
    results = build_results()
    found = prices_table(results)
    assert [row[1].text for row in found.rows] == [f"{scale.phases[0].chunks:,}" for scale in results.scales]
    assert found.columns[-1] == "query p95"


def test_without_timings_there_are_no_columns_of_time() -> None:
    found = prices_table(build_results(timings=False))
    assert found.columns[-1] == "index file"
    assert {len(row) for row in found.rows} == {len(found.columns)}
    assert not timings_table(build_results(timings=False))


def test_vectors_from_the_cache_took_no_time() -> None:
    row = prices_table(build_results()).rows[0]
    assert row[6].text == "cached"


def test_exact_search_has_neither_ef_nor_a_file() -> None:
    results = build_results(bare=True)
    assert {row[5].text for row in reading_table(results).rows} == {MISSING}
    assert {row[5].text for row in prices_table(results).rows} == {MISSING}


def test_truncated_scale_is_called_so() -> None:
    results = build_results()
    cut = replace(results, scales=(replace(results.scales[0], truncated=True), *results.scales[1:]))
    assert [row[0].detail for row in reading_table(cut).rows] == ["truncated", "", "", ""]


def test_sets_are_ordered_by_price_and_the_recommended_one_is_marked() -> None:
    results = build_results()
    found = sets_table(results)
    vectors = [int(row[2].text.replace(",", "")) for row in found.rows]
    assert vectors == sorted(vectors)
    assert {row[1].text for row in found.rows} == {number(one.value) for one in results.sets}
    (marked,) = found.marked
    assert "recommended" in found.rows[marked][4].text


def test_front_leaves_out_sets_that_another_beats_and_undercuts() -> None:
    results = build_results()
    expected = sum(found.pareto or found.recommended for found in results.sets)
    assert len(sets_table(results, front=True).rows) == expected < len(results.sets)


def test_run_files_of_ones_own_have_no_price() -> None:
    results = build_results(command="score")
    assert not prices_table(results)
    assert not reading_table(results)
    assert {row[2].text for row in sets_table(results).rows} == {MISSING}
