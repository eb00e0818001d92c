"""Find the noise for each of an experiment's settings that asks for a budget instead of a scale."""

from collections.abc import Sequence
from pathlib import Path

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.base.store import write_json
from radmm.data.holdings import read_row_counts
from radmm.jobs.steps.command import say
from radmm.study.budgets import bound_of, calibrate, reference_of
from radmm.study.public import facts_of, known_row_counts, network_of
from radmm.study.settings import Parameters, StudySetting, partition_name


def calibrate_noise(settings: Sequence[StudySetting], partitions: Sequence[Path], noise: Path) -> None:
    """Write the noise's section by the setting's id, and the total bound where that is what was asked for.

    Args:
        settings: All of an experiment.
        partitions: The counts of rows, where only the data tell these.
        noise: Where it goes.
    """
    by_id = {setting.id: setting for setting in settings}
    found = {}
    for setting in settings:
        if not setting.is_calibrated:
            with about(setting.label):
                found[setting.id] = _calibrated(setting, by_id, partitions)
            say(f"{setting.id}: {found[setting.id]['noise']}")
    write_json(noise, found)


def _calibrated(
    setting: StudySetting, settings: dict[str, StudySetting], partitions: Sequence[Path]
) -> dict[str, object]:
    parameters, facts = setting.parameters, facts_of(setting.parameters, row_counts_of(setting.parameters, partitions))
    other = settings[reference_of(parameters) or setting.id].parameters
    bound = None
    if "total_bound" in parameters["noise"]:
        bound = bound_of(other, facts_of(other, row_counts_of(other, partitions)))
    return {"noise": calibrate(parameters, facts, bound), "total_bound": bound}


def row_counts_of(parameters: Parameters, partitions: Sequence[Path]) -> Integers:
    """B_i, from the data where the partition needs them.

    Args:
        parameters: All values that determine a setting.
        partitions: The counts of rows, where only the data tell these.
    """
    known = known_row_counts(parameters)
    if known is not None:
        return known
    name = partition_name(parameters, network_of(parameters).nodes)
    return read_row_counts(next(path for path in partitions if path.stem == name))
