"""Which settings share a job; and that a job does what is missing, all of it, and nothing twice."""

import json

import numpy as np
import pytest

import radmm.jobs.steps.solve
from radmm.base.store import read_metadata, write_json
from radmm.data.files import write_edges, write_features, write_split
from radmm.data.source import Features
from radmm.data.split import split_rows
from radmm.data.topology import make_edges
from radmm.jobs.batches import make_batches, read_batch, write_batches
from radmm.jobs.estimates import estimated_megabytes, estimated_seconds, network_size, table_megabytes, table_seconds
from radmm.jobs.plan import BATCHES
from radmm.jobs.steps.batch import batch as run_batch
from radmm.study.settings import StudySetting
from tests.conftest import make_data


def setting(seed=0, split=0, train=30, nodes=3, rho=0.4, **others):
    return {
        "data": "adult",
        "split": {"train": train, "test": None, "seed": split},
        "network": {"law": "ring", "nodes": nodes},
        "partition": {"law": "even"},
        "problem": {"loss": "logistic", "C": 5.0, "rho": rho, "weighting": "nodes"},
        "algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5},
        "noise": None,
        "iterations": 3,
        "tolerance": 1e-8,
        "runs": 2,
        "seed": seed,
        "initial_scale": 1.0,
        **others,
    }


def planned(*settings):
    """Settings as an experiment has them; what was asked is here all that there is."""
    return [StudySetting("a", "A", {}, parameters, parameters) for parameters in settings]


def setting_id(parameters):
    (only,) = planned(parameters)
    return only.id


def one_batch(*settings):
    (batch,) = make_batches({"a": planned(*settings)}, 1e6).values()
    return batch


def members(batches):
    return sorted(sorted(batch.settings) for batch in batches.values())


def test_every_setting_is_in_one_batch_that_shares_split_network_and_experiments():
    both = planned(setting(seed=1))
    a = planned(setting(seed=2), setting(seed=3), setting(seed=4, split=1), setting(seed=5, nodes=4))
    b = planned(setting(seed=6))
    batches = make_batches({"a": a + both, "b": b + both}, seconds=1e6)
    one, two, other_split, other_network, own, shared = (each.id for each in a + b + both)
    assert members(batches) == sorted([sorted([one, two]), [other_split], [other_network], [own], [shared]])


def test_a_batch_knows_where_the_noise_of_its_budgets_is():
    budget = {"kind": "objective", "law": "exponential-norm", "total_bound": 9.0}
    settings = planned(setting(seed=1, noise=budget), setting(seed=2))
    assert {batch.calibrations for batch in make_batches({"b": settings, "a": settings}, 1e6).values()} == {"a"}
    assert one_batch(setting(seed=2)).calibrations is None


def test_a_batch_takes_no_longer_than_asked_for_unless_one_setting_does():
    grid = planned(*(setting(seed=seed) for seed in range(100)))
    each = estimated_seconds(setting())
    sizes = [len(batch.settings) for batch in make_batches({"a": grid}, 10 * each * 1.001).values()]
    assert sum(sizes) == 100
    assert 5 < np.mean(sizes) <= max(sizes) <= 10
    assert all(len(batch.settings) == 1 for batch in make_batches({"a": grid}, 0).values())


def test_one_more_setting_changes_one_batch():
    grid = planned(*(setting(seed=seed) for seed in range(200)))
    seconds = 20 * estimated_seconds(setting())
    before, after = (make_batches({"a": settings}, seconds) for settings in (grid, grid + planned(setting(seed=777))))
    assert len(before) > 10
    assert len(set(before) - set(after)) == 1
    assert len(set(after) - set(before)) in (1, 2)  # the batch grew, or was halved


def test_batches_depend_on_nothing_but_the_settings():
    grid = planned(*(setting(seed=seed, rho=0.1 + seed % 3) for seed in range(50)))
    one, two = make_batches({"a": grid}, 1.0), make_batches({"a": grid[::-1]}, 1.0)
    assert one.keys() == two.keys()
    assert all(list(one[name].settings) == list(two[name].settings) for name in one)


