"""Routers learn from the other folds, and only from them."""

import numpy as np
import pytest

from chunkgap import router
from chunkgap.oracle import oracle_mean
from chunkgap.router import logistic_regression, nearest_neighbours

ROUTERS = [nearest_neighbours, logistic_regression]


@pytest.fixture
def two_kinds():
    """Queries of two kinds, told apart by their vector; each scale serves one kind."""
    generator = np.random.default_rng(0)
    kind = np.arange(80) % 2
    vectors = generator.normal(size=(80, 8)).astype(np.float32) * 0.1
    vectors[np.arange(80), kind] += 1
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, np.stack([kind == 0, kind == 1]).astype(float), np.arange(80) // 4 % 5


@pytest.mark.parametrize("route", ROUTERS)
def test_a_router_finds_what_the_query_tells(route, two_kinds):
    queries, scores, folds = two_kinds
    assert route(queries, scores, folds, [2, 1]).mean() == oracle_mean(scores)


@pytest.mark.parametrize("route", ROUTERS)
def test_a_router_wins_nothing_where_the_query_tells_nothing(route, two_kinds):
    queries, scores, folds = two_kinds
    shuffled = scores[:, np.random.default_rng(1).permutation(80)]
    assert route(queries, shuffled, folds, [2, 1]).mean() < 0.7


@pytest.mark.parametrize("route", ROUTERS)
def test_the_held_out_fold_teaches_nothing(route, two_kinds):
    queries, scores, folds = two_kinds
    lying = scores.copy()
    lying[:, folds == 0] = 1 - lying[:, folds == 0]
    # the other folds say the opposite of what fold 0 needs, so that every choice in it is wrong
    assert route(queries, lying, folds, [2, 1])[folds == 0].max() == 0


@pytest.mark.parametrize("route", ROUTERS)
def test_a_score_is_always_that_of_some_scale(route, two_kinds):
    queries, scores, folds = two_kinds
    graded = scores * np.linspace(0.1, 1, 80)
    routed = route(queries, graded, folds, [2, 1])
    assert np.all((routed == graded[0]) | (routed == graded[1]))


@pytest.mark.parametrize("route", ROUTERS)
def test_the_same_input_routes_the_same_way(route, two_kinds):
    queries, scores, folds = two_kinds
    assert np.array_equal(route(queries, scores, folds, [2, 1]), route(queries, scores, folds, [2, 1]))


@pytest.mark.parametrize("route", ROUTERS)
def test_scales_that_tie_everywhere_fall_to_fewer_vectors(route, two_kinds):
    queries, scores, folds = two_kinds
    tied = np.stack([scores[0], scores[0], scores[0]])
    assert np.array_equal(route(queries, tied, folds, [3, 1, 2]), scores[0])


@pytest.mark.parametrize("route", ROUTERS)
def test_one_fold_leaves_nothing_to_learn_from(route, two_kinds):
    queries, scores, _ = two_kinds
    assert np.array_equal(route(queries, scores, np.zeros(80, dtype=int), [2, 1]), scores[1])


@pytest.mark.parametrize("route", ROUTERS)
def test_queries_that_no_scale_serves_are_no_obstacle(route, two_kinds):
    queries, scores, folds = two_kinds
    assert route(queries, np.zeros_like(scores), folds, [2, 1]).max() == 0
    only = scores.copy()
    only[1] = 0
    assert route(queries, only, folds, [2, 1]).mean() == only[0].mean()


def test_a_query_counts_for_every_scale_that_serves_it(two_kinds):
    queries, scores, folds = two_kinds
    half = np.stack([np.full(80, 0.5), scores[1]])  # scale 0 gives half to all, scale 1 all to one kind
    routed = nearest_neighbours(queries, half, folds, [2, 1])
    assert routed.mean() == (0.5 + 1.0) / 2


@pytest.fixture
def graded():
    """Sixty training queries, three scales with grades between 0 and 1, and forty new queries."""
    generator = np.random.default_rng(2)
    vectors = generator.normal(size=(100, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = generator.integers(0, 5, (3, 60)) / 4
    scores[:, :5] = 0  # served by no scale
    return vectors[:60], scores, vectors[60:]


def test_the_probabilities_are_those_of_scikit_learn(graded):
    from sklearn.linear_model import LogisticRegression

    train, scores, new = graded
    scale, query = np.nonzero(
        scores
    )  # scikit-learn has no soft targets: a weighted row for each share instead
    shares = scores[scale, query] / scores.sum(axis=0)[query]
    model = LogisticRegression(solver="newton-cg", tol=1e-10).fit(
        train[query].astype(float), scale, sample_weight=shares
    )
    found = router._logistic_probabilities(train, scores, new)
    assert found == pytest.approx(model.predict_proba(new), abs=1e-6)


def test_the_probabilities_are_those_of_scikit_learn_where_one_scale_serves_nearly_all(graded):
    from sklearn.linear_model import LogisticRegression

    train, _, new = graded
    served = np.zeros((3, 60))
    served[0] = 1
    served[:, :2] = [[0, 0], [1, 0], [0, 1]]
    model = LogisticRegression(solver="newton-cg", tol=1e-10).fit(train.astype(float), served.argmax(axis=0))
    found = router._logistic_probabilities(train, served, new)
    assert found == pytest.approx(model.predict_proba(new), abs=1e-6)


def test_queries_without_a_vector_are_routed_by_how_often_each_scale_serves(graded):
    train, scores, new = graded
    found = router._logistic_probabilities(np.zeros_like(train), scores, np.zeros_like(new))
    taught = scores[:, scores.any(axis=0)]
    assert found[0] == pytest.approx((taught / taught.sum(axis=0)).mean(axis=1), abs=1e-6)


def test_a_scale_that_serves_nobody_has_no_probability(graded):
    train, scores, new = graded
    scores[1] = 0
    found = router._logistic_probabilities(train, scores, new)
    assert found[:, 1].max() == 0
    assert found.sum(axis=1) == pytest.approx(np.ones(40))


def test_the_neighbours_are_those_of_scikit_learn(graded):
    from sklearn.neighbors import KNeighborsRegressor

    train, scores, new = graded
    model = KNeighborsRegressor(n_neighbors=router.NEIGHBOURS, metric="cosine", algorithm="brute")
    found = router._neighbour_means(train, scores, new)
    assert found == pytest.approx(model.fit(train, scores.T).predict(new))


def test_copies_of_a_query_are_equally_near_in_any_order():
    generator = np.random.default_rng(5)
    vectors = generator.normal(size=(12, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    train = np.repeat(vectors, 5, axis=0)  # the last of 15 neighbours has copies beyond it
    scores, new = generator.random((2, 60)), generator.normal(size=(40, 384)).astype(np.float32)
    new /= np.linalg.norm(new, axis=1, keepdims=True)
    found = router._neighbour_means(train, scores, new)
    for _ in range(5):
        other = generator.permutation(60)
        assert router._neighbour_means(train[other], scores[:, other], new) == pytest.approx(found, abs=1e-12)


def test_all_neighbours_as_near_as_the_last_count():
    train = np.tile(np.float32([[1, 0]]), (router.NEIGHBOURS + 1, 1))  # one more than are asked for
    scores = np.zeros((1, len(train)))
    scores[0, 0] = 1
    assert router._neighbour_means(train, scores, train[:1])[0, 0] == 1 / (router.NEIGHBOURS + 1)
