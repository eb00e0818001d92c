"""Batches: the settings, or the searches for noise, that share a job.

A grid may have thousands of settings of half a second each, so a job works off a batch of them. The settings of a batch
share their data set, which is then read once, and the experiments they belong to: a change in one experiment touches no
batch of another, and a setting that fails delays no other experiment. Searches are put together likewise.
"""

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from radmm.jobs.estimates import PROCESS_SECONDS, estimated_megabytes, estimated_seconds, search_seconds
from radmm.study.component_json import canonical, to_json
from radmm.study.entries import Entry
from radmm.study.searches import Search
from radmm.study.settings import Setting

SNAKEMAKE_MEGABYTES = 500  # of two Snakemake processes: Slurm's job, and its step, which runs the command
BEGINNING = "batch begins"  # the first words of each attempt in the batch's log


@dataclass(frozen=True)
class SharedJob:
    """Base class of batches: a job for several settings or searches.

    Args:
        costs: Estimated seconds of each of them, by its id or name.
    """

    costs: dict[str, float]

    @property
    def name(self) -> str:
        """Part of the names of the batch's rule and log."""
        return hashlib.sha256(" ".join(sorted(self.costs)).encode()).hexdigest()[:12]

    @property
    def seconds(self) -> float:
        """Estimated duration of the job."""
        return PROCESS_SECONDS + sum(self.costs.values())

    @property
    def minutes_to_ask_for(self) -> int:
        """Time limit (minutes) to request from the scheduler."""
        return minutes_to_ask_for(self.seconds)


@dataclass(frozen=True)
class Batch(SharedJob):
    """Settings that share a job.

    Args:
        settings: Settings by id, in the order in which they run.
        searches: Name of the search for the noise of each setting with a budget, by the setting's id.
    """

    settings: dict[str, Setting]
    searches: dict[str, str]

    @property
    def megabytes_to_ask_for(self) -> int:
        """Memory (MB) to request from the scheduler."""
        return megabytes_to_ask_for(estimated_megabytes(self.settings.values()))

    def megabytes_by_ranks(self, ranks: int) -> int:
        """Return the memory (MB) to request where processes, which may all run on one machine, solve each setting.

        Args:
            ranks: Number of processes; beside several, the one that starts them holds all rows, too.
        """
        further = estimated_megabytes(self.settings.values(), ranks) if ranks > 1 else 0.0
        return self.megabytes_to_ask_for + round(1.5 * further)

    @property
    def any_setting(self) -> Setting:
        """One of the batch's settings, for what they all share: the data set."""
        return next(iter(self.settings.values()))


@dataclass(frozen=True)
class SearchBatch(SharedJob):
    """Searches for noise that share a job.

    Args:
        searches: Searches by name.
    """

    searches: dict[str, Search]


def megabytes_to_ask_for(estimated: float) -> int:
    """Return the memory (MB) to request from the scheduler: half as much again, plus what Snakemake itself needs."""
    return round(1.5 * estimated) + SNAKEMAKE_MEGABYTES


def minutes_to_ask_for(seconds: float) -> int:
    """Return the time limit (minutes) to request from the scheduler, with a margin for slow machines and network disks.

    Without a compiler it may be too little; but finished settings are kept, and the next attempt gets more time.
    """
    return 5 + round(4 * seconds / 60)


def make_batches(
    experiments: Mapping[str, Sequence[Entry]], seconds: float, searches: Mapping[str, Search]
) -> dict[str, Batch]:
    """Group settings into batches of limited duration, and return them by name.

    Args:
        experiments: Entries of each experiment.
        seconds: Longest duration of a batch, unless a single setting takes longer.
        searches: Search for the noise of each setting with a budget, by the setting's id.
    """
    settings = {entry.id: entry.setting for entries in experiments.values() for entry in entries}
    costs = {name: estimated_seconds(setting) for name, setting in settings.items()}
    users = _users(experiments, {name: name for name in settings})
    keys = {name: (users[name], setting.data_name) for name, setting in settings.items()}
    batches = [_batch([settings[name] for name in part], costs, searches) for part in _groups(keys, costs, seconds)]
    return {batch.name: batch for batch in batches}


def make_search_batches(
    experiments: Mapping[str, Sequence[Entry]], seconds: float, searches: Mapping[str, Search]
) -> dict[str, SearchBatch]:
    """Group searches into batches of limited duration, and return them by name; each search is in one of them.

    Args:
        experiments: Entries of each experiment.
        seconds: Longest duration of a batch, unless a single search takes longer.
        searches: Search for the noise of each setting with a budget, by the setting's id.
    """
    named = {search.name: search for search in searches.values()}
    costs = {name: search_seconds(search) for name, search in named.items()}
    users = _users(experiments, {setting: search.name for setting, search in searches.items()})
    parts = _groups(users, costs, seconds)
    batches = [
        SearchBatch({name: costs[name] for name in part}, {name: named[name] for name in part}) for part in parts
    ]
    return {batch.name: batch for batch in batches}


def _users(experiments: Mapping[str, Sequence[Entry]], needed: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the experiments that need each setting or search, by its id or name.

    Args:
        needed: Id or name of what a setting needs, by the setting's id.
    """
    users: dict[str, set[str]] = defaultdict(set)
    for experiment, entries in experiments.items():
        for entry in entries:
            if entry.id in needed:
                users[needed[entry.id]].add(experiment)
    return {name: tuple(sorted(each)) for name, each in users.items()}


def _groups(keys: Mapping[str, Hashable], costs: Mapping[str, float], seconds: float) -> Iterator[list[str]]:
    """Yield names with the same key, in parts of limited duration."""
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for name, key in keys.items():
        groups[key].append(name)
    for group in groups.values():
        yield from _parts(group, costs, seconds)


def _batch(settings: list[Setting], costs: Mapping[str, float], searches: Mapping[str, Search]) -> Batch:
    ordered = {setting.id: setting for setting in sorted(settings, key=_run_order)}
    own = {name: searches[name].name for name in ordered if name in searches}
    return Batch({name: costs[name] for name in ordered}, ordered, own)


def _run_order(setting: Setting) -> tuple[str, ...]:
    """Return a sort key that puts settings of one split and network next to each other, and among them those of one
    problem.

    Data that were read for a split, and values computed for a problem, then serve all of these, one at a time.
    """
    problem = canonical([setting.problem.to_json(), to_json(setting.partition)])
    return setting.split_name, setting.network_name, problem, setting.id


def _parts(names: list[str], costs: Mapping[str, float], seconds: float, bit: int = 0) -> Iterator[list[str]]:
    """Halve groups that take too long, by the bits of the settings' hashes.

    A setting's part then depends on few others: adding or removing one changes its own part alone, where counting them
    off would shift all that follow.
    """
    if len(names) <= 1 or sum(costs[name] for name in names) <= seconds:
        yield names
        return
    halves: tuple[list[str], list[str]] = ([], [])
    for name in names:
        halves[_bit(name, bit)].append(name)
    for half in halves:
        if half:
            yield from _parts(half, costs, seconds, bit + 1)


def _bit(name: str, bit: int) -> int:
    return hashlib.sha256(name.encode()).digest()[bit // 8] >> bit % 8 & 1
