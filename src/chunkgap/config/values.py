"""Reads what is measured from a configuration: sizes, overlap, measures, cutoffs, the primary endpoint.

Each function takes what YAML gave and returns the value that `Settings` holds, or raises ValueError with
`expected X, got Y. Do Z.`; pydantic adds where it stands.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from fractions import Fraction

from chunkgap.config.texts import read_text
from chunkgap.config.wording import UnusableError, either, quoted, read_items, shown
from chunkgap.errors import ConfigError
from chunkgap.measures.specification import MEASURES, accepts
from chunkgap.ranking import Cutoff

MOST_SCALES = 12
LARGEST_SIZE = 1_000_000
_LONGEST_CUTOFF = 9

_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%")


def read_whole(value: object) -> object:
    """Let 2.56e2 pass as 256; whatever is no whole number goes on to pydantic, which refuses it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def read_sizes(value: object) -> tuple[int, ...]:
    """Read window sizes in tokens: a list, in the order given, or one size.

    >>> read_sizes([64, 2.56e2]), read_sizes(64)
    ((64, 256), (64,))
    """
    items = value if isinstance(value, (list, tuple)) else [value]
    if not items or value is None:
        raise ValueError(
            f"expected a list of sizes in tokens, got {shown(value)}. Write, for example, [100, 200]."
        )
    sizes = read_items(items, _size)
    if len(sizes) > MOST_SCALES:
        raise ValueError(f"expected at most {MOST_SCALES} sizes, got {len(sizes)}. Drop some.")
    _refuse_twice("size", sizes)
    return sizes


def read_overlap(value: object) -> int | str:
    """Read an overlap: whole tokens, or a percentage of the size as text.

    >>> read_overlap(8), read_overlap("12.5 %")
    (8, '12.5%')
    """
    whole = read_whole(value)
    if isinstance(whole, int) and not isinstance(whole, bool) and whole >= 0:
        return whole
    percent = _PERCENT.fullmatch(value) if isinstance(value, str) else None
    if percent and Fraction(percent[1]) < 100:
        return f"{percent[1]}%"
    raise ValueError(
        f'expected a number of tokens or a percentage below 100 such as "10%", got {shown(value)}. '
        "Write 0 for no overlap."
    )


def overlap_tokens(overlap: int | str, size: int) -> int:
    """Tokens that neighbouring windows of `size` tokens share, a percentage rounded down.

    >>> overlap_tokens("10%", 128), overlap_tokens(8, 128)
    (12, 8)
    """
    return overlap if isinstance(overlap, int) else int(size * Fraction(overlap.rstrip("%")) / 100)


def check_overlap(overlap: int | str, sizes: Sequence[int]) -> None:
    """Refuse an overlap in tokens that leaves a window of the smallest size no step forward.

    Raises:
        ValueError: The overlap is not smaller than every size.
    """
    smallest = min(sizes)
    if overlap_tokens(overlap, smallest) >= smallest:
        raise ValueError(
            f"expected fewer tokens than every size, got overlap {overlap} with size {smallest}. "
            "Lower the overlap, leave out that size, or write a percentage."
        )


def check_phases(phases: int, overlap: int | str, sizes: Sequence[int]) -> None:
    """Refuse more phases than windows can be placed in: some would be copies of others, and no luck between them.

    Raises:
        ValueError: A window moves on by fewer tokens than there are phases.
    """
    size, step = _smallest_step(overlap, sizes)
    if phases > step:
        raise ValueError(
            f"expected at most {step}, the tokens that a window of size {size} moves on, got {phases}. "
            "Set fewer phases, lower the overlap, or leave out that size."
        )


def check_matched(overlap: int | str, sizes: Sequence[int]) -> None:
    """Refuse a matched placebo that some size has too few different placements for; as `check_phases`.

    Raises:
        ValueError: A window moves on by fewer tokens than there are sizes.
    """
    size, step = _smallest_step(overlap, sizes)
    if len(sizes) > step:
        raise ValueError(
            f"expected windows that move on by at least {len(sizes)} tokens, as matched has so many phases as there "
            f"are sizes, got {step} at size {size}. Set off, lower the overlap, or leave out that size."
        )


def _smallest_step(overlap: int | str, sizes: Sequence[int]) -> tuple[int, int]:
    """The size whose windows move on by the fewest tokens, and these tokens."""
    size = min(sizes, key=lambda size: size - overlap_tokens(overlap, size))
    return size, size - overlap_tokens(overlap, size)


def read_cutoffs(value: object) -> tuple[str, ...]:
    """Read cutoffs: documents as numbers, chunks and tokens as text with their unit.

    >>> read_cutoffs([1, "5c", "2000t", 1e1])
    ('1', '5c', '2000t', '10')
    """
    return _read_each(value, _cutoff, "cutoff", example="[1, 5, 10]")


def read_measures(value: object) -> tuple[str, ...]:
    """Read measures: names, each taken at every cutoff, or `name@cutoff` for that cutoff alone.

    >>> read_measures(["recall", "evidence_recall@1000t"])
    ('recall', 'evidence_recall@1000t')
    """
    return _read_each(value, _measure, "measure", example="[recall]")


