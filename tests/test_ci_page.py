"""The commands of docs/ci.md run as they stand there, so that the page does not rot."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

import chunkgap.measurement
from chunkgap.config.settings import GateSettings

from .cli.running import run
from .fake_embedder import FakeEmbedder
from .made_up import passage, write_corpus, write_queries

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def workflow() -> dict[str, object]:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    return yaml.safe_load(block)


def commands() -> list[list[str]]:
    """Every `chunkgap` command of the workflow, then those of the other blocks, as lists of arguments."""
    steps = workflow()["jobs"]["measure"]["steps"]
    lines = "\n".join(step.get("run", "") for step in steps).splitlines()
    lines += re.findall(r"```\n(chunkgap [^\n]*)\n```", PAGE)
    split = [shlex.split(line) for line in lines if line.startswith("chunkgap ")]
    return [words[: words.index(">>")] if ">>" in words else words for words in split]


@pytest.fixture()
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository whose corpus is called `docs`."""
    write_corpus(tmp_path).rename(tmp_path / "docs")
    write_queries(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(chunkgap.measurement, "open_model", lambda _settings: FakeEmbedder())


@pytest.mark.usefixtures("_project")
def test_every_command_of_the_workflow_runs() -> None:
    named = [words[1] for words in commands()]
    assert named == ["measure", "gate", "compare", "gate", "promote"]
    for words in commands():
        if "baseline" in words and not Path("baseline").exists():
            shutil.copytree("chunkgap-out", "baseline")
        code = run(*words[1:])
        assert code == 0 or (words[1] == "gate" and code == 1), words


@pytest.mark.usefixtures("_project")
def test_a_changed_document_is_compared_with_main() -> None:
    measure, _, compare, gate, _ = commands()
    assert run(*measure[1:]) == 0
    Path("chunkgap-out").rename("baseline")
    Path("docs/d00.txt").write_text(f"Everything but {passage(0)} is gone.", encoding="utf-8")
    assert run(*measure[1:]) == 0
    assert run(*compare[1:]) == 0
    without = [word for word in compare[1:] if word not in {"--allow", "corpus"}]
    assert run(*without) == 3
    assert run(*gate[1:]) in {0, 1}


def test_every_limit_of_the_configuration_is_in_the_table() -> None:
    for key in GateSettings.model_fields:
        assert f"| `--{key.replace('_', '-')}` | `{key}` |" in PAGE


def test_the_steps_are_in_an_order_that_works() -> None:
    steps = workflow()["jobs"]["measure"]["steps"]
    assert steps[0]["uses"].startswith("actions/checkout@")
    kinds = [step.get("uses", "").split("@")[0] for step in steps]
    restored = steps[kinds.index("actions/cache/restore")]["with"]
    saved = steps[kinds.index("actions/cache/save")]["with"]
    assert kinds.index("actions/cache/restore") < kinds.index("actions/cache/save")
    assert restored["path"] == saved["path"] == "baseline"
    assert saved["key"].startswith(restored["restore-keys"])


def test_chunkgap_is_installed_from_a_checkout_that_is_there_by_then() -> None:
    steps = workflow()["jobs"]["measure"]["steps"]
    (place,) = [number for number, step in enumerate(steps) if "pip install" in step.get("run", "")]
    checkout = steps[place - 1]
    assert checkout["uses"].startswith("actions/checkout@")
    assert checkout["with"]["repository"] == "OWNER/chunkgap"
    folder = checkout["with"]["path"]
    installed = [shlex.split(line) for line in steps[place]["run"].splitlines()]
    assert installed[-1][-1] == f"./{folder}"
    for words in installed:
        constraints = words[words.index("-c") + 1]
        assert (ROOT / constraints.removeprefix(f"{folder}/")).is_file()
    assert "pip install chunkgap" not in PAGE


def test_what_changed_on_purpose_does_not_keep_main_from_its_next_baseline() -> None:
    steps = workflow()["jobs"]["measure"]["steps"]
    (compared,) = [step for step in steps if "--baseline" in step.get("run", "")]
    assert "github.event_name == 'pull_request'" in compared["if"]
