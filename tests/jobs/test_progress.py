"""Done, running, failed: read from plan, traces, markers and logs."""

import os
import time

import pytest

from radmm.base.store import write_json, write_parquet
from radmm.jobs.batches import BEGINNING, MARKERS, write_batches
from radmm.jobs.plan import BATCHES, PLAN, write_study
from radmm.jobs.progress import is_over, progress, settings_of_job
from radmm.jobs.steps.batch import batch_digest
from radmm.jobs.steps.ending import ending
from radmm.jobs.steps.solve import solver_digest
from tests.jobs.test_batches import one_batch, setting


class Run:
    """A folder as a run of one batch of three settings leaves it."""

    def __init__(self, folder):
        self.folder, self.batch = folder, one_batch(*(setting(seed) for seed in (1, 2, 3)))
        self.one, self.two, self.three = self.batch.settings
        write_study(folder / PLAN, {}, {}, [])
        write_batches(folder / PLAN / BATCHES, [self.batch])

    def write_log(self, *lines, age=0.0):
        log = self.folder / "results" / "logs" / "batches" / f"{self.batch.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("".join(f"{line}\n" for line in lines))
        os.utime(log, (time.time() - age,) * 2)
        return log

    def write_trace(self, name, code=None):
        metadata = {"code": code or solver_digest(self.batch.settings[name])}
        write_parquet(self.folder / "results" / "traces" / f"{name}.parquet", {"run": [0]}, metadata)


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


def begins(name):
    return f"[   1.0 s] {name} begins"


def test_nothing_has_begun(run):
    assert str(progress(run.folder, over=False)) == "0 of 3 settings done, 0 running, 0 failed"


def test_done_running_and_waiting_with_an_estimate(run):
    run.write_trace(run.one)
    run.write_log(f"[   0.1 s] {BEGINNING} on here", begins(run.one), f"[ 1.2 s] {run.one} done", begins(run.two))
    found = progress(run.folder, over=False)
    assert str(found).startswith("1 of 3 settings done, 1 running, 0 failed; about ")
    assert found.waiting == 1


def test_an_outdated_trace_is_not_done(run):
    run.write_trace(run.one, code="older")
    write_json(run.folder / MARKERS / f"{run.batch.name}.json", {"code": "older", "settings": {}})
    assert progress(run.folder, over=False).done == 0


def test_a_marker_by_this_code_means_done(run):
    code = batch_digest(run.batch)
    for name in run.batch.settings:
        run.write_trace(name)
    write_json(run.folder / MARKERS / f"{run.batch.name}.json", {"code": code, "settings": {}})
    assert str(progress(run.folder, over=False)) == "3 of 3 settings done, 0 running, 0 failed"


def test_a_failure_has_its_reason_and_its_log(run):
    run.write_trace(run.two)
    failed = f"[   1.5 s] {run.one} failed: ZeroDivisionError: bad luck"
    log = run.write_log(begins(run.one), failed, begins(run.two), f"[ 2.0 s] {run.two} done", begins(run.three))
    found = progress(run.folder, over=False)
    assert found.failures() == f"{run.one}  ZeroDivisionError: bad luck  ({log})"
    assert (found.done, found.running) == (1, 1)


def reasons(found):
    return {name: reason for name, (reason, _) in found.failed.items()}


def test_a_job_that_was_cancelled_says_which_setting_it_was_at(run):
    run.write_log(begins(run.one), "error: ended by SIGTERM")
    assert reasons(progress(run.folder, over=True)) == {
        run.one: "its job ended while it ran: ended by SIGTERM",
        run.two: "not reached: ended by SIGTERM",
        run.three: "not reached: ended by SIGTERM",
    }


def test_a_job_that_was_cancelled_may_come_again_while_the_run_goes_on(run):
    run.write_log(begins(run.one), "error: ended by SIGTERM")
    found = progress(run.folder, over=False)
    assert (found.running, found.waiting, found.failed) == (0, 3, {})


