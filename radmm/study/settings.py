"""A setting: what was asked, the plain values that determine its trace, the objects these stand for, and its id.

An id is the hash of what was asked, without what is at its default: a field that is added later changes no old id, and
a budget stays a budget, whatever noise is found to meet it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from radmm.algorithms.algorithm import ALGORITHMS, Algorithm
from radmm.base.registry import Component
from radmm.data.partition import PARTITIONS
from radmm.model.losses.loss import LOSSES, Loss
from radmm.model.schedules import Geometric
from radmm.privacy.noise import NOISES, Noise

Parameters = Mapping[str, Any]
SCALES = ("alpha", "sigma")
SAME_AS = "same_as"  # of a total bound: another setting's


@dataclass(frozen=True)
class StudySetting:
    """One setting of one experiment.

    Args:
        experiment: Its name.
        label: Under which the experiment has it.
        point: The values it takes on the axes of its grid.
        asked: What was asked for, without what is at its default; another setting is referred to by its id.
        parameters: All values that determine a trace; while its noise is not calibrated, the budget in place of α or σ.
    """

    experiment: str
    label: str
    point: dict[str, Any]
    asked: dict[str, Any]
    parameters: dict[str, Any]

    @cached_property
    def id(self) -> str:
        """The algorithm's name and the hash of what was asked."""
        return setting_id(self.asked)

    def as_plain(self) -> dict[str, Any]:
        """Its fields, as a file keeps them; nothing is copied, as grids may be large."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def is_calibrated(self) -> bool:
        """Whether its noise, if any, is known."""
        return is_calibrated(self.parameters)

    def calibrated(self, calibrations: Mapping[str, Parameters]) -> "StudySetting":
        """The same with the noise that meets its budget.

        Args:
            calibrations: What was found, by id.
        """
        if self.is_calibrated:
            return self
        return replace(self, parameters=with_noise(self.parameters, calibrations[self.id]["noise"]))


def is_calibrated(parameters: Parameters) -> bool:
    """Whether the noise of these parameters, if any, has its scale.

    Args:
        parameters: Of a setting.
    """
    return parameters["noise"] is None or any(name in parameters["noise"] for name in SCALES)


def with_noise(parameters: Parameters, noise: Parameters) -> dict[str, Any]:
    """The parameters with another noise.

    Args:
        parameters: Of a setting.
        noise: Its section, with α or σ.
    """
    return {**parameters, "noise": dict(noise)}


def canonical(parameters: Any) -> str:
    """One spelling for equal values: sorted keys, shortest floats, no spaces.

    Args:
        parameters: Anything that JSON can hold.
    """
    return json.dumps(parameters, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def short_hash(values: Any) -> str:
    """Ten digits that tell values apart.

    Args:
        values: Anything that JSON can hold.
    """
    return hashlib.sha256(canonical(values).encode()).hexdigest()[:10]


def setting_id(asked: Parameters) -> str:
    """The algorithm's name and the hash of what was asked.

    Args:
        asked: Without what is at its default.
    """
    return f"{asked['algorithm']['name']}-{short_hash(asked)}"


def build_algorithm(parameters: Parameters) -> Algorithm[Any]:
    """The algorithm of a setting.

    Args:
        parameters: Of the setting.
    """
    options = dict(parameters["algorithm"])
    algorithm: Algorithm[Any] = ALGORITHMS[options.pop("name")](**_as_arguments(options))
    return algorithm


def build_noise(parameters: Parameters) -> Noise | None:
    """The noise of a setting whose noise is known.

    Args:
        parameters: Of the setting.
    """
    if parameters["noise"] is None:
        return None
    options = dict(parameters["noise"])
    return NOISES[options.pop("kind")](**_as_arguments(options))


def build_loss(parameters: Parameters) -> Loss:
    """The loss of a setting.

    Args:
        parameters: Of the setting.
    """
    written = parameters["problem"]["loss"]
    options = {"name": written} if isinstance(written, str) else dict(written)
    return LOSSES[options.pop("name")](**_as_arguments(options))


def _as_arguments(options: Parameters) -> dict[str, Any]:
    """From JSON: schedules as such, and lists as what can be hashed."""
    return {name: _as_argument(value) for name, value in options.items()}


def _as_argument(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Geometric(**value)
    return tuple(value) if isinstance(value, list) else value


def components_of(parameters: Parameters) -> list[type[Component]]:
    """The classes whose code a trace depends on; data and network arrive in files, which have hashes of their own.

    Args:
        parameters: Of a setting.
    """
    loss, noise = parameters["problem"]["loss"], parameters["noise"]
    found: list[type[Component]] = [
        LOSSES[loss if isinstance(loss, str) else loss["name"]],
        ALGORITHMS[parameters["algorithm"]["name"]],
        PARTITIONS[parameters["partition"]["law"]],
    ]
    return [*found, NOISES[noise["kind"]]] if noise else found


def data_name(parameters: Parameters) -> str:
    """The file name of the setting's data set: its name, and a hash of its parameters if it has any.

    Args:
        parameters: Of a setting.
    """
    section = parameters["data"]
    if isinstance(section, str):
        return section
    return f"{section['name']}-{short_hash(section)}"


def split_name(parameters: Parameters) -> str:
    """The file name of the setting's split.

    Args:
        parameters: Of a setting.
    """
    split = parameters["split"]
    return f"{data_name(parameters)}-train{split['train']}-test{split['test'] or 'rest'}-seed{split['seed']}"


def partition_name(parameters: Parameters, nodes: int) -> str:
    """The file name of who has which of the setting's training rows.

    Args:
        parameters: Of a setting.
        nodes: Of its network.
    """
    section = parameters["partition"]
    return f"{split_name(parameters)}-nodes{nodes}-{section['law']}-{short_hash(section)}"


def network_name(parameters: Parameters) -> str:
    """The file name of the setting's network: its law, then its parameters in alphabetical order.

    Args:
        parameters: Of a setting.
    """
    options = dict(parameters["network"])
    law = options.pop("law")
    if not all(isinstance(value, int | float) for value in options.values()):  # no part of a file name
        return f"{law}-{short_hash(options)}"
    return "-".join([law, *(f"{name}{value!r}" for name, value in sorted(options.items()))])
