"""Files that are written whole or not at all, with hashes that every reader checks.

Beside the files of a folder, in its `.hashes`, is a record of each that radmm made: its SHA-256, which file it is, and
the SHA-256 of all files that were read to make it. A reader that finds another file there than the one that was written
moves it to `.damaged`, so that the next run makes it again.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject

METADATA_KEY = b"radmm"
RECORDS, DAMAGED, PARTIAL = ".hashes", ".damaged", ".partial"


def user_cache() -> Path:
    """Return the folder where results that are worth keeping between this user's runs are cached."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "radmm"


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside the target, renamed to it on success and removed on failure."""
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{PARTIAL}.{target.stem}.{token_hex(4)}{target.suffix}")
    try:
        temporary.touch(exist_ok=False)  # with the mode that the umask says
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def sweep(folder: str | Path) -> None:
    """Remove the temporary files that killed jobs left anywhere in a folder where none is at work.

    Args:
        folder: Folder of radmm's own files.
    """
    for path in Path(folder).rglob(f"{PARTIAL}.*"):
        path.unlink(missing_ok=True)


class DamagedError(InputError):
    """A file is not the one that was written under its name."""


_read: ContextVar[dict[Path, str] | None] = ContextVar("read", default=None)


@contextmanager
def provenance(*before: Path) -> Iterator[None]:
    """Record the files read in this block as sources of the files written in it.

    Args:
        before: Files read before the block that are sources as well; no others read before it are.
    """
    outside, kept = _read.get() or {}, {path.absolute() for path in before}
    token = _read.set({path: digest for path, digest in outside.items() if path in kept})
    try:
        yield
    finally:
        _read.reset(token)


@contextmanager
def vouched(target: str | Path) -> Iterator[Path]:
    """Yield a temporary name like `replacing`, and record the hash of what was written.

    The record is written first: a process killed in between leaves no file, or an outdated one, which is made again.
    """
    target = Path(target)
    with replacing(target) as temporary:
        yield temporary
        write_record(target, file_hash(temporary), _read.get() or {})


def write_record(path: Path, digest: str, made_of: Mapping[Path, str]) -> None:
    """Write a file's record: which file it is, its SHA-256, and that of each file it was made of.

    Args:
        path: The file, which may not have this name yet.
        made_of: The files that it was made of, each with its SHA-256.
    """
    sources = {os.path.relpath(source, path.parent): each for source, each in sorted(made_of.items())}
    write_json(record_path(path), {"file": _identity(path), "sha256": digest, "made_of": sources}, vouch=False)


def link(source: Path, target: Path) -> None:
    """Give a file that radmm made a second name, with a record of its own; a copy where the disk has no hard links.

    Args:
        source: The file, with a record.
        target: Its other name; a file that has it is replaced.
    """
    record = read_record(source)
    made_of = {
        Path(os.path.normpath(source.absolute().parent / name)): each for name, each in record["made_of"].items()
    }
    with replacing(target) as temporary:
        temporary.unlink()
        try:
            os.link(source, temporary)
        except OSError:  # another disk, or one that can't
            shutil.copyfile(source, temporary)
        write_record(target, record["sha256"], made_of)


def record_path(path: Path) -> Path:
    """Return the path of a file's record."""
    return path.parent / RECORDS / f"{path.name}.json"


def _identity(path: Path) -> str:
    """Return which setting's, split's, network's or experiment's file it is, and of which kind.

    Names suffice, as the ids in them are hashes.
    """
    return f"{path.absolute().parent.name}/{path.name}"


def fault(path: str | Path) -> str:
    """Return why a file is not the one that was written under its name, as the end of a sentence; empty if it is.

    Args:
        path: Path of a file that radmm makes.
    """
    path = Path(path)
    if not path.is_file():
        return "is missing"
    try:
        record = read_record(path)
        recorded, expected = str(record["file"]), str(record["sha256"])
    except FileNotFoundError:
        return f"has no record in {record_path(path).parent}"
    except (OSError, ValueError, KeyError, TypeError):
        return f"has a record that can't be read, {record_path(path)}"
    if recorded != _identity(path):
        return f"has the record of another file, {recorded}"
    found = file_hash(path)
    return "" if found == expected else f"has SHA-256 {found}, not {expected} as when it was written"


