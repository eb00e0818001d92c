"""`radmm total`: several publications from the same rows."""

import json
from pathlib import Path

import numpy as np
import pytest

import radmm
from radmm.__main__ import main
from radmm.base.errors import InputError
from radmm.base.store import write_parquet
from radmm.privacy.guarantee import guarantee_of
from radmm.privacy.relation import Neighbours, Relation
from radmm.publication.composition import ResearchRun, shared_seed, total_of
from tests.conftest import make_data

NETWORK = radmm.Network(np.array([[0, 1], [1, 2], [2, 0]]))
REPLACE = Relation()


@pytest.fixture(scope="module")
def problem():
    features, labels, node = make_data(row_counts=(60, 40, 50), dimension=5)
    return radmm.Problem(features, labels, node, C=10.0, rho=0.2)


@pytest.fixture(scope="module")
def releases(problem):
    algorithm = radmm.DGD(step=0.01)
    return [
        radmm.release(problem, NETWORK, algorithm, radmm.GradientNoise(sigma=s), t) for s, t in ((3.0, 12), (5.0, 4))
    ]


def research(problem, sigma, seed, runs=1, algorithm=None):
    ledger = radmm.ledger(problem, NETWORK, algorithm or radmm.DGD(step=0.01), radmm.GradientNoise(sigma=sigma), 12)
    return ResearchRun(f"{seed}.parquet", ledger, seed, runs)


def test_releases_add_their_rho(releases):
    total = total_of(releases, [], 1e-5, REPLACE)
    assert max(each.guarantee for each in releases) < total < sum(each.guarantee for each in releases)
    assert total_of(releases[:1], [], 1e-5, REPLACE) == releases[0].guarantee
    assert total.data_steps == 16
    assert "taking all files to be about the same rows" in str(total)


def test_two_releases_cost_as_much_as_one_that_is_twice_as_long(problem, releases):
    longer = radmm.release(problem, NETWORK, radmm.DGD(step=0.01), radmm.GradientNoise(sigma=3.0), 24)
    assert total_of([releases[0]] * 2, [], 1e-5, REPLACE) == pytest.approx(longer.guarantee, rel=1e-9)


def test_a_research_run_alone_costs_what_its_accountant_says(problem):
    run = research(problem, 3.0, 0)
    assert total_of([], [run], 1e-5, REPLACE) == pytest.approx(guarantee_of(run.ledger, 1e-5, "renyi"), rel=1e-8)


def test_runs_and_files_compose(problem):
    one, two = research(problem, 3.0, 0), research(problem, 3.0, 0, runs=2)
    both = total_of([], [one, research(problem, 3.0, 1)], 1e-5, REPLACE)
    assert total_of([], [two], 1e-5, REPLACE) == pytest.approx(both, rel=1e-12)
    assert both > total_of([], [one], 1e-5, REPLACE)


def test_a_release_among_research_runs_counts_by_its_rho(problem, releases):
    """At every order of Rényi's divergence it costs what continuous noise of the same size would, but for the grid."""
    run, like = research(problem, 3.0, 0), research(problem, 3.0, 1)
    mixed = total_of(releases[:1], [run], 1e-5, REPLACE)
    assert mixed == pytest.approx(total_of([], [run, like], 1e-5, REPLACE), rel=2e-3)
    assert "renyi" in str(mixed)
    assert "in exact arithmetic" in str(mixed)


def test_the_worst_node_of_each_counts_even_if_it_is_another_one(problem):
    """A row may be at one run's worst node and at another's, too, as rows are spread anew for each."""
    first, second = (
        ResearchRun(f"{seed}", radmm.ledger(problem, NETWORK, radmm.DGD(), radmm.GradientNoise(sigma=sigma), 4), seed)
        for seed, sigma in ((0, (1.0, 9.0, 9.0)), (1, (9.0, 9.0, 1.0)))
    )
    same = ResearchRun("2", first.ledger, 2)
    assert total_of([], [first, second], 1e-5, REPLACE) >= 0.9 * total_of([], [first, same], 1e-5, REPLACE)


def test_another_relation_is_refused(releases):
    with pytest.raises(InputError, match="^a release is labelled for replacing one row: must be for zeroing"):
        total_of(releases, [], 1e-5, Relation(Neighbours.ZERO_OUT))


def test_shared_seeds_are_noticed(problem):
    runs = [research(problem, 3.0, seed) for seed in (0, 1, 0)]
    assert shared_seed(runs) == ("0.parquet", "0.parquet", 0)
    assert shared_seed(runs[:2]) is None


def written(folder, run, runs=1):
    path = folder / "ledgers" / f"{run.seed}-{len(list(folder.glob('ledgers/*.parquet')))}.parquet"
    path.parent.mkdir(exist_ok=True)
    write_parquet(path, run.ledger.columns(), {"setting": {"seed": run.seed, "runs": runs}, "caveat": ""})
    return str(path)


