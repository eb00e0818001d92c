"""Conversion of components to JSON and back: a component's name under its registry's tag, like `law` or `kind`, then
its fields.
"""

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from radmm.base.inputs import make_component
from radmm.base.json_object import JsonObject
from radmm.base.registry import Component, Registry
from radmm.model.schedules.geometric import Geometric
from radmm.model.schedules.schedule import SCHEDULES

C = TypeVar("C", bound=Component)
Json = Mapping[str, Any]  # an object of a JSON file


def canonical(values: Any) -> str:
    """Return values as JSON in one spelling for equal values: sorted keys, shortest floats, no spaces."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def short_hash(values: Any) -> str:
    """Return ten hexadecimal digits that distinguish values."""
    return hashlib.sha256(canonical(values).encode()).hexdigest()[:10]


def to_json(value: Any, without_defaults: bool = False) -> Any:
    """Convert a component, another dataclass, or a value of their fields to JSON.

    Args:
        value: Value that a field of a config may hold.
        without_defaults: Whether to leave out fields at their defaults.
    """
    if isinstance(value, Component) and not isinstance(value, Geometric):  # of schedules the one that needs no name
        return {value.registry.tag: value.name, **fields_to_json(value, without_defaults)}
    if is_dataclass(value):
        return fields_to_json(value, without_defaults)
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value.value if isinstance(value, Enum) else value


def named_to_json(component: Component, without_defaults: bool = False) -> Any:
    """Convert a loss or a data set to JSON: its name alone if it has no other parameters.

    Args:
        without_defaults: Whether to leave out fields at their defaults.
    """
    section = to_json(component, without_defaults)
    return section["name"] if list(section) == ["name"] else section


def fields_to_json(value: Any, without_defaults: bool, leave_out: Sequence[str] = ()) -> JsonObject:
    """Convert the fields of a dataclass to JSON; a component without parameters need not be a dataclass.

    Args:
        value: Dataclass or component.
        without_defaults: Whether to leave out fields at their defaults.
        leave_out: Names of other fields to leave out.
    """
    kind: Any = type(value)
    own = fields(value) if is_dataclass(value) else ()
    given = {field.name: getattr(value, field.name) for field in own if field.init and field.name not in leave_out}
    return {
        name: to_json(each, without_defaults)
        for name, each in given.items()
        if not (without_defaults and to_json(each) == _default(kind, name))
    }


@lru_cache(maxsize=4096)
def _default(kind: Any, name: str) -> Any:
    """Return a field's default as a config would have it; MISSING if there is none."""
    (field,) = (field for field in fields(kind) if field.name == name)
    return to_json(field.default_factory() if field.default_factory is not MISSING else field.default)


def from_json(registry: Registry[C], section: Json) -> C:
    """Build a component from its section of a config, with numbers or sections made into schedules and lists into
    tuples.

    Args:
        registry: Components of that kind.
        section: Component's name, under the registry's tag, and its parameters.
    """
    return make_component(registry, {name: _as_argument(value) for name, value in section.items()})


def _as_argument(value: Any) -> Any:
    if isinstance(value, Mapping):
        return from_json(SCHEDULES, {SCHEDULES.tag: Geometric.name, **value})
    return tuple(value) if isinstance(value, list) else value


def content_key(value: Any) -> Hashable:
    """Return a key that equal components share, hashable even where the components are not.

    Args:
        value: Component, another dataclass, or a value of their fields.
    """
    if isinstance(value, Component) or is_dataclass(value):
        own = fields(value) if is_dataclass(value) else ()
        return (type(value), *(content_key(getattr(value, field.name)) for field in own))
    if isinstance(value, Mapping):
        return tuple((key, content_key(each)) for key, each in value.items())
    if isinstance(value, list | tuple):
        return tuple(content_key(each) for each in value)
    return value.tobytes() if isinstance(value, np.ndarray) else value
