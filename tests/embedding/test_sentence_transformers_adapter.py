import json
import shutil
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

from chunkgap.embedding import MemoryCache, embed_texts, load_embedder
from chunkgap.embedding.models import find_model
from chunkgap.errors import ConfigError, ModelError
from chunkgap.placing import open_model

from ..made_up import settings_for

SENTENCES = ["A red fox crosses the road.", "Chunk size depends on the query.", "東京は日本の首都です。", "x"]
LONG = " ".join(f"Section {i} lists the spare parts of engine number {i * 37}." for i in range(60))


@pytest.fixture(scope="module")
def embedder():
    return load_embedder()


def changed_copy(tmp_path, **config):
    """Copy all but the weights, with prompts; the weights are another model's, and never loaded."""
    folder = tmp_path / "copy"
    shutil.copytree(find_model("all-MiniLM-L6-v2"), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "config_sentence_transformers.json").write_text(json.dumps(config))
    return folder


def test_what_the_bundled_models_files_say(embedder):
    assert (embedder.window, embedder.dimension) == (256, 384)
    assert (embedder.prompt("query"), embedder.prompt("document")) == ("", "")
    assert embedder.warnings == ()


def test_word_pieces_are_counted_with_special_tokens_and_without_truncation(embedder):
    # [CLS] a red fox [SEP]; the tokenizer file itself truncates at 128 and pads to it
    assert embedder.count(["a red fox", "", "fox " * 1000], "document").tolist() == [1 + 3 + 1, 2, 1002]


def test_no_texts_have_no_counts(embedder):
    assert embedder.count([], "query").shape == (0,)


def test_the_prompt_is_counted_in_its_role(tmp_path):
    folder = changed_copy(tmp_path, prompts={"query": "query: ", "passage": "the passage: "})
    embedder = load_embedder(str(folder))
    assert embedder.count(["fox"], "query").tolist() == [1 + 2 + 1 + 1]  # query, colon
    assert embedder.count(["fox"], "document").tolist() == [1 + 3 + 1 + 1]  # the, passage, colon
    plain = load_embedder(str(folder), query_prompt="")
    assert plain.count(["fox"], "query").tolist() == [3]


def test_pieces_start_at_code_points_and_know_their_words(embedder):
    pieces = embedder.pieces("un🦊 unbelievableness 東京")
    # un🦊 is one unknown piece; unbelievable ##ness; each ideograph is a word of its own
    assert pieces.starts.tolist() == [0, 4, 16, 21, 22]
    assert pieces.words.tolist() == [0, 1, 1, 2, 3]


def test_identity_tells_apart_all_that_changes_a_vector(tmp_path, embedder):
    folder = str(changed_copy(tmp_path))
    settings = [{}, {"max_seq_length": 16}, {"normalize": False}, {"revision": "other"}]
    identities = {load_embedder(folder, **setting).identity for setting in settings}
    assert len(identities | {embedder.identity}) == 5
    assert load_embedder(folder, query_prompt="q: ").identity in identities  # the key holds the prompt itself


def test_a_window_larger_than_the_model_is_refused():
    with pytest.raises(ConfigError, match=r"max_seq_length: expected a number from 3 to 512, got 513\."):
        load_embedder(max_seq_length=513)


def test_a_family_that_wants_prompts_is_warned_of(tmp_path):
    folder = changed_copy(tmp_path).rename(tmp_path / "e5-small")
    (warning,) = load_embedder(str(folder)).warnings
    assert "is of the e5 family" in warning
    assert load_embedder(str(folder), query_prompt="query: ", document_prompt="passage: ").warnings == ()


