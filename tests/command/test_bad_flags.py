"""Bad input: one sentence on stderr and exit code 2, never a traceback."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radmm.__main__ import main
from radmm.command.setting_flags import section
from tests.command.example_plugin import FLAGS

PUBLIC = [*FLAGS, "--rows-per-node", "50", "--dimension", "3", "--accountant", "renyi"]
NOISY = ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["epsilom"], "COMMAND = epsilom: must be one of"),
        (["epsilon", "--nois", "x"], "unrecognized arguments"),
        (["epsilon", *PUBLIC], "algorithm is missing: must be given"),
        (["epsilon", *PUBLIC, "--algorithm", "r-admm"], "--noise: must be given"),
        ([*NOISY, "objective,total_epsilon=1,delta=1e-5"], "must give alpha or sigma; radmm calibrate finds them"),
        (["epsilon", *PUBLIC, "--algorithm", "r-adm", "--noise", "objective,alpha=1"], "did you mean r-admm?"),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm,gama=1"],
            "algorithm.gama is not a known field here: did you mean gamma?",
        ),
        (["epsilon", *PUBLIC, "--algorithm", "r-admm,gamma=-1"], "algorithm.gamma = -1"),
        (["epsilon", *PUBLIC, "--algorithm", "r-admm,gamma"], "'gamma' has no ="),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--C", "60"],
            "C = 60 is more than the 50 rows",
        ),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--delta", "2"],
            "delta = 2: must be above 0",
        ),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--rows-per-node", "50,50"],
            "one for each of 4 nodes",
        ),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--dimension", "0"],
            "--dimension 0: must be",
        ),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--person-rows", "0"],
            "rows = 0",
        ),
        (["epsilon", *PUBLIC, "--algorithm", "r-admm", "--set", "runs=3"], "must be a field of network, problem"),
        (["epsilon", *PUBLIC, "--algorithm", "r-admm", "--set", "problem"], "must be FIELD=VALUE"),
        (
            ["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "-1"],
            "total_epsilon = -1: must be a positive number",
        ),
        (["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "1", "--law", "x"], "law = 'x': must be one of"),
        (["calibrate", *PUBLIC, "--epsilon", "1", "--noise", "objective,alpha=1"], "as the command finds its scale"),
        (
            [
                "calibrate",
                *PUBLIC,
                "--algorithm",
                "r-admm",
                "--epsilon",
                "1",
                "--noise",
                "objective,cancelling=1,colluders=2",
            ],
            "colluders = 2: must be fewer than every node's neighbours, of which node 0 has 2",
        ),
        (
            ["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "1", "--iterations", "0"],
            "iterations = 0: must be",
        ),
        (
            ["epsilon", *PUBLIC, "--algorithm", "r-admm", "--noise", "objective,alpha=1", "--iterations", "0"],
            "iterations = 0: must be",
        ),
        (
            ["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "1e-9"],
            "total_epsilon = 1e-09 can't be met by any noise",
        ),
        (
            [*NOISY, "objective,sigma=1e-300"],
            "sigma: 1e-300 at data-touching step 1: must be from 1e-30 to 1e+30",
        ),
        ([*NOISY, "objective,sigma=1e308"], "must be from 1e-30 to 1e+30"),
        ([*NOISY, "objective,alpha=1e-320"], "must be"),
        ([*NOISY, "objective,sigma.scale=1,sigma.ratio=1e200"], "sigma: 1e+200 at data-touching step 1: must be from"),
        ([*NOISY, "objective,sigma=10,sigma=20"], "--noise 'objective,sigma=10,sigma=20': must give sigma once"),
        ([*NOISY, "objective,sigma=1,sigma.scale=2"], "must give sigma.scale once"),
        ([*NOISY, "objective,sigma=" + "[" * 3000], "must have at most 30 lists"),
        ([*NOISY, "objective,sigma=" + "[" * 20], "must be a list"),
        ([*NOISY, "objective,sigma=" + "[" * 500 + "x" + "]" * 500], "must have at most 30 lists"),
        ([*NOISY, "objective,sigma=" + "[" * 3000 + "]" * 3000], "must have at most 30 lists or sections within"),
        ([*NOISY, "objective,sigma=1", "--set", "problem.rho=" + "[" * 30000], "must have at most 30 lists"),
        (
            [*NOISY, "objective,sigma=1", "--set", "problem.rho=1", "--set", "problem.rho=2"],
            "must give problem.rho once",
        ),
        ([*NOISY, "objective,sigma=1", "--dimension", "1" + "0" * 21], "must be a whole number, from 1 to 10000000"),
        ([*NOISY, "objective,sigma=1", "--rows-per-node", "1" + "0" * 5000], "must be"),
        ([*NOISY, "objective,sigma=1", "--person-rows", "1" + "0" * 30], "must be"),
        ([*NOISY, "objective,sigma=1", "--iterations", "1" + "0" * 30], "must be"),
        ([*NOISY, "objective,sigma=1", "--network", "ring,nodes=1000000000000"], "network.nodes = 1000000000000: must"),
        (
            ["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "1e308"],
            "total_epsilon = 1e+308: must be",
        ),
        (["calibrate", *PUBLIC, "--algorithm", "r-admm", "--epsilon", "1e-320"], "total_epsilon = 9.99989e-321: must"),
        (["epsilon", "--setting", "nowhere/R"], "must name one of the experiments"),
        (["epsilon", "--setting", "fig5/nobody"], "must name one of the settings ADMM"),
        (["epsilon", "--setting", "r-admm-0000000000"], "no setting has this id"),
        (["epsilon", "--setting", "fig5/ADMM, not private"], "must have noise"),
        (["epsilon", "--config", "nowhere.yaml", "--setting", "a/b"], "nowhere.yaml: can't be read: No such file"),
        (["solve", "--config", "nowhere.yaml"], "--config: must come with --setting"),
        (["solve", *FLAGS, "--algorithm", "admm", "--data", "adlut", "--train", "9"], "did you mean adult?"),
        (["solve", *FLAGS, "--algorithm", "admm", "--save-plot", "x.doc"], "must end in .png, .pdf, .svg"),
        (["solve", *FLAGS, "--algorithm", "admm", "--threads", "0"], "--threads 0: must be at least 1"),
        (["solve", *FLAGS, "--algorithm", "admm", "--threads", "two"], "argument --threads: invalid int value: 'two'"),
        (["solve", "--plugin", "nowhere.py"], "is no Python file that can be read"),
        (["predict", "nowhere.json", "x.csv"], "must be the file of a classifier"),
        (["compare", "nobody", "nobody"], "must be a trace, or the id of one"),
        (["compare", "a", "b", "--level", "1"], "--level 1: must be above 0 and below 1"),
        (["inspect", "nowhere"], "must be a file that there is"),
    ],
)
def test_one_sentence_and_2(arguments, message, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert told.err.startswith("radmm: ")
    assert len(told.err) < 1000


TYPED = """
epsilon calibrate solve predict compare inspect check --noise --algorithm --network --rows-per-node --dimension --C --rho
--delta --set --json --epsilon --accountant --neighbours --setting --at-most r-admm objective,alpha=1 ring,nodes=4 nan 3
objective,sigma=1e-300 objective,sigma=1e308 objective,alpha=1e-320 --person-rows --iterations --loss softmax,classes=1e12
1e-320 1e308 1000000000000000000000 softmax,classes=1000000000000 objective,sigma=1,repair=1e-200 r-admm,penalty=1e300
objective,sigma=-1 50 -1 inf 1e400 x=1 problem.rho=0 a.b.c=[1 ,, = {} [] gamma=[1,2] renyi zero-out none é
"""
WORDS = st.sampled_from([*TYPED.split(), "", " ", "\0"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    command=st.sampled_from(["epsilon", "calibrate", "predict", "compare", "inspect"]),
    words=st.lists(WORDS, max_size=6),
)
def test_whatever_is_typed_there_is_no_traceback(command, words, capsys):
    base = [*PUBLIC, "--algorithm", "r-admm"] if command in ("epsilon", "calibrate") else []
    if "--help" in words or "-h" in words:
        return
    assert main([command, *base, *words]) in (0, 1, 2)
    told = capsys.readouterr()
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("flag", "text", "expected"),
    [
        (
            "algorithm",
            "mr-admm,penalty.scale=1,penalty.ratio=1.04",
            {"name": "mr-admm", "penalty": {"scale": 1, "ratio": 1.04}},
        ),
        ("noise", "objective,alpha.per_node=[1,2,3]", {"kind": "objective", "alpha": {"per_node": [1, 2, 3]}}),
        ("noise", "alpha=1e-3", {"alpha": 0.001}),
        ("data", "adult", "adult"),
        ("data", "name=csv, file=a b.csv", {"name": "csv", "file": "a b.csv"}),
        ("loss", "huber-hinge,width=0.5", {"name": "huber-hinge", "width": 0.5}),
    ],
)
def test_a_section_in_a_word(flag, text, expected):
    assert section(flag, text) == expected


@pytest.mark.parametrize("arguments", [["predict", "f.json", "x.csv"], ["inspect", "f.json"], ["check", "f.yaml"]])
def test_lists_in_lists_without_end_are_told(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("f.json", "f.yaml"):
        (tmp_path / name).write_text("[" * 30_000 + "]" * 30_000)
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert "must " in told
    assert len(told) < 300


def test_a_key_that_stands_twice_in_a_config_is_told(tmp_path, capsys):
    config = tmp_path / "twice.yaml"
    config.write_text("experiments:\n  mine: {figure: convergence, settings: {A: {runs: 1, runs: 2}}}\n")
    assert main(["check", str(config)]) == 2
    assert "line 2 has 'runs' again: line 2 has it already" in capsys.readouterr().err
