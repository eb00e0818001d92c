"""Files of calibrated noise: of each search, and of all settings of an experiment, whose budgets they replace."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, fault, write_json
from radmm.jobs.digest import code_digest
from radmm.privacy.noise import Noise
from radmm.study.budgets import Calibration
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_from_json, noise_to_json
from radmm.study.searches import Search


def search_digest(search: Search) -> str:
    """Return the digest of the code that finds the noise of a search."""
    components: list[Any] = search.components
    return code_digest("radmm.study.searches", *components)


def write_search(path: Path, search: Search, inputs: str, found: Calibration) -> None:
    """Write what a search has found, with what tells whether that is up to date.

    Args:
        inputs: Digest of all that the search depends on.
    """
    origin = {"asked": search.asked, "inputs": inputs, "code": search_digest(search)}
    write_json(path, {**_to_json(found), **origin})


def read_search(path: Path) -> Calibration:
    """Read what a search has found."""
    return _from_json(json.loads(checked(path).read_text(encoding="utf-8")))


def why_search_outdated(path: Path, search: Search, inputs: str | None) -> str:
    """Return why a file is not what a search would find, as the end of a sentence; empty if it is.

    Args:
        path: File in which the search was kept.
        inputs: Digest of all that the search depends on; None leaves it out, as where it needs the data.
    """
    if reason := fault(path):
        return reason
    stored = json.loads(path.read_text(encoding="utf-8"))
    if stored["code"] != search_digest(search):
        return f"was found by other code, {stored['code']}"
    return "is of other rows at the nodes" if inputs not in (None, stored["inputs"]) else ""


def write_calibrations(path: Path, found: Mapping[str, Calibration]) -> None:
    """Write the calibrations of an experiment's budgets.

    Args:
        found: Calibration of each setting, by its id.
    """
    write_json(path, {name: _to_json(each) for name, each in found.items()})


def read_calibrations(paths: Sequence[Path]) -> dict[str, Calibration]:
    """Read the calibrations of experiments, by the setting's id.

    Args:
        paths: Files of the experiments.
    """
    files = (json.loads(checked(path).read_text(encoding="utf-8")) for path in paths)
    return {name: _from_json(each) for content in files for name, each in content.items()}


def _to_json(found: Calibration) -> JsonObject:
    return {"noise": noise_to_json(found.noise), "total_bound": found.total_bound}


def _from_json(content: Mapping[str, Any]) -> Calibration:
    noise = noise_from_json(content["noise"])
    assert isinstance(noise, Noise)  # noqa: S101 (what was found has a scale)
    return Calibration(noise, content["total_bound"])


def calibrated(entries: Iterable[Entry], calibrations: Sequence[Path]) -> list[Entry]:
    """Return entries in which budgets are replaced by the noise that was calibrated to them.

    Args:
        calibrations: Files with the calibrations.
    """
    found = read_calibrations(calibrations)
    return [entry if entry.setting.is_calibrated else entry.with_noise(found[entry.id].noise) for entry in entries]
