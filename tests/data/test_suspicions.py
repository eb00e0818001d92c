"""Suspicious tables: one sentence for each trap, with the option that answers it, and silence where there is none."""

import numpy as np
import pandas as pd
import pytest

from radmm.base.errors import InputError
from radmm.data.source import make_source

ROWS = 60


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def frame(**columns):
    random = np.random.default_rng(1)
    plain = {"x": random.normal(size=ROWS).round(3), "job": random.choice(["a", "b"], ROWS)}
    return pd.DataFrame({**plain, **columns, "y": random.choice(["no", "yes"], ROWS)})


def source(table, index=False, said=None, **options):
    table.to_csv("t.csv", index=index, **options)
    return make_source({"name": "table", "file": "t.csv", "label": "y", "positive": "yes", **(said or {})})


def test_a_plain_table_is_not_suspicious():
    assert source(frame()).suspicions == []


COUNT = np.random.default_rng(2).permutation(ROWS)
DAYS = pd.date_range("2020-01-01", periods=ROWS // 2).strftime("%Y-%m-%d").tolist() * 2
GERMAN = {"thousands": ".", "decimal": ",", "ignore": ["x"]}
TRAPS = {
    "index": ({"id": COUNT + 1000}, "'id' has a different whole number in every row", {"ignore": ["id"]}),
    "index-meant": ({"id": COUNT}, "declare data.bounds of a measurement", {"bounds": {"id": [0, 99]}}),
    "constant": ({"c": [4.0] * ROWS}, "'c' has the same value in all rows: leave", {"ignore": ["c"]}),
    "one-category": ({"c": ["a"] * ROWS}, "'c' has the same value in all rows", {"ignore": ["c"]}),
    "dates": ({"day": DAYS}, "'day' has dates, each of which becomes a feature", {"ignore": ["day"]}),
    "german-dates": ({"day": [f"{n % 28 + 1}.3.20" for n in COUNT]}, "'day' has dates", {"accepted": ["dates"]}),
    "texts": ({"name": [f"p{n}" for n in COUNT]}, "nearly as many texts as rows", {"categories": {"name": "found"}}),
    "decimal": ({"z": [f"{n},5" for n in COUNT]}, "data.decimal: ',' would", {"decimal": ",", "ignore": ["x"]}),
    "thousands": ({"z": [f"1,{n + 100}.5" for n in COUNT]}, "data.thousands: ',' would read", {"thousands": ","}),
    "both": ({"z": [f"1.{n + 100},5" for n in COUNT]}, "with data.decimal: ','", GERMAN),
    "spaces": ({"z": [f"1 {n + 100}" for n in COUNT % 9]}, "data.thousands: ' '", {"thousands": " "}),
}  # fmt: skip


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_told_in_one_sentence_and_answered_by_its_option(trap):
    columns, sentence, answer = TRAPS[trap]
    (told,) = source(frame(**columns)).suspicions
    assert sentence in told
    assert told.startswith("t.csv: the column ")
    answered = source(frame(**columns), said=answer)
    assert answered.suspicions == []


def test_numbers_are_read_as_they_are_spelled():
    table = frame(z=[f"1.{n + 100},5" for n in COUNT])
    built = source(table, said={"thousands": ".", "decimal": ",", "ignore": ["x", "job"]}).build(None)
    np.testing.assert_allclose(built.matrix.toarray()[:, 0], (1100.5 + COUNT) / (1100.5 + ROWS - 1))
    wrong = frame(z=["1.5", *[f"1.{n + 100}" for n in COUNT[1:]]])  # 1.5 has no group of three digits: it is not 15
    assert source(wrong, said={"thousands": ".", "decimal": ","}).scan().columns[2].kind == "categories"


def test_rows_that_are_sorted_by_label_and_a_label_that_is_a_quantity():
    (told,) = source(frame().sort_values("y")).suspicions
    assert told.startswith(
        "t.csv: the label 'y' is sorted, so that a column which tells where a row stood tells its label"
    )
    assert source(frame().sort_values("y"), said={"accepted": ["sorted"]}).suspicions == []
    table = frame().assign(y=np.random.default_rng(3).normal(size=ROWS).round(4))
    (told,) = source(table, said={"positive": table["y"][30]}).suspicions
    assert (
        f"has {ROWS} different numbers, like a quantity: radmm classifies, so say with data.above which are +1" in told
    )
    halves = source(table, said={"positive": None, "above": 0})
    assert halves.suspicions == []
    assert halves.scan().classes == {"at most 0": (table["y"] <= 0).sum(), "above 0": (table["y"] > 0).sum()}
    np.testing.assert_array_equal(halves.build(None).labels > 0, table["y"] > 0)
    with pytest.raises(InputError, match=r"data\.above = 99: must have rows on both sides"):
        source(table, said={"positive": None, "above": 99}).size()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_index_without_a_name_is_left_out_unless_it_is_asked_for(ending):
    table = frame().sample(frac=1, random_state=1)
    table.to_csv("t.csv") if ending == "csv" else table.to_parquet("t.parquet")
    said = {"name": "table", "file": f"t.{ending}", "label": "y", "positive": "yes"}
    left_out = make_source(said)
    assert (left_out.size().features, left_out.suspicions) == (3, [])
    name = "" if ending == "csv" else "__index_level_0__"
    told = ("left out", "", "an index without a name, as pandas writes it")
    assert left_out.scan().columns[-1][1:] == told
    assert make_source({**said, "bounds": {name: [0, 99]}}).size().features == 4
    assert make_source({**said, "ignore": [name]}).size().features == 3


def test_another_encoding_and_another_separator_are_told_before_anything_is_read():
    table = frame(job=["café"] * 30 + ["thé"] * 30)
    with pytest.raises(InputError, match=r"line 2 is no text in the encoding utf8: data\.encoding must .* like cp1252"):
        source(table, encoding="cp1252").size()
    assert "café" in source(table, encoding="cp1252", said={"encoding": "cp1252"}).scan().columns[1].values
    with pytest.raises(InputError, match=r"line 1 is no text in the encoding utf8: .* like utf-16"):
        source(table, encoding="utf-16").size()
    with pytest.raises(InputError, match=r"the first line has ';' between fields, no ',': data\.separator must be ';'"):
        source(table, sep=";").size()
    with pytest.raises(InputError, match=r"the first line has ';' between fields, no ','"):
        source(table, sep=";", decimal=",").size()
    read = source(table, sep=";", decimal=",", said={"separator": ";", "decimal": ","})
    assert read.suspicions == []
    for said, sentence in (
        ({"encoding": "klingon"}, r"data\.encoding = klingon: must be one that Python knows"),
        ({"decimal": ",,"}, r"data\.decimal = ',,': must be one character"),
        ({"decimal": ",", "thousands": ","}, r"data\.thousands = ',': must be another character than data\.decimal"),
    ):
        with pytest.raises(InputError, match=sentence):
            source(table, said=said)


def test_all_that_is_wrong_with_a_table_is_told_at_once():
    with pytest.raises(InputError) as told:
        source(frame(z=[f"a{n}" for n in range(ROWS)]), said={"bounds": {"x": [0, 0.1]}, "positive": "maybe"}).size()
    assert len(str(told.value).splitlines()) == 2
    with pytest.raises(InputError) as told:
        source(frame(), said={"positive": True, "separator": "::", "bounds": {"x": [3, 1]}})
    assert len(str(told.value).splitlines()) == 3


def test_a_table_beside_its_config_and_another_in_the_working_folder(folder):
    (folder / "sub").mkdir()
    frame().to_csv("sub/t.csv", index=False)
    said = {"folder": "sub"}
    (told,) = source(frame(z=COUNT % 7), said=said).suspicions
    assert told.startswith("data.file = t.csv is in the config's folder sub, and another in the working folder")
    assert source(frame(), said=said).suspicions == []  # the same
