"""Write the table that maps a setting's id to its parameters, with what was asked for."""

from pathlib import Path

from radmm.base.store import write_parquet
from radmm.jobs.plan import read_calibrations, read_experiment, read_study
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.command import run, say
from radmm.results.settings_table import settings_table


def settings(plan: Path, calibrations: Path, partitions: Path, output: Path) -> None:
    experiments = {name: read_experiment(plan, name) for name in read_study(plan)["experiments"]}
    asking = [name for name, settings in experiments.items() if not all(setting.is_calibrated for setting in settings)]
    found = {setting: each for name in asking for setting, each in read_calibrations(calibrations, name).items()}
    every = [setting for settings in experiments.values() for setting in settings]
    counts = {setting.id: row_counts_of(setting.parameters, partitions) for setting in every}
    table = settings_table(experiments, found, counts)
    write_parquet(output, table, {"experiments": list(experiments)})
    say(f"{len(counts)} settings in {len(experiments)} experiments")


if __name__ == "__main__":
    run(settings, __doc__, plan=Path, calibrations=Path, partitions=Path, output=Path)
