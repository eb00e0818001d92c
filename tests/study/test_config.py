import copy
import json
import re

import jsonschema
import numpy as np
import pytest
import yaml

from radmm.base.errors import InputError
from radmm.data.graphs import make_edges
from radmm.data.split import assign_nodes
from radmm.model.facts import PublicFacts
from radmm.model.network import Network
from radmm.privacy.accountants.all import ACCOUNTANTS
from radmm.privacy.guarantee import total_bound
from radmm.privacy.noise import OutputNoise
from radmm.privacy.record import ledger_of
from radmm.results.tables import settings_table
from radmm.study.expansion import expand, merge
from radmm.study.resolution import _facts, resolve
from radmm.study.schema import config_schema
from radmm.study.settings import build_algorithm, build_noise, network_name
from radmm.study.validation import parse_setting
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def whole():
    return yaml.safe_load((ROOT / "config" / "config.yaml").read_text())


@pytest.fixture
def config(whole):
    """The config with one experiment only, as a specimen."""
    return copy.deepcopy(whole | {"experiments": {"fig5": whole["experiments"]["fig5"]}})


def with_change(config, path, value):
    """A copy of the config with one value set; the path is dotted, with the experiment fig5 left out."""
    changed = copy.deepcopy(config)
    section, *keys = path.split(".")
    tree = changed["defaults"] if section == "defaults" else changed["experiments"]["fig5"]["settings"][section]
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
    tree[keys[-1]] = value
    return changed


def complaints(config):
    with pytest.raises(InputError) as caught:
        resolve(config)
    return str(caught.value).splitlines()


def test_every_experiment_resolves(whole):
    experiments = resolve(whole)
    assert list(experiments) == list(whole["experiments"])
    assert {"fig1a", "fig1b", "fig1c", "fig2", "fig3", "fig4", "fig5"} <= set(experiments)
    for name in ("fig5_n20", "fig5_per_node"):
        bounds = {
            setting.label: setting.calibrated_to for setting in experiments[name] if setting.label in ("ADMM", "M-ADMM")
        }
        assert None not in bounds.values()


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
    ("defaults.runs", 2.5, "defaults.runs = 2.5: must be a valid integer"),
    ("R-ADMM.noise.alpha", [2.0, 0], f"{R_ADMM}.noise.alpha = 0: must be a positive number, or {{per_node: [one positive number for each node]}}"),
    ("R-ADMM.noise.alpha", -1, f"{R_ADMM}.noise.alpha = -1: must be a positive number, or {{per_node: [one positive number for each node]}}"),
    ("R-ADMM.noise.alpha", {"per_node": [1.0, 2.0]}, f"{R_ADMM}: alpha: 2 values are given, but the network has 5 nodes: must be one for each"),
    ("R-ADMM.noise.alpha", [], f"{R_ADMM}: noise.alpha = []: a grid must list at least one value"),
    ("R-ADMM.noise.kind", "penalty", f"{R_ADMM}: penalty noise is defined for m-admm only, not for r-admm"),
    ("R-ADMM.noise.kind", "gauss", f"{R_ADMM}.noise.kind = 'gauss': must be 'objective', 'penalty' or 'output'"),
    ("R-ADMM.algorithm.name", "radmm", f"{R_ADMM}.algorithm.name = 'radmm': must be one of 'admm', 'm-admm', 'r-admm', 'mr-admm'"),
    ("MR-ADMM.algorithm.penalty.ratio", 0.9, "experiments.fig5.settings.MR-ADMM: penalty decreases at node 0, from 0.9 to 0.81: its ratio must be at least 1"),
    ("M-ADMM.algorithm.dual_step", 3, "experiments.fig5.settings.M-ADMM: dual_step = 3: must be positive and at most the penalty at every node; node 0 starts at 1.04"),
    ("R-ADMM.algorithm.penalty", 0.001, f"{R_ADMM}: the privacy bound needs 2 c1 < (B_i/C)(rho/N + 2 eta_i(1) V_i), but at node 0 the left side is 0.5 and the right side 0.210286: raise the penalty or lower C"),
    ("R-ADMM.problem.C", 9000, f"{R_ADMM}: C = 9000 is more than the 8000 rows of node 0: must be at most B_i everywhere"),
    ("R-ADMM.split.train", 50000, f"{R_ADMM}: split.train = 50000 and split.test = None: adult has 45222 rows, so together they must be at most that"),
    ("R-ADMM.network.probability", 0.001, f"{R_ADMM}: network.probability = 0.001: none of 10000 random graphs on 5 nodes was connected; there must be more links"),
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
def test_bad_input_gets_one_sentence(config, path, value, sentence):
    assert sentence in complaints(with_change(config, path, value))


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


