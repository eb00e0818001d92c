"""Time an experiment's settings against each other: interleaved repeats in one process, one thread."""

import json
from pathlib import Path
from typing import Any

from radmm.data import read_features, read_split
from radmm.network import Network
from radmm.resolve import resolve
from radmm.setting import network_name, split_name
from radmm.steps.command import run, say
from radmm.steps.solve import read_network, solve_setting
from radmm.store import write_parquet

REPEATS = 5


def timing(config: dict[str, Any], experiment: str, features: Path, splits: Path, networks: Path, output: Path) -> None:
    """The config holds this experiment only. Seconds differ from machine to machine, and from run to run."""
    settings = resolve(config)[experiment]
    data = read_features(features)
    rows: list[dict[str, Any]] = []
    for repeat in range(REPEATS):
        for setting in settings:
            parts = read_split(splits / f"{split_name(setting.parameters)}.parquet")
            edges = read_network(networks / f"{network_name(setting.parameters)}.edges")
            _, seconds = solve_setting(setting.parameters, data, parts, Network.from_edges(edges))
            named = {"label": setting.label, "setting": setting.id, **setting.point}
            rows.append({**named, "repeat": repeat, "seconds": seconds})
        say(f"repeat {repeat + 1} of {REPEATS}")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    write_parquet(output, columns, {"experiment": experiment, "settings": [setting.id for setting in settings]})


if __name__ == "__main__":
    run(timing, __doc__, config=json.loads, experiment=str, features=Path, splits=Path, networks=Path, output=Path)
