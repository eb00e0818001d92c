"""Which settings share a job, and the files by which the workflow and its jobs speak of it.

A grid may have thousands of settings of half a second each: a job works off a batch of them. A batch's settings share
split and network, which are then read once, and the experiments they belong to, so that a change in one experiment
touches no batch of another.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radmm.base.store import replacing
from radmm.jobs.estimates import PROCESS_SECONDS, estimated_megabytes, estimated_seconds
from radmm.study.settings import network_name, split_name

PLAN = Path("results/batches/plan.txt")
SNAKEMAKE_MEGABYTES = 500  # of two: one as Slurm's job, and one as its step, which runs the command
BEGINNING = "batch begins"  # of each attempt, in the batch's log


@dataclass(frozen=True)
class Batch:
    """Settings by id, in the order in which they run."""

    settings: dict[str, dict[str, Any]]

    @property
    def name(self) -> str:
        return hashlib.sha256(" ".join(sorted(self.settings)).encode()).hexdigest()[:12]

    @property
    def seconds(self) -> float:
        return PROCESS_SECONDS + sum(map(estimated_seconds, self.settings.values()))

    @property
    def megabytes_to_ask_for(self) -> int:
        return megabytes_to_ask_for(estimated_megabytes(self.settings.values()))

    @property
    def minutes_to_ask_for(self) -> int:
        return minutes_to_ask_for(self.seconds)

    @property
    def any_setting(self) -> dict[str, Any]:
        """For what they all share."""
        return next(iter(self.settings.values()))


def megabytes_to_ask_for(estimated: float) -> int:
    """On a cluster: half as much again, and what Snakemake needs to run the job there."""
    return round(1.5 * estimated) + SNAKEMAKE_MEGABYTES


def minutes_to_ask_for(seconds: float) -> int:
    """On a cluster: room for a slow machine, and for reading libraries over a network.

    Without a compiler it may be too little; but what is finished stays, and the next attempt has more.
    """
    return 5 + round(4 * seconds / 60)


def make_batches(experiments: Mapping[str, Mapping[str, dict[str, Any]]], seconds: float) -> dict[str, Batch]:
    """Batches by name, each of about so many seconds at most, from the settings of each experiment by id."""
    users: dict[str, set[str]] = defaultdict(set)
    settings = {}
    for experiment, its_settings in experiments.items():
        for name, setting in its_settings.items():
            users[name].add(experiment)
            settings[name] = setting
    groups: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for name, setting in settings.items():
        groups[tuple(sorted(users[name])), split_name(setting), network_name(setting)].append(name)
    costs = {name: estimated_seconds(setting) for name, setting in settings.items()}
    batches = [
        Batch({name: settings[name] for name in sorted(part, key=lambda name: _run_order(name, settings[name]))})
        for group in groups.values()
        for part in _parts(group, costs, seconds)
    ]
    return {batch.name: batch for batch in batches}


def _run_order(name: str, setting: dict[str, Any]) -> tuple[str, str]:
    """Settings of one problem follow each other: what is computed for the problem then serves them all."""
    return json.dumps(setting["problem"], sort_keys=True), name


def _parts(names: list[str], costs: Mapping[str, float], seconds: float, bit: int = 0) -> Iterator[list[str]]:
    """Halve what takes too long, by the bits of the settings' hashes.

    A setting's part then depends on few others: one that is new or gone changes its own part alone, where counting them
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


def write_plan(path: Path, batches: Iterable[Batch]) -> None:
    """One line a batch: a job finds its own without reading the others', and no command line grows with a batch."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for batch in batches:
            stream.write(f"{batch.name} {json.dumps(batch.settings, ensure_ascii=False)}\n")


def read_plan(path: Path) -> Iterator[Batch]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            yield Batch(json.loads(line.split(" ", 1)[1]))


def read_batch(plan: Path, name: str) -> Batch:
    with plan.open(encoding="utf-8") as stream:
        line = next(line for line in stream if line.startswith(f"{name} "))
    return Batch(json.loads(line.removeprefix(f"{name} ")))


def drop_markers_without_traces(batches: Iterable[Batch], markers: Path, traces: Path) -> None:
    """A marker says that all traces of its batch are there: one that no longer tells the truth goes."""
    if not markers.is_dir():
        return
    there = {path.stem for path in traces.iterdir()} if traces.is_dir() else set()
    for batch in batches:
        if not set(batch.settings) <= there:
            (markers / f"{batch.name}.json").unlink(missing_ok=True)
