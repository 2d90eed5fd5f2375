"""Simulated corpora whose truth is known: what the statistics claim wrongly, cover, and find.

    python benchmarks/simulate.py [--quick] [--corpora 400] [--resamples 1000] [--only "Power"]

Works on scores alone, no text. Every query has a latent probability of being found at each scale, made of the
difficulty of its document and its own, and of a preference for small or large windows (the planted effect).
Each phase of a scale is one draw from that probability, 0 or 1, so that all else is luck. The tables printed
are those of docs/statistics.md.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chunkgap.decision import decide, judge_headroom
from chunkgap.oracle import cross_fitted, cross_fitted_scores, oracle_gap, reproducible_gap
from chunkgap.records import Interval
from chunkgap.size_excess import interaction, pair_oracles, size_excess
from chunkgap.statistics import Method, Resampling, cluster_folds, sign_flip
from chunkgap.statistics.power import detection_probability

Floats = NDArray[np.float64]

METHODS: tuple[Method, ...] = ("standard", "percentile", "bca")
VECTORS = (16, 8, 4, 2, 1)  # of the scales, the finest first
QUERIES_PER_CLUSTER = 5
MIN_GAIN, STORAGE, MAX_STORAGE = 0.02, 4.0, 5.0
NOISE = {"high": 2.0, "middle": 4.0, "low": 6.0}
"""Spread of the difficulty on the logit scale: the narrower, the more of a query's outcome is luck."""


@dataclass(frozen=True)
class World:
    """One kind of corpus.

    Attributes:
        queries: Queries, about five to a document.
        noise: Key of `NOISE`.
        scales: Sizes under test.
        phases: Placements of each.
        preference: Strength of the preference for small or large windows, on the logit scale; 0: no effect.
        reach: Share of queries for which fusion finds what any scale finds; elsewhere it finds what a scale
            drawn at random finds.
    """

    queries: int
    noise: str
    scales: int = 4
    phases: int = 2
    preference: float = 0.0
    reach: float = 0.0


@dataclass(frozen=True)
class Corpus:
    """A simulated corpus.

    Attributes:
        scores: `(scales, phases, queries)`, 0 or 1.
        fused: `(queries,)`.
        latent: The expectation of the scores, `(scales, queries)`.
        clusters: Document of each query.
        vectors: Vectors of each scale.
    """

    scores: Floats
    fused: Floats
    latent: Floats
    clusters: NDArray[np.intp]
    vectors: Sequence[int]


@dataclass(frozen=True)
class Findings:
    """What chunkgap says about one corpus, by one kind of interval."""

    clusters: int
    raw_gap: Interval
    size_excess: Interval
    interaction: Interval
    reproducible_gap: Interval
    gain: Interval

    @property
    def claims_headroom(self) -> bool:
        """Whether the headroom verdict claims that size is query-dependent."""
        return (
            judge_headroom(self.interaction, self.size_excess, clusters=self.clusters).query_dependent is True
        )

    @property
    def says_go(self) -> bool:
        """Whether the verdict is `go`."""
        verdict = decide(
            self.gain,
            storage=STORAGE,
            queries=1,
            clusters=self.clusters,
            min_gain=MIN_GAIN,
            max_storage=MAX_STORAGE,
        )
        return verdict.outcome == "go"


@dataclass(frozen=True)
class Analysis:
    """One corpus analysed: findings by kind of interval, the gain's standard error and p value."""

    findings: dict[Method, Findings]
    latent_gap: float
    standard_error: float
    p_value: float


