from pathlib import Path

import pytest

from chunkgap.datasets.corpus import read_corpus
from chunkgap.datasets.files import Decoding
from chunkgap.datasets.findings import Findings
from chunkgap.datasets.jsonl import read_json, read_jsonl
from chunkgap.datasets.record import Record, make_id

from .inputs import problems, write


def records(path: Path) -> list[Record]:
    findings = Findings()
    found = list(read_jsonl(path, Decoding(), findings))
    findings.raise_problems()
    return found


def test_blank_lines_are_skipped_and_counted() -> None:
    path = write("a.jsonl", '\n{"id": 1}\r\n  \n{"id": 2}')
    assert records(path) == [("a.jsonl:2", {"id": 1}), ("a.jsonl:4", {"id": 2})]


def test_a_number_remembers_how_it_was_written() -> None:
    ((_, values),) = records(write("a.jsonl", '{"id": 1.50}'))
    assert make_id(values["id"]) == "1.50"


def test_a_line_separator_inside_a_string_ends_no_line() -> None:
    assert records(write("a.jsonl", '{"t": "a\u2028b"}\n')) == [("a.jsonl:1", {"t": "a\u2028b"})]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            '{"id": "b", "text": "to',
            "expected a JSON object, got broken JSON (unterminated string, column 21). Mend the line.",
        ),
        ('{"id": "b"},', "expected one JSON object, got text after the object at column 12. Remove it."),
        (
            '{"id": "b"} {"id": "c"}',
            "expected one JSON object, got text after the object at column 13. Remove it.",
        ),
        ('[{"id": "b"},', "expected one JSON object a line, got a JSON array. Write one object a line."),
        ('"b"', 'expected a JSON object, got "b". Write {...}.'),
        ('{"id": NaN}', "expected JSON, got NaN, which JSON does not know. Write null."),
        ('{"id": -Infinity}', "expected JSON, got -Infinity, which JSON does not know. Write null."),
        ('{"id": ' + "1" * 5000 + "}", "expected JSON, got a number of too many digits. Write it as text."),
        ('{"id": ' + "[" * 200_000, "expected JSON, got one nested too deeply. Flatten it."),
    ],
)
def test_a_faulty_line_is_named(line: str, problem: str) -> None:
    path = write("a.jsonl", f'{{"id": "a"}}\n\n{line}')
    assert problems(lambda: records(path)) == [f"a.jsonl:3: {problem}"]


def test_every_faulty_line_is_named() -> None:
    path = write("a.jsonl", '{\n{"id": 1}\n}\n')
    assert [problem.split(": ")[0] for problem in problems(lambda: records(path))] == [
        "a.jsonl:1",
        "a.jsonl:3",
    ]


def test_a_fault_in_a_json_file_is_named_with_its_line() -> None:
    path = write("a.json", '{\n"queries": [\n}')
    assert problems(lambda: read_json(path, Decoding())) == [
        "a.json:3: expected JSON, got a fault: Expecting value. Mend the line."
    ]


def test_a_json_file_nested_too_deeply_is_refused() -> None:
    path = write("a.json", "[" * 200_000)
    assert problems(lambda: read_json(path, Decoding())) == [
        "a.json: expected JSON, got one nested too deeply. Flatten it."
    ]


def test_an_array_in_the_middle_hides_none_of_the_lines_after_it() -> None:
    path = write(
        "a.jsonl",
        '{"id": "a", "text": "x"}\n[1]\n{"id": "c"\n{"id": "", "text": "z"}\n{"id": "d", "text": 5}\n',
    )
    assert problems(lambda: read_corpus(path)) == [
        "a.jsonl:2: expected one JSON object a line, got a JSON array. Write one object a line.",
        "a.jsonl:3: expected a JSON object, got broken JSON (expecting ',' delimiter, column 11). Mend the line.",
        'a.jsonl:4: expected an id, got "". Write it as text.',
        'a.jsonl:5: expected the text of the document "d", got 5. Write it as text.',
    ]


def test_a_file_that_is_one_array_is_named_once() -> None:
    path = write("a.jsonl", '[\n{"id": "a"},\n{"id": "b"}\n]\n')
    assert problems(lambda: records(path)) == [
        "a.jsonl:1: expected one JSON object a line, got a JSON array. Write one object a line."
    ]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"id": "a", "text": "one", "text": "two"}', "text"),
        ('{"id": "a", "relevant": {"d1": 0, "d2": 1, "d1": 1}}', "d1"),
        ('{"id": "a", "spans": [{"doc": "b", "doc": "b"}]}', "doc"),
        ('{"id": "a", "\\u0069d": "b"}', "id"),
    ],
)
def test_a_key_given_twice_is_named_with_its_line(line: str, key: str) -> None:
    path = write("a.jsonl", f'{{"id": "x"}}\n{line}\n')
    assert problems(lambda: records(path)) == [
        f'a.jsonl:2: expected each key once, got "{key}" again. Remove one.'
    ]


def test_every_key_given_twice_in_a_json_file_is_named_with_its_path() -> None:
    path = write(
        "a.json",
        '{"queries": [{"id": 1, "id": 2}, {"relevant": {"d\\n": 0, "d\\n": 1}}], "x": {"y": [[{"z": 1, "z": 1}]]}}',
    )
    assert problems(lambda: read_json(path, Decoding())) == [
        'a.json:queries[0]: expected each key once, got "id" again. Remove one.',
        r'a.json:queries[1].relevant: expected each key once, got "d\n" again. Remove one.',
        'a.json:x.y[0][0]: expected each key once, got "z" again. Remove one.',
    ]


def test_an_object_that_a_repeated_key_hides_is_told_by_the_one_around_it() -> None:
    path = write("a.json", '{"data": [{"a": 1, "a": 2}], "data": []}')
    assert problems(lambda: read_json(path, Decoding())) == [
        'a.json: expected each key once, got "data" again. Remove one.'
    ]
