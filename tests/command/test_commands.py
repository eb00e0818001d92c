"""What the commands say: text, JSON, exit codes."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import radmm
from radmm.__main__ import COMMANDS, main
from radmm.base.store import read_metadata
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.guarantee import NOT_FOR_RELEASE, SHARED_DRAWS, rounded_up
from tests.command.example_plugin import DATA, FLAGS, plugin, solved

pytestmark = pytest.mark.xdist_group("commands")

PUBLIC = [*FLAGS, "--rows-per-node", "50", "--dimension", "3", "--algorithm", "r-admm,gamma=0.5"]
NOISE = ["--noise", "objective,sigma=3"]


def asked(capsys, *arguments, code=0):
    assert main([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two settings that were solved, with all that can be saved."""
    folder = tmp_path_factory.mktemp("results")
    for name, algorithm in (("a", "r-admm"), ("b", "admm")):
        saved = ["--save-trace", f"{folder}/traces/{name}.parquet", "--save-classifier", f"{folder}/{name}.json"]
        more = ["--save-plot", f"{folder}/{name}.{'png' if name == 'a' else 'pdf'}"]
        assert solved(folder, "--algorithm", algorithm, *NOISE, *saved, *more) == 0
    features = radmm.load_plugin(folder / "coins.py").Coins().build(None)
    table = pd.DataFrame(features.matrix, columns=features.columns).assign(label=features.labels.astype(int))
    table.to_csv(folder / "coins.csv", index=False)
    return folder


def test_a_command_runs_as_a_process(results):
    command = [sys.executable, "-m", "radmm", "solve", *plugin(results), *FLAGS, *DATA, "--algorithm", "admm"]
    assert "training loss" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_weighting_rows_alike_spares_all_the_small_nodes_noise(capsys):
    small = [*FLAGS, "--rows-per-node", "500,500,500,20", "--dimension", "3", "--algorithm", "admm", *NOISE]
    nodes, rows = (asked(capsys, "epsilon", *small, "--weighting", weighting) for weighting in ("nodes", "rows"))
    assert nodes["node"] == 3
    assert rows["total_epsilon"] < 0.2 * nodes["total_epsilon"]


