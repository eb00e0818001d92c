"""Split the rows at random into training and test rows."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from radmm.data.files import write_split
from radmm.data.split import split_rows
from radmm.jobs.steps.command import run, say


def split(features: Path, section: dict[str, Any], output: Path) -> None:
    parts = split_rows(pq.read_metadata(features).num_rows, **section)
    write_split(output, parts)
    say(f"{len(parts.train)} training rows, {len(parts.test)} test rows")


if __name__ == "__main__":
    run(split, __doc__, features=Path, section=json.loads, output=Path)
