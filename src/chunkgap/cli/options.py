"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

_CORPUS = "Folder, .jsonl, .csv, .parquet or BEIR folder."
_OUT = "Folder for the results [default: chunkgap-out]."

# Paths that settings check are text here: a `Path` of an empty text would be the current folder.
CorpusArgument = Annotated[str | None, typer.Argument(help=_CORPUS, metavar="[CORPUS]", show_default=False)]
QueriesArgument = Annotated[
    str | None, typer.Argument(help="Labelled queries.", metavar="[QUERIES]", show_default=False)
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="YAML: a list of sizes, or a mapping of settings.")
]
QrelsOption = Annotated[str | None, typer.Option(help="Judgements, TREC or BEIR.", metavar="PATH")]
ResultsOption = Annotated[str | None, typer.Option("--out", help=_OUT, metavar="PATH")]
MeasuresOption = Annotated[
    str | None, typer.Option(help="As recall,ndcg; docs/measures.md names them [default: recall].")
]
CacheOption = Annotated[
    str | None, typer.Option("--cache", help="Folder for vectors and indexes.", metavar="PATH")
]
OutArgument = Annotated[
    Path, typer.Argument(help="Folder that `measure` or `score` wrote.", show_default=False)
]


def cache_value(cache: str | None, *, no_cache: bool) -> str | bool | None:
    """What the two options say together; None says nothing."""
    return False if no_cache else cache
