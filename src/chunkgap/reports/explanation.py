"""One query explained on a terminal: evidence stands out by style, or as [[...]] where there are none."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from chunkgap.explaining import EvidencePlace, ExplainedScale, Explanation, Miss
from chunkgap.formatting import MISSING, counted, number
from chunkgap.fusion import Vote
from chunkgap.measures.specification import ANSWER_MEASURES, EVIDENCE_MEASURES
from chunkgap.ranking import Cutoff
from chunkgap.reports.query_hits import ShownChunk
from chunkgap.reports.screen import Screen
from chunkgap.reports.stored_query import StoredQuery
from chunkgap.reports.table import Cell, Table

_EVIDENCE = "bold reverse"
_SHOWN_RANKS = 4
_SHOWN_ABOVE = 3
_SPACE = re.compile(r"\s+")


def render_explanation(stored: StoredQuery, *, console: Console) -> None:
    """Print an explanation; the console's width, encoding and colours are respected."""
    screen, explanation = _ChunkScreen(console), stored.explanation
    screen.say(f"{explanation.query_id}: {_line(explanation.text)}", style="bold")
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


def miss_sentence(miss: Miss, retrieved: int) -> str:
    """Why a document is missed: where its first chunk stands, and what stands above it."""
    if miss.chunk_rank is None:
        return (
            f"Missed: {miss.doc_id}. No chunk of it is among the {retrieved:,} retrieved; first are "
            f"{_above(miss.above)}."
        )
    return (
        f"Missed: {miss.doc_id}. Its first chunk has rank {miss.chunk_rank:,} (score {number(miss.score)}), "
        f"so the document has rank {miss.rank:,}; above it: {_above(miss.above)}."
    )


def evidence_sentence(scale: ExplainedScale, place: EvidencePlace, cutoff: Cutoff) -> str:
    """Where evidence is first touched, how much of it the cutoff takes, and what stands above it when missed."""
    told = scale.miss is not None and scale.miss.chunk_rank == place.rank  # the miss says what stands above
    limit = f"the cutoff of {counted(cutoff.amount, cutoff.unit[:-1])}"
    if place.rank is None:
        first = "" if told else f"; first are {_above(place.above)}"
        return f"Evidence touched by none of the {scale.retrieved:,} retrieved chunks{first}."
    touched = f"Evidence first touched at rank {place.rank:,}"
    if place.covered == place.required:
        return f"{touched}; all of it is inside {limit}."
    if place.covered:
        share = f"{place.covered:,} of its {counted(place.required, 'character')}"
        return f"{touched}; {share} {'is' if place.covered == 1 else 'are'} inside {limit}."
    if place.inside:
        return f"{touched}, in a chunk that {limit} cuts short."
    if told:
        return f"{touched}, in that first chunk."
    return (
        f"{touched} ({place.doc_id}, score {number(place.score)}), outside {limit}; above it: "
        f"{_above(place.above, bare=place.doc_id)}."
    )


def answer_sentence(scale: ExplainedScale, endpoint: str) -> str:
    """That the answer is missed, where the primary measure is about answers; else nothing."""
    if endpoint.partition("@")[0] not in ANSWER_MEASURES or scale.value != 0:
        return ""
    return "Missed: the answer. No chunk inside the cutoff holds an accepted one whole."


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
    for sentence in _reasons(scale, endpoint):
        screen.say(sentence, indent=2)


def _reasons(scale: ExplainedScale, endpoint: str) -> Iterator[str]:
    """What was missed at a scale, and where the evidence is."""
    if scale.miss is not None:
        yield miss_sentence(scale.miss, scale.retrieved)
    if scale.evidence is not None:
        yield evidence_sentence(scale, scale.evidence, Cutoff.parse(endpoint.partition("@")[2]))
    elif endpoint.partition("@")[0] in EVIDENCE_MEASURES and scale.value == 0:
        yield "Missed: the evidence. Where it is cannot be told without the corpus and the queries as measured."
    if answer := answer_sentence(scale, endpoint):
        yield answer


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


def _above(above: Mapping[str, int], *, bare: str | None = None) -> str:
    """The first documents with their chunks, and `bare`, whose chunks here hold no evidence, wherever it is."""
    if not above:
        return "none"
    names = {
        name: f"{name} ({counted(chunks, 'chunk')}{', without evidence' if name == bare else ''})"
        for name, chunks in above.items()
    }
    first = list(names.values())[:_SHOWN_ABOVE]
    more = len(names) - len(first)
    told = ", ".join(first) + (f" and {more:,} more" if more else "")
    if bare not in names or names[bare] in first:
        return told
    return f"{told}, {names[bare]} among them"


def _votes(votes: Sequence[Vote]) -> str:
    """The ranks and what they add up to."""
    if not votes:
        return MISSING
    ranks = ", ".join(str(vote.rank) for vote in votes[:_SHOWN_RANKS])
    more = f" +{len(votes) - _SHOWN_RANKS}" if len(votes) > _SHOWN_RANKS else ""
    return f"{ranks}{more}: {number(sum(vote.value for vote in votes))}"


def _rank(rank: int | None) -> str:
    return MISSING if rank is None else f"{rank:,}"


def _line(text: str) -> str:
    return " ".join(text.split())
