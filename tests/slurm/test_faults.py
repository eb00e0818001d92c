"""What else can go wrong on a cluster: in the end the same bytes, and nothing that was finished computed again."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.slurm.runs import queue

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("slurm")]


def check(run, local):
    assert run.finish() == 0, run.said()
    assert run.traces() == local.traces()
    assert set(run.times_done().values()) == {1}


def send(number, slurm, *nodes):
    """A signal to the solvers at work there, but not to Slurm's own processes."""
    for node in nodes:
        for process in slurm.processes_on(node):
            if b"radmm.steps.batch" in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0"):
                os.kill(process, number)


def test_a_job_that_is_out_of_time_is_repeated(run, slurm, local):
    """Its processes are stopped until then: Slurm looks for such jobs only twice a minute."""
    node, job = next(iter(run.start().wait_for_jobs().items()))
    send(signal.SIGSTOP, slurm, node)
    subprocess.run(["scontrol", "update", f"jobid={job}", "TimeLimit=0:01"], check=True)
    slurm.wait_until(lambda: job not in queue(), 120)
    send(signal.SIGCONT, slurm, node)  # another job may have been at work there
    check(run, local)
    assert "'TIMEOUT'" in run.said()


def test_a_job_that_is_out_of_memory_is_repeated_with_more(run, local):
    run.start("--set-resources", "traces:mem_mb=100 * attempt ** 3")
    check(run, local)
    assert "Trying to restart" in run.said()


def test_a_killed_snakemake_leaves_jobs_that_the_next_one_cancels(run, slurm, local):
    """They are stopped, or they would be done before the next one has looked around."""
    send(signal.SIGSTOP, slurm, *run.start().wait_for_jobs())
    run.process.kill()
    run.process.wait()
    run.unlock()
    run.start()
    check(run, local)
    assert "which an earlier run had left behind" in run.said()


def test_a_controller_that_restarts(run, slurm, local):
    run.start().wait_for_jobs()
    slurm.kill_controller()
    time.sleep(10)
    slurm.start_controller()
    check(run, local)


def test_a_setting_that_fails_is_named_with_its_reason_and_its_log(run, local):
    """What its trace should be is a folder: it can't be written, now or on another attempt."""
    name = sorted(local.traces())[0]
    (run.folder / "results" / "traces" / name).mkdir(parents=True)
    assert run.start("--retries=0").finish() != 0
    assert len(run.traces()) == len(local.traces()) - 1
    assert f"{name.removesuffix('.parquet')}  " in run.said()
    assert "1 failed" in run.said()


def test_the_generic_profile_notices_a_cancelled_job(run, local):
    quick = ["--seconds-between-status-checks=2", "--latency-wait=10", "--config", "batches={seconds: 0.7}"]
    _, job = next(iter(run.start(profile="generic", quick=quick).wait_for_jobs().items()))
    subprocess.run(["scancel", job], check=True)
    check(run, local)
