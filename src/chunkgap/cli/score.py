"""`chunkgap score`: the analysis over run files of one's own."""

from typing import Annotated

import typer

from chunkgap.cli.options import (
    ConfigOption,
    EveryTableOption,
    PrimaryOption,
    QrelsOption,
    ResultsOption,
    StrictOption,
)


def score_cli(
    config: ConfigOption = None,
    qrels: QrelsOption = None,
    primary: PrimaryOption = None,
    cutoffs: Annotated[
        str | None, typer.Option(help="Documents (5) or chunks (5c) [default: 1,3,5,10,20].")
    ] = None,
    out: ResultsOption = None,
    strict: StrictOption = None,
    verbose: EveryTableOption = False,
) -> None:
    """Analyse TREC run files that you have, one for each scale, with judgements; no model is loaded.

    \b
    The configuration names them:
      runs: {64: runs/s64.run, 256: runs/s256.run}
      qrels: qrels.txt
      run_ids: document        # or chunk, for ids such as doc7#3

    \b
    Examples:
      chunkgap score --config runs.yaml
      chunkgap score --config runs.yaml --primary recall@10 --out results/
    """
    from chunkgap.cli.finish import finish
    from chunkgap.cli.watching import watching
    from chunkgap.config import load_settings
    from chunkgap.scoring_runs import score

    settings = load_settings(
        config, {"qrels": qrels, "primary": primary, "cutoffs": cutoffs, "out": out, "strict": strict}
    )
    with watching() as progress:
        measured = score(settings, progress=progress)
    finish(measured, settings, verbose=verbose)
