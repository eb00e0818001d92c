"""Grids of settings: sections laid over their defaults, and lists of values expanded into their combinations."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.json_object import JsonObject
from radmm.model.schedules.geometric import Geometric

Path = tuple[str, ...]
GridPoint = Mapping[str, Any]  # values of a setting on the axes of its grid, by their dotted paths
PER_NODE = "per_node"  # a list below this key is one value for each node, not a grid
# What a list below means by itself, in a section of the user's own table.
LISTS = ("classes", "categories", "bounds", "ignore", "missing_values", "accepted")
SCHEDULE = "schedule"  # field that names a section's schedule, which is geometric where it is missing
TAGS = ("law", "name", "kind", "file", SCHEDULE)  # fields that say which of several alternatives a section is
ZIP = "zip"  # names axes that go in step instead of being crossed
MOST_SETTINGS = 100_000  # most settings of one grid: all are kept in memory, and each has files


def merge(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> JsonObject:
    """Return the defaults with a setting's own values in their place, section by section.

    A section that names another alternative (`law` of a network, `name` of an algorithm, `kind` of a noise, `schedule`
    of a penalty, `file` of data), or lists only others, inherits nothing from the defaults.
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
    """Return whether two sections name different alternatives."""
    one, other = _tags(before), _tags(now)
    if SCHEDULE in other:
        one.setdefault(SCHEDULE, {Geometric.name})
    if {"file", "name"} <= one.keys() | other.keys() and not one.keys() & other.keys() & {"file", "name"}:
        return True  # a table of the user's own in place of a data set by name, or the other way round
    return any(one[key].isdisjoint(other[key]) for key in one.keys() & other.keys())


def _tags(section: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the alternatives that a section names, several if it lists them; an experiment called `law` names none."""
    listed = {key: section[key] if isinstance(section[key], list) else [section[key]] for key in TAGS if key in section}
    return {key: set(names) for key, names in listed.items() if names and all(isinstance(name, str) for name in names)}


def expand(written: Mapping[str, Any]) -> Iterator[tuple[JsonObject, GridPoint]]:
    """Return every combination of the listed values, each with its grid point: its values on the grid's axes.

    Axes named by `zip` are paired instead of crossed: their first values belong together, then their second ones, and
    so on. Errors in the grid are raised at once; its settings are generated one by one.
    """
    plain = {key: value for key, value in written.items() if key != ZIP}
    axes = dict(_lists(plain))
    groups = _groups(axes, written.get(ZIP, []))
    count = math.prod(len(axes[group[0]]) for group in groups)
    if count > MOST_SETTINGS:
        raise InputError(f"the grid has {count} settings, each with files of its own: must be at most {MOST_SETTINGS}")
    return _combinations(plain, axes, groups)


def _combinations(
    plain: Mapping[str, Any], axes: Mapping[Path, list[Any]], groups: list[tuple[Path, ...]]
) -> Iterator[tuple[JsonObject, GridPoint]]:
    for values in itertools.product(*(zip(*(axes[path] for path in group), strict=True) for group in groups)):
        found = {
            path: value
            for group, own in zip(groups, values, strict=True)
            for path, value in zip(group, own, strict=True)
        }
        single: Mapping[str, Any] = plain
        for path in axes:
            single = replace_at(single, path, found[path])
        yield dict(single), {".".join(path): found[path] for path in axes}


def _groups(axes: Mapping[Path, list[Any]], zipped: Any) -> list[tuple[Path, ...]]:
    """Return the axes in groups that are paired with each other; a group has the position of its first axis."""
    listed = zipped if isinstance(zipped, list) else [zipped]
    named = [listed] if listed and all(isinstance(name, str) for name in listed) else listed
    groups: dict[Path, tuple[Path, ...]] = {path: (path,) for path in axes}
    for group in named:
        if not isinstance(group, list) or not all(isinstance(name, str) for name in group):
            raise InputError(f"{ZIP} = {shown(zipped)}: must be a list of fields, like [network.nodes, problem.C]")
        paths = [tuple(name.split(".")) for name in group]
        for name, path in zip(group, paths, strict=True):
            if groups.get(path) != (path,) or paths.count(path) > 1:
                raise InputError(f"{ZIP} = {shown(group)}: {name} must be a field with a list of values, named once")
        lengths = [len(axes[path]) for path in paths]
        if len(set(lengths)) != 1:
            raise InputError(f"{ZIP} = {shown(group)}: must have lists of one length, but they have {lengths}")
        groups |= dict.fromkeys(paths, tuple(paths))
    return list(dict.fromkeys(groups.values()))


def contains(tree: Any, path: Path) -> bool:
    """Return whether nested mappings have a value at a path."""
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


def replace_at(tree: Mapping[str, Any], path: Path, value: Any) -> JsonObject:
    """Return nested mappings with another value at a path."""
    head, *rest = path
    return {**tree, head: replace_at(tree[head], tuple(rest), value) if rest else value}
