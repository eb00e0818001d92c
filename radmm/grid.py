"""A setting as it is written: what differs from the defaults, with a list wherever a grid is wanted."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from radmm.errors import InputError

Path = tuple[str, ...]
PER_NODE = "per_node"  # a list below this key is one value for each node, not a grid


def merge(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults with the setting's own values in their place, section by section."""
    merged = dict(defaults)
    for key, value in own.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = merge(merged[key], value) if both else value
    return merged


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
        if isinstance(value, Mapping):
            yield from _lists(value, path)
        elif isinstance(value, list) and key != PER_NODE:
            if not value:
                raise InputError(f"{'.'.join(path)} = []: a grid must list at least one value")
            yield path, value


def _replace(tree: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    head, *rest = path
    return {**tree, head: _replace(tree[head], tuple(rest), value) if rest else value}
