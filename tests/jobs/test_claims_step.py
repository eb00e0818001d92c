"""The step from a config and its traces to the two files."""

import json

import numpy as np
import pytest
import yaml

from radmm.base.store import write_parquet
from radmm.jobs.calibrations import calibrated, write_calibrations
from radmm.jobs.steps.claims import claims
from radmm.jobs.steps.solve import solver_digest
from radmm.jobs.study import Study
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import ASSUMED
from radmm.privacy.ledger import ledger_of
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.verdict import Criteria, Word
from radmm.study.experiment_sets import JUDGED, ExperimentSet
from radmm.study.grids import merge
from radmm.study.setting_facts import known_facts, known_row_counts, query_log_of
from tests.conftest import ROOT
from tests.made_traces import as_trace

CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
SMOKE = merge(CONFIG, yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text()))
CRITERIA = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})
OUTPUTS = {"markdown": "md", "full": "json", "pdf": "pdf", "png": "png"}
CAVEAT = "Not covered by ε: the maxima of 6 columns and which rows are complete were taken from the data."


def paper_part(study):
    return {name: study.experiments[name] for name in study.named(*JUDGED)}


def noise_of(study, folder, *names):
    return [folder / "calibrations" / f"{name}.json" for name in names if study.searches(name)]


def write_traces(study, folder):
    """Noise, with the bounds of a real trace: what a verdict says of it doesn't matter here."""
    for name in study.named(*JUDGED):
        for entry in calibrated(study.experiments[name], noise_of(study, folder, name)):
            setting = entry.setting
            shape = setting.runs, setting.iterations + 1
            noise = np.random.default_rng(len(entry.label)).uniform(1, 2, shape)
            columns = dict.fromkeys(["loss", "error_rate", "distance", "consensus", "passes"], noise)
            columns["privacy_loss"] = np.tile(np.arange(shape[1]) / shape[1], (shape[0], 1))
            origin = {"id": setting.id, "setting": setting.to_json(), "code": solver_digest(setting)}
            metadata = origin | {"hashes": {"data": "rows"}, "caveat": CAVEAT}
            write_parquet(folder / "traces" / f"{setting.id}.parquet", as_trace(columns), metadata)
            if setting.noise is not None:
                write_parquet(folder / "ledgers" / f"{setting.id}.parquet", planned(entry).columns(), metadata)


def test_the_config_has_what_every_claim_needs(tmp_path):
    experiments = paper_part(Study.of(CONFIG))
    for setting in experiments["fig5_epsilon"]:
        write_parquet(tmp_path / f"{setting.id}.parquet", planned(setting).columns(), {})
    for claim in CLAIMS:
        evidence = Evidence(experiments, tmp_path, tmp_path)
        checks = list(claim.checks(evidence))
        assert (claim.name, evidence.missing) == (claim.name, [])
        assert len(checks) > 1
        assert len({tuple(check.at) for check in checks}) == 1  # the same axes
        assert len({str(check.at) for check in checks}) == len(checks)


def planned(entry):
    """The ledger of what a run will release, as no data are needed for it."""
    setting = entry.setting
    return ledger_of(query_log_of(setting), known_facts(setting), setting.known_noise)


def test_the_shipped_noises_spend_the_same_epsilon_and_ours_no_more():
    spent = {
        setting.label: ShiftAccountant().epsilon(planned(setting), 1e-5)
        for setting in Study.of(CONFIG).experiments["fig5_epsilon"]
    }
    assert 0.799 < min(spent.values()) < max(spent.values()) <= 0.8
    assert max(spent["R-ADMM"], spent["MR-ADMM"]) <= min(spent["ADMM"], spent["M-ADMM"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    study, folder = Study.of(SMOKE), tmp_path_factory.mktemp("smoke")
    for name in study.named(ExperimentSet.PAPER):
        for path in noise_of(study, folder, name):
            found = {setting: study.search_of[setting].find(known_row_counts) for setting in study.searches(name)}
            write_calibrations(path, found)
    write_traces(study, folder)
    judge(study, folder, "claims")
    return study, folder


def judge(study, folder, name):
    experiments = paper_part(study)
    ids = {setting.id for settings in experiments.values() for setting in settings}
    read = {
        "calibrations": noise_of(study, folder, *experiments),
        "traces": [folder / "traces" / f"{one}.parquet" for one in ids],
        "features": [folder / "data" / "x.npz"],  # which are gone, so that they are not compared
        "networks": [folder / "networks" / "x.edges"],
    }
    written = {key: folder / f"{name}.{end}" for key, end in OUTPUTS.items()}
    claims(experiments, CRITERIA, [], "0123456789abcdef", **read, **written)


def test_every_claim_gets_a_verdict(made):
    study, folder = made
    full = json.loads((folder / "claims.json").read_text())
    assert [entry["name"] for entry in full["claims"]] == [claim.name for claim in CLAIMS]
    for entry in full["claims"]:
        assert (entry["verdict"] == Word.NOT_TESTED) == (entry["cases"] == [])
        assert entry["cases"] or entry["not_tested"]
    assert set(full["settings"]) <= {setting.id for settings in paper_part(study).values() for setting in settings}
    assert (full["data"], len(full["code"])) == (["rows"], 16)
    used = {each.id: each.setting for entries in paper_part(study).values() for each in entries}
    assert full["code_of_traces"] == sorted({solver_digest(used[name]) for name in full["settings"]})
    assert full["assumed"] == f"{ASSUMED} {CAVEAT}"
    assert full["assumed"] in (folder / "claims.md").read_text()


def test_the_same_traces_give_the_same_bytes(made):
    study, folder = made
    judge(study, folder, "again")
    for ending in OUTPUTS.values():
        assert (folder / f"again.{ending}").read_bytes() == (folder / f"claims.{ending}").read_bytes()
