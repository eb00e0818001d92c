"""Every column and field of every file is on the page that explains them, and none that no file has."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.base.store import read_metadata, read_record
from radmm.jobs.steps.audit import quadrature_audit
from radmm.jobs.steps.selection import COLUMNS
from radmm.model.losses.logistic import Logistic
from radmm.privacy.events import field_names
from radmm.results.accountant_ladder import ladder
from radmm.results.audit.red_team import contest
from radmm.results.claims.bodies_of_evidence import Body, ClaimReport
from radmm.results.claims.claim import Claim, MeasuredCase, Topic
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.statistics import Sample
from radmm.results.claims.verdict import Criteria, judge
from radmm.results.claims.verdicts_json import as_json
from radmm.results.frontier.answers import priced
from radmm.results.frontier.judgement import against_best, judged
from tests.conftest import ROOT
from tests.results.test_frontier import group

PAGE = (ROOT / "docs" / "formats.md").read_text()


def told(section, heading):
    """The names in the first column of the section's table that has this heading."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    (table,) = re.findall(rf"^\| {re.escape(heading)} \| meaning \|\n\|---\|---\|\n((?:\|.*\n?)+)", text, re.MULTILINE)
    names = [re.findall(r"`([^`]+)`", line.split(" | ")[0]) for line in table.splitlines()]
    return {name for line in names for name in line}


def any_of(folder, pattern):
    return sorted(folder.glob(pattern))[0]


@pytest.mark.parametrize(
    ("section", "pattern"),
    [
        ("Traces", "results/traces/r-admm-*.parquet"),
        ("Ledgers", "results/ledgers/r-admm-*.parquet"),
        ("Timings", "results/timings/mine.parquet"),
        ("Splits", "data/splits/*.parquet"),
    ],
)
def test_every_column_and_what_is_stored_beside_them(made_project, section, pattern):
    path = any_of(made_project, pattern)
    axes = {"split.seed"} if section == "Timings" else set()
    assert set(pd.read_parquet(path)) == told(section, "column") | axes
    assert set(read_metadata(path)) == told(section, "metadata")


def test_tables(made_project):
    path = made_project / "results" / "tables" / "mine.parquet"
    assert set(pd.read_parquet(path)) == told("Tables", "column") - {"noise.alpha"} | {"split.seed"}
    assert set(read_metadata(path)) == told("Tables", "metadata")


def test_settings(made_project):
    path = made_project / "results" / "settings.parquet"
    fields = read_metadata(any_of(made_project, "results/traces/*.parquet"))["setting"]
    others = {name for name in pd.read_parquet(path) if name.split(".")[0] not in fields}
    assert others == told("Settings", "column")
    assert set(read_metadata(path)) == told("Settings", "metadata")


def test_features(made_project):
    path = any_of(made_project, "data/*.parquet")
    about = read_metadata(path)
    assert set(pd.read_parquet(path)) - set(about["columns"]) <= told("Features", "column")
    assert set(about) == told("Features", "metadata")
    with np.load(any_of(made_project, "data/*.npz")) as rows:
        assert all(f"`{name}`" in PAGE.split("\n## Features\n")[1] for name in rows)


@pytest.mark.parametrize(
    ("section", "heading", "pattern"),
    [
        ("Networks", "`<network>.json`", "results/networks/*.json"),
        ("Partitions", "`<partition>.json`", "results/partitions/*.json"),
    ],
)
def test_facts(made_project, section, heading, pattern):
    assert set(json.loads(any_of(made_project, pattern).read_text())) == told(section, heading)


def test_calibrations_and_records(made_project):
    found = json.loads((made_project / "results" / "calibrations" / "mine.json").read_text())
    assert all(set(each) == told("Calibrations", "field") for each in found.values())
    search = json.loads(any_of(made_project, "results/searches/*.json").read_text())
    assert set(search) == told("Calibrations", "field") | told("Calibrations", "further field of a search")
    assert set(read_record(made_project / "results" / "settings.parquet")) == told("Records", "field")


def test_every_type_of_release():
    assert set(field_names()) | {"iteration", "node", "mechanism"} == told("Ledgers", "column")


def test_claims():
    case = MeasuredCase({"N": 5}, Claimed.LESS, Kind.ERROR, 1.0, False, Sample(10, -0.1, 0.01))
    claim = Claim("mine", "Mine", Topic.COST, "here", "fig5", "It is.", "it", "holds if so.", lambda _: [])
    criteria = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})
    body = Body("adult", "ten pairs", {"mine": judge(claim, [case], criteria)}, overlap=0.1)
    provenance = dict.fromkeys(("settings", "data", "code_of_traces", "code", "assumed"))
    content = as_json([ClaimReport(claim, (body,), body)], criteria, provenance)
    assert set(content) == told("Claims", "field")
    (entry,) = content["claims"]
    assert set(entry) == told("Claims", "field of a claim")
    assert set(entry["cases"][0]) == told("Claims", "field of a case")


def test_tuned_studies():
    assert set(COLUMNS) == told("Tuned runs", "column")
    measured, about = group("one", (0.2, 0.1))
    table = judged([(measured, about), group("another", (0.3, 0.1))])
    study = priced(against_best(table), table)
    assert {*study, "guarantee"} == told("Tuned studies", "column")
    assert set(about) <= told("Tuned runs", "metadata")


def test_red_team():
    assert set(contest.AttackScore(contest.ATTACKS[0], contest.RESEARCH, 1, 0, 0, 1.0, 0.0).row()) == told(
        "Red team", "column"
    )


def test_audit_and_ladder():
    assert set(next(quadrature_audit()).row()) == told("Audit", "column")
    assert set(next(ladder())) == told("Ladder", "column")


def test_classifiers(tmp_path):
    radmm.Classifier(np.array([1.0, 2.0]), Logistic()).save(tmp_path / "f.json")
    assert set(json.loads((tmp_path / "f.json").read_text())) == told("Classifiers", "field")
