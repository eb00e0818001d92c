"""The config as it is written: what may stand there, what is refused and how, and the settings that come of it."""

import numpy as np
import pytest

from radmm.data.partitions.even import Even
from radmm.data.topology import make_edges
from radmm.model.losses.logistic import Logistic
from radmm.model.network import Network
from radmm.study.grids import expand, merge
from radmm.study.resolution import resolve
from radmm.study.setting_facts import known_facts
from tests.study.configs import WHOLE, complaints, one_experiment, only, with_change


@pytest.fixture
def config():
    return one_experiment()


def test_every_experiment_resolves():
    experiments = resolve(WHOLE)
    assert list(experiments) == list(WHOLE["experiments"])
    assert {"fig1a", "fig1b", "fig1c", "fig2", "fig3", "fig4", "fig5"} <= set(experiments)
    for name in ("fig5", "fig5_n20", "fig5_per_node"):
        known = {setting.id for setting in experiments[name] if setting.label == "R-ADMM"}
        asking = [setting for setting in experiments[name] if not setting.setting.is_calibrated]
        assert {setting.label for setting in asking} == {"ADMM", "M-ADMM"}
        assert {setting.setting.reference for setting in asking} == known


def test_an_experiment_has_defaults_of_its_own(config):
    experiment = config["experiments"]["fig5"]
    experiment["defaults"] = {"iterations": 8, "runs": 3}
    iterations = {setting.label: setting.parameters["iterations"] for setting in resolve(config)["fig5"]}
    assert iterations["R-ADMM"] == 8
    assert iterations["ADMM, stopped at T/2"] == 25
    experiment["defaults"] = {"runs": 0}
    (complaint,) = complaints(config)
    assert complaint.startswith("experiments.fig5.defaults.runs = 0: must be")


def test_an_experiment_can_be_left_out(config):
    config["experiments"]["other"] = None
    assert list(resolve(config)) == ["fig5"]


def test_the_default_config_resolves(config):
    settings = resolve(config)["fig5"]
    assert len(settings) == len({setting.id for setting in settings}) == 19
    labels = list(dict.fromkeys(setting.label for setting in settings))
    assert labels == list(config["experiments"]["fig5"]["settings"])


