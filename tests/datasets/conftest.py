from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that messages name files as a user would, and can be compared whole."""
    monkeypatch.chdir(tmp_path)
