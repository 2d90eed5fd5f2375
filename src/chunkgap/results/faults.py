"""Words what is wrong with a file of a measurement that is read back, in our own terms and on one line."""

from pathlib import Path
from typing import TYPE_CHECKING

from chunkgap.errors import ResultsError, reading_remedy, reason
from chunkgap.formatting import visible

if TYPE_CHECKING:
    from pydantic import ValidationError

_LONGEST = 60


def unreadable(path: Path, error: OSError | UnicodeDecodeError, *, expected: str) -> ResultsError:
    """What to raise for a file that is there and cannot be read.

    Args:
        path: The file.
        error: What reading it raised.
        expected: What it should hold.
    """
    if isinstance(error, UnicodeDecodeError):
        return ResultsError(f"{path}: expected {expected}, got bytes that are not UTF-8. Measure again.")
    return ResultsError(f"{path}: expected {expected}, got: {reason(error)}. {reading_remedy(error)}")


def first_fault(error: "ValidationError") -> str:
    """The first of the faults that validation found, as what was got: `no value at rows.0.name`."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = visible(".".join(str(part) for part in first["loc"]))[:_LONGEST]
    what = {"missing": "no value", "extra_forbidden": "an unknown key"}.get(first["type"], "a wrong value")
    return f"{what} at {where}" if where else what