R_ADMM = "experiments.fig5.settings.R-ADMM"
BAD = [
    ("R-ADMM.algoritm", {}, f"{R_ADMM}.algoritm is not a known field here: did you mean algorithm?"),
    ("R-ADMM.algorithm.gama", 1, f"{R_ADMM}.algorithm.gama is not a known field here: did you mean gamma?"),
    ("ADMM.algorithm.gamma", 1, "experiments.fig5.settings.ADMM.algorithm.gamma is not a known field here: known are name, penalty"),
    ("defaults.network.node", 5, "defaults.network.node is not a known field here: did you mean nodes?"),
    ("defaults.iterations", "fifty", "defaults.iterations = 'fifty': must be a valid integer"),
    ("defaults.iterations", 0, "defaults.iterations = 0: must be greater than or equal to 1"),
    ("defaults.tolerance", 0, "defaults.tolerance = 0: must be greater than 0"),
    ("defaults.tolerance", 0.01, "defaults.tolerance = 0.01: must be less than or equal to 0.0001"),
    ("defaults.runs", 2.5, "defaults.runs = 2.5: must be a valid integer"),
    ("R-ADMM.noise.alpha", [2.0, 0], f"{R_ADMM}.noise.alpha = 0: must be a positive number, or {{per_node: [one positive number for each node]}}"),
    ("R-ADMM.noise.alpha", -1, f"{R_ADMM}.noise.alpha = -1: must be a positive number, or {{per_node: [one positive number for each node]}}"),
    ("R-ADMM.noise.alpha", {"per_node": [1.0, 2.0]}, f"{R_ADMM}: alpha: 2 values are given, but the network has 5 nodes: must be one for each"),
    ("R-ADMM.noise.alpha", [], f"{R_ADMM}: noise.alpha = []: a grid must list at least one value"),
    ("R-ADMM.noise.kind", "penalty", f"{R_ADMM}: penalty noise is defined for m-admm only, not for r-admm"),
    ("R-ADMM.noise.kind", "gauss", f"{R_ADMM}.noise.kind = 'gauss': must be one of gradient, moments, objective, output, penalty"),
    ("R-ADMM.algorithm.name", "radmm", f"{R_ADMM}.algorithm.name = 'radmm': must be one of admm, dgd, gradient-tracking, m-admm, mr-admm, one-shot, r-admm; did you mean r-admm?"),
    ("MR-ADMM.algorithm.penalty.ratio", 0.9, "experiments.fig5.settings.MR-ADMM: penalty decreases at node 0, from 0.9 to 0.81: it must not, so a ratio must be at least 1"),
    ("M-ADMM.algorithm.dual_step", 3, "experiments.fig5.settings.M-ADMM: dual_step = 3: must be positive and at most the penalty at every node; node 0 starts at 1.04"),
    ("R-ADMM.algorithm.penalty", 0.001, f"{R_ADMM}: the privacy bound needs 2 c1 < (B_i/C_i)(rho/N + 2 eta_i(1) V_i), but at node 0 the left side is 0.5 and the right side 0.210286: raise the penalty or lower C"),
    ("R-ADMM.algorithm", {"name": "dgd", "gossip": -1}, f"{R_ADMM}.algorithm.gossip = -1: must be greater than or equal to 0"),
    ("R-ADMM.algorithm", {"name": "dgd", "gossip": 10**6}, f"{R_ADMM}.algorithm.gossip = 1000000: must be less than or equal to 10000"),
    ("R-ADMM.problem.C", 9000, f"{R_ADMM}: C = 9000 is more than the 8000 rows of node 0: must be at most B_i everywhere"),
    ("R-ADMM.split.train", 3, f"{R_ADMM}: split.train = 3: must be at least 5, as each of 5 nodes needs a row"),
    ("R-ADMM.partition", {"law": "sizes", "per_node": [9000, 9000, 9000, 9000, 4001]}, f"{R_ADMM}: partition.per_node adds up to 40001 rows: must add up to split.train = 40000"),
    ("R-ADMM.partition", {"law": "sizes", "per_node": [10000, 10000, 10000, 9000, 1000]}, f"{R_ADMM}: C = 1750 is more than the 1000 rows of node 4: must be at most B_i everywhere"),
    ("R-ADMM.partition", {"law": "label-skew", "beta": 0.0}, f"{R_ADMM}.partition.beta = 0.0: must be greater than 0"),
    ("R-ADMM.problem.weighting", "row", f"{R_ADMM}.problem.weighting = 'row': must be one of nodes, rows; did you mean rows?"),
    ("R-ADMM.split.train", 50000, f"{R_ADMM}: split.train = 50000 and split.test = None: adult has 45222 rows, so together they must be at most that"),
    ("R-ADMM.network.probability", 0.001, f"{R_ADMM}: network.probability = 0.001: none of 50 random graphs on 5 nodes was connected; there must be more links"),
    ("ADMM.noise.total_bound", {"same_as": "RADMM"}, "experiments.fig5.settings.ADMM: noise.total_bound.same_as = 'RADMM': must be one of ['ADMM, not private', 'ADMM', 'M-ADMM', 'R-ADMM', 'MR-ADMM', 'ADMM, stopped at T/2', 'ADMM, growing η, stopped at T/2']"),
    ("R-ADMM.noise", "objective", f"{R_ADMM}.noise = 'objective': must be a section with fields of its own"),
    ("R-ADMM.algorithm", "admm", f"{R_ADMM}.algorithm = 'admm': must be a section with fields of its own"),
    ("defaults.network", 5, "defaults.network = 5: must be a section with fields of its own"),
    ("defaults.problem.rho", "1e-3", "defaults.problem.rho = '1e-3': must be a valid number; YAML takes this for text, so write it with a dot and a sign, like 1.0e-3"),
    ("defaults.iterations", 10**12, "defaults.iterations = 1000000000000: must be less than or equal to 100000"),
    ("ADMM.noise.total_bound", {"same_as": "M-ADMM"}, "experiments.fig5.settings.ADMM: noise.total_bound.same_as = 'M-ADMM': must have an alpha or a bound of its own"),
    ("ADMM.noise.total_bound", "much", "experiments.fig5.settings.ADMM.noise.total_bound = 'much': must be a positive number, or {same_as: the label of a setting of this experiment}"),
    ("ADMM.noise.total_bound", 0.5, "experiments.fig5.settings.ADMM: total_bound = 0.5 can't be met by any noise: the Jacobian term alone is 3.74572 at node 0 over 50 data-touching iterations"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "sentence"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_gets_one_sentence(config, path, value, sentence, monkeypatch):
    monkeypatch.setattr("radmm.data.topology.ATTEMPTS", 50)
    assert sentence in complaints(with_change(config, path, value))


@pytest.mark.parametrize(
    ("threads", "sentence"),
    [(0, "0: must be greater than or equal to 1"), (-2, "-2: must be"), (1.5, "1.5: must be a valid integer")],
)
def test_threads_of_batches_are_a_number_from_1(config, threads, sentence):
    (complaint,) = complaints({**config, "batches": {"threads": threads}})
    assert complaint.startswith(f"batches.threads = {sentence}")


def test_a_mistake_in_the_defaults_is_told_once(config):
    assert complaints(with_change(config, "defaults.runs", 0)) == [
        "defaults.runs = 0: must be greater than or equal to 1"
    ]


def test_missing_fields_are_named(config):
    del config["defaults"]["problem"]["C"]
    assert complaints(config) == ["defaults.problem.C is missing: must be given"]
    del config["experiments"]["fig5"]["settings"]["R-ADMM"]["algorithm"]["name"]
    assert f"{R_ADMM}.algorithm.name is missing: must be given" in complaints(config)


def test_alpha_and_total_bound_exclude_each_other(config):
    both = with_change(config, "R-ADMM.noise.total_bound", 3.0)
    assert any(
        "must give exactly one of alpha, sigma, total_bound and total_epsilon" in line for line in complaints(both)
    )


def test_one_mistake_is_one_sentence(config):
    everywhere = complaints(with_change(config, "defaults.problem.C", 9000))
    sentence = "C = 9000 is more than the 8000 rows of node 0: must be at most B_i everywhere"
    assert everywhere == [f"experiments.fig5.settings.ADMM, not private and 4 more: {sentence}"]
    assert len(complaints(with_change(config, "R-ADMM.noise.alpha", -1))) == 1  # not again where R-ADMM is referred to


@pytest.mark.parametrize("name", ["my exp", "a/b", "..", "-x", "a.*|b", ""])
def test_an_experiment_must_be_a_file_name(config, name):
    config["experiments"][name] = config["experiments"]["fig5"]
    assert any("must be a name for files: letters, digits, _ and -" in line for line in complaints(config))


@pytest.mark.parametrize("name", ["", "a/b", "../a", ".a", "my study", "a" * 101, "{a}", 3])
def test_a_study_must_have_a_name_for_its_folder(config, name):
    (complaint,) = complaints(config | {"name": name})
    assert complaint.startswith(f"name = {name!r}: must ")


@pytest.mark.parametrize("name", ["traces", "Tables", "logs"])
def test_a_study_must_not_have_the_name_of_a_folder_that_is_there(config, name):
    (complaint,) = complaints(config | {"name": name})
    assert complaint.startswith(f"name = '{name}': must be another name: results/{name} is a folder for")


def test_the_name_of_a_study_changes_no_setting(config):
    assert resolve(config | {"name": "mine"}) == resolve(config)


def test_empty_sections_are_named(config):
    config["experiments"]["fig5"]["settings"] = {}
    assert complaints(config) == ["experiments.fig5.settings = {}: must have at least one entry"]


def test_a_section_of_another_kind_takes_nothing_from_the_default(config, tmp_path):
    path = tmp_path / "ring.edges"
    path.write_text("0 1\n1 2\n2 0\n")
    changed = with_change(config, "R-ADMM.network", {"law": "file", "path": str(path)})
    networks = {s.label: s.parameters["network"] for s in resolve(changed)["fig5"]}
    assert networks["R-ADMM"] == {"law": "file", "path": str(path)}
    assert networks["ADMM"]["law"] == "erdos-renyi"


def networks_of(config, label):
    return [entry.parameters["network"] for entry in resolve(config)["fig5"] if entry.label == label]


RANDOM = {"law": "erdos-renyi", "nodes": 6, "probability": 0.5, "seed": 0}


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ({"law": ["ring", "star"], "nodes": 6}, [{"law": "ring", "nodes": 6}, {"law": "star", "nodes": 6}]),
        ({"law": ["erdos-renyi", "ring"], "nodes": 6}, [RANDOM, {"law": "ring", "nodes": 6}]),
        (
            {"law": ["ring", "geometric"], "nodes": 6, "radius": [0.6, 0.7]},
            [{"law": "ring", "nodes": 6}, *({"law": "geometric", "nodes": 6, "radius": r, "seed": 0} for r in (0.6, 0.7))],
        ),
    ],
)  # fmt: skip
def test_a_grid_over_laws_gives_each_the_fields_that_it_has(config, network, expected):
    """The default is an Erdős–Rényi graph, whose probability neither a ring nor a star has."""
    assert networks_of(with_change(config, "ADMM, not private.network", network), "ADMM, not private") == expected
    config["experiments"]["fig5"]["defaults"] = {"network": network}
    assert networks_of(config, "ADMM, not private") == expected


