import json
from pathlib import Path

import pytest

from chunkgap.comparing import check_comparable
from chunkgap.config import Settings, load_settings
from chunkgap.errors import ConfigError, InputError, NotComparableError
from chunkgap.results import Results
from chunkgap.scoring_runs import score


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_run(name: str, **results: str) -> None:
    """A run file from `query="best second third"`."""
    write(
        name,
        *(
            f"{query} Q0 {doc_id} {place + 1} {1 - place / 100} {name}"
            for query, ranked in results.items()
            for place, doc_id in enumerate(ranked.split())
        ),
    )


def settings(**keys: object) -> Settings:
    """Two runs, recall@2 as the primary endpoint."""
    chosen = {
        "runs": {"64": "s64.run", "256": "s256.run"},
        "qrels": "qrels.txt",
        "cutoffs": ["2"],
        "fusion": {"rrf_k": 60, "votes": "best"},
        "statistics": {"resamples": 200},
        **keys,
    }
    Path("c.yaml").write_text(json.dumps({key: value for key, value in chosen.items() if value is not None}))
    return load_settings(Path("c.yaml"))


def two_runs() -> None:
    """Each size finds one query that the other misses, both find q3, none finds q4."""
    write_run("s64.run", q1="good1 x", q2="x y", q3="good3 x", q4="x y")
    write_run("s256.run", q1="x y", q2="good2 x", q3="good3 x", q4="x y")
    write("qrels.txt", "q1 0 good1 1", "q2 0 good2 1", "q3 0 good3 1", "q4 0 good4 1")


def mean(results: Results, name: str, measure: str = "recall", cutoff: str = "2") -> float | None:
    kind = "scale" if name.isdigit() else "fusion"
    row = results.row(kind, name, measure, cutoff)
    return None if row is None else row.value


def messages(results: Results, code: str) -> list[str]:
    return [notice.message for notice in results.notices if notice.code == code]


def test_best_fixed_oracle_and_gap_are_those_of_the_runs() -> None:
    two_runs()
    results = score(settings()).results
    assert [mean(results, name) for name in ("64", "256")] == [2 / 4, 2 / 4]
    assert results.primary.oracle == 3 / 4
    assert results.primary.gap.estimate == 3 / 4 - 2 / 4
    assert not results.primary.corrected
    assert (results.command, results.index, results.model, results.phases) == ("score", "runs", None, 1)


def test_fusion_is_computed_from_the_runs() -> None:
    two_runs()
    results = score(settings()).results
    # q1: good1 1/61, x 1/62 + 1/61, y 1/62; x and good1 are the first two. q2 likewise.
    assert mean(results, "rrf60") == 3 / 4


def test_a_scale_that_is_a_number_is_a_size_and_its_price_is_unknown() -> None:
    two_runs()
    results = score(settings(runs={"64": "s64.run", "long": "s256.run"})).results
    assert [(scale.name, scale.size) for scale in results.scales] == [("64", 64), ("long", None)]
    assert [scale.phases[0].vectors for scale in results.scales] == [4, 4]  # good1 good3 x y; good2 good3 x y
    assert messages(results, "unknown-price") == [
        "run files do not tell how many vectors an index has: storage is not known, and decides nothing"
    ]
    assert results.verdict.storage is None


def test_the_corpus_is_every_document_that_runs_and_judgements_name() -> None:
    two_runs()
    measured = score(settings())
    assert measured.retrieval.doc_ids == ["good1", "good2", "good3", "good4", "x", "y"]
    assert (measured.results.corpus.documents, measured.results.corpus.source) == (6, "2 run files")


def test_a_judged_query_without_results_scores_zero_and_is_told() -> None:
    write_run("s64.run", q1="a")
    write("qrels.txt", "q1 0 a 1", "q2 0 b 1")
    results = score(settings(runs={"64": "s64.run"})).results
    assert results.per_query.scores["recall@2"].scales == ((1.0, 0.0),)
    assert messages(results, "no-results") == ["run 64: 1 judged query has no results, scored 0 (q2)"]


