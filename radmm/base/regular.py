"""Files of the user's own must be regular ones: to read a pipe may never end, and to replace a device does harm."""

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
    """What a path is if it is no regular file, like "a pipe"; empty if it is one, or if nothing is there.

    Args:
        path: Any path; links are followed.
    """
    try:
        return KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")
    except (OSError, ValueError):  # nothing there, or no name that a file could have: opening it says why
        return ""


def require_regular(field: str, path: str | Path) -> None:
    """Refuse to read what is no regular file; one that is missing is left to whoever reads it.

    Args:
        field: What the message calls it, like `data.file`.
        path: The file that is to be read.
    """
    if kind := irregular(path):
        raise InputError(f"{field} = {path}: is {kind}: must be a regular file")


def require_output(field: str, path: Path) -> None:
    """Refuse a file that can't be written or replaced, before the work that is to be written there is done.

    Args:
        field: What the message calls it, like `--save-trace`.
        path: The file that is to be written; folders that are missing will be made.
    """
    if kind := irregular(path):
        raise InputError(f"{field} = {path}: is {kind}: must be a regular file or a new one")
    folder = next(each for each in path.absolute().parents if each.exists())
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise InputError(f"{field} = {path}: must be in a folder that can be written to, which {folder} is not")
