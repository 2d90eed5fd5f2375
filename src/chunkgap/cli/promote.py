"""`chunkgap promote`: the queries that tell scales apart, as a small query file."""

from pathlib import Path
from typing import Annotated

import typer

from chunkgap.cli.options import CorpusNowOption, OutArgument, QueriesNowOption


def promote_cli(
    out: OutArgument,
    number: Annotated[int, typer.Argument(metavar="N", help="Queries to choose.", show_default=False)],
    file: Annotated[Path | None, typer.Option("--out", help="File to write, .jsonl; else stdout.")] = None,
    queries: QueriesNowOption = None,
    corpus: CorpusNowOption = None,
) -> None:
    """Write the N queries on which scales disagree most as a query file, with why each was chosen.

    First come those whose primary measure differs most between scales, among equals those that the best fixed
    scale loses, then those whose ranks differ most. Each document's queries take turns with the others'.

    \b
    Examples:
      chunkgap promote chunkgap-out 50 --out queries-small.jsonl
      chunkgap measure docs/ queries-small.jsonl
    """
    from chunkgap.cli.lines import console, echo_json, warn
    from chunkgap.errors import ConfigError
    from chunkgap.promoting import promote_from
    from chunkgap.reports.artifacts import read_results
    from chunkgap.reports.promotion import render_promotion
    from chunkgap.reports.screen import Screen
    from chunkgap.reports.writing import replace_text

    if file is not None and file.is_dir():
        raise ConfigError(f"--out: expected a file, got the folder {file}. Name a file.")
    promotion = promote_from(out, read_results(out), number, corpus=corpus, queries=queries)
    warn(promotion.remarks)
    text = "".join(f"{line}\n" for line in promotion.lines)
    if file is None:
        echo_json(text)
        return
    replace_text(file, text)
    render_promotion(promotion, file, Screen(console()))
