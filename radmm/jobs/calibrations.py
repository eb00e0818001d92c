"""Files of calibrated noise, and settings with the noise that was calibrated to their budgets."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from radmm.base.store import checked, write_json
from radmm.privacy.noise import Noise
from radmm.study.budgets import Calibration
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_from_json, noise_to_json


def write_calibrations(path: Path, found: Mapping[str, Calibration]) -> None:
    """Write the calibrations of an experiment's budgets.

    Args:
        path: File of the experiment.
        found: Calibration of each setting, by its id.
    """
    content = {
        name: {"noise": noise_to_json(each.noise), "total_bound": each.total_bound} for name, each in found.items()
    }
    write_json(path, content)


def read_calibrations(paths: Sequence[Path]) -> dict[str, Calibration]:
    """Read the calibrations of experiments, by the setting's id.

    Args:
        paths: Files of the experiments.
    """
    found = {}
    for path in paths:
        for name, each in json.loads(checked(path).read_text(encoding="utf-8")).items():
            noise = noise_from_json(each["noise"])
            assert isinstance(noise, Noise)  # noqa: S101 (what was found has a scale)
            found[name] = Calibration(noise, each["total_bound"])
    return found


def calibrated(entries: Iterable[Entry], calibrations: Sequence[Path]) -> list[Entry]:
    """Return entries in which budgets are replaced by the noise that was calibrated to them.

    Args:
        calibrations: Files with the calibrations.
    """
    found = read_calibrations(calibrations)
    return [entry if entry.setting.is_calibrated else entry.with_noise(found[entry.id].noise) for entry in entries]
