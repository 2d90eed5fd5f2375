import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chunkgap.datasets.queries import read_queries
from chunkgap.errors import ConfigError, InputError
from chunkgap.promoting import promote, promote_from, query_lines
from chunkgap.records import Document, Query, Span
from chunkgap.reports.artifacts import read_results
from chunkgap.results import QueryScores, Results

from .reports.results_builder import build_results
from .stored import stored


def results(
    fifty: Sequence[float | None],
    hundred: Sequence[float | None],
    *,
    ranks: Sequence[Sequence[int | None]] | None = None,
    clusters: Sequence[int] | None = None,
) -> Results:
    """A measurement at 50 (best fixed) and 100, with these values of recall@1."""
    count = len(fifty)
    built = build_results(scales=("50", "100"), queries=count, cutoffs=("1",), primary="recall@1")
    per_query = replace(
        built.per_query,
        scores={"recall@1": QueryScores((tuple(fifty), tuple(hundred)), ())},
        ranks=tuple(map(tuple, ranks or [[1] * count] * 2)),
        clusters=tuple(clusters or range(count)),
    )
    return replace(built, per_query=per_query, headroom=(replace(built.headroom[0], best_fixed="50"),))


def chosen(measured: Results, count: int) -> list[str]:
    return [query.query_id for query in promote(measured, count)]


def test_the_larger_spread_of_the_measure_comes_first() -> None:
    assert chosen(results([0, 0.5, 0], [0.4, 1, 1]), 3) == ["q0002", "q0001", "q0000"]


def test_among_equals_those_that_the_best_fixed_scale_loses_come_first() -> None:
    assert chosen(results([1, 0, 1], [0, 1, 0]), 3) == ["q0001", "q0000", "q0002"]


def test_then_the_larger_spread_of_one_over_the_rank() -> None:
    # 1 - 1/2, 1 - 1/9, 1 - 0
    ranks = [[1, 1, 1], [2, 9, None]]
    assert chosen(results([1, 1, 1], [0, 0, 0], ranks=ranks), 3) == ["q0002", "q0001", "q0000"]


def test_clusters_take_turns() -> None:
    measured = results([0, 0, 0, 0.5], [1, 1, 1, 1], clusters=[0, 0, 0, 1])
    assert chosen(measured, 4) == ["q0000", "q0003", "q0001", "q0002"]


def test_queries_on_which_nothing_differs_come_last_whatever_their_cluster() -> None:
    ranks = [[1, 1, 3, 1], [1, 1, 7, 1]]
    measured = results([0, 0, 0, 1], [1, 1, 0, 1], ranks=ranks, clusters=[0, 0, 1, 2])
    assert chosen(measured, 4) == ["q0000", "q0001", "q0002", "q0003"]


def test_no_more_are_chosen_than_asked_for_and_all_when_there_are_fewer() -> None:
    assert len(chosen(results([0, 0], [1, 1]), 1)) == 1
    assert len(chosen(results([0, 0], [1, 1]), 9)) == 2


def test_the_choice_is_the_same_each_time() -> None:
    measured = build_results(queries=80)
    assert promote(measured, 20) == promote(measured, 20)


@pytest.mark.parametrize("undefined", [None, float("nan")])
def test_a_query_without_the_measure_is_left_out(undefined: float | None) -> None:
    measured = results([undefined, 0, 0.5], [undefined, 1, undefined], ranks=[[1, 1, 1], [9, 1, 1]])
    assert chosen(measured, 3) == ["q0001"]


def test_a_measure_that_is_defined_nowhere_is_an_error() -> None:
    with pytest.raises(InputError) as caught:
        promote(results([None, None], [None, None]), 1)
    assert str(caught.value) == (
        "queries: expected some for which recall@1 is defined, got none. Measure with another primary."
    )


@pytest.mark.parametrize(
    ("values", "ranks", "why"),
    [
        (
            (0, 1),
            (12, 1),
            "recall@1 is 1.0000 at 100 (rank 1) and 0 at 50 (rank 12); "
            "the best fixed scale 50 loses it (rank 12)",
        ),
        ((1, 0), (1, None), "recall@1 is 1.0000 at 50 (rank 1) and 0 at 100 (not found)"),
        ((0, 0), (7, 3), "recall@1 is 0 at all, but 100 has rank 3 and 50 rank 7"),
        ((0, 0), (7, None), "recall@1 is 0 at all, but 50 has rank 7 and 100 not found"),
        ((0, 0), (None, None), "no scale differs: recall@1 is 0 at all (not found)"),
    ],
)
def test_why_a_query_was_chosen(
    values: tuple[int, int], ranks: tuple[int | None, int | None], why: str
) -> None:
    measured = results([values[0]], [values[1]], ranks=[[ranks[0]], [ranks[1]]])
    assert promote(measured, 1)[0].why == why


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_is_an_error(count: int) -> None:
    with pytest.raises(ConfigError) as caught:
        promote(results([0], [1]), count)
    assert str(caught.value) == (
        f"N: expected a number of queries, at least 1, got {count}. Give one such as 50."
    )


