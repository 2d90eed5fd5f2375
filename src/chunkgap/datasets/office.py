"""The text of .pdf and .docx files, through markitdown, which is an optional dependency."""

import zipfile
from pathlib import Path

from chunkgap.datasets.files import MAX_LINE
from chunkgap.datasets.findings import printable
from chunkgap.datasets.record import FieldError

ENDINGS = frozenset({".pdf", ".docx"})


def is_installed() -> bool:
    """Whether the extra `documents` is there."""
    from importlib.util import find_spec

    return find_spec("markitdown") is not None


def convert(path: Path) -> str:
    """The text of the document, as Markdown.

    Raises:
        FieldError: If the converter cannot read it, or if it unpacks beyond the bounds.
    """
    from markitdown import MarkItDown, MarkItDownException
    from markitdown.converters import DocxConverter, PdfConverter

    # All built-in converters together would take the bytes of a damaged file for plain text.
    converter = MarkItDown(enable_builtins=False, enable_plugins=False)
    converter.register_converter(PdfConverter())
    converter.register_converter(DocxConverter())
    try:
        _check_size(path)
        return str(converter.convert_local(path).text_content)
    except (MarkItDownException, zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        reason = printable(lines[-1].strip().removeprefix("- "), 200).rstrip(".?")
        raise FieldError(
            f"expected a {path.suffix.lower()} file that can be read, got a fault: {reason}. Save it again."
        ) from error


def _check_size(path: Path) -> None:
    """Refuse a .docx, which is a zip archive, that would fill the memory."""
    if path.suffix.lower() == ".docx":
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MAX_LINE:
            raise OSError(f"it unpacks to {size >> 20} MiB, {MAX_LINE >> 20} are allowed")
