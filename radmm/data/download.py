"""Gets raw data files from the first source that has them, and lets nothing through that is not byte for byte right."""

import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from radmm.base.errors import SourceError
from radmm.base.store import file_hash, replacing

TIMEOUT_SECONDS = 20
ATTEMPTS = 3
CHUNK = 1 << 16
REPORT_EVERY = 1 << 20

Say = Callable[[str], None]


class Source(Protocol):
    """A place that may have the files."""

    @property
    def name(self) -> str: ...

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        """Put the named files into the folder, or raise SourceError.

        Args:
            files: Their names.
            folder: Where to put them.
            say: Called with a line about how it goes.
        """


@dataclass(frozen=True)
class LocalFiles:
    """Copies that the user already has.

    Args:
        paths: A path for each file.
    """

    paths: Mapping[str, str]

    @property
    def name(self) -> str:
        return f"local files ({', '.join(self.paths.values())})"

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        for file in files:
            if file not in self.paths:
                raise SourceError(f"no path is given for {file}")
            try:
                shutil.copyfile(self.paths[file], folder / file)
            except OSError as error:
                raise SourceError(f"{file}: {error.strerror} ({self.paths[file]})") from None


@dataclass(frozen=True)
class Archive:
    """Files below one address on the web.

    Args:
        address: The folder's, without a slash at the end.
        pause_seconds: Before the second attempt; longer before each further one.
    """

    address: str
    pause_seconds: float = 1.0

    @property
    def name(self) -> str:
        return self.address

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        for file in files:
            fetch_with_retries(f"{self.address}/{file}", folder / file, say, self.pause_seconds)


@dataclass(frozen=True)
class Address:
    """One file on the web.

    Args:
        address: Its own.
        pause_seconds: Before the second attempt; longer before each further one.
    """

    address: str
    pause_seconds: float = 1.0

    @property
    def name(self) -> str:
        return self.address

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        (file,) = files
        fetch_with_retries(self.address, folder / file, say, self.pause_seconds)


def fetch_with_retries(address: str, target: Path, say: Say, pause_seconds: float = 1.0) -> None:
    """Get one file from the web, or raise SourceError after a few attempts.

    Args:
        address: The file's.
        target: Where it goes.
        say: Called with a line about how it goes.
        pause_seconds: Before the second attempt; longer before each further one.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _fetch_once(address, target, say)
            return
        except (OSError, urllib.error.URLError) as error:
            reason = f"{target.name}: {getattr(error, 'reason', error)}"
            final = isinstance(error, urllib.error.HTTPError) and error.code < 500
            if final or attempt == ATTEMPTS:
                raise SourceError(reason) from None
            say(f"  {reason}; attempt {attempt + 1} of {ATTEMPTS}")
            time.sleep(pause_seconds * attempt)


def _fetch_once(address: str, target: Path, say: Say) -> None:
    with (
        urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer,  # noqa: S310
        target.open("wb") as out,
    ):
        size = int(answer.headers.get("Content-Length") or 0)
        done = 0
        while chunk := answer.read(CHUNK):
            out.write(chunk)
            if (done + len(chunk)) // REPORT_EVERY > done // REPORT_EVERY:
                say(f"  {target.name}: {(done + len(chunk)) / 1e6:.1f} of {size / 1e6:.1f} MB")
            done += len(chunk)
        if size and done < size:
            raise OSError(f"the connection ended after {done} of {size} bytes")


def get_files(hashes: Mapping[str, str], sources: Sequence[Source], folder: Path, say: Say) -> str:
    """Try the sources in turn until one gives every file with its SHA-256; returns that source's name.

    Args:
        hashes: The files with their SHA-256.
        sources: Where to look, in turn.
        folder: Where the files go.
        say: Called with a line about how it goes.
    """
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            say(f"trying {source.name}")
            try:
                source.fetch(list(hashes), Path(scratch), say)
                _check_hashes(hashes, Path(scratch))
            except SourceError as error:
                failures.append(f"{source.name}: {error}")
                say(f"  failed: {error}")
                continue
            for file in hashes:
                with replacing(folder / file) as temporary:
                    shutil.copyfile(Path(scratch) / file, temporary)
            return source.name
    raise SourceError("no source could give " + ", ".join(hashes) + "; " + "; ".join(failures))


def _check_hashes(hashes: Mapping[str, str], folder: Path) -> None:
    for file, expected in hashes.items():
        found = file_hash(folder / file)
        if found != expected:
            raise SourceError(f"{file} has SHA-256 {found}, not {expected}")
