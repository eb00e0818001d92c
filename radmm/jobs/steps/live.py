"""Tell how far the run in this folder is, as long as the process that runs it lives."""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from radmm.jobs.live import Foot
from radmm.jobs.progress import progress
from radmm.jobs.steps.command import run

ON_A_TERMINAL, IN_A_LOG = 3.0, 300.0  # seconds from one look to the next


def live(parent: int) -> None:
    """A run of very many settings is looked at less often: looking takes a tenth of the time at most.

    Args:
        parent: The process that runs the workflow.
    """
    for number in (signal.SIGTERM, signal.SIGINT):  # a key that interrupts the run reaches this process too
        signal.signal(number, _end)
    foot = Foot(sys.stderr) if sys.stderr.isatty() else None
    try:
        while os.getppid() == parent:
            begin = time.monotonic()
            found = progress(Path(), over=False)
            if found.total:
                foot.show(str(found)) if foot else print(found, file=sys.stderr, flush=True)
            time.sleep(max(ON_A_TERMINAL if foot else IN_A_LOG, 9.0 * (time.monotonic() - begin)))
    finally:
        if foot:
            foot.leave()


def _end(_: int, __: FrameType | None) -> None:
    sys.exit()


if __name__ == "__main__":
    run(live, __doc__, parent=int)