def test_the_command_adds_up_releases_and_ledgers(tmp_path, problem, releases, capsys):
    for place, each in enumerate(releases):
        each.save(tmp_path / f"{place}.json")
    files = [str(tmp_path / "0.json"), str(tmp_path / "1.json")]
    assert main(["total", *files, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["privacy"]
    assert told["total_epsilon"] == total_of(releases, [], 1e-5, REPLACE)
    assert told["accountant"] == "zcdp"
    run = research(problem, 3.0, 4)
    assert main(["total", *files, written(tmp_path, run), "--delta", "1e-6", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["privacy"]
    assert told["total_epsilon"] == total_of(releases, [run], 1e-6, REPLACE)


def test_a_trace_counts_all_runs_that_it_holds(tmp_path, problem, capsys):
    run = research(problem, 3.0, 4)
    ledger = written(tmp_path, run, runs=5)
    trace = tmp_path / "traces" / Path(ledger).name
    trace.parent.mkdir()
    write_parquet(trace, {"x": np.arange(3)}, {"setting": {"seed": 4, "runs": 5}, "caveat": ""})
    for file, runs in ((ledger, 1), (str(trace), 5)):
        assert main(["total", file, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)["privacy"]["total_epsilon"]
        assert told == pytest.approx(total_of([], [research(problem, 3.0, 4, runs)], 1e-5, REPLACE), rel=1e-12)


def test_the_command_refuses_research_files_that_share_a_seed(tmp_path, problem, capsys):
    files = [written(tmp_path, research(problem, sigma, 7)) for sigma in (3.0, 4.0)]
    assert main(["total", *files]) == 2
    assert "share the seed 7: must not. Settings that share a seed share their draws" in capsys.readouterr().err
    files[1] = written(tmp_path, research(problem, 4.0, 8))
    assert main(["total", *files]) == 0


def test_a_study_says_what_every_run_would_cost(tmp_path, problem, capsys):
    for seed in (0, 1):
        written(tmp_path, research(problem, 3.0, seed), runs=5)
    assert main(["total", str(tmp_path)]) == 0
    assert "all 10 runs of the 2 settings with noise" in capsys.readouterr().out
    written(tmp_path, research(problem, 4.0, 1), runs=5)
    (tmp_path / "traces").mkdir()
    for place in range(4):
        (tmp_path / "traces" / f"{place}.parquet").touch()
    assert main(["total", str(tmp_path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert "share the seed 1" in told["refusals"][0]
    assert told["refusals"][1] == "1 settings have no noise, and hence no guarantee."
    expected = [research(problem, sigma, seed, 5) for seed, sigma in ((0, 3.0), (1, 3.0), (2, 4.0))]
    assert told["privacy"]["total_epsilon"] == pytest.approx(total_of([], expected, 1e-5, REPLACE))


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (["none.json"], "must be the file of a classifier"),
        (["none.parquet"], "must be a release (.json), or a trace or ledger (.parquet), that there is"),
        (["empty"], "must be the results of a study"),
        (["plain.parquet"], "must be a trace or a ledger, which tells its setting"),
        (["plain.parquet", "plain.parquet"], "a file is given twice"),
        (["trace.parquet"], "has no ledger"),
    ],
)
def test_files_that_can_t_be_added_up_are_refused(tmp_path, capsys, files, sentence):
    (tmp_path / "empty").mkdir()
    write_parquet(tmp_path / "plain.parquet", {"x": np.arange(3)}, {})
    write_parquet(tmp_path / "trace.parquet", {"x": np.arange(3)}, {"setting": {"seed": 0, "runs": 1}})
    assert main(["total", *[str(tmp_path / file) for file in files]]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1


FORGED = {
    "a smaller ρ": lambda label: label["privacy_loss"].update(rho="0.0001", epsilon=0.1),
    "a negative ρ": lambda label: label["privacy_loss"].update(rho="-1"),
    "no number": lambda label: label["privacy_loss"].update(rho="NaN"),
    "an infinite ρ": lambda label: label["privacy_loss"].update(rho="Infinity"),
    "a text": lambda label: label["privacy_loss"].update(rho="little"),
    "a smaller ε": lambda label: label["privacy_loss"].update(epsilon=0.1),
    "no loss": lambda label: label.pop("privacy_loss"),
    "no answers": lambda label: label["algorithm"].update(answers=[]),
    "no noise": lambda label: label["algorithm"]["answers"][0]["answers"][0].update(sigma=0),
    "fewer than no answers": lambda label: label["algorithm"]["answers"][0]["answers"].append(
        {"count": -9, "sensitivity": 1, "sigma": 1}
    ),
}


@pytest.mark.parametrize("command", ["total", "inspect"])
@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_label_that_doesn_t_add_up_is_refused(tmp_path, releases, capsys, change, command):
    releases[0].save(tmp_path / "it.json")
    content = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))
    assert main([command, str(tmp_path / "it.json")]) == 0
    change(content["made"]["privacy_label"])
    (tmp_path / "it.json").write_text(json.dumps(content), encoding="utf-8")
    assert main([command, str(tmp_path / "it.json")]) == 2
    said = capsys.readouterr().err
    assert "ρ and ε of its privacy label must be what its answers spend" in said
    assert len(said.splitlines()) == 1


def test_no_rows_of_a_person_are_refused(tmp_path, problem, releases, capsys):
    releases[0].save(tmp_path / "it.json")
    written(tmp_path, research(problem, 3.0, 0))
    for files in (tmp_path / "it.json", tmp_path):
        assert main(["total", str(files), "--person-rows", "0"]) == 2
        assert capsys.readouterr().err.startswith("radmm: rows = 0: must be a whole number, at least 1")
