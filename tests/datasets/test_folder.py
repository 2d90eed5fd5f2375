import os
import unicodedata
from pathlib import Path

import pytest

from chunkgap.datasets.corpus import Corpus, CorpusOptions, read_corpus

from .inputs import problems, write


def ids(corpus: Corpus) -> list[str]:
    return [document.doc_id for document in corpus.documents]


def test_an_id_is_the_path_from_the_folder_with_the_ending() -> None:
    write("docs/guide/first steps.md", "# First\r\n")
    write("docs/a[0].TXT", "wind")
    write("docs/p.htm", "<p>sea")
    corpus = read_corpus(Path("docs"))
    assert ids(corpus) == ["a[0].TXT", "guide/first steps.md", "p.htm"]
    assert [document.text for document in corpus.documents] == ["wind", "# First\r\n", "sea"]


def test_markdown_may_be_spelt_out() -> None:
    write("docs/a.markdown", "# Wind")
    write("b.MARKDOWN", "# Sea")
    assert ids(read_corpus(Path("docs"))) == ["a.markdown"]
    assert ids(read_corpus(Path("b.MARKDOWN"))) == ["b.MARKDOWN"]
    assert ids(read_corpus(Path("docs/*"))) == ["a.markdown"]


def test_what_is_left_out_is_counted_by_reason_and_told() -> None:
    write("docs/a.txt", "wind")
    for name in (".DS_Store", ".git/config", "~$a.txt", "sub/._b.md", "Thumbs.db", "sub/desktop.ini"):
        write(f"docs/{name}", b"\0")
    for name in ("logo.PNG", "sub/1.png", "sub/2.png", "sub/3.png"):
        write(f"docs/{name}", b"\0")
    write("docs/Makefile", "all:")
    write("docs/fake.txt", b"\x89PNG\0")
    corpus = read_corpus(Path("docs"))
    assert ids(corpus) == ["a.txt"]
    assert corpus.skipped == {"hidden": 6, "ending .png": 4, "no ending": 1, "binary": 1}
    assert corpus.warnings == (
        "docs/fake.txt: skipped, for it is binary (it holds NUL bytes)",
        "4 files left out, ending .png (docs/logo.PNG, docs/sub/1.png, docs/sub/2.png, ...)",
        "1 file left out, no ending (docs/Makefile)",
    )


def test_hidden_files_alone_are_no_warning() -> None:
    write("docs/a.txt", "wind")
    write("docs/.DS_Store", b"\0")
    assert read_corpus(Path("docs")).warnings == ()


def test_a_loop_of_links_ends_and_a_broken_link_is_named() -> None:
    write("docs/a.txt", "wind")
    write("docs/sub/b.txt", "sea")
    Path("docs/sub/up").symlink_to("..")
    Path("docs/here").symlink_to(".")
    Path("docs/out").symlink_to("../..")
    Path("docs/self.txt").symlink_to("self.txt")
    Path("docs/broken.md").symlink_to("/nonexistent")
    corpus = read_corpus(Path("docs"))
    assert ids(corpus) == ["a.txt", "sub/b.txt"]
    assert corpus.warnings == (
        "docs/broken.md: skipped, for the link leads nowhere",
        "docs/self.txt: skipped, for the link leads nowhere",
    )


def test_a_folder_linked_twice_is_read_once_and_under_its_own_name_where_it_has_one() -> None:
    write("docs/real/a.txt", "wind")
    write("elsewhere/b.txt", "sea")
    Path("docs/again").symlink_to("real")
    Path("docs/x").symlink_to("../elsewhere")
    Path("docs/y").symlink_to("../elsewhere")
    assert ids(read_corpus(Path("docs"))) == ["real/a.txt", "x/b.txt"]


def test_a_corpus_that_is_itself_a_link_is_read() -> None:
    write("real/a.txt", "wind")
    Path("docs").symlink_to("real")
    assert ids(read_corpus(Path("docs"))) == ["a.txt"]


