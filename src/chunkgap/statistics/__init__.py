"""What keeps the numbers honest: clusters of queries, the paired bootstrap, randomisation tests, power."""

from chunkgap.statistics.clusters import cluster_folds, query_clusters
from chunkgap.statistics.correlation import rank_correlation
from chunkgap.statistics.draws import Draws
from chunkgap.statistics.gains import Gain, gains, gap_closed
from chunkgap.statistics.headroom import Corrected, HeadroomIntervals, headroom
from chunkgap.statistics.power import Power, power, standard_error
from chunkgap.statistics.randomisation import holm, sign_flip
from chunkgap.statistics.resampling import Method, Resampling

__all__ = [
    "Corrected",
    "Draws",
    "Gain",
    "HeadroomIntervals",
    "Method",
    "Power",
    "Resampling",
    "cluster_folds",
    "gains",
    "gap_closed",
    "headroom",
    "holm",
    "power",
    "query_clusters",
    "rank_correlation",
    "sign_flip",
    "standard_error",
]
