from pathlib import Path

import pytest

from chunkgap.datasets.corpus import CorpusOptions, read_corpus
from chunkgap.datasets.queries import read_queries
from chunkgap.errors import ConfigError

from .inputs import problems, write, write_jsonl


def ids(*paths: str) -> list[str]:
    return [document.doc_id for document in read_corpus([Path(path) for path in paths]).documents]


def some_files() -> None:
    write("docs/a.txt", "wind")
    write("docs/sub/b.md", "sea")
    write("docs/sub/.hidden.md", "-")
    write("docs/sub/logo.png", b"\0")


def test_ids_of_a_pattern_count_from_its_fixed_part() -> None:
    some_files()
    corpus = read_corpus(Path("docs/**/*"))
    assert [document.doc_id for document in corpus.documents] == ["a.txt", "sub/b.md"]
    assert corpus.skipped == {"hidden": 1, "ending .png": 1}
    assert corpus.warnings == ("1 file left out, ending .png (docs/sub/logo.png)",)


def test_a_pattern_that_leaves_files_out_knowingly_brings_no_warning() -> None:
    some_files()
    assert read_corpus([Path("docs/**/*.md"), Path("docs/*.txt")]).warnings == ()


def test_ids_of_several_files_count_from_their_common_folder() -> None:
    some_files()
    assert ids("docs/a.txt", "docs/sub/b.md") == ["a.txt", "sub/b.md"]
    assert ids("docs/a.txt") == ["a.txt"]


def test_a_file_named_twice_is_read_once() -> None:
    some_files()
    assert ids("docs/a.txt", "docs/*.txt", "docs/sub/../a.txt") == ["a.txt"]


def test_files_of_several_formats_make_one_corpus() -> None:
    some_files()
    write_jsonl("more.jsonl", {"id": "c", "text": "air"})
    write("table.csv", "id,text\nd,land\n")
    assert ids("docs", "more.jsonl", "table.csv") == ["a.txt", "c", "d", "sub/b.md"]


def test_a_name_that_looks_like_a_pattern_is_a_name_first() -> None:
    write("a[0].txt", "wind")
    assert ids("a[0].txt") == ["a[0].txt"]


@pytest.mark.parametrize("name", ["none.jsonl", "none"])
def test_a_path_where_nothing_is_is_named(name: str) -> None:
    expected = [f"{name}: expected a file or folder, got nothing there. Check the path."]
    assert problems(lambda: read_corpus(Path(name))) == expected
    assert problems(lambda: read_queries(Path(name))) == expected


def test_a_pattern_that_matches_nothing_is_named() -> None:
    assert problems(lambda: read_corpus(Path("*.txt"))) == [
        "*.txt: expected files that match, got none. Check the pattern."
    ]


def test_another_ending_is_named_unless_the_format_is_given() -> None:
    path = write("corpus.data", '{"id": "a", "text": "wind"}\n')
    (problem,) = problems(lambda: read_corpus(path))
    assert problem.startswith("corpus.data: expected a folder or one of .docx, .htm, .html, .markdown, .md,")
    assert problem.endswith('got ".data". Convert it, or set format.')
    assert read_corpus(path, CorpusOptions(format="jsonl")).documents[0].doc_id == "a"
    assert problems(lambda: read_queries(path)) == [
        "corpus.data: expected queries as .jsonl, .ndjson, .csv, .tsv, .tab, .parquet, .json "
        "or a BEIR folder, "
        'got ".data". Convert it, or set format.'
    ]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConfigError, match=r'format: expected one of folder, beir, .*, got "xml"'):
        read_corpus(write("a.jsonl", ""), CorpusOptions(format="xml"))
