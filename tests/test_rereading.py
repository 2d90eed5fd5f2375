import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunkgap.errors import InputError, ResultsError
from chunkgap.reports.artifacts import read_results
from chunkgap.rereading import Reread, read_manifest, read_relevant, read_settings, reread

from .made_up import passage, settings_for
from .stored import stored, with_relative_paths


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def again(out: Path, **paths: Path) -> Reread:
    return reread(read_results(out), read_settings(out), out=out, **paths)


def test_the_configuration_reads_back_equal(out: Path) -> None:
    written = settings_for(out.parent, name="made up", sizes=[16, 48], retrieval__index="exact")
    assert read_settings(out) == written.model_copy(update={"out": read_settings(out).out})


def test_corpus_and_queries_read_back_without_remarks(out: Path) -> None:
    found = again(out)
    assert len(found.documents) == 24
    assert len(found.queries) == 24
    span = found.queries["q03"].spans[0]
    assert found.documents[span.doc_id].text[span.start : span.end] == passage(3)
    assert found.remarks == ()


def test_relevant_documents_come_from_the_judgements_beside_the_results(out: Path) -> None:
    (out.parent / "queries.jsonl").unlink()
    assert read_relevant(out)["q03"] == ("d03.txt",)


def test_ids_in_the_judgements_are_decoded(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q%201 0 a%20b%2520.md 1\nq%201 0 %23c 0\n", encoding="utf-8")
    assert read_relevant(tmp_path) == {"q 1": ("a b%20.md",)}


def test_a_changed_corpus_is_told(out: Path) -> None:
    (out.parent / "corpus" / "d99.txt").write_text("new", encoding="utf-8")
    found = again(out)
    assert "d99.txt" in found.documents
    assert found.remarks == (
        "The corpus has changed since it was measured; chunks that changed have no text.",
    )


def test_a_corpus_of_which_run_files_told_the_ids_alone_has_not_changed(out: Path) -> None:
    results = replace(read_results(out), command="score")
    runs = replace(results, corpus=replace(results.corpus, digest="e" * 64))
    assert reread(runs, read_settings(out), out=out).remarks == ()


@pytest.fixture()
def elsewhere(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another folder, in which a measurement with relative paths is read back."""
    with_relative_paths(out)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("elsewhere")
def test_relative_paths_are_looked_for_in_the_folder_that_holds_the_results_too(out: Path) -> None:
    found = again(out)
    assert (len(found.documents), len(found.queries), found.remarks) == (24, 24, ())
    assert again(Path("..") / "out").remarks == ()


@pytest.mark.usefixtures("elsewhere")
def test_the_results_may_be_the_current_folder(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    assert again(Path()).remarks == ()


def test_what_was_measured_is_taken_before_another_of_the_same_name(out: Path, elsewhere: Path) -> None:
    (elsewhere / "corpus").mkdir()
    (elsewhere / "corpus" / "other.txt").write_text("another project", encoding="utf-8")
    found = again(out)
    assert "other.txt" not in found.documents
    assert found.remarks == ()


def test_where_nothing_is_what_was_measured_the_current_folder_is_taken(out: Path, elsewhere: Path) -> None:
    (elsewhere / "corpus").mkdir()
    (elsewhere / "corpus" / "other.txt").write_text("another project", encoding="utf-8")
    (out.parent / "corpus" / "d99.txt").write_text("new", encoding="utf-8")
    found = again(out)
    assert list(found.documents) == ["other.txt"]
    assert found.remarks[0].startswith("The corpus has changed")


@pytest.mark.usefixtures("elsewhere")
def test_a_relative_path_that_is_nowhere_is_told_as_it_was(out: Path) -> None:
    (out.parent / "queries.jsonl").unlink()
    assert " queries.jsonl: expected a file or folder, got nothing there." in again(out).remarks[0]


def test_a_corpus_that_is_gone_is_told_and_the_queries_stay(out: Path) -> None:
    (out.parent / "corpus").rename(out.parent / "elsewhere")
    found = again(out)
    assert found.documents == {}
    assert len(found.queries) == 24
    assert len(found.remarks) == 1
    assert found.remarks[0] == (
        "The corpus cannot be read again; texts are left out, and evidence that was given as text. "
        f"{out.parent / 'corpus'}: expected a file or folder, got nothing there. Check the path. "
        "If it lies elsewhere now, name it with --corpus."
    )


def test_a_corpus_that_was_moved_can_be_named(out: Path) -> None:
    (out.parent / "corpus").rename(out.parent / "elsewhere")
    assert again(out, corpus=out.parent / "elsewhere").remarks == ()


def test_a_named_path_that_is_not_there_is_an_error(out: Path) -> None:
    with pytest.raises(InputError):
        again(out, corpus=out.parent / "nowhere")
    with pytest.raises(InputError):
        again(out, queries=out.parent / "nowhere.jsonl")


def test_queries_that_are_gone_are_told(out: Path) -> None:
    (out.parent / "queries.jsonl").unlink()
    found = again(out)
    assert found.queries == {}
    assert found.remarks[0] == (
        "The queries cannot be read again; evidence is left out. "
        f"{out.parent / 'queries.jsonl'}: expected a file or folder, got nothing there. Check the path. "
        "If they lie elsewhere now, name them with --queries."
    )


def test_queries_that_changed_are_told(out: Path) -> None:
    path = out.parent / "queries.jsonl"
    path.write_text("\n".join(path.read_text("utf-8").splitlines()[:5]) + "\n", encoding="utf-8")
    assert again(out).remarks == ("The queries have changed since they were measured.",)


def test_a_folder_without_a_manifest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ResultsError) as caught:
        read_manifest(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'manifest.json'}: expected the manifest of a measurement, got no file. Measure again."
    )


@pytest.mark.parametrize("text", ["[", "[]", "\ufeff", "[" * 100_000])
def test_a_broken_manifest_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError) as caught:
        read_manifest(tmp_path)
    assert len(str(caught.value).splitlines()) == 1


def test_a_manifest_that_may_not_be_read_is_not_measured_again(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_arguments: object, **_options: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", "manifest.json")

    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(ResultsError, match=r"got: permission denied\. Check its permissions\.$"):
        read_manifest(out)


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ({}, "got none. Measure again."),
        (
            {"configuration": {"size": [1]}},
            "got an unknown key at size. Read it with the chunkgap that wrote",
        ),
        ({"configuration": []}, "got a wrong value. Read it with the chunkgap that wrote"),
    ],
)
def test_a_configuration_of_another_version_is_one_line(tmp_path: Path, manifest: object, told: str) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ResultsError) as caught:
        read_settings(tmp_path)
    assert len(str(caught.value).splitlines()) == 1
    assert f": expected the configuration of a measurement, {told}" in str(caught.value)
