"""Whether two measurements may be compared: the same queries, the same corpus, the same primary endpoint."""

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
    elif a.queries.digest != b.queries.digest and not _spans_may_have_moved(a, b):
        yield "queries", f"other texts or labels under the same {len(ids_a)} ids"
    if a.corpus.digest != b.corpus.digest:
        yield "corpus", f"two different ones, of {a.corpus.documents} and {b.corpus.documents} documents"
    if a.endpoint.name != b.endpoint.name:
        yield "endpoint", f"{a.endpoint.name} and {b.endpoint.name}"


def _spans_may_have_moved(a: Results, b: Results) -> bool:
    """Whether evidence may be all that differs: spans given as text move when the corpus changes."""
    if a.corpus.digest == b.corpus.digest or not a.queries.with_spans:
        return False
    known = {query[0]: query for query in _queries(a)}
    return all(query == known[query[0]] for query in _queries(b))


def _queries(results: Results) -> Iterator[tuple[str, str, int]]:
    """Id, text and number of relevant documents of each query."""
    found = results.per_query
    return zip(found.query_ids, found.texts, found.relevant, strict=True)
