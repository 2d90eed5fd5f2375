import json
import math
from dataclasses import dataclass

from chunkgap.records import Interval, Span
from chunkgap.reports.json_text import by_field, json_text


@dataclass(frozen=True)
class Held:
    name: str
    inner: tuple[Span, ...]


HELD = Held("é", (Span("d", 1, 2),))


def test_a_frozen_value_is_an_object_of_its_fields() -> None:
    assert json.loads(json_text(HELD)) == {"name": "é", "inner": [{"doc_id": "d", "start": 1, "end": 2}]}


def test_what_is_undefined_is_null() -> None:
    text = json_text({"none": None, "open": Interval(0.5, math.nan, math.inf)})
    assert json.loads(text) == {"none": None, "open": {"estimate": 0.5, "low": None, "high": None}}


def test_text_is_as_it_is_and_ends_with_a_line_feed() -> None:
    assert json_text({"name": "é"}) == '{\n "name": "é"\n}\n'


def test_fields_stand_in_their_order_and_are_not_copied() -> None:
    found = by_field(HELD)
    assert list(found) == ["name", "inner"]
    assert found["inner"] is HELD.inner
