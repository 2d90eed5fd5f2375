import errno
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from chunkgap.results import first_fault, unreadable

DENIED = PermissionError(errno.EACCES, "Permission denied", "r.json")
BROKEN = OSError(errno.EIO, "Input/output error", "r.json")
NOT_UTF_8 = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (DENIED, "got: permission denied. Check its permissions."),
        (BROKEN, "got: input/output error. Check the path."),
        (NOT_UTF_8, "got bytes that are not UTF-8. Measure again."),
    ],
)
def test_a_file_that_cannot_be_read_has_the_remedy_for_its_reason(
    error: OSError | UnicodeDecodeError, told: str
) -> None:
    assert str(unreadable(Path("r.json"), error, expected="results")) == f"r.json: expected results, {told}"


class Row(TypedDict):
    name: str


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([{"name": "a"}, {}], "no value at 1.name"),
        ([{"name": 3}], "a wrong value at 0.name"),
        (3, "a wrong value"),
    ],
)
def test_the_first_fault_is_told_in_our_own_words(value: object, told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[Row]).validate_python(value)
    assert first_fault(caught.value) == told
