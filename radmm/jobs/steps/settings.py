"""Write the table that maps a setting's id to its parameters, with what was asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from radmm.base.store import write_parquet
from radmm.jobs.calibrations import read_calibrations
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.step_runner import say
from radmm.results.settings_table import settings_table
from radmm.study.settings import Entry


def list_settings(
    experiments: Mapping[str, Sequence[Entry]],
    calibrations: Sequence[Path],
    partitions: Sequence[Path],
    table: Path,
) -> None:
    """Write one row for each experiment and setting.

    Args:
        experiments: The entries of each experiment.
        calibrations: The noise that was found for budgets.
        partitions: The counts of rows, where only the data tell these.
        table: Where the rows go.
    """
    found = read_calibrations(calibrations)
    every = {entry.id: entry.setting for entries in experiments.values() for entry in entries}
    counts = {name: row_counts_of(setting, partitions) for name, setting in every.items()}
    write_parquet(table, settings_table(experiments, found, counts), {"experiments": list(experiments)})
    say(f"{len(counts)} settings in {len(experiments)} experiments")
