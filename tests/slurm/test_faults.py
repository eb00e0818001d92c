"""What else can go wrong on a cluster: in the end the same bytes, and nothing that was finished computed again."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from radmm.jobs.progress import progress
from tests.slurm.runs import queue

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("slurm")]


def check(run, local):
    """It ends well, with the same files; what anyone could see on the way was whole, and was made once."""
    assert run.finish(like=local) == 0, run.said()
    assert run.traces() == {
        name: content for name, content in local.traces().items() if Path(name).stem in local.grid()
    }
    assert run.times_done() == dict.fromkeys(local.grid(), 1)


def check_lost(run, job, status):
    """Snakemake's log says how the job ended, and shows what it said itself: of which setting that was the end."""
    assert f"SLURM-job '{job}' failed" in run.said()
    assert f"SLURM status is: '{status}'" in run.said()
    assert run.was_at(job) in run.said()


def send(number, slurm, *nodes):
    """A signal to the solvers at work there, but not to Slurm's own processes."""
    for node in nodes:
        for process in slurm.processes_on(node):
            if b".traces.py" in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, number)


def test_a_job_that_is_cancelled_is_repeated(run, local):
    (job,) = run.start("--jobs=1").wait_for_jobs(done=1).values()
    subprocess.run(["scancel", job], check=True)
    check(run, local)
    check_lost(run, job, "CANCELLED")


def test_a_job_whose_node_dies_is_repeated(run, slurm, local):
    node, job = next(iter(run.start().wait_for_jobs(done=1).items()))
    slurm.kill_node(node)
    check(run, local)
    check_lost(run, job, "NODE_FAIL")


def test_a_job_that_is_out_of_time_is_repeated(run, slurm, local):
    """Its processes are stopped until then: Slurm looks for such jobs only twice a minute."""
    node, job = next(iter(run.start().wait_for_jobs(done=1).items()))
    send(signal.SIGSTOP, slurm, node)
    subprocess.run(["scontrol", "update", f"jobid={job}", "TimeLimit=0:01"], check=True)
    slurm.wait_until(lambda: job not in queue(), 120)
    send(signal.SIGCONT, slurm, node)  # another job may have been at work there
    check(run, local)
    check_lost(run, job, "TIMEOUT")


def test_a_job_that_is_out_of_memory_is_repeated_with_more(run, local):
    rules = [f"traces_{name}" for name in run.batches()]
    run.start("--set-resources", *(f"{rule}:mem_mb=100 * attempt ** 3" for rule in rules))
    check(run, local)
    assert "Trying to restart" in run.said()
    logs = [path.read_text() for path in (run.folder / ".snakemake" / "slurm_logs").rglob("*.log")]
    assert any("exceeded memory limit" in log for log in logs)  # where Snakemake says that one should look


def test_a_killed_snakemake_leaves_jobs_that_the_next_one_cancels(run, slurm, local):
    """They are stopped, or they would be done before the next one has looked around."""
    jobs = run.start().wait_for_jobs(done=1)
    send(signal.SIGSTOP, slurm, *jobs)
    run.kill()
    run.unlock()
    run.start()
    check(run, local)
    for job in jobs.values():
        cancelled = f"Cancelled Slurm job {job}, which an earlier run had left behind at {run.was_at(job)}"
        assert cancelled in run.said()


def test_a_setting_that_fails_is_named_with_its_reason_and_its_log(run, local):
    """What its trace should be kept as is a folder: it can't be written, now or on another attempt."""
    name = sorted(local.grid())[0]
    (run.folder / "results" / ".resume" / "traces" / f"{name}.parquet").mkdir(parents=True)
    assert run.start("--retries=0").finish(like=local) != 0
    assert set(run.times_done()) == local.grid() - {name}
    found = progress(run.folder / "results" / "logs" / "batches")
    assert list(found.failed) == [name]
    assert found.failures() in run.said()
    assert "Is a directory" in found.failures()


def test_a_job_that_keeps_being_killed_is_named_with_its_reason(run, local):
    (job,) = run.start("--retries=0", "--jobs=1").wait_for_jobs(done=1).values()
    subprocess.run(["scancel", job], check=True)
    assert run.finish(like=local) != 0
    lost = progress(run.folder / "results" / "logs" / "batches").failed
    assert [reason for reason, _ in lost.values()] == [
        "its job ended while it ran: ended by SIGTERM: cancelled, or out of time or memory"
    ]
    assert all(name in run.said() and name not in run.times_done() for name in lost)


def test_the_generic_profile_notices_a_cancelled_job(run, local):
    job = next(iter(run.start(profile="generic").wait_for_jobs(done=1).values()))
    subprocess.run(["scancel", job], check=True)
    check(run, local)
    assert run.was_at(job) in run.said()
