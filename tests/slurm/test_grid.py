"""The profile on a real Slurm, with a cancelled job and a dead node on the way: the same bytes as without a cluster."""

import subprocess

import pytest

pytestmark = pytest.mark.xdist_group("slurm")


def test_the_grid_survives_a_cancelled_job_and_a_dead_node(run, slurm, local):
    jobs = run.start().wait_for_jobs(nodes=2)
    (_, cancelled), (dead, _), *_ = jobs.items()
    subprocess.run(["scancel", cancelled], check=True)
    slurm.kill_node(dead)
    assert run.finish() == 0, run.said()
    assert run.traces() == local.traces()
    assert set(run.times_done().values()) == {1}  # nothing that was finished is computed again
    assert "ended by SIGTERM" in run.said()
    assert "'NODE_FAIL'" in run.said()
