"""`chunkgap explain`: one query across the scales."""

from typing import Annotated

import typer

from chunkgap.cli.options import CorpusNowOption, JsonOption, OutArgument, QueriesNowOption


def explain_cli(
    out: OutArgument,
    query: Annotated[
        str, typer.Argument(help="Its id, or a part of its text.", metavar="QUERY", show_default=False)
    ],
    corpus: CorpusNowOption = None,
    queries: QueriesNowOption = None,
    top: Annotated[int, typer.Option(help="Chunks of each scale to show.", min=0, metavar="<int>")] = 3,
    full: Annotated[bool, typer.Option("--full", help="Show chunks whole.")] = False,
    json: JsonOption = False,
) -> None:
    """Explain one query: its ranks at every scale and fused, the chunks, the evidence, and why it was missed.

    Nothing is searched again: ranks come from the measurement's files, texts from the corpus, evidence from the
    queries. Where these had relative paths, they are looked for from here and from the folder that holds OUT.

    \b
    Examples:
      chunkgap explain chunkgap-out q042
      chunkgap explain chunkgap-out "drive home after" --top 5
      chunkgap explain chunkgap-out q042 --json
      chunkgap explain ../project/chunkgap-out q042 --corpus docs/ --queries queries.jsonl
    """
    from chunkgap.cli.lines import console, echo_json
    from chunkgap.reports.explanation import explanation_json, render_explanation
    from chunkgap.reports.query_hits import EXCERPT
    from chunkgap.reports.stored_query import explain_stored

    stored = explain_stored(
        out, query, corpus=corpus, queries=queries, top=top, excerpt=None if full else EXCERPT
    )
    if json:
        echo_json(explanation_json(stored))
        return
    render_explanation(stored, console=console())
