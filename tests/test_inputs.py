"""Inputs are read and checked before anything costly; under `strict`, warnings are problems."""

import gzip
from pathlib import Path

import pytest
import zstandard

from chunkgap.config import load_settings
from chunkgap.errors import ConfigError, InputError
from chunkgap.inputs import query_path, read_inputs

from .made_up import settings_for, write_corpus


def test_a_missing_corpus_or_query_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="corpus: expected a folder or a file, got nothing"):
        read_inputs(load_settings(None, {}))
    (tmp_path / "a.jsonl").write_text('{"_id": "a", "text": "b"}\n')
    for corpus in (tmp_path / "a.jsonl", tmp_path):  # a folder that is not BEIR holds no queries
        with pytest.raises(ConfigError) as caught:
            read_inputs(load_settings(None, {"corpus": corpus}))
        assert caught.value.problems == (
            "queries: expected a query file, got nothing. Name it on the command line or in the file.",
        )


def test_a_beir_folder_may_hold_the_queries_too(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").touch()
    assert query_path(load_settings(None, {"corpus": tmp_path})) == tmp_path
    assert query_path(load_settings(None, {"corpus": tmp_path, "queries": Path("q.csv")})) == Path("q.csv")


def test_a_folder_named_as_the_query_file_is_told_so(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with pytest.raises(InputError) as caught:
        read_inputs(settings.model_copy(update={"queries": tmp_path / "corpus"}))
    assert caught.value.problems == (
        f"{tmp_path / 'corpus'}: expected a query file or a BEIR folder, got a folder without queries.jsonl. "
        "Name the file of queries.",
    )


def test_a_beir_folder_holds_its_own_queries(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "Boats", "text": "Kites"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "boats?"}\n')
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    inputs = read_inputs(load_settings(None, {"corpus": tmp_path}))
    assert inputs.corpus.documents[0].text == "Boats\nKites"
    assert [query.query_id for query in inputs.labelled.evaluated] == ["q"]


def test_strict_turns_warnings_into_errors(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with (tmp_path / "queries.jsonl").open("a") as file:
        file.write('{"_id": "more", "text": "gone?", "relevant": ["d00.txt", "ghost.txt"]}\n')
    warnings = read_inputs(settings).warnings
    assert len(warnings) == 1
    assert "ghost.txt" in warnings[0]
    with pytest.raises(InputError, match=r"ghost\.txt"):
        read_inputs(settings_for(tmp_path, strict=True))


@pytest.mark.parametrize("name", ["q.csv", "q.CSV", "q.tab", "q.csv.gz", "q.csv.zst", "q.data"])
def test_the_delimiter_that_is_set_holds_for_every_table_of_queries(tmp_path: Path, name: str) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "Kites"}\n')
    content = b"id~text~relevant\nq~kites, or boats?~a\n"
    packed = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}.get(Path(name).suffix)
    (tmp_path / name).write_bytes(packed(content) if packed else content)
    named = {"corpus": tmp_path / "corpus.jsonl", "queries": tmp_path / name, "delimiter": "~"}
    form = {"query_format": "csv"} if name == "q.data" else {}
    (query,) = read_inputs(load_settings(None, {**named, **form})).labelled.evaluated
    assert (query.text, query.relevant) == ("kites, or boats?", {"a": 1.0})


def test_files_that_are_left_out_are_told_and_stop_a_strict_measurement(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    (tmp_path / "corpus" / ".DS_Store").write_bytes(b"\0")
    assert read_inputs(settings).warnings == ()
    (tmp_path / "corpus" / "old.rst").write_text("not read")
    expected = f"1 file left out, ending .rst ({tmp_path / 'corpus' / 'old.rst'})"
    assert read_inputs(settings).warnings == (expected,)
    with pytest.raises(InputError) as caught:
        read_inputs(settings_for(tmp_path, strict=True))
    assert caught.value.problems == (expected,)


def test_results_are_not_written_among_the_documents(tmp_path: Path) -> None:
    write_corpus(tmp_path, documents=4)
    folder = tmp_path / "corpus"
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "crew?", "relevant": ["d00.txt"]}\n')
    with pytest.raises(ConfigError) as caught:
        read_inputs(settings_for(tmp_path, out=folder))
    assert str(caught.value) == (
        f"out: expected a folder of its own, got the corpus, {folder}. Results would be read as documents: "
        "name another folder with --out."
    )
    read_inputs(settings_for(tmp_path, out=folder / "out"))
