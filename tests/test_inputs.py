"""Inputs are read and checked before anything costly; under `strict`, warnings are problems."""

from pathlib import Path

import pytest

from chunkgap.config import load_settings
from chunkgap.errors import ConfigError, InputError
from chunkgap.inputs import query_path, read_inputs

from .made_up import settings_for


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
