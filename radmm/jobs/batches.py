"""Which settings share a job, and the file by which the workflow and its jobs speak of it.

A grid may have thousands of settings of half a second each: a job works off a batch of them. A batch's settings share
the data set, which is then read once, and the experiments they belong to: a change in one experiment touches no batch
of another, and a setting that fails keeps back no experiment but its own.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from radmm.base.store import checked, fault, provenance, vouched
from radmm.jobs.estimates import PROCESS_SECONDS, estimated_megabytes, estimated_seconds
from radmm.study.settings import (
    Parameters,
    StudySetting,
    canonical,
    data_name,
    network_name,
    short_hash,
    split_name,
)

MARKERS, TRACES = Path("results/batches"), Path("results/traces")
SNAKEMAKE_MEGABYTES = 500  # of two: one as Slurm's job, and one as its step, which runs the command
BEGINNING = "batch begins"  # of each attempt, in the batch's log


@dataclass(frozen=True)
class Batch:
    """Settings by id, in the order in which they run.

    Args:
        settings: Their parameters.
        asked: What was asked for, of each.
        costs: About how many seconds each takes.
        calibrations: The experiment whose calibrations have the noise of those that ask for a budget, if any does.
        losses: A word that changes whenever traces are found to be lost; it stands in the marker too.
    """

    settings: dict[str, dict[str, Any]]
    asked: dict[str, dict[str, Any]]
    costs: dict[str, float]
    calibrations: str | None = None
    losses: str = ""

    @property
    def name(self) -> str:
        """Of its marker and its log."""
        return hashlib.sha256(" ".join(sorted(self.settings)).encode()).hexdigest()[:12]

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return PROCESS_SECONDS + sum(self.costs.values())

    @property
    def megabytes_to_ask_for(self) -> int:
        """On a cluster."""
        return megabytes_to_ask_for(estimated_megabytes(self.settings.values()))

    @property
    def minutes_to_ask_for(self) -> int:
        """On a cluster."""
        return minutes_to_ask_for(self.seconds)

    @property
    def any_setting(self) -> dict[str, Any]:
        """For what they all share: the data set."""
        return next(iter(self.settings.values()))

    def find_losses(self, there: set[str], markers: Path = MARKERS) -> "Batch":
        """The same, with another word if its marker says that traces are there which are not.

        Snakemake compares the word with the one of the last run, so that such a batch runs again although its marker is
        there; the marker keeps the word, so that it runs once.

        Args:
            there: The ids of the settings whose traces are there.
            markers: The folder of the markers.
        """
        marker = markers / f"{self.name}.json"
        if not marker.exists():
            return self
        if reason := fault(marker):
            return replace(self, losses=short_hash([reason]))
        word = json.loads(marker.read_text(encoding="utf-8"))["losses"]
        lost = sorted(set(self.settings) - there)
        return replace(self, losses=short_hash([word, lost]) if lost else word)


def megabytes_to_ask_for(estimated: float) -> int:
    """On a cluster: half as much again, and what Snakemake needs to run the job there."""
    return round(1.5 * estimated) + SNAKEMAKE_MEGABYTES


def minutes_to_ask_for(seconds: float) -> int:
    """On a cluster: room for a slow machine, and for reading libraries over a network.

    Without a compiler it may be too little; but what is finished stays, and the next attempt has more.
    """
    return 5 + round(4 * seconds / 60)


def make_batches(experiments: Mapping[str, Sequence[StudySetting]], seconds: float) -> dict[str, Batch]:
    """Batches by name, each of about so many seconds at most.

    Args:
        experiments: The settings of each.
        seconds: What a batch may take, unless one setting takes longer.
    """
    users: dict[str, set[str]] = defaultdict(set)
    settings: dict[str, StudySetting] = {}
    for experiment, its_settings in experiments.items():
        for setting in its_settings:
            users[setting.id].add(experiment)
            settings[setting.id] = setting
    groups: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
    for name, setting in settings.items():
        groups[tuple(sorted(users[name])), data_name(setting.parameters)].append(name)
    costs = {name: estimated_seconds(setting.parameters) for name, setting in settings.items()}
    batches = [
        _batch([settings[name] for name in part], costs, sharing)
        for (sharing, _), group in groups.items()
        for part in _parts(group, costs, seconds)
    ]
    return {batch.name: batch for batch in batches}


def _batch(settings: list[StudySetting], costs: Mapping[str, float], experiments: tuple[str, ...]) -> Batch:
    ordered = sorted(settings, key=lambda setting: _run_order(setting.id, setting.parameters))
    return Batch(
        {setting.id: setting.parameters for setting in ordered},
        {setting.id: setting.asked for setting in ordered},
        {setting.id: costs[setting.id] for setting in ordered},
        None if all(setting.is_calibrated for setting in ordered) else experiments[0],
    )


def _run_order(name: str, setting: Parameters) -> tuple[str, ...]:
    """Settings of one split and network follow each other, and among them those of one problem.

    What is read for the split and computed for the problem then serves them all, and is needed one at a time.
    """
    problem = canonical([setting["problem"], setting["partition"]])
    return split_name(setting), network_name(setting), problem, name


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


def write_batches(path: Path, batches: Iterable[Batch], plugins: Sequence[str] = ()) -> None:
    """One line a batch: a job finds its own without reading the others', and no command line grows with a batch.

    Args:
        path: The file to write.
        batches: In any order.
        plugins: What defines the components that the settings name.
    """
    with vouched(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for batch in batches:
            content = {"plugins": list(plugins), **{part.name: getattr(batch, part.name) for part in fields(batch)}}
            stream.write(f"{batch.name} {json.dumps(content, ensure_ascii=False)}\n")


def read_batches(path: Path) -> Iterator[Batch]:
    """All that were written.

    Args:
        path: The file.
    """
    with checked(path).open(encoding="utf-8") as stream:
        for line in stream:
            yield _parse(line)[0]


def read_batch(path: Path, name: str) -> tuple[Batch, list[str]]:
    """One batch, and the plug-ins that define its components.

    Args:
        path: The file.
        name: Of the batch.
    """
    with provenance(), checked(path).open(encoding="utf-8") as stream:
        return _parse(next(line for line in stream if line.startswith(f"{name} ")))


def _parse(line: str) -> tuple[Batch, list[str]]:
    content = json.loads(line.split(" ", 1)[1])
    plugins: list[str] = content.pop("plugins")
    return Batch(**content), plugins
