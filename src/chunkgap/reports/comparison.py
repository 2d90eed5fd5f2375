"""A comparison of two measurements, on a terminal, as Markdown and as JSON, all from the same tables."""

import re
from collections.abc import Iterator, Sequence

from chunkgap.comparing import Change, Difference, EndpointChanges, Setting
from chunkgap.formatting import MISSING, counted, number, numbers_apart, one_line, signed
from chunkgap.reports import markdown
from chunkgap.reports.json_text import json_text
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import gain_text

_SHOWN_TEXT = 60
_SHOWN_SETTINGS = 8
_CHOSEN = ("chunkgap", "configuration.", "scales")
_PATHS = tuple(f"configuration.{key}" for key in ("corpus", "queries", "qrels", "runs.", "cache"))
_DIGEST = re.compile(r"[0-9a-f]{32,}")


def render_comparison(difference: Difference, screen: Screen, *, verbose: bool = False) -> None:
    """Print a comparison; `verbose` with what did not change, and every fact that differs."""
    screen.say("chunkgap compare: B minus A", style="bold")
    for sentence in sentences(difference, verbose=verbose):
        screen.say(sentence)
    for found in tables(difference, verbose=verbose):
        screen.say()
        screen.table(found)
    if difference.warnings:
        screen.say()
    for warning in difference.warnings:
        screen.item("!", f"Allowed to differ: {warning}", style="yellow")


def render_comparison_markdown(difference: Difference, *, verbose: bool = False) -> str:
    """A comparison for a pull request, in GitHub's flavour of Markdown; ends with a line feed."""
    parts = ["## chunkgap compare: B minus A"]
    told = sentences(difference, verbose=verbose)
    parts.append("\n".join(f"- {markdown.escaped(sentence)}" for sentence in told))
    for found in tables(difference, verbose=verbose):
        parts += [f"### {markdown.escaped(found.caption)}", markdown.table(found)]
    parts += [f"> Allowed to differ: {markdown.escaped(warning)}" for warning in difference.warnings]
    return "\n\n".join(parts) + "\n"


def comparison_json(difference: Difference) -> str:
    """A comparison as one JSON object."""
    return json_text(difference)


def sentences(difference: Difference, *, verbose: bool = False) -> Iterator[str]:
    """What a busy person has to know: what was compared, what became of best fixed, fusion and verdict.

    Then what the tables leave out, unless they are verbose.
    """
    primary = difference.endpoints[0]
    found = {change.name: change for change in primary.changes}
    left = difference.only_a + difference.only_b
    unpaired = f" ({difference.only_a:,} only in A, {difference.only_b:,} only in B)" if left else ""
    missing = difference.queries - primary.queries
    undefined = f", {missing:,} of them without {primary.name} in one or both" if missing else ""
    paired = counted(difference.queries, "query", "queries")
    yield f"{paired} paired{unpaired}{undefined}; primary endpoint {primary.name}."
    scales = " to ".join(dict.fromkeys(primary.best_fixed))
    yield f"Best fixed ({scales}) {_went(found['best fixed'])}"
    if "fusion" in found:
        yield f"Fusion {_went(found['fusion'])}"
    if len(set(difference.verdicts)) > 1:
        yield f"The verdict was {difference.verdicts[0]} and is {difference.verdicts[1]}."
    for name, only in (("A", difference.scales_only_a), ("B", difference.scales_only_b)):
        if only:
            yield f"Only in {name}: {', '.join(only)}."
    if not verbose:
        yield from _left_out(difference)


def tables(difference: Difference, *, verbose: bool = False) -> list[Table]:
    """The changes, the queries that moved most, and what was set differently; those that have rows.

    Args:
        difference: What to show.
        verbose: Also endpoints at which nothing changed, and facts that differ without being a choice.
    """
    if difference.equal and not verbose:
        return [found for found in [_settings(_chosen(difference))] if found]
    first, *others = difference.endpoints
    changed = [endpoint for endpoint in others if verbose or not endpoint.equal]
    settings = difference.settings if verbose else _chosen(difference)
    found = [_changes(first), _exploratory(changed), _moved(difference), _settings(settings)]
    return [table for table in found if table]


def _left_out(difference: Difference) -> Iterator[str]:
    """What the short tables do not show."""
    equal = [endpoint.name for endpoint in difference.endpoints if endpoint.equal]
    if difference.equal:
        yield f"Nothing changed: {_all(len(equal))} in every query."
    elif equal:
        yield f"Nothing changed at {', '.join(equal)}."
    chosen = len(_choices(difference))
    settings, facts = chosen - len(_chosen(difference)), len(difference.settings) - chosen
    told = [counted(settings, "more setting")] if settings else []
    if facts:
        told.append(counted(facts, "digest, version or other fact", "digests, versions and other facts"))
    if told:
        one = settings + facts == 1
        yield (
            f"{' and '.join(told)} {'differs' if one else 'differ'}; --verbose lists {'it' if one else 'them'}."
        )


def _all(endpoints: int) -> str:
    return "the one endpoint is equal" if endpoints == 1 else f"all {endpoints:,} endpoints are equal"


def _choices(difference: Difference) -> list[Setting]:
    """What the user set differently, paths last: they differ between any two folders."""
    chosen = [setting for setting in difference.settings if setting.key.startswith(_CHOSEN)]
    return sorted(chosen, key=lambda setting: setting.key.startswith(_PATHS))


def _chosen(difference: Difference) -> tuple[Setting, ...]:
    """The first of it where that is much."""
    return tuple(_choices(difference)[:_SHOWN_SETTINGS])


def _went(change: Change) -> str:
    """How a value went, and whether its interval tells which way."""
    if change.equal and (change.difference is None or not change.difference.low < change.difference.high):
        return f"is {number(change.a)} in both."
    before, after = numbers_apart(change.a, change.b)
    told = f"went from {before} to {after}: {gain_text(change.difference)}"
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
            Cell(one_line(query.text, limit=_SHOWN_TEXT)),
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


def _settings(settings: Sequence[Setting]) -> Table:
    rows = tuple((Cell(s.key), Cell(_value(s.a)), Cell(_value(s.b))) for s in settings)
    return Table("What was set or was there differently", ("key", "A", "B"), rows, texts=frozenset({0, 1, 2}))


def _value(value: str | None) -> str:
    if value is None:
        return MISSING
    return value[:12] if _DIGEST.fullmatch(value) else value
