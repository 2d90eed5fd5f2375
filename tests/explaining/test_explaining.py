from chunkgap.explaining import QueryLists, explain
from chunkgap.fusion import PRESETS, Reach

from ..reports.results_builder import build_results
from .test_lists import DOC_IDS, ranking


def test_an_explanation_has_the_numbers_of_the_results() -> None:
    results = build_results(scales=("50", "100"), queries=5)
    rankings = {"50": ranking("abcd"), "100": ranking("dcba")}
    found = explain(results, 3, QueryLists(rankings, DOC_IDS, ("d", "c"), PRESETS["ai21"], Reach(100)), top=2)
    scores = results.per_query.scores[results.endpoint.name]
    assert found.query_id == "q0003"
    assert found.text == results.per_query.texts[3]
    assert [scale.value for scale in found.scales] == [column[3] for column in scores.scales]
    assert found.fused_value == scores.fusion[3]
    assert [scale.name for scale in found.scales if scale.best_fixed] == [results.primary.best_fixed]
    assert [scale.retrieved for scale in found.scales] == [4, 4]
    assert len(found.fused) == 2


def test_relevant_documents_come_by_fused_rank_and_the_unfound_last() -> None:
    results = build_results(scales=("50",), queries=2)
    lists = QueryLists({"50": ranking("ab")}, DOC_IDS, ("d", "b", "a"), PRESETS["ai21"], Reach(100))
    assert [found.doc_id for found in explain(results, 0, lists).relevant] == ["a", "b", "d"]


def test_every_other_measure_has_its_values_at_each_scale_and_fused() -> None:
    results = build_results(scales=("50", "100"), queries=5)
    lists = QueryLists(
        {"50": ranking("ab"), "100": ranking("ba")}, DOC_IDS, ("a",), PRESETS["ai21"], Reach(100)
    )
    found = explain(results, 3, lists)
    assert {values.name for values in found.measures} == {*results.per_query.scores} - {results.endpoint.name}
    for values in found.measures:
        scores = results.per_query.scores[values.name]
        assert values.scales == tuple(column[3] for column in scores.scales)
        assert values.fused == (scores.fusion[3] if scores.fusion else None)
