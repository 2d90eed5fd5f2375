"""Why a query is missed at a scale, in sentences."""

from collections.abc import Iterator, Mapping

from chunkgap.explaining import EvidencePlace, ExplainedScale, Miss
from chunkgap.formatting import counted, number
from chunkgap.measures.specification import ANSWER_MEASURES, EVIDENCE_MEASURES
from chunkgap.ranking import Cutoff

_SHOWN_ABOVE = 3


def reasons(scale: ExplainedScale, endpoint: str) -> Iterator[str]:
    """What was missed at a scale, and where the evidence is."""
    if scale.miss is not None:
        yield miss_sentence(scale.miss, scale.retrieved)
    if scale.evidence is not None:
        yield evidence_sentence(scale, scale.evidence, Cutoff.parse(endpoint.partition("@")[2]))
    elif endpoint.partition("@")[0] in EVIDENCE_MEASURES and scale.value == 0:
        yield "Missed: the evidence. Where it is cannot be told without the corpus and the queries as measured."
    if answer := answer_sentence(scale, endpoint):
        yield answer


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
