"""A hit of another scale, phase, corpus or chunk table never passes."""

from dataclasses import replace

import numpy as np
import pytest

from chunkgap.analysis.integrity import check_runs
from chunkgap.analysis.runs import Run

from .made_up_retrieval import retrieval_of, text_of, text_run

TEXTS = ["aaaabbbb", "cccc"]
TEXT = replace(text_of(TEXTS, 4), corpus="this")
RUN = text_run(TEXT, [[(0, 0.9), (2, 0.8)]])


def check(run: Run, *, name: str = "4", corpus: str = "this") -> None:
    check_runs([[run]], [name], documents=2, corpus=corpus)


def test_a_sound_run_passes() -> None:
    check(RUN)
    check_runs(retrieval_of([[[1]]]).runs, ["50"], documents=1000, corpus="any")


@pytest.mark.parametrize(
    ("run", "fault"),
    [
        (replace(RUN, scale="8"), "it is of scale 8"),
        (replace(RUN, text=replace(TEXT, corpus="another")), "another corpus"),
        (replace(RUN, text=text_of(TEXTS, 2, "2")), "scale 2"),
        (replace(RUN, text=replace(TEXT, table=replace(TEXT.table, phase=1))), "phase 1"),
        (replace(RUN, ranking=replace(RUN.ranking, chunk=RUN.ranking.chunk + 1)), "not cut"),
        (replace(RUN, ranking=replace(RUN.ranking, chunk=np.array([[0, 1]]))), "not those of its documents"),
        (
            replace(RUN, ranking=replace(RUN.ranking, tokens=RUN.ranking.tokens + 1)),
            "not those of its documents",
        ),
        (replace(RUN, ranking=replace(RUN.ranking, document=np.array([[0, 7]]))), "does not have"),
    ],
)
def test_a_run_that_is_not_what_it_should_be_is_refused(run: Run, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check(run)
