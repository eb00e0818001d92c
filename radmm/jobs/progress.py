"""Progress of settings and of searches for noise, read from their jobs' logs: the same on a laptop and on a cluster."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from radmm.jobs.batches import BEGINNING

_FATE = re.compile(r"^\[ *[\d.]+ s\] (\S+) (begins|done|failed: (.*))$", re.MULTILINE)
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)


@dataclass
class LoggedProgress:
    """Progress of the settings or searches that the last attempts of jobs have logged.

    Args:
        what: What became of those that are done, in words.
        done: Number of settings that were solved, or of noises that were found.
        begun: Settings or searches that a job had begun, and not ended when it last logged.
        failed: Reason and log of each setting or search that failed.
    """

    what: str = "settings solved"
    done: int = 0
    begun: list[str] = field(default_factory=list)
    failed: dict[str, tuple[str, Path]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.done} {self.what}, {len(self.begun)} begun, {len(self.failed)} failed"

    @property
    def any(self) -> bool:
        """Whether any setting or search was begun."""
        return bool(self.done or self.begun or self.failed)

    def failures(self) -> str:
        """Return one line for each setting or search that failed: its name, the reason, and the path of its log."""
        width = max(map(len, self.failed), default=0)
        return "\n".join(f"{name:{width}}  {reason}  ({log})" for name, (reason, log) in self.failed.items())


def all_progress(logs: Path, since: float = 0.0) -> str:
    """Return lines that tell the progress of searches, if there are any, and of settings, and what failed.

    Args:
        logs: Folder of all logs.
        since: Seconds since the epoch; older logs belong to other runs.
    """
    searches, settings = progress(logs / "searches", since, "noises found"), progress(logs / "batches", since)
    told = [searches] * searches.any + [settings]
    return "\n".join(filter(None, [*map(str, told), *(each.failures() for each in told)]))


def progress(logs: Path, since: float = 0.0, what: str = LoggedProgress.what) -> LoggedProgress:
    """Read the progress of the jobs that write into a folder of logs.

    Args:
        logs: Folder of the batches' logs.
        since: Seconds since the epoch; older logs belong to other runs.
        what: What becomes of those that are done, in words.
    """
    found = LoggedProgress(what)
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
    """
    for log in logs.glob("*.log"):
        _, found, said = log.read_text(encoding="utf-8", errors="replace").partition(f"Slurm job {job}\n")
        if found:
            fates = {match[1]: match[2] for match in _FATE.finditer(said)}
            return [name for name, fate in fates.items() if fate == "begins"]
    return []
