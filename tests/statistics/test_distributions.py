"""Quantiles against SciPy, which is too slow to import for the tool itself."""

import pytest
from scipy import special

from chunkgap.statistics.distributions import t_quantile


@pytest.mark.parametrize("probability", [0.5, 0.75, 0.95, 0.975, 0.995, 0.9995])
@pytest.mark.parametrize("degrees", [*range(1, 31), 99, 100, 1999, 2000, 19_999])
def test_quantiles_of_t_equal_scipys(probability, degrees):
    assert t_quantile(probability, degrees) == pytest.approx(
        special.stdtrit(degrees, probability), rel=1e-9, abs=1e-9
    )


def test_more_degrees_need_less_margin_down_to_the_normal_one():
    margins = [t_quantile(0.975, degrees) for degrees in range(1, 200)]
    assert margins == sorted(margins, reverse=True)
    assert t_quantile(0.975, 1_000_000) == pytest.approx(1.959964, abs=1e-5)