def test_slurm_says_why_it_ended_a_job(run):
    run.write_log(f"[   0.1 s] {BEGINNING} on n1, Slurm job 12", begins(run.one))
    log = run.folder / ".snakemake" / "slurm_logs" / "rule_traces" / run.batch.name / "12.log"
    log.parent.mkdir(parents=True)
    log.write_text("slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n")
    reason = reasons(progress(run.folder, over=True))[run.one]
    assert reason == "its job ended while it ran: JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT"


def test_a_job_that_was_killed_can_say_nothing(run):
    run.write_log(begins(run.one))
    found = progress(run.folder, over=True)
    assert reasons(found)[run.one] == "its job ended while it ran: killed, it can't say why"
    assert str(found) == "0 of 3 settings done, 0 running, 3 failed"


def test_a_job_that_has_fallen_silent_is_not_running(run):
    os.utime(run.folder / PLAN / BATCHES, (time.time() - 2000,) * 2)
    run.write_log(begins(run.one), age=1000)
    assert progress(run.folder, over=False).running == 0


def test_what_an_earlier_run_said_is_not_of_this_one(run):
    run.write_log(begins(run.one), f"[   1.5 s] {run.one} failed: bad luck", age=1000)
    assert str(progress(run.folder, over=True)) == "0 of 3 settings done, 0 running, 0 failed, 3 not begun"


def test_what_a_job_was_at_when_it_was_cancelled(run):
    run.write_log(
        f"[   0.1 s] {BEGINNING} on n1, Slurm job 12", begins(run.one), f"[ 1.2 s] {run.one} done", begins(run.two)
    )
    assert settings_of_job(run.folder, "12") == [run.two]
    assert settings_of_job(run.folder, "1") == []


def test_a_run_is_over_when_its_lock_is_gone(run):
    lock = run.folder / ".snakemake" / "locks" / "0.output.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    assert not is_over(run.folder)
    lock.unlink()
    assert is_over(run.folder)


def test_only_the_last_attempt_counts(run):
    earlier = [f"[   0.1 s] {BEGINNING} on n1", begins(run.one), "error: ended by SIGTERM"]
    run.write_log(*earlier, f"[   0.1 s] {BEGINNING} on n2", begins(run.one))
    found = progress(run.folder, over=False)
    assert (found.running, found.failed) == (1, {})


def test_a_run_ends_with_what_it_made(run):
    results = run.folder / "results"
    for name in run.batch.settings:
        run.write_trace(name)
    for name in ("figures/fig5.pdf", "tables/fig5.csv", "report.html"):
        (results / name).parent.mkdir(exist_ok=True)
        (results / name).touch()
    write_json(results / "claims.json", {"claims": [{"verdict": word} for word in ("holds", "holds", "mixed")]})
    os.utime(run.folder / PLAN / BATCHES, (time.time() - 300,) * 2)
    said = [line.split(maxsplit=1) for line in ending(run.folder).splitlines()]
    assert said == [
        ["report", "results/report.html"],
        ["figures", "1 in results/figures/"],
        ["tables", "1 in results/tables/"],
        ["settings", "3 in results/traces/; of this run 3 of 3 settings done, 0 running, 0 failed"],
        ["claims", "2 holds, 1 mixed: results/claims.md"],
        ["took", "5 min"],
    ]


def test_verdicts_that_were_changed_are_not_told(run):
    path = run.folder / "results" / "claims.json"
    write_json(path, {"claims": [{"verdict": "fails"}]})
    path.write_text(path.read_text().replace("fails", "holds"))
    assert f"claims    {path} has SHA-256 " in ending(run.folder)


def test_a_run_that_failed_ends_with_where_its_log_is(run):
    log = run.write_log(begins(run.one), f"[   1.5 s] {run.one} failed: bad luck")
    assert f"{run.one}  bad luck  ({log})" in ending(run.folder)
