"""Write the table that maps a setting's id to its parameters, with what was asked for, and draw the networks.

A network is drawn here, as the table knows which of its nodes sets the bound.
"""

from collections import Counter
from pathlib import Path

import pandas as pd

from radmm.base.store import write_parquet
from radmm.jobs.plan import read_calibrations, read_experiment, read_study
from radmm.jobs.steps.calibrate import row_counts_of
from radmm.jobs.steps.command import run, say
from radmm.results.figures.network import draw_file
from radmm.results.settings_table import settings_table
from radmm.study.public import network_of
from radmm.study.settings import Parameters, network_name


def settings(plan: Path, calibrations: Path, partitions: Path, networks: Path, output: Path) -> None:
    experiments = {name: read_experiment(plan, name) for name in read_study(plan)["experiments"]}
    asking = [name for name, settings in experiments.items() if not all(setting.is_calibrated for setting in settings)]
    found = {setting: each for name in asking for setting, each in read_calibrations(calibrations, name).items()}
    every = [setting for settings in experiments.values() for setting in settings]
    counts = {setting.id: row_counts_of(setting.parameters, partitions) for setting in every}
    table = settings_table(experiments, found, counts)
    write_parquet(output, dict(table.items()), {"experiments": list(experiments)})
    draw_networks({setting.id: setting.parameters for setting in every}, table, networks)
    say(f"{table['id'].nunique()} settings in {table['experiment'].nunique()} experiments")


def draw_networks(settings: dict[str, Parameters], table: pd.DataFrame, folder: Path) -> None:
    """Each network once, with the nodes that set the bound of the settings on it."""
    bounds = table.drop_duplicates("id").set_index("id")["bound.node"].dropna().astype(int).to_dict()
    users: dict[str, list[str]] = {}
    for setting, parameters in settings.items():
        users.setdefault(network_name(parameters), []).append(setting)
    for name, its in users.items():
        marked = Counter(bounds[setting] for setting in its if setting in bounds)
        draw_file(network_of(settings[its[0]]), marked, name, folder / f"{name}.png")


if __name__ == "__main__":
    run(settings, __doc__, plan=Path, calibrations=Path, partitions=Path, networks=Path, output=Path)
