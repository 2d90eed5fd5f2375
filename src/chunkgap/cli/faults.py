"""Words what typer and the system raise as all errors are: the place, what was expected, what was got, a remedy."""

import errno
import re
from typing import TYPE_CHECKING

import typer

from chunkgap.errors import reading_remedy, reason

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_EXPECTED = {"int_parsing": "a whole number", "int_from_float": "a whole number", "float_parsing": "a number"}
_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}
"""What goes wrong only where something is written."""


def usage_line(error: typer.TyperException) -> str:
    """A wrong call in one line."""
    context = getattr(error, "ctx", None)
    remedy = f"See {context.command_path if context else 'chunkgap'} --help."
    parameter = getattr(error, "param", None)
    if parameter is not None and (detail := _detail(error)):
        return f"{_place(parameter)}: {_problem(detail)}. {remedy}"
    if parameter is not None and not error.message:
        return f"{_place(parameter)}: expected a value, got none. {remedy}"
    told = error.format_message().rstrip(".")
    return f"command line: {told}{'' if told.endswith('?') else '.'} {remedy}"


def system_line(error: OSError) -> str:
    """What the system refused in one line, with the remedy for reading or for writing."""
    if error.filename is None or error.errno in _WRITING:
        place = error.filename or "output"
        return (
            f"{place}: expected a place to write to, got {reason(error)}. Make room, or choose another place."
        )
    got, remedy = reason(error), reading_remedy(error)
    return f"{error.filename}: expected a readable file or folder, got {got}. {remedy}"


def _place(parameter: object) -> str:
    """An option as it is typed, an argument as the help names it."""
    named = getattr(parameter, "opts", [""])[0]
    return named if named.startswith("-") else str(getattr(parameter, "metavar", None) or named)


def _detail(error: typer.TyperException) -> "ErrorDetails | None":
    """What is wrong with a value, where typer had pydantic look at it."""
    from pydantic_core import ValidationError  # kept out of `chunkgap --help`

    cause = error.__cause__
    return cause.errors(include_url=False)[0] if isinstance(cause, ValidationError) else None


def _problem(detail: "ErrorDetails") -> str:
    from chunkgap.config.wording import either, quoted

    typed = quoted(str(detail["input"]))
    if choices := re.findall("'([^']*)'", detail["msg"].partition(" is not one of ")[2]):
        return f"expected {either(choices)}, got {typed}"
    if detail["type"] == "greater_than_equal":
        return f"expected at least {detail['ctx']['ge']}, got {detail['input']}"
    return f"expected {_EXPECTED.get(detail['type'], 'another value')}, got {typed}"
