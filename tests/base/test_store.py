import numpy as np
import pandas as pd
import pytest

from radmm.base.store import (
    RECORDS,
    content_hash,
    fault,
    file_hash,
    link,
    read_metadata,
    read_numbers,
    replacing,
    user_cache,
    write_csv,
    write_json,
    write_parquet,
    write_text,
)


def test_a_failure_leaves_the_old_file_and_no_trace(tmp_path):
    target = tmp_path / "sub" / "file.txt"
    write_text(target, "old")
    with pytest.raises(RuntimeError), replacing(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert {path.name for path in target.parent.iterdir()} == {target.name, RECORDS}


def test_parquet_keeps_metadata_and_turns_nan_into_null(tmp_path):
    for name in ("one", "two"):
        write_parquet(tmp_path / name, {"x": np.array([1.0, np.nan]), "run": np.arange(2)}, {"α": [1]})
    assert read_metadata(tmp_path / "one") == {"α": [1]}
    assert pd.read_parquet(tmp_path / "one")["x"].isna().tolist() == [False, True]
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_numbers_are_read_as_they_were_written(tmp_path):
    for column in (np.arange(-3, 4), np.array([0.1, -1e300, 5e-324]), np.array([2**53 + 1])):
        write_parquet(tmp_path / "file", {"x": column, "other": column[::-1]}, {})
        found = read_numbers(tmp_path / "file", "x")
        np.testing.assert_array_equal(found, column)
        assert found.dtype == column.dtype


def test_csv_has_all_digits_no_index_and_nothing_for_what_is_missing(tmp_path):
    table = pd.DataFrame({"label": ["a", None], "x": [0.1 + 0.2, np.nan]}, index=[7, 8])
    write_csv(tmp_path / "table.csv", table)
    assert (tmp_path / "table.csv").read_text() == "label,x\na,0.30000000000000004\n,\n"


def test_text_is_utf_8_and_json_is_indented_whatever_the_locale(tmp_path):
    write_json(tmp_path / "a.json", {"α": [1]})
    assert (tmp_path / "a.json").read_bytes() == '{\n  "α": [\n    1\n  ]\n}\n'.encode()


def test_caches_are_where_the_user_has_them(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache() == tmp_path / "radmm"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_cache() == tmp_path / ".cache" / "radmm"


def test_hashes_tell_contents_types_and_shapes_apart(tmp_path):
    arrays = [np.arange(6), np.arange(6.0), np.arange(6).reshape(2, 3), np.arange(1, 7)]
    assert len({content_hash(array) for array in arrays}) == 4
    assert content_hash(arrays[2].T) == content_hash(arrays[2].T.copy())  # not the order in memory
    (tmp_path / "file").write_bytes(b"abc")
    assert file_hash(tmp_path / "file") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_second_name_is_a_copy_where_the_disk_has_no_hard_links(tmp_path, monkeypatch):
    source, target = tmp_path / "one.txt", tmp_path / "other" / "two.txt"
    write_text(source, "text")

    def refuse(*_names):
        raise OSError("no hard links on this disk")

    monkeypatch.setattr("os.link", refuse)
    link(source, target)
    assert (target.read_text(), fault(target)) == ("text", "")
    source.write_text("changed")
    assert target.read_text() == "text"