def test_a_grid_over_algorithms_gives_each_the_fields_that_it_has(config):
    changed = with_change(config, "ADMM, not private.algorithm", {"name": ["admm", "r-admm"], "gamma": [0.5, 1.0]})
    found = [entry for entry in resolve(changed)["fig5"] if entry.label == "ADMM, not private"]
    assert [entry.grid_point for entry in found] == [
        {"algorithm.name": "admm"},
        {"algorithm.name": "r-admm", "algorithm.gamma": 0.5},
        {"algorithm.name": "r-admm", "algorithm.gamma": 1.0},
    ]


def test_a_field_that_none_of_the_listed_laws_has_is_named(config):
    network = {"law": ["ring", "star"], "nodes": 6, "nods": 6}
    (sentence, *_) = complaints(with_change(config, "ADMM, not private.network", network))
    assert "network.nods is not a known field here: did you mean nodes?" in sentence
    changed = with_change(config, "ADMM, not private.network", {"law": ["ring", "ring"], "nodes": 6})
    assert any("must list a value once" in sentence for sentence in complaints(changed))


def test_an_unknown_section_is_named(config):
    assert complaints(config | {"experimnts": {}}) == [
        "experimnts is not a known field here: did you mean experiments?"
    ]


def test_a_disconnected_network_file_is_named(config, tmp_path):
    path = tmp_path / "apart.edges"
    path.write_text("0 1\n2 3\n")
    changed = with_change(config, "R-ADMM.network", {"law": "file", "path": str(path)})
    expected = f"{R_ADMM}: node 2 can't be reached from node 0: the network must be connected"
    assert expected in complaints(changed)