def check_cutoffs(cutoffs: Sequence[str], measures: Sequence[str]) -> None:
    """Refuse cutoffs that leave a measure without any at which it is defined.

    Raises:
        ValueError: A measure of text, such as evidence_recall, has cutoffs in documents alone.
    """
    for measure in measures:
        if not at_cutoffs([measure], cutoffs):
            raise ValueError(
                f"expected a cutoff in chunks or tokens for {measure}, got documents alone. "
                f"Add 5c or 2000t, or write {measure}@2000t among the measures."
            )


def at_cutoffs(measures: Sequence[str], cutoffs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pair measures with the cutoffs at which they are defined, in the order given, each pair once.

    >>> at_cutoffs(["recall", "evidence_recall", "rr@20"], ["1", "5c"])
    (('recall', '1'), ('recall', '5c'), ('evidence_recall', '5c'), ('rr', '20'))
    """
    pairs: dict[tuple[str, str], None] = {}
    for measure in measures:
        name, _, own = measure.partition("@")
        defined = (cutoff for cutoff in ([own] if own else cutoffs) if accepts(name, Cutoff.parse(cutoff)))
        pairs |= dict.fromkeys((name, cutoff) for cutoff in defined)
    return tuple(pairs)


def read_primary(value: object, pairs: Sequence[tuple[str, str]]) -> str:
    """Read the primary endpoint; None means recall@5 where it is computed, otherwise the first one.

    >>> read_primary(None, [("recall", "1"), ("recall", "5")])
    'recall@5'
    >>> read_primary(None, [("rr", "5c"), ("rr", "3")])
    'rr@3'
    """
    computed = [f"{name}@{cutoff}" for name, cutoff in pairs]
    if value is None:
        in_documents = [endpoint for endpoint in computed if not endpoint.endswith("c")]
        return "recall@5" if "recall@5" in computed else (in_documents or computed)[0]
    if isinstance(value, str) and value in computed:
        return value
    raise ValueError(
        f"expected one of the measures at a cutoff ({_few(computed)}), got {shown(value)}. "
        "Add its measure to the measures, or name another."
    )


def with_cutoff_of(primary: object, measures: object, cutoffs: object) -> object:
    """The cutoffs with that of the primary endpoint, where its measure is taken and they lack it.

    All three are as they were written; what is wrong with them is left to those who read each for good.

    >>> with_cutoff_of("recall@5c", ["recall"], [1, 10])
    [1, 10, '5c']
    """
    try:
        name, _, own = read_text(primary).partition("@")
        own, taken, given = _cutoff(own), read_measures(measures), read_cutoffs(cutoffs)
        is_new = (name, own) not in at_cutoffs(taken, given)
    except ValueError:
        return cutoffs
    if name in taken and is_new and own not in given:
        return [*(cutoffs if isinstance(cutoffs, (list, tuple)) else [cutoffs]), own]
    return cutoffs


def _size(item: object) -> int:
    size = read_whole(item)
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise UnusableError(
            f"expected whole numbers of at least 1, got {shown(item)}.",
            "Write sizes as [100, 200].",
            typed="Write --sizes 100,200.",
        )
    if size > LARGEST_SIZE:
        raise ValueError(f"expected at most {LARGEST_SIZE:,} tokens, got {shown(item)}. Lower it.")
    return size


def _cutoff(item: object) -> str:
    whole = read_whole(item)
    text = str(whole) if isinstance(whole, int) and not isinstance(whole, bool) else whole
    try:
        if isinstance(text, str) and len(text) <= _LONGEST_CUTOFF:
            return str(Cutoff.parse(text))
    except ConfigError:
        pass  # worded below, with the kind of what was given
    raise UnusableError(
        f"expected documents (5), chunks (5c) or tokens (2000t), got {shown(item)}.",
        "Write [1, 5, 10].",
        typed="Write --cutoffs 1,5,10.",
    )


def _measure(item: object) -> str:
    text = read_text(item)
    name, at, cutoff = text.partition("@")
    if name not in MEASURES:
        near = get_close_matches(name, MEASURES, n=1)
        advice = f"Did you mean {quoted(near[0])}?" if near else f"Choose from {either(MEASURES)}."
        raise ValueError(f"expected a measure, got {quoted(text)}. {advice}")
    if not at:
        return name
    own = _cutoff(cutoff)
    check_cutoffs([own], [name])
    return f"{name}@{own}"


def _read_each(value: object, read: Callable[[object], str], noun: str, *, example: str) -> tuple[str, ...]:
    """Read a list, or one thing alone, in which nothing stands twice."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if not items or value is None:
        raise ValueError(f"expected a list of {noun}s, got {shown(value)}. Write, for example, {example}.")
    found = read_items(items, read)
    _refuse_twice(noun, found)
    return found


def _refuse_twice(what: str, values: Sequence[int | str]) -> None:
    value, times = Counter(values).most_common(1)[0]
    if times > 1:
        raise ValueError(f"expected each {what} once, got {value} {times} times. Delete the others.")


def _few(endpoints: Sequence[str]) -> str:
    return ", ".join(endpoints[:8]) + (", ..." if len(endpoints) > 8 else "")
