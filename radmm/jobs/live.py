"""Progress while a run goes on: a line that stays at the foot of a terminal, or a line in the log now and then.

A process of its own looks, so that the workflow has no work with it: `radmm.jobs.steps.live`.
"""

import os
import subprocess
import sys
from threading import Timer
from typing import TextIO

FIRST_IN_A_LOG = 60.0  # seconds: shorter runs need no line about how far they are


class Foot:
    """The last row of a terminal, in which nobody else writes, as everything else scrolls above it.

    Args:
        stream: The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._rows = 0  # that the terminal had when the last of them was taken

    def show(self, text: str) -> None:
        """Write a text there in place of the last one; the cursor stays where it is.

        Args:
            text: One line, of which as much is shown as fits.
        """
        columns, rows = os.get_terminal_size(self._stream.fileno())  # which may change
        if rows != self._rows:  # make room below, scroll above the last row only, and go back to where the cursor was
            self._write(f"\n\x1b7\x1b[1;{rows - 1}r\x1b8\x1b[1A")
            self._rows = rows
        self._write(f"\x1b7\x1b[{rows};1H\x1b[2K{text[:columns]}\x1b8")

    def leave(self) -> None:
        """Give the row back."""
        if self._rows:
            self._write(f"\x1b7\x1b[r\x1b[{self._rows};1H\x1b[2K\x1b8")
            self._rows = 0

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Live:
    """The process that tells how far a run is, from when it begins until it ends."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._timer: Timer | None = None

    def begin(self) -> None:
        """At once on a terminal; into a log only if the run takes longer."""
        if sys.stderr.isatty():
            self._start()
        else:
            self._timer = Timer(FIRST_IN_A_LOG, self._start)
            self._timer.daemon = True
            self._timer.start()

    def _start(self) -> None:
        command = [sys.executable, "-m", "radmm.jobs.steps.live", "--parent", str(os.getpid())]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def end(self) -> None:
        """Before anything else is written; again does no harm."""
        if self._timer:
            self._timer.cancel()
        if self._process:
            self._process.terminate()
            self._process.wait()
        self._process = self._timer = None
