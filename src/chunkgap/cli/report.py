"""`chunkgap report`: render a measurement again, nothing recomputed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkgap.cli.options import OutArgument
from chunkgap.errors import ConfigError

if TYPE_CHECKING:
    from chunkgap.results import Results


def report_cli(
    out: OutArgument,
    html: Annotated[bool, typer.Option("--html", help="Write report.html again.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write report.md again.")] = False,
    terminal: Annotated[bool, typer.Option("--terminal", help="Print it; the default.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every table.")] = False,
    corpus: Annotated[
        Path | None, typer.Option(help="Where the corpus lies now, for the chunks of --html.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option(help="Where the queries lie now, for the evidence in these chunks.")
    ] = None,
) -> None:
    """Render a measurement again from its files; nothing is recomputed.

    \b
    Examples:
      chunkgap report chunkgap-out --verbose
      chunkgap report chunkgap-out --html --markdown
    """
    from chunkgap.cli.lines import console
    from chunkgap.reports.artifacts import read_results

    on_screen = terminal or not (html or markdown)
    _refuse_what_does_nothing(
        {"--corpus": corpus, "--queries": queries}, html=html, verbose=verbose and not on_screen
    )
    results = read_results(out)
    if html:
        _write_html(out, results, corpus, queries)
    if markdown:
        from chunkgap.reports.markdown import FILE_NAME, render_markdown

        _write(out / FILE_NAME, render_markdown(results))
    if on_screen:
        from chunkgap.reports.terminal import render

        render(results, console=console(), verbose=verbose, out=out)


def _refuse_what_does_nothing(places: Mapping[str, Path | None], *, html: bool, verbose: bool) -> None:
    """Refuse options that nothing which is rendered would heed.

    Raises:
        ConfigError: There are some.
    """
    problems = [
        f"{name}: expected --html beside it, got none. Add --html, or leave it out."
        for name, place in places.items()
        if place is not None and not html
    ]
    if verbose:
        problems.append(
            "--verbose: expected a report on the terminal, got none. Add --terminal, or leave it out."
        )
    if problems:
        raise ConfigError(*problems)


def _write_html(out: Path, results: "Results", corpus: Path | None, queries: Path | None) -> None:
    from chunkgap.cli.lines import warn
    from chunkgap.reports.html import FILE_NAME, render_html
    from chunkgap.reports.stored_query import stored_query_hits
    from chunkgap.rereading import read_manifest

    hits, remarks = stored_query_hits(out, results, corpus=corpus, queries=queries)
    warn(remarks)
    manifest = {key: value for key, value in read_manifest(out).items() if key != "files"}
    _write(out / FILE_NAME, render_html(results, hits, manifest=manifest))


def _write(path: Path, text: str) -> None:
    from chunkgap.cli.lines import echo_lines
    from chunkgap.reports.writing import replace_text

    replace_text(path, text)
    echo_lines([f"wrote {path}"])
