"""The corpus: documents from any of the accepted formats, checked, with ids, titles and a digest."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from chunkgap.datasets import beir, folder, squad
from chunkgap.datasets.document_maker import DocumentMaker
from chunkgap.datasets.files import Decoding
from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.jsonl import read_json, read_jsonl
from chunkgap.datasets.parquet import read_parquet
from chunkgap.datasets.record import DOCUMENT_FIELDS, Fields, Record
from chunkgap.datasets.sources import Source, corpus_sources
from chunkgap.datasets.tables import read_table
from chunkgap.errors import InputError
from chunkgap.records import Document

Title = Literal["auto", "join", "ignore"]


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    r"""How a corpus is read.

    Attributes:
        format: One of `sources.CORPUS_FORMATS`; None: by the name.
        encoding: How bytes become text.
        title: Whether a title is joined to the text, as `title + "\n" + text`: "auto" in BEIR folders only,
            "join" always, "ignore" never. An empty title joins nothing.
        fields: Column names by field (`id`, `text`, `title`) where they differ from the usual ones.
        delimiter: Of .csv and .tsv; None: found from the header.
        on_undecodable: Whether bytes in another encoding are an error or are left out, with a warning.
    """

    format: str | None = None
    encoding: str = "utf-8"
    title: Title = "auto"
    fields: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    on_undecodable: Literal["error", "skip"] = "error"


DEFAULT_OPTIONS = CorpusOptions()


@dataclass(frozen=True)
class Corpus:
    """All documents.

    Attributes:
        documents: Sorted by `doc_id`; a document's row is its place here.
        source: The path or paths as given.
        digest: SHA-256 of ids and texts in that order.
        warnings: What the user has to know.
        skipped: How many files or records were left out, by reason.
    """

    documents: tuple[Document, ...]
    source: str
    digest: str
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, Document]:
        """Each document by its id."""
        return {document.doc_id: document for document in self.documents}


def read_corpus(path: Path | Sequence[Path], options: CorpusOptions = DEFAULT_OPTIONS) -> Corpus:
    """Read all documents.

    Args:
        path: A folder, a file, a path with wildcards, or several of these.
        options: How it is read.

    Raises:
        InputError: With all problems of all files, one a line.
    """
    findings = Findings()
    found = iter_documents(path, options, findings=findings)
    documents = sorted(found, key=lambda document: document.doc_id)
    source = ", ".join(str(part) for part in _paths(path))
    return Corpus(tuple(documents), source, digest(documents), findings.warnings, dict(findings.skipped))


def iter_documents(
    path: Path | Sequence[Path], options: CorpusOptions = DEFAULT_OPTIONS, *, findings: Findings
) -> Iterator[Document]:
    """Stream the documents in file order, for corpora that need not be held in memory; ids alone are kept.

    Args:
        path: As in `read_corpus`.
        options: How it is read.
        findings: Collects warnings and what is skipped.

    Raises:
        InputError: At the end, with all problems of all files, one a line.
    """
    decoding = Decoding(options.encoding, options.on_undecodable)
    columns = Fields(DOCUMENT_FIELDS, options.fields)
    ids: dict[str, str] = {}
    for source in corpus_sources(_paths(path), options.format, findings):
        joins = options.title == "join" or (options.title == "auto" and source.format == "beir")
        maker = DocumentMaker(
            columns if _has_columns(source) else Fields(DOCUMENT_FIELDS), joins, ids, findings
        )
        try:
            for record in _records(source, decoding, findings, columns, options.delimiter):
                document = maker.make(record)
                if document is not None:
                    yield document
        except InputError as error:
            for problem in error.problems:
                findings.problem(problem)
    findings.raise_problems()
    findings.warn_of_left_out()
    if not ids:
        skipped = f" ({folder.skipped_in_words(findings)})" if findings.skipped else ""
        place = ", ".join(str(part) for part in _paths(path))
        endings = ", ".join(sorted(folder.ENDINGS))
        raise InputError(
            f"{place}: expected documents, got none{skipped}. Give .jsonl, .csv or files of {endings}."
        )


def digest(documents: Iterable[Document]) -> str:
    """SHA-256 over ids and texts, each preceded by its length, so that no two corpora look alike."""
    running = hashlib.sha256()
    for document in documents:
        for text in (document.doc_id, document.text):
            data = text.encode("utf-8")
            running.update(len(data).to_bytes(8, "little"))
            running.update(data)
    return running.hexdigest()


def _paths(path: Path | Sequence[Path]) -> Sequence[Path]:
    return (path,) if isinstance(path, Path) else tuple(path)


def _has_columns(source: Source) -> bool:
    return source.format not in {"folder", "document", "squad", "json"}


def _records(
    source: Source, decoding: Decoding, findings: Findings, fields: Fields, delimiter: str | None
) -> Iterator[Record]:
    path = source.path
    match source.format:
        case "folder":
            return folder.read_folder(path, decoding, findings)
        case "document":
            return folder.read_document(path, source.base, decoding, findings)
        case "beir":
            return read_jsonl(beir.corpus_file(path), decoding, findings)
        case "jsonl":
            return read_jsonl(path, decoding, findings)
        case "parquet":
            return read_parquet(path, findings, fields, needed=("id", "text"))
        case "json" | "squad":
            return _json_records(path, decoding, findings)
        case _:
            return read_table(path, decoding, findings, fields, needed=("id", "text"), delimiter=delimiter)


def _json_records(path: Path, decoding: Decoding, findings: Findings) -> Iterator[Record]:
    value = read_json(path, decoding)
    if not squad.is_squad(value):
        raise InputError(f"{path}: expected SQuAD JSON, got {shown(value)}. Write other documents as .jsonl.")
    return squad.documents(path, value, findings)
