from pathlib import Path

import pytest

from chunkgap.errors import InputError, ResultsError
from chunkgap.reports.artifacts import read_results
from chunkgap.reports.stored_query import explain_stored, stored_query_hits

from ..made_up import passage
from ..stored import stored


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def test_fused_and_single_ranks_are_those_of_the_results(out: Path) -> None:
    results = read_results(out)
    for row, query_id in enumerate(results.per_query.query_ids):
        explanation = explain_stored(out, query_id, top=1).explanation
        (relevant,) = explanation.relevant
        assert list(relevant.ranks.values()) == [ranks[row] for ranks in results.per_query.ranks]
        assert relevant.fused_rank == results.per_query.fused_ranks[row]


def test_a_scale_misses_a_document_exactly_where_recall_is_not_1(out: Path) -> None:
    results = read_results(out)
    missed = 0
    for query_id in results.per_query.query_ids:
        for scale in explain_stored(out, query_id, top=1).explanation.scales:
            assert (scale.miss is None) == (scale.value == 1.0)
            missed += scale.miss is not None
    assert 0 < missed < 2 * 24


def test_chunks_have_their_text_and_the_evidence_in_it(out: Path) -> None:
    stored_query = explain_stored(out, "q03", top=100)
    words: set[str] = set()
    for chunks in stored_query.chunks.scales.values():
        for chunk in chunks:
            assert chunk.text
            assert chunk.relevant == (chunk.doc_id == "d03.txt")
            words |= {chunk.text[low:high].strip() for low, high in chunk.evidence}
    assert words
    assert all(word in passage(3) for word in words)
    assert stored_query.remarks == ()


def test_only_as_many_chunks_as_asked_for_are_shown(out: Path) -> None:
    assert [len(chunks) for chunks in explain_stored(out, "q03", top=2).chunks.scales.values()] == [2, 2]


def test_whole_chunks_are_as_long_as_their_offsets_say(out: Path) -> None:
    chunk = explain_stored(out, "q03", top=1, excerpt=None).chunks.scales["48"][0]
    assert chunk.start is not None
    assert chunk.end is not None
    assert len(chunk.text) == chunk.end - chunk.start
    short = explain_stored(out, "q03", top=1, excerpt=20).chunks.scales["48"][0]
    assert len(short.text) == 20


def test_without_the_corpus_everything_but_the_texts_is_there(out: Path) -> None:
    (out.parent / "corpus").rename(out.parent / "elsewhere")
    found = explain_stored(out, "q03", top=2)
    assert [chunk.text for chunks in found.chunks.scales.values() for chunk in chunks] == [""] * 4
    assert found.explanation.relevant[0].votes["16"]
    assert "texts are left out" in found.remarks[0]
    moved = explain_stored(out, "q03", top=2, corpus=out.parent / "elsewhere")
    assert moved.chunks.scales["16"][0].text
    assert moved.remarks == ()


def test_a_chunk_that_changed_has_no_text_and_the_others_do(out: Path) -> None:
    first = explain_stored(out, "q03", top=1).chunks.scales["16"][0]
    path = out.parent / "corpus" / first.doc_id
    path.write_text("changed " * 500, encoding="utf-8")
    found = explain_stored(out, "q03", top=100)
    texts = {chunk.doc_id: chunk.text for chunk in found.chunks.scales["16"]}
    assert texts.pop(first.doc_id) == ""
    assert all(texts.values())
    assert found.remarks[0].startswith("The corpus has changed")


def test_without_the_query_file_evidence_alone_is_missing(out: Path) -> None:
    (out.parent / "queries.jsonl").unlink()
    found = explain_stored(out, "q03", top=100)
    assert not any(chunk.evidence for chunks in found.chunks.scales.values() for chunk in chunks)
    assert found.explanation.relevant[0].doc_id == "d03.txt"
    assert "evidence is left out" in found.remarks[0]


def test_an_unknown_query_is_told_before_the_corpus_is_read(out: Path) -> None:
    (out / "manifest.json").unlink()
    with pytest.raises(InputError, match="expected the id of an evaluated query"):
        explain_stored(out, "nobody", top=1)


def test_a_folder_without_hits_is_an_error(out: Path) -> None:
    (out / "hits.parquet").unlink()
    with pytest.raises(ResultsError, match="expected ranked chunks, got no file"):
        explain_stored(out, "q03", top=1)


def test_hits_of_a_report_need_the_corpus(out: Path) -> None:
    results = read_results(out)
    hits, remarks = stored_query_hits(out, results)
    assert set(hits) == set(results.per_query.query_ids)
    assert list(remarks) == []
    (out.parent / "corpus").rename(out.parent / "elsewhere")
    hits, remarks = stored_query_hits(out, results)
    assert hits == {}
    assert len(remarks) == 1


def test_evidence_is_first_touched_where_the_first_chunk_with_marked_evidence_stands(out: Path) -> None:
    ranks = []
    for query_id in read_results(out).per_query.query_ids:
        found = explain_stored(out, query_id, top=100, excerpt=None)
        for scale in found.explanation.scales:
            assert scale.evidence is not None
            marked = [chunk.rank for chunk in found.chunks.scales[scale.name] if chunk.evidence]
            assert scale.evidence.rank == (marked[0] if marked else None)
            ranks.append(scale.evidence.rank)
            short = explain_stored(out, query_id, top=1).explanation
            assert next(s for s in short.scales if s.name == scale.name).evidence == scale.evidence
    assert any(rank is not None and rank > 3 for rank in ranks)


def test_evidence_of_a_document_that_changed_cannot_be_placed(out: Path) -> None:
    path = out.parent / "corpus" / "d03.txt"
    path.write_text(f"new words {path.read_text('utf-8')}", encoding="utf-8")
    found = explain_stored(out, "q03", top=1)
    assert [scale.evidence for scale in found.explanation.scales] == [None, None]
    assert found.remarks[-1].startswith("Where its evidence lay cannot be told")
    other = explain_stored(out, "q05", top=1)
    assert all(scale.evidence for scale in other.explanation.scales)
    assert len(other.remarks) == 1


def test_queries_that_moved_can_be_named(out: Path) -> None:
    (out.parent / "queries.jsonl").rename(out.parent / "moved.jsonl")
    assert explain_stored(out, "q03", top=1).explanation.scales[0].evidence is None
    moved = explain_stored(out, "q03", top=1, queries=out.parent / "moved.jsonl")
    assert moved.explanation.scales[0].evidence is not None
    assert moved.remarks == ()
