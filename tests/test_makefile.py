"""What `make` leaves behind, and what it does not."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_clean_removes_what_was_made_and_nothing_else(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    made = (
        ".venv/bin/python",
        "chunkgap-out/results.json",
        "src/a/__pycache__/b.pyc",
        "c.egg-info/PKG-INFO",
        "dist/c.whl",
    )
    kept = ("Makefile", "src/a/b.py", ".git/__pycache__/hook", "sample_data/queries.jsonl")
    for name in (*made, *kept[1:]):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    subprocess.run(["make", "clean"], cwd=tmp_path, check=True, capture_output=True)  # noqa: S607, whichever make
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(kept)
    assert not (tmp_path / "src" / "a" / "__pycache__").exists()