def test_a_pipe_is_not_waited_for() -> None:
    write("docs/a.txt", "wind")
    os.mkfifo("docs/pipe.txt")
    corpus = read_corpus(Path("docs"))
    assert (ids(corpus), corpus.skipped) == (["a.txt"], {"pipe or device": 1})
    assert corpus.warnings == ("1 file left out, pipe or device (docs/pipe.txt)",)


def test_names_in_decomposed_form_become_composed_ids() -> None:
    write(f"docs/{unicodedata.normalize('NFD', 'résumé')}.md", "cafe\u0301")
    (document,) = read_corpus(Path("docs")).documents
    assert document.doc_id == unicodedata.normalize("NFC", "résumé.md")
    assert document.text == "cafe\u0301"  # text is left as it is


def test_names_that_differ_by_form_alone_are_told_apart_in_the_error() -> None:
    write("docs/e\u0301.md", "one")
    write("docs/\u00e9.md", "two")
    (problem,) = problems(lambda: read_corpus(Path("docs")))
    assert problem == (
        'docs/\u00e9.md: expected each document id once, got "\u00e9.md" again (first at docs/e\u0301.md, '
        r"written 'e\u0301.md' there and '\xe9.md' here). Rename or remove one."
    )


def test_a_name_that_is_not_utf_8_is_repaired() -> None:
    try:
        write(os.fsdecode(b"docs/caf\xe9.txt"), "wind")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    corpus = read_corpus(Path("docs"))
    assert ids(corpus) == ["caf\ufffd.txt"]


def test_files_in_another_encoding_are_all_named() -> None:
    write("docs/a.txt", "wind")
    write("docs/old.txt", "Le café".encode("latin-1"))
    write("docs/wide.txt", "wide".encode("utf-16"))
    places = [problem.partition(", ")[0] for problem in problems(lambda: read_corpus(Path("docs")))]
    assert places == ["docs/old.txt: not UTF-8 at byte 6 (0xe9)", "docs/wide.txt: not UTF-8 at byte 0"]


def test_files_in_another_encoding_are_skipped_on_request_and_listed() -> None:
    write("docs/a.txt", "wind")
    write("docs/old.txt", "Le café".encode("latin-1"))
    corpus = read_corpus(Path("docs"), CorpusOptions(on_undecodable="skip"))
    assert ids(corpus) == ["a.txt"]
    assert corpus.skipped == {"undecodable": 1}
    assert corpus.warnings == ("skipped docs/old.txt: not UTF-8 at byte 6 (0xe9), expected UTF-8",)


def test_a_folder_of_utf_16_is_read_when_told() -> None:
    write("docs/wide.txt", "wide".encode("utf-16"))
    assert read_corpus(Path("docs"), CorpusOptions(encoding="utf-16")).documents[0].text == "wide"


def test_a_folder_without_documents_says_what_it_saw() -> None:
    write("docs/logo.png", b"\0")
    assert problems(lambda: read_corpus(Path("docs"))) == [
        "docs: expected documents, got none (1 file (ending .png)). "
        "Give .jsonl, .csv or files of .docx, .htm, .html, .markdown, .md, .pdf, .txt."
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_named() -> None:
    write("docs/a.txt", "wind")
    Path("docs/sub").mkdir(mode=0o000)
    assert problems(lambda: read_corpus(Path("docs"))) == [
        "docs/sub: expected a readable file, got: permission denied. Check the path and its permissions."
    ]


def test_the_results_of_a_measurement_are_no_documents() -> None:
    write("docs/a.md", "wind")
    for name in ("manifest.json", "results.json", "qrels.txt", "report.md", "report.html"):
        write(f"docs/chunkgap-out/{name}", "every query stands in here")
    corpus = read_corpus(Path("docs"))
    assert ids(corpus) == ["a.md"]
    assert corpus.skipped == {"results of a measurement": 1}
    assert corpus.warnings == ()
    (Path("docs/chunkgap-out") / "results.json").unlink()
    assert "chunkgap-out/report.md" in ids(read_corpus(Path("docs")))
