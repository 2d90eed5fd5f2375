"""Tables in Parquet, through pyarrow."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from chunkgap.datasets.archives import MAX_BYTES
from chunkgap.datasets.cells import TAG_COLUMN
from chunkgap.datasets.findings import Findings, printable
from chunkgap.datasets.record import Fields, Record
from chunkgap.errors import InputError

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData

_BATCH = 1000


def read_parquet(
    path: Path, findings: Findings, fields: Fields, *, needed: Sequence[str]
) -> Iterator[Record]:
    """The rows, of which only the columns that a field is found in are read; places count rows from 1.

    Raises:
        InputError: If it is not a Parquet file, or a damaged one.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as table:
            header = tuple(table.schema_arrow.names)
            _check_size(path, table.metadata)
            missing = fields.without_column(header, needed)
            for problem in missing:
                findings.problem(f"{path}: {problem}.")
            if missing:
                return
            found = fields.among(header)
            columns = [key for key in header if key in found.values() or key.startswith(TAG_COLUMN)]
            rows = chain.from_iterable(
                batch.to_pylist() for batch in table.iter_batches(_BATCH, columns=columns)
            )
            for number, row in enumerate(rows, 1):
                yield Record(f"{path}:row {number}", row)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = printable(str(error).partition("\n")[0], 200).removesuffix(".")
        raise InputError(
            f"{path}: expected a whole Parquet file, got a fault: {reason}. Write it again."
        ) from error


def _check_size(path: Path, metadata: "FileMetaData") -> None:
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if size > MAX_BYTES:
        raise InputError(
            f"{path}: expected at most {MAX_BYTES >> 30} GiB unpacked, got {size >> 30}. Split it."
        )
