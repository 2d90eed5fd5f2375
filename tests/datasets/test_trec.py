import gzip

import pytest

from chunkgap.datasets.trec import RunLine, read_qrels, read_run
from chunkgap.errors import InputError

from .inputs import problems, write


def test_qrels_may_be_written_with_any_white_space_comments_and_line_ends() -> None:
    path = write(
        "qrels.txt",
        "# by hand\nq1 0 a.txt 1\r\nq2\t0\tb.txt\t1\r\n\r\n  q3   0   c#1.txt   0.5   \r\n# end\n",
    )
    qrels = read_qrels(path)
    assert qrels.judgements == {"q1": {"a.txt": 1.0}, "q2": {"b.txt": 1.0}, "q3": {"c#1.txt": 0.5}}
    assert len(qrels) == 3


@pytest.mark.parametrize("header", ["query-id\tcorpus-id\tscore\n", ""])
def test_three_columns_are_read_with_a_header_or_without(header: str) -> None:
    path = write("test.tsv", f"{header}q1\ta\t1\nq2\tb\t0\nq2\tc\t-1\n")
    assert read_qrels(path).judgements == {"q1": {"a": 1.0}, "q2": {"b": 0.0, "c": -1.0}}


def test_ids_apart_by_tabs_may_hold_blanks_and_are_composed() -> None:
    path = write("qrels.tsv", "q 1\t0\tre\u0301sume\u0301 2.md\t1\nq 1 \t 0 \t b.md \t 1\nq2\t\t0\tc.md\t1\n")
    assert read_qrels(path).judgements == {
        "q 1": {"r\u00e9sum\u00e9 2.md": 1.0, "b.md": 1.0},
        "q2": {"c.md": 1.0},
    }


def test_faulty_judgements_are_all_named() -> None:
    path = write("qrels.txt", "q1 0 a 1\nq2 0 b\n\nq3 0 c high\nq4 0 d nan\nq1 0 a 2\nq5 0 e f 1\n")
    assert problems(lambda: read_qrels(path)) == [
        "qrels.txt:2: expected 4 fields, got 3. Write: query 0 document grade.",
        'qrels.txt:4: expected a grade, got "high". Write a number, above 0 for relevant.',
        'qrels.txt:5: expected a grade, got "nan". Write a number, above 0 for relevant.',
        'qrels.txt:6: expected one grade of "a" for the query "q1", got 2 after 1 at line 1. Remove one.',
        "qrels.txt:7: expected 4 fields, got 5. Write: query 0 document grade.",
    ]


def test_a_judgement_given_twice_counts_once_with_a_warning() -> None:
    qrels = read_qrels(write("qrels.txt", "q1 0 a 1\nq1 0 a 1\n"))
    assert len(qrels) == 1
    assert qrels.warnings == ("qrels.txt:2: the same judgement as at line 1",)


def test_a_file_without_judgements_is_an_error() -> None:
    assert problems(lambda: read_qrels(write("qrels.txt", "# nothing\n"))) == [
        "qrels.txt: expected judgements, got none. Write: query 0 document grade."
    ]


def test_a_file_of_faulty_lines_alone_is_not_called_empty_too() -> None:
    assert problems(lambda: read_qrels(write("qrels.txt", "a b\n"))) == [
        "qrels.txt:1: expected 4 fields, got 2. Write: query 0 document grade."
    ]
    bad = b"q1 Q0 caf\xe9 1 0.5 t\n"
    for read in (read_qrels, lambda path: list(read_run(path))):
        (problem,) = problems(lambda read=read: read(write("latin.txt", bad)))
        assert "latin.txt:1: not UTF-8" in problem


def test_a_header_alone_holds_no_judgements() -> None:
    assert problems(lambda: read_qrels(write("qrels.txt", "query-id\tcorpus-id\tscore\n"))) == [
        "qrels.txt: expected judgements, got none. Write: query 0 document grade."
    ]


def test_a_run_is_streamed_in_file_order_compressed_or_not() -> None:
    text = "q1 Q0 b 2 0.5 mine\nq1\tQ0\ta b\t1\t  1.5e0\tmine\r\n"
    expected = [RunLine("q1", "b", 2, 0.5, "mine", 1), RunLine("q1", "a b", 1, 1.5, "mine", 2)]
    assert list(read_run(write("a.run", text))) == expected
    assert list(read_run(write("a.run.gz", gzip.compress(text.encode())))) == expected


def test_faulty_results_are_all_named() -> None:
    path = write("a.run", "q1 Q0 a 1 0.5\nq1 Q0 b first 0.5 x\nq1 Q0 c 3 inf x\nq1 Q0 d 4 high x\n")
    assert problems(lambda: list(read_run(path))) == [
        "a.run:1: expected 6 fields, got 5. Write: query Q0 document rank score tag.",
        'a.run:2: expected a whole number as rank, got "first". Mend the line.',
        'a.run:3: expected a finite score, got "inf". Mend the line.',
        'a.run:4: expected a number as score, got "high". Mend the line.',
    ]


def test_an_empty_run_is_an_error() -> None:
    assert problems(lambda: list(read_run(write("a.run", "\n")))) == [
        "a.run: expected results, got none. Write: query Q0 document rank score tag."
    ]


def test_an_id_that_begins_with_a_hash_is_no_comment() -> None:
    qrels = read_qrels(write("qrels.txt", "# a comment\n#1 0 d1 1\n#2 0 #d 2\n# of lines: 2\n"))
    assert qrels.judgements == {"#1": {"d1": 1.0}, "#2": {"#d": 2.0}}
    run = list(read_run(write("a.run", "# query Q0 document rank score tag\n#1 Q0 d1 1 0.5 t\n")))
    assert [(line.query_id, line.doc_id) for line in run] == [("#1", "d1")]


@pytest.mark.parametrize("grade", ["1_0", "\u0663", "0x1", "1e", ""])
def test_a_grade_is_written_in_decimal_digits(grade: str) -> None:
    with pytest.raises(InputError, match=r"expected a grade|expected 4 fields"):
        read_qrels(write("qrels.txt", f"q1 0 d1 1\nq2 0 d1 {grade}\n"))


@pytest.mark.parametrize(
    "header",
    [
        "query_id iter doc_id relevance",
        "Query-ID\tQ0\tDocNo\tRel",
        "topic 0 docid grade",
        "query 0 document label",
    ],
)
def test_a_header_of_four_words_is_no_judgement(header: str) -> None:
    assert read_qrels(write("qrels.txt", f"{header}\nq1 0 a 1\n")).judgements == {"q1": {"a": 1.0}}


@pytest.mark.parametrize(
    ("line", "grade"),
    [
        ("q1 0 d1 1o", "1o"),
        ("q1\td1\trelevant", "relevant"),
        ("q1 0 d1 score", "score"),
        ("query-id corpus-id points", "points"),
    ],
)
def test_a_first_line_that_is_no_header_is_a_judgement(line: str, grade: str) -> None:
    path = write("qrels.txt", f"{line}\n")
    assert problems(lambda: read_qrels(path)) == [
        f'qrels.txt:1: expected a grade, got "{grade}". Write a number, above 0 for relevant. '
        "A header reads query-id, corpus-id, score."
    ]
