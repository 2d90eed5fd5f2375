"""The rows that fuse, all from the same retrieved lists: the presets of reciprocal rank fusion, and controls."""

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.budget import pack, score_packed
from chunkgap.analysis.offers import Offers
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels
from chunkgap.analysis.scores import score_fused
from chunkgap.fusion import PRESETS, Fusion, Reach, comb_sum, complete, fuse_lists, pooled_best
from chunkgap.measures.retrieved import Retrieved
from chunkgap.ranking import Cutoff, DocumentRanking, lists_twice, truncate

VOTES_WITHIN = "votes within best fixed"
PHASES_OF = "phases of best fixed"
MATCHED = "matched phases of best fixed"
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
        offers: The chunks of the runs it was fused from, which fill a token budget.
        vectors: Vectors of the indexes behind these runs: the price.
    """

    kind: Literal["fusion", "control"]
    name: str
    ranking: DocumentRanking
    offers: Offers
    vectors: int
    _packed: dict[int, Retrieved] = field(default_factory=dict, repr=False)

    def score(self, measure: str, cutoff: Cutoff, labels: Labels) -> NDArray[np.float64] | None:
        """One measure, shape (Q,); None where a fused ranking does not have it."""
        if cutoff.unit == "tokens" and self.offers.have_text:
            return score_packed(measure, cutoff, self._fill(cutoff.amount), labels)
        return score_fused(measure, cutoff, self.ranking, labels)

    def _fill(self, budget: int) -> Retrieved:
        """The chunks in a token budget, packed once for all measures."""
        if budget not in self._packed:
            self._packed[budget] = pack(self.offers, self.ranking, budget)
        return self._packed[budget]


def presets(main: Fusion) -> tuple[Fusion, ...]:
    """All presets, and the main rule where it is none of them; the main one first."""
    return (main, *(preset for preset in PRESETS.values() if preset.name != main.name))


def fuse_scales(retrieval: Retrieval, main: Fusion, reach: Reach) -> tuple[Fused, ...]:
    """Fuse all scales by every preset.

    Args:
        retrieval: Phase 0 of each scale is fused.
        main: The rule of the primary endpoint; it comes first.
        reach: How much of each list is fused.
    """
    offers, vectors = retrieval.offers, sum(retrieval.vectors)
    return tuple(_by_rule("fusion", rule.name, offers, rule, reach, vectors) for rule in presets(main))


def packed_alone(retrieval: Retrieval) -> tuple[Fused, ...]:
    """Each scale alone as a ranking of documents: under a token budget, what fusion is held against."""
    return tuple(
        Fused("control", name, run.documents, Offers([run]), vectors)
        for name, run, vectors in zip(retrieval.names, retrieval.first, retrieval.vectors, strict=True)
    )


def controls(retrieval: Retrieval, best_fixed: int, main: Fusion, reach: Reach) -> tuple[Fused, ...]:
    """What fusion over scales is to be compared with.

    - voting within the best fixed scale: what voting wins without a second scale; not where no document is listed
      twice, as in runs of documents, and votes have nothing to add up;
    - the same over as many chunks as fusion reads in all scales together, where `deeper` holds them;
    - fusion over the phases of the best fixed scale: what more vectors win without a second scale; over as many phases
      as there are scales where `matched` holds them, which costs about what fusion over scales costs or more;
    - CombSUM and the best score over all scales: other ways to fuse the same lists.

    Args:
        retrieval: The runs.
        best_fixed: Row of the best fixed scale.
        main: The rule of the primary endpoint.
        reach: How much of each list is fused.
    """
    fixed, scale = retrieval.runs[best_fixed], retrieval.scales[best_fixed]
    one = retrieval.vectors[best_fixed]
    made = []
    if lists_twice(fixed[0].ranking):
        made.append(_by_rule("control", VOTES_WITHIN, Offers(fixed[:1]), main, reach, one))
    if retrieval.deeper is not None:
        deeper = replace(reach, depth=reach.depth * len(retrieval.runs))
        made.append(_by_rule("control", DEEPER, Offers([retrieval.deeper]), main, deeper, one))
    if len(fixed) > 1:
        all_phases = sum(phase.vectors for phase in scale.phases)
        made.append(_by_rule("control", PHASES_OF, Offers(fixed), main, reach, all_phases))
    if retrieval.matched:
        matched = sum(run.vectors for run in retrieval.matched)
        made.append(_by_rule("control", MATCHED, Offers(retrieval.matched), main, reach, matched))
    if len(retrieval.runs) > 1:
        offers, vectors = retrieval.offers, sum(retrieval.vectors)
        lists = [run.ranking for run in offers.runs]
        voting = [truncate(ranking, reach.depth) for ranking in lists]
        for name, ranking in ((COMB_SUM, comb_sum(voting)), (POOLED, pooled_best(voting))):
            made.append(Fused("control", name, complete(ranking, lists, reach.documents), offers, vectors))
    return tuple(made)


def _by_rule(
    kind: Literal["fusion", "control"], name: str, offers: Offers, rule: Fusion, reach: Reach, vectors: int
) -> Fused:
    ranking = fuse_lists([run.ranking for run in offers.runs], rule, reach)
    return Fused(kind, name, ranking, offers, vectors)
