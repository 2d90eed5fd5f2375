"""`answer_recall`: whether an accepted answer can be read in one retrieved chunk."""

import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.retrieved import Retrieved


def answer_recall(
    answers: Sequence[Sequence[str]], retrieved: Retrieved, texts: "NormalisedTexts"
) -> NDArray[np.float64]:
    r"""1 when a normalised answer lies within the normalised text of one retrieved chunk, else 0.

    Answers are alternatives: any one of them will do, as in the top-k accuracy of Karpukhin et al., EMNLP
    2020. An answer cut in two by a chunk boundary is not found; large chunks have fewer boundaries and hold
    more text, so this measure favours them.

    Args:
        answers: Accepted answers of each query, length Q.
        retrieved: Where the chunks lie.
        texts: Of the same corpus; only chunks of queries with answers are read.

    Returns:
        Shape (Q,), 0 or 1, 0 without results; NaN for a query without an answer (blank ones do not count).

    >>> texts = NormalisedTexts(["In Paris,\nFrance."])
    >>> chunk = Retrieved(*(np.array([[value]]) for value in (0, 0, 15, True)))
    >>> answer_recall([["paris  FRANCE"]], chunk, texts).tolist()
    [0.0]
    >>> answer_recall([["nowhere", "IN PARIS"]], chunk, texts).tolist()
    [1.0]
    """
    scores = np.full(len(retrieved), np.nan)
    for row, accepted in enumerate(answers):
        wanted = [answer for answer in map(normalise, accepted) if answer]
        if wanted:
            chunks = _chunks_of(retrieved, row, texts)
            scores[row] = any(answer in chunk for chunk in chunks for answer in wanted)
    return scores


class NormalisedTexts:
    """Normalised slices of documents, each made once, when it is first asked for.

    It grows to the text of all chunks that were retrieved, at whatever scale.

    Args:
        texts: Text of each document, by corpus row.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._slices: dict[tuple[int, int, int], str] = {}

    def slice(self, document: int, start: int, end: int) -> str:
        """The code points `[start, end)` of a document, normalised."""
        place = (document, start, end)
        if place not in self._slices:
            self._slices[place] = normalise(self._texts[document][start:end])
        return self._slices[place]


def normalise(text: str) -> str:
    r"""Folds what answers and documents write differently: case, compatibility forms, runs of white space.

    Unicode NFKC, then case folding, then NFKC again (folding can undo it), then every run of white space
    becomes one blank and the ends are stripped. Punctuation and accents stay.

    >>> normalise(" The\n ﬁrst  STRASSE ")
    'the first strasse'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def _chunks_of(retrieved: Retrieved, row: int, texts: NormalisedTexts) -> Iterator[str]:
    """The normalised texts of one query's chunks inside the cutoff, best first."""
    inside = retrieved.inside[row]
    columns = (retrieved.document[row, inside], retrieved.start[row, inside], retrieved.end[row, inside])
    for document, start, end in zip(*(column.tolist() for column in columns), strict=True):
        yield texts.slice(document, start, end)
