import gzip
from pathlib import Path

import pytest

from chunkgap.datasets.corpus import CorpusOptions, read_corpus
from chunkgap.datasets.files import Decoding
from chunkgap.datasets.findings import Findings
from chunkgap.datasets.record import DOCUMENT_FIELDS, Fields, Record
from chunkgap.datasets.tables import read_table

from .inputs import problems, write


def rows(path: Path, delimiter: str | None = None, **fields: str) -> list[Record]:
    findings = Findings()
    columns = Fields(DOCUMENT_FIELDS, fields)
    found = list(read_table(path, Decoding(), findings, columns, needed=("id", "text"), delimiter=delimiter))
    findings.raise_problems()
    return found


def texts(path: Path, delimiter: str | None = None) -> list[object]:
    return [record.values["text"] for record in rows(path, delimiter)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_from_the_header(delimiter: str) -> None:
    lines = [
        delimiter.join(cells) for cells in (("id", "text"), ("a", '"wind, sea; air\tor|land"'), ("b", "keel"))
    ]
    assert texts(write("a.csv", "\n".join(lines))) == ["wind, sea; air\tor|land", "keel"]


def test_a_delimiter_that_is_set_is_used() -> None:
    assert texts(write("a.csv", "id~text\na~wind, sea\n"), "~") == ["wind, sea"]


def test_places_are_those_of_the_first_line_of_a_row() -> None:
    path = write("a.csv", 'id,text\na,"one\ntwo"\n\nb,three\n')
    assert rows(path) == [
        ("a.csv:2", {"id": "a", "text": "one\ntwo"}),
        ("a.csv:5", {"id": "b", "text": "three"}),
    ]


def test_line_ends_inside_a_cell_stay_and_at_the_end_of_a_row_go() -> None:
    assert texts(write("a.csv", b'\xef\xbb\xbfid,text\r\na,"x\r\ny"\r\nb,z\r\n')) == ["x\r\ny", "z"]


def test_a_cell_may_be_longer_than_the_usual_limit() -> None:
    assert texts(write("a.csv", f"id,text\na,{'x' * 200_000}\n")) == ["x" * 200_000]


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    path = write("a.csv", "nr,inhalt\n1,wind\n")
    assert problems(lambda: rows(path)) == [
        'a.csv:1: expected a column "_id" (or id, doc_id, docid), got "nr", "inhalt". '
        "Name the column with fields: {id: ...}, or set the delimiter.",
        'a.csv:1: expected a column "text" (or content, body, contents), got "nr", "inhalt". '
        "Name the column with fields: {text: ...}, or set the delimiter.",
    ]
    assert rows(path, id="nr", text="inhalt") == [("a.csv:2", {"nr": "1", "inhalt": "wind"})]


def test_a_header_that_nothing_splits_is_no_document() -> None:
    path = write("a.csv", "id^text\na^wind\n")
    assert 'got "id^text"' in problems(lambda: rows(path))[0]


def test_a_row_of_another_width_is_named() -> None:
    path = write("a.csv", "id,text\na,wind, sea\nb\nc,air\n")
    advice = "Put quotes around a cell that holds the delimiter."
    assert problems(lambda: rows(path)) == [
        f"a.csv:2: expected 2 cells, as in the header, got 3. {advice}",
        f"a.csv:3: expected 2 cells, as in the header, got 1. {advice}",
    ]


def test_a_quote_that_never_closes_is_named() -> None:
    path = write("a.csv", 'id,text\na,"wind\nb,sea\n')
    assert problems(lambda: rows(path)) == [
        "a.csv:2: expected every quote closed, got one in the row that begins here and never ends. "
        'Close it, or write "" for a quote inside quotes.'
    ]


def test_a_quote_that_never_closes_is_named_where_it_opens_however_long_the_file() -> None:
    path = write("a.csv", 'id,text\na,wind\n"b,sea\n' + "c,air\n" * 1000)
    (problem,) = problems(lambda: rows(path))
    assert problem.startswith("a.csv:3: expected every quote closed")


def test_a_fault_further_down_in_a_row_names_the_line_that_it_begins_on() -> None:
    path = write("a.csv", 'id,text\na,"wind\nb,"sea"\nc,air\n')
    assert problems(lambda: rows(path)) == [
        "a.csv:3: expected a row, got a fault in the row that begins at line 2: ',' expected after '\"'. "
        "Mend the quotes."
    ]


@pytest.mark.parametrize(("text", "line"), [("id,text\na,wi\rnd\nb,sea\n", 2), ("id,text\ra,wind\r", 1)])
def test_a_carriage_return_alone_ends_no_row(text: str, line: int) -> None:
    assert problems(lambda: rows(write("a.csv", text))) == [
        f"a.csv:{line}: expected lines that end at \\n or \\r\\n, got \\r outside quotes. "
        "Convert the file, or put quotes around the cell."
    ]


def test_a_column_given_twice_is_named() -> None:
    path = write("a.csv", "id,text,text\na,wind,sea\n")
    assert problems(lambda: rows(path)) == [
        'a.csv:1: expected each column once, got "text" twice. Rename one.'
    ]


def test_columns_without_a_name_are_let_be() -> None:
    assert texts(write("a.csv", "id,text,,\na,wind,,\n")) == ["wind"]


def test_an_empty_file_has_no_columns() -> None:
    assert "got an empty line" in problems(lambda: rows(write("a.csv", "")))[0]


def test_reading_goes_on_after_a_faulty_row() -> None:
    path = write("a.csv", 'id,text\na,"wi"nd\nb\nc,sea\nc,lake\n')
    assert problems(lambda: read_corpus(path)) == [
        "a.csv:2: expected a row, got a fault: ',' expected after '\"'. Mend the quotes.",
        "a.csv:3: expected 2 cells, as in the header, got 1. Put quotes around a cell that holds the delimiter.",
        'a.csv:5: expected each document id once, got "c" again (first at a.csv:4). Rename or remove one.',
    ]


LATIN = b'id,text\na,"caf\xe9\nfoo,bar"\nb,"one\ntw\xf6\nthree"\nc,ok\n'


def test_a_row_with_undecodable_bytes_is_skipped_as_a_whole() -> None:
    corpus = read_corpus(write("a.csv", LATIN), CorpusOptions(on_undecodable="skip"))
    assert [(document.doc_id, document.text) for document in corpus.documents] == [("c", "ok")]
    assert corpus.skipped == {"undecodable": 2}
    assert corpus.warnings == (
        "skipped the row with a.csv:2: not UTF-8 at byte 14 (0xe9), expected UTF-8",
        "skipped the row with a.csv:5: not UTF-8 at byte 34 (0xf6), expected UTF-8",
    )


def test_undecodable_bytes_make_no_other_row_faulty() -> None:
    assert [
        problem.partition(",")[0] for problem in problems(lambda: read_corpus(write("a.csv", LATIN)))
    ] == [
        "a.csv:2: not UTF-8 at byte 14 (0xe9)",
        "a.csv:5: not UTF-8 at byte 34 (0xf6)",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "id,text,größe\na,wind,1\n".encode("latin-1"),
            "a.csv:1: not UTF-8 at byte 10 (0xf6), expected UTF-8, in the header. Set --encoding (latin-1, say).",
        ),
        (
            'id,text,"in\ngröße"\nid,text,x\n'.encode("latin-1"),
            "a.csv:2: not UTF-8 at byte 14 (0xf6), expected UTF-8, in the header. Set --encoding (latin-1, say).",
        ),
        (
            "id,text\na,wind\n".encode("utf-16"),
            "a.csv:1: not UTF-8 at byte 0, expected UTF-8, got the byte order mark of UTF-16, in the header. "
            "Set --encoding utf-16.",
        ),
    ],
)
def test_a_header_with_undecodable_bytes_cannot_be_skipped(content: bytes, problem: str) -> None:
    path = write("a.csv", content)
    assert problems(lambda: read_corpus(path, CorpusOptions(on_undecodable="skip"))) == [problem]


@pytest.mark.parametrize("name", ["a.tsv", "a.TSV", "a.tab.gz"])
def test_tabs_are_looked_for_in_files_that_are_called_so(name: str) -> None:
    content = b"nr\tinhalt\na\twind\n"
    path = write(name, gzip.compress(content) if name.endswith(".gz") else content)
    assert problems(lambda: rows(path))[0].startswith(
        f'{name}:1: expected a column "_id" (or id, doc_id, docid), got "nr", "inhalt".'
    )
