"""Write an experiment's table: statistics over the runs of each of its settings."""

from pathlib import Path

from radmm.base.store import read_metadata, write_csv, write_parquet
from radmm.jobs.plan import read_experiment
from radmm.jobs.steps.command import run, say
from radmm.results.conditions import ASSUMED, conditions
from radmm.results.tables import experiment_table
from radmm.study.public import notes_of


def table(plan: Path, name: str, calibrations: Path, traces: Path, ledgers: Path, parquet: Path, csv: Path) -> None:
    settings = read_experiment(plan, name, calibrations)
    made = experiment_table(settings, traces, ledgers)
    stored = {setting.id: read_metadata(traces / f"{setting.id}.parquet") for setting in settings}
    caveats = conditions(stored, ledgers)
    metadata = {
        "experiment": name,
        "settings": list(stored),
        "parameters": {setting.id: setting.parameters for setting in settings},
        "data_steps": {setting.id: int(notes_of(setting.parameters).data_steps[-1]) for setting in settings},
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code": sorted({trace["code"] for trace in stored.values()}),
        "assumed": " ".join([ASSUMED, *caveats]),
        "caveats": caveats,
        "runs_ended": [
            {"setting": setting, **status}
            for setting, trace in stored.items()
            for status in trace["status"]
            if status["reason"]
        ],
    }
    write_parquet(parquet, made, metadata)
    write_csv(csv, made)
    say(f"{len(settings)} settings, {len(made['n'])} rows")


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "calibrations", "traces", "ledgers", "parquet", "csv"), Path)
    run(table, __doc__, name=str, **paths)
