"""Arguments and options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkgap.errors import ConfigError

if TYPE_CHECKING:
    from chunkgap.config import Settings

_CORPUS = "Folder, .jsonl, .csv, .parquet or BEIR folder."
_OUT = "Folder for the results [default: chunkgap-out]."

# Paths that settings check are text here: a `Path` of an empty text would be the current folder.
PATH = "<path>"
"""How the help shows such text."""

CorpusArgument = Annotated[str | None, typer.Argument(help=_CORPUS, metavar="CORPUS", show_default=False)]
QueriesArgument = Annotated[
    str | None, typer.Argument(help="Labelled queries.", metavar="QUERIES", show_default=False)
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="YAML: a list of sizes, or a mapping of settings.")
]
QrelsOption = Annotated[
    str | None,
    typer.Option(help="Judgements, TREC or BEIR.", metavar=PATH),
]
ResultsOption = Annotated[str | None, typer.Option("--out", help=_OUT, metavar=PATH)]
MeasuresOption = Annotated[
    str | None, typer.Option(help="As recall,ndcg; docs/measures.md names them [default: recall].")
]
OverlapOption = Annotated[
    str | None, typer.Option(help="Tokens that neighbours share, or a percentage as 10% [default: 0].")
]
IndexOption = Annotated[str | None, typer.Option(help="hnsw or exact [default: hnsw].")]
PhasesOption = Annotated[
    int | None, typer.Option(help="Placements of each size; 1 leaves the gap uncorrected [default: 2].")
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Threads; results do not depend on it [default: one for each core].")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="Bundled name, folder or hub id of the embedding model [default: all-MiniLM-L6-v2]."
    ),
]
EncodingOption = Annotated[
    str | None, typer.Option("--encoding", help="Encoding of the input files [default: utf-8].")
]
PrimaryOption = Annotated[
    str | None, typer.Option("--primary", help="Primary endpoint, as ndcg@10 [default: recall@5].")
]
StrictOption = Annotated[bool | None, typer.Option("--strict", help="Warnings about the input are errors.")]
EveryTableOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show every table.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
CorpusNowOption = Annotated[
    Path | None, typer.Option("--corpus", help="Where the corpus lies now [default: where it was].")
]
QueriesNowOption = Annotated[
    Path | None, typer.Option("--queries", help="Where the queries lie now [default: where they were].")
]
CacheOption = Annotated[
    str | None,
    typer.Option(
        "--cache", help="Folder for vectors and indexes [default: the user's cache folder].", metavar=PATH
    ),
]
OutArgument = Annotated[
    Path, typer.Argument(help="Folder that `measure` or `score` wrote.", metavar="OUT", show_default=False)
]


def refuse_runs(settings: "Settings") -> None:
    """Refuse run files where a command makes rankings of its own: they would be ignored.

    Raises:
        ConfigError: The configuration names some.
    """
    if settings.runs:
        raise ConfigError(
            f"runs: expected none, got {len(settings.runs)}; only `chunkgap score` reads them. "
            "Take them out, or run `chunkgap score`."
        )


def cache_value(cache: str | None, *, no_cache: bool) -> str | bool | None:
    """What the two options say together; None says nothing.

    Raises:
        ConfigError: They say different things.
    """
    if no_cache and cache is not None:
        raise ConfigError(f"--no-cache: expected no --cache beside it, got {cache}. Leave one out.")
    return False if no_cache else cache
