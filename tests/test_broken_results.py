"""Results that somebody broke are refused in one line, or read; never anything else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkgap.errors import ResultsError
from chunkgap.results import from_json, to_json

from .reports.results_builder import build_results

PIECES = st.one_of(
    st.text(max_size=3),
    st.sampled_from(
        ["null", "NaN", "1e999", "[", "{}", "-1", "9" * 500, "true", '"', '{"estimate": null}', ","]
    ),
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), PIECES), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def written() -> str:
    return to_json(build_results())


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS)
def test_broken_results_are_refused_in_one_line(written: str, edits: list[tuple[float, int, str]]) -> None:
    for place, removed, added in edits:
        start = int(place * len(written))
        written = written[:start] + added + written[start + removed :]
    try:
        from_json(written)
    except ResultsError as error:
        assert len(error.problems) == 1
        assert str(error).isprintable()
