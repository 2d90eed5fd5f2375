"""What a gate found: as lines for a terminal, as annotations of GitHub Actions, and as JSON."""

from collections.abc import Iterator

from chunkgap.formatting import as_given, counted, decimals_apart, number
from chunkgap.gating import Check, GateReport
from chunkgap.reports.json_text import by_field, json_text

FORMAT_VERSION = 1
TITLE = "chunkgap gate"

_LEAST_DECIMALS = 4


def gate_lines(report: GateReport) -> Iterator[str]:
    """One line for each limit, after one for all of them."""
    failed = sum(not check.passed for check in report.checks)
    limits = counted(len(report.checks), "limit")
    yield f"gate passed: {limits} kept" if report.passed else f"gate failed: {failed} of {limits} not kept"
    for check in report.checks:
        yield f"{'passed' if check.passed else 'FAILED'}  {check_line(check)}"


def github_lines(report: GateReport) -> Iterator[str]:
    """Workflow commands: an error for each limit that is not kept, a notice for each that is.

    The form is that of "Workflow commands for GitHub Actions": `%`, CR and LF are escaped in the message.
    """
    for check in report.checks:
        level = "notice" if check.passed else "error"
        yield f"::{level} title={TITLE}::{_escaped(check_line(check))}"


def gate_json(report: GateReport) -> str:
    """Every limit as one JSON object, numbers unrounded; a value that does not exist is null."""
    checks = [
        {**by_field(check), "how_far": check.how_far, "passed": check.passed} for check in report.checks
    ]
    return json_text({"format_version": FORMAT_VERSION, "passed": report.passed, "checks": checks})


def check_line(check: Check) -> str:
    """Value, limit and how far apart they are, with as many decimals as it takes to tell them apart.

    >>> check_line(Check("min_best_fixed", "best fixed recall@1", 0.7, 0.7001, at_least=True))
    'min_best_fixed: best fixed recall@1 is 0.7000, expected at least 0.7001: 0.0001 too low'
    """
    bound = "at least" if check.at_least else "at most"
    decimals = _decimals(check)
    limit = _exact(check.limit, decimals)
    if check.value is None or check.how_far is None:
        return f"{check.key}: {check.name} has no value, expected {bound} {limit}: {check.missing}"
    told = f"{check.key}: {check.name} is {_exact(check.value, decimals)}, expected {bound} {limit}"
    if check.how_far == 0:
        return f"{told}: just kept"
    apart = number(abs(check.how_far), decimals=decimals)
    if check.passed:
        return f"{told}: {apart} to spare"
    return f"{told}: {apart} too {'low' if check.at_least else 'high'}"


def _decimals(check: Check) -> int:
    """The fewest that write the limit as it was given, and tell the value from it."""
    least = max(_LEAST_DECIMALS, len(as_given(check.limit).partition(".")[2]))
    return least if check.value is None else decimals_apart(check.value, check.limit, least=least)


def _exact(value: float, decimals: int) -> str:
    return f"{value + 0.0:.{decimals}f}"


def _escaped(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
