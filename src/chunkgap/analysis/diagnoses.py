"""What explains a winner: diversity, repetition, headings cut off, long documents, plateaus."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Run, Text
from chunkgap.measures.diagnostics import diversity
from chunkgap.measures.retrieved import Retrieved
from chunkgap.measures.unions import unions
from chunkgap.ranking import Cutoff
from chunkgap.results import Diagnosis
from chunkgap.statistics import rank_correlation

_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)


def diagnose(endpoint: Endpoint, retrieval: Retrieval, fused: Fused) -> tuple[Diagnosis, ...]:
    """Per scale, means over queries inside the primary cutoff; nothing for runs without text.

    - `documents`, `regions`: distinct documents, and pieces of text without a hole. A scale that wins with many of both
      wins by diversity.
    - `redundancy`: characters retrieved / characters of their union. Above 1, overlap crowds other text out.
    - `tokens`, `unique tokens`: tokens retrieved, and tokens of their union, so that equal cutoffs of different sizes
      can be compared.
    - `without heading`: share of all chunks that neither hold a Markdown heading nor start their document, in documents
      that have headings: the reader does not see what they are about. None where no document has a heading.
    - `rank change, chunks`: Spearman correlation between the number of chunks of the first relevant document and the
      ranks it rises by fusion. Clearly above 0, summed votes favour long documents.
    - `plateau`: share of queries whose score at the neighbouring scales is at least that at this one.
    """
    cutoff = Cutoff.parse(endpoint.cutoff)
    plateau = _plateaus(endpoint, retrieval.by_size)
    return tuple(
        Diagnosis(run.scale, {**_of_text(run, cutoff, retrieval, fused), "plateau": plateau[row]})
        for row, run in enumerate(retrieval.first)
    )


def _of_text(run: Run, cutoff: Cutoff, retrieval: Retrieval, fused: Fused) -> Mapping[str, float | None]:
    if run.text is None:
        return {}
    retrieved = run.retrieved(cutoff)
    found = diversity(retrieved)
    first, tokens = run.text.table.first[run.ranking.chunk.clip(min=0)], _tokens(run, cutoff)
    return {
        "documents": float(found.documents.mean()),
        "regions": float(found.regions.mean()),
        "redundancy": _mean(found.redundancy),
        "tokens": float(np.where(retrieved.inside, tokens, 0).sum(axis=1).mean()),
        "unique tokens": _unique_tokens(first, tokens, retrieved),
        "without heading": _without_heading(run.text, retrieval.labels.texts),
        "rank change, chunks": _long_document_bias(run, fused, retrieval),
    }


def _tokens(run: Run, cutoff: Cutoff) -> NDArray[np.int32]:
    """Tokens of each ranked chunk (Q, n); a first chunk larger than a token budget counts as far as it is read."""
    tokens = run.ranking.tokens.copy()
    if cutoff.unit == "tokens":
        tokens[:, :1] = np.minimum(tokens[:, :1], cutoff.amount)
    return tokens


def _unique_tokens(first: NDArray[np.int64], tokens: NDArray[np.int32], retrieved: Retrieved) -> float:
    """Mean number of tokens in the union of the retrieved chunks.

    Args:
        first: Place in the document of each chunk's first token, (Q, n).
        tokens: Of each chunk, (Q, n).
        retrieved: The chunks themselves.
    """
    as_tokens = replace(retrieved, start=first, end=first + tokens)
    return float(unions(as_tokens.ranges(), queries=len(retrieved)).length.mean())


def _mean(values: NDArray[np.float64]) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _without_heading(text: Text, texts: Sequence[str]) -> float | None:
    headings = [[match.start() for match in _HEADING.finditer(document)] for document in texts]
    table = text.table
    if not any(headings) or not len(table):
        return None
    document = table.document.astype(np.int64)
    stride = 1 + max(map(len, texts))  # document * stride + place orders all places of all documents
    places = np.array([row * stride + place for row, found in enumerate(headings) for place in found])
    up_to_start, up_to_end = (
        np.searchsorted(places, document * stride + side) for side in (table.start, table.end)
    )
    has_headings = np.array([bool(found) for found in headings])[document]
    orphan = has_headings & (up_to_start == up_to_end) & (table.ordinal > 0)
    return float(orphan.mean())


def _long_document_bias(run: Run, fused: Fused, retrieval: Retrieval) -> float | None:
    """Rank correlation between chunks of the first relevant document and the places that fusion lifts it."""
    if run.text is None:
        return None
    own = _first_relevant_places(run.documents.document, retrieval)
    lifted = _first_relevant_places(fused.ranking.document, retrieval)
    chunks_of = np.bincount(run.text.table.document, minlength=len(retrieval.doc_ids))
    pairs = [
        (int(chunks_of[document]), place - lifted[query][document])
        for query, places in enumerate(own)
        for document, place in list(places.items())[:1]
        if document in lifted[query]
    ]
    return rank_correlation(*np.array(pairs).reshape(-1, 2).T)


def _first_relevant_places(document: NDArray[np.int32], retrieval: Retrieval) -> list[dict[int, int]]:
    """Per query, the place of each relevant document, best first."""
    relevant = retrieval.labels.judgements.grades(document) > 0
    return [
        {int(row[place]): int(place) for place in np.flatnonzero(hits)}
        for row, hits in zip(document, relevant, strict=True)
    ]


def _plateaus(endpoint: Endpoint, by_size: Sequence[int]) -> dict[int, float | None]:
    """Per scale, the share of queries whose score at neighbouring sizes is not below its own: 1 is a plateau."""
    first = endpoint.scores[:, 0]
    shares: dict[int, float | None] = {}
    for place, row in enumerate(by_size):
        near = [by_size[other] for other in (place - 1, place + 1) if 0 <= other < len(by_size)]
        flat = [(first[other] >= first[row]).mean() for other in near]
        shares[row] = float(np.mean(flat)) if flat else None
    return shares
