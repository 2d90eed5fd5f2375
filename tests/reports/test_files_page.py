"""docs/files.md names every key and column that is written."""

import csv
import io
import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from chunkgap.config import Settings
from chunkgap.records import Interval
from chunkgap.reports.csv_files import per_query_csv, slices_csv, summary_csv
from chunkgap.reports.manifest import make_manifest, manifest_text
from chunkgap.results import Results

from .results_builder import build_results

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")


def section(name: str) -> str:
    return PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]


def keys(kind: type) -> set[str]:
    """The keys of a result class and of all classes inside it."""
    found = set()
    hints = get_type_hints(kind)
    for field in fields(kind):
        found.add(field.name)
        for inner in _classes(hints[field.name]):
            found |= keys(inner)
    return found


def _classes(hint: object) -> list[type]:
    if isinstance(hint, type) and is_dataclass(hint) and hint is not Interval:
        return [hint]
    return [inner for part in get_args(hint) for inner in _classes(part)]


def rows(name: str) -> dict[str, set[str]]:
    """By key of the first column of a section's table, every word in backticks of its rows; `a[].b` is a row of `a`."""
    found: dict[str, set[str]] = {}
    for line in re.findall(r"^\| `.*", section(name), re.MULTILINE):
        named, content = line.split(" | ", maxsplit=1)
        for key in re.findall(r"`(\w+)[^`]*`", named):
            found.setdefault(key, set()).update(re.findall(r"`(\w+)`", content))
    return found


def test_every_key_of_results_json_has_its_row_and_is_described_there() -> None:
    described = rows("`results.json`")
    hints = get_type_hints(Results)
    assert hints.keys() - described.keys() == set()
    for key, hint in hints.items():
        inside = {name for inner in _classes(hint) for name in keys(inner)}
        assert inside - described[key] == set(), key


def test_every_column_of_summary_csv_is_described() -> None:
    head = next(csv.reader(io.StringIO(summary_csv(build_results()))))
    assert [column for column in head if f"`{column}`" not in section("`summary.csv`")] == []


@pytest.mark.parametrize("phases", [1, 2])
def test_every_kind_and_statistic_of_summary_csv_is_described(phases: int) -> None:
    lines = csv.DictReader(io.StringIO(summary_csv(build_results(phases=phases))))
    for line in lines:
        assert f"`{line['kind']}`" in section("`summary.csv`")
        if line["kind"] == "headroom":
            name = re.sub(r" \[.*\]$", " [<scale>]", line["name"])
            assert f"`{name}`" in section("`summary.csv`")


def test_every_kind_of_column_of_per_query_csv_is_described() -> None:
    head = next(csv.reader(io.StringIO(per_query_csv(build_results(scales=("50",), cutoffs=("5",))))))
    general = [re.sub("^tag:.*", "tag:<name>", column) for column in head]
    assert [column for column in general if f"`{column}`" not in section("`per_query.csv`")] == []


def test_every_column_of_slices_csv_is_described() -> None:
    head = next(csv.reader(io.StringIO(slices_csv(build_results(scales=("50",))))))
    assert [column for column in head if f"`{column}`" not in section("`slices.csv`")] == []


def test_every_key_of_the_manifest_is_described() -> None:
    manifest = json.loads(manifest_text(make_manifest(build_results(), Settings()), files=[]))
    assert [key for key in manifest if f"`{key}`" not in section("`manifest.json`")] == []
