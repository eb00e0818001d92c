"""The noise that was found for settings that ask for a budget, and settings with it."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.study.settings import StudySetting


def read_calibrations(path: Path) -> dict[str, dict[str, Any]]:
    """What was found for an experiment's budgets, by the setting's id: its noise, and the total bound if asked for.

    Args:
        path: The file of the experiment.
    """
    found: dict[str, dict[str, Any]] = json.loads(checked(path).read_text(encoding="utf-8"))
    return found


def calibrated(settings: Iterable[StudySetting], calibrations: Sequence[Path]) -> list[StudySetting]:
    """The settings, with the noise that was found for those that ask for a budget.

    Args:
        settings: Any.
        calibrations: The files that have the noise of those which ask for a budget.
    """
    found = {name: each for path in calibrations for name, each in read_calibrations(path).items()}
    return [setting if setting.is_calibrated else setting.calibrated(found) for setting in settings]
