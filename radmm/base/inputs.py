"""Validation of users' numbers and arrays: accepted if they can mean only one thing, else refused in one sentence.

NumPy would take True for 1, read "1" as text or as a number depending on what stands beside it, drop the mask of a
masked array, and mention its own internals in error messages.
"""

import inspect
import math
import operator
import reprlib
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import annotated_types
import numpy as np
import scipy
from numpy.typing import NDArray

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.registry import Component, Registry

C = TypeVar("C", bound=Component)

LONGEST = 80  # what a message quotes of a value
BOUNDS: dict[type, tuple[str, str]] = {
    annotated_types.Gt: ("gt", "above"),
    annotated_types.Ge: ("ge", "at least"),
    annotated_types.Lt: ("lt", "below"),
    annotated_types.Le: ("le", "at most"),
}
KINDS: dict[Any, tuple[type, str]] = {
    int: (Integral, "a whole number"),
    float: (Real, "a finite number"),
    str: (str, "text"),
    bool: (bool, "true or false"),
}


def shown(value: object) -> str:
    """Format a value for error messages: short, and on one line."""
    text = " ".join(reprlib.repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def as_number(field: str, value: object) -> float:
    """Return a finite real number; text, booleans and arrays are refused."""
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            number = float(value)
        except (OverflowError, ValueError, TypeError):  # a whole number that no float can hold
            number = math.inf
        if math.isfinite(number):
            return number
    raise InputError(f"{field} = {shown(value)}: must be a finite number")


def as_real_array(field: str, value: Any, ndim: int) -> Any:
    """Return an array of real numbers, sparse if it was, in its own precision; values need not be finite.

    Args:
        value: A dense or sparse array, a data frame, or nested lists.
        ndim: Number of dimensions that it must have.
    """
    array = value if scipy.sparse.issparse(value) else _as_dense(field, value)
    if array.dtype.kind not in "iuf":
        what = "booleans" if array.dtype.kind == "b" else f"values of type {array.dtype}"
        given = f"{field} = {shown(value)}" if array.ndim == 0 else f"{field} holds {what}"
        raise InputError(f"{given}: must be an array of real numbers")
    if array.ndim != ndim:
        raise InputError(f"{field} has {array.ndim} dimensions: must have {'one' if ndim == 1 else 'two'}")
    return array


def as_vector(field: str, value: Any, length: int) -> Array:
    """Return a vector of real numbers of a given length; they need not be finite.

    Args:
        value: An array or a list.
        length: Number of values that it must have.
    """
    array = as_real_array(field, value, ndim=1)
    if array.shape != (length,):
        raise InputError(f"{field} has shape {array.shape}: must have one entry for each of {length} rows")
    with np.errstate(over="ignore"):  # what double precision can't hold becomes infinite, and is refused as such
        return np.asarray(array.toarray() if scipy.sparse.issparse(array) else array, dtype=np.float64)


def _as_dense(field: str, value: Any) -> NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(f"{field} is a masked array: must have no mask, fill or drop what is masked")
    try:
        return np.asarray(value)
    except Exception:  # whatever the object's own conversion raises
        raise InputError(f"{field} = {shown(value)}: must be an array of real numbers") from None


def check_fields(section: str, component: Any) -> None:
    """Refuse a component's parameter of the wrong type, or beyond the bounds that its annotation states.

    Args:
        section: The config's section, for messages like `network.nodes = 1: must be at least 2`.
        component: A dataclass; only fields that are numbers, text or booleans are checked.
    """
    kind: Any = type(component)
    hints = _hints(kind)
    for field in fields(component):
        _check_field(f"{section}.{field.name}", getattr(component, field.name), hints[field.name])


def make_component(registry: Registry[C], section: Mapping[str, Any]) -> C:
    """Build the component that a section of a setting describes.

    Args:
        registry: The components of its kind.
        section: The component's name, under the registry's tag, and its parameters.
    """
    options = dict(section)
    component: Any = registry[str(options.pop(registry.tag, None))]
    try:
        _signature(component).bind(**options)
    except TypeError as error:  # a parameter is missing, or is none of the component's
        raise InputError(f"{registry.kind} = {component.name}: {error}") from None
    made: C = component(**options)
    return made


# Looked up once for each class: a grid makes thousands of components.
_signature = lru_cache(inspect.signature)


@lru_cache
def _hints(component: type) -> dict[str, Any]:
    return get_type_hints(component, include_extras=True)


def _check_field(name: str, value: Any, hint: Any) -> None:
    arms = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    others = [arm for arm in arms if arm is not NoneType]
    if len(others) != 1 or (value is None and len(arms) > 1):
        return
    kind, *bounds = get_args(others[0]) if get_origin(others[0]) is Annotated else others
    if kind not in KINDS:
        return
    wanted, description = KINDS[kind]
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
        raise InputError(f"{name} = {shown(value)}: must be {description}")
    if kind is float:
        as_number(name, value)
    for bound in bounds:
        if type(bound) in BOUNDS:
            _check_bound(name, value, bound)


def _check_bound(name: str, value: Any, bound: Any) -> None:
    attribute, words = BOUNDS[type(bound)]
    limit = getattr(bound, attribute)
    if not getattr(operator, attribute)(value, limit):
        raise InputError(f"{name} = {shown(value)}: must be {words} {limit}")