def test_results_of_queries_that_are_not_judged_are_ignored_and_told() -> None:
    write_run("s64.run", q1="a", q9="a")
    write("qrels.txt", "q1 0 a 1")
    results = score(settings(runs={"64": "s64.run"})).results
    assert results.per_query.query_ids == ("q1",)
    assert messages(results, "not-judged") == ["run 64: 1 query is not judged, ignored (q9)"]


def test_chunks_of_one_document_count_once() -> None:
    write_run("s64.run", q1="d#0 d#1 d#2 e#0")
    write("qrels.txt", "q1 0 d 1", "q1 0 e 1")
    results = score(settings(runs={"64": "s64.run"}, run_ids="chunk", cutoffs=["1", "2", "2c", "4c"])).results
    assert [mean(results, "64", cutoff=cutoff) for cutoff in ("1", "2", "2c", "4c")] == [0.5, 1.0, 0.5, 1.0]


def test_ties_do_not_depend_on_the_order_of_the_file_and_are_counted() -> None:
    write("one.run", "q Q0 a 1 0.5 t", "q Q0 b 2 0.5 t", "q Q0 c 3 0.5 t")
    write("two.run", "q Q0 c 1 0.5 t", "q Q0 b 2 0.5 t", "q Q0 a 3 0.5 t")
    write("qrels.txt", "q 0 a 1")
    results = score(settings(runs={"1": "one.run", "2": "two.run"}, cutoffs=["1"])).results
    assert results.per_query.scores["recall@1"].scales == ((1.0,), (1.0,))
    assert [scale.phases[0].tied for scale in results.scales] == [1, 1]


def test_a_query_that_is_a_document_is_told_of_and_kept_by_default() -> None:
    write_run("s64.run", x="x d")
    write("qrels.txt", "x 0 d 1")
    results = score(settings(runs={"64": "s64.run"}, cutoffs=["1"])).results
    assert mean(results, "64", cutoff="1") == 0.0
    assert messages(results, "input") == [
        "1 query id is also a document id (x): such a document may be found; "
        "exclude_same_id: true leaves it out"
    ]


def test_exclude_same_id_moves_the_others_up_and_says_so() -> None:
    write_run("s64.run", x="x d")
    write("qrels.txt", "x 0 d 1")
    chosen = settings(runs={"64": "s64.run"}, cutoffs=["1"], exclude_same_id=True, strict=True)
    results = score(chosen).results
    assert mean(results, "64", cutoff="1") == 1.0
    assert messages(results, "input") == []
    assert messages(results, "same-id") == [
        "exclude_same_id: 1 result was left out, for the document has the id of its query"
    ]


def test_a_query_file_adds_texts_and_tags() -> None:
    two_runs()
    write(
        "queries.jsonl",
        *(json.dumps({"_id": f"q{n}", "text": f"what {n}", "tags": {"k": "v"}}) for n in range(1, 4)),
    )
    results = score(settings(queries="queries.jsonl")).results
    assert results.per_query.texts == ("what 1", "what 2", "what 3")
    assert results.per_query.tags[0] == {"k": "v"}
    assert messages(results, "input") == ["1 judged query has no text, left out (q4)"]


def test_everything_that_is_missing_is_said_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        score(
            load_settings(None, {"measures": ["recall", "evidence_recall"], "cutoffs": ["5", "5c", "200t"]})
        )
    assert caught.value.problems == (
        "runs: expected run files by scale, got none. Write runs: {64: a.run, 256: b.run}.",
        "qrels: expected a file of judgements, got nothing. Name it.",
        "measures: expected measures of documents, got evidence_recall, which needs text. "
        "Choose among recall, success, ndcg, rr.",
        "cutoffs: expected documents, got 5c with run_ids: document. Set run_ids: chunk, or choose 5, say.",
        "cutoffs: expected documents or chunks, got 200t; runs hold no tokens. Choose 5, say.",
    )


