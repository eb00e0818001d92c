"""Get a data set's raw files: from local copies, an archive or the package index, whichever first has them right."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.plugins import load_plugin
from radmm.data.download import get_files
from radmm.data.source import make_source
from radmm.jobs.steps.step_runner import run, say


def download(section: Any, local_files: Mapping[str, str], folder: Path, plugins: Sequence[str] = ()) -> None:
    """Write the raw files of a data set.

    Args:
        section: What the config says of the data set.
        local_files: The user's own copies of raw files: a path by a file's name.
        folder: Where the raw files go.
        plugins: Files that may define the data set.
    """
    for plugin in plugins:
        load_plugin(plugin)
    data = make_source(section)
    own = {file: path for file, path in local_files.items() if file in data.files}
    source = get_files(data.files, data.sources(own), folder, say)
    say(f"{', '.join(data.files)} came from {source}; SHA-256 as expected")


if __name__ == "__main__":
    run(download, __doc__, section=json.loads, local_files=json.loads, folder=Path, plugins=json.loads)