def test_costs_grow_with_what_they_should():
    base = setting()
    larger = [
        setting(iterations=6),
        setting(runs=20),
        setting(nodes=50),
        setting(network={"law": "grid", "rows": 9, "columns": 9}),
        setting(network={"law": "complete", "nodes": 4}),
        setting(algorithm={"name": "admm", "penalty": 1.0}),
        setting(train=3000),
    ]
    assert all(estimated_seconds(other) > estimated_seconds(base) for other in larger)
    assert estimated_megabytes([base, setting(nodes=5000)]) == estimated_megabytes([setting(nodes=5000)])
    assert estimated_megabytes([base]) < estimated_megabytes([setting(nodes=5000)])
    assert table_seconds([base]) < table_seconds([base, base]) < table_seconds([base, setting(noise={"alpha": 1.0})])
    assert table_megabytes([base]) < table_megabytes([base, base]) < table_megabytes([setting(iterations=8)] * 2)


@pytest.mark.parametrize(
    "network",
    [
        {"law": "complete", "nodes": 9},
        {"law": "grid", "rows": 3, "columns": 4},
        {"law": "small-world", "nodes": 10, "neighbours": 4, "probability": 0.2, "seed": 0},
        {"law": "erdos-renyi", "nodes": 30, "probability": 0.5, "seed": 0},
        {"law": "star", "nodes": 6},
    ],
    ids=lambda network: network["law"],
)
def test_a_network_has_about_as_many_edges_as_its_cost_assumes(network):
    edges = make_edges(network)
    nodes, assumed = network_size({"network": network})
    assert nodes == edges.max() + 1
    assert 0.8 * len(edges) < assumed < 1.5 * len(edges)


def test_a_network_from_a_file_has_as_many_nodes_as_the_file(tmp_path):
    (tmp_path / "edges").write_text("".join(f"{node} {node + 1}\n" for node in range(499)))
    from_file = setting(network={"law": "file", "path": str(tmp_path / "edges")})
    assert estimated_megabytes([from_file]) == estimated_megabytes([setting(nodes=500)])


def test_a_plan_keeps_every_batch(tmp_path):
    batches = make_batches({"a": planned(*(setting(seed=seed) for seed in range(20)))}, 0.5)
    write_batches(tmp_path / BATCHES, batches.values(), ["mine.py"])
    assert len(batches) > 5
    assert all(read_batch(tmp_path / BATCHES, name) == (batch, ["mine.py"]) for name, batch in batches.items())


class Work:
    """A folder in which batches can run."""

    def __init__(self, folder):
        self.folder, self.traces, self.marker = folder, folder / "traces", folder / "marker.json"
        matrix, labels, _ = make_data(row_counts=(20, 20))
        features = Features(matrix, [f"x{index}" for index in range(matrix.shape[1])], labels, {})
        write_features(folder / "table.parquet", folder / "rows.npz", features, classes=2)
        write_split(folder / "split.parquet", split_rows(40, 30, None, 0))
        write_edges(folder / "edges", np.array([[0, 1], [1, 2], [0, 2]]))

    def run(self, *settings):
        batch = one_batch(*settings)
        write_batches(self.folder / BATCHES, [batch])
        files = {"features": "rows.npz", "split": "split.parquet", "network": "edges", "calibrations": "noise"}
        inputs = {name: self.folder / file for name, file in files.items()}
        run_batch(self.folder, batch.name, **inputs, traces=self.traces, marker=self.marker)
        return batch


@pytest.fixture
def work(tmp_path):
    return Work(tmp_path)


@pytest.fixture
def solved(monkeypatch):
    """The seeds of the settings that are really solved, in order; a seed of 13 brings bad luck."""
    seeds = []
    solve = radmm.jobs.steps.solve.solve_problem

    def counting(*arguments, seed, **options):
        seeds.append(seed)
        if seed == 13:
            raise ZeroDivisionError("bad luck\nand more of it")
        return solve(*arguments, seed=seed, **options)

    monkeypatch.setattr(radmm.jobs.steps.solve, "solve_problem", counting)
    return seeds


def test_what_is_done_is_not_done_again(work, solved):
    batch = work.run(setting(1), setting(2))
    before = {path: path.read_bytes() for path in work.traces.glob("[!.]*")}
    assert sorted(solved) == [1, 2]
    assert set(json.loads(work.marker.read_text())["settings"]) == set(batch.settings)
    work.run(setting(1), setting(2), setting(3))
    assert sorted(solved) == [1, 2, 3]
    assert all(path.read_bytes() == content for path, content in before.items())
    next(iter(before)).unlink()
    work.run(setting(1), setting(2), setting(3))
    assert len(solved) == 4


