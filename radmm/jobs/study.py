"""A study as the workflow sees it: all settings of all experiments, and what they share.

Rules hand their part of it to their jobs, and carry a digest of that part, so that an edit of the config reruns what it
concerns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from radmm.base.registry import Component
from radmm.data.partitions.even import Even
from radmm.jobs.batches import Batch, make_batches
from radmm.jobs.estimates import network_size
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.study.budgets import budget_of, reference_of
from radmm.study.config import Config
from radmm.study.groups import Group, resolve_groups
from radmm.study.public import known_row_counts
from radmm.study.resolution import resolve_config
from radmm.study.sets import Set
from radmm.study.settings import (
    Parameters,
    StudySetting,
    components_of,
    data_name,
    network_name,
    partition_name,
    short_hash,
    split_name,
)
from radmm.study.tuned import Tuned
from radmm.study.validation import parse_config


@dataclass(frozen=True)
class Study:
    """All experiments of a config, resolved.

    Args:
        config: The user's.
        experiments: The settings of each.
        groups: Of the tuned studies.
    """

    config: Config
    experiments: dict[str, list[StudySetting]]
    groups: list[Group]

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> "Study":
        """Check a config and resolve it; an InputError has one sentence for each thing that is wrong.

        Args:
            raw: As it was read from its files.
        """
        return cls.of_config(parse_config(raw))

    @classmethod
    def of_config(cls, config: Config) -> "Study":
        """Resolve a config that was checked by itself; an InputError has one sentence for each thing that is wrong.

        Args:
            config: The user's.
        """
        return cls(config, resolve_config(config), resolve_groups(config))

    def named(self, *sets: Set) -> list[str]:
        """The experiments of some sets.

        Args:
            sets: Which.
        """
        return [name for name in self.experiments if self.config.chosen[name].set in sets]

    @cached_property
    def parameters(self) -> list[Parameters]:
        """Of every setting, once."""
        return list({setting.id: setting.parameters for part in self.experiments.values() for setting in part}.values())

    @cached_property
    def splits(self) -> dict[str, dict[str, Any]]:
        """By name, the data set and the section of each split."""
        return {split_name(each): {"data": data_name(each), "split": each["split"]} for each in self.parameters}

    @cached_property
    def networks(self) -> dict[str, dict[str, Any]]:
        """By name, the section of each network."""
        return {network_name(each): each["network"] for each in self.parameters}

    @cached_property
    def partitions(self) -> dict[str, dict[str, Any]]:
        """By name, what tells each partition that is not the even one."""
        return {
            self.partition_of(each): {name: each[name] for name in ("data", "split", "network", "partition")}
            for each in self.parameters
            if each["partition"]["law"] != Even.name
        }

    @staticmethod
    def partition_of(parameters: Parameters) -> str:
        """The name of a setting's partition.

        Args:
            parameters: Of a setting.
        """
        return partition_name(parameters, network_size(parameters)[0])

    def partitions_of(self, settings: Iterable[Parameters]) -> list[str]:
        """The names of the partitions of settings, each once, without the even one.

        Args:
            settings: Their parameters.
        """
        uneven = (each for each in settings if each["partition"]["law"] != Even.name)
        return list(dict.fromkeys(self.partition_of(each) for each in uneven))

    @cached_property
    def users_of_partitions(self) -> dict[str, list[str]]:
        """By the name of a partition, the ids of the settings whose rows are spread like this."""
        users: dict[str, set[str]] = {name: set() for name in self.partitions}
        for setting in (setting for settings in self.experiments.values() for setting in settings):
            if setting.parameters["partition"]["law"] != Even.name:
                users[self.partition_of(setting.parameters)].add(setting.id)
        return {name: sorted(ids) for name, ids in users.items()}

    @cached_property
    def data_sets(self) -> dict[str, Any]:
        """By name, the section of each that is in use."""
        tuned = [setting.parameters for group in self.groups for setting in group.candidates[:1]]
        return {data_name(each): each["data"] for each in sorted([*self.parameters, *tuned], key=data_name)}

    @cached_property
    def batches(self) -> dict[str, Batch]:
        """By name."""
        return make_batches(self.experiments, self.config.batches.seconds)

    def budgets(self, experiment: str) -> list[StudySetting]:
        """The experiment's settings whose noise is to be calibrated, and those that they refer to.

        Args:
            experiment: Its name.
        """
        asking = [setting for setting in self.experiments[experiment] if not setting.is_calibrated]
        wanted = {setting.id for setting in asking} | {reference_of(setting.parameters) for setting in asking}
        return [setting for setting in self.experiments[experiment] if setting.id in wanted]

    def components(self, *experiments: str) -> list[type[Component]]:
        """What the traces of experiments, or of all of them, are made by, in a fixed order.

        Args:
            experiments: Their names.
        """
        named = experiments or self.experiments
        used = {
            each for name in named for setting in self.experiments[name] for each in components_of(setting.parameters)
        }
        return sorted(used, key=lambda component: (component.__module__, component.__qualname__))

    def used_by_budgets(self, experiment: str) -> list[type[Component]]:
        """What the calibrations of an experiment depend on.

        Args:
            experiment: Its name.
        """
        noises = [setting.parameters["noise"] for setting in self.budgets(experiment)]
        named = {budget_of(noise).accountant for noise in noises if "total_epsilon" in noise}
        return [*self.components(experiment), *(ACCOUNTANTS[name] for name in sorted(named))]

    def needs_data(self, experiment: str) -> list[Parameters]:
        """Settings with a budget whose facts only the data tell.

        Args:
            experiment: Its name.
        """
        asking = [setting.parameters for setting in self.budgets(experiment)]
        return [parameters for parameters in asking if known_row_counts(parameters) is None]

    def digest(self, *experiments: str) -> str:
        """Changes with whatever these experiments ask for, and with what their settings are called.

        Args:
            experiments: Their names.
        """
        chosen = self.config.chosen
        parts = {name: [setting.as_plain() for setting in self.experiments[name]] for name in experiments}
        return short_hash([[chosen[name].figure, settings] for name, settings in parts.items()])

    def digest_of_budgets(self, experiment: str) -> str:
        """Changes with what the experiment's calibrations depend on.

        Args:
            experiment: Its name.
        """
        return short_hash(sorted(setting.id for setting in self.budgets(experiment)))

    def groups_of(self, study: str) -> list[Group]:
        """The groups of a tuned study.

        Args:
            study: Its name.
        """
        return [group for group in self.groups if group.study == study]

    def components_of_group(self, group: Group) -> list[type[Component]]:
        """What the group's runs are made by, in a fixed order.

        Args:
            group: Of a tuned study.
        """
        used = {each for setting in group.candidates for each in components_of(setting.parameters)}
        return sorted(used, key=lambda component: (component.__module__, component.__qualname__))

    def digest_of_group(self, group: Group) -> str:
        """Changes with whatever the group's outcome depends on.

        Args:
            group: Of a tuned study.
        """
        return short_hash([group.as_plain(), self.tuned[group.study].said])

    @property
    def tuned(self) -> dict[str, Tuned]:
        """The tuned studies that are not left out."""
        return {name: each for name, each in self.config.tuned.items() if each is not None}

    @cached_property
    def described(self) -> dict[str, dict[str, Any]]:
        """By the name of an experiment, its set, its kind of figure, and the names of its partitions."""
        chosen = self.config.chosen
        return {
            name: {
                "set": chosen[name].set,
                "figure": chosen[name].figure,
                "settings": len(settings),
                "partitions": self.partitions_of(setting.parameters for setting in settings),
            }
            for name, settings in self.experiments.items()
        }
