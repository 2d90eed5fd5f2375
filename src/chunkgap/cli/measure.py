"""`chunkgap measure`: the main job."""

from typing import Annotated

import typer

from chunkgap.cli.options import (
    CacheOption,
    ConfigOption,
    CorpusArgument,
    EncodingOption,
    EveryTableOption,
    IndexOption,
    MeasuresOption,
    ModelOption,
    OverlapOption,
    PhasesOption,
    PrimaryOption,
    QrelsOption,
    QueriesArgument,
    ResultsOption,
    StrictOption,
    WorkersOption,
    cache_value,
    refuse_runs,
)


def measure_cli(
    corpus: CorpusArgument = None,
    queries: QueriesArgument = None,
    config: ConfigOption = None,
    sizes: Annotated[
        str | None, typer.Option(help="Chunk sizes in tokens [default: 50,100,200,500].")
    ] = None,
    overlap: OverlapOption = None,
    qrels: QrelsOption = None,
    out: ResultsOption = None,
    index: IndexOption = None,
    primary: PrimaryOption = None,
    measures: MeasuresOption = None,
    cutoffs: Annotated[
        str | None,
        typer.Option(help="Documents (5), chunks (5c) or tokens (2000t) [default: 1,3,5,10,20]."),
    ] = None,
    phases: PhasesOption = None,
    model: ModelOption = None,
    workers: WorkersOption = None,
    encoding: EncodingOption = None,
    strict: StrictOption = None,
    cache: CacheOption = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep no vectors and no indexes.")] = False,
    verbose: EveryTableOption = False,
) -> None:
    """Measure recall at every chunk size, the oracle gap, and what fusion over the sizes wins back.

    \b
    Examples:
      chunkgap measure docs/ queries.jsonl --sizes 100,200,500
      chunkgap measure --config chunkgap.yaml --out results/
    """
    from chunkgap.cli.finish import finish
    from chunkgap.cli.watching import watching
    from chunkgap.config import load_settings
    from chunkgap.measurement import measure
    from chunkgap.placing import check_cache
    from chunkgap.reports.writing import check_folder

    settings = load_settings(
        config,
        {
            "corpus": corpus,
            "queries": queries,
            "sizes": sizes,
            "overlap": overlap,
            "qrels": qrels,
            "out": out,
            "retrieval.index": index,
            "primary": primary,
            "measures": measures,
            "cutoffs": cutoffs,
            "phases": phases,
            "embedding.model": model,
            "workers": workers,
            "encoding": encoding,
            "strict": strict,
            "cache": cache_value(cache, no_cache=no_cache),
        },
    )
    refuse_runs(settings)
    check_folder(settings.out)
    check_cache(settings, place="cache" if cache is None else "--cache")
    with watching() as progress:
        measured = measure(settings, progress=progress)
    finish(measured, settings, verbose=verbose)
