"""The script that draws the pictures of the README."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "docs" / "pictures" / "make.py"


def test_a_browser_is_looked_for_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(SCRIPT))["draw_page"](tmp_path)
    assert str(stopped.value) == (
        "make.py: expected chromium and chromedriver on the PATH, found none. "
        "Install them (Debian: apt install chromium chromium-driver)."
    )
