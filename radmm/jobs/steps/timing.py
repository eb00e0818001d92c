"""Time an experiment's settings against each other: interleaved repeats in one process, one thread."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from radmm.base.store import write_parquet
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import solve_setting
from radmm.jobs.steps.step_runner import say
from radmm.study.entries import Entry

REPEATS = 5


def timing(
    name: str,
    settings: Sequence[Entry],
    calibrations: Sequence[Path],
    features: Sequence[Path],
    networks: Sequence[Path],
    seconds: Path,
) -> None:
    """Write the seconds that each setting of an experiment takes, which differ between machines and runs.

    Args:
        settings: Entries of the experiment.
        calibrations: Files with the noise of settings with a budget.
        features: Features of the data sets of the settings; splits are in a folder beside them.
        seconds: Output: the times.
    """
    entries, files = calibrated(settings, calibrations), InputFiles.beside(features, networks)
    read = cache(files.read)
    rows: list[dict[str, object]] = []
    for repeat in range(REPEATS):
        for entry in entries:
            _, taken = solve_setting(entry.setting, read(files.paths(entry.setting)))
            named = {"label": entry.label, "setting": entry.id, **entry.grid_point}
            rows.append({**named, "repeat": repeat, "seconds": taken})
        say(f"repeat {repeat + 1} of {REPEATS}")
    names = dict.fromkeys(name for row in rows for name in row)  # settings of one experiment may have other axes
    columns = {name: [row.get(name) for row in rows] for name in names}
    write_parquet(seconds, columns, {"experiment": name, "settings": [entry.id for entry in entries]})
