"""Progress of settings, read from the logs of their jobs: the same on a laptop and on a cluster."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from radmm.jobs.batches import BEGINNING

_FATE = re.compile(r"^\[ *[\d.]+ s\] (\S+) (begins|done|failed: (.*))$", re.MULTILINE)
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)


@dataclass
class Progress:
    """Progress of the settings that the last attempts of jobs have logged.

    Args:
        done: Number of settings that were solved.
        begun: Settings that a job had begun, and not ended when it last logged.
        failed: Reason and log of each setting that failed.
    """

    done: int = 0
    begun: list[str] = field(default_factory=list)
    failed: dict[str, tuple[str, Path]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.done} settings solved, {len(self.begun)} begun, {len(self.failed)} failed"

    def failures(self) -> str:
        """Return one line for each failed setting: which one, why, and the path of its log."""
        width = max(map(len, self.failed), default=0)
        return "\n".join(f"{name:{width}}  {reason}  ({log})" for name, (reason, log) in self.failed.items())


def progress(logs: Path, since: float = 0.0) -> Progress:
    """Read the progress of the jobs that write into a folder of logs.

    Args:
        logs: Folder of the batches' logs.
        since: Seconds since the epoch; older logs belong to other runs.
    """
    found = Progress()
    for log in sorted(logs.glob("*.log")):
        if log.stat().st_mtime < since:
            continue
        last = log.read_text(encoding="utf-8", errors="replace").rsplit(BEGINNING, 1)[-1]
        errors = _ERROR.findall(last)
        for name, (fate, reason) in {match[1]: (match[2], match[3]) for match in _FATE.finditer(last)}.items():
            if fate == "done":
                found.done += 1
            elif reason:
                found.failed[name] = reason, log
            elif errors:
                found.failed[name] = f"its job ended while it ran: {errors[-1]}", log
            else:
                found.begun.append(name)
    return found


def settings_of_job(logs: Path, job: str) -> list[str]:
    """Return the settings that a Slurm job had begun and not ended when it last logged.

    Args:
        logs: Folder of the batches' logs.
        job: Id of the job.
    """
    for log in logs.glob("*.log"):
        _, found, said = log.read_text(encoding="utf-8", errors="replace").partition(f"Slurm job {job}\n")
        if found:
            fates = {match[1]: match[2] for match in _FATE.finditer(said)}
            return [name for name, fate in fates.items() if fate == "begins"]
    return []
