"""The step from a config and its traces to the two files."""

import json

import numpy as np
import pytest
import yaml

from radmm.base.store import write_parquet
from radmm.jobs.steps.claims import claims
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.verdict import Word
from radmm.study.expansion import merge
from radmm.study.resolution import resolve
from tests.conftest import ROOT
from tests.made_traces import as_trace

CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
SMOKE = merge(CONFIG, yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text()))


def paper_part(config):
    """As the rule has it: no study, and nothing that is left out."""
    named = config["experiments"].items()
    return {**config, "experiments": {name: part for name, part in named if part and not part.get("study")}}


def write_traces(config, folder):
    """Noise, with the bounds of a real trace: what a verdict says of it doesn't matter here."""
    for settings in resolve(config).values():
        for setting in settings:
            shape = setting.parameters["runs"], setting.parameters["iterations"] + 1
            noise = np.random.default_rng(len(setting.label)).uniform(1, 2, shape)
            columns = dict.fromkeys(["loss", "error_rate", "distance", "consensus", "passes"], noise)
            columns["privacy_loss"] = np.tile(np.arange(shape[1]) / shape[1], (shape[0], 1))
            metadata = {"hashes": {"data": "rows"}, "code": "solver"}
            write_parquet(folder / f"{setting.id}.parquet", as_trace(columns), metadata)


def test_the_config_has_what_every_claim_needs(tmp_path):
    experiments = resolve(paper_part(CONFIG))
    for claim in CLAIMS:
        evidence = Evidence(experiments, tmp_path)
        checks = list(claim.checks(evidence))
        assert (claim.name, evidence.missing) == (claim.name, [])
        assert len(checks) > 1
        assert len({tuple(check.at) for check in checks}) == 1  # the same axes
        assert len({str(check.at) for check in checks}) == len(checks)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    config, folder = paper_part(SMOKE), tmp_path_factory.mktemp("smoke")
    write_traces(config, folder)
    claims(config, folder, folder / "claims.md", folder / "claims.json")
    return config, folder


def test_every_claim_gets_a_verdict(made):
    config, folder = made
    full = json.loads((folder / "claims.json").read_text())
    assert [entry["name"] for entry in full["claims"]] == [claim.name for claim in CLAIMS]
    for entry in full["claims"]:
        assert (entry["verdict"] == Word.NOT_TESTED) == (entry["cases"] == [])
        assert entry["cases"] or entry["not_tested"]
    assert set(full["settings"]) <= {setting.id for settings in resolve(config).values() for setting in settings}
    assert (full["data"], full["code_of_traces"], len(full["code"])) == (["rows"], ["solver"], 16)


def test_the_same_traces_give_the_same_bytes(made):
    config, folder = made
    claims(config, folder, folder / "again.md", folder / "again.json")
    for ending in ("md", "json"):
        assert (folder / f"again.{ending}").read_bytes() == (folder / f"claims.{ending}").read_bytes()
