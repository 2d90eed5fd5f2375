"""From documents to placements: one tokenisation, every distinct text embedded once, the caches."""

from pathlib import Path

import pytest

from chunkgap.embedding import MemoryCache, SqliteCache
from chunkgap.errors import ConfigError, InputError
from chunkgap.measurement import measure
from chunkgap.placing import Cutter, cache_folder, check_cache, embed_chunks, embed_queries, open_cache
from chunkgap.progress import NO_PROGRESS
from chunkgap.records import Document, Scale

from .fake_embedder import FakeEmbedder
from .made_up import settings_for

DOCUMENTS = [Document("a", "one two three four five six"), Document("b", "one two")]


def cutter(folder: Path) -> Cutter:
    return Cutter.of(DOCUMENTS, settings_for(folder), FakeEmbedder(), NO_PROGRESS)


def test_each_distinct_text_is_embedded_once_over_sizes_and_phases(tmp_path: Path) -> None:
    cut, model = cutter(tmp_path), FakeEmbedder()
    texts = [text for size in (2, 4) for text in cut.cut(Scale(str(size), size), 2)]
    embedded = embed_chunks(texts, DOCUMENTS, model, MemoryCache(), settings_for(tmp_path), NO_PROGRESS)
    pieces = [piece for text in texts for piece in text.table.texts(DOCUMENTS)]
    assert len(pieces) > len(set(pieces))
    assert sorted(model.asked) == sorted(set(pieces))
    for placed, text in zip(embedded.placements, texts, strict=True):
        expected = FakeEmbedder().embed(text.table.texts(DOCUMENTS), "document")
        assert placed.vectors.tolist() == pytest.approx(expected)


def test_pieces_and_long_chunks_stand_in_the_order_of_the_placements(tmp_path: Path) -> None:
    cut, model = cutter(tmp_path), FakeEmbedder(window=3)
    texts = [text for size in (2, 6) for text in cut.cut(Scale(str(size), size), 1)]
    embedded = embed_chunks(texts, DOCUMENTS, model, MemoryCache(), settings_for(tmp_path), NO_PROGRESS)
    assert [counts.tolist() for counts in embedded.pieces()] == [[2, 2, 2, 2], [6, 2]]
    assert [long.tolist() for long in embedded.long()] == [[False] * 4, [True, False]]


def test_the_speed_of_the_model_is_kept_and_not_told_by_a_few_texts(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(60)]
    documents = [Document("a", " ".join(words))]
    cache, settings, model = MemoryCache(), settings_for(tmp_path), FakeEmbedder()

    def speed(text: str) -> float | None:
        changed = [Document("a", text)]
        placed = Cutter.of(changed, settings, model, NO_PROGRESS).cut(Scale("2", 2), 1)
        return embed_chunks(placed, changed, model, cache, settings, NO_PROGRESS).seconds_per_piece

    measured = speed(documents[0].text)
    assert measured is not None
    assert speed(documents[0].text) == measured  # all cached: as it was kept
    assert speed(" ".join([*words[:-1], "other"])) == measured  # one text of thirty is too few
    assert speed(" ".join([*words[:30], *(f"new{number}" for number in range(30))])) != measured
    assert speed(documents[0].text) != measured


def test_a_corpus_without_text_is_an_error(tmp_path: Path) -> None:
    empty = Cutter.of([Document("a", " \n ")], settings_for(tmp_path), FakeEmbedder(), NO_PROGRESS)
    with pytest.raises(InputError, match="corpus: expected text to cut into chunks, got none"):
        empty.cut(Scale("4", 4), 1)


def test_query_prompts_reach_the_model_and_long_queries_are_never_an_error(tmp_path: Path) -> None:
    model = FakeEmbedder(window=2, prompts={"query": "query: "})
    settings = settings_for(tmp_path, embedding__long_chunks="error")
    vectors = embed_queries(["one two three", "one"], model, MemoryCache(), settings, NO_PROGRESS).each
    assert vectors.shape == (2, model.dimension)


def test_the_cache_is_where_the_settings_say(tmp_path: Path) -> None:
    assert cache_folder(settings_for(tmp_path, cache=False)) is None
    assert cache_folder(settings_for(tmp_path, cache=tmp_path / "c")) == tmp_path / "c"
    kept = cache_folder(settings_for(tmp_path, cache=True))
    assert kept is not None
    assert kept.name == "chunkgap"
    with open_cache(settings_for(tmp_path, cache=tmp_path / "c")) as cache:
        assert isinstance(cache, SqliteCache)
    with open_cache(settings_for(tmp_path, cache=False)) as cache:
        assert isinstance(cache, MemoryCache)


@pytest.mark.parametrize(("name", "why"), [("", "it is a file"), ("x", "a folder above it is a file")])
def test_a_cache_that_was_asked_for_and_cannot_be_written_is_an_error(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "taken").write_text("")
    folder = tmp_path / "taken" / name
    settings = settings_for(tmp_path, cache=folder)
    with pytest.raises(ConfigError) as caught:
        check_cache(settings, place="--cache")
    assert caught.value.problems == (
        f"--cache: expected a folder to write to, got {folder} ({why}). Name another, or give --no-cache.",
    )
    with pytest.raises(ConfigError, match=r"^cache: expected a folder to write to"), open_cache(settings):
        pass


def test_the_users_own_cache_that_cannot_be_written_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("")
    monkeypatch.setattr("chunkgap.placing.user_cache_path", lambda name: tmp_path / "taken" / name)
    check_cache(settings_for(tmp_path, cache=True))
    results = measure(settings_for(tmp_path, cache=True), model=FakeEmbedder()).results
    assert [notice.message for notice in results.notices if notice.code == "cache"] == [
        f"{tmp_path / 'taken' / 'chunkgap'}: expected a folder to write to, got none "
        "(a folder above it is a file); vectors and indexes are not kept. Name another with --cache."
    ]
