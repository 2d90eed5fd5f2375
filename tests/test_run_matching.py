"""Run files and judgements that name different things, wholly or in part."""

from pathlib import Path

import pytest

from chunkgap.config import Settings
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import LabelledQueries
from chunkgap.errors import InputError
from chunkgap.records import Query
from chunkgap.results import Notice
from chunkgap.run_files import RunFile, read_run_file
from chunkgap.run_matching import match_notices, refuse_strangers


def asked(**relevant: str) -> list[Query]:
    """Queries with their relevant documents as `q="a b"`; one with a minus is judged, and not relevant."""
    return [
        Query(name, "", {doc.removeprefix("-"): float(not doc.startswith("-")) for doc in docs.split()})
        for name, docs in relevant.items()
    ]


@pytest.fixture()
def run_of(tmp_path: Path):
    """Makes a run of `q="first second"`."""

    def make(scale: str = "64", separator: str | None = None, **results: str) -> RunFile:
        path = tmp_path / f"{scale}.run"
        lines = (
            f"{query} Q0 {doc} {rank} {1 - rank / 100} t\n"
            for query, docs in results.items()
            for rank, doc in enumerate(docs.split(), start=1)
        )
        path.write_text("".join(lines), encoding="utf-8")
        return read_run_file(scale, path, separator=separator)

    return make


def refused(files: list[RunFile], queries: list[Query], **settings: object) -> str:
    with pytest.raises(InputError) as caught:
        refuse_strangers(files, queries, Settings(qrels="qrels.txt", **settings))  # type: ignore[arg-type]
    return str(caught.value)


def notices(files: list[RunFile], queries: list[Query], code: str) -> list[Notice]:
    given = QuerySet(tuple(queries), "qrels.txt", "")
    found = match_notices(files, given, LabelledQueries(tuple(queries), {}, ()))
    return [notice for notice in found if notice.code == code]


def test_judged_documents_that_no_run_lists_are_an_error(run_of) -> None:
    files = [run_of("64", q1="a b", q2="b c"), run_of("256", q1="c", q2="a")]
    assert refused(files, asked(q1="docs/a.md", q2="docs/b.md -docs/c.md")) == (
        "qrels.txt: expected judged documents that the runs list, got none of the 3 documents in any run "
        "(judged docs/a.md, docs/b.md, docs/c.md; listed a, b, c). "
        "Write the same ids in both, or set run_ids and run_separator."
    )


def test_chunk_ids_that_were_not_cut_as_meant_are_an_error(run_of) -> None:
    told = refused([run_of(q1="a/1#0 b/1#0", separator="#")], asked(q1="a"), run_ids="chunk")
    assert told.endswith("(judged a; listed a/1, b/1). Write the same ids in both, or mend run_separator.")


def test_judged_queries_that_no_run_lists_are_an_error(run_of) -> None:
    assert refused([run_of(Q1="a b")], asked(q1="a", q2="b")) == (
        "qrels.txt: expected judged queries that the runs list, got none of the 2 queries in any run "
        "(judged q1, q2; listed Q1). Write the same ids in both."
    )


def test_one_document_that_was_judged_at_all_is_enough(run_of) -> None:
    files = [run_of("64", q1="x"), run_of("256", q1="b")]
    refuse_strangers(files, asked(q1="a -b"), Settings(qrels="qrels.txt"))  # type: ignore[arg-type]


def test_a_run_that_lists_few_of_the_relevant_documents_is_told_of(run_of) -> None:
    queries = asked(q1="a", q2="b", q3="c", q4="d", q5="e")
    (notice,) = notices([run_of(q1="a docs/b x", q2="docs/b x", q3="docs/c x y")], queries, "few-listed")
    assert notice.message == (
        "run 64: lists 1 of 5 relevant documents (not b, c, d, ...; it lists a, docs/b, x, ...); "
        "it may write ids in another way"
    )
    assert not notice.blocking


def test_a_run_that_lists_a_quarter_of_them_is_not(run_of) -> None:
    queries = asked(q1="a", q2="b", q3="c", q4="d")
    assert notices([run_of(q1="a x y z", q2="x")], queries, "few-listed") == []


def test_a_short_run_cannot_list_many(run_of) -> None:
    queries = asked(q1="a b c d e f g h i j")
    assert notices([run_of(q1="a x y z")], queries, "few-listed") == []  # one of four


def test_a_run_that_lists_no_relevant_document_forbids_a_verdict(run_of) -> None:
    files = [run_of("64", q1="a x", q2="b x"), run_of("256", q1="docs/a x", q2="docs/b x")]
    (notice,) = notices(files, asked(q1="a", q2="b"), "few-listed")
    assert notice == Notice(
        "few-listed",
        "run 256: lists 0 of 2 relevant documents (not a, b; it lists docs/a, x, docs/b); "
        "it may write ids in another way",
        blocking=True,
    )


def test_a_run_without_results_for_any_judged_query_forbids_a_verdict(run_of) -> None:
    files = [run_of("64", q1="a x"), run_of("256", other="a b")]
    found = notices(files, asked(q1="a", q2="b"), "no-results")
    assert [(notice.message, notice.blocking) for notice in found] == [
        ("run 64: 1 judged query has no results, scored 0 (q2)", False),
        ("run 256: 2 judged queries have no results, scored 0 (q1, q2)", True),
    ]
