"""What became of settings, read from the logs of their jobs; and what a run says at its end."""

import os
import time

import pytest

from radmm.base.store import write_json
from radmm.jobs.batches import BEGINNING
from radmm.jobs.progress import all_progress, progress, settings_of_job
from radmm.jobs.run_summary import run_summary

ONE, TWO, THREE = "admm-0000000001", "r-admm-0000000002", "mr-admm-0000000003"


@pytest.fixture
def write_log(tmp_path):
    def write(*lines, age=0.0):
        log = tmp_path / "0123456789ab.log"
        log.write_text("".join(f"{line}\n" for line in lines))
        os.utime(log, (time.time() - age,) * 2)
        return log

    return write


def begins(name):
    return f"[   1.0 s] {name} begins"


def done(name):
    return f"[   1.2 s] {name} done"


def test_nothing_has_begun(tmp_path):
    assert str(progress(tmp_path)) == "0 settings solved, 0 begun, 0 failed"


def test_done_and_begun(tmp_path, write_log):
    write_log(f"[   0.1 s] {BEGINNING} on here", begins(ONE), done(ONE), begins(TWO))
    assert str(progress(tmp_path)) == "1 settings solved, 1 begun, 0 failed"


def test_a_failure_has_its_reason_and_its_log(tmp_path, write_log):
    failed = f"[   1.5 s] {ONE} failed: ZeroDivisionError: bad luck"
    log = write_log(begins(ONE), failed, begins(TWO), done(TWO), begins(THREE), "error: 1 of 3 settings failed")
    found = progress(tmp_path)
    assert found.failures().splitlines() == [
        f"{ONE}     ZeroDivisionError: bad luck  ({log})",
        f"{THREE}  its job ended while it ran: 1 of 3 settings failed  ({log})",
    ]
    assert found.done == 1


def test_what_an_earlier_run_said_is_not_of_this_one(tmp_path, write_log):
    write_log(begins(ONE), f"[   1.5 s] {ONE} failed: bad luck", age=1000)
    assert progress(tmp_path, time.time() - 10).failed == {}


def test_searches_are_told_first_if_there_are_any(tmp_path):
    assert all_progress(tmp_path) == "0 settings solved, 0 begun, 0 failed"
    for kind, lines in (("searches", [begins("0a1b2c3d4e"), done("0a1b2c3d4e")]), ("batches", [begins(ONE)])):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "0123456789ab.log").write_text("\n".join(lines) + "\n")
    assert all_progress(tmp_path).splitlines() == [
        "1 noises found, 0 begun, 0 failed",
        "0 settings solved, 1 begun, 0 failed",
    ]
    (tmp_path / "searches" / "0123456789ab.log").write_text(f"[   1.5 s] {TWO} failed: bad luck\n")
    assert all_progress(tmp_path).splitlines()[2].startswith(f"{TWO}  bad luck  (")


def test_only_the_last_attempt_counts(tmp_path, write_log):
    earlier = [f"[   0.1 s] {BEGINNING} on n1", begins(ONE), "error: ended by SIGTERM"]
    write_log(*earlier, f"[   0.1 s] {BEGINNING} on n2", begins(ONE))
    found = progress(tmp_path)
    assert (found.begun, found.failed) == ([ONE], {})


def test_what_a_job_was_at_when_it_was_cancelled(tmp_path, write_log):
    write_log(f"[   0.1 s] {BEGINNING} on n1, Slurm job 12", begins(ONE), done(ONE), begins(TWO))
    assert settings_of_job(tmp_path, "12") == [TWO]
    assert settings_of_job(tmp_path, "1") == []


def test_a_run_ends_with_what_it_made(tmp_path):
    for name in ("figures/fig5.pdf", "tables/fig5.csv", "traces/x.parquet", "report.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    write_json(
        tmp_path / "claims.json", {"claims": [{"words": {"adult": word}} for word in ("holds", "holds", "mixed")]}
    )
    assert [line.split(maxsplit=1) for line in run_summary(tmp_path).splitlines()] == [
        ["report", f"{tmp_path}/report.html"],
        ["figures", f"1 in {tmp_path}/figures/"],
        ["tables", f"1 in {tmp_path}/tables/"],
        ["settings", f"1 in {tmp_path}/traces/"],
        ["claims", f"2 holds, 1 mixed: {tmp_path}/claims.md"],
    ]


def test_verdicts_that_were_changed_are_not_told(tmp_path):
    path = tmp_path / "claims.json"
    write_json(path, {"claims": [{"words": {"adult": "fails"}}]})
    path.write_text(path.read_text().replace("fails", "holds"))
    assert f"claims    {path} has SHA-256 " in run_summary(tmp_path)
