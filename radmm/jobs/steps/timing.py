"""Time an experiment's settings against each other: interleaved repeats in one process, one thread."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from radmm.base.store import write_parquet
from radmm.jobs.steps.command import run, say
from radmm.jobs.steps.solve import read_inputs, solve_setting
from radmm.study.resolution import resolve
from radmm.study.settings import network_name, split_name

REPEATS = 5


def timing(config: dict[str, Any], experiment: str, features: Path, splits: Path, networks: Path, output: Path) -> None:
    """The config holds this experiment only. Seconds differ from machine to machine, and from run to run."""
    settings = resolve(config)[experiment]
    read = cache(read_inputs)
    rows: list[dict[str, Any]] = []
    for repeat in range(REPEATS):
        for setting in settings:
            split = splits / f"{split_name(setting.parameters)}.parquet"
            network = networks / f"{network_name(setting.parameters)}.edges"
            _, seconds = solve_setting(setting.parameters, read(features, split, network))
            named = {"label": setting.label, "setting": setting.id, **setting.point}
            rows.append({**named, "repeat": repeat, "seconds": seconds})
        say(f"repeat {repeat + 1} of {REPEATS}")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    write_parquet(output, columns, {"experiment": experiment, "settings": [setting.id for setting in settings]})


if __name__ == "__main__":
    run(timing, __doc__, config=json.loads, experiment=str, features=Path, splits=Path, networks=Path, output=Path)
