"""Reading of single members from foreign archives: nothing is unpacked under a name that an archive gives."""

import io
import stat
import tarfile
import zipfile
from pathlib import Path

from radmm.base.errors import SourceError

MOST_BYTES = 4_000_000_000  # of a member, unpacked: some kilobytes can stand for more than any disk holds


def read_from_tar(archive: Path, name: str) -> bytes:
    """Return the content of one member of a tar file.

    The member must be a regular file, as links and devices lead elsewhere.

    Args:
        archive: A tar file, compressed or not.
    """
    try:
        with tarfile.open(archive) as opened:
            member = opened.getmember(name)
            _check(archive.name, name, member.isreg(), member.size)
            stream = opened.extractfile(member)
            return b"" if stream is None else stream.read()
    except (tarfile.TarError, EOFError, OSError, KeyError) as error:
        raise SourceError(f"{name} can't be read from {archive.name}: {error}") from None


def read_from_zip(archive: Path | bytes, name: str) -> bytes:
    """Return the content of one member of a zip file.

    Args:
        archive: Path of the zip file, or its content.
    """
    label = archive.name if isinstance(archive, Path) else "a zip file"
    try:
        with zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
            member = opened.getinfo(name)
            kind = stat.S_IFMT(member.external_attr >> 16)  # nothing where it was made by another system
            _check(label, name, not member.is_dir() and kind in (0, stat.S_IFREG), member.file_size)
            return opened.read(member)
    except (zipfile.BadZipFile, EOFError, OSError, KeyError, NotImplementedError, RuntimeError) as error:
        raise SourceError(f"{name} can't be read from {label}: {error}") from None


def _check(archive: str, name: str, is_file: bool, size: int) -> None:
    if not is_file:
        raise SourceError(f"{name} is no file in {archive}")
    if size > MOST_BYTES:
        raise SourceError(f"{name} has {size} bytes in {archive}: must have at most {MOST_BYTES}")
