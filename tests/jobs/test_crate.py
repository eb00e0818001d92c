"""The Workflow RO-Crate: what RO-Crate 1.1 and its profile for workflows ask for, and that references lead on."""

import json
import shutil

import pytest

from radmm.base.errors import InputError
from radmm.base.store import DamagedError, file_hash, write_text
from radmm.jobs.steps.crate import METADATA, PICTURE, WRITTEN, crate
from tests.conftest import ROOT


@pytest.fixture
def clone(tmp_path):
    """What the project brings, and two results."""
    for path in ("Snakefile", PICTURE, *WRITTEN):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    write_text(tmp_path / "results" / "claims.md", "# all hold\n")
    write_text(tmp_path / "results" / "tables" / "mine.csv", "a\n1\n")
    return tmp_path


def described(folder):
    crate(folder)
    content = json.loads((folder / METADATA).read_text())
    assert content["@context"] == "https://w3id.org/ro/crate/1.1/context"
    by_id = {each["@id"]: each for each in content["@graph"]}
    assert len(by_id) == len(content["@graph"])  # flat, and each once
    return by_id


def references(value):
    if isinstance(value, dict):
        yield from [value["@id"]] if set(value) == {"@id"} else []
        yield from (found for each in value.values() for found in references(each))
    elif isinstance(value, list):
        yield from (found for each in value for found in references(each))


def test_what_the_profile_requires(clone):
    by_id = described(clone)
    about = by_id[METADATA]
    assert about["@type"] == "CreativeWork"
    assert about["about"] == {"@id": "./"}
    assert {"@id": "https://w3id.org/workflowhub/workflow-ro-crate/1.0"} in about["conformsTo"]
    root = by_id["./"]
    assert root["@type"] == "Dataset"
    assert all(root[key] for key in ("name", "description", "datePublished", "license", "hasPart"))
    workflow = by_id[root["mainEntity"]["@id"]]
    assert set(workflow["@type"]) == {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    assert workflow["name"]
    language = by_id[workflow["programmingLanguage"]["@id"]]
    assert (language["@type"], language["name"]) == ("ComputerLanguage", "Snakemake")
    assert root["citation"] == {"@id": "https://doi.org/10.1109/TIFS.2019.2947867"}


def test_every_reference_leads_somewhere_and_every_file_is_there(clone):
    by_id = described(clone)
    for each in by_id.values():
        for reference in references({key: value for key, value in each.items() if key != "@id"}):
            assert reference in by_id or reference.startswith("https://"), reference
    files = {name for name, each in by_id.items() if "File" in each["@type"]}
    assert files == {part["@id"] for part in by_id["./"]["hasPart"]}
    for name in files:
        assert by_id[name]["contentSize"] == (clone / name).stat().st_size


def test_results_come_with_their_hashes_and_the_run_that_made_them(clone):
    by_id = described(clone)
    made = [part["@id"] for part in by_id["#run"]["result"]]
    assert made == ["results/claims.md", "results/tables/mine.csv"]
    for name in made:
        assert by_id[name]["sha256"] == file_hash(clone / name)
    (clone / "results" / "claims.md").write_text("# none holds\n")
    with pytest.raises(DamagedError, match="claims.md has SHA-256"):
        crate(clone)


def test_the_same_crate_has_the_same_bytes_on_a_given_day(clone, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    described(clone)
    first = (clone / METADATA).read_bytes()
    assert b'"datePublished": "1970-01-02"' in first
    described(clone)
    assert (clone / METADATA).read_bytes() == first


def test_elsewhere_there_is_no_crate(tmp_path):
    with pytest.raises(InputError, match="must be that of the project, with its Snakefile"):
        crate(tmp_path)
