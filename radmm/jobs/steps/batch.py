"""Work off a batch of settings: solve those whose traces are missing or outdated, and hand over all traces at the end.

Each finished trace is kept in a resume cache, a folder that Snakemake doesn't know of: Snakemake removes the outputs of
a job before it runs again and after it failed. A trace there is valid by its own metadata. When all settings are done,
each trace and ledger gets its second name, that of the rule's output, by a hard link.

Settings of one split and one network follow each other, and what they share is read once. A setting that fails doesn't
stop the others. After a failure or a kill, the next job with these settings goes on where this one ended.
"""

import os
import platform
import resource
import sys
import traceback
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.store import PARTIAL, link, provenance
from radmm.jobs.batches import BEGINNING, Batch
from radmm.jobs.calibrations import read_calibrations
from radmm.jobs.input_files import InputFiles, InputPaths
from radmm.jobs.steps.solve import Inputs, ledger_path, solver_digest, write_trace
from radmm.jobs.steps.step_runner import say, told
from radmm.jobs.up_to_date import outdated_file
from radmm.study.component_json import short_hash
from radmm.study.settings import Setting


def run_batch(
    batch: Batch,
    features: list[Path],
    networks: list[Path],
    calibrations: list[Path],
    cache: str,
    traces: list[Path],
    ledgers: list[Path],
) -> None:
    """Write the traces and ledgers of a batch's settings.

    Args:
        batch: The settings.
        features: The rows of their one data set.
        networks: All networks that they are solved on.
        calibrations: The file with the noise of those that ask for a budget, if any does.
        cache: The folder in which finished traces and ledgers are kept for the next attempt.
        traces: Where the traces go at the end, in any order; a file's name is the setting's id.
        ledgers: Where the ledgers go, of settings with noise.
    """
    say(f"{BEGINNING} on {_where()}")
    files, settings = InputFiles.beside(features, networks), resolved(batch, calibrations)
    files.read_features(features[0])  # if they can't be read, that is said once, for all
    kept = {setting.id: Path(cache) / "traces" / f"{setting.id}.parquet" for setting in settings}
    remove_leftovers(batch, {file.parent for path in kept.values() for file in (path, ledger_path(path))})
    failed = sum(_work_off(list(alike), files, sources, kept) for sources, alike in groupby(settings, files.paths))
    say(_used())
    if failed:
        sys.exit(f"error: {failed} of {len(settings)} settings failed")
    for ledger in ledgers:
        link(ledger_path(kept[ledger.stem]), ledger)
    for trace in traces:  # last: a setting that has one is done
        link(kept[trace.stem], trace)


def _work_off(settings: list[Setting], files: InputFiles, sources: InputPaths, paths: Mapping[str, Path]) -> int:
    """Solve settings of one split and one network; returns how many of them failed."""
    try:
        inputs = files.read(sources)
    except InputError as error:
        return sum(_told(setting.id, str(error)) for setting in settings)
    with provenance(*sources):  # of what was read for others, these traces are not made
        waiting = [setting for setting in settings if _is_waiting(setting, inputs, paths[setting.id])]
        done = f"{len(settings) - len(waiting)} of {len(settings)} settings are already done"
        say(f"{sources.split.stem}, {sources.network.stem}: {done}")
        return sum(_told(setting.id, _attempt(setting, inputs, paths[setting.id])) for setting in waiting)


def _is_waiting(setting: Setting, inputs: Inputs, trace: Path) -> bool:
    """Whether the setting has no trace yet, or one that can't be used; why not is said."""
    outdated = outdated_file(trace, setting, inputs.hashes)
    if outdated and outdated[0].exists():
        path, reason = outdated
        say(f"{path} {reason}: it is made again")
    return outdated is not None


def _told(setting: str, reason: str) -> bool:
    """Say what became of a setting; whether it failed."""
    say(f"{setting} failed: {reason}" if reason else f"{setting} done")
    return bool(reason)


def resolved(batch: Batch, calibrations: list[Path]) -> list[Setting]:
    """The settings of a batch, with the noise that meets their budgets.

    Args:
        batch: The settings.
        calibrations: The files with the noise of those that ask for a budget.
    """
    with provenance():  # a trace says itself which noise it has: that of others in the same file may change
        found = read_calibrations(calibrations)
    return [
        setting if setting.is_calibrated else setting.with_noise(found[name].noise)
        for name, setting in batch.settings.items()
    ]


def batch_digest(batch: Batch) -> str:
    """Digest of the code that makes the traces of a batch."""
    return short_hash(sorted({solver_digest(setting) for setting in batch.settings.values()}))


def _attempt(setting: Setting, inputs: Inputs, trace: Path) -> str:
    """Write the setting's trace; the reason if that can't be done, and no trace, not even an outdated one."""
    say(f"{setting.id} begins")
    try:
        trace.unlink(missing_ok=True)
        write_trace(setting, inputs, trace)
    except InputError as error:
        return str(error)
    except OSError as error:  # a disk that is full, say
        return told(error)
    except Exception as error:  # whatever it is, the other settings go on
        traceback.print_exc()
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def _where() -> str:
    job, node = (os.environ.get(name) for name in ("SLURM_JOB_ID", "SLURMD_NODENAME"))
    return f"{node}, Slurm job {job}" if job else platform.node()


def _used() -> str:
    """For comparison with what was asked for (benchmarks/estimates.py)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return f"used {used.ru_utime + used.ru_stime:.2f} CPU seconds and {used.ru_maxrss / 1024:.0f} MB"


def remove_leftovers(batch: Batch, folders: Iterable[Path]) -> None:
    """Temporary files of these settings, left by a job that was killed while it wrote."""
    for path in (path for folder in folders for path in folder.rglob(f"{PARTIAL}.*")):
        if path.name.split(".")[2] in batch.settings:
            path.unlink(missing_ok=True)
