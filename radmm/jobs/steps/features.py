"""Build a data set's features from its raw files, and write them with a record of how they were made."""

from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.store import write_json
from radmm.data.prepared_files import write_features
from radmm.data.source import make_source
from radmm.jobs.steps.step_runner import say


def features(name: str, section: Any, raw: list[Path], table: Path, rows: Path, facts: Path) -> None:
    """Write the features of a data set.

    Args:
        section: Data set's section of the config.
        raw: Raw files; those that were downloaded are in one folder.
        table: Output: the features, with names of columns.
        rows: Output: the features as arrays, which the solver reads.
        facts: Output: how they were made.
    """
    source = make_source(section)
    folder = raw[0].parent if raw else Path()
    source.check_files(folder)
    built = source.build(folder)
    size = source.size()
    if built.matrix.shape != size[:2]:  # settings were checked against these
        raise InputError(
            f"data = {name}: it has {built.matrix.shape} rows and features, not the stated {tuple(size[:2])}"
        )
    write_features(table, rows, built, size.classes)
    write_json(facts, built.facts)
    say(f"{size.rows} rows, {size.features} features, {size.classes} classes")
