"""The type of objects that are read from JSON or YAML, or that are about to be written as such."""

from typing import Any

# An object as JSON or YAML gives it: any values by name. What has been checked has a type of its own instead.
JsonObject = dict[str, Any]
