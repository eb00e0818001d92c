"""Build Adult's 105 features from the raw files; write them with the facts of how they came about."""

from pathlib import Path

from radmm import adult
from radmm.data import write_features
from radmm.steps.command import run, say
from radmm.store import write_json


def features(raw: Path, table: Path, rows: Path, facts: Path) -> None:
    built = adult.build_features(adult.read_raw(raw))
    write_features(table, rows, built.matrix, built.columns, built.labels)
    write_json(facts, built.facts)
    say(f"{built.facts['rows']} rows, {built.facts['features']} features, {built.facts['positives']} positive")


if __name__ == "__main__":
    run(features, __doc__, raw=Path, table=Path, rows=Path, facts=Path)
