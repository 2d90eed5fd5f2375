"""What a set of queries can detect, before anything is measured."""

import math
from dataclasses import dataclass

import numpy as np

from chunkgap.datasets.validation import LabelledQueries
from chunkgap.statistics.clusters import query_clusters
from chunkgap.statistics.power import Power, power

DISCORDANT = 0.2
"""Share of queries on which two runs are taken to differ; between sizes far apart it is seldom more."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The smallest differences between two runs that would be found in 80% of such query sets, at 5%.

    Attributes:
        queries: Queries that take part.
        clusters: Groups of queries with a relevant document in common.
        discordant: Share of queries on which the two runs are taken to differ.
        detectable: Where every query counts by itself; None with one query.
        detectable_clustered: Where the queries of a cluster all behave alike; None with one cluster.
        min_gain: The difference that would matter.
        queries_needed: Queries, each counting by itself, that would find `min_gain`; None with one query, or
            where it is 0.
    """

    queries: int
    clusters: int
    discordant: float
    detectable: float | None
    detectable_clustered: float | None
    min_gain: float
    queries_needed: int | None


def detection(labelled: LabelledQueries, *, min_gain: float, discordant: float = DISCORDANT) -> Detection:
    """Say what the queries can detect.

    For a paired 0/1 measure the difference of a query is -1, 0 or 1. With a share s of queries at -1 or 1 its
    variance is at most s, so the mean over n queries has a standard error of at most sqrt(s / n), and a
    difference of (t(n - 1, 97.5%) + z(80%)) * sqrt(s / n) is found in 80% of cases. The truth lies between
    n = queries and n = clusters.

    Args:
        labelled: The queries.
        min_gain: The difference that would matter.
        discordant: The share s, above 0.
    """
    grades = [query.relevant.items() for query in labelled.evaluated]
    relevant = [[doc_id for doc_id, grade in judged if grade > 0] for judged in grades]
    queries, clusters = len(relevant), len(np.unique(query_clusters(relevant)))
    alone, together = _power(queries, discordant, min_gain), _power(clusters, discordant, min_gain)
    return Detection(
        queries=queries,
        clusters=clusters,
        discordant=discordant,
        detectable=min(alone.detectable, 1.0) if alone else None,
        detectable_clustered=min(together.detectable, 1.0) if together else None,
        min_gain=min_gain,
        queries_needed=alone.queries_needed if alone and min_gain else None,
    )


def _power(units: int, discordant: float, min_gain: float) -> Power | None:
    """What so many independent units see; None for one alone."""
    if units < 2:
        return None
    return power(math.sqrt(discordant / units), units, units, min_gain=min_gain or 1.0)
