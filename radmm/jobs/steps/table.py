"""Write an experiment's table: statistics over the runs of each of its settings."""

from pathlib import Path

from radmm.base.store import read_metadata, write_csv, write_parquet
from radmm.jobs.currency import require_current
from radmm.jobs.digest import read_known
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import CODE, read_experiment
from radmm.jobs.steps.command import run, say
from radmm.privacy.guarantee import ASSUMED, NOT_FOR_RELEASE
from radmm.results.conditions import conditions, shared_draws
from radmm.results.tables import experiment_table, read_ledger
from radmm.results.terms import guarantee_column, terms
from radmm.study.public import notes_of


def table(
    plan: Path,
    name: str,
    calibrations: Path,
    traces: Path,
    ledgers: Path,
    data: Path,
    networks: Path,
    parquet: Path,
    csv: Path,
) -> None:
    read_known(plan / CODE)
    settings = read_experiment(plan, name, calibrations)
    require_current(settings, traces, InputFiles(data, networks))
    stored = {setting.id: read_metadata(traces / f"{setting.id}.parquet") for setting in settings}
    made = experiment_table(settings, traces, ledgers)
    private = [name for name, trace in stored.items() if trace["setting"]["noise"] is not None]
    released = {name: read_ledger(ledgers / f"{name}.parquet") for name in private}
    made["guarantee"] = guarantee_column(made, released, {name: stored[name].get("caveat", "") for name in private})
    caveats = conditions(stored, ledgers)
    metadata = {
        "experiment": name,
        "settings": list(stored),
        "parameters": {setting.id: setting.parameters for setting in settings},
        "data_steps": {setting.id: int(notes_of(setting.parameters).data_steps[-1]) for setting in settings},
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code": sorted({trace["code"] for trace in stored.values()}),
        "assumed": " ".join([ASSUMED, *caveats, *shared_draws(setting.parameters for setting in settings)]),
        "caveats": caveats,
        "terms": {metric: each.facts() for metric, each in terms().items() if metric in set(made["metric"])},
        "not_for_release": NOT_FOR_RELEASE,
        "runs_ended": [
            {"setting": setting, **status}
            for setting, trace in stored.items()
            for status in trace["status"]
            if status["reason"]
        ],
    }
    write_parquet(parquet, made, metadata)
    write_csv(csv, made)
    say(f"{len(settings)} settings, {len(made)} rows")


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "calibrations", "traces", "ledgers", "data", "networks", "parquet", "csv"), Path)
    run(table, __doc__, name=str, **paths)
