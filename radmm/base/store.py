"""Files that are written whole or not at all, and Parquet with our facts in its metadata."""

import gzip
import hashlib
import io
import json
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from radmm.base.errors import InputError

METADATA_KEY = b"radmm"
GZIP = b"\x1f\x8b"  # what gzipped files begin with


def user_cache() -> Path:
    """Where what this user's runs found out is kept, to be found out only once."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "radmm"


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A temporary name beside the target, renamed to it on success and removed on failure."""
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.stem}.", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def read_regular(path: str | Path, most: int) -> bytes:
    """The content of a file of the user's, unpacked if it is gzipped; what is no file on disk is not even opened.

    Args:
        path: Of a regular file: a device or a pipe may never end, and nothing is fetched.
        most: Bytes that it may have, unpacked.
    """
    try:
        found = Path(path).stat()
        regular, large = stat.S_ISREG(found.st_mode), found.st_size > most
        content = Path(path).read_bytes() if regular and not large else b""
        if content.startswith(GZIP):
            content = gzip.GzipFile(fileobj=io.BytesIO(content)).read(most + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: no file's name can be like that
        raise InputError(f"can't be read: {getattr(error, 'strerror', None) or error}") from None
    if not regular:
        raise InputError("is no regular file: must be one on this machine")
    if large or len(content) > most:
        raise InputError(f"is larger than {most / 1e6:.0f} MB: must be at most that, unpacked")
    return content


def write_text(target: str | Path, text: str) -> None:
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(target: str | Path, content: Any) -> None:
    write_text(target, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_parquet(target: str | Path, columns: Mapping[Any, Any], metadata: Mapping[str, Any]) -> None:
    """NaN becomes null; the metadata is stored as JSON under the key `radmm`."""
    table = pa.table({str(name): _column(values) for name, values in columns.items()})
    described = table.replace_schema_metadata({METADATA_KEY: json.dumps(metadata, ensure_ascii=False)})
    with replacing(target) as temporary:
        pq.write_table(described, temporary, compression="zstd")


def _column(values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    if not (isinstance(values, np.ndarray) and values.dtype.kind in "if"):
        return pa.array(values, from_pandas=True)
    # By hand, as pa.array imports pandas, which would cost every solver job a quarter of a second.
    present = ~np.isnan(values)
    validity = None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
    buffers = [validity, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def read_metadata(path: str | Path) -> dict[str, Any]:
    stored = pq.read_schema(path).metadata or {}
    metadata: dict[str, Any] = json.loads(stored[METADATA_KEY])
    return metadata


def content_hash(*arrays: NDArray[Any]) -> str:
    """SHA-256 of the values, independent of any file format."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def file_hash(path: str | Path) -> str:
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
