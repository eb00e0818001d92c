"""Find the noise for each of an experiment's settings that asks for a budget instead of a scale."""

from pathlib import Path

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.base.store import write_json
from radmm.data.files import read_features, read_split
from radmm.data.partition import make_partition
from radmm.jobs.plan import read_experiment
from radmm.jobs.steps.command import run, say
from radmm.study.budgets import bound_of, calibrate, reference_of
from radmm.study.public import facts_of, known_row_counts, network_of
from radmm.study.settings import Parameters, StudySetting, data_name, split_name


def calibrations(plan: Path, name: str, data: Path, output: Path) -> None:
    """The noise's section by the setting's id, and the total bound where that is what was asked for."""
    settings = {setting.id: setting for setting in read_experiment(plan, name)}
    found = {}
    for setting in settings.values():
        if not setting.is_calibrated:
            with about(setting.label):
                found[setting.id] = _calibrated(setting, settings, data)
            say(f"{setting.id}: {found[setting.id]['noise']}")
    write_json(output, found)


def _calibrated(setting: StudySetting, settings: dict[str, StudySetting], data: Path) -> dict[str, object]:
    parameters, facts = setting.parameters, facts_of(setting.parameters, _row_counts(setting.parameters, data))
    other = settings[reference_of(parameters) or setting.id].parameters
    bound = None
    if "total_bound" in parameters["noise"]:
        bound = bound_of(other, facts_of(other, _row_counts(other, data)))
    return {"noise": calibrate(parameters, facts, bound), "total_bound": bound}


def _row_counts(parameters: Parameters, data: Path) -> Integers:
    """B_i, from the data where the partition needs them."""
    known = known_row_counts(parameters)
    if known is not None:
        return known
    rows = read_features(data / f"{data_name(parameters)}.npz")
    split = read_split(data / "splits" / f"{split_name(parameters)}.parquet")
    nodes = network_of(parameters).nodes
    owner = make_partition(parameters["partition"]).assign(rows.labels[split.train], nodes)
    return np.bincount(owner, minlength=nodes)


if __name__ == "__main__":
    run(calibrations, __doc__, plan=Path, name=str, data=Path, output=Path)
