"""Build Adult's 105 features from the raw files; write them with the facts of how they came about."""

from pathlib import Path

from radmm.data.sources import adult
from radmm.base.store import write_json
from radmm.data.files import write_features
from radmm.jobs.steps.command import run, say


def features(raw: Path, table: Path, rows: Path, facts: Path) -> None:
    built = adult.build_features(adult.read_raw(raw))
    write_features(table, rows, built.matrix, built.columns, built.labels)
    write_json(facts, built.facts)
    say(f"{built.facts['rows']} rows, {built.facts['features']} features, {built.facts['positives']} positive")


if __name__ == "__main__":
    run(features, __doc__, raw=Path, table=Path, rows=Path, facts=Path)
