"""Components as JSON and back: the component's name under its tag (`law`, `name` or `kind`), then its fields."""

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from radmm.base.inputs import make_component
from radmm.base.registry import Component, Registry
from radmm.model.schedules import Geometric

C = TypeVar("C", bound=Component)
Json = Mapping[str, Any]  # an object of a JSON file


def canonical(values: Any) -> str:
    """One spelling for equal values: sorted keys, shortest floats, no spaces.

    Args:
        values: Anything that JSON can hold.
    """
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def short_hash(values: Any) -> str:
    """Ten digits that tell values apart.

    Args:
        values: Anything that JSON can hold.
    """
    return hashlib.sha256(canonical(values).encode()).hexdigest()[:10]


def to_json(value: Any, without_defaults: bool = False) -> Any:
    """A component, another dataclass, or a value of their fields, as JSON has it.

    Args:
        value: Anything that a field of a config may hold.
        without_defaults: Whether fields that are at their default are left out.
    """
    if isinstance(value, Component):
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
    """A loss or a data set as JSON has it: its name alone where there is nothing else to say.

    Args:
        component: The loss or the data set.
        without_defaults: Whether fields that are at their default are left out.
    """
    section = to_json(component, without_defaults)
    return section["name"] if list(section) == ["name"] else section


def fields_to_json(value: Any, without_defaults: bool, leave_out: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass as JSON has them; a component without fields need not be one.

    Args:
        value: The dataclass.
        without_defaults: Whether fields that are at their default are left out.
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
    """What a field is where a config leaves it out; MISSING if it must not."""
    if kind is Geometric:
        return 1.0  # in a config, scale and ratio may both be left out
    (field,) = (field for field in fields(kind) if field.name == name)
    return to_json(field.default_factory() if field.default_factory is not MISSING else field.default)


def from_json(registry: Registry[C], section: Json) -> C:
    """The component that a section describes, with its schedules as such and lists as tuples.

    Args:
        registry: The components of its kind.
        section: The component's name, under the registry's tag, and its parameters.
    """
    return make_component(registry, {name: _as_argument(value) for name, value in section.items()})


def _as_argument(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Geometric(**value)
    return tuple(value) if isinstance(value, list) else value


def content_key(value: Any) -> Hashable:
    """A key that equal components share, also those that can't be hashed themselves.

    Args:
        value: A component, another dataclass, or a value of their fields.
    """
    if isinstance(value, Component) or is_dataclass(value):
        own = fields(value) if is_dataclass(value) else ()
        return (type(value), *(content_key(getattr(value, field.name)) for field in own))
    if isinstance(value, Mapping):
        return tuple((key, content_key(each)) for key, each in value.items())
    if isinstance(value, list | tuple):
        return tuple(content_key(each) for each in value)
    return value.tobytes() if isinstance(value, np.ndarray) else value
