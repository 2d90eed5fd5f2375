"""What changed at one endpoint: paired differences with intervals and tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chunkgap.comparing.difference import Change, EndpointChanges
from chunkgap.comparing.pairing import Pairing, scale_names
from chunkgap.oracle import Floats, best_fixed, best_fixed_mean, oracle_gap
from chunkgap.results import Headroom, QueryScores, Results
from chunkgap.statistics import Draws, Resampling, holm, sign_flip


@dataclass(frozen=True, eq=False)
class _Side:
    """One measurement at one endpoint, over the paired queries that both define it for.

    Attributes:
        scales: `(W, Q)`.
        fusion: `(Q,)`, None where fusion has no such form.
    """

    names: Sequence[str]
    vectors: Sequence[int]
    scales: Floats
    fusion: Floats | None

    @property
    def best_fixed(self) -> int:
        """Row of the best fixed scale."""
        return best_fixed(self.scales, self.vectors)


def changes_at(
    a: Results, b: Results, name: str, primary: str, pairing: Pairing, draws: Draws
) -> EndpointChanges | None:
    """The changes at one endpoint, None where no paired query has the measure in both."""
    in_a, in_b = _scores(a.per_query.scores[name], pairing.a), _scores(b.per_query.scores[name], pairing.b)
    defined = np.isfinite(np.concatenate([in_a[0], in_b[0]])).all(axis=0)
    if not defined.any():
        return None
    sides = _side(a, in_a, defined), _side(b, in_b, defined)
    measure, _, cutoff = name.partition("@")
    return EndpointChanges(
        measure=measure,
        cutoff=cutoff,
        primary=name == primary,
        queries=int(defined.sum()),
        best_fixed=(sides[0].names[sides[0].best_fixed], sides[1].names[sides[1].best_fixed]),
        changes=(
            *_paired(*sides, draws.of(defined), draws.seed),
            _gap_change(*sides, draws.of(defined)),
            *_points(a.headroom_at(name), b.headroom_at(name)),
        ),
    )


def _scores(scores: QueryScores, rows: NDArray[np.intp]) -> tuple[Floats, Floats | None]:
    """Values of the scales `(W, Q)` and of fusion `(Q,)`, NaN where a query has none."""
    scales = np.array(scores.scales, dtype=np.float64)[:, rows]
    return scales, np.array(scores.fusion, dtype=np.float64)[rows] if scores.fusion else None


def _side(results: Results, scores: tuple[Floats, Floats | None], defined: NDArray[np.bool_]) -> _Side:
    scales, fusion = scores
    return _Side(
        names=scale_names(results),
        vectors=[scale.phases[0].vectors for scale in results.scales],
        scales=scales[:, defined],
        fusion=None if fusion is None else fusion[defined],
    )


def _paired(a: _Side, b: _Side, resampling: Resampling, seed: int) -> list[Change]:
    """What has a value for every query: common scales, the best fixed scale, fusion."""
    pairs = {
        name: (a.scales[a.names.index(name)], b.scales[b.names.index(name)])
        for name in a.names
        if name in b.names
    }
    pairs["best fixed"] = (a.scales[a.best_fixed], b.scales[b.best_fixed])
    if a.fusion is not None and b.fusion is not None:
        pairs["fusion"] = (a.fusion, b.fusion)
    differences = np.stack([after - before for before, after in pairs.values()])
    p_values = sign_flip(differences, resampling.clusters, resamples=resampling.resamples, seed=seed).tolist()
    intervals = resampling.intervals(resampling.mean(differences))
    changes = [
        Change(
            name=name,
            a=float(before.mean()),
            b=float(after.mean()),
            difference=interval,
            p=p,
            p_holm=corrected,
            better=int((after > before).sum()),
            worse=int((after < before).sum()),
        )
        for (name, (before, after)), interval, p, corrected in zip(
            pairs.items(), intervals, p_values, holm(p_values), strict=True
        )
    ]
    return [
        _chosen_anew(change, a, b, resampling) if change.name == "best fixed" else change
        for change in changes
    ]


def _chosen_anew(change: Change, a: _Side, b: _Side, resampling: Resampling) -> Change:
    """The change of the best fixed scale, with both scales chosen anew in every resample."""
    difference = best_fixed_mean(b.scales, resampling) - best_fixed_mean(a.scales, resampling)
    return replace(change, difference=resampling.interval(difference))


def _gap_change(a: _Side, b: _Side, resampling: Resampling) -> Change:
    difference = oracle_gap(b.scales, resampling) - oracle_gap(a.scales, resampling)
    return Change(
        "oracle gap",
        float(oracle_gap(a.scales)),
        float(oracle_gap(b.scales)),
        resampling.interval(difference),
    )


def _points(a: Headroom | None, b: Headroom | None) -> Iterator[Change]:
    """What needs several phases, of which results keep no value per query: points alone."""
    if a is None or b is None:
        return
    for name, before, after in (
        ("reproducible gap", a.reproducible, b.reproducible),
        ("size excess", a.excess, b.excess),
    ):
        if before is not None and after is not None:
            yield Change(name, before.estimate, after.estimate, None)
