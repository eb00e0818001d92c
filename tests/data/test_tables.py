"""One's own table: its features against pandas and scikit-learn, and one sentence for each thing that is wrong."""

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.preprocessing import OneHotEncoder

from radmm.base.errors import InputError, NotFetchedError
from radmm.data.prepared_files import read_features, write_features
from radmm.data.source import make_source

CSV = "age,hours,job,site,income\n30,40,clerk,n,low\n60,20,nurse,s,high\n45,0,clerk,s,low\n"
TABLE = {"name": "table", "file": "t.csv", "label": "income", "positive": "high"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def build(folder, content=CSV, **said):
    (folder / "t.csv").write_text(content)
    source = make_source({**TABLE, **said})
    built = source.build(folder)
    assert built.matrix.shape == source.size()[:2]
    assert built.facts["caveat"] == source.caveat
    return built


def test_a_table_by_hand(folder):
    built = build(
        folder, node="site", bounds={"age": [0, 120]}, categories={"job": ["clerk", "nurse", "smith"]}, intercept=True
    )
    assert built.columns == ["age", "hours", "job=clerk", "job=nurse", "job=smith", "intercept"]
    rows = np.array([[0.25, 1, 1, 0, 0, 1], [0.5, 0.5, 0, 1, 0, 1], [0.375, 0, 1, 0, 0, 1]])
    np.testing.assert_allclose(built.matrix.toarray(), rows / np.linalg.norm(rows, axis=1)[:, None], rtol=1e-15)
    assert (built.labels.tolist(), built.node.tolist(), built.node_names) == ([-1, 1, -1], [0, 1, 1], ["n", "s"])
    assert built.facts["caveat"] == "Not covered by ε: the maximum of one column was taken from the data."
    assert built.facts["rows_of_class"] == {"low": 2, "high": 1}
    assert built.facts["empty_columns"] == ["job=smith"]


cells = st.fixed_dictionaries(
    {
        "number": st.floats(-1e6, 1e6, allow_subnormal=False),
        "count": st.integers(-9, 9),
        "letter": st.sampled_from("abcde"),
        "label": st.sampled_from(["yes", "no", "maybe"]),
    }
)


@settings(max_examples=25, deadline=None)
@given(st.lists(cells, min_size=3, max_size=30), st.sampled_from(["csv", "csv.gz", "parquet"]))
def test_features_are_those_of_pandas_and_scikit_learn(tmp_path_factory, rows, ending):
    classes = ["no", "maybe", "yes"]
    frame = pd.DataFrame(rows + [{"number": 1.0, "count": 1, "letter": "a", "label": name} for name in classes])
    frame = frame[["number", "count", "letter", "label"]]
    path = tmp_path_factory.mktemp("tables") / f"t.{ending}"
    frame.to_parquet(path) if ending == "parquet" else frame.to_csv(path, index=False)
    built = make_source({"name": "table", "file": str(path), "label": "label", "classes": classes}).build(path.parent)
    numbers = frame[["number", "count"]] / frame[["number", "count"]].abs().max()
    one_hot = OneHotEncoder(sparse_output=False).fit_transform(frame[["letter"]])
    expected = np.hstack([numbers.to_numpy(), one_hot])
    expected /= np.maximum(1.0, np.linalg.norm(expected, axis=1))[:, None]
    np.testing.assert_allclose(built.matrix.toarray(), expected, rtol=1e-14, atol=1e-300)
    assert [classes[int(label)] for label in built.labels] == frame["label"].tolist()
    assert np.linalg.norm(built.matrix.toarray(), axis=1).max() <= 1 + 1e-12


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_libsvm_is_read_as_scikit_learn_reads_it(tmp_path_factory, seed, zipped):
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(9, 6)) * (random.random((9, 6)) < 0.5)
    labels = np.append([0, 1, 2], random.integers(3, size=6))
    path = tmp_path_factory.mktemp("rows") / ("t.svm.gz" if zipped else "t.svm")
    with gzip.open(path, "wb") if zipped else path.open("wb") as out:
        dump_svmlight_file(matrix, labels, out, zero_based=False, comment="made up")
    found, found_labels = load_svmlight_file(str(path), zero_based=False)
    built = make_source({"name": "table", "file": str(path), "classes": [0, 1, 2], "bounds": [-8, 9]}).build(
        path.parent
    )
    scaled = found.toarray() / 9
    np.testing.assert_allclose(built.matrix.toarray(), scaled / np.maximum(1, np.linalg.norm(scaled, axis=1))[:, None])
    np.testing.assert_array_equal(built.labels, found_labels)
    by_maxima = make_source({"name": "table", "file": str(path), "classes": [0, 1, 2]}).build(path.parent).matrix
    largest = np.abs(found.toarray()).max(axis=0)
    scaled = found.toarray() / np.where(largest > 0, largest, 1)
    rows = np.maximum(1, np.linalg.norm(scaled, axis=1))[:, None]
    np.testing.assert_allclose(by_maxima.toarray(), scaled / rows, rtol=1e-14)


