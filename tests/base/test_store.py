import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radmm.base.store import RECORDS, read_metadata, read_numbers, replacing, write_parquet, write_text


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


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64, np.bool_, np.str_])
@given(data=st.data())
def test_columns_are_what_pyarrow_makes_of_them(tmp_path_factory, dtype, data):
    """They are made by hand."""
    values = {
        np.bool_: st.booleans(),
        np.str_: st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5),
        np.float64: st.floats(),
    }.get(dtype, st.integers(-(2**31), 2**31 - 1))
    column = np.array(data.draw(st.lists(values, max_size=20)), dtype=dtype)
    path = tmp_path_factory.mktemp("columns") / "file"
    write_parquet(path, {"x": column}, {})
    assert pq.read_table(path).column("x").combine_chunks().equals(pa.array(column, from_pandas=True))
    if len(column) and dtype in (np.int32, np.int64):
        np.testing.assert_array_equal(read_numbers(path, "x"), column)
