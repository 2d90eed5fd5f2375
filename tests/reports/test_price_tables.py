from dataclasses import replace

from chunkgap.formatting import MISSING, number
from chunkgap.reports.price_tables import (
    latency_table,
    prices_table,
    reading_table,
    sets_note,
    sets_table,
    timings_table,
)
from chunkgap.results import Latency
from tests.reports.results_builder import build_results


def test_prices_are_those_of_the_first_phase() -> None:
    results = build_results()
    found = prices_table(results)
    *scales, _ = found.rows
    assert [row[1].text for row in scales] == [f"{scale.phases[0].chunks:,}" for scale in results.scales]
    assert found.columns[-1] == "query p50"


def test_the_last_line_is_the_price_of_all_scales() -> None:
    results = build_results(scales=("50", "100"))
    assert results.timings
    fifty, hundred = results.scales
    *_, total = prices_table(results).rows
    assert total[0].text == "all sizes"
    assert total[2].text == f"{fifty.phases[0].vectors + hundred.phases[0].vectors:,}"
    tokens = sum(scale.phases[0].mean_tokens * scale.phases[0].chunks for scale in results.scales)
    chunks = fifty.phases[0].chunks + hundred.phases[0].chunks
    assert total[3].text == f"{tokens / chunks:,.1f}"
    assert total[6].text == MISSING  # of the first scale nobody knows
    assert len(prices_table(build_results(scales=("50",))).rows) == 1


def test_an_index_from_the_cache_took_no_time_and_exact_search_has_none() -> None:
    results = build_results()
    assert results.timings
    scales = tuple(replace(timing, build=None) for timing in results.timings.scales)
    cached = replace(results, timings=replace(results.timings, scales=scales))
    assert {row[7].text for row in prices_table(cached).rows} == {"cached"}
    assert {row[7].text for row in prices_table(replace(cached, index="exact")).rows} == {MISSING}


def test_time_of_one_query_has_its_percentiles_and_says_of_how_many_searches() -> None:
    results = build_results(scales=("50", "100"))
    found = latency_table(results)
    assert [row[0].text for row in found.rows] == [
        "50", "100", "all sizes, one after another", "all sizes, side by side",
    ]  # fmt: skip
    assert [cell.text for cell in found.rows[2][1:]] == ["100", "0.42 ms", "0.71 ms", "0.93 ms"]
    assert [cell.text for cell in found.rows[3][1:]] == ["64", "0.50 ms", "0.80 ms", "1.00 ms"]
    assert results.timings
    older = replace(results.timings, multi_scale=Latency(0.1, 0.2, 0.3))
    assert latency_table(replace(results, timings=older)).rows[2][1].text == MISSING
    assert not latency_table(build_results(timings=False))


def test_without_timings_there_are_no_columns_of_time() -> None:
    found = prices_table(build_results(timings=False))
    assert found.columns[-1] == "index file"
    assert {len(row) for row in found.rows} == {len(found.columns)}
    assert not timings_table(build_results(timings=False))


def test_seconds_of_embedding_that_were_not_measured_now_say_so() -> None:
    results = build_results()
    assert results.timings
    assert prices_table(results).columns[6] == "embedding"
    warm = replace(results, timings=replace(results.timings, texts_embedded=0, texts_cached=7200))
    assert prices_table(warm).columns[6] == "embedding at a speed measured earlier"
    assert prices_table(warm).rows == prices_table(results).rows


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
    assert {row[4].text for row in found.rows} >= {MISSING, "pareto"}


def test_a_cheaper_set_is_told_to_be_measured_alone() -> None:
    results = build_results()
    assert sets_note(results) == (
        "The verdict is about all sizes together. The set marked, 50 + 100, is cheaper: measure it alone to get "
        "a verdict."
    )
    whole = tuple(replace(found, recommended=len(found.scales) == 4) for found in results.sets)
    assert sets_note(replace(results, sets=whole)) == ""
    assert sets_note(build_results(bare=True)) == ""


def test_front_leaves_out_sets_that_another_beats_and_undercuts() -> None:
    results = build_results()
    expected = sum(found.pareto or found.recommended for found in results.sets)
    assert len(sets_table(results, front=True).rows) == expected < len(results.sets)


def test_run_files_of_ones_own_have_no_price() -> None:
    results = build_results(command="score")
    assert not prices_table(results)
    assert not reading_table(results)
    assert {row[2].text for row in sets_table(results).rows} == {MISSING}