def test_calibrated_bounds_equal_their_reference(config):
    settings = resolve(config)["fig5"]
    bounds = {}
    for setting in settings:
        if setting.parameters["noise"]:
            typed = parse_setting(setting.parameters | {"noise": None}, lambda path: path)
            bound = total_bound(
                _facts(typed), build_algorithm(setting.parameters), build_noise(setting.parameters), typed.iterations
            )
            bounds[setting.label, setting.point["noise.alpha"]] = bound[-1]
    for alpha in (2.0, 1.0, 0.5):
        for label in ("ADMM", "M-ADMM"):
            assert bounds[label, alpha] <= bounds["R-ADMM", alpha]
            assert bounds[label, alpha] == pytest.approx(bounds["R-ADMM", alpha], rel=1e-8)
        assert bounds["ADMM, stopped at T/2", alpha] == bounds["R-ADMM", alpha]
        assert bounds["ADMM, growing η, stopped at T/2", alpha] == bounds["MR-ADMM", alpha]


def test_calibration_to_a_number_is_recorded(config):
    changed = with_change(config, "ADMM.noise.total_bound", 12.8)
    admm = [setting for setting in resolve(changed)["fig5"] if setting.label == "ADMM"]
    assert len(admm) == 1
    assert admm[0].parameters["noise"] == {"kind": "objective", "alpha": pytest.approx(0.4140, abs=1e-3)}
    assert admm[0].calibrated_to == 12.8
    assert settings_table({"fig5": admm})["calibrated_to_total_bound"].tolist() == [12.8]


def test_a_calibrated_setting_is_the_one_with_its_alpha(config):
    calibrated = next(setting for setting in resolve(config)["fig5"] if setting.label == "ADMM")
    direct = with_change(config, "ADMM.noise", calibrated.parameters["noise"])
    assert calibrated.id in {setting.id for setting in resolve(direct)["fig5"]}


def test_a_reference_reads_the_bound_at_the_last_iteration(config):
    changed = with_change(config, "ADMM.noise", {"kind": "objective", "alpha": 0.3})
    changed = with_change(changed, "M-ADMM.noise", {"kind": "objective", "total_bound": {"same_as": "ADMM"}})
    bound = next(setting.calibrated_to for setting in resolve(changed)["fig5"] if setting.label == "M-ADMM")
    assert bound == pytest.approx(50 * 2 * 1750 / 8000 * (1.4 * 0.25 / (0.22 / 5 + 2) + 0.3))


def test_a_reference_without_a_common_point_is_refused(config):
    changed = with_change(with_change(config, "R-ADMM.iterations", [20]), "ADMM.iterations", [40])
    reference = "experiments.fig5.settings.ADMM: noise.total_bound.same_as = 'R-ADMM'"
    assert f"{reference}: must have a setting at {{'iterations': 40}}" in complaints(changed)


def test_the_facts_are_those_of_the_problem_that_will_run(config):
    setting = parse_setting(config["defaults"] | {"algorithm": {"name": "admm", "penalty": 1.0}}, lambda path: path)
    network = Network.from_edges(make_edges(**config["defaults"]["network"]))
    facts = _facts(setting)
    np.testing.assert_array_equal(facts.degrees, network.degrees)
    np.testing.assert_array_equal(facts.row_counts, np.bincount(assign_nodes(40_000, 5)))
    assert (facts.C, facts.rho, facts.c1) == (1750.0, 0.22, 0.25)


def test_close_probabilities_are_different_networks(config):
    changed = with_change(config, "defaults.network.probability", [0.5, 0.50000001])
    assert len({network_name(setting.parameters) for setting in resolve(changed)["fig5"]}) == 2


def test_equal_settings_have_one_id_however_they_are_written(config):
    other = with_change(config, "R-ADMM.noise.alpha", [2, 1, 0.5])
    other = with_change(other, "R-ADMM.algorithm.penalty", 1)
    assert {setting.id for setting in resolve(other)["fig5"]} == {setting.id for setting in resolve(config)["fig5"]}


