"""The code of docs/python.md runs as it stands."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from .fake_embedder import FakeEmbedder
from .made_up import write_corpus, write_queries

PAGE = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


class Client:
    """Stands in for a provider's, at the dimension that the page says."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()

    def embed(self, texts: list[str], kind: str) -> list[list[float]]:
        self.kinds.add(kind)
        vectors: list[list[float]] = FakeEmbedder(dimension=1024).embed(texts, "document").tolist()
        return vectors


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus as the page names it, with a configuration, in the current folder."""
    write_corpus(tmp_path).rename(tmp_path / "docs")
    write_queries(tmp_path)
    settings = {"cache": "cache", "retrieval": {"index": "exact"}, "statistics": {"resamples": 200}}
    (tmp_path / "chunkgap.yaml").write_text(yaml.safe_dump(settings))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_measures_writes_reads_back_and_holds_against_limits(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measuring, own, reading = BLOCKS
    monkeypatch.setattr("chunkgap.measurement.open_model", lambda _settings: FakeEmbedder())
    names: dict[str, object] = {"client": (client := Client()), "Sequence": Sequence}
    exec(compile(measuring, "python.md", "exec"), names)  # noqa: S102  the page is the project's own
    assert (project / "chunkgap-out" / "report.html").exists()
    assert "fusion ai21 recall 5" in capsys.readouterr().out
    exec(compile(own, "python.md", "exec"), names)  # noqa: S102
    assert client.kinds == {"search_query", "search_document"}
    (project / "chunkgap-out").rename(project / "baseline")
    exec(compile(measuring, "python.md", "exec"), names)  # noqa: S102
    capsys.readouterr()
    exec(compile(reading, "python.md", "exec"), names)  # noqa: S102
    assert capsys.readouterr().out in {"True\n", "False\n"}


def test_what_the_page_says_of_the_function_is_so() -> None:
    from chunkgap.embedding.texts import BATCH_SIZE

    assert f"at most {BATCH_SIZE} texts at a time" in PAGE
