"""The names of the measures, which cutoffs each accepts, and how `recall@5` is read."""

from difflib import get_close_matches

from chunkgap.errors import ConfigError
from chunkgap.ranking import Cutoff

DOCUMENT_MEASURES = ("recall", "success", "ndcg", "rr")
EVIDENCE_MEASURES = (
    "evidence_recall",
    "evidence_precision",
    "evidence_precision_sum",
    "evidence_iou",
    "evidence_iou_sum",
    "complete_evidence",
    "first_evidence",
)
ANSWER_MEASURES = ("answer_recall",)
MEASURES = DOCUMENT_MEASURES + EVIDENCE_MEASURES + ANSWER_MEASURES


def parse_measure(text: str, *, place: str = "measure") -> tuple[str, Cutoff]:
    """Reads a measure with its cutoff, such as `recall@5`, `success@5c` or `evidence_recall@2000t`.

    Args:
        text: Name, `@`, cutoff.
        place: Where the text stands, for the error message.

    Raises:
        ConfigError: No cutoff, an unknown name, or a cutoff that the measure does not accept.

    >>> name, cutoff = parse_measure("evidence_recall@2000t")
    >>> name, cutoff.unit
    ('evidence_recall', 'tokens')
    """
    name, at, amount = text.partition("@")
    check_name(name, place=place)
    if not at:
        raise ConfigError(f"{place}: expected a measure with its cutoff, got {text}. Write {_example(name)}.")
    cutoff = Cutoff.parse(amount)
    if not accepts(name, cutoff):
        raise ConfigError(
            f"{place}: expected a cutoff in chunks or tokens for {name}, which is about text, got {text}. "
            f"Write {name}@{cutoff.amount}c (chunks) or {name}@2000t (tokens)."
        )
    return name, cutoff


def check_name(name: str, *, place: str = "measure") -> None:
    """Makes sure that a measure exists.

    Raises:
        ConfigError: There is none of that name; the message has the nearest ones.
    """
    if name in MEASURES:
        return
    near = get_close_matches(name, MEASURES, n=3, cutoff=0.5)
    advice = f"Did you mean {' or '.join(near)}?" if near else f"Choose one of {', '.join(MEASURES)}."
    raise ConfigError(f"{place}: expected a measure, got {name or 'nothing'}. {advice}")


def accepts(name: str, cutoff: Cutoff) -> bool:
    """Whether a measure is defined at a cutoff.

    Document measures are, at all of them. Evidence and answer measures judge the text that was read; "the
    first 5 documents" does not say how much of each was, so they take chunks and tokens alone.
    """
    return name in DOCUMENT_MEASURES or cutoff.unit != "documents"


def _example(name: str) -> str:
    return f"{name}@5" if name in DOCUMENT_MEASURES else f"{name}@5c"
