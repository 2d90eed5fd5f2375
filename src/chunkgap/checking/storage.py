"""What fusion would cost if one size turned out the best: chunks of all sizes together, in those of that one."""

from collections.abc import Mapping

from chunkgap.formatting import as_given


def storage_warning(chunks: Mapping[str, int], max_storage: float) -> str:
    """Which sizes, if one of them turned out the best, would cost fusion its `go`; empty where none would.

    Args:
        chunks: Chunks of one placement, by the name of the size.
        max_storage: The most that all sizes may hold, in chunks of the best one.

    >>> storage_warning({"50": 400, "100": 210, "200": 120}, 5.0).split(",")[0]
    'If 200 turns out the best size'
    >>> storage_warning({"50": 400, "100": 210}, 5.0)
    ''
    """
    total = sum(chunks.values())
    dear = [name for name, own in chunks.items() if total / own > max_storage]
    if not dear or len(chunks) < 2:
        return ""
    any_of = f"{', '.join(dear[:-1])} or {dear[-1]}" if len(dear) > 1 else dear[0]
    return (
        f"If {any_of} turns out the best size, all sizes together hold more than max_storage "
        f"({as_given(max_storage)}) times its chunks, and the verdict is no-go whatever fusion wins. In that case "
        "measure again without the finest sizes, or raise decision.max_storage."
    )
