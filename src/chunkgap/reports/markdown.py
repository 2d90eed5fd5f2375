"""`report.md`: the measurement on one screen of a pull request, in GitHub's flavour of Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from chunkgap.formatting import counted, interval, number, one_line, percent, visible
from chunkgap.reports import price_tables, quality_tables, query_tables
from chunkgap.reports.advice import headline, next_step
from chunkgap.reports.gaps import bracket_texts, level, luck_sentence, luck_table, router_sentence
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import (
    asked_text,
    facts_line,
    gap_name,
    oracle_name,
    title,
    verdict_gain,
    verdict_sentence,
)
from chunkgap.results import Results

FILE_NAME = "report.md"

BUDGET = 900_000
"""Bytes of the page at most, as far as leaving out folded tables helps: GitHub drops a summary above 1 MiB."""

_FOLDED = "<details>"

_MARKUP = re.compile(r"[\\`*|~$<>&]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
_MENTION = re.compile(r"(?<!\w)@(?=\w)")


def write_step_summary(path: Path, text: str) -> None:
    """Add a page to the summary of a step of GitHub Actions, the file that `GITHUB_STEP_SUMMARY` names."""
    with path.open("a", encoding="utf-8", newline="\n") as summary:
        summary.write(text + "\n")


def render_markdown(results: Results, *, budget: int = BUDGET) -> str:
    """The page: verdict, headroom, gap, means, price, warnings; the rest folded. Ends with a line feed.

    Args:
        results: The measurement.
        budget: Bytes of the page; of folded tables the largest are left out until it is kept.
    """
    parts = (
        _head(results),
        _gap(results),
        _means(results),
        _slices(results),
        _price(results),
        _warnings(results),
    )
    return _page(_within([block for part in parts for block in part], budget))


def escaped(text: str) -> str:
    r"""A text that GitHub shows as it is, on one line: no markup, no HTML, no mention, no new cell.

    Intervals, signs and names such as `evidence_recall@5` are left readable: they are no markup. Control characters
    are written as escapes, for the page is read on terminals too.

    >>> print(escaped("a|b `c`\n<i> [x](y) @me [0.1, 0.2]"))
    a\|b \`c\` \<i\> [x\](y) @<!-- -->me [0.1, 0.2]
    """
    return _MENTION.sub("@<!-- -->", _MARKUP.sub(r"\\\g<0>", visible(one_line(text))))


def table(found: Table) -> str:
    """A table as pipes; marked rows are bold, numbers stand at the right."""
    rules = ["---" if column in found.texts else "---:" for column in range(len(found.columns))]
    lines = [_line(map(escaped, found.columns)), _line(rules)]
    for place, row in enumerate(found.rows):
        lines.append(_line(_cell(cell, bold=place in found.marked) for cell in row))
    return "\n".join(lines)


def _page(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _within(blocks: Sequence[str], budget: int) -> list[str]:
    """The blocks without so many of the largest folded ones as it takes, and a line that says how many these were."""
    kept, left_out = list(blocks), 0
    while len(_page(kept).encode()) > budget and (folded := [b for b in kept if b.startswith(_FOLDED)]):
        kept.remove(max(folded, key=len))
        left_out += 1
    if left_out:
        kept.append(
            f"{counted(left_out, 'table')} left out, for this page would be too long; report.html has all."
        )
    return kept


def _head(results: Results) -> Iterator[str]:
    verdict = results.verdict
    yield f"## chunkgap: {escaped(title(results))}"
    yield escaped(facts_line(results))
    yield f"**{escaped(headline(results))}** {escaped(verdict_sentence(results))}".rstrip()
    if verdict.reasons:
        yield "\n".join(f"- {escaped(reason)}" for reason in verdict.reasons)
    if step := next_step(results):
        yield f"**{escaped(step)}**"
    yield f"Rule: {escaped(verdict.rule)}"
    headroom = results.headroom_verdict
    yield f"**Headroom.** {escaped(headroom.headline)} {escaped(headroom.sentence)}"


def _gap(results: Results) -> Iterator[str]:
    found = results.primary
    estimated, surely = bracket_texts(found)
    lines = [
        (f"best fixed ({found.best_fixed})", number(found.best_fixed_value)),
        ("best fixed, cross-fitted", number(found.cross_fitted_value)),
        (oracle_name(found), number(found.oracle)),
        (gap_name(found), interval(found.gap)),
        ("share of the gap closed", percent(found.share_closed)),
    ]
    if found.corrected:
        lines += [
            ("reproducible gap", interval(found.reproducible)),
            ("bracket [reproducible, raw]", estimated),
            (f"bracket at {level(results)}", surely),
            ("size excess", interval(found.excess)),
            ("interaction", interval(found.interaction)),
        ]
    lines.append(("fusion gain", verdict_gain(results)))
    rows = tuple((Cell(name), Cell(value)) for name, value in lines)
    yield f"### The gap at {escaped(results.endpoint.name)}"
    yield table(Table("", ("", results.endpoint.name), rows))
    if results.wins.queries < results.queries.evaluated:
        yield f"These numbers are of {escaped(asked_text(results))}."
    for sentence in (luck_sentence(results), router_sentence(results)):
        if sentence:
            yield escaped(sentence)
    yield from _folded(luck_table(results))


def _means(results: Results) -> Iterator[str]:
    """The panel of the primary endpoint, and folded the others."""
    first, *others = (quality_tables.means_table(results, *panel) for panel in quality_tables.panels(results))
    yield f"### {escaped(first.caption)}"
    yield table(first)
    for found in others:
        yield from _folded(found)


def _slices(results: Results) -> Iterator[str]:
    yield from _folded(query_tables.short_slices_table(results))
    diagnoses = query_tables.diagnoses_table(results)
    told = (query_tables.diversity_sentence(results), *query_tables.diagnoses_legend(results))
    yield from _folded(diagnoses, *told)


def _price(results: Results) -> Iterator[str]:
    if not price_tables.priced(results):
        return
    yield "### Price"
    yield table(price_tables.prices_table(results))
    yield from _folded(price_tables.reading_table(results))
    yield from _folded(price_tables.sets_table(results, front=True), price_tables.sets_note(results))
    yield from _folded(price_tables.latency_table(results))


def _folded(found: Table, *notes: str) -> Iterator[str]:
    """A table that opens on demand, with a list of notes below it; nothing when it has no rows."""
    if not found:
        return
    listed = "\n".join(f"- {escaped(note)}" for note in notes if note)
    parts = (f"{_FOLDED}<summary>{escaped(found.caption)}</summary>", table(found), listed, "</details>")
    yield "\n\n".join(part for part in parts if part)


def _warnings(results: Results) -> Iterator[str]:
    yield f"### Warnings: {len(results.notices)}"
    if results.notices:
        yield "\n".join(
            f"- {'**No verdict because of this:** ' if notice.blocking else ''}{escaped(notice.message)}"
            for notice in results.notices
        )


def _cell(cell: Cell, *, bold: bool) -> str:
    text = escaped(cell.text)
    strong = f"**{text}**" if (bold or cell.flag) and text else text
    flagged = strong + escaped(cell.flag)
    return f"{flagged} {escaped(cell.detail)}" if cell.detail else flagged


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
