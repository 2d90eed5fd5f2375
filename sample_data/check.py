"""Checks that the sample corpus and its queries keep the promises of their README.

Usage: `python sample_data/check.py`. Prints every problem and exits with 1, or one summary line and exits
with 0. Only the standard library is needed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

QUERY_TYPES = frozenset({"fact", "procedure", "overview", "comparison", "table"})
DOCUMENTS = range(40, 61)
WORDS = range(150, 2501)
MIN_QUERIES = 150
COMPARED = range(2, 4)


def check(folder: Path) -> list[str]:
    """Return all problems of a sample folder, each as `place: what is wrong`; empty when there are none.

    Args:
        folder: holds `corpus/` and `queries.jsonl`.
    """
    documents, problems = read_corpus(folder / "corpus")
    queries, unreadable = read_queries(folder / "queries.jsonl")
    problems += unreadable
    problems += check_corpus(documents)
    problems += check_query_set(queries)
    for query in queries:
        problems += check_query(query, documents)
    return problems


def read_corpus(corpus: Path) -> tuple[dict[str, str], list[str]]:
    """Return the text of each readable document by id, and a problem for each one that is not plain UTF-8."""
    documents: dict[str, str] = {}
    problems: list[str] = []
    for path in sorted(corpus.rglob("*.md")):
        doc_id = path.relative_to(corpus).as_posix()
        try:
            # Bytes, not read_text: spans count code points of the file as it is, so newlines stay untouched.
            documents[doc_id] = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(f"{doc_id}: expected UTF-8, got an undecodable byte at offset {error.start}")
    return documents, problems


def read_queries(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the queries of a JSONL file, and a problem for each line that is not an object of its keys."""
    keys = {"_id", "text", "relevant", "spans", "tags"}
    queries: list[dict[str, Any]] = []
    problems: list[str] = []
    for number, line in enumerate(path.read_bytes().decode("utf-8").splitlines(), start=1):
        try:
            query = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(f"{path.name}:{number}: not JSON, {error.msg}")
            continue
        if isinstance(query, dict) and query.keys() == keys:
            queries.append(query)
        else:
            problems.append(
                f"{path.name}:{number}: expected an object with the keys {', '.join(sorted(keys))}"
            )
    return queries, problems


def check_corpus(documents: dict[str, str]) -> list[str]:
    """Check how many documents there are, and the length and line endings of each."""
    problems: list[str] = []
    if len(documents) not in DOCUMENTS:
        problems.append(f"corpus: expected {_span(DOCUMENTS)} documents, got {len(documents)}")
    for doc_id, text in documents.items():
        words = len(text.split())
        if words not in WORDS:
            problems.append(f"{doc_id}: expected {_span(WORDS)} words, got {words}")
        if "\r" in text or text.startswith("\ufeff"):
            problems.append(f"{doc_id}: expected LF line endings and no byte order mark")
    return problems


def check_query_set(queries: list[dict[str, Any]]) -> list[str]:
    """Check the number of queries, and that neither an id nor a text occurs twice."""
    problems: list[str] = []
    if len(queries) < MIN_QUERIES:
        problems.append(f"queries: expected at least {MIN_QUERIES}, got {len(queries)}")
    for key, name in (("_id", "id"), ("text", "text")):
        counts = Counter(query[key] for query in queries)
        problems += [f"queries: {name} {value!r} occurs {n} times" for value, n in counts.items() if n > 1]
    return problems


def check_query(query: dict[str, Any], documents: dict[str, str]) -> list[str]:
    """Check one query's type, its relevant documents and its evidence spans."""
    place, relevant, kind = query["_id"], query["relevant"], query["tags"].get("type")
    problems: list[str] = []
    if not query["text"].strip():
        problems.append(f"{place}: the text is blank")
    if kind not in QUERY_TYPES:
        problems.append(f"{place}: tags.type expected one of {', '.join(sorted(QUERY_TYPES))}, got {kind!r}")
    if kind == "comparison" and len(relevant) not in COMPARED:
        problems.append(
            f"{place}: a comparison has {_span(COMPARED)} relevant documents, got {len(relevant)}"
        )
    if not relevant:
        problems.append(f"{place}: no relevant document")
    if len(set(relevant)) < len(relevant):
        problems.append(f"{place}: a relevant document is named twice")
    problems += [
        f"{place}: relevant document {doc!r} does not exist" for doc in relevant if doc not in documents
    ]
    without = sorted(set(relevant) - {span["doc"] for span in query["spans"]})
    problems += [f"{place}: no span in relevant document {doc!r}" for doc in without]
    for span in query["spans"]:
        problems += [f"{place}: {fault}" for fault in check_span(span, relevant, documents)]
    return problems


def check_span(span: dict[str, Any], relevant: list[str], documents: dict[str, str]) -> list[str]:
    """Check that a span lies inside a relevant document and is tight: no white space at either end."""
    doc, start, end = span["doc"], span["start"], span["end"]
    if doc not in relevant:
        return [f"span in {doc!r}, which is not relevant"]
    if doc not in documents:
        return []  # already reported as a relevant document that does not exist
    length = len(documents[doc])
    if not 0 <= start < end <= length:
        return [f"span [{start}, {end}) of {doc!r} is empty or outside its {length} code points"]
    evidence = documents[doc][start:end]
    if evidence != evidence.strip():
        return [f"span [{start}, {end}) of {doc!r} is blank, or starts or ends with white space"]
    return []


def summary(folder: Path) -> str:
    """Return one line with the counts of a folder that passed `check`."""
    documents, _ = read_corpus(folder / "corpus")
    queries, _ = read_queries(folder / "queries.jsonl")
    types = Counter(query["tags"]["type"] for query in queries)
    words = sum(len(text.split()) for text in documents.values())
    by_type = ", ".join(f"{kind} {types[kind]}" for kind in sorted(types))
    spans = sum(len(query["spans"]) for query in queries)
    corpus = f"{len(documents)} documents, {words:,} words"
    return f"{corpus}; {len(queries)} queries ({by_type}), {spans} spans: all good"


def main(folder: Path) -> int:
    """Print the problems of `folder`, or the summary, and return the exit status."""
    problems = check(folder)
    print("\n".join(problems) if problems else summary(folder))  # noqa: T201  (a script: printing is its job)
    return 1 if problems else 0


def _span(numbers: range) -> str:
    """Return the first and last number of a range in words, as `40 to 60`."""
    return f"{numbers[0]:,} to {numbers[-1]:,}"


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
