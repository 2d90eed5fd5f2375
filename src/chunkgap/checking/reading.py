"""Reads the corpus as the configuration says, without holding it."""

from collections.abc import Iterator, Mapping

from chunkgap.config import Settings
from chunkgap.datasets.corpus import iter_documents
from chunkgap.datasets.findings import Findings
from chunkgap.errors import ConfigError
from chunkgap.inputs import REMEDY, corpus_options
from chunkgap.records import Document


class HeldDocuments(Mapping[str, Document]):
    """A corpus of which the ids are known and some texts are at hand.

    Attributes:
        asked: Ids of the documents whose text was asked for.
    """

    def __init__(self, has_text: Mapping[str, bool], documents: Mapping[str, Document]) -> None:
        self.asked: set[str] = set()
        self._has_text = has_text
        self._documents = documents

    def __getitem__(self, doc_id: str) -> Document:
        """The document; one that is not at hand has no text here."""
        if doc_id not in self._has_text:
            raise KeyError(doc_id)
        self.asked.add(doc_id)
        return self._documents.get(doc_id) or Document(doc_id, "")

    def __contains__(self, doc_id: object) -> bool:
        """Whether the corpus has the document, at hand or not."""
        return doc_id in self._has_text

    def __iter__(self) -> Iterator[str]:
        """All ids."""
        return iter(self._has_text)

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self._has_text)


def stream_documents(settings: Settings, findings: Findings) -> Iterator[Document]:
    """The documents in file order.

    Raises:
        ConfigError: No corpus is named.
        InputError: At the end, with all problems of all files.
    """
    if not settings.corpus:
        raise ConfigError(f"corpus: expected a folder or a file, got nothing. {REMEDY}")
    return iter_documents(settings.corpus, corpus_options(settings), findings=findings)
