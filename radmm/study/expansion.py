"""A setting as it is written: what differs from the defaults, with a list wherever a grid is wanted."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from radmm.base.errors import InputError

Path = tuple[str, ...]
PER_NODE = "per_node"  # a list below this key is one value for each node, not a grid
# What a list below means by itself, in a section of the user's own table.
LISTS = ("classes", "categories", "bounds", "ignore", "missing_values")


def merge(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults with the setting's own values in their place, section by section.

    A section that names another alternative (`law` of a network, `name` of an algorithm, `kind` of a noise, `file` of
    data) takes nothing from the default's.
    """
    merged = dict(defaults)
    for key, value in own.items():
        before = merged.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping) and not _is_another(before, value):
            merged[key] = merge(before, value)
        else:
            merged[key] = value
    return merged


def _is_another(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    if {"file", "name"} <= before.keys() | now.keys() and before.keys() & now.keys() & {"file", "name"} == set():
        return True  # a table of the user's own in place of a data set by name, or the other way round
    return any(key in before and key in now and before[key] != now[key] for key in ("law", "name", "kind", "file"))


def expand(written: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every combination of the listed values, each with its point: the values that it takes on the grid's axes."""
    axes = dict(_lists(written))
    for values in itertools.product(*axes.values()):
        single: Mapping[str, Any] = written
        for path, value in zip(axes, values, strict=True):
            single = _replace(single, path, value)
        yield dict(single), {".".join(path): value for path, value in zip(axes, values, strict=True)}


def contains(tree: Any, path: Path) -> bool:
    """Whether the nested mappings have something at the path."""
    for key in path:
        if not isinstance(tree, Mapping) or key not in tree:
            return False
        tree = tree[key]
    return True


def _lists(tree: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    for key, value in tree.items():
        path = (*above, key)
        if above == ("data",) and key in LISTS:
            continue
        if isinstance(value, Mapping):
            yield from _lists(value, path)
        elif isinstance(value, list) and key != PER_NODE:
            if not value:
                raise InputError(f"{'.'.join(path)} = []: a grid must list at least one value")
            yield path, value


def _replace(tree: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    head, *rest = path
    return {**tree, head: _replace(tree[head], tuple(rest), value) if rest else value}
