"""Calibrate the noise of each of an experiment's settings that has a budget in place of a scale."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.data.holdings import read_row_counts
from radmm.jobs.calibrations import write_calibrations
from radmm.jobs.steps.step_runner import say
from radmm.study.budgets import Calibration, bound_of, calibrate, requested
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
    found = {}
    for entry in settings:
        if not entry.setting.is_calibrated:
            with about(entry.label):
                found[entry.id] = _calibrated(entry.setting, by_id, partitions)
            say(f"{entry.id}: {noise_to_json(found[entry.id].noise)}")
    write_calibrations(noise, found)


def _calibrated(setting: Setting, settings: Mapping[str, Setting], partitions: Sequence[Path]) -> Calibration:
    facts = facts_of(setting, row_counts_of(setting, partitions))
    bound = None
    if requested(setting).total_bound is not None:
        other = settings[setting.reference or setting.id]
        bound = bound_of(other, facts_of(other, row_counts_of(other, partitions)))
    return Calibration(calibrate(setting, facts, bound), bound)


def row_counts_of(setting: Setting, partitions: Sequence[Path]) -> Integers:
    """Return the number of rows B_i of each node, read from a file where the partition depends on the data.

    Args:
        partitions: Files of partitions with the rows of each node, where these depend on the data.
    """
    known = known_row_counts(setting)
    if known is not None:
        return known
    return read_row_counts(next(path for path in partitions if path.stem == setting.partition_name))