def simulate(world: World, generator: np.random.Generator) -> Corpus:
    """Draw a corpus: difficulty and preference belong half to the document, half to the query."""
    documents = max(2, world.queries // QUERIES_PER_CLUSTER)
    clusters = np.sort(generator.integers(0, documents, world.queries))

    def trait() -> Floats:
        of_document, of_query = generator.normal(size=documents), generator.normal(size=world.queries)
        return np.asarray((of_document[clusters] + of_query) / np.sqrt(2))

    position = np.linspace(-1, 1, world.scales)[:, None]
    logit = 0.5 + NOISE[world.noise] * trait() + world.preference * trait() * position
    latent = 1 / (1 + np.exp(-logit))
    draws = generator.random((world.scales, world.phases, world.queries))
    scores = (draws < latent[:, None]).astype(np.float64)
    any_scale = generator.integers(0, world.scales, world.queries)
    copied = scores[any_scale, 0, np.arange(world.queries)]
    reaches = generator.random(world.queries) < world.reach
    fused = np.where(reaches, scores[:, 0].max(axis=0), copied)
    return Corpus(scores, fused, latent, clusters, VECTORS[-world.scales :])


def analyse(corpus: Corpus, *, resamples: int, seed: int) -> Analysis:
    """What chunkgap says about a corpus, by every kind of interval from the same resamples."""
    first, folds, vectors = corpus.scores[:, 0], cluster_folds(corpus.clusters), corpus.vectors
    drawn = Resampling.draw(corpus.clusters, resamples=resamples, seed=seed, method="bca")
    values = (
        oracle_gap(first, drawn),
        size_excess(pair_oracles(corpus.scores, drawn)),
        interaction(corpus.scores, drawn),
        reproducible_gap(corpus.scores, vectors, drawn),
        drawn.mean(corpus.fused) - cross_fitted(first, folds, vectors, drawn),
    )
    kinds = {method: replace(drawn, method=method) for method in METHODS}
    difference = corpus.fused - cross_fitted_scores(first, folds, vectors)
    return Analysis(
        findings={
            method: Findings(kind.count, *map(kind.interval, values)) for method, kind in kinds.items()
        },
        latent_gap=float(oracle_gap(corpus.latent)),
        standard_error=drawn.standard_error(values[-1]),
        p_value=float(sign_flip(difference, corpus.clusters, resamples=resamples, seed=seed)[0]),
    )


def latent_gap(world: World) -> float:
    """The oracle gap of the latent probabilities, from one corpus of 100,000 queries."""
    latent = _large(world).latent
    return float(oracle_gap(latent))


def latent_excess(world: World) -> float:
    """The size excess of the latent probabilities: half their mean squared difference."""
    latent = _large(world).latent
    squares = ((latent[:, None] - latent) ** 2).mean(axis=-1)
    return float(squares.sum() / (world.scales * (world.scales - 1)) / 2)


def plant(world: World, truth: Callable[[World], float], target: float) -> World:
    """The world whose `truth` is the target, its preference found by bisection."""
    low, high = 0.0, 40.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if truth(replace(world, preference=middle)) < target else (low, middle)
    return replace(world, preference=low)


def without_effect(corpora: int, resamples: int) -> Iterator[str]:
    """Claims made where size has no effect."""
    columns = ("noise", "phases", "queries", "raw gap", "size excess", "interaction", "reproducible gap")
    yield _row(*columns, "headroom", "go")
    yield _row(*["---"] * 9)
    worlds = [
        World(queries, noise, phases=phases)
        for noise in NOISE
        for phases in (2, 3)
        for queries in (30, 100, 300)
    ]
    for world in worlds:
        analyses = _repeat(world, corpora, resamples)
        names = ("raw_gap", "size_excess", "interaction", "reproducible_gap")
        centres = [_centre(analyses, name) for name in names]
        claims = (_share(analyses, lambda f: f.claims_headroom), _share(analyses, lambda f: f.says_go))
        yield _row(world.noise, world.phases, world.queries, *centres, *claims)


def planted_gap(corpora: int, resamples: int) -> Iterator[str]:
    """Coverage where size has an effect, and fusion wins half of what the oracle does."""
    columns = ("noise", "latent gap", "queries", "raw gap", "reproducible gap", "covered", "gain", "covered")
    yield _row(*columns, "bracket holds")
    yield _row(*["---"] * 9)
    for noise in NOISE:
        for target in (0.05, 0.1, 0.2):
            world = plant(World(100, noise, reach=0.5), latent_gap, target)
            for queries in (100, 300):
                yield _coverage_row(replace(world, queries=queries), target, corpora, resamples)


def planted_excess(corpora: int, resamples: int) -> Iterator[str]:
    """How often a size excess is found, beside the reproducible gap of the same corpora."""
    columns = ("noise", "size excess", "queries", "phases", "excess found", "interaction found")
    yield _row(*columns, "reproducible gap found")
    yield _row(*["---"] * 7)
    for noise in NOISE:
        for target, queries in ((0.016, 300), (0.05, 100)):
            planted = plant(World(queries, noise), latent_excess, target)
            for phases in (2, 3):
                analyses = _repeat(replace(planted, phases=phases), corpora, resamples)
                shares = (
                    _share(analyses, lambda f: f.size_excess.low > 0),
                    _share(analyses, lambda f: f.interaction.low > 0),
                    _share(analyses, lambda f: f.reproducible_gap.low > 0),
                )
                yield _row(noise, target, queries, phases, *shares)


def power_check(corpora: int, resamples: int) -> Iterator[str]:
    """The power printed against the power found: the share of gains whose interval lies above 0."""
    yield _row("noise", "queries", "gain", "power printed", "found", "difference", "sign flips: p < 0.05")
    yield _row(*["---"] * 7)
    for noise in NOISE:
        for queries in (100, 300):
            for reach in (0.2, 0.4, 0.7):
                yield _power_row(World(queries, noise, preference=1.0, reach=reach), corpora, resamples)


def _repeat(world: World, corpora: int, resamples: int) -> list[Analysis]:
    generator = np.random.default_rng(0)
    return [analyse(simulate(world, generator), resamples=resamples, seed=seed) for seed in range(corpora)]


def _large(world: World) -> Corpus:
    return simulate(replace(world, queries=100_000), np.random.default_rng(1))


def _expected(world: World, corpora: int) -> tuple[float, float]:
    """Expectations of the reproducible gap and of the cross-fitted gain, from corpora of their own."""
    generator = np.random.default_rng(2)
    estimates = []
    for _ in range(corpora):
        corpus = simulate(world, generator)
        folds = cluster_folds(corpus.clusters)
        fixed = cross_fitted_scores(corpus.scores[:, 0], folds, corpus.vectors)
        carried = reproducible_gap(corpus.scores, corpus.vectors)
        estimates.append((float(carried), float((corpus.fused - fixed).mean())))
    reproducible, gain = np.mean(estimates, axis=0)
    return float(reproducible), float(gain)


def _coverage_row(world: World, target: float, corpora: int, resamples: int) -> str:
    analyses = _repeat(world, corpora, resamples)
    reproducible, gain = _expected(world, 4 * corpora)
    holds = [_bracketed(one, one.latent_gap) for one in analyses]
    holds_population = [_bracketed(one, target) for one in analyses]
    return _row(
        world.noise,
        target,
        world.queries,
        _centre(analyses, "raw_gap"),
        f"{reproducible:.3f}",
        _share(analyses, lambda f: f.reproducible_gap.contains(reproducible)),
        f"{gain:.3f}",
        _share(analyses, lambda f: f.gain.contains(gain)),
        f"{np.mean(holds):.3f} / {np.mean(holds_population):.3f}",
    )


def _bracketed(one: Analysis, latent: float) -> bool:
    """Whether a latent gap lies between the ends of the bracket, by the standard interval."""
    findings = one.findings["standard"]
    return findings.reproducible_gap.low <= latent <= findings.raw_gap.high


def _power_row(world: World, corpora: int, resamples: int) -> str:
    analyses = _repeat(world, corpora, resamples)
    _, gain = _expected(world, 4 * corpora)
    clusters = world.queries // QUERIES_PER_CLUSTER
    printed = np.mean([detection_probability(gain, one.standard_error, clusters) for one in analyses])
    gains = [one.findings["standard"].gain for one in analyses]
    found = np.mean([interval.low > 0 for interval in gains])
    tested = [
        one.p_value < 0.05 and interval.estimate > 0 for one, interval in zip(analyses, gains, strict=True)
    ]
    texts = (
        f"{gain:.3f}",
        f"{printed:.2f}",
        f"{found:.2f}",
        f"{round(float(found - printed), 2) + 0.0:+.2f}",
        f"{np.mean(tested):.2f}",
    )
    return _row(world.noise, world.queries, *texts)


def _centre(analyses: Sequence[Analysis], name: str) -> str:
    """Mean of an estimate over corpora."""
    mean = float(np.mean([getattr(one.findings["standard"], name).estimate for one in analyses]))
    return f"{round(mean, 4) + 0.0:.4f}"  # no minus zero


def _share(analyses: Sequence[Analysis], holds: Callable[[Findings], bool]) -> str:
    """Share of corpora for which something holds, by kind of interval."""
    shares = [np.mean([holds(one.findings[method]) for one in analyses]) for method in METHODS]
    return " / ".join(f"{share:.3f}" for share in shares)


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


EXPERIMENTS: dict[str, Callable[[int, int], Iterable[str]]] = {
    "No effect of size": without_effect,
    "Planted gap": planted_gap,
    "Planted size excess": planted_excess,
    "Power": power_check,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=int, default=400, help="corpora for each row (default 400)")
    parser.add_argument("--resamples", type=int, default=1000, help="bootstrap resamples (default 1000)")
    parser.add_argument("--only", choices=list(EXPERIMENTS), help="one table instead of all")
    parser.add_argument("--quick", action="store_true", help="100 corpora, 400 resamples: a minute")
    options = parser.parse_args(arguments)
    corpora, resamples = (100, 400) if options.quick else (options.corpora, options.resamples)
    sys.stdout.write(f"{corpora} corpora a row, {resamples} resamples; shares: {' / '.join(METHODS)}\n")
    chosen = [options.only] if options.only else list(EXPERIMENTS)
    for title in chosen:
        sys.stdout.write(f"\n## {title}\n\n")
        for line in EXPERIMENTS[title](corpora, resamples):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
