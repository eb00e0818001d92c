"""Checks of a config's raw values, before its models see them: text, numbers, lists and sections of bounded size."""

import sys
from collections.abc import Mapping
from typing import Any

from radmm.base.errors import InputError
from radmm.base.inputs import shown

DEEPEST = 30  # sections and lists within each other; one that contains itself has no end
LONGEST_NAME = 200  # characters: names stand in files, legends and messages
LARGEST = 2**63 - 1  # what a column of whole numbers in a table can hold


def check_raw_values(raw: Any, path: tuple[str, ...] = ()) -> None:
    """Refuse values that no field of a config could have.

    Args:
        raw: Config, or a part of it.
        path: Path of the part in the config.
    """
    if isinstance(raw, Mapping | list):
        if len(path) >= DEEPEST:
            raise InputError(f"{'.'.join(path[:4])}…: must have at most {DEEPEST} sections within each other")
        parts = raw.items() if isinstance(raw, Mapping) else ((str(index), value) for index, value in enumerate(raw))
        for key, value in parts:
            check_raw_values(value, (*path, _name(key, path)))
    elif reason := _refusal(raw):
        raise InputError(f"{'.'.join(path) or 'the config'} = {shown(raw)}: {reason}")


def _name(key: Any, path: tuple[str, ...]) -> str:
    place = ".".join(path) or "the config"
    if not isinstance(key, str):
        raise InputError(f"{place} has {shown(key)} as a name: must be text, in quotes if YAML takes it for more")
    if len(key) > LONGEST_NAME or not key.isprintable():
        raise InputError(
            f"{place} has {shown(key)} as a name: must be at most {LONGEST_NAME} characters that can be printed"
        )
    return key


def _refusal(value: Any) -> str:
    """Return why a value that is no section can't be used; empty if it can."""
    if isinstance(value, str):
        return "" if _can_be_written(value) else "must be text that can be written, without halves of characters"
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int):
        return "" if abs(value) <= LARGEST else f"must be at most {LARGEST} in size"
    if isinstance(value, float):
        return f"must be 0 or at least {sys.float_info.min:.3g} in size" if 0 < abs(value) < sys.float_info.min else ""
    return "must be a number, text, true, false, null, a list or a section"


def _can_be_written(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
