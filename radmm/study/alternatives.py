"""Grids over alternatives: where a field lists several laws or names, each takes the fields that are its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import reduce
from typing import Any

from radmm.algorithms.algorithm import ALGORITHMS
from radmm.base.json_object import JsonObject
from radmm.base.registry import Registry
from radmm.data.partition import PARTITIONS
from radmm.data.source import SOURCES
from radmm.data.topology import TOPOLOGIES
from radmm.model.losses.loss import LOSSES
from radmm.study.component_json import canonical
from radmm.study.grids import GridPoint, Path, contains, replace_at

# Which field of a section names the alternative, and what the alternatives are.
CHOICES: dict[Path, Registry[Any]] = {
    ("data", "name"): SOURCES,
    ("network", "law"): TOPOLOGIES,
    ("partition", "law"): PARTITIONS,
    ("problem", "loss", "name"): LOSSES,
    ("algorithm", "name"): ALGORITHMS,
}
SettingOfGrid = tuple[JsonObject, GridPoint]  # as written, without lists


def with_own_fields(written: Mapping[str, Any], grid: Iterable[SettingOfGrid]) -> Iterator[SettingOfGrid]:
    """Yield the grid's settings without the fields of alternatives that stand in the same list.

    `network: {law: [ring, erdos-renyi], nodes: 5, probability: 0.5}` is a ring without a probability and a random graph
    with one. Settings that differ only in a field which was left out are one.

    Args:
        written: The setting with lists where a grid is wanted.
        grid: Its expansion, each setting with its point.
    """
    listed = {path: _at(written, path) for path in CHOICES if contains(written, path)}
    foreign = {path: _foreign(CHOICES[path], names) for path, names in listed.items() if isinstance(names, list)}
    seen = set()
    for setting, point in grid:
        single, left = setting, point
        for path, fields_of_others in foreign.items():
            section = _at(single, path[:-1])
            others = fields_of_others.get(str(section[path[-1]]), set())
            single = replace_at(single, path[:-1], {name: section[name] for name in section if name not in others})
            left = {axis: value for axis, value in left.items() if contains(single, tuple(axis.split(".")))}
        if len(left) == len(point) or canonical(left) not in seen:
            yield single, left
        if foreign:
            seen.add(canonical(left))


def _foreign(registry: Registry[Any], names: list[Any]) -> dict[str, set[str]]:
    """Return for each alternative the fields that only others of the list have."""
    own = {
        name: {field.name for field in fields(registry[name])}
        for name in names
        if isinstance(name, str) and name in registry
    }
    every = set().union(*own.values())
    return {name: every - known for name, known in own.items()}


def _at(tree: Mapping[str, Any], path: Path) -> Any:
    return reduce(lambda below, key: below[key], path, tree)
