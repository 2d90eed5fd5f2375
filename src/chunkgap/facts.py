"""What results say of the corpus, the queries and the model, and the warnings of the steps before the analysis."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.config import Settings
from chunkgap.datasets.findings import examples
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import LabelledQueries
from chunkgap.embedding import EmbeddedTexts, Embedder, SentenceTransformerEmbedder
from chunkgap.formatting import counted
from chunkgap.inputs import Inputs
from chunkgap.placing import Cutter, Embedded
from chunkgap.records import Query
from chunkgap.results import CorpusFacts, ModelFacts, Notice, QueryFacts

Vectors = NDArray[np.float32]


def corpus_facts(inputs: Inputs, cutter: Cutter) -> CorpusFacts:
    """What was read as the corpus, with the tokens of each document."""
    corpus = inputs.corpus
    return CorpusFacts(
        source=corpus.source,
        digest=corpus.digest,
        documents=len(corpus.documents),
        tokens=sum(cutter.tokens),
        token_lengths=cutter.tokens,
        skipped=dict(corpus.skipped),
    )


def query_facts(queries: QuerySet, labelled: LabelledQueries) -> QueryFacts:
    """What was read as queries; clusters are counted by the analysis."""
    evaluated = labelled.evaluated
    return QueryFacts(
        source=queries.source,
        digest=queries.digest,
        given=len(queries.queries),
        evaluated=len(evaluated),
        clusters=0,
        with_spans=sum(bool(query.spans) for query in evaluated),
        excluded=dict(labelled.excluded),
        evaluated_digest=query_digest(evaluated, evidence=True),
        labels_digest=query_digest(evaluated, evidence=False),
    )


def query_digest(queries: Iterable[Query], *, evidence: bool) -> str:
    """SHA-256 over what queries are scored by: neither their order nor their tags, nor documents that are not relevant.

    Args:
        queries: Those that are evaluated.
        evidence: Whether the places of their evidence count.
    """
    running = hashlib.sha256()
    for query in sorted(queries, key=lambda query: query.query_id):
        relevant = {doc_id: float(grade) for doc_id, grade in query.relevant.items() if grade > 0}
        spans = sorted([span.doc_id, span.start, span.end] for span in query.spans) if evidence else []
        value = [query.query_id, query.text, relevant, spans, sorted(query.answers)]
        running.update(json.dumps(value, sort_keys=True).encode("ascii"))
        running.update(b"\n")
    return running.hexdigest()


def model_facts(model: Embedder, settings: Settings) -> ModelFacts:
    """The model as it is used."""
    return ModelFacts(
        name=model.name,
        identity=model.identity,
        dimension=model.dimension,
        window=model.window,
        query_prompt=model.prompt("query"),
        document_prompt=model.prompt("document"),
        long_chunks=settings.embedding.long_chunks,
        precision=settings.embedding.precision,
        tokenizer=settings.tokenizer,
    )


def step_notices(
    inputs: Inputs, model: Embedder, cache_warnings: Sequence[str], settings: Settings
) -> Iterator[Notice]:
    """Warnings of the files, the model and the caches, and what was left out of results."""
    yield from (Notice("input", warning) for warning in inputs.warnings)
    if isinstance(model, SentenceTransformerEmbedder):
        yield from (Notice("model", warning) for warning in model.warnings)
    yield from (Notice("cache", warning) for warning in cache_warnings)
    if settings.phases == 1 and "phases" not in settings.model_fields_set:
        told = "a window moves on by one token, so there is no second phase"
        yield Notice(
            "one-phase", f"{told}: nothing tells size from luck. Lower the overlap, or leave out size 1."
        )
    own = own_documents(inputs, settings)
    if own is not None:
        number = counted(int((own >= 0).sum()), "query has", "queries have")
        told = f"exclude_same_id: {number} the id of a document, which is left out of the results"
        yield Notice("same-id", told)


def long_query_notices(asked: EmbeddedTexts, settings: Settings) -> Iterator[Notice]:
    """Queries longer than the model's window, and what became of them."""
    long = int(asked.long.sum())
    if long:
        number = counted(long, "query is", "queries are")
        told = f"{number} longer than the model's window of {asked.window} word pieces"
        fate = "the rest was not read" if settings.embedding.long_chunks == "truncate" else "read in slices"
        yield Notice("long-queries", f"{told}: {fate}")


def zero_vector_notices(
    inputs: Inputs, cutter: Cutter, embedded: Embedded, queries: Vectors, settings: Settings
) -> Iterator[Notice]:
    """Queries and chunks for which the model defines no vector, so that no cosine ranks them."""
    evaluated = inputs.labelled.evaluated
    asked = [query.query_id for query, vector in zip(evaluated, queries, strict=True) if not vector.any()]
    if asked:
        number = counted(len(asked), "query", "queries")
        told = f"the model gives {number} a zero vector ({examples(asked)}): all chunks tie, in corpus order"
        yield Notice("zero-vector", told)
    first = slice(None, None, settings.phases)
    for text, zero in zip(embedded.texts[first], embedded.undefined()[first], strict=True):
        if zero.any():
            rows = dict.fromkeys(text.table.document[zero].tolist())
            named = examples([cutter.documents[row].doc_id for row in rows])
            number = counted(int(zero.sum()), "chunk")
            told = f"size {text.table.scale.name}: the model gives {number} a zero vector, ranked last"
            yield Notice("zero-vector", f"{told} ({named})")


def own_documents(inputs: Inputs, settings: Settings) -> NDArray[np.intp] | None:
    """The document that each query is itself, by equal ids, when the configuration excludes it."""
    if not settings.exclude_same_id:
        return None
    rows = {document.doc_id: row for row, document in enumerate(inputs.corpus.documents)}
    return np.array([rows.get(query.query_id, -1) for query in inputs.labelled.evaluated], dtype=np.intp)
