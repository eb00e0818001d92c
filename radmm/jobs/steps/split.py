"""Split the rows at random into training and test rows."""

from pathlib import Path

from radmm.base.store import checked, read_numbers
from radmm.data.files import LABEL, write_split
from radmm.data.split import check_classes, split_rows
from radmm.jobs.plan import read_study
from radmm.jobs.steps.command import run, say


def split(plan: Path, name: str, features: Path, output: Path) -> None:
    section = read_study(plan)["splits"][name]["split"]
    labels = read_numbers(checked(features), LABEL)
    parts = split_rows(len(labels), **section)
    check_classes(labels, parts, section["seed"])
    write_split(output, parts)
    say(f"{len(parts.train)} training rows, {len(parts.test)} test rows")


if __name__ == "__main__":
    run(split, __doc__, plan=Path, name=str, features=Path, output=Path)
