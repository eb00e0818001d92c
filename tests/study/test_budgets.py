"""Noise in the config: a scale or a budget; what is refused at once, and what noise calibration finds."""

import numpy as np
import pandas as pd
import pytest

from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.ledger import ledger_of
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.relation import Relation
from radmm.results.settings_table import settings_table
from radmm.study.budgets import Calibration, bound_of, calibrate, known_bound
from radmm.study.resolution import resolve
from radmm.study.setting_facts import known_facts, query_log_of
from tests.study.configs import complaints, one_experiment, only, with_change


@pytest.fixture
def config():
    return one_experiment()


def calibrated(settings):
    """The settings with their noise found, and what was found."""
    named = {entry.id: entry.setting for entry in settings}
    found = {}
    for name, setting in named.items():
        if not setting.is_calibrated:
            bound = known_bound(setting, named.get(setting.reference))
            found[name] = Calibration(calibrate(setting, known_facts(setting), bound), bound)
    return [each.with_noise(found[each.id].noise) if each.id in found else each for each in settings], found


def ledger_of_setting(entry):
    setting = entry.setting
    return ledger_of(query_log_of(setting), known_facts(setting), setting.known_noise)


def test_calibrated_bounds_equal_their_reference(config):
    bounds = {
        (setting.label, setting.grid_point["noise.alpha"]): PaperAccountant().epsilon(ledger_of_setting(setting))
        for setting in calibrated(resolve(config)["fig5"])[0]
        if setting.setting.noise is not None
    }
    for alpha in (2.0, 1.0, 0.5):
        for label in ("ADMM", "M-ADMM"):
            assert bounds[label, alpha] <= bounds["R-ADMM", alpha]
            assert bounds[label, alpha] == pytest.approx(bounds["R-ADMM", alpha], rel=1e-8)
        assert bounds["ADMM, stopped at T/2", alpha] == bounds["R-ADMM", alpha]
        assert bounds["ADMM, growing η, stopped at T/2", alpha] == bounds["MR-ADMM", alpha]


def test_calibration_to_a_number_is_recorded(config):
    changed = with_change(config, "ADMM.noise.total_bound", 12.8)
    asked = [setting for setting in resolve(changed)["fig5"] if setting.label == "ADMM"]
    (admm,), found = calibrated(asked)
    assert admm.parameters["noise"] == {"kind": "objective", "alpha": pytest.approx(0.4140, abs=1e-3)}
    (row,) = pd.DataFrame(settings_table({"fig5": asked}, found)).to_dict("records")
    assert row["calibrated_to_total_bound"] == 12.8
    assert row["noise.alpha"] == admm.parameters["noise"]["alpha"]
    assert '"total_bound":12.8' in row["asked"]


def test_a_reference_reads_the_bound_at_the_last_iteration(config):
    changed = with_change(config, "ADMM.noise", {"kind": "objective", "alpha": 0.3})
    changed = with_change(changed, "M-ADMM.noise", {"kind": "objective", "total_bound": {"same_as": "ADMM"}})
    settings, found = calibrated(resolve(changed)["fig5"])
    (bound,) = {found[setting.id].total_bound for setting in settings if setting.label == "M-ADMM"}
    assert bound == pytest.approx(50 * 2 * 1750 / 8000 * (1.4 * 0.25 / (0.22 / 5 + 2) + 0.3))
    (admm,) = (setting for setting in settings if setting.label == "ADMM")
    assert bound_of(admm.setting, known_facts(admm.setting)) == bound


@pytest.mark.parametrize(
    ("asked", "scale"),
    [
        ({"total_epsilon": 3.0, "delta": 1e-5, "accountant": "renyi"}, "alpha"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian", "accountant": "pld"}, "sigma"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian", "accountant": "renyi", "each_node": True}, "sigma"),
        ({"total_epsilon": 30.0, "accountant": "pure", "each_node": True}, "alpha"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "repair": 1e-7, "accountant": "renyi"}, "alpha"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian"}, "sigma"),
        ({"total_epsilon": 3.0, "delta": 1e-5, "law": "gaussian", "neighbours": "zero-out", "rows": 2}, "sigma"),
    ],
)
def test_a_budget_becomes_the_noises_scale(asked, scale):
    settings = resolve(only({"kind": "objective", **asked}))["fig"]
    (setting,), found = calibrated(settings)
    assert set(setting.parameters["noise"]) == {"kind", scale} | ({"repair"} & set(asked))
    accountant = asked.get("accountant", "shift")
    relation = Relation(asked.get("neighbours", "replace"), asked.get("rows", 1))
    nodes = ACCOUNTANTS[accountant](relation).epsilon_of_nodes(ledger_of_setting(setting), asked.get("delta", 0.0))
    assert nodes.max() <= asked["total_epsilon"]
    tolerance = 0.01 if accountant == "shift" else 1e-5  # its searches end a little below, as its curves take long
    np.testing.assert_allclose(nodes if asked.get("each_node") else nodes.max(), asked["total_epsilon"], rtol=tolerance)
    row = pd.DataFrame(settings_table({"fig": settings}, found)).iloc[0]
    assert row["calibrated_to.total_epsilon"] == asked["total_epsilon"]
    assert row["calibrated_to.accountant"] == accountant
    assert row["calibrated_to.each_node"] == asked.get("each_node", False)


