"""Kills at any moment: what is there passes or is made again, in the end with the bytes of an undisturbed run."""

import os
import random
import shutil
import signal
import time
import warnings

import pytest

from radmm.base.store import PARTIAL, fault, sweep
from radmm.jobs.steps.step_runner import os_error_text
from tests.jobs.made_project import MadeProject
from tests.long_forms import keep

pytestmark = pytest.mark.xdist_group("made project")
KINDS = ("traces", "ledgers", ".resume/traces", ".resume/ledgers")


@pytest.fixture
def project(made_project, tmp_path):
    return MadeProject(shutil.copytree(made_project, tmp_path / "copy"))


def batches(project):
    return [call for call, _, made in project.steps() if any(path.parent.name == "traces" for path in made)]


def contents(project):
    paths = (path for kind in KINDS for path in (project.results / kind).glob("[!.]*"))
    return {path: path.read_bytes() for path in paths}


def forget(project):
    for kind in KINDS:
        shutil.rmtree(project.results / kind, ignore_errors=True)


def killed_after(seconds, calls):
    """Run the calls in a process of their own, which is killed in the midst of it; whether it came to its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork where a library has threads
        child = os.fork()
    if not child:
        try:
            for call in calls:
                call()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1] == 0


def finished(project):
    """The traces that jobs have kept and that are right, each with what tells it from one that is written again."""
    paths = (project.results / ".resume" / "traces").glob("[!.]*")
    return {path: path.stat().st_ino for path in paths if not fault(path)}


def survive(project, kills):
    before, calls, moments = contents(project), batches(project), random.Random(0)  # noqa: S311
    begin = time.monotonic()
    forget(project)
    for call in calls:
        call()
    whole = time.monotonic() - begin
    forget(project)
    disturbed, done = 0, {}
    for _ in range(kills):
        ended = killed_after(moments.uniform(0, whole), calls)
        disturbed += not ended
        assert all(path.read_bytes() == before[path] for path in contents(project) if not fault(path))
        assert done.items() <= finished(project).items()
        if ended:
            forget(project)
        done = finished(project)
    for call in calls:
        call()
    assert contents(project) == before
    assert done.items() <= finished(project).items()
    sweep(project.results)
    assert list(project.results.rglob(f"{PARTIAL}.*")) == []
    return disturbed


def test_a_dozen_kills(project):
    assert survive(project, 12) > 3


def test_a_batch_sweeps_what_was_left_of_its_settings_and_nothing_of_others(project):
    traces = project.results / ".resume" / "traces"
    own = next(traces.glob("*.parquet")).stem
    left, other = (traces / f"{PARTIAL}.{name}.0123abcd.parquet" for name in (own, "other"))
    for path in (left, other):
        path.touch()
    for call in batches(project):
        call()
    assert (left.exists(), other.exists()) == (False, True)


@pytest.mark.fuzz
def test_two_hundred_kills(project):
    disturbed = survive(project, 200)
    assert disturbed > 50
    keep("kills", **{"tried": 200, "amid work": disturbed})


def test_a_clock_that_jumps_makes_nothing_outdated_or_wrong(project):
    """Files from the far past and the far future: content decides, not time."""
    before = contents(project)
    for number, path in enumerate(before):
        os.utime(path, (0, 0) if number % 2 else (4e9, 4e9))
    done = finished(project)
    for call in batches(project):
        call()
    assert contents(project) == before
    assert finished(project) == done


def test_a_disk_that_is_full_or_read_only_is_told_in_a_sentence():
    assert os_error_text(OSError(28, "No space left on device", "results/x")) == "results/x: No space left on device"
    assert os_error_text(OSError("[Errno 28] Error writing bytes to file")) == "[Errno 28] Error writing bytes to file"
