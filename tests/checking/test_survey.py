import json
from pathlib import Path

import pytest

from chunkgap.checking import survey
from chunkgap.checking.survey import survey_corpus
from chunkgap.config import Settings, load_settings
from chunkgap.errors import InputError


def write_corpus(path: Path, *texts: str) -> Settings:
    lines = (json.dumps({"_id": f"d{row}", "text": text}) + "\n" for row, text in enumerate(texts))
    path.write_text("".join(lines), encoding="utf-8")
    return load_settings(None, {"corpus": path})


def test_a_small_corpus_is_kept_whole_in_order_of_ids(tmp_path: Path) -> None:
    found = survey_corpus(write_corpus(tmp_path / "c.jsonl", *("word" for _ in range(11))))
    assert found.is_complete
    assert [document.doc_id for document in found.sample] == sorted(f"d{row}" for row in range(11))


def test_lengths_and_emptiness_are_known_of_every_document(tmp_path: Path) -> None:
    found = survey_corpus(write_corpus(tmp_path / "c.jsonl", "abc", " \n", ""), sample_characters=1)
    assert found.has_text == {"d0": True, "d1": False, "d2": False}
    assert found.characters.tolist() == [3, 2, 0]


def test_of_a_large_corpus_a_sample_within_the_limit_is_kept(tmp_path: Path) -> None:
    found = survey_corpus(write_corpus(tmp_path / "c.jsonl", *["x" * 10] * 500), sample_characters=1000)
    assert not found.is_complete
    assert len(found.sample) == 100
    rows = [int(document.doc_id[1:]) for document in found.sample]
    assert 200 < sum(rows) / len(rows) < 300  # from all over the file


def test_the_sample_is_the_same_every_time(tmp_path: Path) -> None:
    settings = write_corpus(tmp_path / "c.jsonl", *["x" * 10] * 100)
    one, other = (survey_corpus(settings, sample_characters=100) for _ in range(2))
    assert one.sample == other.sample


def test_a_document_larger_than_the_limit_does_not_leave_the_sample_empty(tmp_path: Path) -> None:
    found = survey_corpus(write_corpus(tmp_path / "c.jsonl", "x" * 50), sample_characters=10)
    assert len(found.sample) == 1
    assert not found.is_complete


def test_all_problems_of_the_corpus_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}\n[]\n')
    with pytest.raises(InputError) as caught:
        survey_corpus(load_settings(None, {"corpus": path}))
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [f"{path}:2", f"{path}:3"]


def test_no_corpus_is_an_error() -> None:
    with pytest.raises(InputError, match=r"^corpus: expected a folder or a file, got nothing\. Name it"):
        survey_corpus(load_settings(None))


def test_of_many_short_documents_a_sample_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "SAMPLE_DOCUMENTS", 40)
    settings = write_corpus(tmp_path / "c.jsonl", *["x"] * 40)
    assert survey_corpus(settings).is_complete
    found = survey_corpus(write_corpus(tmp_path / "c.jsonl", *["x"] * 400))
    assert (found.is_complete, len(found.sample), len(found.has_text)) == (False, 40, 400)
    rows = [int(document.doc_id[1:]) for document in found.sample]
    assert 140 < sum(rows) / len(rows) < 260  # from all over the file
