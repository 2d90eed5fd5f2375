"""`hits.parquet`: the ranked chunks of every query at every scale, written and read back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Run, Text
from chunkgap.errors import ResultsError
from chunkgap.records import Document

if TYPE_CHECKING:
    import pyarrow as pa

FILE_NAME = "hits.parquet"


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked chunk of one query; a line of the file.

    Attributes:
        phase: Of the windows; only phase 0 is written.
        rank: From 1.
        score: Similarity, rounded to 6 decimals.
        chunk_id: The chunk; like the fields after `score`, None for runs without text (`score`).
        start: First code point of the chunk in its document.
        end: Last one, exclusive.
        tokens: Tokens in it.
        digest: BLAKE2b of its text.
    """

    query_id: str
    scale: str
    phase: int
    rank: int
    chunk_id: str | None
    doc_id: str
    score: float
    start: int | None
    end: int | None
    tokens: int | None
    digest: str | None


def write_hits(
    path: Path,
    runs: Sequence[Run],
    *,
    query_ids: Sequence[str],
    doc_ids: Sequence[str],
    documents: Sequence[Document],
) -> None:
    """Write the hits of one run after the other, each by query and rank; equal hits give equal bytes.

    Args:
        path: The file, replaced.
        runs: Phase 0 of each scale, over the same queries.
        query_ids: Their ids.
        doc_ids: The corpus, by row.
        documents: The same with texts; may be empty where runs have no text.
    """
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, _schema(), compression="zstd") as writer:
        for run in runs:
            writer.write_table(_table(run, query_ids, doc_ids, documents))


def read_hits(out: Path, query_ids: Collection[str]) -> dict[str, tuple[Hit, ...]]:
    """The hits of some queries, each in the file's order; none for an unknown query.

    Raises:
        ResultsError: There is no such file, or it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = out / FILE_NAME
    try:
        rows = pq.read_table(path, filters=[("query_id", "in", list(query_ids))]).to_pylist()
        hits = [Hit(**row) for row in rows]
    except FileNotFoundError as error:
        raise ResultsError(f"{path}: expected ranked chunks, got no file. Measure again.") from error
    except (OSError, pa.ArrowException, TypeError) as error:
        fault = str(error).splitlines()[0].rstrip(".")
        raise ResultsError(f"{path}: expected ranked chunks, got a fault: {fault}. Measure again.") from error
    found: dict[str, list[Hit]] = {query_id: [] for query_id in query_ids}
    for hit in hits:
        found[hit.query_id].append(hit)
    return {query_id: tuple(of_query) for query_id, of_query in found.items()}


def _schema() -> "pa.Schema":
    import pyarrow as pa

    name, whole = pa.dictionary(pa.int32(), pa.string()), pa.int32()
    return pa.schema(
        [
            pa.field("query_id", name, nullable=False),
            pa.field("scale", name, nullable=False),
            pa.field("phase", whole, nullable=False),
            pa.field("rank", whole, nullable=False),
            pa.field("chunk_id", name),
            pa.field("doc_id", name, nullable=False),
            pa.field("score", pa.float64(), nullable=False),
            pa.field("start", pa.int64()),
            pa.field("end", pa.int64()),
            pa.field("tokens", whole),
            pa.field("digest", name),
        ]
    )


def _table(
    run: Run, query_ids: Sequence[str], doc_ids: Sequence[str], documents: Sequence[Document]
) -> "pa.Table":
    import pyarrow as pa

    query, place = np.nonzero(run.ranking.document >= 0)
    chunk = run.ranking.chunk[query, place]
    columns = {
        "query_id": _names(query_ids, query),
        "scale": _names([run.scale], np.zeros(len(query), np.int32)),
        "phase": pa.array(np.full(len(query), run.text.table.phase if run.text else 0, np.int32)),
        "rank": pa.array((place + 1).astype(np.int32)),
        "doc_id": _names(doc_ids, run.ranking.document[query, place]),
        "score": pa.array(run.ranking.score[query, place]),
        **_of_text(run.text, chunk, documents),
    }
    schema = _schema()
    return pa.table([columns[name] for name in schema.names], schema=schema)


def _of_text(
    text: Text | None, chunk: NDArray[np.int32], documents: Sequence[Document]
) -> dict[str, "pa.Array"]:
    """The columns that say what a chunk is; nulls where there is no text."""
    import pyarrow as pa

    if text is None:
        kinds = {field.name: field.type for field in _schema() if field.nullable}
        return {name: pa.nulls(len(chunk), kind) for name, kind in kinds.items()}
    table = text.table
    rows, place = np.unique(chunk, return_inverse=True)
    digests = table.digests(documents)
    return {
        "chunk_id": _names([table.chunk_id(row, documents) for row in rows.tolist()], place),
        "start": pa.array(table.start[chunk]),
        "end": pa.array(table.end[chunk]),
        "tokens": pa.array(table.tokens[chunk]),
        "digest": _names([digests[row] for row in rows.tolist()], place),
    }


def _names(names: Sequence[str], place: NDArray[np.integer]) -> "pa.Array":
    """The name at each place, as a dictionary of distinct names.

    Where a dictionary holds a name twice, pyarrow writes bytes that it never set.
    """
    import pyarrow as pa

    return pa.array(names, pa.string()).take(pa.array(place)).dictionary_encode()
