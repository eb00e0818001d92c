"""Checks that users' files are regular ones: reading a pipe may never end, and replacing a device does harm."""

import os
import stat
from pathlib import Path

from radmm.base.errors import InputError

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
        path: File to be read.
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
