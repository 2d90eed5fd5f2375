"""`chunkgap check`: validate everything and forecast, before anything is embedded."""

from typing import Annotated

import typer

from chunkgap.cli.options import (
    ConfigOption,
    CorpusArgument,
    EncodingOption,
    IndexOption,
    JsonOption,
    ModelOption,
    OverlapOption,
    PhasesOption,
    QrelsOption,
    QueriesArgument,
    StrictOption,
    WorkersOption,
    refuse_runs,
)


def check_cli(
    corpus: CorpusArgument = None,
    queries: QueriesArgument = None,
    config: ConfigOption = None,
    sizes: Annotated[str | None, typer.Option(help="Sizes to forecast [default: those suggested].")] = None,
    overlap: OverlapOption = None,
    qrels: QrelsOption = None,
    index: IndexOption = None,
    phases: PhasesOption = None,
    model: ModelOption = None,
    workers: WorkersOption = None,
    encoding: EncodingOption = None,
    strict: StrictOption = None,
    no_calibration: Annotated[
        bool, typer.Option("--no-calibration", help="Load no model; seconds are then not forecast.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Validate corpus and queries, show how long documents are, suggest sizes, forecast the cost.

    All problems are reported at once. Nothing is embedded but a few chunks, to take the speed. Of the options
    of `measure`, those that shape the forecast are here.

    \b
    Examples:
      chunkgap check docs/ queries.jsonl
      chunkgap check docs/ queries.jsonl --sizes 100,200,400 --overlap 10%
      chunkgap check --config chunkgap.yaml --no-calibration --json
    """
    from chunkgap.checking import check
    from chunkgap.cli.lines import console, echo_json
    from chunkgap.cli.watching import watching
    from chunkgap.config import load_settings
    from chunkgap.reports.check_report import check_json, render

    settings = load_settings(
        config,
        {
            "corpus": corpus,
            "queries": queries,
            "sizes": sizes,
            "overlap": overlap,
            "qrels": qrels,
            "retrieval.index": index,
            "phases": phases,
            "embedding.model": model,
            "workers": workers,
            "encoding": encoding,
            "strict": strict,
        },
    )
    refuse_runs(settings)
    with watching() as progress:
        found = check(settings, calibration=not no_calibration, progress=progress)
    if json:
        echo_json(check_json(found))
        return
    render(found, console=console())
