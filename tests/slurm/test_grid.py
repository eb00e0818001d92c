"""The profile on a real Slurm, with a cancelled job and a dead node on the way: the same bytes as without a cluster."""

import subprocess

import pytest

from tests.slurm.runs import FIGURE

pytestmark = pytest.mark.xdist_group("slurm")


def test_the_grid_survives_a_cancelled_job_and_a_dead_node(run, slurm, local):
    jobs = run.start(targets=FIGURE).wait_for_jobs(nodes=2, among=local.grid())  # the slow ones
    (_, cancelled), (dead, lost), *_ = jobs.items()
    subprocess.run(["scancel", cancelled], check=True)
    slurm.kill_node(dead)
    assert run.finish(like=local) == 0, run.said()
    assert run.outputs() == local.outputs()
    assert run.traces() == local.traces()
    assert set(run.times_done().values()) == {1}  # nothing that was finished is computed again
    assert f"SLURM-job '{cancelled}' failed, SLURM status is: 'CANCELLED'" in run.said()
    assert f"SLURM-job '{lost}' failed due to a node failure, SLURM status is: 'NODE_FAIL'" in run.said()
    assert all(run.was_at(job) in run.said() for job in (cancelled, lost))
