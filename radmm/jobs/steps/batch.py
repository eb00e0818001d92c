"""Work off a batch of settings: solve those whose traces are missing or outdated, then write all traces as outputs.

Each finished trace is kept in a resume cache, a folder unknown to Snakemake, which removes the outputs of a job before
it reruns it and after it failed. A trace in the cache is valid by its own metadata. When all settings are done, each
trace and ledger is hard-linked to the rule's output. A study with a name has its own outputs, as Snakemake would rerun
jobs of two studies that put the same files into other batches; `results/traces` and `results/ledgers` have them all.

Settings of one split and one network follow each other, and their shared inputs are read once. A setting that fails
doesn't stop the others. After a failure or a kill, the next job with these settings continues where this one ended.
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
from radmm.jobs.steps.step_runner import os_error_text, say
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
        batch: Settings of the job.
        features: Features of their data set.
        networks: Networks of all settings.
        calibrations: File with the noise of settings with a budget, if there are any.
        cache: Folder in which finished traces and ledgers are kept for the next attempt, in the folder with `traces`
            and `ledgers` of all studies.
        traces: Output: traces, in any order; a file's name is the setting's id.
        ledgers: Output: ledgers of the settings with noise.
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
    _share([*ledgers, *traces], Path(cache))


def _share(outputs: Iterable[Path], cache: Path) -> None:
    """Link traces and ledgers to the folders of all studies, beside the cache, unless they are there already."""
    for output in outputs:
        kept, common = (folder / output.parent.name / output.name for folder in (cache, cache.parent))
        if not (common.exists() and common.samefile(kept)):
            link(kept, common)


def _work_off(settings: list[Setting], files: InputFiles, sources: InputPaths, paths: Mapping[str, Path]) -> int:
    """Solve settings of one split and one network, and return how many of them failed."""
    try:
        inputs = files.read(sources)
    except InputError as error:
        return sum(_log_outcome(setting.id, str(error)) for setting in settings)
    with provenance(*sources):  # of what was read for others, these traces are not made
        waiting = [setting for setting in settings if _is_waiting(setting, inputs, paths[setting.id])]
        done = f"{len(settings) - len(waiting)} of {len(settings)} settings are already done"
        say(f"{sources.split.stem}, {sources.network.stem}: {done}")
        return sum(_log_outcome(setting.id, _attempt(setting, inputs, paths[setting.id])) for setting in waiting)


def _is_waiting(setting: Setting, inputs: Inputs, trace: Path) -> bool:
    """Return whether a setting still needs to be solved, and log why an existing trace can't be used."""
    outdated = outdated_file(trace, setting, inputs.hashes)
    if outdated and outdated[0].exists():
        path, reason = outdated
        say(f"{path} {reason}: it is made again")
    return outdated is not None


def _log_outcome(setting: str, reason: str) -> bool:
    """Log the outcome of a setting, and return whether it failed."""
    say(f"{setting} failed: {reason}" if reason else f"{setting} done")
    return bool(reason)


def resolved(batch: Batch, calibrations: list[Path]) -> list[Setting]:
    """Return the settings of a batch, with budgets replaced by the noise that was calibrated to them.

    Args:
        batch: Settings of the job.
        calibrations: Files with the noise of settings with a budget.
    """
    with provenance():  # a trace says itself which noise it has: that of others in the same file may change
        found = read_calibrations(calibrations)
    return [
        setting if setting.is_calibrated else setting.with_noise(found[name].noise)
        for name, setting in batch.settings.items()
    ]


def batch_digest(batch: Batch) -> str:
    """Return the digest of the code that makes the traces of a batch."""
    return short_hash(sorted({solver_digest(setting) for setting in batch.settings.values()}))


def _attempt(setting: Setting, inputs: Inputs, trace: Path) -> str:
    """Write a setting's trace; on failure return the reason, and leave no trace, not even an outdated one."""
    say(f"{setting.id} begins")
    try:
        trace.unlink(missing_ok=True)
        write_trace(setting, inputs, trace)
    except InputError as error:
        return str(error)
    except OSError as error:  # a disk that is full, say
        return os_error_text(error)
    except Exception as error:  # whatever it is, the other settings go on
        traceback.print_exc()
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def _where() -> str:
    job, node = (os.environ.get(name) for name in ("SLURM_JOB_ID", "SLURMD_NODENAME"))
    return f"{node}, Slurm job {job}" if job else platform.node()


def _used() -> str:
    """Return the time and memory used, to be compared with the request (benchmarks/estimates.py)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return f"used {used.ru_utime + used.ru_stime:.2f} CPU seconds and {used.ru_maxrss / 1024:.0f} MB"


def remove_leftovers(batch: Batch, folders: Iterable[Path]) -> None:
    """Remove temporary files of these settings, left by a job that was killed while it wrote."""
    for path in (path for folder in folders for path in folder.rglob(f"{PARTIAL}.*")):
        if path.name.split(".")[2] in batch.settings:
            path.unlink(missing_ok=True)
