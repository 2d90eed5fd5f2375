"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from chunkgap.errors import ConfigError

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
ModelOption = Annotated[
    str | None, typer.Option("--model", help="Embedding model: bundled name, folder or hub id.")
]
EncodingOption = Annotated[str | None, typer.Option("--encoding", help="Encoding of the input files.")]
PrimaryOption = Annotated[str | None, typer.Option("--primary", help="Primary endpoint, as recall@5.")]
StrictOption = Annotated[bool | None, typer.Option("--strict", help="Warnings about the input are errors.")]
EveryTableOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show every table.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
CorpusNowOption = Annotated[Path | None, typer.Option("--corpus", help="Where the corpus lies now.")]
QueriesNowOption = Annotated[Path | None, typer.Option("--queries", help="Where the queries lie now.")]
CacheOption = Annotated[
    str | None, typer.Option("--cache", help="Folder for vectors and indexes.", metavar="PATH")
]
OutArgument = Annotated[
    Path, typer.Argument(help="Folder that `measure` or `score` wrote.", show_default=False)
]


def cache_value(cache: str | None, *, no_cache: bool) -> str | bool | None:
    """What the two options say together; None says nothing.

    Raises:
        ConfigError: They say different things.
    """
    if no_cache and cache is not None:
        raise ConfigError(f"--no-cache: expected no --cache beside it, got {cache}. Leave one out.")
    return False if no_cache else cache
