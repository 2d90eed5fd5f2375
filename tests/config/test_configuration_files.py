"""The files in configs/ and the page in docs/ say what `Settings` says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkgap.config import Settings, key_paths, load_settings
from chunkgap.config.settings import SECTIONS
from chunkgap.config.yaml_reading import read_yaml

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"
RULE_KEYS = {"fusion.rrf_k", "fusion.votes"}
"""Keys that take the place of a preset, so that no file shows both."""


def written_keys(mapping: dict[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in mapping.items():
        yield prefix + key
        if isinstance(value, dict):
            yield from written_keys(value, f"{prefix}{key}.")


def test_default_yaml_holds_the_defaults() -> None:
    loaded, defaults = load_settings(CONFIGS / "default.yaml"), Settings()
    for key in Settings.model_fields.keys() - {"corpus", "queries"}:
        assert getattr(loaded, key) == getattr(defaults, key), key


def test_default_yaml_names_the_sample_data_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loaded = load_settings(CONFIGS / "default.yaml")
    assert [path.resolve() for path in loaded.corpus] == [ROOT / "sample_data" / "corpus"]
    assert loaded.queries is not None
    assert loaded.queries.resolve() == ROOT / "sample_data" / "queries.jsonl"


def test_default_yaml_shows_every_key_with_a_comment() -> None:
    path = CONFIGS / "default.yaml"
    assert set(written_keys(read_yaml(path).value)) == set(key_paths()) - RULE_KEYS
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(r" *\w+:", line)]
    headed = {f"{name}:" for name in SECTIONS}  # a line above says what the section is
    assert [line for line in lines if " # " not in line and line not in headed] == []


def test_sizes_yaml_is_a_plain_list() -> None:
    assert (CONFIGS / "sizes.yaml").read_text(encoding="utf-8").splitlines()[-1].startswith("[")
    assert load_settings(CONFIGS / "sizes.yaml") == Settings()


def test_ai21_yaml_holds_the_sizes_and_the_fusion_of_the_article() -> None:
    loaded = load_settings(CONFIGS / "ai21.yaml")
    assert loaded.sizes == (50, 100, 200, 500, 1000, 2000)
    assert loaded.fusion == "ai21"


def test_documentation_lists_every_key_and_no_other() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `([\w.]+)` \|", page, flags=re.MULTILINE)) == sorted(key_paths())


def test_documentation_states_every_plain_default() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| `([\w.]+)` \| [^|]+ \| ([^|]+) \|", page, flags=re.MULTILINE))
    defaults = dict(flat(Settings().to_mapping()))
    without = {key for key, default in stated.items() if default == "-"}
    assert {key: stated[key] for key in stated.keys() - without} == {
        key: defaults[key] for key in stated.keys() - without
    }
    assert without == SECTIONS | RULE_KEYS | {"corpus"}


def flat(mapping: dict[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each key with its value as the page writes it."""
    for key, value in mapping.items():
        if isinstance(value, dict) and value:
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, written(value)


def written(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(str, value))}]"
        case "#":
            return '"#"'
        case _:
            return str(value)
