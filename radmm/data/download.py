"""Download of raw data files from the first source that has them, each compared with its SHA-256."""

import http.client
import shutil
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from radmm.base.errors import SourceError
from radmm.base.store import file_hash, replacing

TIMEOUT_SECONDS = 20  # of silence
MOST_SECONDS = 1800.0  # for a file, with all attempts: a server may send one byte a second for ever
MOST_BYTES = 4_000_000_000  # more than any of the data sets has: an answer may have no end
ATTEMPTS = 3
CHUNK = 1 << 16
REPORT_EVERY = 1 << 20
LONGEST_REASON = 200  # characters

Say = Callable[[str], None]


class Source(Protocol):
    """Interface of places that may have the raw files."""

    @property
    def name(self) -> str: ...

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        """Put the named files into the folder, or raise SourceError.

        Args:
            files: Names of the files.
            folder: Folder to put them into.
            say: Called with a line about the progress.
        """


@dataclass(frozen=True)
class LocalFiles:
    """Copies of the raw files that the user already has.

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
            if Path(self.paths[file]).exists() and not Path(self.paths[file]).is_file():  # a device may never end
                raise SourceError(f"{file}: is no regular file ({self.paths[file]})")
            try:
                shutil.copyfile(self.paths[file], folder / file)
            except OSError as error:
                raise SourceError(f"{file}: {error.strerror} ({self.paths[file]})") from None


@dataclass(frozen=True)
class _OnTheWeb:
    """Base class of sources that are named by a web address.

    Args:
        address: Address of a file, or of a folder without a slash at the end.
        pause_seconds: Pause before the second attempt; it grows before each further one.
    """

    address: str
    pause_seconds: float = 1.0

    @property
    def name(self) -> str:
        return self.address


class Archive(_OnTheWeb):
    """Files in one folder on the web."""

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        for file in files:
            fetch_with_retries(f"{self.address}/{file}", folder / file, say, self.pause_seconds)


class Address(_OnTheWeb):
    """One file on the web."""

    def fetch(self, files: Sequence[str], folder: Path, say: Say) -> None:
        (file,) = files
        fetch_with_retries(self.address, folder / file, say, self.pause_seconds)


def fetch_with_retries(address: str, target: Path, say: Say, pause_seconds: float = 1.0) -> None:
    """Download one file, or raise SourceError after a few attempts.

    Args:
        pause_seconds: Pause before the second attempt; it grows before each further one.
    """
    end = time.monotonic() + MOST_SECONDS
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _fetch_until(end, address, target, say)
            return
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = f"{target.name}: {_reason(error)}"
            if isinstance(error, urllib.error.HTTPError):
                error.close()
            final = isinstance(error, TimeIsUpError) or (isinstance(error, urllib.error.HTTPError) and error.code < 500)
            if final or attempt == ATTEMPTS:
                raise SourceError(reason) from None
            say(f"  {reason}; attempt {attempt + 1} of {ATTEMPTS}")
            time.sleep(pause_seconds * attempt)


class TimeIsUpError(OSError):
    """The time limit is reached, so no further attempt is made."""


def _reason(error: Exception) -> str:
    """Return why a download failed; a server's own text is shortened and put on one line."""
    said = getattr(error, "reason", None) or (
        f"no valid HTTP: {type(error).__name__} {error}" if isinstance(error, http.client.HTTPException) else error
    )
    return " ".join(str(said).split())[:LONGEST_REASON]


def _fetch_until(end: float, address: str, target: Path, say: Say) -> None:
    """Download in a thread that is abandoned at the time limit, as a header that never ends can't be interrupted."""
    failures: list[Exception] = []

    def fetch() -> None:
        try:
            _fetch_once(end, address, target, say)
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=fetch, daemon=True)
    thread.start()
    thread.join(max(0.0, end - time.monotonic()))
    if thread.is_alive():
        raise TimeIsUpError(f"it took longer than {MOST_SECONDS:g} s")
    for failure in failures:
        raise failure


def _fetch_once(end: float, address: str, target: Path, say: Say) -> None:
    with (
        urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer,  # noqa: S310
        target.open("wb") as out,
    ):
        size = int(answer.headers.get("Content-Length") or 0)
        done = 0
        while chunk := answer.read1(CHUNK):  # what has arrived, without waiting for more
            out.write(chunk)
            if (done + len(chunk)) // REPORT_EVERY > done // REPORT_EVERY:
                say(f"  {target.name}: {(done + len(chunk)) / 1e6:.1f} of {size / 1e6:.1f} MB")
            done += len(chunk)
            if max(done, size) > MOST_BYTES:
                raise OSError(f"it is larger than {MOST_BYTES / 1e6:g} MB")
            if time.monotonic() > end:
                raise TimeIsUpError(f"it took longer than {MOST_SECONDS:g} s")
        if size and done < size:
            raise OSError(f"the connection ended after {done} of {size} bytes")


def get_files(hashes: Mapping[str, str], sources: Sequence[Source], folder: Path, say: Say) -> str:
    """Try the sources in turn until one gives every file with its SHA-256; return that source's name.

    Args:
        hashes: SHA-256 of each file.
        sources: Sources in the order in which to try them.
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
