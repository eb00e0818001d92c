"""A schedule in one file of one's own: from the config by id and JSON to a run, its ledger and its ε."""

import copy

import numpy as np
import pytest

import radmm
from radmm.jobs.steps.solve import solver_digest
from radmm.privacy.query_log import record_queries
from radmm.study.resolution import resolve
from radmm.study.settings import Setting
from tests.components import components_of_its_own
from tests.study.configs import WHOLE, complaints

PLUGIN = '''
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

import radmm


@dataclass(frozen=True)
class PowerLaw(radmm.Schedule):
    """Power law: scale·k^exponent at the k-th data-touching step.

    Args:
        scale: The value at the first step.
        exponent: The power; negative to fall.
    """

    scale: Annotated[float, Gt(0)] = 1.0
    exponent: float = 0.5
    name: ClassVar[str] = "power-law"

    def values(self, step, nodes):
        return self.scale * step**self.exponent
'''
PENALTY = {"schedule": "power-law", "scale": 0.9, "exponent": 0.5}
SIGMA = {"schedule": "power-law", "scale": 3.0, "exponent": -0.25}


@pytest.fixture(autouse=True)
def plugin(tmp_path):
    file = tmp_path / "power_law.py"
    file.write_text(PLUGIN)
    with components_of_its_own():
        yield file


def config(plugin, **sections):
    setting = {"algorithm": {"name": "mr-admm", "penalty": PENALTY}, "iterations": 6, "runs": 2, "noise": None}
    experiments = {"mine": {"figure": "comparison", "settings": {"one": setting | sections}}}
    return copy.deepcopy(WHOLE | {"plugins": [str(plugin)], "experiments": experiments})


def only_setting(plugin, **sections):
    (entry,) = resolve(config(plugin, **sections))["mine"]
    return entry.setting


def test_it_keeps_its_place_in_json_and_id(plugin):
    setting = only_setting(plugin, noise={"kind": "objective", "law": "gaussian", "sigma": SIGMA})
    assert setting.algorithm.penalty.at(4, 2).tolist() == [1.8, 1.8]
    assert setting.to_json()["algorithm"]["penalty"] == PENALTY
    assert setting.to_json()["noise"]["sigma"] == SIGMA
    assert setting.overrides["algorithm"]["penalty"] == {"schedule": "power-law", "scale": 0.9}
    assert Setting.from_json(setting.to_json()) == setting
    longer = only_setting(plugin, algorithm={"name": "mr-admm", "penalty": {**PENALTY, "exponent": 0.6}})
    assert longer.id != only_setting(plugin).id


def test_a_run_spends_what_the_schedules_say(plugin):
    """By hand: the penalties in the ledger's weights, σ in its releases, and ε by an accountant that adds them up."""
    setting = only_setting(plugin, noise={"kind": "output", "law": "gaussian", "sigma": SIGMA})
    source = np.random.default_rng(0)
    features = source.standard_normal((60, 3)) / 4.0
    network = radmm.Network([(0, 1), (1, 2), (0, 2)])
    problem = radmm.Problem(features, np.sign(features[:, 0]), np.arange(60) % 3, C=5.0, rho=0.4)
    result = radmm.solve(problem, network, setting.algorithm, noise=setting.noise, iterations=6, runs=2)
    steps = np.arange(1, 4)
    weights = record_queries(setting.algorithm, network, 6).weights
    np.testing.assert_allclose(weights[:, 0], 2 * 0.9 * np.sqrt(steps) * 2)
    scales = [result.ledger.releases[which[0]].scale for which in result.ledger.which]
    np.testing.assert_allclose(scales, 3.0 * steps**-0.25)
    numbers = radmm.OutputNoise(sigma=float(min(scales)))
    at_least = radmm.epsilon(problem, network, setting.algorithm, numbers, 6)
    assert 0 < result.epsilon(delta=1e-5) < at_least
    assert result.trace.query("iteration == 6")["loss"].notna().all()


def test_a_step_size_may_follow_it(plugin):
    falling = {"name": "dgd", "step": {"schedule": "power-law", "scale": 1e-4, "exponent": -0.5}}
    method = only_setting(plugin, algorithm=falling).algorithm
    assert method.steps(4, 2).tolist() == [5e-5, 5e-5]
    problem = radmm.Problem(np.eye(4) / 2, np.array([1, -1, 1, -1.0]), np.arange(4) % 2, C=1.0, rho=0.4)
    solved = radmm.solve(problem, radmm.Network([(0, 1)]), method, iterations=2, runs=1, keep_iterates=True)
    first = radmm.solve(problem, radmm.Network([(0, 1)]), radmm.DGD(1e-4), iterations=1, runs=1, keep_iterates=True)
    np.testing.assert_array_equal(solved.primal[:, :2], first.primal)


def test_an_edit_to_its_file_reruns_its_traces(plugin):
    before = solver_digest(only_setting(plugin))
    assert solver_digest(only_setting(plugin, algorithm={"name": "mr-admm"})) != before
    plugin.write_text(PLUGIN.replace("step**self", "(step + 1) ** self"))
    with components_of_its_own():
        radmm.model.schedules.schedule.SCHEDULES._classes.pop("power-law")
        assert solver_digest(only_setting(plugin)) != before


def test_it_takes_nothing_from_a_default_that_is_geometric(plugin):
    given = config(plugin)
    given["defaults"]["algorithm"] = {"name": "mr-admm", "penalty": {"scale": 2.0, "ratio": 1.04}}
    (entry,) = resolve(given)["mine"]
    assert entry.setting.to_json()["algorithm"]["penalty"] == PENALTY


@pytest.mark.parametrize(
    ("penalty", "sentence"),
    [
        ({**PENALTY, "exponent": -0.5}, "penalty decreases at node 0, from 0.9 to 0.636396: it must not"),
        ({**PENALTY, "scale": -1.0}, "algorithm.penalty.scale = -1.0: must be greater than 0"),
        ({**PENALTY, "exponet": 1.0}, "algorithm.penalty.exponet is not a known field here: did you mean exponent?"),
        ({"schedule": "powerlaw"}, "penalty.schedule = 'powerlaw': must be one of geometric, power-law; did you mean"),
        ({"schedule": 3}, "algorithm.penalty.schedule = 3: must be one of geometric, power-law"),
        ({"schedule": "geometric", "exponent": 1.0}, "algorithm.penalty.exponent is not a known field here: known are"),
    ],
)
def test_what_is_wrong_with_it_is_one_sentence(plugin, penalty, sentence):
    (said,) = complaints(config(plugin, algorithm={"name": "mr-admm", "penalty": penalty}))
    assert sentence in said
