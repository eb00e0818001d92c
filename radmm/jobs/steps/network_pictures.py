"""Draw networks, each with the nodes that set the bound of the settings on it, which the table of settings knows."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from radmm.base.store import checked
from radmm.jobs.plan import read_experiment, read_study
from radmm.jobs.steps.command import run, say
from radmm.results.figures.network import draw_file
from radmm.study.public import network_of
from radmm.study.settings import Parameters, network_name


def network_pictures(plan: Path, settings: Path, names: Sequence[str], folder: Path) -> None:
    experiments = read_study(plan)["experiments"]
    every = [setting for name in experiments for setting in read_experiment(plan, name)]
    table = pd.read_parquet(checked(settings), columns=["id", "bound.node"])
    draw_networks({setting.id: setting.parameters for setting in every}, table, names, folder)
    say(f"{len(names)} networks")


def draw_networks(settings: Mapping[str, Parameters], table: pd.DataFrame, names: Sequence[str], folder: Path) -> None:
    """Each of these networks once, with the nodes that set the bound of the settings on it."""
    known = zip(table["id"], table["bound.node"], strict=True)
    bounds = {setting: int(node) for setting, node in known if node == node}  # NaN without noise
    users: dict[str, list[str]] = {name: [] for name in names}
    for setting, parameters in settings.items():
        if (name := network_name(parameters)) in users:
            users[name].append(setting)
    for name, its in users.items():
        marked = Counter(bounds[setting] for setting in its if setting in bounds)
        draw_file(network_of(settings[its[0]]), marked, name, folder / f"{name}.png")


if __name__ == "__main__":
    run(network_pictures, __doc__, plan=Path, settings=Path, names=json.loads, folder=Path)
