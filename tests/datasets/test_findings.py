from pathlib import Path

import pytest

from chunkgap.datasets.findings import Findings, examples, is_whole, shown, whole
from chunkgap.errors import InputError


def test_problems_are_raised_together_and_their_list_is_capped() -> None:
    findings = Findings()
    for number in range(1, 24):
        findings.problem(f"a.jsonl:{number}: wrong")
    with pytest.raises(InputError) as caught:
        findings.raise_problems()
    assert len(caught.value.problems) == 21  # 20 and a count
    assert caught.value.problems[-1] == "... and 3 more"


def test_without_problems_nothing_is_raised() -> None:
    Findings().raise_problems()


def test_warnings_of_a_kind_are_listed_once_each_and_then_counted() -> None:
    findings = Findings()
    for line in ("a", "a", "b", "c", "d", "e", "f", "g"):
        findings.warn("letters", line)
    findings.warn("numbers", "1")
    assert findings.warnings == ("a", "b", "c", "d", "e", "... and 2 more: letters", "1")


def test_values_are_shown_on_one_short_line() -> None:
    assert shown("x" * 100) == f'"{"x" * 60}..."'
    assert shown("a\x1b[2J\nb") == r'"a\x1b[2J\nb"'
    assert [shown(value) for value in (True, None, 1.5, {}, [1])] == [
        "true",
        "null",
        "1.5",
        "an object",
        "a list",
    ]


def test_only_lone_surrogates_are_replaced_and_lengths_stay() -> None:
    assert whole("a\ud83db\udc00c\U0001f600") == "a\ufffdb\ufffdc\U0001f600"
    assert not is_whole("a\ud83d")
    assert is_whole("\U0001f600")


def test_examples_stop_after_three() -> None:
    assert examples(["a", "b", "c"]) == "a, b, c"
    assert examples({"a": 1, "b": 2, "c": 3, "d": 4}) == "a, b, c, ..."


def test_of_many_reasons_to_leave_files_out_those_of_most_files_are_listed() -> None:
    findings = Findings()
    for number in range(1, 8):
        for file in range(number):
            findings.leave_out(f"ending .{number}", Path(f"{file}.{number}"))
    findings.warn_of_left_out()
    assert findings.warnings == (
        "7 files left out, ending .7 (0.7, 1.7, 2.7, ...)",
        "6 files left out, ending .6 (0.6, 1.6, 2.6, ...)",
        "5 files left out, ending .5 (0.5, 1.5, 2.5, ...)",
        "4 files left out, ending .4 (0.4, 1.4, 2.4, ...)",
        "3 files left out, ending .3 (0.3, 1.3, 2.3)",
        "... and 2 more: reasons why files were left out",
    )


def test_names_of_files_that_are_left_out_are_escaped() -> None:
    findings = Findings()
    findings.leave_out("no ending", Path("a\nb"))
    findings.warn_of_left_out()
    assert findings.warnings == (r"1 file left out, no ending (a\nb)",)