def test_counting_and_identity_load_neither_torch_nor_transformers():
    script = (
        "import sys; from chunkgap.embedding import load_embedder; e = load_embedder(); "
        "e.count(['fox'], 'query'); e.pieces('fox'); e.identity; e.dimension; e.warnings; "
        "print([m for m in ('torch', 'sentence_transformers', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


COLD_THEN_WARM = """
import sys
from pathlib import Path
from chunkgap.embedding import SqliteCache, embed_texts, load_embedder
with SqliteCache(Path(sys.argv[1])) as cache:
    result = embed_texts(["a red fox", "word " * 400], "document", load_embedder(), cache)
print(result.embedded, result.cached, [m for m in ("torch", "sentence_transformers") if m in sys.modules])
"""


@pytest.mark.model
def test_warm_measurements_load_no_torch_and_nothing_is_said(tmp_path):
    said = []
    for _ in range(2):
        command = [sys.executable, "-c", COLD_THEN_WARM, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        said.append(done.stdout)
    assert said == ["3 0 ['torch', 'sentence_transformers']\n", "0 2 []\n"]


@pytest.fixture(scope="module")
def reference():
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(find_model("all-MiniLM-L6-v2")), local_files_only=True)


@pytest.mark.model
@pytest.mark.parametrize("role", ["query", "document"])
def test_vectors_equal_those_of_sentence_transformers(embedder, reference, role):
    result = embed_texts(SENTENCES, role, embedder, MemoryCache())
    expected = reference.encode(SENTENCES, normalize_embeddings=True)
    np.testing.assert_allclose(result.vectors[result.rows], expected, atol=1e-5)


@pytest.mark.model
def test_word_pieces_equal_those_of_the_models_own_tokenizer(embedder, reference):
    texts = [*SENTENCES, LONG, "don't [SEP] <|endoftext|> e\u0301\r\n\0 👩\u200d👧", "a" * 300]
    expected = [len(reference.tokenizer(text, truncation=False)["input_ids"]) for text in texts]
    assert embedder.count(texts, "document").tolist() == expected


@pytest.mark.model
def test_truncation_reads_the_first_254_word_pieces_and_average_reads_all(embedder):
    pieces = embedder.pieces(LONG)
    head = LONG[: pieces.starts[254]]
    truncated = embed_texts([LONG, head], "document", embedder, MemoryCache(), long_chunks="truncate")
    assert truncated.vectors[0] @ truncated.vectors[1] == pytest.approx(1, abs=1e-6)
    assert truncated.unread.tolist() == [len(pieces.starts) + 2 - 256, 0]
    averaged = embed_texts([LONG, head], "document", embedder, MemoryCache())
    assert averaged.vectors[0] @ averaged.vectors[1] < 0.999
    assert averaged.unread.tolist() == [0, 0]


@pytest.mark.model
def test_average_is_that_of_the_slices_by_hand(embedder, reference):
    from chunkgap.embedding.long_chunks import slice_text

    slices = slice_text(LONG, "document", embedder)
    weights = np.array([len(reference.tokenizer(part)["input_ids"]) - 2 for part in slices])
    assert (weights <= 254).all()
    mean = weights @ reference.encode(slices, normalize_embeddings=True) / weights.sum()
    result = embed_texts([LONG], "document", embedder, MemoryCache())
    np.testing.assert_allclose(result.vectors[0], mean / np.linalg.norm(mean), atol=1e-5)


@pytest.mark.model
def test_another_window_is_obeyed(reference):
    narrow = load_embedder(max_seq_length=16)
    result = embed_texts([LONG], "document", narrow, MemoryCache(), long_chunks="truncate")
    head = LONG[: narrow.pieces(LONG).starts[14]]
    np.testing.assert_allclose(
        result.vectors[0], reference.encode(head, normalize_embeddings=True), atol=1e-5
    )


@pytest.mark.model
def test_prompts_are_put_before_texts(reference):
    embedder = load_embedder(query_prompt="query: ")
    result = embed_texts(["red fox"], "query", embedder, MemoryCache())
    expected = reference.encode("query: red fox", normalize_embeddings=True)
    np.testing.assert_allclose(result.vectors[0], expected, atol=1e-5)


@pytest.mark.model
def test_weights_that_cannot_be_loaded_are_one_line(tmp_path):
    embedder = load_embedder(str(changed_copy(tmp_path)))
    with pytest.raises(ModelError) as refused:
        embedder.embed(["fox"], "query")
    assert str(refused.value).startswith("embedding.model: expected a model for sentence-transformers in ")
    assert "\n" not in str(refused.value)


@pytest.mark.model
def test_without_a_tokenizer_file_the_models_own_tokenizer_counts(tmp_path, embedder):
    folder = changed_copy(tmp_path)
    (folder / "tokenizer.json").unlink()
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to(find_model("all-MiniLM-L6-v2") / "model.safetensors")
    texts = [*SENTENCES, LONG]
    counted = load_embedder(str(folder)).count(texts, "document")
    assert counted.tolist() == embedder.count(texts, "document").tolist()


def test_weights_that_are_a_pickle_alone_need_trust(tmp_path):
    folder = changed_copy(tmp_path)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError) as refused:
        load_embedder(str(folder))
    assert refused.value.problems == (
        f"{folder / 'pytorch_model.bin'}: expected weights as .safetensors, got a pickle alone, which can hold "
        "code. Convert it, or set embedding.trust_remote_code: true if you trust whoever made it.",
    )
    assert load_embedder(str(folder), trust_remote_code=True).window == 256


@pytest.mark.parametrize("chosen", [{}, {"trust_remote_code": False}, {"trust_remote_code": True}])
def test_the_model_loader_is_told_whether_code_may_run(tmp_path, monkeypatch, chosen):
    told = []

    def loader(folder, **options):
        told.append((folder, options["trust_remote_code"], options["local_files_only"]))
        raise RuntimeError("seen enough")

    library, quiet = ModuleType("sentence_transformers"), ModuleType("transformers.utils.logging")
    library.SentenceTransformer, quiet.disable_progress_bar = loader, lambda: None
    utils = ModuleType("transformers.utils")
    utils.logging = quiet
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.setitem(sys.modules, "transformers.utils", utils)
    monkeypatch.setitem(sys.modules, "transformers", ModuleType("transformers"))
    folder = changed_copy(tmp_path)
    with pytest.raises(ModelError, match="seen enough"):
        open_model(
            settings_for(
                tmp_path,
                embedding__model=str(folder),
                **{f"embedding__{key}": value for key, value in chosen.items()},
            )
        ).embed(["a"], "document")
    assert told == [(str(folder), chosen.get("trust_remote_code", False), True)]
