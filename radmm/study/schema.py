"""The JSON schema of the config, for editors, made from the typed models and hence from the components."""

import sys
from pathlib import Path
from typing import Any

from radmm.base.json_object import JsonObject
from radmm.base.store import write_json
from radmm.model.schedules.schedule import SCHEDULES
from radmm.study.component_sections import SCHEDULE, component_section
from radmm.study.config import Config
from radmm.study.grids import ZIP
from radmm.study.setting_model import setting_model

Schema = JsonObject


def config_schema() -> Schema:
    """Return the models' schema, in which a setting may leave out any field and list several values for it."""
    schema = Config.model_json_schema(ref_template="#/$defs/{model}")
    setting = setting_model().model_json_schema(ref_template="#/$defs/{model}")
    definitions = {name: _as_written(part) for name, part in setting.pop("$defs").items()}
    schema["$defs"] |= definitions | {"Setting": _as_written(setting)} | _schedules()
    schema["$defs"]["Setting"]["properties"][ZIP] = {
        "description": "Fields with lists that go in step instead of being crossed, or several groups of such.",
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    }
    reference = {"$ref": "#/$defs/Setting"}
    schema["properties"]["defaults"] = reference
    experiment = schema["$defs"]["Experiment"]["properties"]
    experiment["defaults"] = reference
    experiment["settings"]["additionalProperties"] = reference
    linked = {part: _linked(content) for part, content in schema.items() if part != "$defs"}
    linked["$defs"] = {
        name: {**_linked({**part, "title": None}), "title": name} for name, part in schema["$defs"].items()
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **linked}


def _schedules() -> Schema:
    """Return the definitions of every schedule's section, and of any of them."""
    sections = {
        f"{component.__name__}ScheduleSection": component_section(component, SCHEDULES.tag)
        for component in SCHEDULES.values()
    }
    any_of_them: Schema = {SCHEDULE: {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in sections]}}
    return any_of_them | {name: _as_written(section.model_json_schema()) for name, section in sections.items()}


def _linked(tree: Any) -> Any:
    """Return the schema with a reference to the schedules' definition in place of each part that has only its title."""
    if isinstance(tree, list):
        return [_linked(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.get("title") == SCHEDULE:
        return {"$ref": f"#/$defs/{SCHEDULE}"}
    return {key: _linked(value) for key, value in tree.items()}


def _as_written(section: Schema) -> Schema:
    """Return a section in which nothing is required and every plain value may be a list, for a grid."""
    fields = {name: _or_grid(field) for name, field in section.get("properties", {}).items()}
    return {**{key: value for key, value in section.items() if key != "required"}, "properties": fields}


def _or_grid(field: Schema) -> Schema:
    described = {key: value for key, value in field.items() if key in ("title", "description", "default")}
    value = {key: value for key, value in field.items() if key not in described}
    if "discriminator" in value:  # a section may leave its tag to the defaults, so it may fit several of them
        value = {"anyOf": value["oneOf"]}
    if described.get("description"):
        described["description"] = " ".join(described["description"].split())
    return described | {"anyOf": [value, {"type": "array", "items": value, "minItems": 1}]}


if __name__ == "__main__":
    write_json(Path(sys.argv[1]), config_schema(), vouch=False)
