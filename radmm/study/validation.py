"""Validation of configs against their models, with one sentence for each error."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.base.plugins import load_plugin
from radmm.base.registry import one_of
from radmm.study.component_sections import ScheduleKind, schedule_section
from radmm.study.config import Config, PluginsSection
from radmm.study.field_types import Section
from radmm.study.grids import Path
from radmm.study.raw_values import check_raw_values
from radmm.study.setting_model import CommonSection, setting_model

ANY_SETTINGS = "convergence"  # a kind of figure that draws any settings
MOST_PRUNINGS = 5  # rounds in which wrong fields are left out to find what else is wrong
LONGEST_QUOTE = 200  # characters of a value in a message


def parse_config(raw: Mapping[str, Any]) -> Config:
    """Load a config's plug-ins and return the config as typed models.

    Args:
        raw: Config as read from its files.
    """
    _prepare(raw)
    return _validate(Config, raw, lambda path: path)


def usable_part(raw: Mapping[str, Any]) -> Config | None:
    """Return a config that was refused without the fields that are wrong, or None if that leaves nothing to check.

    Args:
        raw: Config as it was read from its files.
    """
    try:
        _prepare(raw)
    except InputError:
        return None
    for _ in range(MOST_PRUNINGS):
        try:
            return Config.model_validate(raw)
        except ValidationError as error:
            for detail in error.errors():
                path = _written_path(detail["loc"], raw)
                raw = _pruned(raw, path[:-1] if detail["type"] == "missing" and path[-1] != "figure" else path)
    return None


def _prepare(raw: Mapping[str, Any]) -> None:
    """Refuse values that no field could have, and load the plug-ins."""
    check_raw_values(raw)
    first = {"plugins": raw["plugins"]} if "plugins" in raw else {}
    for path in _validate(PluginsSection, first, lambda path: path).plugins:
        load_plugin(path)


def _pruned(tree: Mapping[str, Any], path: Path) -> JsonObject:
    """Return the sections without the field at a path; an experiment gets a figure that draws any settings instead."""
    head, *rest = path or ("",)
    if rest and isinstance(tree.get(head), Mapping):
        return {**tree, head: _pruned(tree[head], tuple(rest))}
    kept = {key: value for key, value in tree.items() if key != head}
    return {**kept, "figure": ANY_SETTINGS} if head == "figure" else kept


def parse_setting(raw: Mapping[str, Any], place_of: Callable[[Path], Path]) -> CommonSection:
    """Return a setting as a typed model.

    Args:
        raw: Setting with its defaults merged in.
        place_of: Function that returns the path in the config at which a field was written.
    """
    return _validate(setting_model(), raw, place_of)


Model = TypeVar("Model", bound=Section)


def parse_section(model: type[Model], raw: Mapping[str, Any], place: Path = ()) -> Model:
    """Return a part of a config as a typed model.

    Args:
        model: Model of that part.
        raw: Section as written.
        place: Path in the config at which it was written.
    """
    return _validate(model, raw, lambda path: (*place, *path))


def _validate(model: type[Model], raw: Mapping[str, Any], place_of: Callable[[Path], Path]) -> Model:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InputError("\n".join(_sentence(detail, model, raw, place_of) for detail in error.errors())) from None


def _sentence(detail: ErrorDetails, model: type[Section], raw: Any, place_of: Callable[[Path], Path]) -> str:
    """Return one sentence that names a field, its value, and what would be valid."""
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    path = _written_path(detail["loc"], raw)
    if kind in ("union_tag_invalid", "union_tag_not_found") and not isinstance(_at(raw, path), str):
        path += (context["discriminator"].strip("'"),)
    field = ".".join(place_of(path))
    if kind == "extra_forbidden":
        known = _fields_at(model, detail["loc"][:-1], _at(raw, path[:-1]))
        near = difflib.get_close_matches(path[-1], known, n=1)
        return f"{field} is not a known field here: " + (
            f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        )
    if kind in ("missing", "union_tag_not_found"):
        return f"{field} is missing: must be given"
    if kind in ("union_tag_invalid", "literal_error"):
        names = re.findall(r"'([^']*)'", context.get("expected_tags", context.get("expected", "")))
        wrong = context.get("tag", value)
        return f"{field} = {_quoted(wrong)}: {one_of(wrong, names)}"
    return f"{field} = {_quoted(value)}: must {_wanted(detail)}"


def _quoted(value: Any) -> str:
    """Return a value as written, shortened if it is too long to read."""
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}… ({len(text)} characters)"


def _wanted(detail: ErrorDetails) -> str:
    """Return what would be valid, in our words where pydantic speaks of its internals."""
    kind, value = detail["type"], detail["input"]
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        return "be a section with fields of its own"
    if kind == "too_short":
        return "have at least one entry"
    wanted = detail["msg"].removeprefix("Value error, ").removeprefix("must ").replace("Input should be", "be")
    if isinstance(value, str) and re.fullmatch(r"[+-]?[\d.]+[eE][+-]?\d+", value):
        wanted += "; YAML takes this for text, so write it with a dot and a sign, like 1.0e-3"
    return wanted


def _at(tree: Any, path: Path) -> Any:
    for key in path:
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    return tree


def _written_path(location: tuple[int | str, ...], raw: Any) -> Path:
    """Return an error's path in the config, without pydantic's steps into alternatives of a union."""
    path: Path = ()
    for index, step in enumerate(location):
        written = isinstance(raw, Mapping) and step in raw
        if written or (index == len(location) - 1 and step != "[key]"):
            path += (str(step),)
        raw = raw[step] if written else raw
    return path


def _fields_at(model: type[Section], location: tuple[int | str, ...], written: Any) -> list[str]:
    """Return the names of the fields that are valid at a location; what is written there tells schedules apart."""
    names, named = _names(model), False
    for index, step in enumerate(location):
        if named or step not in model.model_fields:
            named = False
            continue  # a name of the user's own, which may be that of a field; or an alternative's tag
        field = model.model_fields[str(step)]
        named = get_origin(field.annotation) is dict
        parts = [*_flatten(field.annotation), *field.metadata]
        candidates = [part for part in parts if isinstance(part, type) and issubclass(part, Section)]
        candidates += [schedule_section(written) for part in parts if isinstance(part, ScheduleKind)]
        tags = [part for part in candidates if set(location[index + 1 : index + 2]) <= _tags(part)]
        model = (tags or candidates)[0]
        names = _names(model)
    return names


def _names(model: type[Section]) -> list[str]:
    """Return the fields' names as written in a config: a Python keyword, like `as`, has an alias."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _flatten(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from _flatten(part)


def _tags(section: type[Section]) -> set[Any]:
    return {tag for field in section.model_fields.values() for tag in get_args(field.annotation)}
