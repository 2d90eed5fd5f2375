from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.analysis.scores import score_fused, score_run
from chunkgap.datasets.trec import read_qrels, read_run
from chunkgap.ranking import Cutoff, DocumentRanking
from chunkgap.records import Query
from chunkgap.reports import trec
from chunkgap.reports.trec import encoded, qrels_lines, run_file_names, run_lines

from .retrieval_builder import DOC_IDS, QUERY_IDS, build_fused, build_queries, build_retrieval

THEIRS = {"recall": "R", "success": "Success", "ndcg": "nDCG", "rr": "RR"}


def judged(tmp_path: Path, lines: list[str], queries: tuple[Query, ...], measure: str) -> list[float]:
    """Per query what ir_measures makes of the two files."""
    (tmp_path / "x.run").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("".join(qrels_lines(queries)), encoding="utf-8")
    found = ir_measures.iter_calc(
        [ir_measures.parse_measure(measure)],
        list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt"))),
        list(ir_measures.read_trec_run(str(tmp_path / "x.run"))),
    )
    by_query = {metric.query_id: metric.value for metric in found}
    return [by_query[encoded(query.query_id)] for query in queries]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("amount", [1, 3, 5])
@pytest.mark.parametrize("measure", ["recall", "success", "ndcg", "rr"])
def test_ir_measures_finds_the_same_in_the_written_runs(
    tmp_path: Path, seed: int, amount: int, measure: str
) -> None:
    retrieval = build_retrieval(seed=seed)
    queries, cutoff = tuple(retrieval.labels.queries), Cutoff(amount, "documents")
    for run in retrieval.first:
        lines = list(run_lines(run.documents, QUERY_IDS, DOC_IDS, tag=run.scale))
        ours = score_run(measure, cutoff, run, retrieval.labels)
        assert judged(tmp_path, lines, queries, f"{THEIRS[measure]}@{amount}") == pytest.approx(ours.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_ir_measures_finds_the_same_in_the_fused_run(tmp_path: Path, seed: int) -> None:
    retrieval = build_retrieval(seed=seed)
    fused = build_fused(retrieval).ranking
    lines = list(run_lines(fused, QUERY_IDS, DOC_IDS, tag="fused"))
    ours = score_fused("recall", Cutoff(3, "documents"), fused, retrieval.labels)
    assert ours is not None
    assert judged(tmp_path, lines, tuple(retrieval.labels.queries), "R@3") == pytest.approx(ours.tolist())


def test_a_query_without_results_scores_0_there_too(tmp_path: Path) -> None:
    retrieval = build_retrieval()
    silent = retrieval.first[0]
    lines = list(run_lines(silent.documents, QUERY_IDS, DOC_IDS, tag="2"))
    assert not any(line.startswith(encoded(QUERY_IDS[-1])) for line in lines)
    assert judged(tmp_path, lines, tuple(retrieval.labels.queries), "R@5")[-1] == 0.0


def test_grades_that_are_no_whole_numbers_keep_their_ratio(tmp_path: Path) -> None:
    queries = build_queries(seed=3, grades=(0.5, 0.25, 2.0))
    retrieval = build_retrieval(seed=3, queries=queries)
    run = retrieval.first[1]
    lines = list(run_lines(run.documents, QUERY_IDS, DOC_IDS, tag="3"))
    for measure in ("recall", "ndcg"):
        ours = score_run(measure, Cutoff(5, "documents"), run, retrieval.labels)
        assert judged(tmp_path, lines, queries, f"{THEIRS[measure]}@5") == pytest.approx(ours.tolist())


def test_lines_of_a_run_count_ranks_up_and_scores_down() -> None:
    document = np.array([[1, 0, -1], [-1, -1, -1]], np.int32)
    ranking = DocumentRanking(document, document, np.where(document >= 0, 0.5, -np.inf))
    assert list(run_lines(ranking, ["q 1", "q2"], ["a", "b c"], tag="50")) == [
        "q%201 Q0 b%20c 1 2 50\n",
        "q%201 Q0 a 2 1 50\n",
    ]


def test_lines_of_judgements_keep_grades_of_0_and_documents_that_are_missing() -> None:
    queries = [Query("q", "?", relevant={"a": 2.0, "b": 0.0, "gone": 1.0, "bad": -1.0})]
    assert list(qrels_lines(queries)) == ["q 0 a 2\n", "q 0 b 0\n", "q 0 gone 1\n", "q 0 bad -1\n"]


def test_no_relevant_grade_is_rounded_to_0() -> None:
    assert list(qrels_lines([Query("q", "?", relevant={"a": 1e-9})])) == ["q 0 a 1\n"]


def test_own_reader_reads_the_files_back(tmp_path: Path) -> None:
    retrieval = build_retrieval()
    run = tmp_path / "3.run"
    run.write_text("".join(run_lines(retrieval.first[1].documents, QUERY_IDS, DOC_IDS, tag="3")), "utf-8")
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(qrels_lines(retrieval.labels.queries)), "utf-8")
    assert {line.query_id for line in read_run(run)} == {encoded(query_id) for query_id in QUERY_IDS}
    assert list(read_qrels(qrels).judgements) == [encoded(query_id) for query_id in QUERY_IDS]


@settings(max_examples=60)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=6, unique=True))
def test_encoded_ids_hold_no_white_space_and_stay_distinct(ids: list[str]) -> None:
    ids = [name for name in ids if not any("\ud800" <= c <= "\udfff" for c in name)]
    written = [encoded(name) for name in ids]
    assert all(len(name.split()) == 1 and name.isprintable() for name in written)
    assert len(set(written)) == len(ids)


@pytest.mark.parametrize("name", ["../up", "/etc/passwd", "a/b", "..", ".x", "fused", "Fused", "a" * 65, "ö"])
def test_a_name_that_is_no_plain_file_name_gets_a_digest(name: str) -> None:
    found = run_file_names([name])[name]
    assert found.startswith("scale-")
    assert "/" not in found


def test_names_that_differ_in_case_alone_get_different_files() -> None:
    found = run_file_names(["Small", "small", "50"])
    assert found["50"] == "50.run"
    assert len({name.casefold() for name in found.values()}) == 3


def test_an_id_is_encoded_once_however_many_results_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(trec, "encoded", lambda name: asked.append(name) or name)
    document = np.array([[0, 1], [1, 0]], np.int32)
    ranking = DocumentRanking(document, document, np.full(document.shape, 0.5))
    assert len(list(run_lines(ranking, ["q1", "q2"], ["a", "b"], tag="50"))) == 4
    assert sorted(asked) == ["a", "b", "q1", "q2"]
    asked.clear()
    list(qrels_lines([Query("q", "?", relevant={"a": 1.0, "b": 1.0})]))
    assert sorted(asked) == ["a", "b", "q"]
