"""Reader of tables from CSV or Parquet files."""

import gzip
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from radmm.base.errors import InputError
from radmm.data.tables.columns import Table, make_column
from radmm.data.tables.spelling import PLAIN, Spelling

INDEX = ("", "__index_level_0__")  # names of the column that pandas writes for an index without a name
SEPARATORS = ";\t|,"  # that a file may have instead


@dataclass(frozen=True)
class TableFormat:
    """How the files of a table are written.

    Args:
        missing_values: Texts that stand for a missing value, besides an empty one.
        separator: Character between the fields of a CSV file.
        names: Names of a CSV file's columns, if its first line doesn't have them.
        spelling: How numbers are spelled.
        encoding: Encoding of a CSV file.
    """

    missing_values: Collection[str] = ("?", "NA", "NaN", "nan", "null")
    separator: str = ","
    names: Sequence[str] | None = None
    spelling: Spelling = PLAIN
    encoding: str = "utf8"


PLAIN_CSV = TableFormat()


def read_table_files(files: Sequence[Path], ignore: Collection[str], form: TableFormat) -> Table:
    """Return the columns by name, in the files' order.

    Args:
        files: CSV files, gzipped or not, or Parquet files, one below the other.
        form: How the files are written.
    """
    tables = [_read_parquet(file) if file.suffix == ".parquet" else _read_csv(file, form) for file in files]
    found = tables[0].column_names
    twice = sorted({name for name in found if found.count(name) > 1})
    if twice:
        raise InputError(f"{files[0]}: the column {twice[0]!r} is there twice: must have one name for each column")
    strange = [name for name in ignore if name not in found]
    if strange:
        raise InputError(f"data.ignore names the column {strange[0]!r}, which {files[0]} doesn't have")
    whole = pa.concat_tables(tables).drop_columns([name for name in found if name in ignore])
    if whole.num_rows == 0:
        raise InputError(f"{files[0]} has no rows: must have at least one below its header")
    return {
        name: make_column(whole.column(name), f"{files[0]}: the column {name!r}", form.missing_values, form.spelling)
        for name in whole.column_names
    }


def without_index(table: Table, named: Collection[str]) -> Table:
    """Return the table without the column that pandas writes for an index without a name, unless it is asked for.

    Args:
        named: Columns that the user names.
    """
    unnamed = [name for name in (next(iter(table), None), INDEX[1]) if name in INDEX and name not in named]
    return {name: column for name, column in table.items() if name not in unnamed}


def _read_parquet(file: Path) -> pa.Table:
    try:
        return pq.ParquetFile(file).read()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or _first_line(error)}: must be a Parquet file") from None
    except pa.ArrowInvalid as error:
        raise InputError(f"{file}: {_first_line(error)}: must be a Parquet file") from None


def _read_csv(file: Path, form: TableFormat) -> pa.Table:
    separator, encoding = form.separator, form.encoding
    reading: Any = {
        "parse_options": pyarrow.csv.ParseOptions(delimiter=separator),
        "read_options": pyarrow.csv.ReadOptions(column_names=form.names, encoding=encoding),
    }
    try:
        with pyarrow.csv.open_csv(file, **reading) as opened:
            columns = opened.schema.names
        texts = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(columns, pa.string()))
        read: pa.Table = pyarrow.csv.read_csv(file, convert_options=texts, **reading)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or _first_line(error)}: must be a CSV file") from None
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        _check_text(file, encoding)
        if other := _other_separator(file, separator, encoding):
            raise InputError(_with_other_separator(file, separator, other)) from None
        raise InputError(
            f"{file}: {_first_line(error)}: must be a CSV file whose first line has the columns' names"
        ) from None
    if len(columns) == 1 and (other := _other_separator(file, separator, encoding)):
        raise InputError(_with_other_separator(file, separator, other))
    return read


def _check_text(file: Path, encoding: str) -> None:
    content = _content(file)
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        guess = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
        raise InputError(
            f"{file}: line {line} is no text in the encoding {encoding}: data.encoding must name another, like {guess}"
        ) from None


def _other_separator(file: Path, separator: str, encoding: str) -> str:
    """Return the character that the first line seems to have between fields, if it has none of the stated ones."""
    first = _content(file).decode(encoding, errors="replace").split("\n", 1)[0]
    counts = {each: first.count(each) for each in SEPARATORS}
    best = max(counts, key=lambda each: counts[each])
    return best if separator not in first and counts[best] else ""


def _with_other_separator(file: Path, separator: str, other: str) -> str:
    return f"{file}: the first line has {other!r} between fields, no {separator!r}: data.separator must be {other!r}"


def _content(file: Path) -> bytes:
    try:
        return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    except (OSError, EOFError) as error:
        raise InputError(f"{file}: {error}: must be a CSV file") from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
