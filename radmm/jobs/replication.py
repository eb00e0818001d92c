"""Looks of a replication: which pairs and settings each of them adds, given the cases that earlier looks left open.

A look is a rule of its own. Which cases are still open is read from the file of the look before it, so that a workflow
plans looks up to the first whose predecessor is not there yet; `make replication` runs Snakemake once for each.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from radmm.base.json_object import JsonObject
from radmm.base.store import recognised
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.replication import OpenCases, needed_settings
from radmm.study.claims_sections import ClaimsSection
from radmm.study.component_json import short_hash
from radmm.study.config import Config
from radmm.study.entries import Entry
from radmm.study.replication import on_pair


@dataclass(frozen=True)
class ReplicationLook:
    """A look of a replication on a data set.

    Args:
        data: Name of the data set in the config.
        number: Its place among the looks, from 1.
        looks: Numbers of pairs at all looks.
        pairs: Entries of the settings that the look adds, by seed and experiment.
        open_cases: Cases that the looks before it left undecided.
    """

    data: str
    number: int
    looks: tuple[int, ...]
    pairs: dict[int, dict[str, list[Entry]]]
    open_cases: OpenCases

    @property
    def name(self) -> str:
        """Name of its rule and files."""
        return look_name(self.data, self.looks[self.number - 1])

    @property
    def previous(self) -> str | None:
        """Name of the look before it."""
        return look_name(self.data, self.looks[self.number - 2]) if self.number > 1 else None

    @cached_property
    def entries(self) -> list[Entry]:
        """Entries of all its pairs."""
        return [entry for pair in self.pairs.values() for entries in pair.values() for entry in entries]

    @cached_property
    def digest(self) -> str:
        """Digest of all that its outcome depends on, but for the look before it."""
        return short_hash(
            [self.data, self.looks, self.open_cases.parameters, sorted(entry.id for entry in self.entries)]
        )


def look_name(data: str, pairs: int) -> str:
    """Return the name of a look's rule and files.

    Args:
        data: Name of the data set.
        pairs: Number of pairs.
    """
    return f"replication_{data}_{pairs}"


def planned_looks(config: Config, folder: Path) -> list[ReplicationLook]:
    """Return the looks that can be planned: on each data set all that were made, and the next one.

    Args:
        config: The user's config.
        folder: Folder of the looks' files.
    """
    if config.replication is None:
        return []
    return [look for data in config.replication.data_sets for look in _looks(config, data, folder)]


def _looks(config: Config, data: str, folder: Path) -> Iterator[ReplicationLook]:
    section = config.replication
    assert section is not None  # noqa: S101 (the caller has looked)
    defaults = {**section.data_sets[data], "runs": section.runs}
    cases, begin = OpenCases(), 0
    for number, end in enumerate(section.looks, start=1):
        seeds = range(section.first_seed + begin, section.first_seed + end)
        pairs = {seed: _needed(on_pair(config, defaults, seed), cases) for seed in seeds}
        yield ReplicationLook(data, number, tuple(section.looks), pairs, cases)
        stored = folder / f"{look_name(data, end)}.json"
        if not stored.is_file():
            return
        cases, begin = OpenCases(read_look(stored)["open"]), end
        if not cases:
            return


def _needed(experiments: dict[str, list[Entry]], cases: OpenCases) -> dict[str, list[Entry]]:
    """Return the entries that open cases compare, and those whose bound these refer to."""
    nowhere = Path()
    ids = needed_settings(cases, Evidence(experiments, nowhere, nowhere))
    every = [entry for entries in experiments.values() for entry in entries]
    ids |= {entry.setting.reference for entry in every if entry.id in ids and entry.setting.reference}
    kept = {name: [entry for entry in entries if entry.id in ids] for name, entries in experiments.items()}
    return {name: entries for name, entries in kept.items() if entries}


def read_look(path: Path) -> JsonObject:
    """Read the file of a look.

    Args:
        path: Path of the file.
    """
    stored: JsonObject = json.loads(recognised(path).read_text(encoding="utf-8"))
    return stored


def usable_looks(folders: Iterable[Path], experiments: str, claims: ClaimsSection) -> list[JsonObject]:
    """Return the last look on each data set, as long as it is about the same experiments, level and margins.

    Args:
        folders: Folders of looks' files; for each data set the first that has some counts.
        experiments: Digest of the experiments of the run at hand.
        claims: How the run at hand judges claims.
    """
    found: dict[str, JsonObject] = {}
    wanted = {"experiments": experiments, **claims.model_dump()}
    for folder in folders:
        looks = [read_look(path) for path in sorted(folder.glob("replication_*.json"))]
        same = [look for look in looks if all(look[name] == value for name, value in wanted.items())]
        last = {look["data"]: look for look in sorted(same, key=lambda look: int(look["pairs"]))}
        found = last | found
    return list(found.values())
