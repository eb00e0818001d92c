"""A study for the workflow: all settings of all experiments, and what they share.

Rules pass their part of the study to their jobs, and carry a digest of that part, so that an edit of the config reruns
only what depends on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from radmm.base.errors import Complaints, InputError
from radmm.base.json_object import JsonObject
from radmm.base.registry import Component
from radmm.data.partitions.even import Even
from radmm.data.source import DataSource
from radmm.data.topology import Topology
from radmm.jobs.batches import Batch, SearchBatch, make_batches, make_search_batches
from radmm.jobs.estimates import table_seconds
from radmm.metrics.metric import METRICS
from radmm.results.planned_curves import PlannedCurves, planned_curves
from radmm.study.component_json import short_hash
from radmm.study.config import Config
from radmm.study.entries import Entry
from radmm.study.experiment_sets import ExperimentSet
from radmm.study.figure_checks import figure_options
from radmm.study.figure_registry import FIGURES
from radmm.study.figure_section import KIND
from radmm.study.resolution import resolve_config
from radmm.study.searches import Search, searches_of
from radmm.study.settings import Setting
from radmm.study.tuned_groups import Group, resolve_groups
from radmm.study.tuned_section import Tuned
from radmm.study.validation import parse_config, usable_part


@dataclass(frozen=True)
class Study:
    """All experiments of a config, resolved into settings.

    Args:
        config: The user's config.
        experiments: Entries of each experiment, by its name.
        groups: Groups of the tuned studies.
        looks: Entries of each look of a replication, by its name.
    """

    config: Config
    experiments: dict[str, list[Entry]]
    groups: list[Group]
    looks: dict[str, list[Entry]] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> "Study":
        """Check and resolve a config; an InputError has one sentence for each error.

        Args:
            raw: Config as it was read from its files.
        """
        problems, config = Complaints(), None
        with problems.collect():
            config = parse_config(raw)
        if config is not None:
            return cls.of_config(config)
        if (rest := usable_part(raw)) is not None:
            with problems.collect():
                cls.of_config(rest)  # so that what is wrong with its settings is told as well
        raise InputError(str(problems))

    @classmethod
    def of_config(cls, config: Config) -> "Study":
        """Resolve a config that was checked by itself; an InputError has one sentence for each error.

        Args:
            config: The user's config; one that is strict makes an error of each suspicion.
        """
        problems = Complaints()
        with problems.collect():
            experiments = resolve_config(config)
        with problems.collect():
            groups = resolve_groups(config)
        problems.raise_if_any()
        study = cls(config, experiments, groups)
        if config.strict and study.suspicions:
            raise InputError("\n".join(study.suspicions))
        return study

    def with_looks(self, looks: Mapping[str, list[Entry]]) -> "Study":
        """Return the study with the looks of a replication, whose settings run in its batches.

        Args:
            looks: Entries of each look, by its name.
        """
        return replace(self, looks=dict(looks))

    def figure_kind(self, experiment: str) -> Any:
        """Return the class of an experiment's figure."""
        return FIGURES[self.config.chosen[experiment].figure[KIND]]

    def figure_options(self, experiment: str) -> JsonObject:
        """Return the options of an experiment's figure, without those at their defaults."""
        return figure_options(experiment, self.config.chosen[experiment])

    def named(self, *sets: ExperimentSet) -> list[str]:
        """Return the names of the experiments of some sets."""
        return [name for name in self.experiments if self.config.chosen[name].set in sets]

    @cached_property
    def entries(self) -> dict[str, list[Entry]]:
        """Entries of each experiment, of each tuned study and of each look of a replication, by its name."""
        tuned = {name: [self.drawn[group.name] for group in self.groups_of(name)] for name in self.tuned}
        return self.experiments | {name: list(chain(*parts)) for name, parts in tuned.items()} | self.looks

    @cached_property
    def drawn(self) -> dict[str, list[Entry]]:
        """Entries of each group of a tuned study, by the group's name: all its candidates on all its seeds."""
        return {group.name: group.entries for group in self.groups}

    @cached_property
    def settings(self) -> list[Setting]:
        """All settings of the experiments and the tuned studies, each once."""
        return list({entry.id: entry.setting for entries in self.entries.values() for entry in entries}.values())

    @cached_property
    def splits(self) -> dict[str, Setting]:
        """A setting for each split, by the split's name."""
        return {setting.split_name: setting for setting in self.settings}

    @cached_property
    def networks(self) -> dict[str, Topology]:
        """The law of each network, by its name."""
        return {setting.network_name: setting.network for setting in self.settings}

    @cached_property
    def partitions(self) -> dict[str, Setting]:
        """A setting for each partition but the even one, by the partition's name."""
        return {setting.partition_name: setting for setting in self.settings if is_uneven(setting)}

    def partitions_of(self, settings: Iterable[Setting]) -> list[str]:
        """Return the names of the settings' partitions, each once, without the even one."""
        return list(dict.fromkeys(setting.partition_name for setting in settings if is_uneven(setting)))

    def users_of_partition(self, partition: str) -> dict[str, list[Entry]]:
        """Return all entries of the experiments, tuned studies and looks that use a partition.

        They are by the section of the config that has them, which messages name.
        """
        sections = {name: f"experiments.{name}.settings" for name in self.experiments}
        sections |= {name: f"tuned.{name}.methods" for name in self.tuned}
        return {
            sections.get(name, name): entries
            for name, entries in self.entries.items()
            if any(entry.setting.partition_name == partition for entry in entries)
        }

    @cached_property
    def data_sets(self) -> dict[str, DataSource]:
        """Data sets in use, by name."""
        every = {setting.data_name: setting.data for setting in self.settings}
        return {name: every[name] for name in sorted(every)}

    @cached_property
    def suspicions(self) -> list[str]:
        """Sentences on what may not be meant as it is written, each with the option that settles it."""
        return list(dict.fromkeys(sentence for source in self.data_sets.values() for sentence in source.suspicions))

    @cached_property
    def search_of(self) -> dict[str, Search]:
        """Search for the noise of each setting with a budget, by the setting's id; settings may share one."""
        return searches_of(chain.from_iterable(self.entries.values()))

    def searches(self, *experiments: str) -> dict[str, str]:
        """Return the names of the searches for the noise of the experiments' settings, by the setting's id.

        Args:
            experiments: Names of experiments or tuned studies.
        """
        ids = dict.fromkeys(entry.id for name in experiments for entry in self.entries[name])
        return {setting: self.search_of[setting].name for setting in ids if setting in self.search_of}

    @cached_property
    def batches(self) -> dict[str, Batch]:
        """Batches of settings, by name."""
        return make_batches(self.entries, self.config.batches.seconds, self.search_of)

    @cached_property
    def search_batches(self) -> dict[str, SearchBatch]:
        """Batches of searches, by name."""
        return make_search_batches(self.entries, self.config.batches.seconds, self.search_of)

    def curves(self, experiment: str) -> PlannedCurves:
        """Return the curves that the table of an experiment needs."""
        return planned_curves((entry.setting for entry in self.entries[experiment]), self.search_of)

    def table_seconds(self, *experiments: str) -> float:
        """Estimate the seconds of steps that account for the noise of all settings of experiments."""
        settings = [entry.setting for name in experiments for entry in self.entries[name]]
        searches = self.searches(*experiments)
        noises = {searches.get(setting.id, setting.id) for setting in settings if setting.noise is not None}
        found = [self.curves(name) for name in experiments]
        return table_seconds(len(settings), len(noises)) + sum(each.missing for each in found if not each.capped)

    def components(self, *experiments: str) -> list[type[Component]]:
        """Return the components that make the traces of experiments, or of all of them, in a fixed order."""
        named = experiments or self.experiments
        return _components(entry for name in named for entry in self.entries[name])

    def digest(self, *experiments: str) -> str:
        """Return a digest of the settings of experiments and of their labels."""
        return short_hash([[entry.to_json() for entry in self.experiments[name]] for name in experiments])

    def groups_of(self, study: str) -> list[Group]:
        """Return the groups of a tuned study."""
        return [group for group in self.groups if group.study == study]

    def components_of_group(self, group: Group) -> list[type[Component]]:
        """Return the components that make and measure the group's runs, in a fixed order."""
        return [*_components(group.candidates), *METRICS.values()]

    def digest_of_group(self, group: Group) -> str:
        """Return a digest of all that the group's outcome depends on."""
        return short_hash([group.as_plain(), self.tuned[group.study].said])

    @property
    def tuned(self) -> dict[str, Tuned]:
        """Tuned studies of the config that are not null."""
        return {name: each for name, each in self.config.tuned.items() if each is not None}

    @cached_property
    def described(self) -> dict[str, JsonObject]:
        """Title, set, figure and partitions' names of each experiment, by its name."""
        chosen = self.config.chosen
        return {
            name: {
                "title": chosen[name].title or name,
                "set": chosen[name].set,
                "figure": chosen[name].figure[KIND],
                "options": self.figure_options(name),
                "settings": len(entries),
                "partitions": self.partitions_of(entry.setting for entry in entries),
            }
            for name, entries in self.experiments.items()
        }


def is_uneven(setting: Setting) -> bool:
    """Return whether a setting's rows are distributed by another law than the even one."""
    return not isinstance(setting.partition, Even)


def _components(entries: Iterable[Entry]) -> list[type[Component]]:
    used = {component for entry in entries for component in entry.setting.components}
    return sorted(used, key=lambda component: (component.__module__, component.__qualname__))
