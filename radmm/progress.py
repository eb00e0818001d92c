"""How far a run is, from the files that it and its jobs write: the same on a laptop and on a cluster."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from radmm.batches import BEGINNING, PLAN, Batch, read_plan
from radmm.cost import estimated_seconds
from radmm.digest import code_digest
from radmm.store import read_metadata

SILENCE = 120.0  # seconds: a job that lives says something more often
_FATE = re.compile(r"^\[ *[\d.]+ s\] (\S+) (begins|done|failed: (.*))$", re.MULTILINE)
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)


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

    def __str__(self) -> str:
        counts = f"{self.done} of {self.done + self.running + self.waiting + len(self.failed)} settings done"
        text = f"{counts}, {self.running} running, {len(self.failed)} failed"
        if self.seconds_left and self.seconds_done:
            left = self.elapsed * self.seconds_left / self.seconds_done
            text += f"; about {left / 60:.0f} min left" if left >= 90 else f"; about {left:.0f} s left"
        return text

    def failures(self) -> str:
        """One line a failed setting: which, why, and where to read more."""
        width = max(map(len, self.failed), default=0)
        return "\n".join(f"{name:{width}}  {reason}  ({log})" for name, (reason, log) in self.failed.items())


def progress(folder: Path, over: bool = False) -> Progress:
    """Of the run in this folder; once it is over, nothing is running any more."""
    plan = folder / PLAN
    begin = plan.stat().st_mtime  # it is written when a run begins
    found = Progress(elapsed=time.time() - begin)
    code = code_digest("radmm.steps.solve")
    for batch in read_plan(plan):
        finished = _finished(folder, batch, code)
        fates, log = _fates(folder, batch, over)
        for name, setting in batch.settings.items():
            if name in finished:
                found.done += 1
                fresh = _trace(folder, name).stat().st_mtime >= begin
                found.seconds_done += estimated_seconds(setting) if fresh else 0.0
            elif fates.get(name):
                found.failed[name] = fates[name], log
            else:
                found.running += name in fates
                found.waiting += name not in fates
                found.seconds_left += estimated_seconds(setting)
    return found


def _trace(folder: Path, setting: str) -> Path:
    return folder / "results" / "traces" / f"{setting}.parquet"


def _finished(folder: Path, batch: Batch, code: str) -> set[str]:
    """Settings with a trace by this code; a marker saves looking into each."""
    marker = folder / PLAN.parent / f"{batch.name}.json"
    if marker.is_file() and json.loads(marker.read_text(encoding="utf-8"))["code"] == code:
        return set(batch.settings)
    there = (name for name in batch.settings if _trace(folder, name).is_file())
    return {name for name in there if read_metadata(_trace(folder, name))["code"] == code}


def _fates(folder: Path, batch: Batch, over: bool) -> tuple[dict[str, str], Path]:
    """What the last attempt says of settings that are not done: why one failed, or nothing if it is running."""
    log = folder / "results" / "logs" / "batches" / f"{batch.name}.log"
    if not log.is_file():
        return {}, log
    last = log.read_text(encoding="utf-8", errors="replace").rsplit(BEGINNING, 1)[-1]
    errors = _ERROR.findall(last)
    ended = errors or over or time.time() - log.stat().st_mtime > SILENCE
    fates = dict.fromkeys(batch.settings, f"not reached: {errors[-1]}") if errors else {}
    for match in _FATE.finditer(last):
        name, fate, reason = match.groups()
        fates[name] = reason or ("its job ended while it ran" if fate == "begins" and ended else "")
    return fates, log
