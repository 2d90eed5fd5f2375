"""What commands print as JSON: frozen values, key by key."""

from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def json_text(value: object) -> str:
    """A value as JSON, indented by one blank, numbers unrounded; what is undefined is null. Ends with a line feed."""
    from pydantic_core import to_json

    return to_json(value, indent=1, inf_nan_mode="null").decode() + "\n"


def by_field(value: "DataclassInstance") -> dict[str, object]:
    """The fields of a frozen value, to stand among others; what is inside them stays as it is."""
    return {field.name: getattr(value, field.name) for field in fields(value)}
