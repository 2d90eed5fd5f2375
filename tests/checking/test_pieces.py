import numpy as np
import pytest

from chunkgap.checking import pieces
from chunkgap.checking.pieces import calibrate, count_pieces
from chunkgap.chunking import ChunkTable, chunk_corpus
from chunkgap.config import EmbeddingSettings
from chunkgap.records import Document, Scale
from tests.fake_embedder import FakeEmbedder

WORDS = Document("d", "word " * 100)
OFFSETS = [np.arange(0, 501, 5)]  # one token per word


def table(size: int) -> ChunkTable:
    return chunk_corpus([WORDS], OFFSETS, Scale(str(size), size))


def test_chunks_past_the_window_are_a_share_of_those_counted() -> None:
    found = count_pieces(table(30), [WORDS], FakeEmbedder(window=20))
    assert (found.counted, found.long, found.longest) == (4, 3 / 4, 30)  # 30, 30, 30 and 10 words


def test_a_model_without_a_window_has_no_long_chunks() -> None:
    assert count_pieces(table(30), [WORDS], FakeEmbedder()).long is None


def test_of_many_chunks_a_spread_sample_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "COUNTED_CHUNKS", 10)
    assert count_pieces(table(1), [WORDS], FakeEmbedder()).counted == 10


def test_nothing_is_embedded_to_count() -> None:
    model = FakeEmbedder(window=20)
    count_pieces(table(30), [WORDS], model)
    assert model.asked == []


def test_calibration_embeds_some_chunks_of_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "CALIBRATION_TOKENS", 40)
    model = FakeEmbedder()
    speeds = calibrate([table(5), table(20)], [WORDS], model, EmbeddingSettings())
    assert len(speeds) == 2
    assert all(speed > 0 for speed in speeds)
    assert sum(len(text.split()) == 20 for text in model.asked) <= 2


def test_long_chunks_that_are_an_error_do_not_stop_a_calibration() -> None:
    settings = EmbeddingSettings(long_chunks="error")
    assert calibrate([table(30)], [WORDS], FakeEmbedder(window=20), settings)[0] > 0
