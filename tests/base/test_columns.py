"""Columns as pandas would read and write them, without it."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.columns import as_arrow, column_of, read_columns
from radmm.base.store import write_csv, write_parquet

TEXT = st.text('aäβ," \n\r', max_size=4)
COLUMNS = st.integers(0, 20).flatmap(
    lambda rows: st.fixed_dictionaries(
        {
            "float": st.lists(st.floats(), min_size=rows, max_size=rows).map(np.array),
            "flag": st.lists(st.booleans(), min_size=rows, max_size=rows).map(lambda each: np.array(each, dtype=bool)),
            "whole": st.lists(st.integers(-(2**31), 2**31 - 1), min_size=rows, max_size=rows).map(
                lambda each: np.array(each, dtype=np.int32)
            ),
            "text": st.lists(TEXT | st.none(), min_size=rows, max_size=rows).map(
                lambda each: np.array(each, dtype=object)
            ),
        }
    )
)


@settings(max_examples=40, deadline=None)
@given(COLUMNS)
def test_what_is_written_is_what_pandas_writes_and_is_read_again(tmp_path_factory, columns):
    path = tmp_path_factory.mktemp("columns") / "some.parquet"
    columns["float"] = columns["float"].astype(np.float64)
    write_parquet(path, columns, {})
    written = pq.read_table(path)
    frame = pd.DataFrame(columns).astype({"text": pd.StringDtype(na_value=np.nan)})
    for name in columns:
        by_pandas = pa.array(frame[name], from_pandas=True)
        assert written[name].to_pylist() == by_pandas.to_pylist()
        assert written[name].type in (by_pandas.type, pa.null())  # of text that all is missing
    for name, values in read_columns(path).items():
        np.testing.assert_array_equal(values, columns[name])
        assert values.dtype == columns[name].dtype
    assert list(read_columns(path, ["whole"])) == ["whole"]


@settings(max_examples=40, deadline=None)
@given(COLUMNS)
def test_comma_separated_rows_are_those_of_pandas(tmp_path_factory, columns):
    folder = tmp_path_factory.mktemp("columns")
    columns["text"] = np.array([None if text == "" else text for text in columns["text"]], dtype=object)
    write_csv(folder / "ours.csv", columns)
    pd.DataFrame(columns).to_csv(folder / "theirs.csv", index=False)
    assert (folder / "ours.csv").read_bytes() == (folder / "theirs.csv").read_bytes()


def test_integers_among_which_some_are_missing_are_floats(tmp_path):
    table = pa.table({"some": pa.array([1, None, 3]), "text": pa.array(["a", None, "ä"])})
    pq.write_table(table.slice(1), tmp_path / "some.parquet")
    found = read_columns(tmp_path / "some.parquet")
    np.testing.assert_array_equal(found["some"], [np.nan, 3.0])
    assert found["text"].tolist() == [None, "ä"]


@pytest.mark.parametrize(
    ("values", "kind"), [(np.array(["a", "b"]), pa.string()), (np.array(["a", None]), pa.large_string())]
)
def test_fixed_text_has_short_offsets_and_objects_long_ones(values, kind):
    assert as_arrow(values).type == kind
    assert as_arrow(values).to_pylist() == values.tolist()


@pytest.mark.parametrize(
    ("values", "kind", "stored"),
    [
        ([1, 2], pa.int64(), [1, 2]),
        ([1, None], pa.float64(), [1.0, None]),
        ([1, 0.5], pa.float64(), [1.0, 0.5]),
        ([True, False], pa.bool_(), [True, False]),
        ([True, np.nan], pa.bool_(), [True, None]),
        ([2.0, [1.0, 3], None], pa.large_string(), ["2.0", "[1.0, 3]", None]),
        (["a", np.nan], pa.large_string(), ["a", None]),
        ([None, None], pa.null(), [None, None]),
        ([None, np.nan], pa.float64(), [None, None]),
    ],
)
def test_a_column_has_one_type(values, kind, stored):
    column = as_arrow(column_of(values))
    assert (column.type, column.to_pylist()) == (kind, stored)
    if not any(isinstance(value, list) for value in values):  # pandas has no one type for them
        assert column.equals(pa.array(pd.DataFrame([{"a": value} for value in values])["a"], from_pandas=True))
