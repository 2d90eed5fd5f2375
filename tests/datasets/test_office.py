import sys
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from chunkgap.datasets import office
from chunkgap.datasets.corpus import read_corpus

from .inputs import problems, write


class _FaultError(Exception):
    """Stands in for the exceptions of markitdown."""


class _Converter:
    """Stands in for markitdown: a file's text is its bytes, and an empty file has no pages."""

    def __init__(self, *, enable_builtins: bool, enable_plugins: bool) -> None:
        assert not enable_builtins
        assert not enable_plugins

    def register_converter(self, converter: object) -> None: ...

    def convert_local(self, path: Path) -> SimpleNamespace:
        if not path.read_bytes():
            raise _FaultError("File conversion failed:\n - no pages\n")
        return SimpleNamespace(text_content=path.read_bytes().decode("latin-1"))


@pytest.fixture
def _markitdown(monkeypatch: pytest.MonkeyPatch) -> None:
    package, converters = ModuleType("markitdown"), ModuleType("markitdown.converters")
    vars(package).update(MarkItDown=_Converter, MarkItDownException=_FaultError)
    vars(converters).update(PdfConverter=object, DocxConverter=object)
    monkeypatch.setitem(sys.modules, "markitdown", package)
    monkeypatch.setitem(sys.modules, "markitdown.converters", converters)
    monkeypatch.setattr(office, "is_installed", lambda: True)


def test_without_the_extra_such_files_are_skipped_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "is_installed", lambda: False)
    write("docs/a.txt", "wind")
    write("docs/b.pdf", b"%PDF")
    corpus = read_corpus(Path("docs"))
    assert [document.doc_id for document in corpus.documents] == ["a.txt"]
    assert corpus.skipped == {"needs chunkgap[documents]": 1}
    assert corpus.warnings == (
        "docs/b.pdf: skipped, for it needs an extra. Install chunkgap[documents] to read it.",
    )


@pytest.mark.usefixtures("_markitdown")
def test_with_the_extra_they_are_converted() -> None:
    write("docs/b.pdf", "wind")
    assert read_corpus(Path("docs")).documents[0].text == "wind"


@pytest.mark.usefixtures("_markitdown")
def test_files_that_cannot_be_converted_are_named() -> None:
    write("docs/b.docx", "no zip archive")
    write("docs/c.pdf", "")
    assert problems(lambda: read_corpus(Path("docs"))) == [
        "docs/b.docx: expected a .docx file that can be read, got a fault: File is not a zip file. "
        "Save it again.",
        "docs/c.pdf: expected a .pdf file that can be read, got a fault: no pages. Save it again.",
    ]


@pytest.mark.usefixtures("_markitdown")
def test_a_docx_that_unpacks_beyond_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_LINE", 2**20)
    Path("docs").mkdir()
    with zipfile.ZipFile("docs/a.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(2**21))
    assert problems(lambda: read_corpus(Path("docs"))) == [
        "docs/a.docx: expected a .docx file that can be read, "
        "got a fault: it unpacks to 2 MiB, 1 are allowed. Save it again."
    ]
