"""What `to_json` writes is read back; results that somebody broke are refused in one line; never anything else."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkgap.errors import ResultsError
from chunkgap.records import Interval
from chunkgap.results import Results, from_json, to_json

from ..reports.results_builder import build_results

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


@pytest.mark.parametrize("command", ["measure", "score"])
def test_what_is_written_is_read_back(command: str) -> None:
    found = build_results(command=command)
    assert from_json(to_json(found)) == found


def test_an_interval_without_ends_has_null_there_and_is_read_back_without_ends() -> None:
    found = build_results()
    open_ended = replace(found.verdict, gain=Interval(0.1, math.nan, math.nan))
    text = to_json(replace(found, verdict=open_ended))
    assert json.loads(text)["verdict"]["gain"] == {"estimate": 0.1, "low": None, "high": None}
    gain = from_json(text).verdict.gain
    assert gain
    assert gain.estimate == 0.1
    assert math.isnan(gain.low)
    assert math.isnan(gain.high)


def test_a_file_that_does_not_tell_how_many_searches_were_timed_is_read(written: str) -> None:
    found = json.loads(written)
    del found["timings"]["multi_scale"]["searches"]
    timings = from_json(json.dumps(found)).timings
    assert timings
    assert timings.multi_scale
    assert timings.multi_scale.searches is None
    assert timings.scales[0].latency == build_results().timings.scales[0].latency


def test_the_keys_stand_in_the_order_of_the_fields(written: str) -> None:
    assert list(json.loads(written)) == list(Results.__dataclass_fields__)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "there.json: expected the JSON object that chunkgap writes, got other JSON. Measure again."),
        ("{", "there.json: expected the JSON object that chunkgap writes, got a fault: EOF while parsing"),
        ('{"format_version": 2}', "there.json: expected format_version 1, got 2. "),
        (
            "{}",
            "there.json: expected the JSON object that chunkgap writes, got one without a format_version. "
            "Measure again.",
        ),
        ('{"format_version": "1"}', 'there.json: expected format_version 1, got "1". Read it with'),
        (
            '{"format_version": 1}',
            "there.json: expected the results of a measurement, got no value at chunkgap_version. Measure again.",
        ),
    ],
)
def test_a_text_that_is_no_result_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(ResultsError) as caught:
        from_json(text, place="there.json")
    assert str(caught.value).startswith(told)


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
