from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import radmm
from radmm.base.store import write_parquet
from radmm.data.topology import make_edges
from radmm.metrics.metric import metric_columns
from radmm.model.losses.logistic import Logistic
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import ledger_of
from radmm.privacy.query_log import record_queries
from radmm.results.settings_table import settings_table
from radmm.results.tables import (
    DELTA,
    accountants_by_metric,
    experiment_table,
    read_ledger,
    setting_statistics,
    total_epsilons,
    with_one_type,
)
from radmm.study.entries import Entry
from radmm.study.noise_budget import noise_from_json
from radmm.study.settings import Setting

NETWORK = radmm.Network.from_edges(make_edges({"law": "ring", "nodes": 3}))
RENYI = f"epsilon_renyi_delta_{DELTA:g}"


def r_admm_ledger(noise, iterations):
    facts = PublicFacts.of(Logistic(), 5.0, 0.1, np.full(3, 10), NETWORK.degrees, 1, Weighting.NODES)
    return ledger_of(record_queries(radmm.RADMM(), NETWORK, iterations), facts, noise)


def trace(losses):
    """(run, iteration) losses as a trace."""
    runs, rows = np.indices(np.shape(losses))
    columns = {"run": runs.ravel(), "iteration": rows.ravel(), "loss": np.ravel(losses).astype(float)}
    return (
        pd.DataFrame(columns)
        .assign(privacy_loss=1.0, consensus=0.5)
        .reindex(columns=["run", "iteration", *metric_columns()])
    )


def test_statistics_by_hand():
    table = setting_statistics(trace([[1.0, 4.0], [3.0, np.nan], [8.0, 6.0]]))
    loss = table[table["metric"] == "loss"].set_index("iteration")
    assert loss.loc[0, ["n", "mean", "min", "max", "range"]].tolist() == [3, 4.0, 1.0, 8.0, 7.0]
    assert loss.loc[0, "std"] == np.std([1, 3, 8], ddof=1)
    assert loss.loc[1, ["n", "mean", "min", "max", "range"]].tolist() == [2, 5.0, 4.0, 6.0, 2.0]
    assert set(table["metric"]) == {"loss", "privacy_loss", "consensus"}


def test_iterations_that_no_run_reached_are_shown_as_such():
    loss = setting_statistics(trace([[1.0, np.nan], [2.0, np.nan]])).query("metric == 'loss'")
    assert loss["n"].tolist() == [2, 0]
    assert loss["mean"].isna().tolist() == [False, True]


@settings(deadline=None)
@given(arrays(np.float64, (4, 3), elements=st.floats(-1e6, 1e6) | st.just(np.nan)), st.floats(-10.0, 10.0))
def test_runs_that_agree_have_no_deviation(losses, same):
    losses[:, 0] = same
    table = setting_statistics(trace(losses)).query("metric == 'loss'").reset_index(drop=True)
    assert table["n"].tolist() == (~np.isnan(losses)).sum(axis=0).tolist()
    assert table["std"][0] == table["range"][0] == 0.0


@pytest.mark.parametrize(
    ("values", "kind", "stored"),
    [
        ([1, 2], pa.int64(), [1, 2]),
        ([1, None], pa.float64(), [1.0, None]),
        ([True, np.nan], pa.bool_(), [True, None]),
        ([2.0, [1.0, 3], None], pa.large_string(), ["2.0", "[1.0, 3]", None]),
        (["a", np.nan], pa.large_string(), ["a", None]),
    ],
)
def test_a_column_has_one_type(values, kind, stored, tmp_path):
    table = with_one_type(pd.DataFrame([{"some": value} for value in values]))
    write_parquet(tmp_path / "some.parquet", table, {})
    column = pq.read_table(tmp_path / "some.parquet")["some"]
    assert (column.type, column.to_pylist()) == (kind, stored)


PLAIN = {
    "data": "adult",
    "split": {"train": 30},
    "network": {"law": "ring", "nodes": 3},
    "partition": {"law": "even"},
    "problem": {"loss": "logistic", "C": 5.0, "rho": 0.1},
    "algorithm": {"name": "admm", "penalty": 1.0},
    "noise": None,
    "iterations": 4,
    "runs": 3,
}


def resolved(label, point, **parameters):
    return Entry("fig", label, point, Setting.from_json(PLAIN | parameters))


def test_settings_stand_below_each_other_with_their_points(tmp_path):
    settings = [resolved("two", {}, runs=2), resolved("one", {"noise.alpha": 2.0}, runs=1)]
    for setting in settings:
        write_parquet(tmp_path / f"{setting.id}.parquet", dict(trace([[1.0], [2.0]]).items()), {})
    settings.append(resolved("three", {"noise.alpha": {"per_node": [1, 2]}}, runs=2))
    table = experiment_table(settings, tmp_path, tmp_path)
    assert table.query("label == 'three'")["noise.alpha"].unique().tolist() == ['{"per_node":[1,2]}']
    table = experiment_table(settings[:2], tmp_path, tmp_path)
    assert table["label"].unique().tolist() == ["two", "one"]
    assert table.groupby("label")["noise.alpha"].first().isna().to_dict() == {"one": False, "two": True}
    assert list(table)[:5] == ["label", "setting", "noise.alpha", "iteration", "metric"]


