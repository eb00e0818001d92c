"""Searches for the noise that meets a budget, each for all settings that it serves.

Accountants see nothing of a run but its ledger. What a search finds therefore follows from the budget, the ledger at
scale 1 and the sensitivity at which it begins: settings that agree in these share it, whatever their seeds, runs or γ.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.base.json_object import JsonObject
from radmm.base.registry import Component
from radmm.base.store import content_hash
from radmm.model.public_facts import PublicFacts
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.study.budgets import LONGEST_AT_ONCE, Calibration, bound_of, budget_of, calibrate, calibrate_all, requested
from radmm.study.component_json import short_hash
from radmm.study.draws import sharing_noise
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_to_json
from radmm.study.setting_facts import cached_by, facts_of, known_row_counts, query_log_of
from radmm.study.settings import Setting

# Sections from which the public facts follow, with the data.
_BEHIND_FACTS = ("data", "split", "partition", "problem", "tolerance", "network")


@dataclass(frozen=True)
class Search:
    """A search for the noise that meets a budget.

    Args:
        draws: Settings on all of which one noise is to meet the budget: one, or the same on several splits and graphs.
        other: Setting whose total bound is to be met; None if the budget is a number.
        label: Experiment and label of a setting that it serves, for messages.
    """

    draws: tuple[Setting, ...]
    other: Setting | None = None
    label: str = field(default="", compare=False)

    @cached_property
    def name(self) -> str:
        """Name that searches share if one can serve the settings of all."""
        return self.digest(known_row_counts)

    @property
    def asked(self) -> JsonObject | None:
        """Noise section with the budget, without the seeds and the other setting's id, which may differ between
        settings.
        """
        request = requested(self.draws[0])
        return noise_to_json(replace(request, draws=None, total_bound=None if self.other else request.total_bound))

    @property
    def settings(self) -> list[Setting]:
        """All settings whose public facts the search reads."""
        return [*self.draws, *([] if self.other is None else [self.other])]

    @property
    def needs_data(self) -> list[Setting]:
        """Settings whose partitions need the data to tell how many rows a node has."""
        return [setting for setting in self.settings if known_row_counts(setting) is None]

    @property
    def components(self) -> list[type[Component]]:
        """Classes, besides those that it imports, whose code the search runs."""
        request = requested(self.draws[0])
        used = chain.from_iterable(setting.components for setting in self.settings)
        named = [] if request.total_epsilon is None else [ACCOUNTANTS[budget_of(request).accountant]]
        return list(dict.fromkeys([*used, *named]))

    def digest(self, row_counts: Callable[[Setting], Integers | None]) -> str:
        """Return a digest of all that the search depends on.

        Args:
            row_counts: Function that returns the number of rows B_i of each node of a setting; None where unknown.
        """
        compared = None if self.other is None else noise_to_json(self.other.noise)
        return short_hash([self.asked, compared, [self._seen(each, row_counts(each)) for each in self.settings]])

    def _seen(self, setting: Setting, row_counts: Integers | None) -> Any:
        """Return what the search sees of a setting, or more where its ledger needs the data or would take long.

        A ledger follows from the algorithm's queries, the public facts and, for noise that cancels, the network. To
        make those of many draws, or to run an algorithm for many iterations, takes long whenever a config is read.
        """
        if setting.iterations > LONGEST_AT_ONCE:
            return replace(setting, noise=None, seed=0, runs=1).id
        if row_counts is None:
            told = setting.to_json()
            return [_queries(setting), *(told[section] for section in _BEHIND_FACTS)]
        facts, noise = facts_of(setting, row_counts), setting.noise_at_any_scale
        assert noise is not None  # noqa: S101 (settings of searches have noise)
        if len(self.draws) > 1:
            network = setting.to_json()["network"] if noise.cancelling else None
            return [_queries(setting), network, *map(_plain, vars(facts).values())]
        ledger = ledger_of(query_log_of(setting), facts, noise)
        return [*_released(ledger), float(facts.gradient_sensitivity().max())]

    def find(self, row_counts: Callable[[Setting], Integers | None]) -> Calibration:
        """Return the noise that meets the budget, and the total bound where the budget is one.

        Args:
            row_counts: Function that returns the number of rows B_i of each node of a setting; none may be unknown.
        """

        def facts(setting: Setting) -> PublicFacts:
            counts = row_counts(setting)
            assert counts is not None  # noqa: S101 (callers have looked)
            return facts_of(setting, counts)

        asked = requested(self.draws[0]).total_bound
        with about(self.label):
            if len(self.draws) > 1:
                found = calibrate_all([(each, facts(each)) for each in self.draws])
                return Calibration(found, asked if isinstance(asked, float) else None)
            (setting,) = self.draws
            other = self.other or setting
            bound = None if asked is None else bound_of(other, facts(other))
            return Calibration(calibrate(setting, facts(setting), bound), bound)


@cached_by("algorithm", "network", "iterations")
def _queries(setting: Setting) -> list[Any]:
    """Return what a setting's algorithm asks of the oracle, and when: for gradients neither steps nor gossip enter."""
    log = query_log_of(setting)
    return [sorted({query.asks_for for query in log.queries}), content_hash(log.weights, log.data_steps)]


def _plain(fact: Any) -> Any:
    return content_hash(fact) if isinstance(fact, np.ndarray) else fact


def _released(ledger: Ledger) -> list[Any]:
    """Return the releases of a ledger, and which of them each node makes when."""
    return [list(map(repr, ledger.releases)), content_hash(ledger.which, ledger.data_steps)]


def searches_of(entries: Iterable[Entry]) -> dict[str, Search]:
    """Return the search for the noise of each setting with a budget, by the setting's id.

    Args:
        entries: Entries of all experiments, among them those that others refer to.
    """
    asking = {entry.id: entry for entry in entries}
    named: dict[str, Search] = {}
    drawn: dict[Setting, Search] = {}  # by the first of the draws that have one noise
    found: dict[str, Search] = {}
    for name, entry in asking.items():
        if not entry.setting.is_calibrated:
            draws = tuple(sharing_noise(entry.setting))
            if draws[0] not in drawn:
                search = Search(draws, _other(entry.setting, asking), f"{entry.experiment}, {entry.label}")
                drawn[draws[0]] = named.setdefault(search.name, search)
            found[name] = drawn[draws[0]]
    return found


def _other(setting: Setting, entries: Mapping[str, Entry]) -> Setting | None:
    return None if setting.reference is None else entries[setting.reference].setting
