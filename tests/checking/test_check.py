import json
from pathlib import Path

import pytest

from chunkgap.checking import Check, check
from chunkgap.config import Settings, load_settings
from chunkgap.errors import InputError
from tests.fake_embedder import FakeEmbedder


def files(folder: Path, **keys: object) -> Settings:
    """Ten documents of 20, 40, ... 200 words, and one query for each."""
    corpus = "".join(
        json.dumps({"_id": f"d{n}", "text": " ".join(["word"] * 20 * n)}) + "\n" for n in range(1, 11)
    )
    queries = "".join(
        json.dumps({"_id": f"q{n}", "text": "word?", "relevant": [f"d{n}"]}) + "\n" for n in range(1, 11)
    )
    (folder / "c.jsonl").write_text(corpus)
    (folder / "q.jsonl").write_text(queries)
    return load_settings(None, {"corpus": folder / "c.jsonl", "queries": folder / "q.jsonl", **keys})


def found(folder: Path, *, sample_characters: int = 10**6, **keys: object) -> Check:
    model = FakeEmbedder(window=50)
    return check(files(folder, **keys), model=model, calibration=False, sample_characters=sample_characters)


def test_chunks_are_counted_at_the_configured_sizes(tmp_path: Path) -> None:
    checked = found(tmp_path, sizes=[50, 100])
    assert checked.are_sizes_given
    # 20 .. 200 words at 50: 1 1 2 2 2 3 3 4 4 4; at 100: 1 1 1 1 1 2 2 2 2 2
    assert [size.chunks for size in checked.sizes] == [26, 15]
    assert [size.single for size in checked.sizes] == [2 / 10, 5 / 10]
    assert [size.mean_tokens for size in checked.sizes] == [1100 / 26, 1100 / 15]
    assert [size.counted for size in checked.sizes] == [26, 15]
    assert checked.sizes[0].long == 0


def test_without_sizes_the_suggested_ones_are_forecast(tmp_path: Path) -> None:
    checked = found(tmp_path)
    assert not checked.are_sizes_given
    assert tuple(size.size for size in checked.sizes) == checked.suggestion.sizes


def test_a_sampled_corpus_is_estimated_near_the_truth(tmp_path: Path) -> None:
    whole, sampled = found(tmp_path, sizes=[50]), found(tmp_path, sizes=[50], sample_characters=2000)
    assert not sampled.corpus.is_complete
    assert sampled.corpus.tokenised < 10
    assert sampled.corpus.documents == 10
    assert sampled.corpus.lengths.total == pytest.approx(whole.corpus.lengths.total, rel=0.02)
    assert sampled.sizes[0].chunks == pytest.approx(whole.sizes[0].chunks, rel=0.1)


def test_no_vector_is_asked_for_without_a_calibration(tmp_path: Path) -> None:
    model = FakeEmbedder()
    checked = check(files(tmp_path), model=model, calibration=False)
    assert model.asked == []
    assert checked.forecast.seconds is None
    assert all(size.seconds is None for size in checked.sizes)


def test_a_calibration_forecasts_seconds(tmp_path: Path) -> None:
    checked = check(files(tmp_path), model=FakeEmbedder())
    assert checked.forecast.seconds is not None
    assert checked.forecast.seconds > 0
    assert all(size.seconds for size in checked.sizes)


def test_queries_are_validated_against_the_corpus(tmp_path: Path) -> None:
    settings = files(tmp_path)
    with (tmp_path / "q.jsonl").open("a") as file:
        file.write('{"_id": "q11", "text": "?", "relevant": ["D1"]}\n{"_id": "q12", "text": "?"}\n')
    checked = check(settings, model=FakeEmbedder(), calibration=False)
    assert (checked.queries.given, checked.queries.evaluated) == (12, 11)
    assert checked.queries.excluded == {"q12": "without a label"}
    assert checked.warnings == (
        "1 query without a label, left out (q12)",
        "1 of 11 judged documents is not in the corpus (D1, q11, is it d1?): counted as not found",
    )
    with pytest.raises(InputError) as caught:
        check(settings.model_copy(update={"strict": True}), model=FakeEmbedder(), calibration=False)
    assert caught.value.problems == checked.warnings


def test_a_corpus_without_text_is_an_error(tmp_path: Path) -> None:
    settings = files(tmp_path)
    (tmp_path / "c.jsonl").write_text('{"_id": "d1", "text": ""}\n')
    with pytest.raises(InputError, match="corpus: expected text to cut into chunks, got none"):
        check(settings, model=FakeEmbedder(), calibration=False)