def test_the_bytes_do_not_depend_on_the_batch(work, tmp_path_factory):
    other_problem = setting(3, rho=0.3)
    work.run(setting(1), setting(2), other_problem)
    alone = Work(tmp_path_factory.mktemp("alone"))
    for one in (other_problem, setting(2), setting(1)):
        alone.run(one)
    assert {path.name: path.read_bytes() for path in work.traces.glob("[!.]*")} == {
        path.name: path.read_bytes() for path in alone.traces.glob("[!.]*")
    }


@pytest.mark.parametrize("change", ["code", "network", "not a trace"])
def test_an_outdated_trace_is_made_again(work, solved, change, monkeypatch):
    work.run(setting(1))
    if change == "code":
        monkeypatch.setattr(radmm.jobs.steps.solve, "solver_digest", lambda _: "another")
    elif change == "network":
        write_edges(work.folder / "edges", np.array([[0, 1], [1, 2]]))
    else:
        next(work.traces.glob("[!.]*")).write_text("half of it")
    work.run(setting(1))
    work.run(setting(1))
    assert solved == [1, 1]


def test_one_failure_does_not_stop_the_others(work, solved, capsys):
    with pytest.raises(SystemExit, match="1 of 3 settings failed"):
        work.run(setting(1), setting(13), setting(2))
    assert len(list(work.traces.glob("[!.]*"))) == 2
    assert not work.marker.exists()
    assert f"{setting_id(setting(13))} failed: ZeroDivisionError: bad luck\n" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        work.run(setting(1), setting(13), setting(2))
    assert sorted(solved) == [1, 2, 13, 13]


def test_a_trace_that_cannot_be_replaced_does_not_stop_the_others(work, solved):
    (work.traces / f"{setting_id(setting(1))}.parquet").mkdir(parents=True)
    with pytest.raises(SystemExit, match="1 of 2 settings failed"):
        work.run(setting(1), setting(2))
    assert solved == [2]


def test_what_a_killed_job_was_writing_is_removed(work):
    work.traces.mkdir()
    ours, anothers = (work.traces / f".partial.{setting_id(setting(seed))}.abcd.parquet" for seed in (1, 2))
    ours.touch()
    anothers.touch()
    work.run(setting(1))
    assert not ours.exists()
    assert anothers.exists()


def test_a_budget_is_solved_with_the_noise_that_was_found(work, solved):
    budget = {"kind": "objective", "law": "exponential-norm", "total_bound": 9.0}
    asked = setting(1, noise=budget)
    (work.folder / "noise").mkdir()

    def run(alpha):
        found = {setting_id(asked): {"noise": {"kind": "objective", "alpha": alpha}, "total_bound": 9.0}}
        write_json(work.folder / "noise" / "a.json", found)
        work.run(asked)
        (trace,) = work.traces.glob("[!.]*")
        return read_metadata(trace)

    stored = run(0.5)
    assert (stored["id"], stored["asked"]) == (setting_id(asked), asked)
    assert stored["setting"] == asked | {"noise": {"kind": "objective", "alpha": 0.5}}
    run(0.5)  # calibrated anew, to the same
    assert len(solved) == 1
    assert run(0.25)["setting"]["noise"]["alpha"] == 0.25
    assert len(solved) == 2


def test_a_batch_has_another_word_when_traces_are_lost_and_only_then(work, tmp_path):
    batch = work.run(setting(1), setting(2))
    markers, there = tmp_path / "markers", set(batch.settings)
    assert batch.find_losses(there, markers).losses == ""
    markers.mkdir()
    write_json(markers / f"{batch.name}.json", json.loads(work.marker.read_text()))
    assert batch.find_losses(there, markers).losses == ""
    one, two = ({name} for name in batch.settings)
    word = batch.find_losses(there - one, markers).losses
    assert word
    assert batch.find_losses(there - two, markers).losses != word
    write_json(markers / f"{batch.name}.json", {"losses": word})
    assert batch.find_losses(there, markers).losses == word  # the run with that word is over
    assert batch.find_losses(there - one, markers).losses not in ("", word)  # and one is lost again
