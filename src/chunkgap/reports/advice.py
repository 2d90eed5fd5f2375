"""What to do next: the verdict's headline, and one or two sentences that put verdict, controls and sets together."""

from collections.abc import Iterator

from chunkgap.analysis.fusions import DEEPER, MATCHED, PHASES_OF, VOTES_WITHIN
from chunkgap.formatting import number
from chunkgap.reports.wording import (
    best_control,
    best_fixed_vectors,
    gain_text,
    rival_control,
    scales_word,
    storage_of,
    storage_text,
)
from chunkgap.results import Results, Row, ScaleSet

_HEADLINES = {
    "go": "Go: index at several sizes and fuse them.",
    "no-go": "No-go: stay with one size.",
    "cannot decide": "Cannot decide: these queries do not settle it.",
}

_DOING = {
    VOTES_WITHIN: "ranking its documents by the votes of their chunks",
    DEEPER: "ranking its documents by the votes of a longer list",
    PHASES_OF: "a second index of it, shifted by half a step, fused with the first,",
    MATCHED: "as many shifted indexes of it as there are sizes, fused,",
}


def headline(results: Results) -> str:
    """The verdict in a few words."""
    if len(results.scales) < 2:
        return f"No verdict: one {scales_word(results)[:-1]} alone, nothing to fuse."
    if any(notice.blocking for notice in results.notices):
        return "No verdict: a warning forbids it."
    if _too_large(results):
        return f"No-go: all {len(results.scales)} {scales_word(results)} together need too much storage."
    if results.verdict.word == "go" and _cheaper_rival(results) is not None:
        return f"Go by the rule, but one {scales_word(results)[:-1]} did as well: try that first."
    if results.verdict.word == "go" and results.command == "score":
        return "Go: fuse these runs."
    return _HEADLINES[results.verdict.word]


def next_step(results: Results) -> str:
    """What to do next, on one line; empty where nothing was compared."""
    if any(notice.blocking for notice in results.notices):
        return "Next: mend what the first warning names, and measure again."
    if len(results.scales) < 2 or results.verdict.gain is None:
        return ""
    return f"Next: {' '.join(_steps(results))}"


def _steps(results: Results) -> Iterator[str]:
    rival, chosen = _cheaper_rival(results), results.smaller_set
    if results.verdict.word != "go":
        later = " for now" if results.verdict.word == "cannot decide" else ""
        yield f"keep {results.primary.best_fixed}{later}."
        yield from _control_to_try(results)
    elif rival is not None:
        reached = f"{number(rival.value)}{_at_storage(rival, results)}"
        yield f"try {_DOING[rival.name]} which reached {reached}, before you index several {scales_word(results)}."
    elif chosen is None:
        yield f"index all {len(results.scales)} {scales_word(results)}."
    if _too_large(results):
        yield from _set_that_fits(results)
    elif chosen is not None and results.verdict.word != "no-go":
        yield _try_set(chosen, results)


def _control_to_try(results: Results) -> Iterator[str]:
    """A control over one scale that surely gains over it, or that did as well as fusion for less."""
    control = best_control(results)
    found = results.comparison(control.name) if control else None
    if control is None or found is None:
        return
    doing, gain = (
        _DOING[control.name],
        f"{gain_text(found.difference, decimals=3)}{_at_storage(control, results)}",
    )
    if found.difference.low > 0:
        yield f"{doing[0].upper()}{doing[1:]} gains {gain}: try that first."
    elif control == _cheaper_rival(results):
        than = f"not surely better than {results.primary.best_fixed} alone"
        yield f"{doing[0].upper()}{doing[1:]} did as well as fusion, though {than}: {gain}."


def _try_set(chosen: ScaleSet, results: Results) -> str:
    """The cheapest set of several scales that is within one standard error of the best."""
    names, storage = " + ".join(chosen.scales), storage_text(chosen.vectors or None, results)
    price = f" at {storage}" if storage else ""
    if results.verdict.word == "go":
        told = f"index {names}: the smallest set within one standard error of the best"
    else:
        told = (
            f"To settle fusion, measure {names} alone, the smallest set within one standard error of the best"
        )
    return f"{told} ({number(chosen.value)}{price})."


def _too_large(results: Results) -> bool:
    """Whether storage alone made it a no-go: the gain would not have."""
    verdict = results.verdict
    if verdict.word != "no-go" or verdict.storage is None or verdict.gain is None:
        return False
    return verdict.storage > verdict.max_storage and not verdict.gain.high < verdict.min_gain


def _set_that_fits(results: Results) -> Iterator[str]:
    """The best set of several scales within the bounds of storage, where it is better than the best fixed scale."""
    most = results.verdict.max_storage * best_fixed_vectors(results)
    fitting = [found for found in results.sets if len(found.scales) > 1 and found.vectors <= most]
    best = max(fitting, key=lambda found: (found.value, -found.vectors), default=None)
    if best is None or best.value <= results.primary.best_fixed_value:
        return
    reached = f"{number(best.value)} at {storage_text(best.vectors, results)} its storage"
    yield f"Within the bounds, {' + '.join(best.scales)} reached {reached}: measure these alone to judge them."


def _cheaper_rival(results: Results) -> Row | None:
    """A control over one scale that does as well as fusion and stores no more."""
    control = rival_control(results)
    if control is None or control.vectors is None:
        return control
    return control if control.vectors <= sum(scale.phases[0].vectors for scale in results.scales) else None


def _at_storage(row: Row, results: Results) -> str:
    storage = storage_of(row, results)
    return f" at {storage} its storage" if storage else ""
