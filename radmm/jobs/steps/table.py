"""Write an experiment's table: statistics over the runs of each of its settings."""

from collections.abc import Sequence
from pathlib import Path

from radmm.base.store import read_metadata, write_csv, write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.privacy.guarantee import ASSUMED, NOT_FOR_RELEASE
from radmm.results.epsilon_conditions import conditions, shared_draws
from radmm.results.epsilon_terms import guarantee_column, terms_by_metric
from radmm.results.tables import experiment_table, read_ledger
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_to_json
from radmm.study.setting_facts import query_log_of


def table(
    name: str,
    settings: Sequence[Entry],
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    parquet: Path,
    csv: Path,
    capped: bool = False,
) -> None:
    """Write the table of an experiment.

    Args:
        settings: Entries of the experiment.
        calibrations: Files with the noise of settings with a budget.
        traces: Traces of all settings, in one folder; their ledgers are in a folder beside it.
        features: Features of the data sets of the settings.
        parquet: Output: the table.
        csv: Output: the table as CSV.
        capped: Whether ε is by the shift accountant's cap where no search has made its curves.
    """
    entries, folder, ledgers = calibrated(settings, calibrations), traces[0].parent, ledger_path(traces[0]).parent
    used = {entry.id: entry.setting for entry in entries}
    require_current(used.values(), folder, InputFiles.beside(features, networks))
    stored = {name: read_metadata(folder / f"{name}.parquet") for name in used}
    made = experiment_table(entries, folder, ledgers, capped)
    private = [name for name, trace in stored.items() if trace["setting"]["noise"] is not None]
    released = {name: read_ledger(ledgers / f"{name}.parquet") for name in private}
    made["guarantee"] = guarantee_column(made, released, {name: stored[name].get("caveat", "") for name in private})
    caveats = conditions(stored, ledgers)
    seeds = [entry.setting.seed for entry in entries if entry.setting.noise is not None]
    metadata = {
        "experiment": name,
        "settings": list(stored),
        "parameters": {name: setting.to_json() for name, setting in used.items()},
        "asked": {name: noise_to_json(each.calibrated_to) for name, each in used.items() if each.calibrated_to},
        "data_steps": {name: int(query_log_of(setting).data_steps[-1]) for name, setting in used.items()},
        "data": sorted({trace["hashes"]["data"] for trace in stored.values()}),
        "code": sorted({trace["code"] for trace in stored.values()}),
        "assumed": " ".join([ASSUMED, *caveats, *shared_draws(seeds)]),
        "caveats": caveats,
        "terms": {metric: each.facts() for metric, each in terms_by_metric().items() if metric in set(made["metric"])},
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
    say(f"{len(entries)} settings, {len(made)} rows")
