"""Forecasts for dry runs: how many settings would be solved, about how long that would take, and why."""

from collections import Counter
from collections.abc import Iterable, Set
from pathlib import Path

from radmm.base.store import fault, read_metadata
from radmm.jobs.batches import Batch
from radmm.jobs.estimates import PROCESS_SECONDS
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import solver_digest

NEW, DAMAGED, CODE = "new", "damaged or without a record", "made by other code"
INPUTS = "made from data, network or noise that may be others now"


def forecast(batches: Iterable[tuple[Batch, Set[Path]]], inputs: InputFiles, cores: int, traces: Path) -> str:
    """Return one line about the batches that would run; files are only read.

    Args:
        batches: Batches that would run, each with its inputs that have changed or would be made again.
        inputs: Input files, to find out which settings read them.
        cores: Number of cores of the run.
        traces: Folder in which jobs keep finished traces.
    """
    reasons: Counter[str] = Counter()
    seconds, kept = 0.0, 0
    for batch, changed in batches:
        own = {name: set(inputs.paths(setting)) for name, setting in batch.settings.items()}
        shared = changed - set().union(*own.values())  # calibrations, say
        why = {name: _why(batch, name, bool(shared or changed & own[name]), traces) for name in batch.settings}
        reasons.update(filter(None, why.values()))
        kept += sum(not reason for reason in why.values())
        seconds += PROCESS_SECONDS + sum(cost for name, cost in batch.costs.items() if why[name])
    if not reasons:
        return "No setting would be solved: every trace that is needed is there."
    number = reasons.total()
    listed = "; ".join(f"{count} {'is' if count == 1 else 'are'} {reason}" for reason, count in reasons.items())
    rest = f"; {kept} that share their jobs stay as they are" if kept else ""
    return (
        f"{number} setting{'s' * (number > 1)} would be solved, in about {duration(seconds / cores)}: {listed}{rest}."
    )


def _why(batch: Batch, name: str, changed: bool, traces: Path) -> str:
    """Return why a setting would run; empty if its trace is up to date."""
    trace = traces / f"{name}.parquet"
    if fault(trace):
        return DAMAGED if trace.is_file() else NEW
    if read_metadata(trace).get("code") != solver_digest(batch.settings[name]):
        return CODE
    return INPUTS if changed else ""


def duration(seconds: float) -> str:
    """Format seconds for people: to the second, the minute or a tenth of an hour.

    Args:
        seconds: Any time.
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