def test_files_give_back_sparse_rows_and_nodes(folder):
    built = build(folder, node="site", classes=["low", "high"], positive=None)
    write_features(folder / "f.parquet", folder / "f.npz", built, classes=2)
    data = read_features(folder / "f.npz")
    np.testing.assert_array_equal(data.features.toarray(), built.matrix.toarray())
    assert (data.classes, data.node.tolist(), data.node_names) == (2, [0, 1, 1], ("n", "s"))
    table = pd.read_parquet(folder / "f.parquet")
    assert table["label"].tolist() == [-1, 1, -1]
    assert [dict(zip(row["columns"], row["values"], strict=True)) for _, row in table.iterrows()] == [
        {int(column): row[column] for column in np.flatnonzero(row)} for row in built.matrix.toarray()
    ]


MISSES = CSV.replace("60,20,nurse", "60,,?")


def test_missing_values_by_each_rule(folder):
    with pytest.raises(InputError, match=r"t\.csv: row 2 has no value in the column 'hours'.*drop or category"):
        build(folder, MISSES, ignore=["site"])
    kept = build(folder, MISSES, ignore=["site"], missing="category")
    assert kept.columns == ["age", "hours", "hours=missing", "job=clerk", "job=missing"]
    np.testing.assert_array_equal(kept.matrix.toarray()[1] > 0, [True, False, True, False, True])
    more = MISSES + "50,10,nurse,n,high\n"
    gone = build(folder, more, ignore=["site"], missing="drop")
    assert (gone.facts["rows"], gone.facts["dropped_rows"], gone.facts["scales"]["age"]) == (3, 1, 50.0)
    assert "and which rows are complete were taken from the data" in gone.facts["caveat"]


@pytest.mark.parametrize(("scale", "ages"), [("unit", [0.25, 1, 0.625]), ("symmetric", [-0.5, 1, 0.25])])
def test_bounds_become_zero_and_one_or_minus_one_and_one(folder, scale, ages):
    said = {"bounds": {"age": [20, 60], "hours": [0, 80]}, "scale": scale, "ignore": ["job", "site"]}
    built = build(folder, CSV, **said)
    hours = np.array([0.5, 0.25, 0]) if scale == "unit" else np.array([0, -0.5, -1])
    rows = np.column_stack([ages, hours])
    expected = rows / np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    np.testing.assert_allclose(built.matrix.toarray(), expected, rtol=1e-15)
    assert built.facts["caveat"] == ""
    missed = build(folder, CSV.replace("30,40", "30,"), **said, missing="category")
    assert missed.matrix.toarray()[0, 1] == 0.0  # as it is without a centre


def test_a_scale_by_bounds_needs_them(folder):
    (folder / "t.csv").write_text(CSV)
    for said, sentence in (
        ({"bounds": {"age": [0, 99]}}, "the column 'hours' has no bounds: must have some in data.bounds, as"),
        ({"bounds": {"age": [9, 9]}}, r"data.bounds.age = \[9, 9\]: must be two numbers with data.scale = unit"),
        ({"file": "t.svm", "label": ""}, "data.scale = unit: must be largest with t.svm"),
    ):
        with pytest.raises(InputError, match=sentence):
            make_source({**TABLE, "ignore": ["job", "site"] * ("file" not in said), "scale": "unit", **said}).size()


@pytest.mark.parametrize("ending", ["tsv", "tsv.gz"])
def test_a_table_with_tabs(folder, ending):
    content = CSV.replace(",", "\t").encode()
    (folder / f"t.{ending}").write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    assert make_source({**TABLE, "file": f"t.{ending}"}).size() == (3, 6, 2)


def test_home_is_known(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "home").mkdir()
    (folder / "home" / "t.csv").write_text(CSV)
    assert make_source({**TABLE, "file": "~/t.csv"}).size() == (3, 6, 2)


