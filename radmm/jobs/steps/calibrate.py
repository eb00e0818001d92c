"""Calibrate the noise of each of an experiment's settings that has a budget in place of a scale."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.data.holdings import read_row_counts
from radmm.jobs.calibrations import write_calibrations
from radmm.jobs.steps.step_runner import say
from radmm.study.budgets import Calibration, bound_of, calibrate, calibrate_all, requested
from radmm.study.draws import sharing_noise
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_to_json
from radmm.study.setting_facts import facts_of, known_row_counts
from radmm.study.settings import Setting


def calibrate_noise(settings: Sequence[Entry], partitions: Sequence[Path], noise: Path) -> None:
    """Write the calibrated noise of each setting by its id, and the total bound where the budget is one.

    Args:
        settings: All entries of an experiment.
        partitions: Files of partitions with the rows of each node, where these depend on the data.
        noise: Output: the calibrations.
    """
    by_id = {entry.id: entry.setting for entry in settings}
    found: dict[str, Calibration] = {}
    shared: dict[Setting, Calibration] = {}  # by the first of the draws that have one noise
    for entry in settings:
        if not entry.setting.is_calibrated:
            draws = sharing_noise(entry.setting)
            with about(entry.label):
                known = shared.get(draws[0]) or _calibrated(entry.setting, draws, by_id, partitions)
            found[entry.id] = shared[draws[0]] = known
            say(f"{entry.id}: {noise_to_json(known.noise)}")
    write_calibrations(noise, found)


def _calibrated(
    setting: Setting, draws: Sequence[Setting], settings: Mapping[str, Setting], partitions: Sequence[Path]
) -> Calibration:
    asked = requested(setting).total_bound
    runs = [(each, facts_of(each, row_counts_of(each, partitions))) for each in draws]
    if len(runs) > 1:
        return Calibration(calibrate_all(runs), asked if isinstance(asked, float) else None)
    bound = None
    if asked is not None:
        other = settings[setting.reference or setting.id]
        bound = bound_of(other, facts_of(other, row_counts_of(other, partitions)))
    return Calibration(calibrate(*runs[0], bound), bound)


def row_counts_of(setting: Setting, partitions: Sequence[Path]) -> Integers:
    """Return the number of rows B_i of each node, read from a file where the partition depends on the data.

    Args:
        partitions: Files of partitions with the rows of each node, where these depend on the data.
    """
    known = known_row_counts(setting)
    if known is not None:
        return known
    return read_row_counts(next(path for path in partitions if path.stem == setting.partition_name))
