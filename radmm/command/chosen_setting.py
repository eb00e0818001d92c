"""The setting that a command is about: an entry of a config with flags laid over it, or flags alone."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.json_object import JsonObject
from radmm.command.setting_flags import written
from radmm.jobs.study import Study
from radmm.study.config_files import read_configs as read_files
from radmm.study.entries import Entry
from radmm.study.grids import merge
from radmm.study.resolution import written_settings
from radmm.study.settings import Setting
from radmm.study.validation import parse_config

SHIPPED = Path("config/config.yaml")
CLONE = Path(__file__).parent.parent.parent
ALONE = "flags"  # the experiment and the label of a setting that no config has
FIGURE = "convergence"  # takes any settings; nothing is drawn
USUAL = {"iterations": 50, "runs": 10}


@dataclass(frozen=True)
class ChosenSetting:
    """A setting with its study, which has the settings that it may refer to.

    Args:
        study: Study with one experiment.
        entry: Entry of the setting in that experiment.
    """

    study: Study
    entry: Entry

    @property
    def name(self) -> str:
        """Name of the setting for people."""
        where = f"{self.entry.experiment}/{self.entry.label}"
        return self.entry.id if self.entry.experiment == ALONE else f"{self.entry.id} ({where})"


def choose(given: argparse.Namespace) -> ChosenSetting:
    """Return the setting that the flags name or describe."""
    flags, plugins = written(given), {"plugins": given.plugin} if given.plugin else {}
    if given.setting is None:
        if given.config:
            raise InputError("--config: must come with --setting, which says which of its settings is meant")
        alone = {"figure": FIGURE, "settings": {ALONE: merge(USUAL, flags)}}
        study = Study.of({**plugins, "defaults": {}, "experiments": {ALONE: alone}})
        return ChosenSetting(study, _only(ALONE, study.experiments[ALONE]))
    raw = merge(read_configs(given.config), plugins)
    experiment, slash, label = given.setting.partition("/")
    if not slash:
        return _by_id(raw, given.setting, flags)
    study = Study.of(_with_flags(raw, experiment, label, flags))
    settings = [setting for setting in study.experiments[experiment] if setting.label == label]
    return ChosenSetting(study, _only(given.setting, settings))


def written_setting(given: argparse.Namespace) -> Setting:
    """Return the setting that --setting names, as it is written: nothing is read of its data."""
    plugins = {"plugins": given.plugin} if given.plugin else {}
    experiment, slash, label = given.setting.partition("/")
    if not slash:
        raise InputError(f"--setting {given.setting}: must be EXPERIMENT/LABEL")
    raw = _with_flags(merge(read_configs(given.config), plugins), experiment, label, {})
    found = written_settings(parse_config(raw), experiment, label)
    if len(found) != 1:
        raise InputError(f"--setting {given.setting}: is a grid of {len(found)} settings: must be one")
    return found[0]


def _with_flags(raw: Mapping[str, Any], experiment: str, label: str, flags: Mapping[str, Any]) -> JsonObject:
    """Return the config with that experiment alone, since others need not be checked."""
    experiments = {name: each for name, each in dict(raw.get("experiments") or {}).items() if each is not None}
    if experiment not in experiments:
        raise InputError(f"--setting {experiment}/{label}: must name one of the experiments {', '.join(experiments)}")
    settings = experiments[experiment].get("settings") or {}
    if label not in settings:
        raise InputError(f"--setting {experiment}/{label}: must name one of the settings {', '.join(settings)}")
    own = {**settings, label: merge(settings[label] or {}, flags)}
    return {
        **raw,
        "shipped": True,
        "experiments": {experiment: {**experiments[experiment], "figure": FIGURE, "settings": own}},
    }


def _by_id(raw: Mapping[str, Any], name: str, flags: Mapping[str, Any]) -> ChosenSetting:
    if flags:
        raise InputError(
            f"--setting {name}: must be experiment/label where other flags are laid over it: {', '.join(flags)}"
        )
    study = Study.of(raw)
    for settings in study.experiments.values():
        for setting in settings:
            if setting.id == name:
                return ChosenSetting(study, setting)
    raise InputError(
        f"--setting {name}: must be experiment/label or the id of a setting in the config; no setting has this id"
    )


def _only(name: str, settings: list[Entry]) -> Entry:
    if len(settings) == 1:
        return settings[0]
    if name == ALONE:
        axis, value = next(iter(settings[0].grid_point.items()))
        raise InputError(
            f"{axis} is a list of values, {shown(value)} and others: must be one value; only a config can have grids"
        )
    points = "; ".join(f"{setting.id} has {_point(setting)}" for setting in settings[:6])
    more = f" and {len(settings) - 6} more" if len(settings) > 6 else ""
    raise InputError(f"{name} is a grid of {len(settings)} settings: must be one, named by its id: {points}{more}")


def _point(setting: Entry) -> str:
    return ", ".join(f"{axis} = {shown(value)}" for axis, value in setting.grid_point.items())


def read_configs(paths: list[str]) -> JsonObject:
    """Return the user's config files laid over the shipped one, in turn, as the workflow does it."""
    files = [*_shipped(), *map(Path, paths)]
    if not files:
        raise InputError("--setting: must come with --config, as there is no config/config.yaml here")
    return read_files(dict.fromkeys(file.resolve() for file in files))


def _shipped() -> Iterator[Path]:
    there = [path for path in (SHIPPED, CLONE / SHIPPED) if path.is_file()]
    return iter(there[:1])
