"""Archives that mean harm: a member is a plain file that is read, or refused; none is unpacked where it says."""

import io
import stat
import tarfile
import zipfile

import pytest

from radmm.base.errors import SourceError
from radmm.data import archives
from radmm.data.archives import read_from_tar, read_from_zip

NAMES = {"plain": "data/x.csv", "absolute": "/tmp/harm.csv", "above": "../../harm.csv"}  # noqa: S108
KINDS = {
    "symbolic link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "character device": tarfile.CHRTYPE,
    "block device": tarfile.BLKTYPE,
    "pipe": tarfile.FIFOTYPE,
    "folder": tarfile.DIRTYPE,
}


def tar(path, name, kind=tarfile.REGTYPE, content=b"a,b\n"):
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.devmajor, member.devminor = kind, "/etc/passwd", 1, 5
    member.size = len(content) if kind == tarfile.REGTYPE else 0
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(member, io.BytesIO(content))
    return path


def packed(path, name, kind=stat.S_IFREG, content=b"a,b\n"):
    member = zipfile.ZipInfo(name)
    member.external_attr, member.compress_type = (kind | 0o644) << 16, zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return path


@pytest.mark.parametrize("how", NAMES)
def test_a_member_is_read_and_goes_nowhere_by_itself(tmp_path, how):
    """Whatever it is called: the reader alone decides what becomes of its content."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    assert read_from_tar(tar(inside / "x.tar.gz", NAMES[how]), NAMES[how]) == b"a,b\n"
    assert read_from_zip(packed(inside / "x.zip", NAMES[how]), NAMES[how]) == b"a,b\n"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["x.tar.gz", "x.zip"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_refused(tmp_path, kind):
    with pytest.raises(SourceError, match=r"^x is no file in x\.tar\.gz$"):
        read_from_tar(tar(tmp_path / "x.tar.gz", "x", KINDS[kind]), "x")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_what_is_no_file_in_a_zip_is_refused(tmp_path, kind):
    with pytest.raises(SourceError, match=r"^x is no file in x\.zip$"):
        read_from_zip(packed(tmp_path / "x.zip", "x", kind), "x")


def test_a_member_that_is_too_large_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    bomb = bytes(100_000)
    with pytest.raises(SourceError, match="x has 100000 bytes in x.zip: must have at most 1000"):
        read_from_zip(packed(tmp_path / "x.zip", "x", content=bomb), "x")
    with pytest.raises(SourceError, match="must have at most 1000"):
        read_from_tar(tar(tmp_path / "x.tar.gz", "x", content=bomb), "x")


@pytest.mark.parametrize("read", [read_from_tar, read_from_zip])
def test_what_is_no_archive_or_lacks_the_member_is_told(tmp_path, read):
    (tmp_path / "x").write_bytes(b"no archive")
    with pytest.raises(SourceError, match="^y can't be read from x: "):
        read(tmp_path / "x", "y")
    make = tar if read is read_from_tar else packed
    with pytest.raises(SourceError, match="^y can't be read from z: "):
        read(make(tmp_path / "z", "x"), "y")
