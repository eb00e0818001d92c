"""An experiment's figure as a config has it: the name of a kind, or a section with its options."""

from collections.abc import Mapping
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from radmm.base.json_object import JsonObject
from radmm.base.registry import one_of
from radmm.study.component_sections import component_section
from radmm.study.field_types import Section
from radmm.study.figure_registry import FIGURES

KIND = "kind"


def figure_section(kind: str) -> type[Section]:
    """Return the section of a figure, with the options of its kind as fields."""
    return component_section(FIGURES[kind], KIND)


class FigureField:
    """Type of an experiment's field `figure`: a name alone becomes a section, and its kind must be one that there is.

    The options are checked later, by `radmm.study.figure_checks`, as they depend on the kind.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(_with_kind, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> JsonObject:
        kinds = list(FIGURES)
        sections = [figure_section(kind).model_json_schema() for kind in kinds]
        return {"anyOf": [{"enum": kinds, "type": "string"}, *sections]}


def _with_kind(value: Any) -> Any:
    section = {KIND: value} if isinstance(value, str) else value
    if not isinstance(section, Mapping):
        raise ValueError("must be the name of a kind, or a section with a kind and its options")
    kind, kinds = section.get(KIND), list(FIGURES)
    if kind not in kinds:
        known = one_of(kind, kinds)
        raise ValueError(known if isinstance(value, str) else f"must have a known kind, which {known}")
    return dict(section)
