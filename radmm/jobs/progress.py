"""How far a run is, from the files that it and its jobs write: the same on a laptop and on a cluster."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from radmm.base.store import fault, read_metadata
from radmm.jobs.batches import BEGINNING, MARKERS, TRACES, Batch, read_batches
from radmm.jobs.digest import read_known
from radmm.jobs.plan import BATCHES, CODE, PLAN, read_study
from radmm.jobs.slurm import why_it_ended
from radmm.jobs.steps.batch import batch_digest
from radmm.jobs.steps.solve import solver_digest

LOGS = Path("results/logs/batches")
SILENCE = 120.0  # seconds: a job that lives says something more often
_FATE = re.compile(r"^\[ *[\d.]+ s\] (\S+) (begins|done|failed: (.*))$", re.MULTILINE)
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)
_JOB = re.compile(r"Slurm job (\d+)$", re.MULTILINE)


@dataclass
class Progress:
    """Settings by what became of them, and the seconds of work that are done (in this run) and left."""

    done: int = 0
    running: int = 0
    waiting: int = 0
    failed: dict[str, tuple[str, Path]] = field(default_factory=dict)  # reason and log
    seconds_done: float = 0.0
    seconds_left: float = 0.0
    elapsed: float = 0.0
    over: bool = False

    @property
    def total(self) -> int:
        """All settings of the run."""
        return self.done + self.running + self.waiting + len(self.failed)

    def __str__(self) -> str:
        counts = f"{self.done} of {self.total} settings done"
        text = f"{counts}, {self.running} running, {len(self.failed)} failed"
        if self.over:
            return text + (f", {self.waiting} not begun" if self.waiting else "")
        if self.seconds_left and self.seconds_done:
            left = self.elapsed * self.seconds_left / self.seconds_done
            text += f"; about {left / 60:.0f} min left" if left >= 90 else f"; about {left:.0f} s left"
        return text

    def failures(self) -> str:
        """One line a failed setting: which, why, and where to read more."""
        width = max(map(len, self.failed), default=0)
        return "\n".join(f"{name:{width}}  {reason}  ({log})" for name, (reason, log) in self.failed.items())


def is_over(folder: Path) -> bool:
    """Whether no Snakemake is at work in this folder: it locks it meanwhile."""
    return not any((folder / ".snakemake" / "locks").glob("*.lock"))


def progress(folder: Path, over: bool) -> Progress:
    """Of the run in this folder.

    A job that was killed may come again as long as the run goes on; once it is over, what it had not done has failed.
    """
    plan = folder / PLAN / BATCHES
    begin = plan.stat().st_mtime  # it is written when a run begins
    found = Progress(elapsed=time.time() - begin, over=over)
    read_study(folder / PLAN)  # loads plug-ins, whose code is a part of what is asked below
    read_known(folder / PLAN / CODE)
    for batch in read_batches(plan):
        finished = _finished(folder, batch)
        attempt = _last_attempt(folder, batch, begin) if len(finished) < len(batch.settings) else None
        for name, seconds in batch.costs.items():
            reason = attempt.reason(name, over) if attempt else ""
            if name in finished:
                found.done += 1
                fresh = _trace(folder, name).stat().st_mtime >= begin
                found.seconds_done += seconds if fresh else 0.0
            elif attempt and reason:
                found.failed[name] = reason, attempt.log
            else:
                at_it = attempt is not None and attempt.is_at(name)
                found.running += at_it
                found.waiting += not at_it
                found.seconds_left += seconds
    return found


def _trace(folder: Path, setting: str) -> Path:
    return folder / TRACES / f"{setting}.parquet"


def _finished(folder: Path, batch: Batch) -> set[str]:
    """Settings with a trace by this code; a marker saves looking into each."""
    marker = folder / MARKERS / f"{batch.name}.json"
    if not fault(marker) and json.loads(marker.read_text(encoding="utf-8"))["code"] == batch_digest(batch):
        return set(batch.settings)
    there = {name: setting for name, setting in batch.settings.items() if not fault(_trace(folder, name))}
    return {
        name for name, setting in there.items() if read_metadata(_trace(folder, name))["code"] == solver_digest(setting)
    }


@dataclass(frozen=True)
class _Attempt:
    """What the last job of a batch says in its log: of settings, and of its own end if it could."""

    log: Path
    fates: dict[str, str]  # by setting: begins, done, or failed and why
    ended: str  # why it did, or nothing while it is at work

    def is_at(self, setting: str) -> bool:
        return self.fates.get(setting) == "begins" and not self.ended

    def reason(self, setting: str, over: bool) -> str:
        """Why the setting failed, or nothing."""
        fate = self.fates.get(setting, "")
        if fate.startswith("failed: "):
            return fate.removeprefix("failed: ")
        if not over:
            return ""
        ended = self.ended or "killed, it can't say why"
        return f"its job ended while it ran: {ended}" if fate == "begins" else f"not reached: {ended}"


def settings_of_job(folder: Path, job: str) -> list[str]:
    """What a Slurm job had begun and not finished when it last said something."""
    for log in (folder / LOGS).glob("*.log"):
        _, found, said = log.read_text(encoding="utf-8", errors="replace").partition(f"Slurm job {job}\n")
        if found:
            fates = {match[1]: match[2] for match in _FATE.finditer(said)}
            return [name for name, fate in fates.items() if fate == "begins"]
    return []


def _last_attempt(folder: Path, batch: Batch, begin: float) -> _Attempt | None:
    """None if this run has made no attempt at the batch yet."""
    log = folder / LOGS / f"{batch.name}.log"
    if not log.is_file() or log.stat().st_mtime < begin:
        return None
    last = log.read_text(encoding="utf-8", errors="replace").rsplit(BEGINNING, 1)[-1]
    fates = {match[1]: match[2] for match in _FATE.finditer(last)}
    job, errors = _JOB.search(last), _ERROR.findall(last)
    why = why_it_ended(folder, batch.name, job[1]) if job else ""
    silent = time.time() - log.stat().st_mtime > SILENCE
    return _Attempt(log, fates, "; ".join(filter(None, [*errors[-1:], why])) or ("it fell silent" if silent else ""))
