"""The folder of a study's results: `results`, or for a study with a name one of its own below.

`python -m radmm.study.study_folder my.yaml` prints that of a config.
"""

import sys
from pathlib import Path

from radmm.study.config_files import read_config

RESULTS = Path("results")
# The folders that radmm makes there, which no study can be named after; `make clean` has the same list.
FOLDERS = (
    "benchmarks",
    "calibrations",
    "figures",
    "ledgers",
    "logs",
    "networks",
    "partitions",
    "replication",
    "searches",
    "tables",
    "timings",
    "traces",
    "tuned",
)


def study_folder(name: str | None) -> Path:
    """Return the folder of a study's results.

    Args:
        name: Name of the study in its config, if it has one.
    """
    return RESULTS / name if name else RESULTS


if __name__ == "__main__":
    print(study_folder(read_config(Path(sys.argv[1])).get("name")))
