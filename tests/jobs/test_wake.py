"""The mend for Snakemake's scheduler, which otherwise wakes up ever more often."""

from runpy import run_path
from threading import Semaphore
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler

from tests.conftest import ROOT


@pytest.fixture
def scheduler(monkeypatch):
    """One that has the mend, with what it would release; the class gets its own method back."""
    name = "_schedule_reevalutation"  # sic: if Snakemake's has another name, the mend does nothing and this fails
    monkeypatch.setattr(JobScheduler, name, getattr(JobScheduler, name))
    run_path(str(ROOT / "workflow/rules/wake.smk"), {"workflow": SimpleNamespace(is_main_process=True)})
    made = object.__new__(JobScheduler)
    made._open_jobs = Semaphore(0)
    return made


def test_many_requests_wake_it_once(scheduler):
    for _ in range(20):
        scheduler._schedule_reevalutation(0.2)
    assert scheduler._open_jobs.acquire(timeout=5)
    assert not scheduler._open_jobs.acquire(timeout=0.4)


def test_it_wakes_again_when_asked_after_that(scheduler):
    """Also if it is asked at once, as the look that follows does; else no more jobs would start once a limit is met."""
    for _ in range(50):
        scheduler._schedule_reevalutation(0.001)
        assert scheduler._open_jobs.acquire(timeout=5)
