"""What `measure` and `score` do with what they found: write every file, print the report, pass or fail the gate."""

import os
from pathlib import Path

import typer

from chunkgap.cli.gate import GATE_FAILED
from chunkgap.cli.lines import console, echo_lines
from chunkgap.config import Settings
from chunkgap.errors import ConfigError, reason
from chunkgap.gating import gate
from chunkgap.measurement import Measurement
from chunkgap.reports.gate_report import gate_lines
from chunkgap.reports.markdown import render_markdown, write_step_summary
from chunkgap.reports.output import write_measurement
from chunkgap.reports.terminal import render


def finish(measured: Measurement, settings: Settings, *, verbose: bool) -> None:
    """Write the files and print the report.

    Raises:
        ConfigError: The output folder, or the summary of the step, cannot be written to.
        typer.Exit: The gate of the configuration fails.
    """
    results = measured.results
    write_measurement(measured, settings)
    render(results, console=console(), verbose=verbose, out=settings.out)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        _summarise(Path(summary), render_markdown(results))
    if settings.gate.limits:
        _pass_or_fail(measured, settings)


def _summarise(summary: Path, markdown: str) -> None:
    try:
        write_step_summary(summary, markdown)
    except OSError as error:
        raise ConfigError(
            f"GITHUB_STEP_SUMMARY: expected a file to write to, got {summary} ({reason(error)}). "
            "Name another, or unset it."
        ) from error


def _pass_or_fail(measured: Measurement, settings: Settings) -> None:
    report = gate(measured.results, settings.gate.limits)
    echo_lines(["", *gate_lines(report)])
    if not report.passed:
        raise typer.Exit(GATE_FAILED)
