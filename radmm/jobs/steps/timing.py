"""Time an experiment's settings against each other: interleaved repeats in one process, one thread."""

from functools import cache
from pathlib import Path
from typing import Any

from radmm.base.store import write_parquet
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import read_experiment
from radmm.jobs.steps.command import run, say
from radmm.jobs.steps.solve import solve_setting

REPEATS = 5


def timing(plan: Path, name: str, calibrations: Path, data: Path, networks: Path, output: Path) -> None:
    """Seconds differ from machine to machine, and from run to run."""
    settings = read_experiment(plan, name, calibrations)
    files = InputFiles(data, networks)
    read = cache(files.read)
    rows: list[dict[str, Any]] = []
    for repeat in range(REPEATS):
        for setting in settings:
            _, seconds = solve_setting(setting.parameters, read(files.paths(setting.parameters)))
            named = {"label": setting.label, "setting": setting.id, **setting.point}
            rows.append({**named, "repeat": repeat, "seconds": seconds})
        say(f"repeat {repeat + 1} of {REPEATS}")
    names = dict.fromkeys(name for row in rows for name in row)  # settings of one experiment may have other axes
    columns = {name: [row.get(name) for row in rows] for name in names}
    write_parquet(output, columns, {"experiment": name, "settings": [setting.id for setting in settings]})


if __name__ == "__main__":
    paths = dict.fromkeys(("plan", "calibrations", "data", "networks", "output"), Path)
    run(timing, __doc__, name=str, **paths)
