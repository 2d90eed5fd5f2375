"""One query explained, as JSON and on a terminal: evidence stands out by style, or as [[...]] where there are none."""

import re
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from chunkgap.explaining import ExplainedScale, Explanation
from chunkgap.formatting import MISSING, number, one_line
from chunkgap.fusion import Vote
from chunkgap.reports.json_text import by_field, json_text
from chunkgap.reports.query_hits import ShownChunk
from chunkgap.reports.reasons import reasons
from chunkgap.reports.screen import Screen
from chunkgap.reports.stored_query import StoredQuery
from chunkgap.reports.table import Cell, Table

FORMAT_VERSION = 1

_EVIDENCE = "bold reverse"
_SHOWN_RANKS = 4
_SPACE = re.compile(r"\s+")


def render_explanation(stored: StoredQuery, *, console: Console) -> None:
    """Print an explanation; the console's width, encoding and colours are respected."""
    screen, explanation = _ChunkScreen(console), stored.explanation
    screen.say(f"{explanation.query_id}: {one_line(explanation.text)}", style="bold")
    if explanation.tags:
        screen.say("; ".join(f"{name}: {value}" for name, value in explanation.tags.items()))
    screen.say()
    screen.table(ranks_table(explanation))
    if explanation.measures:
        screen.say()
        screen.table(measures_table(explanation))
    screen.say()
    screen.table(votes_table(explanation))
    for document in explanation.fused:
        relevant = "  relevant" if document.relevant else ""
        line = f"{document.rank:,}. {document.doc_id}  {number(document.score)}{relevant}"
        screen.say(line, indent=2, style="green" if document.relevant else "")
    for scale in explanation.scales:
        screen.say()
        _say_scale(scale, stored.chunks.scales[scale.name], explanation.endpoint, screen)
    if stored.remarks:
        screen.say()
    for remark in stored.remarks:
        screen.item("!", remark, style="yellow")


def explanation_json(stored: StoredQuery) -> str:
    """What the terminal shows as one JSON object, numbers unrounded, each scale with its chunks and reasons."""
    explanation = stored.explanation
    return json_text(
        {
            "format_version": FORMAT_VERSION,
            **by_field(explanation),
            "scales": [
                {
                    **by_field(scale),
                    "chunks": stored.chunks.scales[scale.name],
                    "reasons": list(reasons(scale, explanation.endpoint)),
                }
                for scale in explanation.scales
            ],
            "relevant": [
                {**by_field(found), "fused_score": found.fused_score} for found in explanation.relevant
            ],
            "remarks": stored.remarks,
        }
    )


def ranks_table(explanation: Explanation) -> Table:
    """The primary measure and the rank of each relevant document, by scale and in the fusion."""
    names = [scale.name for scale in explanation.scales]
    values = [scale.value for scale in explanation.scales]
    rows = [
        (Cell(explanation.endpoint), *(Cell(number(value)) for value in (*values, explanation.fused_value)))
    ]
    rows += [
        (
            Cell(f"rank of {found.doc_id}"),
            *(Cell(_rank(found.ranks[name])) for name in names),
            Cell(_rank(found.fused_rank)),
        )
        for found in explanation.relevant
    ]
    places = [scale.evidence for scale in explanation.scales]
    if any(places):
        ranks = (Cell(_rank(place.rank if place else None)) for place in places)
        rows.append((Cell("first chunk with evidence"), *ranks, Cell(MISSING)))
    return Table("Rank of each relevant document", ("", *names, "fused"), tuple(rows))


def measures_table(explanation: Explanation) -> Table:
    """The query's value of every other configured measure and cutoff."""
    rows = tuple(
        (Cell(found.name), *(Cell(number(value)) for value in (*found.scales, found.fused)))
        for found in explanation.measures
    )
    heads = ("", *(scale.name for scale in explanation.scales), "fused")
    return Table("Its other measures (exploratory)", heads, rows)


def votes_table(explanation: Explanation) -> Table:
    """The ranks that voted for each relevant document and what they add to its fused score."""
    rule, names = explanation.fusion, [scale.name for scale in explanation.scales]
    rows = tuple(
        (
            Cell(found.doc_id),
            *(Cell(_votes(found.votes[name])) for name in names),
            Cell(number(found.fused_score)),
            Cell(_rank(found.fused_rank)),
        )
        for found in explanation.relevant
    )
    caption = f"Votes by {rule.name}: each rank r adds 1 / (r + {rule.rrf_k}) (votes: {rule.votes})"
    return Table(caption, ("document", *names, "sum", "rank"), rows)


class _ChunkScreen(Screen):
    """A screen that also prints text with evidence in it."""

    def chunk_text(self, chunk: ShownChunk, *, indent: int) -> None:
        """Print the text of a chunk, wrapped."""
        text = Text()
        for piece, is_evidence in _pieces(chunk):
            shown = self._plain(_SPACE.sub(" ", piece))
            if not is_evidence:
                text.append(shown)
            elif self._console.is_terminal and not self._console.no_color:
                text.append(shown, _EVIDENCE)
            else:
                text.append(f"[[{shown}]]")
        blanks = len(text.plain) - len(text.plain.lstrip())
        self._print_beside(Text(" " * indent), text[blanks:])


def _say_scale(
    scale: ExplainedScale, chunks: Sequence[ShownChunk], endpoint: str, screen: _ChunkScreen
) -> None:
    best = " (best fixed)" if scale.best_fixed else ""
    screen.say(f"{scale.name}{best}: {endpoint} {number(scale.value)}", style="bold")
    for chunk in chunks:
        screen.say(_head(chunk), indent=2, style="green" if chunk.relevant else "")
        if chunk.text:
            screen.chunk_text(chunk, indent=5)
    for sentence in reasons(scale, endpoint):
        screen.say(sentence, indent=2)


def _head(chunk: ShownChunk) -> str:
    place = f" [{chunk.start}, {chunk.end})" if chunk.start is not None else ""
    relevant = "  relevant" if chunk.relevant else ""
    return f"{chunk.rank:,}. {chunk.doc_id}{place}  score {number(chunk.score)}{relevant}"


def _pieces(chunk: ShownChunk) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is evidence; dots where the chunk goes on."""
    yield ("... " if chunk.cut_before else ""), False
    place = 0
    for low, high in chunk.evidence:
        yield chunk.text[place:low], False
        yield chunk.text[low:high], True
        place = high
    yield chunk.text[place:], False
    yield (" ..." if chunk.cut_after else ""), False


def _votes(votes: Sequence[Vote]) -> str:
    """The ranks and what they add up to."""
    if not votes:
        return MISSING
    ranks = ", ".join(str(vote.rank) for vote in votes[:_SHOWN_RANKS])
    more = f" +{len(votes) - _SHOWN_RANKS}" if len(votes) > _SHOWN_RANKS else ""
    return f"{ranks}{more}: {number(sum(vote.value for vote in votes))}"


def _rank(rank: int | None) -> str:
    return MISSING if rank is None else f"{rank:,}"
