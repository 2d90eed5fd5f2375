"""Settings of the whole suite: no deadlines, no network, no surroundings that change what is printed."""

import os

import pytest
from hypothesis import settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
settings.register_profile("suite", deadline=None)  # machines that run CI stall
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests print as into a pipe of no particular width, wherever they run."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "GITHUB_STEP_SUMMARY", "CHUNKGAP_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
