"""Run a study of small settings under random kills: `python -m benchmarks.soak FOLDER` takes half an hour on two cores.

Runs of the workflow and their jobs are killed at random moments; after some kills a run is left alone until it comes to
its end. Then the traces must be the same bytes as ever, and half of them are removed, so that there is work again. In
the end all must be there and right, and nothing else may be left: no process, no lock, no temporary file. Memory is
read while it runs, for each kind of job, and compared between the first and the last half.
"""

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml

from benchmarks.cases import ROOT
from benchmarks.processes import halves, jobs, kill, megabytes, of_folder, of_kinds
from radmm.base.store import PARTIAL, write_json
from radmm.jobs.verify import damages, made_files

STORED = Path(__file__).with_name("soak.json")
TARGET = "results/tables/soak.csv"
LONGEST_PAUSE = 40.0  # seconds between two kills
MOST_DISTURBED = 4  # runs, until one is left alone
COUNTED = ("runs killed", "jobs killed", "runs that came to their end", "runs that ended with a killed job",
           "settings removed", "traces that changed", "temporary files left by kills")  # fmt: skip


def config(settings):
    """Return a config with so many settings of a few hundredths of a second each, in batches of some seconds."""
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
    """A study in a folder, with counts of what happened to its runs.

    Args:
        folder: An empty folder.
        settings: Number of settings.
        seed: Seed of the moments of kills.
    """

    def __init__(self, folder, settings, seed=0):
        self.folder, self.settings, self.draw = Path(folder).resolve(), settings, random.Random(seed)  # noqa: S311
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "soak.yaml").write_text(yaml.safe_dump(config(settings)))
        self.facts, self._digests = dict.fromkeys(COUNTED, 0), {}
        self.memory, self._log = [], (self.folder / "soak.log").open("ab")

    def begin(self, *options):
        """Start a run in a session of its own."""
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
        """Record the memory of a run until it ends or time is up."""
        end = time.monotonic() + seconds
        while run.poll() is None and time.monotonic() < end:
            self.memory.append({"workflow": megabytes(run.pid), **of_kinds(jobs(run))})
            time.sleep(0.5)

    def disturb(self, minutes):
        """Kill runs and jobs, and let runs come to their end, for some minutes."""
        end, disturbed = time.monotonic() + 60 * minutes, self.draw.randint(1, MOST_DISTURBED)
        while time.monotonic() < end:
            if disturbed:
                self.killed(end)
                disturbed -= 1
            else:
                self.ended(end)
                disturbed = self.draw.randint(1, MOST_DISTURBED)

    def killed(self, end):
        """Start a run, kill its jobs at random moments, and then the run itself."""
        run = self.begin("--nolock")
        while True:
            self.watch(run, min(self.draw.uniform(0, LONGEST_PAUSE), end - time.monotonic()))
            if self.draw.random() < 0.5 and time.monotonic() < end and (found := jobs(run)):
                self.facts["jobs killed"] += kill(self.draw.choice(found).pid)
            else:
                break
        self.closed(run)

    def ended(self, end):
        """Start a run and leave it alone, as far as there is time."""
        run = self.begin("--nolock")
        self.watch(run, end - time.monotonic())
        self.closed(run)

    def closed(self, run):
        """Count how a run ended; kill one that still runs, and remove half of the traces when all is done."""
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            self.facts["runs killed"] += 1
            left = (self.folder / "results").rglob(f"{PARTIAL}.*")
            self.facts["temporary files left by kills"] += len(list(left))
        elif run.returncode:
            self.facts["runs that ended with a killed job"] += 1
        else:
            self.facts["runs that came to their end"] += 1
            self.compare()
            self.remove()

    def compare(self):
        """Count the traces whose bytes differ from when they were first made."""
        traces = (self.folder / "results" / "traces").glob("*.parquet")
        found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in traces}
        self.facts["traces that changed"] += sum(self._digests.get(name, now) != now for name, now in found.items())
        self._digests = {**found, **self._digests}

    def remove(self):
        """Remove half of the traces with what jobs keep of them, and the table, so that they are missed."""
        (self.folder / TARGET).unlink()
        results = self.folder / "results"
        for trace in sorted((results / "traces").glob("*.parquet")):
            if self.draw.random() < 0.5:
                trace.unlink()
                (results / ".resume" / "traces" / trace.name).unlink(missing_ok=True)
                self.facts["settings removed"] += 1

    def finish(self):
        """Start an undisturbed run, and return what is there afterwards."""
        run = self.begin()
        self.watch(run, float("inf"))
        self._log.close()
        self.compare()
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


def soak(folder, minutes, settings):
    """Disturb a study for some minutes, finish it, and return all counts.

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
    """Return the table of docs/reliability.md."""
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
