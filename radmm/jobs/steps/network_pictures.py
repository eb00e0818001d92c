"""Draw networks, each with the nodes that determine the privacy bound of the settings on it."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from radmm.base.store import checked
from radmm.jobs.steps.step_runner import say
from radmm.results.figures.network import draw_file
from radmm.study.setting_facts import network_of
from radmm.study.settings import Setting


def network_pictures(planned: Sequence[Setting], settings: Path, pictures: Sequence[Path]) -> None:
    """Draw networks, each as a PDF and a PNG.

    Args:
        planned: Every setting of the study.
        settings: Table of settings.
        pictures: Output: the pictures, all in one folder; a file is named after its network.
    """
    table, names = (
        pd.read_parquet(checked(settings), columns=["id", "bound.node"]),
        list(dict.fromkeys(path.stem for path in pictures)),
    )
    draw_networks(planned, table, names, pictures[0].parent)
    say(f"{len(names)} networks")


def draw_networks(settings: Sequence[Setting], table: pd.DataFrame, names: Sequence[str], folder: Path) -> None:
    """Draw each of these networks once, with the nodes that determine the bound of the settings on it."""
    known = zip(table["id"], table["bound.node"], strict=True)
    bounds = {setting: int(node) for setting, node in known if node == node}  # NaN without noise
    users: dict[str, list[Setting]] = {name: [] for name in names}
    for setting in settings:
        if setting.network_name in users:
            users[setting.network_name].append(setting)
    for name, its in users.items():
        marked = {bounds[setting.id] for setting in its if setting.id in bounds}
        draw_file(network_of(its[0]), marked, name, folder / f"{name}.png")
