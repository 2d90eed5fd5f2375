"""The command line: one file per command, each a thin shell over a function that returns data.

Exit codes: 0 done, 1 gate failed, 2 usage or input error, 3 not comparable, 130 interrupted, 141 the reader of the
output left. Results go to stdout, progress and warnings to stderr. No command module imports numpy, torch or a model
before its command runs.
"""

import os
import sys
from collections.abc import Sequence

import typer

from chunkgap import __version__
from chunkgap.cli.check import check_cli
from chunkgap.cli.compare import compare_cli
from chunkgap.cli.explain import explain_cli
from chunkgap.cli.faults import system_line, usage_line
from chunkgap.cli.gate import gate_cli
from chunkgap.cli.init import init_cli
from chunkgap.cli.lines import complain
from chunkgap.cli.measure import measure_cli
from chunkgap.cli.promote import promote_cli
from chunkgap.cli.report import report_cli
from chunkgap.cli.score import score_cli
from chunkgap.errors import ChunkgapError

INTERRUPTED = 130
READER_LEFT = 141
"""128 + SIGPIPE, as shells tell it; commands whose results are not read to the end keep a code of their own."""

TRACEBACK = "CHUNKGAP_TRACEBACK"


_EXIT_CODES = """\b
Exit codes:
  0    done
  1    gate failed
  2    usage or input error
  3    measurements that are not comparable
  130  interrupted
  141  help into a closed pipe"""

app = typer.Typer(
    name="chunkgap",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_EXIT_CODES,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chunkgap {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def chunkgap(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Measure how much recall one chunk size costs, and what multi-scale retrieval wins back."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_COMMANDS = (
    ("measure", measure_cli, "Measure recall at every size, and what fusing the sizes wins back."),
    ("check", check_cli, "Validate the input, suggest sizes, forecast the cost."),
    ("score", score_cli, "Analyse TREC run files of your own, one for each size."),
    ("explain", explain_cli, "Explain one query across the sizes."),
    ("report", report_cli, "Render a measurement again; nothing is recomputed."),
    ("compare", compare_cli, "Compare two measurements, query by query."),
    ("gate", gate_cli, "Pass or fail a measurement, for CI."),
    ("promote", promote_cli, "Write the most telling queries as a small query file."),
    ("init", init_cli, "Write a commented configuration for a corpus."),
)
for _name, _function, _summary in _COMMANDS:
    app.command(_name, short_help=_summary)(_function)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and turn every error into its lines on stderr and its exit code."""
    try:
        code = app(args=arguments, prog_name="chunkgap", standalone_mode=False)
    except ChunkgapError as error:
        code = _complain(error)
    except typer.TyperException as error:
        code = _complain(ChunkgapError(usage_line(error)))
    except typer.Abort:
        code = INTERRUPTED
    except SystemExit as stopped:
        # typer exits with 1 where a pipe is closed, which would read as a failed gate
        if not isinstance(stopped.__context__, BrokenPipeError):
            raise
        code = READER_LEFT
    except OSError as error:
        code = _complain(ChunkgapError(system_line(error)))
    except Exception as error:  # a fault of ours: one line for users, everything for those who ask
        if os.environ.get(TRACEBACK):
            raise
        told = f"chunkgap itself failed: {type(error).__name__}: {error}"
        code = _complain(ChunkgapError(f"{told}. Set {TRACEBACK}=1 to see where, and report it."))
    if code == INTERRUPTED:
        complain(["interrupted: what was embedded is in the cache, if there is one; start again to go on"])
    sys.exit(code or 0)


def _complain(error: ChunkgapError) -> int:
    """Print each problem on a line of its own; returns the exit code."""
    complain(f"error: {problem}" for problem in error.problems)
    return error.exit_code