def test_a_changed_value_changes_its_own_setting_only(config):
    before = {(setting.label, *setting.point.values()): setting.id for setting in resolve(config)["fig5"]}
    changed = with_change(config, "MR-ADMM.algorithm.gamma", 0.6)
    after = {(setting.label, *setting.point.values()): setting.id for setting in resolve(changed)["fig5"]}
    assert {key[0] for key in before if before[key] != after[key]} == {"MR-ADMM"}


def test_grids_are_products_and_references_go_in_step(config):
    changed = with_change(config, "defaults.network.nodes", [4, 6])
    settings = resolve(changed)["fig5"]
    admm = [setting for setting in settings if setting.label == "ADMM"]
    assert [(setting.point["network.nodes"], setting.point["noise.alpha"]) for setting in admm] == [
        (nodes, alpha) for nodes in (4, 6) for alpha in (2.0, 1.0, 0.5)
    ]
    assert all(setting.parameters["network"]["nodes"] == setting.point["network.nodes"] for setting in admm)


def test_expand_and_merge():
    written = merge({"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"y": [4, 5]}, "c": {"per_node": [1, 2]}})
    assert [single for single, _ in expand(written)] == [
        {"a": {"x": 1, "y": y}, "b": 3, "c": {"per_node": [1, 2]}} for y in (4, 5)
    ]
    assert [point for _, point in expand(written)] == [{"a.y": 4}, {"a.y": 5}]


def test_the_schema_is_up_to_date():
    stored = json.loads((ROOT / "config" / "schema.json").read_text())
    assert stored == config_schema(), "run `make schema`"


def test_the_schema_accepts_what_the_models_accept(config):
    validator = jsonschema.Draft202012Validator(config_schema())
    assert not list(validator.iter_errors(config))
    for path, value in [("R-ADMM.algoritm", {}), ("defaults.iterations", "fifty"), ("R-ADMM.noise.alpha", -1)]:
        assert list(validator.iter_errors(with_change(config, path, value)))


def test_every_field_is_described_in_the_readme():
    text = (ROOT / "config" / "README.md").read_text()
    fields = set(re.findall(r"`([a-z_.A-Z]+)`", text))
    missing = [name for name in _field_names(config_schema()) if name not in fields]
    assert not missing


def _field_names(schema):
    names = set(schema["properties"]) | {"figure", "settings"}
    for name, part in schema["$defs"].items():
        if name.endswith("Section") or name in ("Setting", "RandomNetwork", "NetworkFile"):
            names |= set(part["properties"])
    return sorted(names)


def only(setting):
    """A config of one setting, R-ADMM with the given noise, on the default split and network."""
    base = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    algorithm = {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}
    settings = {"R-ADMM": {"algorithm": algorithm, "noise": setting}}
    return {**base, "experiments": {"fig": {"figure": "comparison", "settings": settings}}}


def spent(setting, accountant, delta):
    facts = facts_of(setting.parameters)
    noise, algorithm = build_noise(setting.parameters), build_algorithm(setting.parameters)
    ledger = ledger_of(facts, algorithm, noise, setting.parameters["iterations"], 105)
    return ACCOUNTANTS[accountant].epsilon_of_nodes(ledger, delta)


def facts_of(parameters):
    network = Network.from_edges(make_edges(**parameters["network"]))
    problem = parameters["problem"]
    return PublicFacts(problem["C"], problem["rho"], 0.25, np.full(5, 8000), network.degrees)


@pytest.mark.parametrize(
    ("asked", "scale"),
    [
        ({"total_epsilon": 3.0, "delta": 1e-5}, "alpha"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian", "accountant": "pld"}, "sigma"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian", "each_node": True}, "sigma"),
        ({"total_epsilon": 30.0, "accountant": "pure", "each_node": True}, "alpha"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "repair": 1e-7}, "alpha"),
    ],
)
def test_a_budget_becomes_the_noises_scale(asked, scale):
    (setting,) = resolve(only({"kind": "objective", **asked}))["fig"]
    noise = setting.parameters["noise"]
    assert set(noise) == {"kind", scale} | ({"repair"} & set(asked))
    accountant = asked.get("accountant", "renyi")
    nodes = spent(setting, accountant, asked.get("delta", 0.0))
    assert nodes.max() <= asked["total_epsilon"]
    np.testing.assert_allclose(nodes if asked.get("each_node") else nodes.max(), asked["total_epsilon"], rtol=1e-5)
    row = settings_table({"fig": [setting]}).iloc[0]
    assert row["calibrated_to.total_epsilon"] == asked["total_epsilon"]
    assert row["calibrated_to.accountant"] == accountant
    assert row["calibrated_to.each_node"] == asked.get("each_node", False)


