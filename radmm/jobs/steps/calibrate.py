"""Find the noise for each of an experiment's settings that asks for a budget instead of a scale."""

from pathlib import Path

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.base.store import write_json
from radmm.data.holdings import read_row_counts
from radmm.jobs.plan import read_experiment
from radmm.jobs.steps.command import run, say
from radmm.study.budgets import bound_of, calibrate, reference_of
from radmm.study.public import facts_of, known_row_counts, network_of
from radmm.study.settings import Parameters, StudySetting, partition_name


def calibrations(plan: Path, name: str, partitions: Path, output: Path) -> None:
    """The noise's section by the setting's id, and the total bound where that is what was asked for."""
    settings = {setting.id: setting for setting in read_experiment(plan, name)}
    found = {}
    for setting in settings.values():
        if not setting.is_calibrated:
            with about(setting.label):
                found[setting.id] = _calibrated(setting, settings, partitions)
            say(f"{setting.id}: {found[setting.id]['noise']}")
    write_json(output, found)


def _calibrated(setting: StudySetting, settings: dict[str, StudySetting], partitions: Path) -> dict[str, object]:
    parameters, facts = setting.parameters, facts_of(setting.parameters, row_counts_of(setting.parameters, partitions))
    other = settings[reference_of(parameters) or setting.id].parameters
    bound = None
    if "total_bound" in parameters["noise"]:
        bound = bound_of(other, facts_of(other, row_counts_of(other, partitions)))
    return {"noise": calibrate(parameters, facts, bound), "total_bound": bound}


def row_counts_of(parameters: Parameters, partitions: Path) -> Integers:
    """B_i, from the data where the partition needs them."""
    known = known_row_counts(parameters)
    if known is not None:
        return known
    return read_row_counts(partitions / f"{partition_name(parameters, network_of(parameters).nodes)}.json")


if __name__ == "__main__":
    run(calibrations, __doc__, plan=Path, name=str, partitions=Path, output=Path)
