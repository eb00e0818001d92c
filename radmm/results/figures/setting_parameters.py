"""Interpretation of a setting's parameters for figures, which never read meaning from labels."""

import json
from collections.abc import Mapping
from typing import Any

from radmm.study.grids import PER_NODE

Parameters = Mapping[str, Any]
USUAL_NOISES = ("objective", "penalty", "gradient")


def value_at(parameters: Parameters, path: str) -> Any:
    """Return the value at a dotted path, or None.

    Args:
        parameters: A setting's parameters, section by section.
        path: Dotted path, like `algorithm.gamma`.
    """
    found: Any = parameters
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def alike(parameters: Parameters, *apart_from: str) -> str:
    """Return a text that settings share if they agree in everything but some fields; null counts as left out.

    Args:
        parameters: A setting's parameters, section by section.
        apart_from: Dotted paths of sections or fields that may differ.
    """
    return json.dumps(_rest(parameters, "", frozenset(apart_from)), sort_keys=True)


def _rest(section: Parameters, above: str, left_out: frozenset[str]) -> dict[str, object]:
    rest = {}
    for key, value in section.items():
        path = above + key
        if value is not None and path not in left_out:
            rest[key] = _rest(value, f"{path}.", left_out) if isinstance(value, Mapping) else value
    return rest


def algorithm_of(parameters: Parameters) -> str:
    """Return the algorithm's name."""
    return str(parameters["algorithm"]["name"])


def is_private(parameters: Parameters) -> bool:
    """Return whether there is noise."""
    return parameters.get("noise") is not None


def is_gaussian(parameters: Parameters) -> bool:
    """Return whether the noise is Gaussian, which has no bound without a δ."""
    return value_at(parameters, "noise.law") == "gaussian" or value_at(parameters, "noise.sigma") is not None


def noise_name(parameters: Parameters) -> str | None:
    """Return a name that distinguishes noises: None without, empty for the algorithm's usual exponential-norm noise."""
    if not is_private(parameters):
        return None
    kind = str(value_at(parameters, "noise.kind"))
    law = ["gaussian"] if is_gaussian(parameters) else []
    return " ".join([*law, *([] if kind in USUAL_NOISES else [kind])])


def one_number(value: Any) -> float | None:
    """Return the number that all nodes share; None if there is none, or one for each node.

    Args:
        value: A parameter that is a number or one number for each node.
    """
    return float(value) if isinstance(value, int | float) else None


def of_each_node(value: Any) -> list[float]:
    """Return the nodes' numbers: one if they share it, none if there is none.

    Args:
        value: A parameter that is a number or one number for each node.
    """
    listed = value.get(PER_NODE) if isinstance(value, Mapping) else value
    if listed is None:
        return []
    return [float(item) for item in listed] if isinstance(listed, list) else [float(listed)]


def penalty_grows(parameters: Parameters) -> bool:
    """Return whether η_i(k) follows a schedule that isn't constant; penalties never fall."""
    named = value_at(parameters, "algorithm.penalty.schedule") is not None
    return named or any(ratio != 1.0 for ratio in of_each_node(value_at(parameters, "algorithm.penalty.ratio")))


def nodes_are_equal(parameters: Parameters) -> bool:
    """Return whether all nodes have the same penalty, α and C_i/B_i, so that only their degrees differ."""
    scheduled = [value_at(parameters, path) for path in ("algorithm.penalty", "noise.alpha")]
    own = [part for value in scheduled for part in (value.values() if isinstance(value, Mapping) else [value])]
    shared = not any(isinstance(part, list) and len(part) > 1 for part in own)
    even = value_at(parameters, "partition.law") in (None, "even")
    return shared and (even or value_at(parameters, "problem.weighting") == "rows")


def network_text(section: Parameters) -> str:
    """Describe a network in words: its law, then its other parameters.

    Args:
        section: A setting's `network`.
    """
    return ", ".join([str(section["law"]), *(f"{key} = {value}" for key, value in section.items() if key != "law")])