def test_a_budget_determines_a_trace_through_the_scale_alone():
    (asked,) = resolve(only({"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5}))["fig"]
    (given,) = resolve(only({"kind": "objective", "alpha": asked.parameters["noise"]["alpha"]}))["fig"]
    assert asked.id == given.id


def test_new_options_leave_old_ids_alone():
    (setting,) = resolve(only({"kind": "objective", "alpha": 1.0}))["fig"]
    assert setting.parameters["noise"] == {"kind": "objective", "alpha": 1.0}


NOISE = "experiments.fig.settings.R-ADMM.noise"
BAD_NOISE = [
    ({}, "must give exactly one of alpha, sigma, total_bound and total_epsilon"),
    (
        {"alpha": 1.0, "total_epsilon": 1.0, "delta": 1e-5},
        "must give exactly one of alpha, sigma, total_bound and total_epsilon",
    ),
    ({"sigma": 1.0}, "must have law: gaussian with sigma"),
    (
        {"law": "gaussian", "alpha": 1.0},
        "must give sigma or total_epsilon with law: gaussian, which has no alpha and no total_bound",
    ),
    ({"total_epsilon": 1.0}, "must give delta with total_epsilon: a number above 0 and below 1, like 1.0e-5"),
    (
        {"total_epsilon": 9.0, "delta": 1e-5, "accountant": "pure"},
        "must leave out delta, as the pure accountant needs none",
    ),
    ({"alpha": 1.0, "delta": 1e-5}, "must give total_epsilon with delta, accountant or each_node"),
    ({"alpha": 1.0, "accountant": "pld"}, "must give total_epsilon with delta, accountant or each_node"),
]


@pytest.mark.parametrize(("noise", "wanted"), BAD_NOISE)
def test_bad_noise_is_named(noise, wanted):
    (sentence,) = complaints(only({"kind": "objective", **noise}))
    assert sentence.startswith(NOISE)
    assert sentence.endswith(wanted)


BAD_BUDGETS = [
    ({"total_epsilon": 1.0, "delta": 1.5}, f"{NOISE}.delta = 1.5: must be less than 1"),
    ({"total_epsilon": 1.0, "delta": 0.0}, f"{NOISE}.delta = 0.0: must be greater than 0"),
    ({"total_epsilon": -1.0, "delta": 1e-5}, f"{NOISE}.total_epsilon = -1.0: must be greater than 0"),
    (
        {"total_epsilon": 1.0, "delta": 1e-5, "accountant": "rdp"},
        f"{NOISE}.accountant = 'rdp': must be 'paper', 'pure', 'optimal-pure', 'renyi' or 'pld'",
    ),
    (
        {"total_epsilon": 0.1, "accountant": "pure"},
        "experiments.fig.settings.R-ADMM: total_epsilon = 0.1 can't be met by any noise: however much there is, 0.660087 is spent by the pure accountant",
    ),
    (
        {"total_epsilon": 1.0, "delta": 1e-5, "accountant": "optimal-pure", "law": "gaussian"},
        "experiments.fig.settings.R-ADMM: the optimal-pure accountant can't bound gaussian objective noise: it has no bound in pure differential privacy",
    ),
    (
        {"total_epsilon": 1.0, "delta": 1e-12, "accountant": "pld"},
        "experiments.fig.settings.R-ADMM: delta = 1e-12: must be at least 1e-09 for the pld accountant",
    ),
]


@pytest.mark.parametrize(("noise", "sentence"), BAD_BUDGETS)
def test_bad_budgets_are_named(noise, sentence):
    assert complaints(only({"kind": "objective", **noise})) == [sentence]


def test_gaussian_noise_in_a_config():
    (setting,) = resolve(only({"kind": "output", "law": "gaussian", "sigma": {"per_node": [1.0, 2.0, 3.0, 4.0, 5.0]}}))[
        "fig"
    ]
    assert build_noise(setting.parameters) == OutputNoise(sigma=[1.0, 2.0, 3.0, 4.0, 5.0])


def test_no_bound_to_refer_to():
    config = only({"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5})
    settings = config["experiments"]["fig"]["settings"]
    settings["other"] = {**settings["R-ADMM"], "noise": {"kind": "objective", "total_bound": {"same_as": "R-ADMM"}}}
    sentence = (
        "experiments.fig.settings.other: noise.total_bound.same_as = 'R-ADMM': must have an alpha or a bound of its own"
    )
    assert complaints(config) == [sentence]
