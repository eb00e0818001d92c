"""Which settings share a job; and that a job does what is missing, all of it, and nothing twice."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import radmm.jobs.input_files
import radmm.jobs.steps.solve
import radmm.jobs.up_to_date
from radmm.base.store import DamagedError, content_hash, fault, provenance, read_metadata, read_record, write_json
from radmm.data.prepared_files import read_features, read_split, write_edges, write_features, write_split
from radmm.data.source import Features
from radmm.data.split import split_rows
from radmm.data.topology import make_edges
from radmm.jobs.batches import make_batches
from radmm.jobs.estimates import estimated_megabytes, estimated_seconds, table_megabytes, table_seconds
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.batch import run_batch
from radmm.study.entries import Entry
from radmm.study.searches import searches_of
from radmm.study.setting_facts import network_size
from tests.conftest import make_data
from tests.made_settings import made_setting


def setting(seed=0, split=0, train=30, nodes=3, rho=0.4, **others):
    given = {
        "split": {"train": train, "test": None, "seed": split},
        "network": {"law": "ring", "nodes": nodes},
        "problem": {"C": 5.0, "rho": rho},
        "seed": seed,
    }
    return made_setting(**given | others)


def planned(*settings):
    """Settings as an experiment has them."""
    return [Entry("a", "A", {}, each) for each in settings]


def one_batch(*settings):
    entries = planned(*settings)
    (batch,) = make_batches({"a": entries}, 1e6, searches_of(entries)).values()
    return batch


def sources(path):
    """The names of the files that a file was made of, as its record says."""
    return {Path(name).name for name in read_record(path)["made_of"]}


def members(batches):
    return sorted(sorted(batch.settings) for batch in batches.values())


def test_every_setting_is_in_one_batch_that_shares_data_and_experiments():
    both = planned(setting(seed=1))
    other = {"name": "synthetic", "rows": 60, "features": 3, "seed": 0}
    a = planned(setting(seed=2), setting(seed=4, split=1), setting(seed=5, nodes=4), setting(seed=2, data=other))
    b = planned(setting(seed=6))
    batches = make_batches({"a": a + both, "b": b + both}, seconds=1e6, searches={})
    one, other_split, other_network, other_data, own, shared = (each.id for each in a + b + both)
    alike = sorted([one, other_split, other_network])
    assert members(batches) == sorted([alike, [other_data], [own], [shared]])


def test_settings_of_one_split_and_network_follow_each_other_and_in_it_those_of_one_problem():
    grid = itertools.product(range(5), (0, 1), (3, 4), (0.3, 0.4))
    batch = one_batch(*(setting(seed, split, nodes=nodes, rho=rho) for seed, split, nodes, rho in grid))
    seen = [(each.split.seed, each.network.nodes, each.problem.rho) for each in batch.settings.values()]
    for depth, number in ((1, 2), (2, 4), (3, 8)):
        assert len(list(itertools.groupby(each[:depth] for each in seen))) == number


def test_a_batch_knows_which_searches_find_the_noise_of_its_budgets():
    budget = {"kind": "objective", "law": "exponential-norm", "total_bound": 9.0}
    entries = planned(setting(seed=1, noise=budget), setting(seed=3, noise=budget), setting(seed=2))
    found = searches_of(entries)
    (batch,) = make_batches({"b": entries, "a": entries}, 1e6, found).values()
    assert batch.searches == {entry.id: found[entry.id].name for entry in entries[:2]}
    assert one_batch(setting(seed=2)).searches == {}


def test_a_batch_takes_no_longer_than_asked_for_unless_one_setting_does():
    grid = planned(*(setting(seed=seed) for seed in range(100)))
    each = estimated_seconds(setting())
    sizes = [len(batch.settings) for batch in make_batches({"a": grid}, 10 * each * 1.001, {}).values()]
    assert sum(sizes) == 100
    assert 5 < np.mean(sizes) <= max(sizes) <= 10
    assert all(len(batch.settings) == 1 for batch in make_batches({"a": grid}, 0, {}).values())


@pytest.mark.parametrize("new", [{}, {"split": 2}, {"nodes": 5}, {"split": 9}], ids=str)
def test_one_more_setting_changes_one_batch(new):
    grid = planned(*(setting(seed, seed % 3, nodes=3 + seed % 2) for seed in range(200)))
    seconds = 20 * estimated_seconds(setting(nodes=4))
    grown = grid + planned(setting(777, **new))
    before, after = (make_batches({"a": settings}, seconds, {}) for settings in (grid, grown))
    assert len(before) > 10
    assert len(set(before) - set(after)) == 1
    assert len(set(after) - set(before)) in (1, 2)  # the batch grew, or was halved


def test_batches_depend_on_nothing_but_the_settings():
    grid = planned(*(setting(seed=seed, rho=0.1 + seed % 3) for seed in range(50)))
    one, two = make_batches({"a": grid}, 1.0, {}), make_batches({"a": grid[::-1]}, 1.0, {})
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
    assert table_seconds(1, 0) < table_seconds(2, 0) < table_seconds(2, 1)
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
    nodes, assumed = network_size(setting(network=network))
    assert nodes == edges.max() + 1
    assert 0.8 * len(edges) < assumed < 1.5 * len(edges)


def test_a_network_from_a_file_has_as_many_nodes_as_the_file(tmp_path):
    (tmp_path / "edges").write_text("".join(f"{node} {node + 1}\n" for node in range(499)))
    from_file = setting(network={"law": "file", "path": str(tmp_path / "edges")})
    assert estimated_megabytes([from_file]) == estimated_megabytes([setting(nodes=500)])


class Work:
    """A folder in which batches can run, on two splits and two networks."""

    def __init__(self, folder):
        self.folder, self.traces, self.cache = folder, folder / "traces", folder / ".resume"
        self.inputs = InputFiles(folder / "data", folder / "networks")
        matrix, labels, _ = make_data(row_counts=(20, 20))
        features = Features(matrix, [f"x{index}" for index in range(matrix.shape[1])], labels, {})
        write_features(folder / "table.parquet", self.paths().features, features, classes=2)
        for seed in (0, 1):
            write_split(self.paths(split=seed).split, split_rows(40, 30, None, seed))
        for nodes in (3, 4):
            write_edges(self.paths(nodes=nodes).network, make_edges({"law": "ring", "nodes": nodes}))

    def paths(self, **options):
        return self.inputs.paths(setting(**options))

    def run(self, *settings, **options):
        """As Snakemake does: outputs of an earlier job are removed first."""
        batch = one_batch(*settings)
        private = [name for name, each in batch.settings.items() if each.noise is not None]
        outputs = {
            "traces": [self.traces / f"{name}.parquet" for name in batch.settings],
            "ledgers": [self.traces.with_name("ledgers") / f"{name}.parquet" for name in private],
        }
        for path in (path for part in outputs.values() for path in part if path.is_file()):
            path.unlink()
        paths = [self.inputs.paths(each) for each in batch.settings.values()]
        sources = {"features": [path.features for path in paths], "networks": [path.network for path in paths]}
        noise = [self.folder / "searches" / f"{name}.json" for name in set(batch.searches.values())]
        with provenance():
            run_batch(batch, searches=noise, cache=self.cache, **sources, **outputs, **options)
        return batch

    def trace(self, setting):
        return self.traces / f"{setting.id}.parquet"

    def contents(self):
        """Of all traces and ledgers, and of their records."""
        kinds = (self.traces, self.traces.with_name("ledgers"))
        paths = (path for kind in kinds for path in kind.rglob("*") if path.is_file())
        return {path.relative_to(self.folder): path.read_bytes() for path in paths}


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
    assert {path.stem for path in before} == set(batch.settings)
    work.run(setting(1), setting(2), setting(3))
    assert sorted(solved) == [1, 2, 3]
    assert all(path.read_bytes() == content for path, content in before.items())
    (work.cache / "traces" / next(iter(before)).name).unlink()
    work.run(setting(1), setting(2), setting(3))
    assert len(solved) == 4


def test_the_bytes_do_not_depend_on_the_batch(work, tmp_path_factory):
    """Two splits, two networks, two problems and noise: traces, ledgers and records are those of single jobs."""
    noise = {"kind": "objective", "alpha": 0.5}
    grid = [setting(1, split, nodes=nodes) for split in (0, 1) for nodes in (3, 4)]
    grid += [setting(2, rho=0.3), setting(3, rho=0.3, noise=noise), setting(4, 1, noise=noise)]
    work.run(*grid)
    alone = Work(tmp_path_factory.mktemp("alone"))
    for one in grid[::-1]:
        alone.run(one)
    assert len(work.contents()) == 2 * (len(grid) + 2)
    assert work.contents() == alone.contents()


def test_settings_are_solved_with_the_job_s_threads(work, monkeypatch):
    asked = []
    solve = radmm.jobs.steps.solve.solve_problem

    def noting(*arguments, threads, **options):
        asked.append(threads)
        return solve(*arguments, threads=threads, **options)

    monkeypatch.setattr(radmm.jobs.steps.solve, "solve_problem", noting)
    work.run(setting(1), setting(2), threads=3)
    work.run(setting(3))
    assert asked == [3, 3, 1]


def test_a_trace_is_made_of_its_own_split_and_network_alone(work):
    grid = [setting(1, split, nodes=nodes) for split in (0, 1) for nodes in (3, 4)]
    work.run(*grid)
    for one in grid:
        stored, trace = work.inputs.paths(one), work.trace(one)
        assert sources(trace) == {path.name for path in stored}
        rows = read_split(stored.split)
        assert read_metadata(trace)["hashes"]["split"] == content_hash(rows.train, rows.test)


def test_features_and_each_split_are_read_once(work, monkeypatch):
    read = []

    def counting(reader):
        return lambda path: (read.append(path), reader(path))[1]

    monkeypatch.setattr(radmm.jobs.input_files, "read_features", counting(read_features))
    monkeypatch.setattr(radmm.jobs.steps.solve, "read_split", counting(read_split))
    work.run(*(setting(seed, split) for seed in range(3) for split in (0, 1)))
    assert read == [work.paths().features, work.paths().split, work.paths(split=1).split]


@pytest.mark.parametrize("kind", ["split", "network"])
@pytest.mark.parametrize("fault", ["missing", "changed"])
def test_a_split_or_network_that_cannot_be_read_stops_its_own_settings_alone(work, solved, kind, fault, capsys):
    other = {"split": 1} if kind == "split" else {"nodes": 4}
    path = getattr(work.paths(**other), kind)
    if fault == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes() + b"more")
    grid = [setting(1), setting(2, **other), setting(3, **other)]
    with pytest.raises(SystemExit, match=r"^error: 2 of 3 settings failed$"):
        work.run(*grid)
    said = capsys.readouterr().err
    reason = "is missing" if fault == "missing" else "has SHA-256"
    for one in grid[1:]:  # the same sentence for both, although the file has been set aside since
        assert f"{one.id} failed: {path} {reason}" in said
    assert said.count("it can't be used, and the next run makes it again") == 2
    assert solved == [1]
    assert list(work.traces.glob("[!.]*")) == []


def test_features_that_cannot_be_read_are_told_once(work, solved):
    work.paths().features.write_bytes(b"no rows")
    with pytest.raises(DamagedError, match=r"adult\.npz has SHA-256 .* the next run makes it again$"):
        work.run(setting(1), setting(2, 1))
    assert solved == []


def test_a_split_that_is_another_now_makes_its_own_traces_outdated(work, solved):
    grid = [setting(1), setting(2, split=1), setting(3, nodes=4)]
    work.run(*grid)
    write_split(work.paths(split=1).split, split_rows(40, 30, None, 7))
    work.run(*grid)
    assert sorted(solved) == [1, 2, 2, 3]


@pytest.mark.parametrize("change", ["code", "network", "not a trace"])
def test_an_outdated_trace_is_made_again(work, solved, change, monkeypatch):
    work.run(setting(1))
    if change == "code":
        for module in (radmm.jobs.up_to_date, radmm.jobs.steps.solve):
            monkeypatch.setattr(module, "solver_digest", lambda _: "another")
    elif change == "network":
        write_edges(work.paths().network, np.array([[0, 1], [1, 2]]))
    else:
        next((work.cache / "traces").glob("[!.]*")).write_text("half of it")
    work.run(setting(1))
    work.run(setting(1))
    assert solved == [1, 1]


def test_one_failure_does_not_stop_the_others(work, solved, capsys):
    with pytest.raises(SystemExit, match="1 of 3 settings failed"):
        work.run(setting(1), setting(13), setting(2))
    assert len(list((work.cache / "traces").glob("[!.]*"))) == 2
    assert list(work.traces.glob("[!.]*")) == []  # a job hands over all traces or none
    assert f"{setting(13).id} failed: ZeroDivisionError: bad luck\n" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        work.run(setting(1), setting(13), setting(2))
    assert sorted(solved) == [1, 2, 13, 13]


def test_a_trace_that_cannot_be_replaced_does_not_stop_the_others(work, solved):
    (work.cache / "traces" / f"{setting(1).id}.parquet").mkdir(parents=True)
    with pytest.raises(SystemExit, match="1 of 2 settings failed"):
        work.run(setting(1), setting(2))
    assert solved == [2]


def test_what_a_killed_job_was_writing_is_removed(work):
    traces = work.cache / "traces"
    traces.mkdir(parents=True)
    ours, anothers = (traces / f".partial.{setting(seed).id}.abcd.parquet" for seed in (1, 2))
    ours.touch()
    anothers.touch()
    work.run(setting(1))
    assert not ours.exists()
    assert anothers.exists()


def test_a_budget_is_solved_with_the_noise_that_was_found(work, solved):
    budget = {"kind": "objective", "law": "exponential-norm", "total_bound": 9.0}
    asked = setting(1, noise=budget)
    (name,) = (search.name for search in searches_of(planned(asked)).values())

    def run(alpha):
        found = {"noise": {"kind": "objective", "alpha": alpha}, "total_bound": 9.0}
        write_json(work.folder / "searches" / f"{name}.json", found)
        work.run(asked)
        (trace,) = work.traces.glob("[!.]*")
        return read_metadata(trace)

    stored = run(0.5)
    assert (stored["id"], stored["asked"]) == (asked.id, asked.overrides)
    assert stored["asked"]["noise"] == {"kind": "objective", "total_bound": 9.0}
    assert stored["setting"] == asked.to_json() | {"noise": {"kind": "objective", "alpha": 0.5}}
    run(0.5)  # calibrated anew, to the same
    assert len(solved) == 1
    assert run(0.25)["setting"]["noise"]["alpha"] == 0.25
    assert len(solved) == 2


def test_a_trace_has_its_second_name_and_a_record_of_its_own(work):
    (one,) = work.run(setting(1)).settings
    kept, trace = work.cache / "traces" / f"{one}.parquet", work.traces / f"{one}.parquet"
    assert kept.stat().st_ino == trace.stat().st_ino
    made_of = [{(path.parent / name).resolve() for name in read_record(path)["made_of"]} for path in (kept, trace)]
    assert made_of[0] == made_of[1] == {path.resolve() for path in work.paths()}


def test_where_a_disk_has_no_hard_links_a_trace_is_copied(work, monkeypatch):
    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    (one,) = work.run(setting(1)).settings
    kept, trace = work.cache / "traces" / f"{one}.parquet", work.traces / f"{one}.parquet"
    assert kept.stat().st_ino != trace.stat().st_ino
    assert kept.read_bytes() == trace.read_bytes()
    assert not fault(trace)
