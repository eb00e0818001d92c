"""The files that bring a study to the jobs: parameters never stand on a command line, whose length is limited."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.plugins import load_plugin
from radmm.base.store import checked, provenance, write_json
from radmm.study.settings import StudySetting

PLAN = Path("results/plan")
BATCHES, STUDY, EXPERIMENTS, CODE = "batches.txt", "study.json", "experiments", "code.json"


def write_study(
    plan: Path, shared: Mapping[str, Any], experiments: Mapping[str, Sequence[StudySetting]], plugins: Sequence[str]
) -> None:
    """One file for each experiment, and one for what they share; those of experiments that are gone go too.

    Args:
        plan: The folder.
        shared: What steps need that are no experiment's.
        experiments: The settings of each.
        plugins: What defines the components that they name.
    """
    for old in (plan / EXPERIMENTS).glob("*.json"):
        if old.stem not in experiments:
            old.unlink()
    for name, settings in experiments.items():
        content = {"plugins": list(plugins), "settings": [setting.as_plain() for setting in settings]}
        write_json(plan / EXPERIMENTS / f"{name}.json", content)
    write_json(plan / STUDY, {"plugins": list(plugins), **shared})


def read_study(plan: Path) -> dict[str, Any]:
    """What experiments share: their names, splits, networks, local files; plug-ins are loaded.

    Args:
        plan: The folder.
    """
    return read_plan(plan / STUDY)


def read_experiment(plan: Path, name: str, calibrations: Path | None = None) -> list[StudySetting]:
    """An experiment's settings; plug-ins are loaded.

    Args:
        plan: The folder.
        name: Of the experiment.
        calibrations: The folder with the noise of those that ask for a budget; None leaves them as they are.
    """
    settings = [StudySetting(**setting) for setting in read_plan(plan / EXPERIMENTS / f"{name}.json")["settings"]]
    if calibrations is None or all(setting.is_calibrated for setting in settings):
        return settings
    found = read_calibrations(calibrations, name)
    return [setting.calibrated(found) for setting in settings]


def read_calibrations(folder: Path, experiment: str) -> dict[str, dict[str, Any]]:
    """What was found for an experiment's budgets, by id: the noise's section, and the total bound if one was asked for.

    Args:
        folder: Of all experiments.
        experiment: Its name.
    """
    found: dict[str, dict[str, Any]] = json.loads(checked(folder / f"{experiment}.json").read_text(encoding="utf-8"))
    return found


def load_plugins(paths: Sequence[str]) -> None:
    """Know the components that plug-ins define.

    Args:
        paths: Of their files.
    """
    for path in paths:
        load_plugin(path)


def read_plan(path: Path) -> dict[str, Any]:
    with provenance():  # what is asked for is no source of what is found
        content: dict[str, Any] = json.loads(checked(path).read_text(encoding="utf-8"))
    load_plugins(content["plugins"])
    return content
