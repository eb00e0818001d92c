"""Types of the config's fields, beyond plain numbers and texts."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, PlainValidator, WithJsonSchema
from pydantic_core import core_schema

from radmm.base.json_object import JsonObject
from radmm.base.registry import one_of
from radmm.study.grids import PER_NODE
from radmm.study.noise_budget import SAME_AS

Seed = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
_NUMBER = {"type": "number", "exclusiveMinimum": 0}


class Section(BaseModel):
    """Base class of the config's sections, which refuse unknown fields and values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _one_key(key: str, value: JsonObject) -> JsonObject:
    """Return the schema of a section with that one field."""
    return {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}


PER_NODE_SCHEMA = {"anyOf": [_NUMBER, _one_key(PER_NODE, {"type": "array", "items": _NUMBER, "minItems": 1})]}


def _is_positive(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value < float("inf")


def number_or_per_node(value: Any) -> float | list[float]:
    """Return a positive number, or the list of them that `{per_node: […]}` has; raise a ValueError for anything else.

    Args:
        value: What a config has in such a field.
    """
    listed = value.get(PER_NODE) if isinstance(value, dict) and len(value) == 1 else [value]
    if not isinstance(listed, list) or not listed or not all(_is_positive(item) for item in listed):
        raise ValueError("must be a positive number, or {per_node: [one positive number for each node]}")
    return [float(item) for item in listed] if isinstance(value, dict) else float(value)


NumberOrPerNode = Annotated[float | list[float], PlainValidator(number_or_per_node), WithJsonSchema(PER_NODE_SCHEMA)]


def _number_or_same_as(value: Any) -> float | dict[str, str]:
    if isinstance(value, dict) and list(value) == [SAME_AS] and isinstance(value[SAME_AS], str):
        return value
    if not _is_positive(value):
        raise ValueError("must be a positive number, or {same_as: the label of a setting of this experiment}")
    return float(value)


NumberOrSameAs = Annotated[
    float | dict[str, str],
    PlainValidator(_number_or_same_as),
    WithJsonSchema({"anyOf": [_NUMBER, _one_key(SAME_AS, {"type": "string"})]}),
]


class OneOf:
    """A text that must be one of some names, which are looked up on use, as plug-ins add more.

    Args:
        names: Function that returns the names.
    """

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> JsonObject:
        return {"enum": list(self._names()), "type": "string"}

    def _check(self, name: str) -> str:
        names = list(self._names())
        if name not in names:
            raise ValueError(one_of(name, names))
        return name
