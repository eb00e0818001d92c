"""Split the rows at random into training and test rows."""

from pathlib import Path

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_numbers
from radmm.data.prepared_files import LABEL, write_split
from radmm.data.split import check_classes, split_rows
from radmm.jobs.steps.step_runner import say


def split(section: JsonObject, features: Path, rows: Path) -> None:
    """Write which rows are training rows and which are test rows.

    Args:
        section: Number of each, and the seed.
        features: Table of the data set.
        rows: Output: the split.
    """
    labels = read_numbers(checked(features), LABEL)
    parts = split_rows(len(labels), **section)
    check_classes(labels, parts, section["seed"])
    write_split(rows, parts)
    say(f"{len(parts.train)} training rows, {len(parts.test)} test rows")
