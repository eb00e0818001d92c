"""The JSON schema of the config, for editors, made from the typed models."""

import sys
from pathlib import Path
from typing import Any

from radmm.base.store import write_json
from radmm.study.config import Config, Setting

Schema = dict[str, Any]


def config_schema() -> Schema:
    """As the models have it, except that a setting may leave out any field and list several values for it."""
    schema = Config.model_json_schema(ref_template="#/$defs/{model}")
    setting = Setting.model_json_schema(ref_template="#/$defs/{model}")
    definitions = {name: _as_written(part) for name, part in setting.pop("$defs").items()}
    schema["$defs"] |= definitions | {"Setting": _as_written(setting)}
    reference = {"$ref": "#/$defs/Setting"}
    schema["properties"]["defaults"] = reference
    schema["$defs"]["Experiment"]["properties"]["settings"]["additionalProperties"] = reference
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _as_written(section: Schema) -> Schema:
    """A section in which nothing is required and every plain value may be a list of such: a grid."""
    fields = {name: _or_grid(field) for name, field in section.get("properties", {}).items()}
    return {**{key: value for key, value in section.items() if key != "required"}, "properties": fields}


def _or_grid(field: Schema) -> Schema:
    described = {key: value for key, value in field.items() if key in ("title", "description", "default")}
    value = {key: value for key, value in field.items() if key not in described}
    return described | {"anyOf": [value, {"type": "array", "items": value, "minItems": 1}]}


if __name__ == "__main__":
    write_json(Path(sys.argv[1]), config_schema())
