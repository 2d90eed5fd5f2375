"""`chunkgap gate`: pass or fail, for CI."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from chunkgap.cli.compare import AllowOption
from chunkgap.cli.options import JsonOption, OutArgument

GATE_FAILED = 1


def gate_cli(
    out: OutArgument,
    baseline: Annotated[Path | None, typer.Option(help="Folder of an earlier measurement.")] = None,
    max_drop: Annotated[
        float | None,
        typer.Option(help="Most that best fixed and fusion may drop below the baseline [default: 0.02]."),
    ] = None,
    min_best_fixed: Annotated[float | None, typer.Option(help="Best fixed scale, at least.")] = None,
    max_gap: Annotated[float | None, typer.Option(help="Oracle gap, at most.")] = None,
    max_reproducible_gap: Annotated[float | None, typer.Option(help="Reproducible gap, at most.")] = None,
    min_fusion: Annotated[float | None, typer.Option(help="Fusion, at least.")] = None,
    min_fusion_gain: Annotated[float | None, typer.Option(help="Fusion minus best fixed, at least.")] = None,
    allow: AllowOption = None,
    form: Annotated[
        Literal["text", "github"], typer.Option("--format", help="text, or annotations of GitHub Actions.")
    ] = "text",
    json: JsonOption = False,
) -> None:
    """Pass or fail a measurement at its primary endpoint; exit code 1 when it fails.

    Without a limit the gate section of the measurement's configuration holds. A value at its limit passes.

    \b
    Examples:
      chunkgap gate chunkgap-out --min-best-fixed 0.8 --max-reproducible-gap 0.05
      chunkgap gate chunkgap-out --baseline main-out --max-drop 0.02 --format github
      chunkgap gate chunkgap-out --min-best-fixed 0.8 --json
    """
    from chunkgap.cli.lines import echo_json, echo_lines
    from chunkgap.errors import ConfigError
    from chunkgap.gating import MAX_DROP, gate
    from chunkgap.reports.artifacts import read_results
    from chunkgap.reports.gate_report import gate_json, gate_lines, github_lines

    if max_drop is not None and baseline is None:
        raise ConfigError(
            "--max-drop: expected a --baseline beside it, got none. Name an earlier measurement."
        )
    if allow and baseline is None:
        raise ConfigError(
            "--allow: expected a --baseline beside it, got none. Name an earlier measurement, or leave it out."
        )
    if json and form != "text":
        raise ConfigError(f"--json: expected one format, got --format {form} too. Leave one out.")
    results = read_results(out)
    limits = _limits(
        out,
        {
            "min_best_fixed": min_best_fixed,
            "max_gap": max_gap,
            "max_reproducible_gap": max_reproducible_gap,
            "min_fusion": min_fusion,
            "min_fusion_gain": min_fusion_gain,
        },
    )
    report = gate(
        results,
        limits,
        baseline=read_results(baseline) if baseline else None,
        max_drop=MAX_DROP if max_drop is None else max_drop,
        allow=allow or (),
    )
    if json:
        echo_json(gate_json(report))
    else:
        echo_lines(github_lines(report) if form == "github" else gate_lines(report))
    if not report.passed:
        raise typer.Exit(GATE_FAILED)


def _limits(out: Path, options: Mapping[str, float | None]) -> Mapping[str, float]:
    """The limits that were given, checked as the configuration's are; else those of the configuration."""
    from chunkgap.config import load_settings
    from chunkgap.rereading import read_settings

    given = load_settings(None, {f"gate.{key}": limit for key, limit in options.items()}).gate.limits
    return given or read_settings(out).gate.limits