@pytest.mark.parametrize("command", [module.__name__.rpartition(".")[2] for module in COMMANDS])
def test_help_has_examples_and_exit_codes(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert f"\n  radmm {command}" in told
    assert "exit code: 0" in told
    assert "--json" in told


def problem():
    rng = np.random.default_rng(1)
    features = rng.standard_normal((200, 3)) / 9
    return radmm.Problem(features, np.sign(features[:, 0]), np.arange(200) % 4, C=10.0, rho=0.5)


RING = radmm.Network([[0, 1], [1, 2], [2, 3], [3, 0]])


@pytest.mark.parametrize(
    ("accountant", "scale"), [("shift", {"sigma": 3.0}), ("renyi", {"alpha": 2.0}), ("pure", {"alpha": 2.0})]
)
def test_epsilon_is_what_python_says(capsys, accountant, scale):
    noise = radmm.ObjectiveNoise(**scale)
    ((name, value),) = scale.items()
    said = asked(capsys, "epsilon", *PUBLIC, "--noise", f"objective,{name}={value}", "--accountant", accountant)
    expected = radmm.epsilon(problem(), RING, radmm.RADMM(gamma=0.5), noise, 6, accountant=accountant)
    assert said["total_epsilon"] == expected
    assert (said["accountant"], said["neighbours"]) == (accountant, "replace")
    assert said["delta"] == (0.0 if accountant == "pure" else 1e-5)
    assert (said["iterations"], said["data_steps"]) == (6, 3)


def test_epsilon_in_words_names_relation_delta_and_what_it_assumes(capsys):
    assert main(["epsilon", *PUBLIC, *NOISE, "--neighbours", "zero-out"]) == 0
    told = capsys.readouterr().out
    assert "in total at δ = 1e-05, for zeroing out one row, by the shift accountant" in told
    assert "taking each argmin as exact" in told


def test_rows_may_differ_between_nodes(capsys):
    few = asked(capsys, "epsilon", *PUBLIC, *NOISE, "--rows-per-node", "50,50,20,50", "--accountant", "renyi")
    even = asked(capsys, "epsilon", *PUBLIC, *NOISE, "--rows-per-node", "20", "--accountant", "renyi")
    assert few["node"] == 2
    assert few["total_epsilon"] == even["total_epsilon"]


def test_all_accountants_and_those_that_refuse(capsys):
    said = asked(capsys, "epsilon", *PUBLIC, *NOISE, "--accountant", "all")
    by_name = {each["accountant"]: each for each in said}
    assert by_name["paper"]["total_epsilon"] is None
    assert "can't bound gaussian" in by_name["paper"]["refusal"]
    assert by_name["shift"]["total_epsilon"] < by_name["renyi"]["total_epsilon"]


@pytest.mark.parametrize(("limit", "code"), [("100", 0), ("0.001", 1)])
def test_whether_a_budget_is_kept_is_the_exit_code(capsys, limit, code):
    asked(capsys, "epsilon", *PUBLIC, *NOISE, "--accountant", "renyi", "--at-most", limit, code=code)
    asked(capsys, "epsilon", *PUBLIC, *NOISE, "--accountant", "paper", "--at-most", limit, code=1)  # refuses


def test_all_accountants_are_a_table_with_their_conditions_once_below(capsys):
    assert main(["epsilon", *PUBLIC, *NOISE, "--accountant", "all"]) == 0
    table, conditions = capsys.readouterr().out.split("\n\n")
    head, *rows = table.splitlines()
    assert head.split() == ["accountant", "total", "ε", "δ", "node", "that", "sets", "it"]
    assert [row.split()[0] for row in rows] == sorted(ACCOUNTANTS)
    said = {each["accountant"]: each for each in asked(capsys, "epsilon", *PUBLIC, *NOISE, "--accountant", "all")}
    for name, *numbers in (row.split(maxsplit=3) for row in rows):
        known = said[name]["total_epsilon"]
        assert numbers[:2] == (["none", "the"] if known is None else [rounded_up(known), "1e-05"])
    assert conditions.startswith("Each for replacing one row; 6 iterations, of which 3 touch data;")
    assert conditions.count("exact arithmetic") == 1


@pytest.mark.parametrize(("limit", "word"), [("100", "below"), ("0.001", "above")])
def test_the_distance_to_a_budget_is_that_of_the_printed_total(capsys, limit, word):
    main(["epsilon", *PUBLIC, *NOISE, "--accountant", "renyi", "--at-most", limit])
    told = capsys.readouterr()
    total = float(re.search(r"ε = (\S+) in total", told.out)[1])
    assert told.err == f"The total is {abs(total - float(limit)):.4g} {word} --at-most {float(limit):g}.\n"


def test_calibrate_is_what_python_says(capsys):
    said = asked(capsys, "calibrate", *PUBLIC, "--epsilon", "2", "--accountant", "renyi")
    algorithm = radmm.RADMM(gamma=0.5)
    noise = radmm.calibrate(problem(), RING, algorithm, radmm.ObjectiveNoise, 6, epsilon=2.0, accountant="renyi")
    assert said["noise"] == {"kind": "objective", "law": "gaussian", "sigma": noise.sigma}
    assert 0.99 * 2 <= said["total_epsilon"] <= 2


def test_a_solve_is_what_python_gives_and_says_what_it_spends(results, capsys):
    assert solved(results, "--algorithm", "r-admm", *NOISE, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    trace = pd.read_parquet(results / "traces" / "a.parquet")
    last = trace[trace["iteration"] == 6]
    assert said["last"]["loss"]["mean"] == pytest.approx(last["loss"].mean(), rel=1e-14)
    assert said["last"]["error_rate"]["std"] == pytest.approx(last["error_rate"].std(), rel=1e-12)
    made = radmm.load_plugin(results / "coins.py").Coins().build(None)
    assert said["privacy"]["total_epsilon"] == radmm.epsilon(
        problem(), RING, radmm.RADMM(), radmm.ObjectiveNoise(sigma=3.0), 6
    )
    assert said["data"] == made.facts


def test_the_summary_fits_a_screen_and_has_epsilon_relation_and_delta(results, capsys):
    assert solved(results, "--algorithm", "r-admm", *NOISE) == 0
    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 24
    for part in ("ε = ", "δ = 1e-05", "for replacing one row", "test error", "ring, nodes = 4", "200 training rows"):
        assert part in told


def test_without_noise_no_guarantee_is_printed(results, capsys):
    assert solved(results, "--algorithm", "admm", "--noise", "none") == 0
    told = capsys.readouterr().out
    assert "without noise there is no guarantee" in told
    assert "ε" not in told


CONFIG = """
shipped: false
defaults:
  data: coins
  split: {train: 200, test: 40}
  network: {law: ring, nodes: 4}
  problem: {C: 10, rho: 0.5}
  iterations: 6
  runs: 2
experiments:
  mine:
    figure: comparison
    settings:
      R: {algorithm: {name: r-admm}, noise: {kind: objective, alpha: [1.0, 2.0]}}
      A: {algorithm: {name: admm}, noise: {kind: objective, total_bound: {same_as: R}}}
      plain: {algorithm: {name: admm}}
"""


@pytest.fixture
def study(results):
    (results / "my.yaml").write_text(CONFIG)
    return [*plugin(results), "--config", str(results / "my.yaml")]


def test_an_entry_of_a_config(study, capsys):
    said = asked(capsys, "solve", *study, "--setting", "mine/plain")
    assert said["parameters"]["runs"] == 2
    assert said["setting"].startswith("admm-")


def test_flags_are_laid_over_an_entry(study, capsys):
    said = asked(
        capsys,
        "solve",
        *study,
        "--setting",
        "mine/R",
        "--noise",
        "alpha=0.5",
        "--set",
        "seed=7",
        "--accountant",
        "pure",
    )
    assert said["parameters"]["noise"] == {"kind": "objective", "alpha": 0.5}
    assert said["parameters"]["seed"] == 7


def test_a_grid_must_be_narrowed_and_its_ids_are_told(study, capsys):
    assert main(["epsilon", *study, "--setting", "mine/R"]) == 2
    told = capsys.readouterr().err
    assert "mine/R is a grid of 2 settings" in told
    chosen = next(word for word in told.split() if word.startswith("r-admm-"))
    said = asked(capsys, "epsilon", *study, "--setting", chosen, "--accountant", "paper")
    assert said["total_epsilon"] > 0


def test_a_bound_of_another_setting(study, capsys):
    said = [
        asked(capsys, "epsilon", *study, "--setting", f"mine/{label}", *noise, "--accountant", "paper")["total_epsilon"]
        for label, noise in (("R", ["--noise", "alpha=2.0"]), ("A", ["--noise", "total_bound=1.7"]))
    ]
    assert said[0] > 0
    assert said[1] == pytest.approx(1.7, rel=1e-6)


def test_compare_tells_parameters_and_scipys_interval(results, capsys):
    left, right = (results / "traces" / f"{name}.parquet" for name in "ab")
    said = asked(capsys, "compare", str(left), str(right), "--level", "0.9")
    assert said["differ"]["algorithm.name"] == ["r-admm", "admm"]
    assert "noise.sigma" not in said["differ"]
    for metric in ("loss", "error_rate"):
        one, other = (pd.read_parquet(path).query("iteration == 6")[metric].to_numpy() for path in (left, right))
        expected = stats.ttest_rel(one, other).confidence_interval(0.9)
        found = said["differences"][metric]
        assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high), rel=1e-12)
        assert found["mean"] == pytest.approx((one - other).mean(), rel=1e-12)
    assert said["privacy"][0]["total_epsilon"] < said["privacy"][1]["total_epsilon"]


