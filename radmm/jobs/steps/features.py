"""Build a data set's features from its raw files; write them with the facts of how they came about."""

from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.store import write_json
from radmm.data.prepared_files import write_features
from radmm.data.source import make_source
from radmm.jobs.steps.step_runner import say


def features(name: str, section: Any, raw: list[Path], table: Path, rows: Path, facts: Path) -> None:
    """Write a data set that can be solved.

    Args:
        name: What the data set is called.
        section: What the config says of it.
        raw: Its raw files, those that were fetched in one folder.
        table: Where the features go, with names of columns.
        rows: Where they go as arrays.
        facts: Where the facts go.
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
