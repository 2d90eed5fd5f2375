import json
from pathlib import Path

import pytest

from chunkgap.checking.labels import read_all, read_labels
from chunkgap.checking.survey import survey_corpus
from chunkgap.config import Settings, load_settings
from chunkgap.errors import InputError
from chunkgap.records import Span


def files(folder: Path, queries: list[dict[str, object]], *, documents: int = 20) -> Settings:
    """Documents `text of d0`, ... and some queries."""
    corpus, asked = folder / "c.jsonl", folder / "q.jsonl"
    corpus.write_text(
        "".join(json.dumps({"_id": f"d{n}", "text": f"text of d{n}"}) + "\n" for n in range(documents))
    )
    asked.write_text(
        "".join(json.dumps({"_id": f"q{n}", "text": "?", **q}) + "\n" for n, q in enumerate(queries))
    )
    return load_settings(None, {"corpus": corpus, "queries": asked})


SPAN = {"spans": [{"doc": "d7", "text": "d7"}]}


@pytest.mark.parametrize("sample_characters", [10_000, 30])
def test_spans_are_located_whether_or_not_the_corpus_is_kept(tmp_path: Path, sample_characters: int) -> None:
    survey, queries = read_all(files(tmp_path, [SPAN]), sample_characters=sample_characters)
    assert survey.is_complete == (sample_characters == 10_000)
    assert queries.queries[0].spans == (Span("d7", 8, 10),)


def test_without_spans_a_large_corpus_is_read_once(tmp_path: Path) -> None:
    settings = files(tmp_path, [{"relevant": ["d7"]}])
    survey = survey_corpus(settings, sample_characters=30)
    (tmp_path / "c.jsonl").unlink()
    assert read_labels(settings, survey).queries[0].relevant == {"d7": 1.0}


@pytest.mark.parametrize("sample_characters", [10_000, 30])
def test_a_span_that_is_not_in_its_document_is_an_error(tmp_path: Path, sample_characters: int) -> None:
    settings = files(
        tmp_path, [{"spans": [{"doc": "d7", "text": "absent"}]}, {"spans": [{"doc": "d99", "text": "x"}]}]
    )
    asked = tmp_path / "q.jsonl"
    with pytest.raises(InputError) as caught:
        read_all(settings, sample_characters=sample_characters)
    assert caught.value.problems == (
        f'{asked}:1: query "q0": expected text that stands in "d7", got "absent". Copy it from the document.',
        f'{asked}:2: query "q1": expected a span in a document of the corpus, got "d99". Mend the id.',
    )


def test_problems_of_corpus_and_queries_come_together(tmp_path: Path) -> None:
    settings = files(tmp_path, [{"relevant": ["d1"]}])
    (tmp_path / "c.jsonl").write_text("{}\n")
    (tmp_path / "q.jsonl").write_text("nothing\n")
    with pytest.raises(InputError) as caught:
        read_all(settings)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [
        f"{tmp_path}/c.jsonl:1",
        f"{tmp_path}/q.jsonl:1",
    ]


def test_no_queries_are_an_error(tmp_path: Path) -> None:
    files(tmp_path, [SPAN])
    with pytest.raises(InputError, match=r"^queries: expected a query file, got nothing\. Name it"):
        read_all(load_settings(None, {"corpus": tmp_path / "c.jsonl"}))
