"""Download a data set's raw files from the first source that has them: a local copy, an archive, the package index."""

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
        section: Data set's section of the config.
        local_files: User's copies of raw files: paths by file name.
        folder: Output: folder of the raw files.
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
