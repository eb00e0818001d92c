"""The files that bring tuned studies to their jobs; apart from those of solver jobs, which need no config models."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.store import write_json
from radmm.jobs.plan import read_plan
from radmm.study.groups import Group
from radmm.study.tuned import Tuned

TUNED = "tuned"  # the folder


def write_tuned(plan: Path, studies: Mapping[str, Tuned], groups: Iterable[Group], plugins: Sequence[str]) -> None:
    """One file for each group of a tuned study, with the study's own part.

    Args:
        plan: The folder.
        studies: As they are written, by name.
        groups: Of all of them.
        plugins: What defines the components that they name.
    """
    listed = list(groups)
    for old in (plan / TUNED).glob("*.json"):
        if old.stem not in {group.name for group in listed}:
            old.unlink()
    for order, group in enumerate(listed):
        study = studies[group.study].said
        content = {"plugins": list(plugins), "study": study, "order": order, "group": group.as_plain()}
        write_json(plan / TUNED / f"{group.name}.json", content)


def read_tuned(plan: Path, group: str) -> tuple[dict[str, Any], Group]:
    """A group of a tuned study, and what its study says; plug-ins are loaded.

    Args:
        plan: The folder.
        group: Its name.
    """
    content = read_plan(plan / TUNED / f"{group}.json")
    return content["study"], Group.from_plain(content["group"])
