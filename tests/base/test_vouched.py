"""A file is the one that was written under its name, or nobody uses it."""

import json
import os
import shutil
import stat
from pathlib import Path

import numpy as np
import pytest

from radmm.base.store import (
    DAMAGED,
    DamagedError,
    add_source,
    checked,
    fault,
    provenance,
    read_record,
    recognised,
    record_path,
    sweep,
    vouched,
    write_json,
    write_text,
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "traces" / "a.json"
    write_json(path, {"loss": [0.25, 0.5]})
    return path


def test_what_was_written_is_read(file):
    assert fault(file) == ""
    assert checked(file) == file


def test_every_flipped_bit_is_noticed(file):
    whole = file.read_bytes()
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        file.write_bytes(flipped)
        assert fault(file).startswith("has SHA-256 ")


def test_no_flipped_bit_of_a_record_lets_another_file_pass(file):
    """A record that is damaged may cost a file that is right, and can't hide one that is wrong."""
    record = record_path(file)
    whole = record.read_bytes()
    file.write_bytes(file.read_bytes().replace(b"0.25", b"0.26"))
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        record.write_bytes(flipped)
        assert fault(file)


@pytest.mark.parametrize("with_record", [False, True])
def test_a_file_in_anothers_place_is_noticed(file, with_record):
    other = file.with_name("b.json")
    write_json(other, {"loss": [0.1]})
    shutil.copy(other, file)
    if with_record:
        shutil.copy(record_path(other), record_path(file))
    assert "traces/b.json" in fault(file) if with_record else fault(file).startswith("has SHA-256 ")


def test_the_same_name_in_another_folder_is_another_file(file):
    other = file.parent.with_name("ledgers") / file.name
    write_json(other, {"loss": [0.1]})
    shutil.copy(other, file)
    shutil.copy(record_path(other), record_path(file))
    assert fault(file) == "has the record of another file, ledgers/a.json"


def test_a_file_that_fails_is_named_and_set_aside(file):
    with_it = file.with_name("b.json")
    write_json(with_it, 1)
    file.write_text("{}")
    with pytest.raises(DamagedError, match=r"a.json has SHA-256 .* the next run makes it again$"):
        checked(file, with_it)
    assert not file.exists()
    assert not with_it.exists()
    assert not record_path(file).exists()
    assert (file.parent / DAMAGED / file.name).read_text() == "{}"  # nothing is lost
    write_json(file, {"loss": [0.25, 0.5]})
    assert checked(file) == file


def test_missing_files_and_records_are_named(file):
    record_path(file).unlink()
    assert fault(file) == f"has no record in {file.parent / '.hashes'}"
    record_path(file).write_text("[1]")
    assert fault(file) == f"has a record that can't be read, {record_path(file)}"
    file.unlink()
    assert fault(file) == "is missing"


def test_a_writer_that_is_killed_leaves_the_old_file_or_none_that_passes(file, monkeypatch):
    with pytest.raises(KeyboardInterrupt), vouched(file) as temporary:
        temporary.write_text("new")
        raise KeyboardInterrupt
    assert fault(file) == ""  # while it wrote

    rename = Path.replace

    def killed(path, target):
        if target == file:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt), vouched(file) as temporary:
        temporary.write_text("new")
    assert fault(file).startswith("has SHA-256 ")  # after the record was written, before the file was


def test_a_record_says_what_a_file_was_made_of(file, tmp_path):
    with provenance():
        checked(file)
        add_source(tmp_path / "raw.csv", "ab")
        write_text(tmp_path / "tables" / "t.csv", "x")
    write_text(tmp_path / "tables" / "u.csv", "x")
    digest = read_record(file)["sha256"]
    assert read_record(tmp_path / "tables" / "t.csv")["made_of"] == {"../raw.csv": "ab", "../traces/a.json": digest}
    assert read_record(tmp_path / "tables" / "u.csv")["made_of"] == {}


def test_a_copy_without_a_record_is_taken_and_one_with_another_content_is_not(file, tmp_path):
    copy = shutil.copy(file, tmp_path / "copy.json")
    assert recognised(copy) == copy
    file.write_text("{}")
    with pytest.raises(DamagedError):
        recognised(file)
    assert file.exists()  # whoever only looks moves nothing


def test_files_have_the_mode_that_the_umask_says(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_what_killed_writers_left_is_swept_and_nothing_else(file, tmp_path):
    left = file.with_name(".partial.a.0123abcd.json"), record_path(file).with_name(".partial.b.json.0123abcd.json")
    kept = tmp_path / ".hidden.document.txt", tmp_path / "partial.txt"
    for path in (*left, *kept):
        path.write_text("")
    sweep(tmp_path)
    assert [path.exists() for path in (*left, *kept, file, record_path(file))] == [False, False, True, True, True, True]


def test_a_cached_curve_that_is_damaged_is_made_again(tmp_path, monkeypatch):
    from radmm.privacy.curves.cache import cached

    monkeypatch.setenv("RADMM_CURVES", str(tmp_path))
    made = {"epsilon": np.linspace(0, 1, 50)}
    cached("a curve of the test", lambda: made)
    (path,) = tmp_path.glob("curve-*.npz")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    again = cached("a curve of the test", lambda: made)
    assert np.array_equal(again["epsilon"], made["epsilon"])
    assert json.loads(record_path(path).read_text())["sha256"]
    assert fault(path) == ""