def checked(path: str | Path, *together: Path) -> Path:
    """Return the path of a file, after checking that it is the one that was written.

    Any other file is moved aside, and named in the error that is raised.

    Args:
        path: Path of a file that radmm makes.
        together: Files that are made with it, and so must be made again with it.
    """
    path = Path(path)
    if reason := fault(path):
        for each in (path, *together):
            set_aside(each)
        raise DamagedError(f"{path} {reason}: it can't be used, and the next run makes it again")
    add_source(path, str(read_record(path)["sha256"]))
    return path


def recognised(path: Path) -> Path:
    """Return the path of a file that agrees with its record or has none; refuse any other, and leave it in place.

    Args:
        path: Path of a file that may have been copied to a place without records.
    """
    if record_path(path).is_file() and (reason := fault(path)):
        raise DamagedError(f"{path} {reason}: it can't be used")
    return path


def add_source(path: Path, digest: str) -> None:
    """Record a file as a source of the files that are written from here on."""
    if (read := _read.get()) is not None:
        read[path.absolute()] = digest


def read_record(path: Path) -> JsonObject:
    """Return a file's record: which file it is (`file`), its `sha256`, and that of each file it is `made_of`.

    Args:
        path: Path of the file, not of its record.
    """
    record: JsonObject = json.loads(record_path(path).read_text(encoding="utf-8"))
    return record


def set_aside(path: Path) -> None:
    """Move a file that is not to be used out of the way, to `.damaged`."""
    with suppress(OSError):  # what can't be moved is refused all the same
        (path.parent / DAMAGED).mkdir(exist_ok=True)
        path.replace(path.parent / DAMAGED / path.name)
        record_path(path).unlink(missing_ok=True)


def write_text(target: str | Path, text: str, *, vouch: bool = True) -> None:
    """Write a text file whole or not at all.

    Args:
        vouch: Whether to record its hash; not for users' own files.
    """
    with vouched(target) if vouch else replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(target: str | Path, content: Any, *, vouch: bool = True) -> None:
    """Write an indented JSON file whole or not at all, with `write_text`."""
    write_text(target, json.dumps(content, indent=2, ensure_ascii=False) + "\n", vouch=vouch)


def write_parquet(target: str | Path, columns: Mapping[str, Any] | pd.DataFrame, metadata: Mapping[str, Any]) -> None:
    """Write columns to a Parquet file; NaN becomes null, and the metadata is stored as JSON under the key `radmm`."""
    arrays = {
        str(name): values if isinstance(values, pa.Array) else pa.array(values, from_pandas=True)
        for name, values in columns.items()
    }
    described = pa.table(arrays).replace_schema_metadata({METADATA_KEY: json.dumps(metadata, ensure_ascii=False)})
    with vouched(target) as temporary:
        pq.write_table(described, temporary, compression="zstd")


def write_csv(target: str | Path, table: pd.DataFrame) -> None:
    """Write a table with all digits of its numbers; NaN and None are empty."""
    with vouched(target) as temporary:
        table.to_csv(temporary, index=False)


def read_numbers(path: Path, column: str) -> NDArray[Any]:
    """Return a column of numbers of a Parquet file that `write_parquet` wrote."""
    return pd.read_parquet(path, columns=[column])[column].to_numpy(copy=True)


def read_metadata(path: str | Path) -> JsonObject:
    """Return the metadata that `write_parquet` stored in a Parquet file."""
    stored = pq.read_schema(path).metadata or {}
    metadata: JsonObject = json.loads(stored[METADATA_KEY])
    return metadata


def content_hash(*arrays: NDArray[Any]) -> str:
    """Return the SHA-256 of the arrays' values, independent of any file format."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def file_hash(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
