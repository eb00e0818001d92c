"""Say how far the run in this folder is: once into a file, again and again on a terminal until it is over."""

import sys
import time
from contextlib import suppress
from pathlib import Path

from radmm.jobs.plan import BATCHES, PLAN
from radmm.jobs.progress import is_over, progress

SECONDS = 5


def watch() -> None:
    if not (PLAN / BATCHES).is_file():
        sys.exit(f"error: nothing has run here yet: there is no {PLAN / BATCHES}")
    over = is_over(Path())
    while sys.stdout.isatty() and not over:
        print(f"\r\x1b[K{progress(Path(), over)}", end="", flush=True)
        time.sleep(SECONDS)
        over = is_over(Path())
    found = progress(Path(), over)
    print(f"\r\x1b[K{found}" if sys.stdout.isatty() else found)
    if found.failed:
        print(found.failures())


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        watch()
