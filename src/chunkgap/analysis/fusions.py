"""The rows that fuse, all from the same retrieved lists: the presets of reciprocal rank fusion, and controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.budget import pack, score_packed
from chunkgap.analysis.runs import Labels, Run
from chunkgap.analysis.scores import score_fused
from chunkgap.fusion import PRESETS, Fusion, comb_sum, pooled_best, reciprocal_rank_fusion
from chunkgap.ranking import Cutoff, DocumentRanking, Ranking, truncate

VOTES_WITHIN = "votes within best fixed"
PHASES_OF = "phases of best fixed"
DEEPER = "votes within best fixed, deeper"
COMB_SUM = "CombSUM (z-scores)"
POOLED = "best score of any scale"


@dataclass(frozen=True, eq=False)
class Fused:
    """A fused ranking as a row of the tables.

    Attributes:
        kind: `fusion` for a preset over all scales, `control` for what it is to be compared with.
        name: What tables call it.
        ranking: The fused documents.
        runs: The runs it was fused from, whose chunks fill a token budget.
    """

    kind: Literal["fusion", "control"]
    name: str
    ranking: DocumentRanking
    runs: Sequence[Run]

    def score(self, measure: str, cutoff: Cutoff, labels: Labels) -> NDArray[np.float64] | None:
        """One measure, shape (Q,); None where a fused ranking does not have it."""
        if cutoff.unit == "tokens" and all(run.text is not None for run in self.runs):
            return score_packed(measure, cutoff, pack(self.runs, self.ranking, cutoff.amount), labels)
        return score_fused(measure, cutoff, self.ranking, labels)


def presets(main: Fusion) -> tuple[Fusion, ...]:
    """All presets, and the main rule where it is none of them; the main one first."""
    return (main, *(preset for preset in PRESETS.values() if preset.name != main.name))


def fuse_scales(runs: Sequence[Run], main: Fusion, *, depth: int) -> tuple[Fused, ...]:
    """Fuse all scales by every preset.

    Args:
        runs: Phase 0 of each scale.
        main: The rule of the primary endpoint; it comes first.
        depth: Chunks of each list that vote; what a cutoff made a list longer does not.
    """
    voting = _voting(runs, depth)
    return tuple(
        Fused("fusion", rule.name, reciprocal_rank_fusion(voting, rrf_k=rule.rrf_k, votes=rule.votes), runs)
        for rule in presets(main)
    )


def controls(
    runs: Sequence[Sequence[Run]], best_fixed: int, main: Fusion, *, depth: int, deeper: Run | None = None
) -> tuple[Fused, ...]:
    """What fusion over scales is to be compared with.

    - voting within the best fixed scale: what voting wins without a second scale;
    - the same over as many chunks as fusion reads in all scales together, where `deeper` holds them;
    - fusion over the phases of the best fixed scale: what more vectors win without a second scale;
    - CombSUM and the best score over all scales: other ways to fuse the same lists.

    Args:
        runs: `[scale][phase]`.
        best_fixed: Row of the best fixed scale.
        main: The rule of the primary endpoint.
        depth: Chunks of each list that vote.
        deeper: The best fixed scale's longer list.
    """
    first = [phases[0] for phases in runs]
    fixed = runs[best_fixed]

    def by_rule(name: str, fused: Sequence[Run], lists: Sequence[Ranking]) -> Fused:
        ranking = reciprocal_rank_fusion(lists, rrf_k=main.rrf_k, votes=main.votes)
        return Fused("control", name, ranking, fused)

    made = [by_rule(VOTES_WITHIN, fixed[:1], _voting(fixed[:1], depth))]
    if deeper is not None:
        made.append(by_rule(DEEPER, [deeper], _voting([deeper], depth * len(runs))))
    if len(fixed) > 1:
        made.append(by_rule(PHASES_OF, fixed, _voting(fixed, depth)))
    if len(runs) > 1:
        voting = _voting(first, depth)
        made.append(Fused("control", COMB_SUM, comb_sum(voting), first))
        made.append(Fused("control", POOLED, pooled_best(voting), first))
    return tuple(made)


def _voting(runs: Sequence[Run], depth: int) -> list[Ranking]:
    return [truncate(run.ranking, depth) for run in runs]
