"""How large a file's data set is, found out once for each content of the file and what is said about it."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from radmm.base.errors import InputError
from radmm.base.regular import require_regular
from radmm.base.store import fault, file_hash, user_cache, write_json
from radmm.data.source import Features, Size
from radmm.data.tables.encode import encode
from radmm.data.tables.libsvm import encode_rows, read_libsvm, survey_rows
from radmm.data.tables.read import MISSING_VALUES, read_table
from radmm.data.tables.recipe import Recipe
from radmm.data.tables.survey import survey

VERSION = 1  # of what a scan tells: raised when the same file would be told differently


class Scan(NamedTuple):
    """What settings and every printed ε need to know of a file.

    Args:
        size: Its rows, features and classes.
        caveat: What was taken from the data although no noise protects it.
    """

    size: Size
    caveat: str


class Surveyed(NamedTuple):
    """A file that was read and found to be in order.

    Args:
        scan: What is known of it.
        encode: Makes its features.
    """

    scan: Scan
    encode: Callable[[], Features]


def survey_table(
    files: Sequence[Path],
    recipe: Recipe,
    *,
    ignore: Collection[str] = (),
    missing_values: Collection[str] = MISSING_VALUES,
    separator: str = ",",
    names: Sequence[str] | None = None,
) -> Surveyed:
    """Read a table; an InputError names the row and the column that are not in order.

    Args:
        files: As `read_table` takes them, and all that follows.
        recipe: What is said about its columns.
        ignore: Columns that are left out.
        missing_values: Texts that stand for a missing value.
        separator: Between the fields of a CSV file.
        names: Of a CSV file's columns, if its first line doesn't have them.
    """
    table = read_table(files, ignore, missing_values, separator, names)
    found = survey(table, recipe, str(files[0]))
    size = Size(int(found.kept.sum()), len(found.columns), len(found.classes))
    return Surveyed(Scan(size, found.caveat), lambda: encode(table, recipe, found))


def survey_libsvm(file: Path, recipe: Recipe) -> Surveyed:
    """Read a LIBSVM file; an InputError names the row that is not in order.

    Args:
        file: Its path.
        recipe: What is said about it.
    """
    rows = read_libsvm(file)
    found = survey_rows(rows, recipe, str(file))
    size = Size(rows.matrix.shape[0], rows.matrix.shape[1] + recipe.intercept, len(found.classes))
    return Surveyed(Scan(size, found.caveat), lambda: encode_rows(rows, recipe, found))


def scan(file: Path, said: Mapping[str, Any], sha256: str | None, look: Callable[[], Surveyed]) -> Scan:
    """What `look` finds, or what it found when it last saw the same content and the same was said about it.

    Args:
        file: Its path.
        said: All that was said about the file.
        sha256: What its content must have, if that was said.
        look: Reads and surveys the file.
    """
    digest = checked_hash(file, sha256)
    key = json.dumps([VERSION, digest, str(file), said], sort_keys=True)
    kept = user_cache() / f"scan-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if not fault(kept):  # there, and whole
        stored = json.loads(kept.read_text(encoding="utf-8"))
        return Scan(Size(*stored["size"]), str(stored["caveat"]))
    found = look().scan
    try:
        write_json(kept, found._asdict())
    except OSError:  # a folder that can't be written to costs time, not results
        return found
    return found


def checked_hash(file: Path, sha256: str | None) -> str:
    """The SHA-256 of a file, or an InputError if there is none or it is not the one that it must be.

    Args:
        file: Its path.
        sha256: What it must be, if that was said.
    """
    require_regular("data.file", file)
    try:
        digest = file_hash(file)
    except OSError as error:
        raise InputError(f"data.file = {file}: {error.strerror}: must be a file that can be read") from None
    if sha256 is not None and digest != sha256:
        raise InputError(f"data.file = {file} has SHA-256 {digest}: must be {sha256}, as data.sha256 says")
    return digest
