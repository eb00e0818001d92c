"""The real Adult data, from whichever source has it."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from radmm.base.errors import InputError
from radmm.base.store import read_metadata
from radmm.data.download import get_files
from radmm.data.partitions.even import Even
from radmm.data.prepared_files import make_problem, read_features, read_split, write_features, write_split
from radmm.data.source import SOURCES
from radmm.data.sources import adult
from radmm.data.split import split_rows
from tests.conftest import ROOT

pytestmark = pytest.mark.xdist_group("adult")

SOURCE = SOURCES["adult"]()


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    folder = ROOT / "data" / "raw"
    if not all((folder / file).is_file() for file in SOURCE.files):
        folder = tmp_path_factory.mktemp("raw")
        get_files(SOURCE.files, SOURCE.sources({})[::-1], folder, print)
    return folder


@pytest.fixture(scope="module")
def features(raw):
    return SOURCE.build(raw)


def test_the_raw_files_are_uci_s(raw):
    for file, expected in SOURCE.files.items():
        assert hashlib.sha256((raw / file).read_bytes()).hexdigest() == expected


def test_the_facts(features):
    assert features.facts["rows"] == SOURCE.rows == 45_222
    assert features.facts["features"] == SOURCE.features == 105
    assert len(np.unique(features.labels)) == SOURCE.classes
    assert features.facts["dropped_rows"] == 48_842 - 45_222
    assert features.facts["positives"] == 11_208
    assert features.facts["empty_columns"] == ["workclass=Never-worked"]
    assert [len(names) for names in features.facts["categories"].values()] == [8, 16, 7, 14, 6, 5, 2, 41]


def test_the_features(raw, features):
    matrix = features.matrix
    assert matrix.shape == (45_222, 105)
    assert len(set(features.columns)) == 105
    assert np.linalg.norm(matrix, axis=1).max() <= 1 + 1e-12
    complete = adult.read_raw(raw).dropna()
    column = {name: index for index, name in enumerate(features.columns)}
    for row in (0, 17, 30_161, 45_221):  # the first and the last row of both files among them
        person = complete.iloc[row]
        expected = np.zeros(105)
        for name, value in person.items():
            if name in column:
                expected[column[name]] = value / complete[name].abs().max()
            elif name != "income":
                expected[column[f"{name}={value}"]] = 1.0
        expected /= max(1.0, np.linalg.norm(expected))
        np.testing.assert_allclose(matrix[row], expected, atol=1e-15)
        assert features.labels[row] == (1 if person["income"].startswith(">50K") else -1)


def test_files_give_back_what_was_written(tmp_path, features):
    write_features(tmp_path / "f.parquet", tmp_path / "f.npz", features, classes=2)
    data = read_features(tmp_path / "f.npz")
    np.testing.assert_array_equal(data.features.toarray(), features.matrix)
    table = pd.read_parquet(tmp_path / "f.parquet")
    np.testing.assert_array_equal(table[features.columns].to_numpy(), features.matrix)
    np.testing.assert_array_equal(table["label"], features.labels)
    assert read_metadata(tmp_path / "f.parquet")["hash"] == data.hash
    np.testing.assert_array_equal(data.labels, features.labels)
    split = split_rows(45_222, 40_000, None, seed=0)
    write_split(tmp_path / "s.parquet", split)
    again = read_split(tmp_path / "s.parquet")
    np.testing.assert_array_equal(again.train, split.train)
    np.testing.assert_array_equal(again.test, split.test)
    problem = make_problem(data, again, Even(), nodes=5, loss="logistic", C=1750.0, rho=0.22)
    np.testing.assert_array_equal(problem.row_counts, [8000] * 5)
    signed = (
        features.matrix[split.train] * features.labels[split.train, None]
    )  # nodes get the rows in the split's order
    np.testing.assert_array_equal(problem.rows.toarray(), signed)


def test_columns_stand_in_the_order_of_the_attributes(features):
    assert features.columns[:3] == ["age", "workclass=Private", "workclass=Self-emp-not-inc"]
    assert [name for name in features.columns if name.startswith("sex=")] == ["sex=Female", "sex=Male"]
    assert [features.columns.index(name) for name in ("fnlwgt", "education-num", "hours-per-week")] == [9, 26, 63]
    assert features.columns[-1] == "native-country=Holand-Netherlands"


def test_a_file_that_was_cut_is_refused(raw, tmp_path):
    for file in SOURCE.files:
        (tmp_path / file).write_bytes((raw / file).read_bytes())
    (tmp_path / "adult.data").write_bytes((raw / "adult.data").read_bytes()[:-1000])
    with pytest.raises(InputError, match=r"adult\.data has SHA-256 \w+, not \w+: must be the file of adult"):
        SOURCE.build(tmp_path)


def test_a_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"adult\.data: No such file or directory: must be the file of adult"):
        SOURCE.build(tmp_path)


def test_an_undeclared_category_is_refused(raw):
    odd = adult.read_raw(raw).head(50)
    odd.loc[3, "sex"] = "unknown"
    with pytest.raises(ValueError, match="sex has a category that adult.names doesn't declare: 'unknown'"):
        adult.build_features(odd)