def test_runs_that_are_no_pairs_are_not_compared(results, capsys):
    other = results / "traces" / "other.parquet"
    assert solved(results, "--algorithm", "admm", "--seed", "1", "--save-trace", str(other)) == 0
    capsys.readouterr()
    said = asked(capsys, "compare", str(results / "traces" / "a.parquet"), str(other), code=1)
    assert "differ in seed" in said["no_pairs"]
    assert said["differences"] == {}


def test_compare_by_id(results, capsys):
    said = asked(capsys, "compare", "a", "a", "--results", str(results), "--metric", "consensus")
    assert said["differ"] == {}
    assert said["differences"]["consensus"]["mean"] == 0.0


def test_predict_agrees_with_python(results, capsys, tmp_path):
    features = pd.read_csv(results / "coins.csv")
    classifier = radmm.Classifier.load(results / "a.json")
    assert classifier.columns == ("heads", "tails", "edge")
    assert (
        main(["predict", str(results / "a.json"), str(results / "coins.csv"), "--output", str(tmp_path / "p.csv")]) == 0
    )
    rows = features[["heads", "tails", "edge"]].to_numpy()
    written = pd.read_csv(tmp_path / "p.csv")
    np.testing.assert_array_equal(written["prediction"], classifier.predict(rows))
    np.testing.assert_allclose(written["probability"], classifier.probabilities(rows), rtol=1e-12)
    capsys.readouterr()
    said = asked(capsys, "predict", str(results / "a.json"), str(results / "coins.csv"), "--label", "label")
    assert said["metrics"]["error_rate"] == np.mean(classifier.predict(rows) != features["label"])


