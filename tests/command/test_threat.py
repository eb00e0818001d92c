"""Noise that cancels between neighbours: no command tells an ε without the words that say against whom it holds."""

import pytest

import radmm
from radmm.__main__ import main
from radmm.privacy.cancelling_noise import threat
from tests.command.example_plugin import DATA, FLAGS, plugin

NOISE = "objective,cancelling=1,colluders=1"
PUBLIC = ["--rows-per-node", "50", "--dimension", "3", "--algorithm", "admm"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A trace with its ledger beside it, as the workflow has them, and a classifier."""
    folder = tmp_path_factory.mktemp("threat")
    trace, classifier = folder / "traces" / "a.parquet", folder / "f.json"
    asked = ["--algorithm", "admm", "--noise", f"{NOISE},sigma=3", "--accountant", "renyi"]
    saved = ["--save-trace", str(trace), "--save-classifier", str(classifier)]
    assert main(["solve", *plugin(folder), *FLAGS, *DATA, *asked, *saved]) == 0
    return {"plugin": plugin(folder), "trace": str(trace), "ledger": str(folder / "ledgers" / "a.parquet"),
            "classifier": str(classifier)}  # fmt: skip


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        ["epsilon", *FLAGS, *PUBLIC, "--noise", f"{NOISE},sigma=3", "--accountant", "renyi"],
        ["epsilon", *FLAGS, *PUBLIC, "--noise", f"{NOISE},sigma=3", "--accountant", "all"],
        ["calibrate", *FLAGS, *PUBLIC, "--noise", NOISE, "--accountant", "renyi", "--epsilon", "1"],
        [
            "solve",
            "plugin",
            *FLAGS,
            *DATA,
            "--algorithm",
            "admm",
            "--noise",
            f"{NOISE},sigma=3",
            "--accountant",
            "renyi",
        ],
        ["inspect", "ledger"],
        ["inspect", "classifier"],
        ["compare", "trace", "trace", "--accountant", "renyi"],
    ],
    ids=["epsilon", "epsilon of all", "calibrate", "solve", "a ledger", "a classifier", "compare"],
)
def test_every_printed_total_says_against_whom_it_holds(made, arguments, as_json, capsys):
    known = [made.get(each, each) for each in arguments]
    flat = [each for item in known for each in (item if isinstance(item, list) else [item])]
    assert main([*flat, *(["--json"] if as_json else [])]) == 0
    assert threat(1) in capsys.readouterr().out


def test_calibrated_noise_that_cancels_spends_nearly_all_and_no_more(capsys):
    asked = [*FLAGS, *PUBLIC, "--accountant", "renyi"]
    assert main(["calibrate", *asked, "--noise", NOISE, "--epsilon", "1"]) == 0
    told = capsys.readouterr().out
    sigma = told.split("sigma = ")[1].split(",")[0]
    assert main(["epsilon", *asked, "--noise", f"{NOISE},sigma={sigma}", "--at-most", "1"]) == 0
    assert main(["epsilon", *asked, "--noise", f"{NOISE},sigma={sigma}", "--at-most", "0.99"]) == 1


def test_in_python_an_epsilon_says_against_whom_it_holds(small):
    noise = radmm.ObjectiveNoise(sigma=3.0, cancelling=1.0)
    network = radmm.Network([(i, (i + 1) % small.problem.nodes) for i in range(small.problem.nodes)])
    result = radmm.solve(small.problem, network, radmm.ADMM(), noise=noise, iterations=2, runs=1)
    assert threat(0) in str(result.epsilon(accountant="renyi"))
    assert threat(0) in str(radmm.epsilon(small.problem, network, radmm.ADMM(), noise, 2, accountant="renyi"))
    assert result.ledger.threat == threat(0)
    assert ".threat` names" in radmm.calibrate.__doc__
