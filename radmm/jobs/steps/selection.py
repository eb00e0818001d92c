"""Choose among the candidates of a method in a cell, by their traces on the selection seeds of their study."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from radmm.base.arrays import Array
from radmm.base.json_object import JsonObject
from radmm.base.store import checked, write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_current
from radmm.privacy.ledger import Ledger
from radmm.results.frontier.replication import choices_at_budgets
from radmm.results.frontier.selection import choices_within_totals
from radmm.results.tables import read_ledger
from radmm.study.settings import Setting
from radmm.study.tuned_groups import Group

CHOSEN_BY = ("error_rate", "error_rate_average")
WORST = ("error_rate_worst", "error_rate_worst_average")  # metrics that are known after the last iteration alone
STUDY_METRICS = (*CHOSEN_BY, "loss", "loss_average", *WORST, "messages", "floats_sent")
ERRORS = slice(len(CHOSEN_BY))
COLUMNS = ("stage", "seed", "setting", "iteration", *STUDY_METRICS)


def selection(
    group: Group,
    study: JsonObject,
    calibrations: Sequence[Path],
    traces: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    runs: Path,
) -> None:
    """Write what the traces of a group's candidates say, and which candidates are chosen.

    Args:
        group: Candidates of a method in a cell.
        study: What the config says of the group's study.
        calibrations: Files with the noise that was found for budgets.
        traces: Traces of all candidates on all seeds, in one folder; their ledgers are in one beside it.
        features: The data set that they were solved with.
        networks: The networks that they were solved on.
        runs: Path of the file to write.
    """
    settings = _calibrated_draws(group, calibrations)
    every = [setting for own in settings.values() for setting in own]
    require_current(every, traces[0].parent, InputFiles.beside(features, networks))
    say(f"{group.method}, {group.cell}: {len(settings)} candidates on {len(group.seeds)} seeds")
    read = {name: _readings(own, group.rounds, traces[0].parent) for name, own in settings.items()}
    errors = {name: values[: len(group.selection), :, ERRORS] for name, values in read.items()}
    if study["epsilon"]:
        ledgers = {name: _pooled(own, ledger_path(traces[0]).parent) for name, own in settings.items()}
        found = choices_within_totals(group, study, errors, ledgers)
    else:
        found = choices_at_budgets(group, study, errors)
    metadata = {
        "data_set": group.data_set,
        "cell": group.cell,
        "method": group.method,
        "rounds": list(group.rounds),
        "candidates": {
            candidate.id: replace(candidate.setting, noise=settings[candidate.id][0].noise).to_json()
            for candidate in group.candidates
        },
        **found,
        "runs": len(every),
    }
    write_parquet(runs, _table(group, read), metadata)
    say(f"{len(found['chosen'])} choices made on {len(group.selection)} seeds")


def _calibrated_draws(group: Group, calibrations: Sequence[Path]) -> dict[str, list[Setting]]:
    """Return the settings of each candidate on all seeds, by the candidate's id; files of noise are read once."""
    drawn = [(candidate.id, entry) for candidate in group.candidates for entry in group.drawn(candidate)]
    found: dict[str, list[Setting]] = {candidate.id: [] for candidate in group.candidates}
    for (name, _), entry in zip(drawn, calibrated([entry for _, entry in drawn], calibrations), strict=True):
        found[name].append(entry.setting)
    return found


def _readings(settings: Sequence[Setting], rounds: Sequence[int], traces: Path) -> Array:
    """Return means over the runs, (setting, rounds, metric); NaN where a run has ended before, or was not as long."""
    found = np.full((len(settings), len(rounds), len(STUDY_METRICS)), np.nan)
    for place, setting in enumerate(settings):
        trace = pd.read_parquet(checked(traces / f"{setting.id}.parquet"), columns=list(STUDY_METRICS))
        by_run = trace.to_numpy().reshape(setting.runs, setting.iterations + 1, len(STUDY_METRICS))
        known = [rounds.index(each) for each in rounds if each <= setting.iterations]
        found[place, known] = by_run.mean(axis=0)[[rounds[each] for each in known]]
    return found


def _pooled(settings: Sequence[Setting], ledgers: Path) -> Ledger | None:
    """Return the ledgers of a candidate on all seeds as those of one run with all their nodes; None without noise."""
    if settings[0].noise is None:
        return None
    first, *others = (read_ledger(checked(ledgers / f"{setting.id}.parquet")) for setting in settings)
    return first.beside(*others)


def _table(group: Group, read: Mapping[str, Array]) -> pd.DataFrame:
    """Return one row for each candidate, seed and number of rounds, without runs that had ended before."""
    stages = [("selection", seed) for seed in group.selection] + [("judgement", seed) for seed in group.judgement]
    rows = [
        (*stage, name, rounds, *values)
        for name, by_seed in read.items()
        for stage, by_rounds in zip(stages, by_seed.tolist(), strict=True)
        for rounds, values in zip(group.rounds, by_rounds, strict=True)
        if np.isfinite(values[ERRORS]).all()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
