"""How long the documents of a corpus are, in tokens, and which sizes that suggests."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.checking.facts import CheckedCorpus
from chunkgap.checking.lengths import describe
from chunkgap.checking.parts import part_lengths
from chunkgap.checking.sizes import Suggestion, suggest_sizes
from chunkgap.checking.survey import Survey
from chunkgap.config import Settings
from chunkgap.placing import Cutter


def describe_corpus(settings: Settings, survey: Survey, cutter: Cutter) -> CheckedCorpus:
    """Counts and lengths.

    Args:
        settings: Where the corpus is.
        survey: What was read of it.
        cutter: The documents that the survey kept, tokenised.
    """
    parts = part_lengths(survey.sample, cutter.offsets)
    return CheckedCorpus(
        source=", ".join(str(path) for path in settings.corpus),
        documents=len(survey.has_text),
        characters=int(survey.characters.sum()),
        tokenised=len(survey.sample),
        is_complete=survey.is_complete,
        lengths=describe(document_tokens(survey, cutter)),
        parts={kind: describe(found) for kind, found in parts.items()},
        skipped=survey.skipped,
    )


def document_tokens(survey: Survey, cutter: Cutter) -> NDArray[np.int64]:
    """Tokens of every document: counted, or else its characters times the sample's tokens per character."""
    counted = np.array(cutter.tokens, dtype=np.int64)
    if survey.is_complete:
        return counted
    characters = sum(len(document.text) for document in survey.sample)
    estimated: NDArray[np.int64] = np.ceil(survey.characters * (counted.sum() / characters)).astype(np.int64)
    return estimated


def suggest_for(corpus: CheckedCorpus, settings: Settings) -> Suggestion:
    """Sizes between the median paragraph and the length that 90% of the documents do not exceed."""
    paragraphs = corpus.parts.get("paragraphs", corpus.lengths)
    return suggest_sizes(paragraphs.median, corpus.lengths.p90, settings.decision.max_storage)
