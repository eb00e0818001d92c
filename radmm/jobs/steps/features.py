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
    if built.matrix.shape != (source.rows, source.features):  # settings were checked against these
        raise InputError(
            f"data = {name}: it has {built.matrix.shape} rows and features, not the stated "
            f"{(source.rows, source.features)}"
        )
    write_features(table, rows, built, source.classes)
    write_json(facts, built.facts)
    say(f"{source.rows} rows, {source.features} features, {source.classes} classes")


if __name__ == "__main__":
    run(features, __doc__, plan=Path, name=str, raw=Path, table=Path, rows=Path, facts=Path)
