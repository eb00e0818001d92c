"""Work off a batch of settings: solve those whose traces are missing or outdated, then write all traces as outputs.

A trace in the resume cache is valid by its own metadata. Settings of one split and one network follow each other, and
their shared inputs are read once. A study with a name has its own outputs, as Snakemake would rerun jobs of two studies
that put the same files into other batches; `results/traces` and `results/ledgers` have them all.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.store import link, provenance
from radmm.jobs.batches import Batch
from radmm.jobs.calibrations import read_search
from radmm.jobs.input_files import InputFiles, InputPaths
from radmm.jobs.steps.attempts import attempt, begin, end, log_outcome
from radmm.jobs.steps.solve import Inputs, ledger_path, solver_digest, write_trace
from radmm.jobs.steps.solve_by_ranks import write_trace_by_ranks
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import outdated_file
from radmm.study.component_json import short_hash
from radmm.study.settings import Setting

Write = Callable[[Setting, Inputs, Path], None]  # makes the trace of a setting


def run_batch(
    batch: Batch,
    features: list[Path],
    networks: list[Path],
    searches: list[Path],
    cache: str,
    traces: list[Path],
    ledgers: list[Path],
    threads: int = 1,
    ranks: int = 1,
    launcher: str = "",
) -> None:
    """Write the traces and ledgers of a batch's settings.

    Args:
        features: Features of their data set.
        networks: Networks of all settings.
        searches: Files of the searches for the noise of settings with a budget.
        cache: Folder in which finished traces and ledgers are kept for the next attempt, in the folder with `traces`
            and `ledgers` of all studies.
        traces: Output: traces, in any order; a file's name is the setting's id.
        ledgers: Output: ledgers of the settings with noise.
        threads: Number of threads with which each setting is solved, one setting after the other.
        ranks: Number of MPI processes with as many threads each; the traces are the same with any number of them.
        launcher: Command that starts these processes, like mpiexec; used where there are several.
    """
    kept = {name: Path(cache) / "traces" / f"{name}.parquet" for name in batch.settings}
    begin(batch.settings, {file.parent for path in kept.values() for file in (path, ledger_path(path))})
    files, settings = InputFiles.beside(features, networks), resolved(batch, searches)
    files.read_features(features[0])  # if they can't be read, that is said once, for all

    def write(setting: Setting, inputs: Inputs, path: Path) -> None:
        if ranks > 1 and setting.algorithm.refusal_by_processes(inputs.network) is None:
            write_trace_by_ranks(setting, inputs, path, threads, ranks, launcher)
        else:
            write_trace(setting, inputs, path, threads)

    failed = sum(
        _work_off(list(alike), files, sources, kept, write) for sources, alike in groupby(settings, files.paths)
    )
    end(failed, len(settings), "settings")
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


def _work_off(
    settings: list[Setting], files: InputFiles, sources: InputPaths, paths: Mapping[str, Path], write: Write
) -> int:
    """Solve settings of one split and one network, and return how many of them failed."""
    try:
        inputs = files.read(sources)
    except InputError as error:
        return sum(log_outcome(setting.id, str(error)) for setting in settings)
    with provenance(*sources):  # of what was read for others, these traces are not made
        waiting = [setting for setting in settings if _is_waiting(setting, inputs, paths[setting.id])]
        done = f"{len(settings) - len(waiting)} of {len(settings)} settings are already done"
        say(f"{sources.split.stem}, {sources.network.stem}: {done}")
        return sum(_attempt(setting, inputs, paths[setting.id], write) for setting in waiting)


def _is_waiting(setting: Setting, inputs: Inputs, trace: Path) -> bool:
    """Return whether a setting still needs to be solved, and log why an existing trace can't be used."""
    outdated = outdated_file(trace, setting, inputs.hashes)
    if outdated and outdated[0].exists():
        path, reason = outdated
        say(f"{path} {reason}: it is made again")
    return outdated is not None


def _attempt(setting: Setting, inputs: Inputs, trace: Path, write: Write) -> bool:
    """Write a setting's trace, and return whether that failed."""
    return attempt(setting.id, trace, lambda path: write(setting, inputs, path))


def resolved(batch: Batch, searches: list[Path]) -> list[Setting]:
    """Return the settings of a batch, with budgets replaced by the noise that was found for them.

    Args:
        searches: Files of the searches.
    """
    with provenance():  # a trace says itself which noise it has
        found = {path.stem: read_search(path) for path in searches}
    return [
        setting if setting.is_calibrated else setting.with_noise(found[batch.searches[name]].noise)
        for name, setting in batch.settings.items()
    ]


def batch_digest(batch: Batch) -> str:
    """Return the digest of the code that makes the traces of a batch."""
    return short_hash(sorted({solver_digest(setting) for setting in batch.settings.values()}))
