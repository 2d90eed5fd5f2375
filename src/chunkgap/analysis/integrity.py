"""Every hit belongs to its scale, its phase and its corpus: checked before anything is computed from it.

A run that was searched in an index of another build, or whose chunks were cut from another corpus, would give numbers
that look like any others. What is checked here cannot happen by a user's doing; a fault is one of chunkgap's own.
"""

from collections.abc import Sequence

import numpy as np

from chunkgap.analysis.runs import Run


def check_runs(runs: Sequence[Sequence[Run]], names: Sequence[str], *, documents: int, corpus: str) -> None:
    """Check every hit of every run.

    Args:
        runs: `[scale][phase]`.
        names: The scales that they should be of.
        documents: Documents in the corpus.
        corpus: Its digest.

    Raises:
        ValueError: A run is of another scale, phase or corpus, or a hit is not the chunk that it says it is.
    """
    for name, phases in zip(names, runs, strict=True):
        for phase, run in enumerate(phases):
            fault = _fault(run, name, phase, documents, corpus)
            if fault:
                raise ValueError(f"run of scale {name}, phase {phase}: {fault}")


def _fault(run: Run, name: str, phase: int, documents: int, corpus: str) -> str:
    """What is wrong with a run, empty when nothing is."""
    ranking = run.ranking
    present = ranking.document >= 0
    if run.scale != name:
        return f"it is of scale {run.scale}"
    if (ranking.document[present] >= documents).any():
        return "it names documents that the corpus does not have"
    if run.text is None:
        return ""
    table = run.text.table
    chunk = ranking.chunk[present]
    if (table.scale.name, table.phase, run.text.corpus) != (name, phase, corpus):
        return f"its chunks are of scale {table.scale.name}, phase {table.phase}, or of another corpus"
    if (chunk < 0).any() or (chunk >= len(table)).any():
        return "it names chunks that were not cut"
    same = np.array_equal(table.document[chunk], ranking.document[present])
    if not (same and np.array_equal(table.tokens[chunk], ranking.tokens[present])):
        return "its chunks are not those of its documents"
    return ""
