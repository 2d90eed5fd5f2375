"""Spearman's rank correlation, by hand and beside SciPy's."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from chunkgap.statistics import rank_correlation


def test_ties_share_their_mean_rank():
    # ranks 1.5 1.5 3 and 1 2 3, from their mean 2: -.5 -.5 1 and -1 0 1; products .5 + 0 + 1, squares 1.5 and 2
    assert rank_correlation(np.array([4, 4, 9]), np.array([1, 2, 3])) == pytest.approx(1.5 / np.sqrt(1.5 * 2))


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_scipy_with_and_without_ties(seed):
    generator = np.random.default_rng(seed)
    first, second = generator.integers(0, 5 + 20 * (seed % 2), 50), generator.normal(size=50).round(1)
    assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic)


@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [0, 0, 0])]
)
def test_there_is_none_where_nothing_varies_or_too_little_is_known(first, second):
    assert rank_correlation(np.array(first), np.array(second)) is None
