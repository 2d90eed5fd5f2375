import json
import math

import pytest

from chunkgap.gating import Check, GateReport
from chunkgap.reports.gate_report import check_line, gate_json, gate_lines, github_lines


def at_least(value: float | None, limit: float, **more: str) -> Check:
    return Check("min_best_fixed", "best fixed recall@1", value, limit, at_least=True, **more)


def at_most(value: float, limit: float) -> Check:
    return Check("max_gap", "oracle gap at recall@1", value, limit, at_least=False)


def test_a_failed_limit_shows_value_limit_and_how_far() -> None:
    assert check_line(at_least(0.7, 0.7001)) == (
        "min_best_fixed: best fixed recall@1 is 0.7000, expected at least 0.7001: 0.0001 too low"
    )
    assert check_line(at_most(0.25, 0.2)) == (
        "max_gap: oracle gap at recall@1 is 0.2500, expected at most 0.2000: 0.0500 too high"
    )


def test_a_kept_limit_shows_what_is_to_spare() -> None:
    assert check_line(at_least(0.75, 0.7)).endswith("expected at least 0.7000: 0.0500 to spare")
    assert check_line(at_least(0.7, 0.7)).endswith("expected at least 0.7000: just kept")


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (0.69999999, 0.7, "is 0.69999999, expected at least 0.70000000: 0.00000001 too low"),
        (0.70004, 0.70006, "is 0.70004, expected at least 0.70006: 0.00002 too low"),
        (0.5, 0.123456, "is 0.500000, expected at least 0.123456: 0.376544 to spare"),
        (0.5, 1, "is 0.5000, expected at least 1.0000: 0.5000 too low"),
    ],
)
def test_there_are_as_many_decimals_as_it_takes(value: float, limit: float, shown: str) -> None:
    assert check_line(at_least(value, limit)).endswith(shown)


def test_the_next_number_below_the_limit_does_not_look_like_it() -> None:
    line = check_line(at_least(math.nextafter(0.7, 0), 0.7))
    assert "is 0.69999999999999996, expected at least 0.69999999999999996" not in line
    assert line.endswith("too low")


def test_no_value_says_why() -> None:
    assert check_line(at_least(None, 0.7, missing="no query was evaluated")) == (
        "min_best_fixed: best fixed recall@1 has no value, expected at least 0.7000: no query was evaluated"
    )


def test_text_says_how_many_limits_failed() -> None:
    report = GateReport((at_least(0.7, 0.8), at_most(0.1, 0.2)))
    assert [line.split(":")[0] for line in gate_lines(report)] == [
        "gate failed",
        "FAILED  min_best_fixed",
        "passed  max_gap",
    ]
    assert next(gate_lines(report)) == "gate failed: 1 of 2 limits not kept"
    assert next(gate_lines(GateReport((at_most(0.1, 0.2),)))) == "gate passed: 1 limit kept"


def test_github_gets_an_error_for_what_failed_and_a_notice_for_the_rest() -> None:
    lines = list(github_lines(GateReport((at_least(0.7, 0.8), at_most(0.1, 0.2)))))
    assert lines[0] == (
        "::error title=chunkgap gate::"
        "min_best_fixed: best fixed recall@1 is 0.7000, expected at least 0.8000: 0.1000 too low"
    )
    assert lines[1].startswith("::notice title=chunkgap gate::max_gap: ")


def test_a_scale_name_cannot_begin_another_workflow_command() -> None:
    named = Check("max_gap", "100%\r\n::warning::pwned", 0.1, 0.2, at_least=False)
    (line,) = github_lines(GateReport((named,)))
    assert "100%25%0D%0A::warning::pwned" in line
    assert len(line.splitlines()) == 1


def test_json_holds_every_limit_unrounded() -> None:
    held = json.loads(gate_json(GateReport((at_least(0.7, 0.7001), at_most(0.1, 0.2)))))
    assert (held["format_version"], held["passed"]) == (1, False)
    assert held["checks"][0] == {
        "key": "min_best_fixed",
        "name": "best fixed recall@1",
        "value": 0.7,
        "limit": 0.7001,
        "at_least": True,
        "missing": "",
        "how_far": 0.7 - 0.7001,
        "passed": False,
    }
    assert held["checks"][1]["passed"] is True


def test_a_value_that_does_not_exist_is_null_in_json() -> None:
    (check,) = json.loads(gate_json(GateReport((at_least(None, 0.7, missing="none"),))))["checks"]
    assert (check["value"], check["how_far"], check["missing"], check["passed"]) == (
        None,
        None,
        "none",
        False,
    )
