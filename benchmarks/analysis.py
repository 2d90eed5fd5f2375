"""Time and memory of the whole analysis of a large measurement: at most 10 seconds and 2 GB on two cores.

    python benchmarks/analysis.py

2,000 queries, each about a document of its own (the slowest case for the bootstrap), 6 scales, 2 phases, 5 cutoffs,
10,000 resamples: fusion, every statistic, sets of scales, routers, slices. Then the
same with evidence in place of documents, to show what that costs.
"""

import resource
import sys
import time

import numpy as np

from chunkgap.analysis import Labels, Retrieval, Run, Text, analyse
from chunkgap.chunking import chunk_corpus
from chunkgap.config import Settings, load_settings
from chunkgap.ranking import rank_chunks
from chunkgap.records import Document, Query, Scale, Span
from chunkgap.results import CorpusFacts, PhaseFacts, QueryFacts, ScaleFacts

QUERIES, NEAR, DEPTH, LENGTH, DIMENSION = 2_000, 50, 100, 1_000, 384
SIZES = (25, 50, 100, 200, 400, 800)
PHASES = 2


def main() -> None:
    """Analyse made-up runs, and say what it took."""
    retrieval = made_up()
    plain = timed("recall at 5 cutoffs", retrieval, load_settings(None, {"sizes": list(SIZES)}))
    evidence = {
        "sizes": list(SIZES),
        "measures": ["evidence_recall"],
        "cutoffs": ["1c", "3c", "5c", "10c", "2000t"],
        "primary": "evidence_recall@5c",
    }
    other = timed("evidence recall at 5 cutoffs, one a budget", retrieval, load_settings(None, evidence))
    sys.stdout.write(f"evidence and a budget instead of documents: {other / plain:.2f} times the time\n")


def timed(name: str, retrieval: Retrieval, settings: Settings) -> float:
    """Seconds of one analysis, printed with CPU seconds and memory."""
    started, processor = time.perf_counter(), time.process_time()
    analyse(
        settings,
        retrieval,
        command="measure",
        corpus=CorpusFacts("made up", "", QUERIES),
        queries=QueryFacts("made up", "", QUERIES, QUERIES, 0, QUERIES),
        model=None,
    )
    seconds, busy = time.perf_counter() - started, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"analysis, {name}: {seconds:.1f} s, {busy:.1f} CPU seconds, peak {peak:,.0f} MB\n")
    return seconds


def made_up() -> Retrieval:
    """Runs in which each query's own document stands somewhere among random ones; one character is one token."""
    random = np.random.default_rng(0)
    text = "x" * LENGTH
    documents = [Document(f"d{row:04d}", text) for row in range(QUERIES)]
    offsets = [np.arange(LENGTH + 1)] * QUERIES
    queries = [
        Query(
            f"q{row}",
            "?",
            {f"d{row:04d}": 1.0},
            (Span(f"d{row:04d}", 100, 300),),
            tags={"third": str(row % 3)},
        )
        for row in range(QUERIES)
    ]
    runs = tuple(
        tuple(
            run_of(
                Text(
                    chunk_corpus(documents, offsets, Scale(str(size), size), phase=phase, phases=PHASES),
                    offsets,
                ),
                random,
            )
            for phase in range(PHASES)
        )
        for size in SIZES
    )
    doc_ids = [document.doc_id for document in documents]
    vectors = random.standard_normal((QUERIES, DIMENSION)).astype(np.float32)
    return Retrieval(
        scales=tuple(facts(size) for size in SIZES),
        runs=runs,
        labels=Labels.of(queries, doc_ids, [text] * QUERIES),
        doc_ids=doc_ids,
        query_vectors=vectors,
        document_tokens=(LENGTH,) * QUERIES,
    )


def run_of(text: Text, random: np.random.Generator) -> Run:
    """A hundred random chunks per query, all of fifty documents that lie near it, and its own in two cases of three."""
    table = text.table
    near = np.random.default_rng(1).integers(0, QUERIES, (QUERIES, NEAR))  # the same at every scale
    document = np.take_along_axis(near, random.integers(0, NEAR, (QUERIES, DEPTH)), axis=1)
    first, count = np.searchsorted(table.document, np.arange(QUERIES)), np.bincount(table.document)
    chunk = first[document] + (random.random((QUERIES, DEPTH)) * count[document]).astype(np.int64)
    found = random.random(QUERIES) < 2 / 3
    chunk[found, random.integers(0, 20, found.sum())] = first[found]
    pairs = np.unique(np.arange(QUERIES)[:, None] * len(table) + chunk)
    query, row = np.divmod(pairs, len(table))
    score = random.random(len(pairs))
    ranking = rank_chunks(query, row, score, queries=QUERIES, document=table.document, tokens=table.tokens)
    return Run(table.scale.name, ranking, text, len(table))


def facts(size: int) -> ScaleFacts:
    """A scale whose price is that of its chunks."""
    chunks = QUERIES * LENGTH // size
    phases = tuple(
        PhaseFacts(phase, chunks, chunks, float(size), 0, 0, 0.0, 0.0, None, 1.0, 0, 0)
        for phase in range(PHASES)
    )
    return ScaleFacts(str(size), size, 0, chunks * DIMENSION * 4, None, False, phases)


if __name__ == "__main__":
    main()
