"""Reader of tables from CSV or Parquet files."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from radmm.base.errors import InputError
from radmm.data.tables.columns import Table, make_column

MISSING_VALUES = ("?", "NA", "NaN", "nan", "null")  # besides an empty field


def read_table(
    files: Sequence[Path],
    ignore: Collection[str] = (),
    missing_values: Collection[str] = MISSING_VALUES,
    separator: str = ",",
    names: Sequence[str] | None = None,
) -> Table:
    """Return the columns by name, in the files' order.

    Args:
        files: CSV files, gzipped or not, or Parquet files, one below the other.
        ignore: Columns to leave out.
        missing_values: Texts that stand for a missing value, besides an empty one.
        separator: Character between the fields of a CSV file.
        names: Names of a CSV file's columns, if its first line doesn't have them.
    """
    tables = [_read_parquet(file) if file.suffix == ".parquet" else _read_csv(file, separator, names) for file in files]
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
        name: make_column(whole.column(name), f"{files[0]}: the column {name!r}", missing_values)
        for name in whole.column_names
    }


def _read_parquet(file: Path) -> pa.Table:
    try:
        return pq.ParquetFile(file).read()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or _first_line(error)}: must be a Parquet file") from None
    except pa.ArrowInvalid as error:
        raise InputError(f"{file}: {_first_line(error)}: must be a Parquet file") from None


def _read_csv(file: Path, separator: str, names: Sequence[str] | None) -> pa.Table:
    reading: Any = {
        "parse_options": pyarrow.csv.ParseOptions(delimiter=separator),
        "read_options": pyarrow.csv.ReadOptions(column_names=names),
    }
    try:
        with pyarrow.csv.open_csv(file, **reading) as opened:
            columns = opened.schema.names
        texts = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(columns, pa.string()))
        read: pa.Table = pyarrow.csv.read_csv(file, convert_options=texts, **reading)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or _first_line(error)}: must be a CSV file") from None
    except pa.ArrowInvalid as error:
        raise InputError(
            f"{file}: {_first_line(error)}: must be a CSV file in UTF-8 whose first line has the columns' names"
        ) from None
    return read


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
