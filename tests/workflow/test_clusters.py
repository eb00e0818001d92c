"""The profiles for PBS, Grid Engine and LSF, on stand-ins of their commands (scheduler.py)."""

import os
import subprocess
import time

import pytest
import yaml

from tests.conftest import ROOT
from tests.jobs.test_workflow import Project
from tests.workflow.test_elsewhere import CONFIG, EVERYTHING, SECONDS, TOOLS, made

PROFILES = ROOT / "workflow" / "profiles"
COMMANDS = {"pbs": ("qsub", "qstat", "qdel"), "sge": ("qsub", "qstat", "qdel"), "lsf": ("bsub", "bjobs", "bkill")}
SOON = 20  # seconds in which a job of a moment has ended


class Cluster:
    """A scheduler of one kind, with its commands on the PATH, and a working folder.

    Args:
        folder: An empty folder.
        kind: pbs, sge or lsf.
    """

    def __init__(self, folder, kind):
        self.folder, self.kind, self.queue = folder, kind, folder / "queue"
        (folder / "bin").mkdir()
        self.queue.mkdir()
        for command in COMMANDS[kind]:
            (folder / "bin" / command).symlink_to(ROOT / "tests" / "workflow" / "scheduler.py")
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        path = os.pathsep.join([str(folder / "bin"), str(TOOLS), os.environ["PATH"]])
        self.environment = inherited | {
            "PATH": path, "QUEUE": str(self.queue), "SCHEDULER": kind, "RADMM_FOLDER": str(ROOT), "RADMM_LATENCY": "1",
        }  # fmt: skip

    def said(self, *command):
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=True, timeout=SOON
        ).stdout.strip()

    def submit(self, lines):
        script = self.folder / f"job {len(list(self.queue.iterdir()))} of mine.sh"
        script.write_text(f"#!/bin/sh\n{lines}\n")
        return self.said(PROFILES / "generic" / "submit", COMMANDS[self.kind][0], "-N", "two words", script)

    def status(self, job):
        return self.said(PROFILES / "generic" / "status", self.kind, job)

    def end_of(self, job):
        deadline = time.monotonic() + SOON
        while (found := self.status(job)) == "running":
            assert time.monotonic() < deadline
            time.sleep(0.1)
        return found


@pytest.fixture(params=COMMANDS)
def cluster(request, tmp_path):
    return Cluster(tmp_path, request.param)


def test_a_job_that_succeeds_one_that_fails_and_one_that_exits(cluster):
    jobs = [cluster.submit(lines) for lines in ("true", "false", "exit 3")]
    assert [job.partition(".")[0] for job in jobs] == ["1", "2", "3"]
    assert [cluster.end_of(job) for job in jobs] == ["success", "failed", "failed"]


def test_a_job_that_waits_and_then_runs(cluster):
    (cluster.queue / "hold").touch()
    job = cluster.submit("true")
    assert cluster.status(job) == "running"
    (cluster.queue / "hold").unlink()
    assert cluster.end_of(job) == "success"


def test_a_job_that_is_cancelled(cluster):
    job = cluster.submit("sleep 60")
    while not (cluster.queue / "1" / "group").exists():
        time.sleep(0.05)
    assert cluster.status(job) == "running"
    cluster.said(COMMANDS[cluster.kind][2], job)
    assert cluster.end_of(job) == "failed"


def test_a_scheduler_that_does_not_answer_is_asked_again(cluster):
    (cluster.queue / "hold").touch()
    job = cluster.submit("true")
    (cluster.queue / "away").touch()
    assert cluster.status(job) == "running"
    (cluster.queue / "away").unlink()
    (cluster.queue / "hold").unlink()
    assert cluster.end_of(job) == "success"


def test_a_submission_that_is_refused_is_an_error(cluster):
    (cluster.queue / "away").touch()
    with pytest.raises(subprocess.CalledProcessError):
        cluster.submit("true")


