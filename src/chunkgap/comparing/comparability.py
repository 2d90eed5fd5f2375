"""Whether two measurements may be compared: the same queries, the same corpus, the same primary endpoint.

The endpoint is the measure, the cutoff and the fusion, and whether documents with the id of the query count.
"""

from collections.abc import Collection, Iterator

from chunkgap.errors import ConfigError, NotComparableError
from chunkgap.results import Results

ALLOWED = ("corpus", "queries", "endpoint")


def check_comparable(a: Results, b: Results, allow: Collection[str]) -> tuple[str, ...]:
    """Refuse measurements that must not be compared.

    Args:
        a: One measurement.
        b: The other.
        allow: Any of `ALLOWED`.

    Returns:
        What differs and was allowed to, one sentence each.

    Raises:
        ConfigError: `allow` names something else.
        NotComparableError: Queries, corpus or primary endpoint differ and are not allowed to.
    """
    unknown = [name for name in allow if name not in ALLOWED]
    if unknown:
        raise ConfigError(
            f"allow: expected {', '.join(ALLOWED)}, got {', '.join(unknown)}. Choose among these."
        )
    differences = dict(_differences(a, b))
    refused = {name: told for name, told in differences.items() if name not in allow}
    if refused:
        raise NotComparableError(
            *(
                f"{name}: expected the same in both, got {told}. Pass --allow {name} to compare all the same."
                for name, told in refused.items()
            )
        )
    return tuple(f"{name}: {told}" for name, told in differences.items())


def _differences(a: Results, b: Results) -> Iterator[tuple[str, str]]:
    """What must be the same and is not, by its name in `ALLOWED`."""
    ids_a, ids_b = set(a.per_query.query_ids), set(b.per_query.query_ids)
    if ids_a != ids_b:
        yield (
            "queries",
            f"{len(ids_a)} and {len(ids_b)} evaluated queries, {len(ids_a & ids_b)} of them in both",
        )
    elif not _same_queries(a, b):
        yield "queries", f"other texts or labels under the same {len(ids_a)} ids"
    if not _same_corpus(a, b):
        yield "corpus", _corpora(a, b)
    if apart := list(_endpoints(a, b)):
        yield "endpoint", "; ".join(apart)


def _same_queries(a: Results, b: Results) -> bool:
    """Whether texts and labels are the same: of what is evaluated, as far as both files tell it."""
    if not (a.queries.evaluated_digest and b.queries.evaluated_digest):
        return a.queries.digest == b.queries.digest
    if _same_corpus(a, b):
        return a.queries.evaluated_digest == b.queries.evaluated_digest
    # evidence that is given as text moves when the corpus changes
    return a.queries.labels_digest == b.queries.labels_digest


def _same_corpus(a: Results, b: Results) -> bool:
    """Whether the corpora are the same; older files of `score` do not tell."""
    untold = a.command == b.command and "" in {a.corpus.digest, b.corpus.digest}
    return untold or a.corpus.digest == b.corpus.digest


def _corpora(a: Results, b: Results) -> str:
    """How two corpora differ; of run files only the ids that they and the judgements name are known."""
    if a.command == b.command == "score":
        return f"run files that name other documents, {a.corpus.documents} and {b.corpus.documents} with those judged"
    return f"two different ones, of {a.corpus.documents} and {b.corpus.documents} documents"


def _endpoints(a: Results, b: Results) -> Iterator[str]:
    """How two primary endpoints differ; a fusion that one of them does not have is not compared."""
    if a.endpoint.name != b.endpoint.name:
        yield f"{a.endpoint.name} and {b.endpoint.name}"
    if a.endpoint.fusion != b.endpoint.fusion and _is_fused(a) and _is_fused(b):
        yield f"fusion by {a.endpoint.fusion} and by {b.endpoint.fusion}"
    if {a.exclude_same_id, b.exclude_same_id} == {True, False}:
        yield "documents with the id of the query left out of one alone (exclude_same_id)"


def _is_fused(results: Results) -> bool:
    """Whether fusion has a form at the primary endpoint."""
    scores = results.per_query.scores.get(results.endpoint.name)
    return scores is not None and bool(scores.fusion)
