"""A comparison of two measurements, on a terminal, as Markdown and as JSON, all from the same tables."""

import re
from collections.abc import Iterator

from chunkgap.comparing import Change, Difference, EndpointChanges
from chunkgap.formatting import MISSING, number, signed
from chunkgap.reports import markdown
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import gain_text

_SHOWN_TEXT = 60
_DIGEST = re.compile(r"[0-9a-f]{32,}")


def render_comparison(difference: Difference, screen: Screen) -> None:
    """Print a comparison."""
    screen.say("chunkgap compare: B minus A", style="bold")
    for sentence in sentences(difference):
        screen.say(sentence)
    for found in tables(difference):
        screen.say()
        screen.table(found)
    if difference.warnings:
        screen.say()
    for warning in difference.warnings:
        screen.item("!", f"Allowed to differ: {warning}", style="yellow")


def render_comparison_markdown(difference: Difference) -> str:
    """A comparison for a pull request, in GitHub's flavour of Markdown; ends with a line feed."""
    parts = ["## chunkgap compare: B minus A"]
    parts.append("\n".join(f"- {markdown.escaped(sentence)}" for sentence in sentences(difference)))
    for found in tables(difference):
        parts += [f"### {markdown.escaped(found.caption)}", markdown.table(found)]
    parts += [f"> Allowed to differ: {markdown.escaped(warning)}" for warning in difference.warnings]
    return "\n\n".join(parts) + "\n"


def comparison_json(difference: Difference) -> str:
    """A comparison as JSON, UTF-8, numbers unrounded; what is undefined is null."""
    from pydantic import TypeAdapter

    return TypeAdapter(Difference).dump_json(difference, indent=1).decode() + "\n"


def sentences(difference: Difference) -> Iterator[str]:
    """What a busy person has to know: what was compared, what became of best fixed, fusion and verdict."""
    primary = difference.endpoints[0]
    found = {change.name: change for change in primary.changes}
    left = difference.only_a + difference.only_b
    unpaired = f" ({difference.only_a:,} only in A, {difference.only_b:,} only in B)" if left else ""
    yield f"{difference.queries:,} queries paired{unpaired}; primary endpoint {primary.name}."
    scales = " to ".join(dict.fromkeys(primary.best_fixed))
    yield f"Best fixed ({scales}) {_went(found['best fixed'])}"
    if "fusion" in found:
        yield f"Fusion {_went(found['fusion'])}"
    if len(set(difference.verdicts)) > 1:
        yield f"The verdict was {difference.verdicts[0]} and is {difference.verdicts[1]}."
    for name, only in (("A", difference.scales_only_a), ("B", difference.scales_only_b)):
        if only:
            yield f"Only in {name}: {', '.join(only)}."


def tables(difference: Difference) -> list[Table]:
    """The changes, the queries that moved most, and what was set differently; those that have rows."""
    first, *others = difference.endpoints
    found = [_changes(first), _exploratory(others), _moved(difference), _settings(difference)]
    return [table for table in found if table]


def _went(change: Change) -> str:
    """How a value went, and whether its interval tells which way."""
    told = f"went from {number(change.a)} to {number(change.b)}: {gain_text(change.difference)}"
    if change.difference is None or change.difference.contains(0.0):
        return f"{told}; the interval includes 0."
    return f"{told}."


def _changes(endpoint: EndpointChanges) -> Table:
    rows = tuple(
        (
            Cell(change.name),
            Cell(number(change.a)),
            Cell(number(change.b)),
            Cell(_change(change)),
            Cell(number(change.p)),
            Cell(number(change.p_holm)),
            Cell(_queries(change.better)),
            Cell(_queries(change.worse)),
        )
        for change in endpoint.changes
    )
    heads = ("", "A", "B", "B - A", "p", "p (Holm)", "up", "down")
    caption = f"Change of {endpoint.name}, the primary endpoint, over {endpoint.queries:,} queries"
    return Table(caption, heads, rows)


def _change(change: Change) -> str:
    if change.difference is not None:
        return gain_text(change.difference)
    if change.a is None or change.b is None:
        return MISSING
    return signed(change.b - change.a)


def _queries(count: int | None) -> str:
    return MISSING if count is None else f"{count:,}"


def _exploratory(endpoints: list[EndpointChanges]) -> Table:
    """B minus A at every other endpoint, a line each."""
    names = list(dict.fromkeys(change.name for endpoint in endpoints for change in endpoint.changes))
    rows = []
    for endpoint in endpoints:
        found = {change.name: _change(change) for change in endpoint.changes}
        rows.append((Cell(endpoint.name), *(Cell(found.get(name, MISSING)) for name in names)))
    return Table("B - A elsewhere (exploratory)", ("", *names), tuple(rows))


def _moved(difference: Difference) -> Table:
    scales = list(difference.moved[0].scales) if difference.moved else []
    rows = tuple(
        (
            Cell(query.query_id),
            *(
                Cell(_pair(pair))
                for pair in (query.best_fixed, query.fusion, *(query.scales[name] for name in scales))
            ),
            Cell(_short(query.text)),
        )
        for query in difference.moved
    )
    caption = (
        f"Queries that moved most at {difference.endpoint}, {len(rows):,} of {difference.moved_queries:,}"
    )
    heads = ("query", "best fixed", "fusion", *scales, "text")
    return Table(caption, heads, rows, texts=frozenset({0, len(heads) - 1}))


def _pair(pair: tuple[float | None, float | None]) -> str:
    before, after = (number(value, decimals=3) for value in pair)
    return before if before == after else f"{before} -> {after}"


def _settings(difference: Difference) -> Table:
    rows = tuple((Cell(s.key), Cell(_value(s.a)), Cell(_value(s.b))) for s in difference.settings)
    return Table("What was set or was there differently", ("key", "A", "B"), rows, texts=frozenset({0, 1, 2}))


def _value(value: str | None) -> str:
    if value is None:
        return MISSING
    return value[:12] if _DIGEST.fullmatch(value) else value


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_TEXT else f"{line[:_SHOWN_TEXT].rsplit(' ', 1)[0]} ..."
