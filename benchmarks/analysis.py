"""Time and memory of the whole analysis of a large measurement: at most 10 seconds and 2 GB on two cores.

    python benchmarks/analysis.py

2,000 queries, each a cluster of its own (the slowest case), 6 scales, 2 phases, 5 cutoffs, 10,000 resamples:
every statistic of headroom, and six runs compared with the best fixed scale.
"""

import resource
import sys
import time

import numpy as np
from numpy.typing import NDArray

from chunkgap.statistics import Resampling, cluster_folds, gains, headroom

QUERIES, SCALES, PHASES, CUTOFFS, RUNS, RESAMPLES = 2_000, 6, 2, 5, 6, 10_000


def simulated_recall(generator: np.random.Generator, cutoff: int) -> NDArray[np.float64]:
    """Recall of two relevant documents a query, `(scales, phases, queries)`, higher at higher cutoffs."""
    difficulty = 3 * generator.normal(size=QUERIES) + generator.normal(size=(SCALES, QUERIES))
    found = 1 / (1 + np.exp(-difficulty - 0.3 * cutoff))
    return np.asarray(generator.binomial(2, found[:, None], (SCALES, PHASES, QUERIES)) / 2)


def main() -> None:
    """Run the analysis once, and say what it took."""
    generator = np.random.default_rng(0)
    cutoffs = [simulated_recall(generator, cutoff) for cutoff in range(CUTOFFS)]
    vectors = list(range(SCALES, 0, -1))
    clusters = np.arange(QUERIES)
    start, processor = time.perf_counter(), time.process_time()
    resampling, folds = Resampling.draw(clusters, resamples=RESAMPLES), cluster_folds(clusters)
    for scores in cutoffs:
        runs = {f"run {row}": scores[row % SCALES, 1] for row in range(RUNS)}
        headroom(scores, vectors, resampling)
        gains(runs, scores[:, 0], vectors, folds, resampling, min_gain=0.02)
    seconds, busy = time.perf_counter() - start, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"analysis: {seconds:.1f} s, {busy:.1f} CPU seconds, peak {peak:,.0f} MB\n")


if __name__ == "__main__":
    main()
