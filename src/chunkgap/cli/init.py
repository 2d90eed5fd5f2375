"""`chunkgap init`: a commented configuration for a corpus at hand."""

from pathlib import Path
from typing import Annotated

import typer

from chunkgap.cli.options import QueriesArgument


def init_cli(
    corpus: Annotated[
        str,
        typer.Argument(
            help="Folder, .jsonl, .csv, .parquet or BEIR folder.", metavar="CORPUS", show_default=False
        ),
    ],
    queries: QueriesArgument = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("chunkgap.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Look at a corpus and its queries, and write a commented configuration for them.

    \b
    Examples:
      chunkgap init docs/ queries.jsonl
      chunkgap init docs/ queries.jsonl --out configs/docs.yaml --force
    """
    from chunkgap.cli.lines import echo_lines, warn
    from chunkgap.cli.watching import watching
    from chunkgap.config import load_settings
    from chunkgap.errors import ConfigError
    from chunkgap.proposing import propose
    from chunkgap.reports.writing import is_stream, replace_text

    if out.is_dir():
        raise ConfigError(f"--out: expected a file to write, got the folder {out}. Name a file in it.")
    if out.exists() and not force and not is_stream(out):
        raise ConfigError(f"{out}: expected no such file, got one. Give --force or another --out.")
    named = load_settings(None, {"corpus": corpus, "queries": queries})
    folder = Path() if is_stream(out) else out.parent
    with watching() as progress:
        proposal = propose(named.corpus[0], named.queries, folder=folder, progress=progress)
    replace_text(out, proposal.text)
    warn(proposal.warnings)
    following = f"chunkgap measure --config {out}" if proposal.has_queries else f"name queries in {out}"
    echo_lines([f"wrote {out}; next: {following}"])
