"""The groups of a tuned study: all candidates of a method in a cell, resolved and checked."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from radmm.base.errors import Complaints, InputError
from radmm.data.partition import Partition
from radmm.data.topology import Topology
from radmm.privacy.noise import Noise
from radmm.study.component_json import short_hash
from radmm.study.config import Config
from radmm.study.entries import Entry
from radmm.study.resolution import resolve_label
from radmm.study.settings import Setting
from radmm.study.tuned import Tuned

ALONE = "one node"  # the cell of references, which have networks of their own
C = TypeVar("C", Topology, Partition)


@dataclass(frozen=True)
class Group:
    """All candidates of a method in a cell of a tuned study.

    Args:
        study: Name of the study.
        cell: Name of the cell.
        method: Name of the method.
        candidates: Settings that may be chosen.
        rounds: Numbers of rounds after which it may stop.
        averages: Whether averages of iterates may be chosen, too.
    """

    study: str
    cell: str
    method: str
    candidates: list[Entry]
    rounds: tuple[int, ...]
    averages: bool

    @property
    def name(self) -> str:
        """Name of the group's file."""
        return f"{self.study}-{short_hash([self.cell, self.method])}"

    def as_plain(self) -> dict[str, Any]:
        """All its fields as plain values, of which a digest is made."""
        return {**vars(self), "candidates": [entry.to_json() for entry in self.candidates]}


def resolve_groups(config: Config) -> list[Group]:
    """Return the groups of all tuned studies, or raise an InputError with one sentence for each error.

    Args:
        config: The user's config.
    """
    problems = Complaints()
    groups = []
    for name, tuned in config.tuned.items():
        if tuned is not None and name in config.experiments:
            problems.add(f"tuned.{name}: must have a name of its own, as an experiment has this one")
        elif tuned is not None:
            groups += _groups(config.defaults, name, tuned, problems)
    problems.raise_if_any()
    return groups


def _groups(defaults: Mapping[str, Any], name: str, tuned: Tuned, problems: Complaints) -> list[Group]:
    common = {("defaults",): defaults, ("tuned", name, "defaults"): tuned.defaults}
    written = {
        (cell, method): {
            **common,
            ("tuned", name, "cells", cell): tuned.cells[cell],
            ("tuned", name, "methods", method): tuned.methods[method],
        }
        for cell in tuned.cells
        for method in tuned.methods
    }
    for method, own in tuned.references.items():
        written[ALONE, method] = {**common, ("tuned", name, "references", method): own}
    groups = []
    for (cell, method), layers in written.items():
        with warnings.catch_warnings(action="ignore"):  # a candidate that diverges is never chosen
            settings = resolve_label(name, layers, problems, tuned.is_replication)
        try:
            groups += [_group(name, cell, method, settings, tuned)] if settings else []
        except InputError as error:
            problems.add(str(error), f"tuned.{name}.methods.{method}")
    return groups


def _group(study: str, cell: str, method: str, entries: list[Entry], tuned: Tuned) -> Group:
    lengths = {entry.setting.iterations for entry in entries}
    if len(lengths) > 1:
        raise InputError(f"iterations = {sorted(lengths)}: must be one number, as rounds are chosen by `rounds`")
    (longest,) = lengths
    free = [entry for entry in entries if isinstance(entry.setting.noise, Noise)]
    if tuned.is_replication and free:
        raise InputError("noise: must ask for total_bound or total_epsilon, or be null, in a study without epsilon")
    as_published = method in tuned.untuned or tuned.is_replication
    rounds = (longest,) if as_published else tuple(sorted({min(each, longest) for each in tuned.rounds}))
    return Group(study, cell, method, entries, rounds, not as_published)


def drawn_with(setting: Setting, seed: int) -> Setting:
    """The setting on the split, graph and partition of a seed, with that seed's noise.

    Args:
        setting: A candidate's.
        seed: The seed of all draws.
    """
    split = replace(setting.split, seed=seed)
    network, partition = with_seed(setting.network, seed), with_seed(setting.partition, seed)
    return replace(setting, split=split, network=network, partition=partition, seed=seed)


def with_seed(component: C, seed: int) -> C:
    """The component with another seed, if it has one.

    Args:
        component: A network's or a partition's law.
        seed: The other seed.
    """
    return replace(component, seed=seed) if hasattr(component, "seed") else component  # type: ignore[type-var]
