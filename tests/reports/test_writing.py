from pathlib import Path

import pytest

from chunkgap.errors import ConfigError
from chunkgap.reports.writing import check_folder, replace_files, replace_text


def contents(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in folder.rglob("*") if p.is_file()}


def old_folder(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    (out / "runs").mkdir(parents=True)
    (out / "a.csv").write_text("old a", "utf-8")
    (out / "runs" / "50.run").write_text("old run", "utf-8")
    (out / "notes.txt").write_text("mine", "utf-8")
    return out


def test_files_are_replaced_and_obsolete_ones_go(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    with replace_files(out, obsolete=["runs/50.run", "a.csv", "never-there"]) as folder:
        (folder / "a.csv").write_text("new a", "utf-8")
        (folder / "runs").mkdir()
        (folder / "runs" / "100.run").write_text("new run", "utf-8")
        assert contents(out)["a.csv"] == "old a"
    assert contents(out) == {"a.csv": "new a", "runs/100.run": "new run", "notes.txt": "mine"}


def test_a_failure_while_writing_changes_nothing(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    before = contents(out)
    with pytest.raises(KeyboardInterrupt), replace_files(out, obsolete=["runs/50.run"]) as folder:
        (folder / "a.csv").write_text("new a", "utf-8")
        raise KeyboardInterrupt
    assert contents(out) == before
    assert sorted(path.name for path in out.iterdir()) == ["a.csv", "notes.txt", "runs"]


def test_a_failure_while_moving_puts_everything_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = old_folder(tmp_path)
    before = contents(out)
    replace = Path.replace

    def fail_on_z(self: Path, target: Path) -> Path:
        if target == out / "z.csv":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail_on_z)
    with pytest.raises(ConfigError, match="No space left on device"), replace_files(out) as folder:
        for name in ("a.csv", "new.csv", "z.csv"):
            (folder / name).write_text("new", "utf-8")
    assert contents(out) == before


def test_a_folder_made_for_nothing_is_removed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"), replace_files(tmp_path / "out"):
        raise ValueError("stop")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("mine", "utf-8")
    with pytest.raises(ConfigError) as caught:
        check_folder(path)
    assert str(caught.value) == f"out: expected a folder, got the file {path}. Name another with --out."
    assert path.read_text("utf-8") == "mine"


def test_a_folder_where_a_file_should_be_changes_nothing(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    (out / "b.csv").mkdir()
    before = contents(out)
    with pytest.raises(ConfigError, match="Is a directory"), replace_files(out) as folder:
        (folder / "a.csv").write_text("new", "utf-8")
        (folder / "b.csv").write_text("new", "utf-8")
    assert contents(out) == before


def test_a_path_through_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    with pytest.raises(ConfigError, match=r"^out: expected a folder to write to, got .*--out"):
        check_folder(tmp_path / "file" / "out")


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_folder(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_one_text_is_replaced_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("old", "utf-8")
    replace_text(path, "new\r\nné\n")
    assert path.read_bytes() == "new\r\nné\n".encode()
    assert list(tmp_path.iterdir()) == [path]