QUERY = Query(
    "q0000",
    "what, \N{GRINNING FACE}?",
    relevant={"a": 1.0, "b": 1.0},
    spans=(Span("a", 10, 14),),
    answers=("this",),
    tags={"kind": "fact"},
)


def test_a_line_is_the_query_as_a_file_gives_it_and_why() -> None:
    (line,) = query_lines(promote(results([0], [1]), 1), {"q0000": QUERY}, {})
    record = json.loads(line)
    assert list(record) == ["_id", "text", "relevant", "spans", "answers", "tags", "why"]
    assert record["relevant"] == ["a", "b"]
    assert record["spans"] == [{"doc": "a", "start": 10, "end": 14}]
    assert record["why"].startswith("recall@1 is 1.0000 at 100")


def test_grades_are_kept_and_what_a_query_lacks_is_left_out() -> None:
    query = Query("q0000", "what", relevant={"a": 2.0, "b": 0.0})
    (line,) = query_lines(promote(results([0], [1]), 1), {"q0000": query}, {})
    record = json.loads(line)
    assert record["relevant"] == {"a": 2.0, "b": 0.0}
    assert list(record) == ["_id", "text", "relevant", "why"]


def test_spans_count_from_the_body_again_and_the_file_reads_back_equal(tmp_path: Path) -> None:
    document = Document("a", "Title\nthis is it", title="Title", body_start=6)
    corpus = {"a": document, "b": Document("b", "other")}
    lines = query_lines(promote(results([0], [1]), 1), {"q0000": QUERY}, corpus)
    assert json.loads(lines[0])["spans"] == [{"doc": "a", "start": 4, "end": 8}]
    (tmp_path / "small.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert read_queries(tmp_path / "small.jsonl", corpus).queries == (QUERY,)


def test_a_query_that_is_gone_is_an_error() -> None:
    with pytest.raises(InputError, match=r"got a file without 'q0000' \(1 in all\)"):
        query_lines(promote(results([0], [1]), 1), {}, {})


def test_a_promotion_of_a_stored_measurement_reads_its_queries_again(tmp_path: Path) -> None:
    out = stored(tmp_path)
    promotion = promote_from(out, read_results(out), 3)
    assert [json.loads(line)["_id"] for line in promotion.lines] == [q.query_id for q in promotion.queries]
    assert promotion.remarks == ()


@pytest.mark.parametrize(("missing", "words"), [(1, "query is"), (2, "queries are")])
def test_a_promotion_says_how_many_queries_lack_the_measure(tmp_path: Path, missing: int, words: str) -> None:
    out = stored(tmp_path)
    measured = read_results(out)
    name, per_query = measured.endpoint.name, measured.per_query
    scales = tuple((None,) * missing + values[missing:] for values in per_query.scores[name].scales)
    scores = {**per_query.scores, name: replace(per_query.scores[name], scales=scales)}
    promotion = promote_from(out, replace(measured, per_query=replace(per_query, scores=scores)), 1000)
    assert len(promotion.queries) == len(per_query.query_ids) - missing
    assert promotion.remarks == (
        f"{missing} {words} left out, for {name} is not defined for {'it' if missing == 1 else 'them'}",
    )


def test_a_promotion_without_the_query_file_says_how_to_name_it(tmp_path: Path) -> None:
    out = stored(tmp_path)
    (tmp_path / "queries.jsonl").rename(tmp_path / "moved.jsonl")
    (tmp_path / "corpus").rename(tmp_path / "documents")
    with pytest.raises(InputError) as caught:
        promote_from(out, read_results(out), 3)
    assert [problem.split(".")[0] for problem in caught.value.problems] == [
        "queries: expected the query file of the measurement, got none",
        "The corpus cannot be read again; texts are left out, and evidence that was given as text",
        "The queries cannot be read again; evidence is left out",
    ]
    assert len(promote_from(out, read_results(out), 3, queries=tmp_path / "moved.jsonl").lines) == 3
