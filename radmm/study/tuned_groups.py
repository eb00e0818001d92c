"""The groups of a tuned study: all candidates of a method in a cell, resolved and checked.

A candidate on the draws of a seed is an ordinary setting. A study is the grid of all its candidates over all its seeds,
which runs in the batches of all experiments; what is its own is how it reads their traces: which candidates it chooses
on the selection seeds (`results/frontier/selection.py`, `replication.py`), and how it judges these on the others.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from radmm.base.errors import Complaints, InputError
from radmm.base.json_object import JsonObject
from radmm.privacy.calibration import BudgetError
from radmm.privacy.noise import Noise
from radmm.study.budgets import check_known_bound
from radmm.study.component_json import short_hash
from radmm.study.config import Config
from radmm.study.draws import drawn_with_each
from radmm.study.entries import Entry
from radmm.study.resolution import resolve_label
from radmm.study.setting_facts import network_of
from radmm.study.tuned_section import Tuned

ALONE = "one node"  # the cell of references, which have networks of their own


@dataclass(frozen=True)
class Group:
    """All candidates of a method in a cell of a tuned study.

    Args:
        study: Name of the study.
        cell: Name of the cell.
        method: Name of the method.
        data_set: Name of the data set; empty if the study has one that it doesn't name.
        candidates: Entries that may be chosen, on the draws of no seed yet.
        rounds: Numbers of rounds after which a run may stop.
        averages: Whether averages of iterates may be chosen, too.
        selection: Seeds of the draws on which candidates are chosen.
        judgement: Seeds of the draws on which chosen candidates are judged.
    """

    study: str
    cell: str
    method: str
    data_set: str
    candidates: list[Entry]
    rounds: tuple[int, ...]
    averages: bool
    selection: tuple[int, ...]
    judgement: tuple[int, ...]

    @property
    def name(self) -> str:
        """Name of the group's file."""
        told = [self.cell, self.method, *([self.data_set] if self.data_set else [])]
        return f"{self.study}-{short_hash(told)}"

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of all draws, those of selection first."""
        return *self.selection, *self.judgement

    def drawn(self, candidate: Entry) -> list[Entry]:
        """Return a candidate on the draws of each seed."""
        return [replace(candidate, setting=setting) for setting in drawn_with_each(candidate.setting, self.seeds)]

    @property
    def entries(self) -> list[Entry]:
        """All candidates on the draws of all seeds: what the group's outcome is read from."""
        return [entry for candidate in self.candidates for entry in self.drawn(candidate)]

    def as_plain(self) -> JsonObject:
        """Return all fields as plain values, of which a digest is made."""
        return {**vars(self), "candidates": [entry.to_json() for entry in self.candidates]}


def resolve_groups(config: Config) -> list[Group]:
    """Return the groups of all tuned studies, or raise an InputError with one sentence for each error."""
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
    groups = []
    for (data_set, cell, method), layers in _layers(tuned, ("tuned", name)).items():
        with warnings.catch_warnings(action="ignore"):  # a candidate that diverges is never chosen
            settings = resolve_label(name, common | layers, problems, tuned.is_replication)
        try:
            groups += [_group(name, data_set, cell, method, settings, tuned)] if settings else []
        except InputError as error:
            problems.add(str(error), f"tuned.{name}.methods.{method}")
    return groups


def _layers(tuned: Tuned, place: tuple[str, ...]) -> dict[tuple[str, str, str], dict[tuple[str, ...], Any]]:
    """Return what is written of each group, by data set, cell and method: sections, by their path in the config."""
    written = {}
    for data_set, of_data in (tuned.data_sets or {"": {}}).items():
        data = {(*place, "data_sets", data_set): of_data} if data_set else {}
        for cell, of_cell in tuned.cells.items():
            for method, own in tuned.methods.items():
                layers = {(*place, "cells", cell): of_cell, (*place, "methods", method): own}
                written[data_set, cell, method] = data | layers
        for method, own in tuned.references.items():
            written[data_set, ALONE, method] = data | {(*place, "references", method): own}
    return written


def _group(study: str, data_set: str, cell: str, method: str, entries: list[Entry], tuned: Tuned) -> Group:
    lengths = {entry.setting.iterations for entry in entries}
    as_published, longest = method in tuned.untuned or tuned.is_replication, max(lengths)
    if as_published and len(lengths) > 1:
        raise InputError(f"iterations = {sorted(lengths)}: must be one number for a method that is run as published")
    free = [entry for entry in entries if isinstance(entry.setting.noise, Noise)]
    if tuned.is_replication and free:
        raise InputError("noise: must ask for total_bound or total_epsilon, or be null, in a study without epsilon")
    read = {each for each in tuned.rounds if each < longest} | lengths
    rounds = (longest,) if as_published else tuple(sorted(read))
    seeds = tuple(tuned.selection), tuple(tuned.judgement)
    group = Group(study, cell, method, data_set, entries, rounds, not as_published, *seeds)
    return replace(group, candidates=_possible(group))


def _possible(group: Group) -> list[Entry]:
    """Return the candidates whose total bound some noise can meet on the graphs of all seeds; at least one must.

    The published bound costs a node the more, the fewer neighbours it has: one graph stands for all of them.
    """
    found, refused = [], []
    for candidate in group.candidates:
        draws = [entry.setting for entry in group.drawn(candidate)]
        try:
            check_known_bound(min(draws, key=lambda setting: network_of(setting).degrees.min()))
            found.append(candidate)
        except BudgetError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return found
