"""Tables in Parquet, through pyarrow."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from chunkgap.datasets.archives import MAX_BYTES
from chunkgap.datasets.cells import TAG_COLUMN
from chunkgap.datasets.findings import Findings, printable, shown
from chunkgap.datasets.record import FieldError, Fields, Record, repeated_columns
from chunkgap.errors import InputError

if TYPE_CHECKING:
    from pyarrow import DataType
    from pyarrow.parquet import FileMetaData

_BATCH = 1000


def read_parquet(
    path: Path, findings: Findings, fields: Fields, *, needed: Sequence[str]
) -> Iterator[Record]:
    """The rows, of which only the columns that a field is found in are read; places count rows from 1.

    Maps become objects. Where the structs of a column hold different keys, Arrow gives each of them all keys,
    with null for those that it has not; these are left out.

    Raises:
        InputError: If it is not a Parquet file, or a damaged one.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow.types import is_nested

    try:
        with pq.ParquetFile(path) as table:
            header = tuple(table.schema_arrow.names)
            _check_size(path, table.metadata)
            problems = [f"{problem}." for problem in fields.without_column(header, needed)]
            problems += repeated_columns(header)
            for problem in problems:
                findings.problem(f"{path}: {problem}")
            if problems:
                return
            found = fields.among(header)
            columns = [key for key in header if key in found.values() or key.startswith(TAG_COLUMN)]
            rows = chain.from_iterable(
                batch.to_pylist() for batch in table.iter_batches(_BATCH, columns=columns)
            )
            nested = {key: kind for key in columns if is_nested(kind := table.schema_arrow.field(key).type)}
            for number, row in enumerate(rows, 1):
                place = f"{path}:row {number}"
                try:
                    yield Record(place, {**row, **{key: _plain(row[key], nested[key]) for key in nested}})
                except FieldError as error:
                    findings.problem(f"{place}: {error}")
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = printable(str(error).partition("\n")[0], 200).removesuffix(".")
        raise InputError(
            f"{path}: expected a whole Parquet file, got a fault: {reason}. Write it again."
        ) from error


def _plain(value: object, kind: "DataType") -> object:
    """A value of a nested type as JSON would give it.

    Raises:
        FieldError: If a map holds a key twice.
    """
    from pyarrow.types import is_map

    if isinstance(value, Mapping):
        return {key: _plain(part, kind.field(key).type) for key, part in value.items() if part is not None}
    if not isinstance(value, list):
        return value
    if not is_map(kind):
        return [_plain(part, kind.value_type) for part in value]
    found: dict[object, object] = {}
    for key, part in value:
        if key in found:
            raise FieldError(f"expected each key once, got {shown(key)} again. Remove one.")
        found[key] = _plain(part, kind.item_type)
    return found


def _check_size(path: Path, metadata: "FileMetaData") -> None:
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if size > MAX_BYTES:
        raise InputError(
            f"{path}: expected at most {MAX_BYTES >> 30} GiB unpacked, got {size >> 30}. Split it."
        )
