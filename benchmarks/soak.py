"""A study of small settings under random kills: `python -m benchmarks.soak FOLDER` takes half an hour on two cores.

Runs of the workflow and their jobs are killed at random moments; whenever a run comes to its end, a part of the results
is removed, so that there is work again. In the end all traces must be there and right, and nothing else may be left:
no process, no lock, no temporary file. Memory is read while it runs, and compared between the first and the last half.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import yaml

from benchmarks.cases import ROOT
from radmm.base.store import PARTIAL, write_json
from radmm.jobs.verify import damages, made_files

STORED = Path(__file__).with_name("soak.json")
TARGET = "results/tables/soak.csv"
LONGEST_PAUSE = 60.0  # seconds between two kills


def config(settings):
    """So many settings that each take a few hundredths of a second, in batches of some seconds."""
    seeds = list(range(settings // 2))
    noisy = {"algorithm": {"name": "r-admm"}, "noise": {"kind": "objective", "alpha": 2.0}, "seed": seeds}
    plain = {"algorithm": {"name": "admm"}, "seed": seeds}
    defaults = {
        "data": {"name": "synthetic", "rows": 400, "features": 5},
        "split": {"train": 300},
        "network": {"law": "ring", "nodes": 5},
        "problem": {"loss": "logistic", "C": 10.0, "rho": 0.3},
        "iterations": 40,
        "runs": 4,
    }
    experiment = {"figure": "convergence", "settings": {"plain": plain, "noisy": noisy}}
    return {"shipped": False, "batches": {"seconds": 3.0}, "defaults": defaults, "experiments": {"soak": experiment}}


class Soak:
    """One study in one folder.

    Args:
        folder: An empty one.
        settings: How many there are.
        seed: Of the moments of kills.
    """

    def __init__(self, folder, settings, seed=0):
        self.folder, self.settings, self.draw = Path(folder).resolve(), settings, random.Random(seed)  # noqa: S311
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "soak.yaml").write_text(yaml.safe_dump(config(settings)))
        self.facts = dict.fromkeys(("runs killed", "jobs killed", "runs ended", "settings removed", "left by kills"), 0)
        self.memory, self._log = [], (self.folder / "soak.log").open("ab")

    def begin(self, *options):
        """A run in a session of its own."""
        command = [
            str(Path(sys.executable).parent / "snakemake"),
            "--snakefile",
            str(ROOT / "Snakefile"),
            "--cores",
            "2",
        ]
        profile = ["--workflow-profile", str(ROOT / "workflow" / "profiles" / "default")]
        arguments = ["--configfile", "soak.yaml", *profile, *options, "--", TARGET]
        told = {"stdout": self._log, "stderr": self._log}
        return subprocess.Popen([*command, *arguments], cwd=self.folder, start_new_session=True, **told)

    def watch(self, run, seconds):
        """Read its memory until it ends or time is up."""
        end = time.monotonic() + seconds
        while run.poll() is None and time.monotonic() < end:
            self.memory.append((time.monotonic(), megabytes(run.pid), max(map(megabytes, jobs(run)), default=0.0)))
            time.sleep(0.5)

    def disturb(self, minutes):
        """Kill runs and jobs until so many minutes are over."""
        end, run = time.monotonic() + 60 * minutes, None
        while time.monotonic() < end:
            run = run or self.begin("--nolock")
            self.watch(run, min(self.draw.uniform(0, LONGEST_PAUSE), end - time.monotonic()))
            if run.poll() is not None:
                run = self.after(run)
            elif self.draw.random() < 0.5 and (found := jobs(run)):
                self.facts["jobs killed"] += kill(self.draw.choice(found).pid)
            else:
                run = self.kill(run)
        return run and self.kill(run)

    def kill(self, run):
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        self.facts["runs killed"] += 1
        self.facts["left by kills"] += len(list((self.folder / "results").rglob(f"{PARTIAL}.*")))

    def after(self, run):
        """A run that ended by itself: with all done, half of it is removed."""
        self.facts["runs ended"] += 1
        if run.returncode == 0:
            for marker in sorted((self.folder / "results" / "batches").glob("*.json")):
                if self.draw.random() < 0.5:
                    settings = json.loads(marker.read_text())["settings"]
                    for path in [marker, *(self.folder / "results" / "traces" / f"{one}.parquet" for one in settings)]:
                        path.unlink(missing_ok=True)
                    self.facts["settings removed"] += len(settings)

    def finish(self):
        """An undisturbed run, and what is there afterwards."""
        run = self.begin()
        self.watch(run, float("inf"))
        self._log.close()
        results = self.folder / "results"
        files = made_files(results, self.folder / "data")
        return {
            "settings": self.settings,
            "last run failed": run.returncode,
            **self.facts,
            "traces": len(list((results / "traces").glob("*.parquet"))),
            "damaged files": len(damages(files)),
            "processes left": len(list(of_folder(self.folder))),
            "locks left": len(list((self.folder / ".snakemake" / "locks").glob("*"))),
            "temporary files left": len(list(self.folder.rglob(f"{PARTIAL}.*"))),
            **halves(self.memory),
        }


def halves(memory):
    """The largest megabytes of a workflow process and of a job, in the first and in the last half of the samples."""
    half = len(memory) // 2
    parts = {"first half": memory[:half], "last half": memory[half:]}
    return {
        f"{what}, {name} (MB)": round(max(sample[place] for sample in part))
        for place, what in ((1, "workflow"), (2, "largest job"))
        for name, part in parts.items()
        if part
    }


def megabytes(process):
    """Its memory; none if it has ended."""
    try:
        return (process if isinstance(process, psutil.Process) else psutil.Process(process)).memory_info().rss / 2**20
    except psutil.Error:
        return 0.0


def jobs(run):
    """The Python processes below a run."""
    try:
        below = psutil.Process(run.pid).children(recursive=True)
        return [one for one in below if "radmm.jobs.steps" in " ".join(one.cmdline())]
    except psutil.Error:
        return []


def kill(process):
    """Whether there was one."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def of_folder(folder):
    """All processes that work there."""
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and Path(process.cwd()).is_relative_to(folder):
                yield process
        except (psutil.Error, OSError):
            continue


def soak(folder, minutes, settings):
    """All of it.

    Args:
        folder: An empty one.
        minutes: For how long to kill.
        settings: How many.
    """
    this = Soak(folder, settings)
    begin = time.monotonic()
    this.disturb(minutes)
    return {"minutes": round((time.monotonic() - begin) / 60, 1), **this.finish()}


def markdown(facts):
    """As docs/reliability.md shows it."""
    return "| what | |\n|---|---|\n" + "".join(f"| {name} | {value:,} |\n" for name, value in facts.items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--settings", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=STORED)
    given = parser.parse_args()
    found = soak(given.folder, given.minutes, given.settings)
    print(markdown(found))
    write_json(given.output, found, vouch=False)
