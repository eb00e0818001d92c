"""Say how far the run in this folder is: once into a file, again and again on a terminal until it is over."""

import sys
import time
from pathlib import Path

from radmm.progress import progress

SECONDS = 5


def watch() -> None:
    found = progress(Path())
    while sys.stdout.isatty() and found.running + found.waiting:
        print(f"\r\x1b[K{found}", end="", flush=True)
        time.sleep(SECONDS)
        found = progress(Path())
    print(f"\r\x1b[K{found}" if sys.stdout.isatty() else found)
    if found.failed:
        print(found.failures())


if __name__ == "__main__":
    watch()
