"""Models of the components' sections of the config: a tag (`law`, `name`, `kind` or `schedule`), then the fields.

A field that takes a schedule may be written as a number, as `{per_node: […]}`, or as the section of a schedule:
`{scale: 1.0, ratio: 1.04}` is geometric, any other one says which it is, like `{schedule: power, exponent: 0.5}`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import Field, PydanticSchemaGenerationError, ValidationError, create_model
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from radmm.base.docstrings import arguments, summary
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.model.schedules.geometric import Geometric
from radmm.model.schedules.schedule import SCHEDULES, Schedule
from radmm.study.field_types import PER_NODE_SCHEMA, NumberOrPerNode, Section, number_or_per_node
from radmm.study.grids import PER_NODE

SCHEDULE = "Schedule"  # the JSON schema's definition of any schedule's section


def component_section(component: Any, tag: str, base: type[Section] = Section) -> type[Section]:
    """Return the model of a component's section of the config, which is made once.

    Args:
        component: Class of the component.
        tag: Field that has the component's name.
        base: Base class with the fields that all components of the kind share.
    """
    return _component_section(component, tag, base)


@lru_cache
def _component_section(component: Any, tag: str, base: type[Section]) -> type[Section]:
    described = arguments(component)
    made: dict[str, Any] = {tag: (Literal[component.name], Field(description=summary(component)))}
    hints: dict[str, Any] = get_type_hints(component, include_extras=True) if is_dataclass(component) else {}
    field: Any
    for field in fields(component) if is_dataclass(component) else ():
        if not field.init:
            continue
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        default = ... if default is MISSING else default
        made[field.name] = (_as_written(hints[field.name]), Field(default, description=described.get(field.name)))
    try:
        return create_model(f"{component.__name__}Section", __base__=base, **made)
    except PydanticSchemaGenerationError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{component.__qualname__} has a field that no config can hold: {reason}") from None


def _as_written(hint: Any) -> Any:
    """Return the type that a component's field has in a config."""
    if get_origin(hint) is Annotated and Schedule not in get_args(get_args(hint)[0]):
        return hint
    parts = get_args(get_args(hint)[0] if get_origin(hint) is Annotated else hint)
    if Schedule in parts:
        written: Any = Annotated[Any, ScheduleKind()]
    elif Sequence[float] in parts:
        written = NumberOrPerNode
    else:
        return hint
    return written | None if NoneType in parts else written


class ScheduleKind:
    """Type of a field that takes a schedule; schedules are looked up on use, as plug-ins add more."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(_schedule)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> JsonObject:
        return {"anyOf": [*PER_NODE_SCHEMA["anyOf"], {"title": SCHEDULE}]}


def _schedule(value: Any) -> Any:
    """Validate a schedule and return its JSON in the shortest form: a constant one is a number, or one a node."""
    if not isinstance(value, Mapping) or PER_NODE in value:
        return number_or_per_node(value)
    named = {SCHEDULES.tag: Geometric.name, **value}
    section = schedule_section(value).model_validate(named).model_dump(mode="json")
    if section[SCHEDULES.tag] != Geometric.name:
        return section
    return section["scale"] if section["ratio"] == 1.0 else {name: section[name] for name in ("scale", "ratio")}


def schedule_section(written: Mapping[str, Any]) -> type[Section]:
    """Return the model of a schedule's section: that of the schedule it names, or of the geometric one.

    Args:
        written: The schedule as a config has it.
    """
    name = written.get(SCHEDULES.tag, Geometric.name)
    if not (isinstance(name, str) and name in SCHEDULES):
        wrong = PydanticCustomError("value_error", "{choices}", {"choices": SCHEDULES.choices(name)})
        detail = InitErrorDetails(type=wrong, loc=(SCHEDULES.tag,), input=name)
        raise ValidationError.from_exception_data("schedule", [detail])
    return component_section(SCHEDULES[name], SCHEDULES.tag)
