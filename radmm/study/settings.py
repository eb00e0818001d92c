"""A setting: everything that determines a trace, as one frozen object that holds its components.

Its id is the hash of its overrides: what was asked for, without what is at its default. A field that is added later
changes no old id, and a budget stays a budget in the id, whatever noise is found to meet it.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from radmm.algorithms.algorithm import ALGORITHMS, Algorithm
from radmm.base.errors import Complaints
from radmm.base.json_object import JsonObject
from radmm.base.registry import Component
from radmm.data.partition import Partition, make_partition
from radmm.data.partitions.even import Even
from radmm.data.source import DataSource, make_source
from radmm.data.topology import Topology, make_topology
from radmm.model.public_facts import TOLERANCE
from radmm.model.schedules.schedule import Schedule
from radmm.privacy.noise import Noise
from radmm.study.component_json import (
    Json,
    content_key,
    fields_to_json,
    from_json,
    named_to_json,
    short_hash,
    to_json,
)
from radmm.study.noise_budget import NoiseBudget, noise_from_json, noise_to_json
from radmm.study.split_and_problem import ProblemParameters, SplitParameters


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """Everything that determines a trace, with all its runs inside.

    Args:
        split: Which rows train and which test.
        iterations: The paper's T.
        runs: Number of independent runs.
        seed: The seed of initial points and noise.
        initial_scale: Standard deviation of the initial points f_i(0).
        tolerance: Gradient norm at which every argmin ends.
        data: The data set.
        network: The law of the network.
        partition: The law by which nodes get training rows.
        problem: The objective.
        algorithm: The algorithm.
        noise: The noise; a budget as long as it isn't calibrated; None for the algorithm without privacy.
        calibrated_to: The budget that the noise was found for; None if its scale was given.
    """

    split: SplitParameters
    iterations: int
    runs: int
    seed: int = 0
    initial_scale: float = 1.0
    tolerance: float = TOLERANCE
    data: DataSource
    network: Topology
    partition: Partition = field(default_factory=Even)
    problem: ProblemParameters
    algorithm: Algorithm[Any]
    noise: Noise | NoiseBudget | None = None
    calibrated_to: NoiseBudget | None = None

    @classmethod
    def from_json(cls, values: Json) -> "Setting":
        """Return the setting that was written to a file, or that a validated config describes.

        Args:
            values: Parameters as `to_json` returns them.
        """
        problems = Complaints()
        parts: dict[str, Any] = {}
        for name, make in _PARTS.items():
            with problems.collect():
                parts[name] = make(values)
        problems.raise_if_any()
        numbers = {name: values[name] for name in ("seed", "initial_scale", "tolerance") if name in values}
        return cls(
            split=SplitParameters(**values["split"]),
            iterations=values["iterations"],
            runs=values["runs"],
            **numbers,
            **parts,
        )

    def to_json(self) -> JsonObject:
        """Return all parameters as JSON, as traces keep them."""
        return self._sections(self.noise, without_defaults=False)

    @cached_property
    def overrides(self) -> JsonObject:
        """Parameters that were asked for, without those at their defaults; a budget stays one after calibration."""
        return self._sections(self.calibrated_to or self.noise, without_defaults=True)

    def _sections(self, noise: Noise | NoiseBudget | None, without_defaults: bool) -> JsonObject:
        sections = fields_to_json(self, without_defaults, leave_out=("noise", "calibrated_to"))
        sections["data"] = data_identity(self.data) if without_defaults else named_to_json(self.data)
        sections["problem"] = self.problem.to_json(without_defaults)
        if noise is not None or not without_defaults:
            sections["noise"] = noise_to_json(noise, without_defaults)
        return sections

    @cached_property
    def id(self) -> str:
        """Id of the setting: the algorithm's name and the hash of the overrides."""
        return f"{self.algorithm.name}-{short_hash(self.overrides)}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the setting as JSON, from which other processes build its components by name."""
        return _restored, (self.to_json(), noise_to_json(self.calibrated_to))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setting) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> Hashable:
        return content_key(self)

    @property
    def is_calibrated(self) -> bool:
        """Whether the scale of the noise, if there is any, is known."""
        return not isinstance(self.noise, NoiseBudget)

    @property
    def known_noise(self) -> Noise | None:
        """The noise of a setting that is calibrated."""
        assert not isinstance(self.noise, NoiseBudget)  # noqa: S101 (callers calibrate first)
        return self.noise

    @property
    def noise_at_any_scale(self) -> Noise | None:
        """Noise, at scale 1 where its scale is still to be found: for checks that don't depend on it."""
        return self.noise.unit if isinstance(self.noise, NoiseBudget) else self.noise

    @property
    def reference(self) -> str | None:
        """Setting whose total bound this one is to meet: a label as written, an id once resolved; None if there is
        none.
        """
        return self.noise.reference if isinstance(self.noise, NoiseBudget) else None

    def with_noise(self, noise: Noise) -> "Setting":
        """Return the same setting, with the same id, after calibration.

        Args:
            noise: Noise that was found to meet the budget.
        """
        asked = self.noise if isinstance(self.noise, NoiseBudget) else self.calibrated_to
        return replace(self, noise=noise, calibrated_to=asked)

    @property
    def components(self) -> list[type[Component]]:
        """The classes whose code a trace depends on; data and network arrive in files, which have their own hashes."""
        noise = self.noise_at_any_scale
        found: list[Component] = [
            self.problem.loss,
            self.algorithm,
            self.partition,
            *([] if noise is None else [noise]),
        ]
        schedules = (value for component in found for value in vars(component).values() if isinstance(value, Schedule))
        return list(dict.fromkeys(type(each) for each in (*found, *schedules)))

    @cached_property
    def data_name(self) -> str:
        """File name of the data set: its name, and a hash of its parameters if it has any."""
        return data_name(self.data)

    @cached_property
    def split_name(self) -> str:
        """File name of the split."""
        split = self.split
        return f"{self.data_name}-train{split.train}-test{split.test or 'rest'}-seed{split.seed}"

    @cached_property
    def partition_name(self) -> str:
        """File name of the partition, which assigns each training row to a node."""
        nodes, _ = self.network.size()
        return f"{self.split_name}-nodes{nodes}-{self.partition.name}-{short_hash(to_json(self.partition))}"

    @cached_property
    def network_name(self) -> str:
        """File name of the network: its law, then its parameters in alphabetical order."""
        section = to_json(self.network)
        law = section.pop("law")
        if not all(isinstance(value, int | float) for value in section.values()):  # no part of a file name
            return f"{law}-{short_hash(section)}"
        return "-".join([law, *(f"{name}{value!r}" for name, value in sorted(section.items()))])


