"""Write an experiment's table: statistics over the runs of each of its settings."""

from collections.abc import Sequence
from pathlib import Path

from radmm.base.store import read_metadata, write_csv, write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.currency import require_current
from radmm.jobs.inputs import InputFiles
from radmm.jobs.steps.command import say
from radmm.jobs.steps.solve import ledger_path
from radmm.privacy.guarantee import ASSUMED, NOT_FOR_RELEASE
from radmm.results.conditions import conditions, shared_draws
from radmm.results.tables import experiment_table, read_ledger
from radmm.results.terms import guarantee_column, terms
from radmm.study.public import notes_of
from radmm.study.settings import StudySetting


def table(
    name: str,
    settings: Sequence[StudySetting],
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    parquet: Path,
    csv: Path,
) -> None:
    """Write the table of an experiment.

    Args:
        name: What the experiment is called.
        settings: Its settings.
        calibrations: The noise that was found for their budgets.
        traces: The traces of all settings, in one folder; their ledgers are in one beside it.
        features: The data sets that they were solved with.
        networks: The networks likewise.
        parquet: Where the table goes.
        csv: Where it goes as text.
    """
    settings, folder, ledgers = calibrated(settings, calibrations), traces[0].parent, ledger_path(traces[0]).parent
    require_current(settings, folder, InputFiles.beside(features, networks))
    stored = {setting.id: read_metadata(folder / f"{setting.id}.parquet") for setting in settings}
    made = experiment_table(settings, folder, ledgers)
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
