"""Results of a run as one tidy table, for analyses of one's own."""

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.registry import one_of
from radmm.base.store import recognised
from radmm.privacy.guarantee import NOT_FOR_RELEASE


def load_results(folder: str | Path = "results", experiment: str | Collection[str] | None = None) -> pd.DataFrame:
    """Return every measured value of a study: one row for each experiment, setting, run and iteration.

    The columns are `experiment`, `label` and `setting` (the id); the parameters of the setting by their dotted names,
    like `noise.sigma`; `run` and `iteration`; and the metrics, like `error_rate`. Only files of the experiments that
    are asked for are read. The values are exact, and covered by no ε.

    Args:
        folder: Folder of a study's results: `results`, or `results/NAME` of a study with a name.
        experiment: Name of an experiment, or several; all whose settings have run if not given.
    """
    settings = _settings_of(Path(folder), experiment)
    traces = {name: Path(folder) / "traces" / f"{name}.parquet" for name in settings["setting"]}
    missing = {name: path for name, path in traces.items() if not path.is_file()}
    if experiment is None:
        unfinished = settings.loc[settings["setting"].isin(missing), "experiment"]
        settings = settings[~settings["experiment"].isin(unfinished)]
    elif missing:
        raise InputError(f"{next(iter(missing.values()))} is missing: every setting of {experiment} must have run")
    if settings.empty:
        raise InputError(f"folder = {folder}: must have an experiment whose settings have all run")
    read = {name: pd.read_parquet(recognised(traces[name])) for name in settings["setting"]}
    measured = pd.concat(read, names=["setting"]).reset_index("setting")
    tidy = settings.merge(measured, on="setting", how="left")  # in the order of the settings
    tidy.attrs["not_for_release"] = NOT_FOR_RELEASE
    return tidy


def _settings_of(folder: Path, experiment: str | Collection[str] | None) -> pd.DataFrame:
    """Return the parameters of the settings of experiments, without what the theorems say of them."""
    path = folder / "settings.parquet"
    if not path.is_file():
        raise InputError(f"folder = {folder}: must have settings.parquet, like the results of a run")
    table = pd.read_parquet(recognised(path)).rename(columns={"id": "setting"})
    known = table["experiment"].unique().tolist()
    wanted = known if experiment is None else [experiment] if isinstance(experiment, str) else list(experiment)
    for name in wanted:
        if name not in known:
            raise InputError(f"experiment = {name}: {one_of(name, known)}")
    first = ["experiment", "label", "setting"]
    parameters = [name for name in table if name not in first and not str(name).startswith("theory.")]
    return table.loc[table["experiment"].isin(wanted), [*first, *parameters]].dropna(axis="columns", how="all")
