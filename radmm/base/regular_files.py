"""Users' files, which must be regular ones: reading a pipe may never end, and replacing a device does harm."""

import gzip
import io
import os
import stat
import zlib
from pathlib import Path

from radmm.base.errors import InputError

GZIP = b"\x1f\x8b"  # what gzipped files begin with
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def irregular(path: str | Path) -> str:
    """Return what a path is if it is not a regular file, like "a pipe"; empty if it is one, or doesn't exist.

    Args:
        path: Any path; links are followed.
    """
    try:
        return KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")
    except (OSError, ValueError):  # nothing there, or no name that a file could have: opening it says why
        return ""


def require_regular(field: str, path: str | Path) -> None:
    """Refuse to read anything but a regular file; a missing file is left to the reader to report.

    Args:
        field: Name of the field in the message, like `data.file`.
    """
    if kind := irregular(path):
        raise InputError(f"{field} = {path}: is {kind}: must be a regular file")


def require_output(field: str, path: Path) -> None:
    """Refuse a file that can't be written or replaced, before the work whose result it is to hold is done.

    Args:
        field: Name of the field in the message, like `--save-trace`.
        path: File to be written; missing folders will be created.
    """
    if kind := irregular(path):
        raise InputError(f"{field} = {path}: is {kind}: must be a regular file or a new one")
    folder = next(each for each in path.absolute().parents if each.exists())
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise InputError(f"{field} = {path}: must be in a folder that can be written to, which {folder} is not")


def read_regular(path: str | Path, most: int) -> bytes:
    """Return the content of a user's regular file, unpacked if it is gzipped; anything else is not even opened.

    Args:
        path: Path of the file; a device or a pipe, which may never end, is refused, and nothing is downloaded.
        most: Largest number of bytes that it may have, unpacked.
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
