"""A small made-up retrieval with texts, many tied scores, and ids that are hard to write."""

import numpy as np

from chunkgap.analysis.fusions import Fused, fuse_scales
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run, Text
from chunkgap.chunking import ChunkTable, chunk_corpus
from chunkgap.fusion import PRESETS, Reach
from chunkgap.ranking import rank_chunks
from chunkgap.records import Document, Query, Scale
from chunkgap.results import PhaseFacts, ScaleFacts

DOC_IDS = sorted(
    ["a b.md", "a%20b.md", "#first", "\N{NO-BREAK SPACE}x", "tab\there", "é/../up", "=1+1", "plain"]
)
QUERY_IDS = ("q 1", "q%201", "#3", "007", "line\nbreak")
SIZES = (2, 3, 5)


def build_documents() -> tuple[Document, ...]:
    return tuple(Document(doc_id, "0123456789" * (row + 1)) for row, doc_id in enumerate(DOC_IDS))


def build_queries(*, seed: int = 1, grades: tuple[float, ...] = (0.0, 1.0, 1.0, 3.0)) -> tuple[Query, ...]:
    """Queries with one to four judged documents, one of which may be missing from the corpus."""
    random = np.random.default_rng(seed)
    return tuple(
        Query(
            query_id,
            f"question {query_id}",
            relevant={str(doc): float(random.choice(grades)) for doc in _some(random)} | {"gone": 1.0},
        )
        for query_id in QUERY_IDS
    )


def build_retrieval(*, seed: int = 1, queries: tuple[Query, ...] | None = None) -> Retrieval:
    """Random rankings of ten chunks or fewer; the last query finds nothing at the first size."""
    documents = build_documents()
    offsets = [np.arange(len(document.text) + 1) for document in documents]
    random = np.random.default_rng(seed)
    runs, scales = [], []
    for size in SIZES:
        table = chunk_corpus(documents, offsets, Scale(str(size), size))
        runs.append((_run(table, offsets, random, silent=size == SIZES[0]),))
        scales.append(_facts(table))
    labels = Labels.of(
        queries or build_queries(seed=seed), DOC_IDS, [document.text for document in documents]
    )
    return Retrieval(tuple(scales), tuple(runs), labels, DOC_IDS)


def build_fused(retrieval: Retrieval) -> Fused:
    return fuse_scales(retrieval, PRESETS["ai21"], Reach(10))[0]


def _some(random: np.random.Generator) -> np.ndarray:
    return random.choice(DOC_IDS, 3, replace=False)


def _run(table: ChunkTable, offsets: list[np.ndarray], random: np.random.Generator, *, silent: bool) -> Run:
    found = [10] * (len(QUERY_IDS) - 1) + [0 if silent else 4]
    chunk = np.concatenate([random.choice(len(table), size, replace=False) for size in found])
    ranking = rank_chunks(
        np.repeat(np.arange(len(found)), found),
        chunk,
        random.choice([0.1, 0.2, 0.3], len(chunk)),
        queries=len(found),
        document=table.document,
        tokens=table.tokens,
    )
    return Run(table.scale.name, ranking, Text(table, offsets))


def _facts(table: ChunkTable) -> ScaleFacts:
    phase = PhaseFacts(0, len(table), len(table), float(table.tokens.mean()), 0, 0, 0.0, 0.0, None, 1.0, 0, 0)
    return ScaleFacts(table.scale.name, table.scale.size, 0, len(table) * 16, None, False, (phase,))
