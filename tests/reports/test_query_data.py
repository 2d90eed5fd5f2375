import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.formatting import number
from chunkgap.reports.query_data import query_data, script_json
from chunkgap.reports.query_hits import QueryHits, query_gaps, shown_chunk, widest_queries
from tests.reports.results_builder import build_hits, build_results, build_scored

ID, TEXT, TAGS, RELEVANT, VALUES, RANKS, FUSED, FUSED_RANK, GAP, PLACE = range(10)


def data(*args: Any, **options: Any) -> Any:
    return json.loads(json.dumps(query_data(*args, **options)))


def test_rows_are_in_file_order_and_say_what_the_results_say() -> None:
    results = build_results()
    scores = results.per_query.scores["recall@5"]
    found = data(results)
    assert [row[ID] for row in found["rows"]] == list(results.per_query.query_ids)
    for place, row in enumerate(found["rows"]):
        assert row[VALUES] == [number(values[place]) for values in scores.scales]
        assert row[RANKS] == [ranks[place] for ranks in results.per_query.ranks]
        assert (row[FUSED], row[FUSED_RANK]) == (
            number(scores.fusion[place]),
            results.per_query.fused_ranks[place],
        )
        assert (row[GAP], row[PLACE]) == (number(query_gaps(results)[place]), place)


def test_tags_stand_once_and_rows_point_at_them() -> None:
    results = build_results()
    found = data(results)
    assert len(found["tags"]) == len(set(found["tags"])) == 5
    assert [found["tags"][tag] for tag in found["rows"][0][TAGS]] == ["domain: finance", "kind: fact"]


def test_tags_beyond_their_budget_are_left_out_and_counted() -> None:
    results = build_results()
    found = data(results, tags_budget=40)  # two of them with quotes and commas
    assert found["tags"] == ["domain: finance", "kind: fact"]
    assert found["tags_left_out"] == 3
    assert [row[TAGS] for row in found["rows"][:2]] == [[0, 1], []]
    assert data(results)["tags_left_out"] == 0


def test_without_a_fused_value_there_is_no_fused_column() -> None:
    found = data(build_results(cutoffs=("1c", "5c"), primary="recall@5c"))
    assert found["fusion"] is None
    assert {row[FUSED] for row in found["rows"]} == {None}


def test_query_without_a_value_shows_a_dash() -> None:
    first = data(build_results(bare=True))["rows"][0]
    assert set(first[VALUES]) | {first[GAP], first[FUSED]} == {"\N{EN DASH}"}


def test_small_budget_keeps_the_widest_gaps_and_counts_all() -> None:
    results = build_results()
    found = data(results, rows_budget=2_000)
    kept = [row[ID] for row in found["rows"]]
    assert 0 < len(kept) < 60
    assert set(kept) == set(widest_queries(results, limit=len(kept)))
    assert found["total"] == 60
    assert len(script_json(found["rows"]).encode()) <= 2_000 + len(kept) + 2


def test_small_budget_for_chunks_keeps_the_widest_gaps() -> None:
    results = build_results()
    found = data(results, build_hits(results), hits_budget=30_000)
    assert 0 < len(found["hits"]) < 60
    assert list(found["hits"]) == list(widest_queries(results, limit=len(found["hits"])))


def test_chunks_are_in_scale_order_and_evidence_is_every_second_piece() -> None:
    results = build_results(scales=("50", "100"))
    chunk = shown_chunk(build_scored("The fee is nine euros.", start=10), spans=[(21, 31)])
    found = data(results, {"q0000": QueryHits({"100": [chunk]})})["hits"]["q0000"]
    assert found[0] == []
    assert found[1][0]["pieces"] == ["The fee is ", "nine euros", "."]
    assert found[1][0]["range"] == "[10, 32)"


def test_excerpt_that_leaves_text_out_says_so() -> None:
    chunk = shown_chunk(build_scored("x" * 1000), spans=[(500, 501)])
    found = data(build_results(scales=("50",)), {"q0000": QueryHits({"50": [chunk]})})
    pieces = found["hits"]["q0000"][0][0]["pieces"]
    assert (pieces[0][0], pieces[1], pieces[-1][-1]) == (
        "\N{HORIZONTAL ELLIPSIS}",
        "x",
        "\N{HORIZONTAL ELLIPSIS}",
    )


@given(st.text())
@settings(max_examples=50)
def test_json_in_a_script_reads_back_and_ends_nothing(text: str) -> None:
    written = script_json({text: text + "</script><!--"})
    assert json.loads(written) == {text: text + "</script><!--"}
    assert not set("<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}") & set(written)