def test_the_settings_table_holds_every_parameter():
    settings = [
        resolved("one", {}, noise={"kind": "objective", "alpha": 2.0}, split={"train": 33}),
        resolved("two", {}, noise={"kind": "objective", "alpha": [1.0, 2.0, 3.0]}, split={"train": 33}),
    ]
    table = settings_table({"fig": settings}, {})
    assert table["id"].tolist() == [setting.id for setting in settings]
    assert table["noise.alpha"].tolist() == ["2.0", "[1.0, 2.0, 3.0]"]
    assert table["split.train"].tolist() == [33, 33]
    assert settings_table({"fig": settings[:1]}, {})["noise.alpha"].tolist() == [2.0]


def test_budgets_stand_beside_the_papers_bound(tmp_path):
    """Every accountant's total, but for those that can't bound the noise."""
    for noise, missing in (
        (radmm.ObjectiveNoise(0.5), set()),
        (radmm.ObjectiveNoise(sigma=3.0), {"pure", "optimal-pure"}),
    ):
        ledger = r_admm_ledger(noise, 4)
        write_parquet(tmp_path / "ledger.parquet", dict(pd.DataFrame(ledger.columns()).items()), {})
        table = total_epsilons(read_ledger(tmp_path / "ledger.parquet")).set_index("metric")
        assert set(table.index) == {
            metric for metric, accountant in accountants_by_metric().items() if accountant.name not in missing
        }
        assert (table["iteration"] == 4).all()
        assert table.loc[RENYI, "mean"] == ACCOUNTANTS["renyi"]().epsilon(ledger, DELTA)


def test_every_setting_has_the_budget_of_its_own_releases(tmp_path):
    """Settings whose releases are the same share the work, others must not."""
    cases = {"weak": (0.5, 4), "again": (0.5, 4), "strong": (0.1, 4), "longer": (0.5, 6)}
    settings = [
        resolved(label, {}, noise={"kind": "objective", "alpha": alpha}, iterations=iterations, seed=seed)
        for seed, (label, (alpha, iterations)) in enumerate(cases.items())
    ]
    expected = {}
    for setting, (alpha, iterations) in zip(settings, cases.values(), strict=True):
        ledger = r_admm_ledger(radmm.ObjectiveNoise(alpha), iterations)
        expected[setting.label] = ACCOUNTANTS["renyi"]().epsilon(ledger, DELTA)
        write_parquet(tmp_path / f"{setting.id}.parquet", dict(trace([[1.0], [2.0]]).items()), {})
        (tmp_path / "ledgers").mkdir(exist_ok=True)
        columns = dict(pd.DataFrame(ledger.columns()).items())
        write_parquet(tmp_path / "ledgers" / f"{setting.id}.parquet", columns, {})
    table = experiment_table(settings, tmp_path, tmp_path / "ledgers")
    assert table[table["metric"] == RENYI].set_index("label")["mean"].to_dict() == expected
    assert len(set(expected.values())) == 3
    # Where curves would take too long the cap is told, under a name of its own.
    capped = experiment_table(settings, tmp_path, tmp_path / "ledgers", capped=True)
    assert not capped["metric"].eq("epsilon_shift_delta_1e-05").any()
    for relation in ("", "_zero-out"):
        means = [
            found[found["metric"] == f"epsilon_shift{kind}{relation}_delta_1e-05"].set_index("label")["mean"]
            for found, kind in ((table, ""), (capped, "-cap"))
        ]
        assert np.all(means[0] <= means[1] * 1.001)
        assert np.all(means[0] > 0.5 * means[1])
    # One whose noise was calibrated by the curves has them, among others with the same releases.
    asked = noise_from_json({"kind": "objective", "total_epsilon": 1.0, "delta": 1e-5})
    calibrated = replace(settings[0], setting=replace(settings[0].setting, calibrated_to=asked))
    for kind in (tmp_path, tmp_path / "ledgers"):
        write_parquet(kind / f"{calibrated.id}.parquet", pd.read_parquet(kind / f"{settings[0].id}.parquet"), {})
    told = experiment_table([calibrated, settings[1]], tmp_path, tmp_path / "ledgers", capped=True)
    of_label = told[told["metric"].str.startswith("epsilon_shift")].groupby("label")["metric"].agg(set)
    names = [f"epsilon_shift{{}}{relation}_delta_1e-05" for relation in ("", "_zero-out")]
    assert of_label["weak"] == {name.format("") for name in names}
    assert of_label["again"] == {name.format("-cap") for name in names}


def test_the_settings_table_tells_what_the_theorems_say():
    algorithm = {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}
    settings = [
        resolved("one", {}, algorithm=algorithm, noise=noise) for noise in (None, {"kind": "objective", "alpha": 2.0})
    ]
    plain, private = settings_table({"fig": settings}, {}).to_dict("records")
    assert plain["theory.margin"] < 0 < plain["theory.sufficient_gamma"]
    assert np.isnan(private["theory.margin"])
    assert private["theory.samples_private"].startswith("vacuous: its denominator is -")
