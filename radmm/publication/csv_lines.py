"""CSV files read line by line: a line is a row, and what it holds changes no other row.

A reader of whole files would let a quotation mark in one row swallow the next, or refuse a file for one of its rows.
"""

import csv
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.regular_files import require_regular


def read_columns(
    path: Path, separator: str, wanted: Sequence[str], ignored: Sequence[str], rows: int
) -> dict[str, list[str]]:
    """Return the texts of the wanted columns; an InputError tells of nothing but the header and the number of rows.

    A line with too few fields has empty ones, and further fields are left out; bytes that are no UTF-8 are replaced.

    Args:
        path: CSV file, gzipped if its name ends so.
        wanted: Columns to return.
        ignored: Columns that may be there besides.
        rows: Declared number of rows.
    """
    require_regular("data.file", path)
    try:
        lines = _fields(path, separator)
        header = [name.strip() for name in next(lines, [])]
        _check_header(path, header, wanted, ignored)
        place = [header.index(name) for name in wanted]
        found = [[line[at] if at < len(line) else "" for at in place] for line in lines]
    except InputError:
        raise
    except Exception as error:  # whatever it is, its own words might tell of a row
        reason = getattr(error, "strerror", None) or "not a whole file"
        raise InputError(f"data.file = {path}: {reason}: must be a CSV file that can be read") from None
    if len(found) != rows:
        raise InputError(f"data.rows = {rows}: must be {len(found)}, the number of lines below the header")
    return {name: [line[at] for line in found] for at, name in enumerate(wanted)}


def _fields(path: Path, separator: str) -> Iterator[list[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", errors="replace", newline="\n") as lines:
        for line in lines:
            yield _split(line, separator)


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(iter(csv.reader([line], delimiter=separator)), [])
    except csv.Error:  # such as a field beyond the module's limit: as if the line were empty
        return []


def _check_header(path: Path, header: Sequence[str], wanted: Sequence[str], ignored: Sequence[str]) -> None:
    for name in wanted:  # first of all: a line without these is a row, of which no field may be told
        if name not in header:
            raise InputError(f"{path}: there is no column {name!r}, which data declares: must be in the first line")
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    if twice:
        raise InputError(f"{path}: the column {twice[0]!r} is there twice: must have one name for each column")
    for name in header:
        if name not in wanted and name not in ignored:
            raise InputError(
                f"{path}: the column {name!r} must have data.bounds or data.categories, or be among data.ignore"
            )
