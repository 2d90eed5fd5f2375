"""Which scale wins a query, and what the best fixed scale loses."""

from chunkgap.analysis.queries import count_wins, find_losses, per_query

from .made_up_retrieval import endpoint_of, fused_of, retrieval_of

# recall@1 by hand: 50: q0 q2; 100: q1 q2; q3 nowhere
RANKS = [[[1, 3, 1, 0]], [[0, 1, 1, 2]]]


def test_wins_tell_alone_tied_and_none_apart() -> None:
    retrieval = retrieval_of(RANKS)
    wins = count_wins(endpoint_of(retrieval), retrieval.names)
    assert (dict(wins.alone), wins.tied, wins.none) == ({"50": 1, "100": 1}, 1, 1)


def test_a_single_scale_wins_only_what_it_finds() -> None:
    retrieval = retrieval_of([[[1, 3, 0, 1]]])
    wins = count_wins(endpoint_of(retrieval), retrieval.names)
    assert (dict(wins.alone), wins.tied, wins.none) == ({"50": 2}, 0, 2)


def test_losses_of_the_best_fixed_scale_come_strongest_first() -> None:
    retrieval = retrieval_of([[[1, 3, 5, 0]], [[1, 1, 1, 2]], [[0, 0, 2, 0]]])
    endpoint = endpoint_of(retrieval)
    answered = per_query([endpoint], retrieval, fused_of(retrieval)[0], endpoint.draws.clusters)
    losses = find_losses(endpoint, answered, retrieval.names, best_fixed=0)
    assert [(loss.query_id, loss.scale, loss.best_fixed_rank, loss.rank) for loss in losses] == [
        ("q2", "100", 5, 1),
        ("q1", "100", 3, 1),
    ]


def test_per_query_ranks_are_of_the_first_relevant_document() -> None:
    retrieval = retrieval_of(RANKS)
    endpoint = endpoint_of(retrieval)
    answered = per_query([endpoint], retrieval, fused_of(retrieval)[0], endpoint.draws.clusters)
    assert answered.ranks == ((1, 3, 1, None), (None, 1, 1, 2))
    assert answered.scores["recall@1"].scales == ((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 1.0, 0.0))