MANY = "x,income\n" + "".join(f"a{n},{'low' if n % 2 else 'high'}\n" for n in range(200))
WRONG = [
        (CSV.replace("high", "low"), {}, r"t\.csv: the label column 'income' has 'low' in every row: must have at"),
        (CSV.replace("40", "inf"), {}, r"the column 'hours' has 'inf' in row 1: must be a finite number"),
        (CSV.replace("40", "nan"), {}, r"row 1 has no value in the column 'hours'"),
        (CSV, {"bounds": {"age": [0, 50]}}, r"'age' has '60' in row 2: must be within its declared bounds \[0, 50\]"),
        (CSV, {"bounds": {"job": [0, 1]}}, r"the column 'job' has 'clerk' in row 1: must be a number"),
        (CSV, {"categories": {"job": ["clerk", "nurses"]}}, r"'nurse' in row 2, a category that is not.*mean 'nurses'"),
        (CSV, {"label": "incomes"}, r"data\.label names the column 'incomes', which t\.csv doesn't have: did"),
        (CSV, {"positive": "top"}, r"has no 'top', which data\.positive names"),
        (CSV, {"positive": None, "classes": ["low", "mid", "high"]}, r"no row of the class 'mid'"),
        (CSV, {"positive": None, "classes": ["low", "mid"]}, r"has 'high' in row 2: must be one of data\.classes"),
        (CSV, {"positive": None}, "either positive, the label that is .1, or classes"),
        (CSV, {"ignore": ["nobody"]}, r"data\.ignore names the column 'nobody'"),
        (CSV, {"sha256": "0" * 64}, r"t\.csv has SHA-256 \w+: must be 0000"),
        (CSV, {"file": "none.csv"}, r"none\.csv: No such file or directory"),
        (CSV, {"file": "t.xls"}, r"data\.file = t\.xls: must end in one of \.csv"),
        (CSV, {"bounds": {"age": [3, 1]}}, r"data\.bounds\.age = \[3, 1\]: must be \[lowest, highest\]"),
        (CSV + "1,2\n", {}, r"t\.csv: CSV parse error: Expected 5 columns, got 2.*must be a CSV file"),
        (CSV.replace("hours", "age"), {}, r"the column 'age' is there twice"),
        (CSV.split("\n", 1)[0] + "\n", {}, r"t\.csv has no rows"),
        (MANY, {}, r"'a0' in row 1, which is no number, and 200 different values"),
    ]  # fmt: skip


@pytest.mark.parametrize(("content", "said", "sentence"), WRONG)
def test_one_sentence_for_what_is_wrong(folder, content, said, sentence):
    (folder / "t.csv").write_text(content)
    with pytest.raises(InputError, match=sentence) as told:
        make_source({**TABLE, **said}).size()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("1 1:2 3:x\n-1 1:1\n", r"line 1 has '3:x'"),
        ("1 1:2\n-1 7\n", r"line 2 has '7'"),
        ("1 2:2 1:3\n-1 1:1\n", "row 1 has indices that don't ascend"),
        ("1 0:2\n-1 1:1\n", "row 1 has an index that is no whole number from 1 on"),
        ("1 1:2\n-1 1:inf\n", "row 2 has a value that is not a finite number"),
        ("1 1:2\n1 1:1\n", "'1' in every row"),
        ("\n", "has no rows"),
        ("1 1:2\n-1 1:30\n", r"the column '1' has 30 in row 2: must be within its declared bounds \[0, 9\]"),
    ],
)
def test_one_sentence_for_a_libsvm_file(folder, content, sentence):
    (folder / "t.svm").write_text(content)
    with pytest.raises(InputError, match=sentence):
        make_source({"name": "table", "file": "t.svm", "positive": 1, "bounds": [0, 9]}).size()


def test_a_scan_is_made_once_for_each_content(folder, monkeypatch):
    (folder / "t.csv").write_text(CSV)
    first = make_source(TABLE).size()
    with monkeypatch.context() as patch:
        patch.setattr("radmm.data.tables.scan.survey_table", lambda *_, **__: pytest.fail("scanned again"))
        assert make_source(TABLE).size() == first
    (folder / "t.csv").write_text(CSV + "1,2,smith,n,low\n")
    assert make_source(TABLE).size() == (4, 7, 2)


def test_a_kept_scan_that_is_damaged_is_made_again(folder, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    (folder / "t.csv").write_text(CSV)
    first = make_source(TABLE).size()
    (kept,) = (folder / "cache" / "radmm").glob("scan-*.json")
    kept.write_text(kept.read_text().replace("3", "4", 1))
    assert make_source(TABLE).size() == first


def test_a_file_on_the_web_must_be_fetched_first():
    with pytest.raises(InputError, match=r"data\.sha256 is missing"):
        make_source({**TABLE, "file": "https://a.org/t.csv"})
    source = make_source({**TABLE, "file": "https://a.org/x/t.csv?v=1.csv", "sha256": "a" * 64})
    assert source.files == {"aaaaaaaaaaaa-t.csv": "a" * 64}
    with pytest.raises(NotFetchedError, match="must be fetched first, by `snakemake fetch`"):
        source.size()
