"""What a setting's parameters mean to a figure. Labels mean nothing here: they are only ever printed."""

import json
from collections.abc import Mapping
from typing import Any

Parameters = Mapping[str, Any]
PER_NODE = "per_node"
USUAL_NOISES = ("objective", "penalty", "gradient")


def value_at(parameters: Parameters, path: str) -> Any:
    """What stands at a dotted path; None if nothing does.

    Args:
        parameters: A setting's, section by section.
        path: Like `algorithm.gamma`.
    """
    found: Any = parameters
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def alike(parameters: Parameters, *apart_from: str) -> str:
    """A text that settings share if they agree in everything but some fields; a field that is null is as if left out.

    Args:
        parameters: A setting's, section by section.
        apart_from: Dotted paths of sections or fields that may differ.
    """
    return json.dumps(_rest(parameters, "", frozenset(apart_from)), sort_keys=True)


def _rest(section: Parameters, above: str, left_out: frozenset[str]) -> dict[str, Any]:
    rest = {}
    for key, value in section.items():
        path = above + key
        if value is not None and path not in left_out:
            rest[key] = _rest(value, f"{path}.", left_out) if isinstance(value, Mapping) else value
    return rest


def algorithm_of(parameters: Parameters) -> str:
    """The algorithm's name.

    Args:
        parameters: A setting's.
    """
    return str(parameters["algorithm"]["name"])


def is_private(parameters: Parameters) -> bool:
    """Whether there is noise.

    Args:
        parameters: A setting's.
    """
    return parameters.get("noise") is not None


def is_gaussian(parameters: Parameters) -> bool:
    """Whether the noise is Gaussian, which has no bound without a δ.

    Args:
        parameters: A setting's.
    """
    return value_at(parameters, "noise.law") == "gaussian" or value_at(parameters, "noise.sigma") is not None


def noise_name(parameters: Parameters) -> str | None:
    """What tells noises apart: None without, empty if it is of exponential norm and where an algorithm usually has it.

    Args:
        parameters: A setting's.
    """
    if not is_private(parameters):
        return None
    kind = str(value_at(parameters, "noise.kind"))
    law = ["gaussian"] if is_gaussian(parameters) else []
    return " ".join([*law, *([] if kind in USUAL_NOISES else [kind])])


def one_number(value: Any) -> float | None:
    """The number that all nodes share; None if there is none, or one for each node.

    Args:
        value: A parameter that is a number or one number for each node.
    """
    return float(value) if isinstance(value, int | float) else None


def of_each_node(value: Any) -> list[float]:
    """The numbers that the nodes have: one if they share it, none if there is none.

    Args:
        value: A parameter that is a number or one number for each node.
    """
    listed = value.get(PER_NODE) if isinstance(value, Mapping) else value
    if listed is None:
        return []
    return [float(item) for item in listed] if isinstance(listed, list) else [float(listed)]


def penalty_grows(parameters: Parameters) -> bool:
    """Whether η_i(k) grows at some node.

    Args:
        parameters: A setting's.
    """
    return any(ratio != 1.0 for ratio in of_each_node(value_at(parameters, "algorithm.penalty.ratio")))


def nodes_are_equal(parameters: Parameters) -> bool:
    """Whether all nodes have the same penalty, α and C_i/B_i, so that only their degrees tell them apart.

    Args:
        parameters: A setting's.
    """
    own = ("algorithm.penalty", "algorithm.penalty.scale", "algorithm.penalty.ratio", "noise.alpha")
    shared = all(len(of_each_node(value_at(parameters, path))) <= 1 for path in own)
    even = value_at(parameters, "partition.law") in (None, "even")
    return shared and (even or value_at(parameters, "problem.weighting") == "rows")


def network_text(section: Parameters) -> str:
    """A network in words: its law, then its other parameters.

    Args:
        section: A setting's `network`.
    """
    return ", ".join([str(section["law"]), *(f"{key} = {value}" for key, value in section.items() if key != "law")])
