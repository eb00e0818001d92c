"""Build a data set's features from its raw files; write them with the facts of how they came about."""

from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.store import write_json
from radmm.data.files import write_features
from radmm.data.source import make_source
from radmm.jobs.plan import read_study
from radmm.jobs.steps.command import run, say


def features(plan: Path, name: str, raw: Path, table: Path, rows: Path, facts: Path) -> None:
    source = make_source(read_study(plan)["data_sets"][name])
    source.check_files(raw)
    built = source.build(raw)
    size = source.size()
    if built.matrix.shape != size[:2]:  # settings were checked against these
        raise InputError(
            f"data = {name}: it has {built.matrix.shape} rows and features, not the stated {tuple(size[:2])}"
        )
    write_features(table, rows, built, size.classes)
    write_json(facts, built.facts)
    say(f"{size.rows} rows, {size.features} features, {size.classes} classes")


if __name__ == "__main__":
    run(features, __doc__, plan=Path, name=str, raw=Path, table=Path, rows=Path, facts=Path)