NOISE = "experiments.fig.settings.R-ADMM.noise"
ONLY_WITH_A_TOTAL = "must give total_epsilon with delta, accountant, growth, each_node, neighbours or rows"
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
    (
        {"total_epsilon": 1.0, "delta": 1e-5, "accountant": "pld", "neighbours": "zero-out"},
        "neighbours = zero-out: the pld accountant has no proof for it; must be replace, or accountant: shift",
    ),
    (
        {"alpha": 1.0, "delta": 1e-5},
        "must give total_epsilon with delta, accountant, growth, each_node, neighbours or rows",
    ),
    (
        {"alpha": 1.0, "accountant": "pld"},
        "must give total_epsilon with delta, accountant, growth, each_node, neighbours or rows",
    ),
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
        f"{NOISE}.accountant = 'rdp': must be one of optimal-pure, paper, pld, pure, renyi, shift",
    ),
    (
        {"total_epsilon": 1.0, "delta": 1e-5, "accountant": "optimal-pure", "law": "gaussian"},
        "experiments.fig.settings.R-ADMM: the optimal-pure accountant can't bound gaussian objective noise: "
        "it has no bound in pure differential privacy",
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
    assert setting.setting.noise == OutputNoise(sigma=[1.0, 2.0, 3.0, 4.0, 5.0])


def test_no_bound_to_refer_to():
    config = only({"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5})
    settings = config["experiments"]["fig"]["settings"]
    settings["other"] = {**settings["R-ADMM"], "noise": {"kind": "objective", "total_bound": {"same_as": "R-ADMM"}}}
    sentence = (
        "experiments.fig.settings.other: noise.total_bound.same_as = 'R-ADMM': must have an alpha or a bound of its own"
    )
    assert complaints(config) == [sentence]


def test_a_budget_that_no_noise_meets_is_refused_by_the_step():
    settings = resolve(only({"kind": "objective", "total_epsilon": 0.1, "accountant": "pure"}))["fig"]
    with pytest.raises(
        InputError, match="total_epsilon = 0.1 can't be met by any noise: however much there is, 0.660087"
    ):
        calibrated(settings)


def test_a_bound_with_a_repair_is_refused():
    (sentence,) = complaints(only({"kind": "objective", "total_bound": 20.0, "repair": 1e-7}))
    assert sentence.endswith("must leave out repair with total_bound: normal noise has no such bound")


ONE_SHOT = {"name": "one-shot", "gossip": 5}
SIGMA_ONE = {"kind": "moments", "law": "gaussian", "sigma": 1.0}


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_a_budget_of_moments_is_met_with_a_loss_whose_slope_has_no_bound(loss):
    noise = {"kind": "moments", "law": "gaussian", "total_epsilon": 0.5, "delta": 1e-5, "cancelling": 10.0}
    config = only(noise, algorithm=ONE_SHOT, iterations=1, problem={"loss": loss})
    (entry,), _ = calibrated(resolve(config)["fig"])
    told = ACCOUNTANTS["shift"]().epsilon(ledger_of_setting(entry), 1e-5)
    assert 0.99 * 0.5 <= told <= 0.5


@pytest.mark.parametrize(
    ("noise", "others", "sentence"),
    [
        (None, {"problem": {"loss": "huber-hinge"}}, "loss = huber-hinge: must be logistic or squared"),
        ({"kind": "moments", "alpha": 1.0}, {}, "moments: must have a sigma, not an alpha: law: gaussian"),
        (
            {"kind": "moments", "total_epsilon": 1.0, "delta": 1e-5},
            {},
            "moments: must have a sigma, not an alpha: law: gaussian",
        ),
        ({"kind": "objective", "alpha": 1.0}, {}, "objective noise is for argmins, but one-shot asks for moments"),
        (SIGMA_ONE, {"runs": 10_000}, "with 5 nodes of 5670 variables each"),
    ],
)  # fmt: skip
def test_what_moments_can_not_do_is_told_before_anything_runs(noise, others, sentence):
    [told] = complaints(only(noise, algorithm=ONE_SHOT, **others))
    assert sentence in told
