"""Write the table that maps a setting's id to its parameters and overrides."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.store import write_parquet
from radmm.jobs.calibrations import read_calibrations
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.step_runner import say
from radmm.results.settings_table import settings_table
from radmm.study.entries import Entry


def list_settings(
    experiments: Mapping[str, Sequence[Entry]],
    calibrations: Sequence[Path],
    partitions: Sequence[Path],
    table: Path,
) -> None:
    """Write one row for each experiment and setting.

    Args:
        experiments: Entries of each experiment.
        calibrations: Files with the noise of settings with a budget.
        partitions: Files of partitions with the rows of each node, where these depend on the data.
        table: Output: the table.
    """
    found = read_calibrations(calibrations)
    every = {entry.id: entry.setting for entries in experiments.values() for entry in entries}
    counts = {name: row_counts_of(setting, partitions) for name, setting in every.items()}
    write_parquet(table, settings_table(experiments, found, counts), {"experiments": list(experiments)})
    say(f"{len(counts)} settings in {len(experiments)} experiments")
