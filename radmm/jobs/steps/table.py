"""Write an experiment's table: statistics over the runs of each of its settings."""

import json
from pathlib import Path
from typing import Any

from radmm.base.store import read_metadata, replacing, write_parquet
from radmm.jobs.steps.command import run, say
from radmm.results.tables import experiment_table
from radmm.study.resolution import resolve

ASSUMED = (
    "Every epsilon is a total over all iterations so far and all nodes, for replacing one row, in exact arithmetic and "
    "with exact argmins unless the noise has a repair."
)


def table(config: dict[str, Any], experiment: str, traces: Path, ledgers: Path, parquet: Path, csv: Path) -> None:
    """The config holds this experiment only."""
    settings = resolve(config)[experiment]
    made = experiment_table(settings, traces, ledgers)
    stored = {setting.id: read_metadata(traces / f"{setting.id}.parquet") for setting in settings}
    metadata = {
        "experiment": experiment,
        "settings": list(stored),
        "parameters": {setting.id: setting.parameters for setting in settings},
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code": sorted({trace["code"] for trace in stored.values()}),
        "assumed": ASSUMED,
        "runs_ended": [
            {"setting": name, **status}
            for name, trace in stored.items()
            for status in trace["status"]
            if status["reason"]
        ],
    }
    write_parquet(parquet, dict(made.items()), metadata)
    with replacing(csv) as temporary:
        made.to_csv(temporary, index=False)
    say(f"{len(settings)} settings, {len(made)} rows")


if __name__ == "__main__":
    run(table, __doc__, config=json.loads, experiment=str, traces=Path, ledgers=Path, parquet=Path, csv=Path)
