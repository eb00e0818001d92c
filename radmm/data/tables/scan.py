"""Scans of users' files for the size of their data sets, cached by the file's content and the recipe."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from radmm.base.errors import InputError
from radmm.base.regular_files import require_regular
from radmm.base.store import fault, file_hash, user_cache, write_json
from radmm.data.source import Features, Size
from radmm.data.tables.columns import column_of_numbers
from radmm.data.tables.encode import encode
from radmm.data.tables.labels import rows_of_classes
from radmm.data.tables.libsvm import encode_rows, read_libsvm, survey_rows
from radmm.data.tables.read import PLAIN_CSV, TableFormat, read_table_files, without_index
from radmm.data.tables.recipe import Recipe
from radmm.data.tables.summary import ColumnSummary, summarise
from radmm.data.tables.survey import survey
from radmm.data.tables.suspicions import Suspicion, suspicions_of, suspicions_of_labels

VERSION = 2  # of what a scan tells: raised when the same file would be told differently


class Scan(NamedTuple):
    """All that settings and printed ε need to know of a file.

    Args:
        size: Rows, features and classes.
        caveat: What was taken from the data although no noise protects it.
        classes: Number of rows of each class.
        columns: What is in each column, and what becomes of it; none for LIBSVM files.
        suspicions: What may not be as it was meant.
    """

    size: Size
    caveat: str
    classes: Mapping[str, int] = MappingProxyType({})
    columns: Sequence[ColumnSummary] = ()
    suspicions: Sequence[Suspicion] = ()

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Scan":
        """Return the scan that was written to a file."""
        columns = [ColumnSummary(*each) for each in stored["columns"]]
        suspicions = [Suspicion(*each) for each in stored["suspicions"]]
        return cls(Size(*stored["size"]), str(stored["caveat"]), stored["classes"], columns, suspicions)


class Surveyed(NamedTuple):
    """A file that was read and found to be valid.

    Args:
        scan: Size and caveat of the file.
        encode: Function that makes its features.
    """

    scan: Scan
    encode: Callable[[], Features]


def survey_table(
    files: Sequence[Path], recipe: Recipe, ignore: Collection[str] = (), form: TableFormat = PLAIN_CSV
) -> Surveyed:
    """Read and survey a table, or raise an InputError that names the invalid row and column.

    Args:
        files: CSV or Parquet files, as `read_table_files` takes them.
        form: How the files are written.
    """
    whole = read_table_files(files, ignore, form)
    table = without_index(whole, [name for _, name in recipe.named()])
    found = survey(table, recipe, str(files[0]))
    seen = Scan(
        Size(int(found.kept.sum()), len(found.columns), len(found.classes)),
        found.caveat,
        rows_of_classes(found.labels[found.kept], found.classes),
        list(summarise(table, recipe, found, ignore, [name for name in whole if name not in table])),
        suspicions_of(table, recipe, found, str(files[0])),
    )
    return Surveyed(seen, lambda: encode(table, recipe, found))


def survey_libsvm(file: Path, recipe: Recipe) -> Surveyed:
    """Read and survey a LIBSVM file, or raise an InputError that names the invalid row."""
    rows = read_libsvm(file)
    found = survey_rows(rows, recipe, str(file))
    size = Size(rows.matrix.shape[0], rows.matrix.shape[1] + recipe.intercept, len(found.classes))
    labels, every = column_of_numbers(rows.labels), np.ones(len(rows.labels), dtype=bool)
    suspicions = list(suspicions_of_labels(labels, found.labels, every, recipe, f"{file}: the label"))
    seen = Scan(size, found.caveat, rows_of_classes(found.labels, found.classes), suspicions=suspicions)
    return Surveyed(seen, lambda: encode_rows(rows, recipe, found))


def scan(file: Path, parameters: Mapping[str, Any], sha256: str | None, look: Callable[[], Surveyed]) -> Scan:
    """Return what `look` finds, from the cache if it has seen the same content with the same parameters.

    Args:
        parameters: All of the user's parameters for the file.
        sha256: Required SHA-256 of its content, if given.
        look: Function that reads and surveys the file.
    """
    digest = checked_hash(file, sha256)
    key = json.dumps([VERSION, digest, str(file), parameters], sort_keys=True)
    kept = user_cache() / f"scan-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if not fault(kept):  # there, and whole
        return Scan.from_json(json.loads(kept.read_text(encoding="utf-8")))
    found = look().scan
    try:
        write_json(kept, found._asdict())
    except OSError:  # a folder that can't be written to costs time, not results
        return found
    return found


def checked_hash(file: Path, sha256: str | None) -> str:
    """Return the SHA-256 of a file, or raise an InputError if the file is missing or has another than required.

    Args:
        sha256: Required SHA-256, if given.
    """
    require_regular("data.file", file)
    try:
        digest = file_hash(file)
    except OSError as error:
        raise InputError(f"data.file = {file}: {error.strerror}: must be a file that can be read") from None
    if sha256 is not None and digest != sha256:
        raise InputError(f"data.file = {file} has SHA-256 {digest}: must be {sha256}, as data.sha256 says")
    return digest
