"""A run of the test grid on the cluster, as one would start it, that can be watched and disturbed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.slurm.cluster import wait_until
from tests.test_workflow import Project

TARGETS = ["--until", "traces", "--", "results/tables/grid.parquet"]
# Looks at the queue often, so that a test need not wait; all else is the profile's.
OPTIONS = ["--slurm-init-seconds-before-status-checks=2", "--latency-wait=10", "--config", "batches={seconds: 0.7}"]


class Run:
    """In a copy of the project; Snakemake's own output goes to a file."""

    def __init__(self, folder, raw):
        self.folder = Project(folder).folder
        self.output = folder / "snakemake.log"
        shutil.copytree(raw, folder / "data" / "raw")
        self.process = None

    def start(self, *options, profile="slurm", quick=OPTIONS):
        command = [str(Path(sys.executable).parent / "snakemake"), "--configfile", "tests/slurm/grid.yaml"]
        command += ["--profile", f"workflow/profiles/{profile}", *quick, *options, *TARGETS]
        with self.output.open("a") as stream:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=stream, stderr=stream)
        return self

    def finish(self, seconds=240):
        try:
            return self.process.wait(seconds)
        finally:
            self.process.kill()

    def unlock(self):
        command = [str(Path(sys.executable).parent / "snakemake"), "--configfile", "tests/slurm/grid.yaml"]
        subprocess.run([*command, "--unlock", "--cores", "1"], cwd=self.folder, check=True, capture_output=True)

    def jobs(self):
        """(node, id) of the jobs of rule traces that have begun a setting and are at it."""
        found = []
        for log in self.logs().values():
            *_, last = re.split("batch begins on ", log)
            begun = re.match(r"(\w+), Slurm job (\d+)\n.* begins\n", last, re.DOTALL)
            if begun and "error:" not in last and not last.rstrip().endswith("done"):
                found.append((begun[1], begun[2]))
        queued = queue()
        return [(node, job) for node, job in found if job in queued]

    def wait_for_jobs(self, nodes=1):
        """Until jobs are at work on so many nodes: {node: a job}."""
        wait_until(lambda: len(dict(self.jobs())) >= nodes, 120)
        return dict(self.jobs())

    def logs(self):
        return {path.stem: path.read_text() for path in (self.folder / "results/logs/batches").glob("*.log")}

    def traces(self):
        """Every file in the folder of traces, temporary ones too."""
        files = (path for path in (self.folder / "results/traces").iterdir() if path.is_file())
        return {path.name: path.read_bytes() for path in files}

    def times_done(self):
        """How often each setting was computed to its end. Snakemake itself shows the logs of attempts that failed."""
        ended = set()
        for text in (self.said(), *self.logs().values()):
            for attempt in text.split("batch begins on ")[1:]:
                done = re.findall(r"(\S+-[0-9a-f]{10}) done$", attempt, re.MULTILINE)
                ended |= {(attempt.splitlines()[0], name) for name in done}
        names = [name for _, name in ended]
        return {name: names.count(name) for name in names}

    def said(self):
        return self.output.read_text()


def queue(what="%i"):
    command = ["squeue", "--noheader", f"--format={what}"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
