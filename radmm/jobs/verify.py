"""Verification of results: their bytes, their sources and, for a sample, the computation itself."""

import filecmp
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.store import DAMAGED, PARTIAL, RECORDS, fault, read_record, record_path
from radmm.data.source import make_source
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.features import features
from radmm.jobs.steps.network import network
from radmm.jobs.steps.solve import ledger_path, write_trace
from radmm.jobs.steps.split import split
from radmm.jobs.up_to_date import changed_sources, current_hashes, outdated_file
from radmm.study.component_json import named_to_json, to_json
from radmm.study.entries import Entry
from radmm.study.settings import Setting

# Folders of files whose sources are compared by content: other libraries may write the same data with other bytes.
COMPARED_BY_CONTENT = ("traces", "ledgers")


def made_files(*roots: Path) -> list[Path]:
    """Return all files made by radmm below some folders: those with a record, and those beside them that should have
    one.

    Args:
        roots: `results` and `data`, which may also contain the user's own files; folders with records below them
            don't.
    """
    folders = [records.parent for root in roots for records in root.rglob(RECORDS)]
    paths = (path for folder in folders for path in folder.iterdir() if path.is_file())
    hidden = (RECORDS, DAMAGED, PARTIAL)
    known = (path for path in paths if path.parent not in roots or record_path(path).exists())
    return sorted(path for path in known if not path.name.startswith(hidden))


def damages(files: Iterable[Path]) -> dict[Path, str]:
    """Return the files that are not as they were written, with a sentence for each."""
    found = {path: fault(path) for path in files}
    return {path: f"{path} {reason}" for path, reason in found.items() if reason}


def broken_chains(files: Iterable[Path]) -> Iterator[str]:
    """Return a sentence for each file that was made from other sources than those that exist now.

    Args:
        files: Files with a record.
    """
    for path in (each for each in files if each.parent.name not in COMPARED_BY_CONTENT):
        for source in ((path.parent / name).resolve() for name in read_record(path)["made_of"]):
            if not source.is_file():
                yield f"{path} was made of {source}, which is no longer there"
        for source in changed_sources(path):
            yield f"{path} was made of another version of {source}"


class Folders:
    """Folders of a study's files.

    Args:
        results: Folder of results.
        data: Folder of prepared data, with `raw` below.
        networks: Folder of the networks.
    """

    def __init__(self, results: Path, data: Path, networks: Path) -> None:
        self.results, self.data = results, data
        self.inputs = InputFiles(data, networks)

    def settings(self, experiments: Mapping[str, Sequence[Entry]]) -> dict[str, Setting]:
        """Return all settings that have a trace, by id, with their calibrated noise.

        Args:
            experiments: Entries of each experiment.
        """
        found = {}
        for name, entries in experiments.items():
            noise = self.results / "calibrations" / f"{name}.json"
            known = calibrated(entries, [noise]) if noise.is_file() else entries
            found.update({entry.id: entry.setting for entry in known if self.trace(entry.id).is_file()})
        return found

    def trace(self, setting: str) -> Path:
        """Return the path of a setting's trace.

        Args:
            setting: Id of the setting.
        """
        return self.results / "traces" / f"{setting}.parquet"


def strange_traces(folders: Folders, settings: Mapping[str, Setting]) -> Iterator[str]:
    """Return a sentence for each trace that is of another setting, other data or other code than it should be.

    Args:
        settings: Settings that have a trace, by id.
    """
    for name, setting in settings.items():
        trace = folders.trace(name)
        if missing := [str(each) for each in folders.inputs.paths(setting) if not each.is_file()]:
            yield f"{trace} was made of {', '.join(missing)}, which is no longer there"
        hashes = current_hashes(folders.inputs, setting)
        if found := outdated_file(trace, setting, hashes):
            yield f"{found[0]} {found[1]}"


def sample_of(settings: Mapping[str, Setting], size: int, seed: int) -> list[Setting]:
    """Return a random sample of settings, without repetition.

    Args:
        size: Size of the sample, at most that of the settings.
    """
    chosen = random.Random(seed).sample(sorted(settings), min(size, len(settings)))  # noqa: S311 (no secret)
    return [settings[name] for name in chosen]


def differences(folders: Folders, setting: Setting, scratch: Path) -> Iterator[str]:
    """Return a sentence for each file of a setting that comes out differently when all is computed again from raw data.

    Args:
        setting: Setting that has a trace.
        scratch: Temporary folder, in which files of other settings of the sample are reused.
    """
    anew = Folders(scratch / "results", scratch / "data", scratch / "networks")
    rows, parts, edges = made = anew.inputs.paths(setting)
    table, facts = (rows.with_suffix(suffix) for suffix in (".parquet", ".json"))
    if not rows.exists():
        raw = setting.data.paths(folders.data / "raw")
        features(setting.data_name, named_to_json(setting.data), raw, table, rows, facts)
    if not parts.exists():
        split(to_json(setting.split), table, parts)
    if not edges.exists():
        network(to_json(setting.network), edges, edges.with_suffix(".json"))
    trace = anew.trace(setting.id)
    write_trace(setting, anew.inputs.read(made), trace)
    pairs = dict(zip(made, folders.inputs.paths(setting), strict=True))
    pairs[trace] = folders.trace(setting.id)
    if setting.noise is not None:
        pairs[ledger_path(trace)] = ledger_path(pairs[trace])
    for new, old in pairs.items():
        if not old.is_file():
            yield f"{old} is missing"
        elif not filecmp.cmp(new, old, shallow=False):
            yield f"{old} has other bytes than when it is made again"


def raw_faults(data_sets: Iterable[Any], raw: Path) -> Iterator[str]:
    """Return a sentence for each data set whose raw files are not as they were published.

    Args:
        data_sets: Each data set's section of the config.
    """
    for source in map(make_source, data_sets):
        if all((raw / file).is_file() for file in source.files):
            try:
                source.check_files(raw)
            except InputError as error:
                yield str(error)