# Components of a setting, each with the function that builds it from the setting's JSON.
_PARTS: dict[str, Callable[[Json], Any]] = {
    "data": lambda values: make_source(values["data"]),
    "network": lambda values: make_topology(values["network"]),
    "partition": lambda values: make_partition(values.get("partition", {"law": Even.name})),
    "problem": lambda values: ProblemParameters.from_json(values["problem"]),
    "algorithm": lambda values: from_json(ALGORITHMS, values["algorithm"]),
    "noise": lambda values: noise_from_json(values["noise"]),
}


def _restored(values: Json, calibrated_to: Json | None) -> Setting:
    asked = noise_from_json(calibrated_to)
    assert not isinstance(asked, Noise)  # noqa: S101 (a budget or nothing)
    return replace(Setting.from_json(values), calibrated_to=asked)


def data_identity(source: DataSource) -> Any:
    """Return what distinguishes a data set from others, as JSON: its name, and its parameters that are not at their
    defaults.
    """
    section = named_to_json(source, without_defaults=True)
    return section if isinstance(section, str) else source.identity(section)


def data_name(source: DataSource) -> str:
    """Return the file name of a data set: its name, and a hash of its parameters if it has any."""
    section = data_identity(source)
    return section if isinstance(section, str) else f"{source.name}-{short_hash(section)}"