def test_a_job_of_grid_engine_that_can_never_start(tmp_path):
    cluster = Cluster(tmp_path, "sge")
    (tmp_path / "bin" / "qstat").unlink()
    (tmp_path / "bin" / "qstat").write_text("#!/bin/sh\necho 'error reason    1:   can not get password entry'\n")
    (tmp_path / "bin" / "qstat").chmod(0o755)
    (cluster.queue / "hold").touch()
    assert cluster.status(cluster.submit("true")) == "failed"
    (cluster.queue / "hold").unlink()


def test_profiles_differ_in_their_commands_only():
    first, *others = (yaml.safe_load((PROFILES / name / "config.yaml").read_text()) for name in ("generic", *COMMANDS))
    commands = {f"cluster-generic-{part}-cmd" for part in ("submit", "status", "cancel")}
    for profile in others:
        assert {key for key in first | profile if first.get(key) != profile.get(key)} == commands


def study(cluster, config, *options, option="--workflow-profile"):
    """Run the workflow in a copy of the project, with the cluster's profile."""
    clone = cluster.folder / "clone"
    command = [TOOLS / "snakemake", option, f"workflow/profiles/{cluster.kind}", "--configfile", config]
    return subprocess.run(
        [*command, "--seconds-between-status-checks", "1", *options], cwd=clone, env=cluster.environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS,
    )  # fmt: skip


@pytest.fixture
def clone(cluster):
    """A copy of the project beside the cluster, and the exit codes that its jobs leave."""
    folder = cluster.folder / "clone"
    folder.mkdir()
    Project(folder)
    return folder


def codes(clone):
    return {int(path.stem): path.read_text().strip() for path in (clone / "results/logs/cluster").glob("*.exit")}


ONE_OR_ALL = ["pbs", *(pytest.param(kind, marks=pytest.mark.faults) for kind in ("sge", "lsf"))]


@pytest.mark.parametrize("cluster", ONE_OR_ALL, indirect=True)
@pytest.mark.xdist_group("clusters")
def test_a_study_with_a_job_that_is_killed(cluster, clone):
    """It comes again, and all that was asked for is made, by jobs of the cluster; `make faults` tries all kinds."""
    (cluster.queue / "kill").write_text("2")
    done = study(cluster, CONFIG, "--", "results/figures/mine.pdf")
    assert done.returncode == 0, done.stdout
    assert made(clone / "results") == EVERYTHING
    jobs = sorted(int(folder.name) for folder in cluster.queue.iterdir() if folder.is_dir())
    assert codes(clone) == {job: "0" for job in jobs if job != 2}
    assert "Trying to restart job" in done.stdout


BROKEN = '''
import os
import sys
import radmm

class Broken(radmm.ADMM):
    """ADMM that fails on the cluster, but not where Snakemake plans the jobs."""

    name = "broken"

    def step(self, *arguments, **others):
        if "PBS_JOBID" in os.environ and "__main__" not in sys.argv[0]:
            raise RuntimeError("out of order")
        return super().step(*arguments, **others)
'''


@pytest.mark.faults
@pytest.mark.parametrize("cluster", ["pbs"], indirect=True)
def test_a_study_whose_job_fails_says_why(cluster, clone):
    config = yaml.safe_load((ROOT / CONFIG).read_text())
    config["experiments"]["mine"]["settings"] = {"Broken": {"algorithm": {"name": "broken"}}}
    (clone / "broken.py").write_text(BROKEN)
    (clone / "my.yaml").write_text(yaml.safe_dump({**config, "plugins": ["broken.py"]}))
    done = study(cluster, "my.yaml", "--retries", "0", "--", "traces")
    assert done.returncode == 1, done.stdout
    assert "out of order" in done.stdout
    assert "1" in codes(clone).values()


@pytest.mark.parametrize("cluster", ["pbs"], indirect=True)
def test_a_cluster_that_would_be_limited_to_the_cores_of_this_machine(cluster, clone):
    (clone / "profiles").symlink_to("workflow/profiles")  # as in the project, where Snakemake finds the default one
    sentence = "and on a cluster --workflow-profile in place of --profile"
    assert sentence in study(cluster, CONFIG, "--dry-run", option="--profile").stdout
    assert sentence not in study(cluster, CONFIG, "--dry-run").stdout