def test_a_reference_without_a_common_point_is_refused(config):
    changed = with_change(with_change(config, "R-ADMM.iterations", [20]), "ADMM.iterations", [40])
    reference = "experiments.fig5.settings.ADMM: noise.total_bound.same_as = 'R-ADMM'"
    assert f"{reference}: must have a setting at {{'iterations': 40}}" in complaints(changed)


def test_the_facts_are_those_of_the_problem_that_will_run(config):
    (setting, *_) = resolve(config)["fig5"]
    network, facts = Network.from_edges(make_edges(config["defaults"]["network"])), known_facts(setting.setting)
    np.testing.assert_array_equal(facts.degrees, network.degrees)
    np.testing.assert_array_equal(facts.row_counts, np.bincount(Even().assign(np.ones(40_000), 5)))
    assert (facts.C, facts.rho, facts.c1, facts.G, facts.dimension) == (1750.0, 0.22, 0.25, 1.0, 105)


def test_close_probabilities_are_different_networks(config):
    changed = with_change(config, "defaults.network.probability", [0.5, 0.50000001])
    assert len({setting.setting.network_name for setting in resolve(changed)["fig5"]}) == 2


def test_grids_are_products_and_references_go_in_step(config):
    changed = with_change(config, "defaults.network.nodes", [4, 6])
    settings = resolve(changed)["fig5"]
    admm = [setting for setting in settings if setting.label == "ADMM"]
    assert [(setting.grid_point["network.nodes"], setting.grid_point["noise.alpha"]) for setting in admm] == [
        (nodes, alpha) for nodes in (4, 6) for alpha in (2.0, 1.0, 0.5)
    ]
    assert all(setting.parameters["network"]["nodes"] == setting.grid_point["network.nodes"] for setting in admm)


def test_expand_and_merge():
    written = merge({"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"y": [4, 5]}, "c": {"per_node": [1, 2]}})
    assert [single for single, _ in expand(written)] == [
        {"a": {"x": 1, "y": y}, "b": 3, "c": {"per_node": [1, 2]}} for y in (4, 5)
    ]
    assert [point for _, point in expand(written)] == [{"a.y": 4}, {"a.y": 5}]


def test_shipped_experiments_can_be_left_out(config):
    config["experiments"]["mine"] = {**config["experiments"]["fig5"], "set": "own"}
    assert list(resolve(config)) == ["fig5", "mine"]
    assert list(resolve({**config, "shipped": False})) == ["mine"]
    del config["experiments"]["mine"]
    (sentence,) = complaints({**config, "shipped": False})
    assert sentence.startswith("experiments: must have at least one that is not left out")


def test_a_value_that_is_listed_twice_is_refused(config):
    (sentence,) = complaints(with_change(config, "MR-ADMM.noise.alpha", [1, 2.0, 1.0]))
    assert sentence == "experiments.fig5.MR-ADMM: must list a value once, but the grid has noise.alpha = 1.0 twice"


def test_a_figure_that_cannot_draw_the_settings_is_refused_before_anything_runs(config):
    config["experiments"]["fig5"] |= {"figure": "regulariser"}
    (sentence,) = complaints(config)
    assert sentence.startswith("experiments.fig5.figure = regulariser: must have a grid over problem.rho")


def test_a_loss_that_is_defined_again_is_tried_again():
    """As in a notebook: the same name, and a bound that is no longer one."""

    def define(bound):
        class Again(Logistic):
            name = "again"
            G = bound

    config = only({"kind": "objective", "alpha": 1.0}, problem={"loss": "again"})
    define(1.0)
    assert resolve(config)
    define(0.5)
    assert "its slope exceeds the stated bound G = 0.5" in " ".join(complaints(config))
