"""Features of declared tables: a line decides nothing but its own row, whatever it holds."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.data.sources.table import OwnTable
from radmm.publication.csv_lines import read_columns
from radmm.publication.declared_table import DeclaredTable

TABLE = OwnTable(
    file="mine.csv",
    label="income",
    positive="high",
    bounds={"age": [18, 100]},
    categories={"job": ["office", 1]},
    missing="category",
    intercept=True,
    rows=4,
)
DECLARED = DeclaredTable.of(TABLE)
HEADER = b"age,job,income\n"
LINES = [b"59,office,high", b"18,1.0,low", b"100,,high", b"?,shop,"]
NO_BREAKS = st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"\r" not in line)
PIECES = st.lists(
    st.sampled_from([b'"', b",", b"\x00", b"\xff", b"\x0b\x0c\x85", b"9" * 400, b"high", b"1e999", b"nan"])
)


def features(path, lines):
    path.write_bytes(HEADER + b"\n".join(lines) + b"\n")
    columns = read_columns(path, ",", ["income", *DECLARED.columns], [], len(lines))
    return DECLARED.encode(columns), DECLARED.labels(columns["income"])


@settings(max_examples=300, deadline=None)
@given(st.one_of(NO_BREAKS, PIECES.map(b"".join)), st.integers(0, 3))
def test_a_line_changes_no_other_row_and_is_never_refused(tmp_path_factory, line, place):
    path = tmp_path_factory.getbasetemp() / "lines.csv"
    before, (labels, usable) = features(path, LINES)
    changed = [line if at == place else each for at, each in enumerate(LINES)]
    after, (other_labels, other_usable) = features(path, changed)
    for one, other in ((before, after), (labels, other_labels), (usable, other_usable)):
        np.testing.assert_array_equal(np.delete(one, place, axis=0), np.delete(other, place, axis=0))
    assert np.isfinite(after).all()
    assert np.linalg.norm(after, axis=1).max() <= 1.0 + 1e-12
    assert set(other_labels) <= {-1.0, 1.0}


def test_features_are_those_that_are_declared(tmp_path):
    assert DECLARED.features == ["age", "age=missing", "job=office", "job=1", "job=missing", "intercept"]
    rows, (labels, usable) = features(tmp_path / "mine.csv", [*LINES[:4], b"1000,office,x"])
    expected = np.array(
        [
            [0.59, 0, 1, 0, 0, 1],
            [0.18, 0, 0, 1, 0, 1],
            [1.0, 0, 0, 0, 1, 1],
            [0, 1, 0, 0, 1, 1],  # neither a number nor a known category
            [1.0, 0, 1, 0, 0, 1],  # cut off at its bound
        ]
    )
    np.testing.assert_allclose(rows, expected / np.linalg.norm(expected, axis=1)[:, None], rtol=1e-15)
    assert labels.tolist() == [1, -1, 1, -1, -1]
    assert usable.tolist() == [1, 1, 1, 0, 1]  # without a label there is no row; any other text is −1


def test_a_class_that_is_not_declared_is_no_row():
    table = OwnTable(file="mine.csv", label="kind", classes=["a", 2, "c"], bounds={"age": [0, 1]})
    labels, usable = DeclaredTable.of(table).labels(["a", "2.0", "c", "d", " a "])
    assert labels.tolist() == [0, 1, 2, 0, 0]
    assert usable.tolist() == [1, 1, 1, 0, 1]


@pytest.mark.parametrize(("scale", "expected"), [("largest", 0.5), ("unit", 0.5), ("symmetric", 0.0)])
def test_numbers_are_scaled_as_in_research(scale, expected):
    table = OwnTable(file="mine.csv", label="kind", positive="a", bounds={"age": [0, 1]}, scale=scale)
    assert DeclaredTable.of(table).encode({"age": ["0.5"]}).tolist() == [[expected, 0.0]]


def test_declarations_survive_json():
    assert DeclaredTable(**DECLARED.to_json()) == DECLARED


def test_gzipped_files_and_tabs_are_read(tmp_path):
    with gzip.open(tmp_path / "mine.tsv.gz", "wb") as file:
        file.write(b"\xef\xbb\xbfage\tincome\r\n59\thigh\r\n")
    assert read_columns(tmp_path / "mine.tsv.gz", "\t", ["income", "age"], [], 1) == {"income": ["high"], "age": ["59"]}
