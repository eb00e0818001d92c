"""A run of the test grid on the cluster, as one would start it, that can be watched and disturbed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pandas as pd

from radmm.jobs.batches import BEGINNING
from radmm.jobs.study import Study
from radmm.study.config_files import read_configs
from tests.jobs.test_workflow import Project, outputs
from tests.slurm.cluster import wait_until

SNAKEMAKE = [
    str(Path(sys.executable).parent / "snakemake"),
    "--configfile",
    "config/smoke.yaml",
    "tests/slurm/grid.yaml",
]
TRACES = ["--omit-from", "table", "--", "results/tables/grid.parquet"]  # of the slow experiment alone
FIGURE = ["--", "results/figures/grid.pdf", "results/settings.parquet"]  # of that experiment, too
BATCHES = ["--config", "batches={seconds: 1.2}"]  # several settings in each, and several of them
# Looks at the queue often, so that a test need not wait; all else is the profile's.
QUICK = {
    "slurm": ["--slurm-init-seconds-before-status-checks=2", "--latency-wait=10"],
    "generic": ["--seconds-between-status-checks=2", "--latency-wait=10"],
    "default": ["--cores=2"],
}


class Run:
    """In a copy of the project; Snakemake's own output goes to a file."""

    def __init__(self, folder, raw):
        self.project = Project(folder)
        self.folder = folder
        self.output = folder / "snakemake.log"
        shutil.copytree(raw, folder / "data" / "raw")
        self.process = None
        self.earlier = []  # logs of runs before this one
        self.seen = {}

    def start(self, *options, profile="slurm", targets=TRACES):
        command = [
            *SNAKEMAKE,
            "--workflow-profile",
            f"workflow/profiles/{profile}",
            *QUICK[profile],
            *BATCHES,
            *options,
            *targets,
        ]
        self.earlier += self.logs().values()
        with self.output.open("a") as stream:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdout=stream, stderr=stream, start_new_session=True
            )
        return self

    def finish(self, like=None, seconds=300):
        """Its exit code. Meanwhile every file that can be seen must be as in a run that is over, and so a whole one."""
        deadline = time.monotonic() + seconds
        try:
            while self.process.poll() is None:
                assert time.monotonic() < deadline, self.said()
                if like:
                    self.check_files(like)
                time.sleep(0.1)
            return self.process.returncode
        finally:
            self.kill()

    def kill(self):
        """At once, and all that it runs here itself: jobs on the cluster go on."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def unlock(self):
        subprocess.run([*SNAKEMAKE, "--unlock", "--cores", "1"], cwd=self.folder, check=True, capture_output=True)

    def jobs(self, done=0, among=None):
        """{node: id} of jobs that have done so many settings at least, and are at another, one of these if given."""
        queued = queue()
        found = {}
        for log in self.logs().values():
            last = log.rsplit(BEGINNING, 1)[-1]
            where = re.match(r" on (\w+), Slurm job (\d+)\n", last)
            fates = re.findall(r"(\S+-[0-9a-f]{10}) (begins|done)$", last, re.MULTILINE)
            name, fate = fates[-1] if fates else ("", "")
            finished = sum(fate == "done" for _, fate in fates)
            at_one = fate == "begins" and (among is None or name in among)
            if where and where[2] in queued and finished >= done and at_one:
                found[where[1]] = where[2]
        return found

    def wait_for_jobs(self, nodes=1, done=0, among=None):
        found = {}

        def there():
            found.clear()  # a job may have gone on meanwhile
            found.update(self.jobs(done, among))
            return len(found) >= nodes

        wait_until(there, 120)
        return found

    def logs(self):
        return {path.stem: path.read_text() for path in (self.folder / "results/logs/batches").glob("*.log")}

    def files(self):
        """Every file among traces and ledgers, and what jobs keep of them."""
        folders = [
            self.folder / "results" / kind for kind in ("traces", "ledgers", ".resume/traces", ".resume/ledgers")
        ]
        return [path for folder in folders if folder.is_dir() for path in folder.glob("[!.]*") if path.is_file()]

    def traces(self):
        return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in self.files()}

    def check_files(self, other):
        """Whole from the moment that they can be seen; and a trace, which ends a setting, is never written again."""
        for path in self.files():
            if path.name.startswith("."):
                continue
            assert path.read_bytes() == (other.folder / path.relative_to(self.folder)).read_bytes(), path
            if path.parent.name == "traces":
                assert self.seen.setdefault(path, path.stat().st_ino) == path.stat().st_ino, path

    def batches(self):
        """{name: batch} of the run."""
        configs = [self.folder / name for name in ("config/config.yaml", "config/smoke.yaml", "tests/slurm/grid.yaml")]
        return Study.of(read_configs(configs, {"batches": {"seconds": 1.2}})).batches

    def outputs(self):
        return outputs(self.project)

    def grid(self):
        """The ids of the slow experiment's settings."""
        settings = pd.read_parquet(self.folder / "results" / "settings.parquet")
        return set(settings.loc[settings["experiment"] == "grid", "id"])

    def attempts(self):
        """{Slurm job: what it said}. Snakemake shows the logs of attempts that failed; others may be kept."""
        found = {}
        for text in (*self.earlier, self.said(), *self.logs().values()):
            for attempt in text.split(BEGINNING)[1:]:
                where = re.match(r" on \w+, Slurm job (\d+)\n", attempt)
                found[where[1]] = re.findall(r"(\S+-[0-9a-f]{10}) (begins|done)$", attempt, re.MULTILINE)
        return found

    def times_done(self):
        """How often each setting was computed to its end."""
        names = [name for fates in self.attempts().values() for name, fate in fates if fate == "done"]
        return {name: names.count(name) for name in names}

    def was_at(self, job):
        """The setting that a job had begun and not done."""
        fates = dict(self.attempts()[job])
        (lost,) = (name for name, fate in fates.items() if fate == "begins")
        return lost

    def said(self):
        return self.output.read_text()


def queue(what="%i"):
    command = ["squeue", "--noheader", f"--format={what}"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
