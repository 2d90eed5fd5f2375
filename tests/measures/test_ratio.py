import numpy as np

from chunkgap.measures.ratio import ratio


def test_nothing_to_divide_by_is_undefined_and_no_warning():
    np.testing.assert_array_equal(ratio(np.array([3, 0, 2]), np.array([4, 0, 0])), [3 / 4, np.nan, np.nan])