def test_the_problems_of_all_runs_are_reported_at_once() -> None:
    write("s64.run", "q1 Q0 a 1 high t")
    write("s256.run", "q1 Q0 a 1")
    write("qrels.txt", "q1 0 a 1")
    with pytest.raises(InputError) as caught:
        score(settings())
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["s64.run", "s256.run"]


def test_strict_turns_warnings_into_errors() -> None:
    write_run("s64.run", q1="a")
    write("qrels.txt", "q1 0 a 1", "q2 0 b 1")
    with pytest.raises(InputError, match="1 judged query has no results"):
        score(settings(runs={"64": "s64.run"}, strict=True))


def test_runs_and_judgements_that_name_other_documents_are_an_error() -> None:
    two_runs()
    write("qrels.txt", "q1 0 docs/good1.md 1")
    with pytest.raises(
        InputError, match=r"^qrels\.txt: expected judged documents that the runs list, got none"
    ):
        score(settings())


def test_no_verdict_rests_on_a_run_that_lists_nothing_that_was_judged() -> None:
    write_run("s64.run", q1="a x", q2="b x")
    write_run("s256.run", q1="docs/a x", q2="docs/b x")
    write("qrels.txt", "q1 0 a 1", "q2 0 b 1")
    results = score(settings()).results
    assert results.verdict.word == "cannot decide"
    assert results.verdict.reasons[0].startswith(
        "No verdict is given: run 256: lists 0 of 2 relevant documents "
    )


def test_other_documents_are_another_corpus_and_the_order_of_the_queries_is_nothing() -> None:
    two_runs()
    first = score(settings()).results
    write("qrels.txt", "q4 0 good4 1", "q3 0 good3 1", "q2 0 good2 1", "q1 0 good1 1", "q1 0 x 0", "q9 0 y 0")
    assert check_comparable(first, score(settings()).results, []) == ()
    write_run("s64.run", q1="good1 x", q2="x y", q3="good3 x", q4="x other")
    with pytest.raises(
        NotComparableError, match=r"corpus: .* name other documents, 6 and 7 with those judged"
    ):
        check_comparable(first, score(settings()).results, [])


def test_other_labels_of_as_many_documents_are_other_queries_whatever_the_corpus() -> None:
    two_runs()
    first = score(settings()).results
    write("qrels.txt", "q1 0 good1 1", "q2 0 good2 1", "q3 0 x 1", "q4 0 new 1")
    with pytest.raises(NotComparableError, match=r"queries: .* other texts or labels under the same 4 ids"):
        check_comparable(first, score(settings()).results, ["corpus"])


def test_what_leaves_the_query_itself_out_is_another_endpoint() -> None:
    two_runs()
    first, second = (score(settings(exclude_same_id=own)).results for own in (False, True))
    with pytest.raises(NotComparableError, match="exclude_same_id"):
        check_comparable(first, second, [])


def test_values_of_tags_beyond_the_hundred_largest_are_told_of() -> None:
    two_runs()
    tags = [{f"t{tag:02d}": str(row % 2) for tag in range(51)} for row in range(4)]
    queries = [json.dumps({"_id": f"q{row + 1}", "text": "what?", "tags": tags[row]}) for row in range(4)]
    write("queries.jsonl", *queries)
    results = score(settings(queries="queries.jsonl")).results
    assert len([part for part in results.slices if part.tag.startswith("t")]) == 100
    assert messages(results, "many-slices") == [
        "slices are of the 100 largest groups that tags make of the queries; 2 others left out"
    ]


def test_all_lost_queries_are_counted_and_the_strongest_are_listed() -> None:
    rows = range(120)
    write_run("s64.run", **{f"q{row}": f"x d{row}" if row < 61 else f"d{row} x" for row in rows})
    write_run("s256.run", **{f"q{row}": f"d{row} x" if row < 61 else f"x d{row}" for row in rows})
    write("qrels.txt", *(f"q{row} 0 d{row} 1" for row in rows))
    results = score(settings(cutoffs=["1"])).results
    assert results.primary.best_fixed == "256"  # 61 of 120
    assert (results.lost, len(results.losses)) == (59, 50)
