"""A run file as columns, and as a ranking: rankings made elsewhere, put into the one order."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.trec import read_run
from chunkgap.ranking import Ranking, rank_chunks


@dataclass(frozen=True, eq=False)
class RunFile:
    """The results of one scale, n lines in file order.

    Attributes:
        scale: Its name.
        path: The file.
        query_ids: Distinct query ids, in order of appearance.
        names: Distinct ids of what was retrieved, chunks or documents, in order of appearance.
        doc_ids: The document of each name.
        query: Row in `query_ids` of each line, shape (n,).
        name: Row in `names` of each line, shape (n,).
        score: Higher is better, shape (n,).
    """

    scale: str
    path: Path
    query_ids: Sequence[str]
    names: Sequence[str]
    doc_ids: Sequence[str]
    query: NDArray[np.int32]
    name: NDArray[np.int32]
    score: NDArray[np.float64]

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """Lines whose document has the id of the query itself, shape (n,)."""
        rows = {query_id: row for row, query_id in enumerate(self.query_ids)}
        same = np.array([rows.get(doc_id, -1) for doc_id in self.doc_ids], dtype=np.int32)
        return np.asarray(same[self.name] == self.query)


def read_run_file(
    scale: str, path: Path, *, encoding: str = "utf-8", separator: str | None = None
) -> RunFile:
    """Stream a run into columns; ids are kept once each.

    Args:
        scale: The scale whose results it holds.
        path: The file, plain, `.gz` or `.zst`.
        encoding: Of the file.
        separator: What ends the document's id in a chunk's id, at its last place there, since ids of
            documents may hold it too; None: the ids are documents.

    Raises:
        InputError: With all faulty lines, ids without the separator, and ids that come twice for a query.
    """
    queries: dict[str, int] = {}
    names: dict[str, int] = {}
    query, name, score, number = array("i"), array("i"), array("d"), array("q")
    for line in read_run(path, encoding=encoding):
        query.append(queries.setdefault(line.query_id, len(queries)))
        name.append(names.setdefault(line.doc_id, len(names)))
        score.append(line.score)
        number.append(line.line)
    run = RunFile(
        scale,
        path,
        list(queries),
        list(names),
        _documents(path, list(names), separator),
        np.frombuffer(query, dtype=np.int32),
        np.frombuffer(name, dtype=np.int32),
        np.frombuffer(score, dtype=np.float64),
    )
    lines = np.frombuffer(number, dtype=np.int64)
    _refuse_repeats(run, lines, what="document" if separator is None else "chunk")
    return run


def rank_run(
    run: RunFile, query_ids: Sequence[str], rows: Mapping[str, int], *, exclude_same_id: bool = False
) -> Ranking:
    """The results of `query_ids` in the one order; a query without results has a row of padding.

    The ids stand in for a chunk table: ascending by document, then by id. Tokens are unknown, 0 everywhere.

    Args:
        run: The results; those of other queries are left out.
        query_ids: The queries, by row of the ranking.
        rows: Corpus row of every `doc_id`; rows ascend with the ids.
        exclude_same_id: Whether a document that has the id of the query is left out of its results.
    """
    by_place = sorted(range(len(run.names)), key=lambda name: (run.doc_ids[name], run.names[name]))
    chunk_of = np.empty(len(by_place), dtype=np.int32)
    chunk_of[by_place] = np.arange(len(by_place), dtype=np.int32)
    wanted = {query_id: row for row, query_id in enumerate(query_ids)}
    query = np.array([wanted.get(query_id, -1) for query_id in run.query_ids], dtype=np.int32)[run.query]
    kept = query >= 0
    if exclude_same_id:
        kept &= ~run.own
    return rank_chunks(
        query[kept],
        chunk_of[run.name[kept]],
        run.score[kept],
        queries=len(query_ids),
        document=np.array([rows[run.doc_ids[name]] for name in by_place], dtype=np.int32),
        tokens=np.zeros(len(by_place), dtype=np.int32),
    )


def _documents(path: Path, names: Sequence[str], separator: str | None) -> list[str]:
    """The document that each id names."""
    if separator is None:
        return list(names)
    findings, doc_ids = Findings(), []
    for name in names:
        doc_id, found, _ = name.rpartition(separator)
        if not (found and doc_id):
            findings.problem(
                f"{path}: expected chunk ids as document{separator}chunk, got {shown(name)}. "
                "Set run_separator, or run_ids: document."
            )
        doc_ids.append(doc_id)
    findings.raise_problems()
    return doc_ids


def _refuse_repeats(run: RunFile, lines: NDArray[np.int64], *, what: str) -> None:
    """Report every line that names what an earlier one has named for the same query, in the order of the file."""
    pair = run.query.astype(np.int64) * len(run.names) + run.name
    _, first, place = np.unique(pair, return_index=True, return_inverse=True)
    remedy = "Remove one, or set run_ids: chunk" if what == "document" else "Remove one"
    findings = Findings()
    for row in np.flatnonzero(first[place] != np.arange(len(pair))).tolist():
        again = f"{shown(run.names[run.name[row]])} again for {shown(run.query_ids[run.query[row]])}"
        findings.problem(
            f"{run.path}:{lines[row]}: expected each {what} once for a query, got {again} "
            f"(first at line {lines[first[place[row]]]}). {remedy}."
        )
    findings.raise_problems()
