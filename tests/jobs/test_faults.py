"""Disks that are full or read-only, two runs at once, clocks that jump: one sentence, and results as they should be."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import yaml

from radmm.base.store import PARTIAL, fault, write_json
from radmm.jobs.disk_checks import LEAST_BYTES, disk_fault
from radmm.jobs.verify import broken_chains, damages, made_files
from tests.conftest import ROOT
from tests.jobs.made_project import CONFIG, MadeProject

pytestmark = pytest.mark.xdist_group("made project")
MOUNT, UNMOUNT = shutil.which("mount") or "mount", shutil.which("umount") or "umount"
ROOM = 20_000_000


class Disk:
    """A disk of its own, in memory.

    Args:
        place: A folder.
    """

    def __init__(self, place: Path):
        place.mkdir()
        self.place = place
        self._mount("-t", "tmpfs", "-o", f"size={ROOM}", "none")

    def _mount(self, *options):
        subprocess.run([MOUNT, *options, str(self.place)], check=True, capture_output=True)

    def fill(self, left: int):
        """Until so many bytes are left."""
        status = os.statvfs(self.place)
        with (self.place / "filler").open("ab") as stream:
            stream.write(bytes(max(0, status.f_bavail * status.f_frsize - left)))

    def empty(self):
        (self.place / "filler").unlink()

    @contextlib.contextmanager
    def read_only(self):
        self._mount("-o", "remount,ro")
        yield
        self._mount("-o", "remount,rw")

    def remove(self):
        subprocess.run([UNMOUNT, "--lazy", str(self.place)], check=True)


@pytest.fixture
def disk(tmp_path):
    try:
        made = Disk(tmp_path / "disk")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a disk of one's own takes root, who may mount one: full and read-only disks were not tried")
    yield made
    made.remove()


@pytest.fixture
def project(made_project, disk):
    return MadeProject(shutil.copytree(made_project, disk.place / "copy"))


def snakemake(folder, *arguments, held=()):
    """In a folder that holds no copy of the workflow; how it ended, and what it said."""
    (folder / "my.yaml").write_text(yaml.safe_dump(CONFIG))
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    outcome = subprocess.run([*held, *command(*arguments)], cwd=folder, check=False, **said)
    return outcome.returncode, outcome.stdout


def command(*arguments):
    program = str(Path(sys.executable).parent / "snakemake")
    options = ["--configfile", "my.yaml", "--cores", "2", "--scheduler", "greedy"]
    return [program, "-s", str(ROOT / "Snakefile"), *options, *arguments]


def contents(folder):
    """All that was made, with the time at which it was; Snakemake's own notes are its own matter."""
    paths = (path for part in ("results", "data") for path in (folder / part).rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def test_a_full_disk_is_told_in_a_sentence_and_what_was_made_stays(project, disk, capsys):
    """Full at other moments: nothing that passes for a file is left, and with room again all comes out as before."""
    traces = project.results / "traces"
    before = {path: content for path, (content, _) in contents(project.folder).items() if path.parent == traces}
    calls = [call for call, _, made in project.steps() if any(path.parent.name == "traces" for path in made)]
    said = []
    for left in (0, 4096, 16384, 65536):
        for kind in ("traces", "ledgers", ".resume"):
            shutil.rmtree(project.results / kind, ignore_errors=True)
        disk.fill(left)
        for call in calls:
            try:
                call()
            except (SystemExit, OSError) as ended:
                said.append(str(ended))
        assert "Traceback" not in capsys.readouterr().err
        assert not list(project.results.rglob(f"{PARTIAL}.*"))
        there = (path for path in before if path.exists() and not fault(path))
        assert all(path.read_bytes() == before[path] for path in there)
        disk.empty()
    assert len(said) > 4
    for call in calls:
        call()
    assert {path: path.read_bytes() for path in before} == before


def test_a_run_on_a_full_or_read_only_disk_ends_in_a_sentence(project, disk):
    disk.fill(LEAST_BYTES // 2)
    code, said = snakemake(disk.place / "copy", "--forceall")
    assert (code != 0, "Traceback" in said) == (True, False)
    assert f"{project.folder} has " in said
    assert f"must have at least {LEAST_BYTES}" in said
    disk.empty()
    with disk.read_only():
        assert disk_fault(project.folder).startswith(f"{project.folder} can't be written to: must be ")


def test_results_that_are_read_only_are_told_and_a_dry_run_changes_nothing(made_project, disk, tmp_path):
    """A trace is lost with what jobs keep of it: a dry run tells, and leaves it to the run that mends it."""
    folder = tmp_path / "work"
    shutil.copytree(made_project / "data", folder / "data")
    shutil.copytree(made_project / "results", disk.place / "results")
    (folder / "results").symlink_to(disk.place / "results")
    trace = sorted((folder / "results" / "traces").glob("[!.]*"))[0]
    trace.unlink()
    (folder / "results" / ".resume" / "traces" / trace.name).unlink()
    before = contents(folder)
    code, said = snakemake(folder, "--dry-run")
    assert (code, "would be solved" in said) == (0, True), said
    assert contents(folder) == before
    (folder / "results" / "tables" / "mine.csv").unlink()
    (folder / "results" / "tables" / "mine.parquet").unlink()
    before = contents(folder)
    with disk.read_only():
        code, said = snakemake(folder, "results/tables/mine.csv")
    assert (code != 0, "Traceback" in said) == (True, False)
    assert "The results can't be written: " in said
    assert "Read-only file system" in said
    assert contents(folder) == before


def held_by_modes():
    """What goes before a command of root's, so that it may do to files no more than their modes say."""
    if os.geteuid():
        return []
    held = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    try:
        subprocess.run([*held, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root may write to any file, and there is no setpriv: write-protected results were not tried")
    return held


def test_results_that_are_write_protected_are_told_before_snakemake_lists_them(made_project, tmp_path):
    folder, held = shutil.copytree(made_project, tmp_path / "copy"), held_by_modes()
    protected = [folder / "results", *(folder / "results").rglob("*")]
    for path in protected:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = contents(folder)
    for options in (["--dry-run"], []):
        code, said = snakemake(folder, *options, "--forcerun", "table", "--", "results/tables/mine.csv", held=held)
        assert (code != 0, "Traceback" in said) == (True, False)
        ours, snakemakes = said.find("\nresults can't be written to: must be a folder "), said.find("rotected")
        assert 0 < ours < snakemakes, said
        assert contents(folder) == before
    for path in protected:
        path.chmod(0o755)


def test_two_at_once_with_a_clock_that_jumps_and_what_killed_jobs_left(made_project, tmp_path):
    """The second waits, or Snakemake refuses it; the first makes what is missing, solves nothing again, and sweeps."""
    folder, draw = shutil.copytree(made_project, tmp_path / "copy"), random.Random(0)  # noqa: S311
    before = {path: path.read_bytes() for path in MadeProject(folder).traces("mine")}
    lost, cache = sorted(before)[-1], folder / "results" / ".resume" / "traces"
    for path in before:
        path.unlink()
    (cache / lost.name).unlink()
    kept = {path: path.stat().st_ino for path in cache.glob("[!.]*")}
    left = [folder / part / f"{PARTIAL}.x.0123abcd.parquet" for part in ("results/traces", "results/.hashes", "data")]
    for path in left:
        path.write_text("half")
    for path in contents(folder):
        os.utime(path, (0, draw.choice([1, 10**9, time.time() + 10**8])))
    (folder / "my.yaml").write_text(yaml.safe_dump(CONFIG))
    with subprocess.Popen(command("results/tables/mine.csv"), cwd=folder, stderr=subprocess.PIPE, text=True) as first:
        while not list(folder.glob(".snakemake/locks/*")) and first.poll() is None:
            time.sleep(0.02)
        code, said = snakemake(folder, "results/tables/mine.csv")
        told = first.communicate()[1]
    assert first.returncode == 0, told
    assert code == 0 or "Directory cannot be locked" in said or "a concurrent process has deleted it" in said
    assert "Traceback" not in told + said
    assert {path: path.read_bytes() for path in before} == before
    assert {path: path.stat().st_ino for path in kept} == kept
    assert [path for path in left if path.exists()] == []
    files = made_files(folder / "results", folder / "data")
    assert damages(files) == {}
    assert [line for line in broken_chains(files) if "mine.csv" in line] == []


def test_an_edge_list_that_was_changed_is_refused_and_made_again(made_project, tmp_path):
    """It is changed behind the workflow's back: the job leaves its reason, and no file that passes for a result."""
    folder = shutil.copytree(made_project, tmp_path / "copy")
    edges = next((folder / "results" / "networks").glob("ring*.edges"))
    whole = edges.read_text()
    edges.write_text("0 1\n1 2\n2 3\n")
    trace = MadeProject(folder).traces("mine")[0].relative_to(folder)
    code, _ = snakemake(folder, "--forcerun", str(trace), "--", str(trace))
    logs = [path.read_text() for path in (folder / "results" / "logs" / "batches").glob("[!.]*")]
    assert code != 0
    assert any(f" failed: {edges.relative_to(folder)} has SHA-256 " in log for log in logs)
    assert not edges.exists()
    code, said = snakemake(folder, "--rerun-incomplete", "--", str(trace))
    assert code == 0, said
    assert edges.read_text() == whole


def write_often(path):
    for _ in range(50):
        write_json(path, list(range(1000)))


def test_writers_of_the_same_file_do_not_meet(tmp_path):
    with ProcessPoolExecutor(4) as pool:
        for outcome in [pool.submit(write_often, tmp_path / "a" / "x.json") for _ in range(4)]:
            outcome.result()
    assert fault(tmp_path / "a" / "x.json") == ""
    assert len(list(tmp_path.rglob("*.json"))) == 2  # the file and its record