def test_a_classifier_says_how_it_was_made(results):
    made = radmm.Classifier.load(results / "a.json").made
    assert made["privacy"]["total_epsilon"] > 0
    assert made["parameters"]["algorithm"]["name"] == "r-admm"


@pytest.mark.parametrize(
    ("file", "kind", "key"),
    [
        ("traces/a.parquet", "the trace of a setting", "setting"),
        ("ledgers/a.parquet", "the ledger of a setting", "privacy"),
        ("a.json", "a classifier", "made"),
        ("a.png", "a figure", "settings"),
        ("b.pdf", "a figure", "code"),
    ],
)
def test_inspect_knows_the_file(results, capsys, file, kind, key):
    said = asked(capsys, "inspect", str(results / file))
    assert said["kind"].startswith(kind)
    assert said[key]
    assert main(["inspect", str(results / file)]) == 0
    assert kind in capsys.readouterr().out


def test_inspect_tells_how_a_trace_and_its_figure_were_made(results, capsys):
    said = asked(capsys, "inspect", str(results / "traces" / "a.parquet"))
    stored = read_metadata(results / "traces" / "a.parquet")
    assert (said["code"], said["is_of_this_code"]) == (stored["code"], True)
    figure = asked(capsys, "inspect", str(results / "a.png"))
    assert figure["settings"] == [said["id"]]
    assert figure["data"] == [said["hashes"]["data"]]


def test_a_strangers_file_is_1_and_a_broken_one_2(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("a,b\n")
    asked(capsys, "inspect", str(tmp_path / "x.csv"), code=1)
    for name in ("x.parquet", "x.png", "x.pdf", "x.npz", "x.edges", "x.json"):
        (tmp_path / name).write_bytes(b"\x89nonsense")
        assert main(["inspect", str(tmp_path / name)]) == 2
        assert f"{name} can't be read" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["traces/a.parquet", "a.json", "a.png", "b.pdf"])
def test_files_that_are_saved_say_that_they_are_not_for_release(results, capsys, file):
    assert main(["inspect", str(results / file)]) == 0
    assert NOT_FOR_RELEASE in capsys.readouterr().out


@pytest.mark.parametrize("file", ["a.png", "b.pdf"])
def test_a_picture_has_the_whole_guarantee(results, capsys, file):
    said = asked(capsys, "inspect", str(results / file))["disclaimer"]
    assert re.match(r"ε = .* in total at δ = 1e-05, for replacing one row, by the shift accountant .*exact", said)


def test_solve_says_what_no_epsilon_covers(results, tmp_path, capsys):
    saved = ["--save-classifier", f"{tmp_path}/f.json", "--save-trace", f"{tmp_path}/traces/t.parquet"]
    assert solved(results, "--algorithm", "admm", *NOISE, *saved) == 0
    told = capsys.readouterr()
    for name in ("training loss", "test error"):
        (line,) = (line for line in told.out.splitlines() if line.startswith(name))
        assert line.endswith("exact, and covered by no ε")
    assert told.err.count(NOT_FOR_RELEASE) == 2
    assert solved(results, "--algorithm", "admm") == 0
    assert "covered by no ε" not in capsys.readouterr().out  # as there is none


def test_compare_says_that_both_share_their_draws(results, tmp_path, capsys):
    first, second = (str(results / "traces" / f"{name}.parquet") for name in "ab")
    assert main(["compare", first, second]) == 0
    assert SHARED_DRAWS in capsys.readouterr().out
    other = str(tmp_path / "traces" / "other.parquet")
    assert solved(results, "--algorithm", "admm", *NOISE, "--seed", "7", "--save-trace", other) == 0
    assert main(["compare", first, other]) == 1
    assert SHARED_DRAWS not in capsys.readouterr().out
