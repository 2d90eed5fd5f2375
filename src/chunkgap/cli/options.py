"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

CorpusArgument = Annotated[
    Path | None, typer.Argument(help="Folder, .jsonl, .csv, .parquet or BEIR folder.", show_default=False)
]
QueriesArgument = Annotated[Path | None, typer.Argument(help="Labelled queries.", show_default=False)]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="YAML: a list of sizes, or a mapping of settings.")
]
CacheOption = Annotated[Path | None, typer.Option("--cache", help="Folder for vectors and indexes.")]
OutArgument = Annotated[
    Path, typer.Argument(help="Folder that `measure` or `score` wrote.", show_default=False)
]


def cache_value(cache: Path | None, *, no_cache: bool) -> Path | bool | None:
    """What the two options say together; None says nothing."""
    return False if no_cache else cache
