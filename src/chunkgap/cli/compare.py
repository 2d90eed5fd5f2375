"""`chunkgap compare`: two measurements, paired by query."""

from pathlib import Path
from typing import Annotated

import typer

from chunkgap.cli.options import JsonOption

AllowOption = Annotated[
    list[str] | None,
    typer.Option(help="What may differ: corpus, queries or endpoint; may be repeated.", metavar="<str>"),
]


def compare_cli(
    a: Annotated[
        Path, typer.Argument(help="Folder of the earlier measurement.", metavar="A", show_default=False)
    ],
    b: Annotated[Path, typer.Argument(help="Folder of the later one.", metavar="B", show_default=False)],
    allow: AllowOption = None,
    top: Annotated[int, typer.Option(help="Queries that moved most to list.", min=0, metavar="<int>")] = 10,
    json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what did not change, too, and all that differs.")
    ] = False,
) -> None:
    """Compare two measurements query by query: what changed from A to B, and how surely.

    Refuses measurements of other queries, another corpus or another primary endpoint (exit code 3), unless
    --allow names what may differ.

    \b
    Examples:
      chunkgap compare main-out chunkgap-out
      chunkgap compare main-out chunkgap-out --allow corpus --markdown >> "$GITHUB_STEP_SUMMARY"
    """
    from chunkgap.cli.lines import console, echo_json, echo_lines
    from chunkgap.comparing import compare
    from chunkgap.errors import ConfigError
    from chunkgap.reports.artifacts import read_results
    from chunkgap.reports.comparison import comparison_json, render_comparison, render_comparison_markdown
    from chunkgap.reports.screen import Screen
    from chunkgap.rereading import read_manifest

    if json and markdown:
        raise ConfigError("--json: expected one format, got --markdown too. Leave one out.")
    if json and verbose:
        raise ConfigError("--verbose: expected tables, got --json, which holds everything. Leave one out.")
    difference = compare(
        read_results(a),
        read_results(b),
        allow=allow or (),
        manifests=(read_manifest(a), read_manifest(b)),
        most_moved=top,
    )
    if json:
        echo_json(comparison_json(difference))
    elif markdown:
        echo_lines(render_comparison_markdown(difference, verbose=verbose).splitlines())
    else:
        render_comparison(difference, Screen(console()), verbose=verbose)
