"""A setting as one typed object: its components, its JSON, its id, and its way to another process."""

import pickle
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

import radmm
from radmm.algorithms.recycled import MRADMM
from radmm.data.partitions.even import Even
from radmm.data.sources.adult import Adult
from radmm.data.topologies.shapes import Ring
from radmm.data.topology import TOPOLOGIES, Topology
from radmm.jobs.rule_parameters import Untracked
from radmm.study.budgets import requested
from radmm.study.component_json import content_key, to_json
from radmm.study.draws import drawn_with
from radmm.study.noise_budget import NoiseBudget
from radmm.study.resolution import resolve
from radmm.study.setting_facts import network_of
from radmm.study.settings import Setting
from tests.made_settings import made_setting
from tests.study.configs import WHOLE, only

GROWING = {"name": "mr-admm", "penalty": {"scale": [1.0, 2.0, 3.0], "ratio": 1.04}, "gamma": 0.5, "dual_step": None}
BUDGET = {"law": "gaussian", "total_epsilon": 3.0, "delta": 1e-5, "kind": "objective", "cancelling": 2.0}


def test_a_setting_holds_its_components():
    setting = made_setting(algorithm=GROWING, noise={"kind": "objective", "alpha": [1.0, 2.0, 3.0]})
    assert setting.algorithm == MRADMM(penalty=radmm.Geometric([1.0, 2.0, 3.0], 1.04), gamma=0.5)
    assert setting.noise == radmm.ObjectiveNoise(alpha=[1.0, 2.0, 3.0])
    assert (setting.network, setting.partition, setting.data) == (Ring(3), Even(), Adult())
    assert (setting.problem.loss.name, setting.split.train) == ("logistic", 30)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"algorithm": GROWING},
        {"noise": {"kind": "output", "sigma": {"scale": 2.0, "ratio": 1.1}}},
        {"noise": BUDGET},
        {"noise": {"law": "exponential-norm", "total_bound": {"same_as": "r-admm-0"}, "kind": "objective"}},
        {"data": {"name": "synthetic", "rows": 60, "features": 3, "classes": 2, "groups": 5, "heterogeneity": 0.0,
                  "label_noise": 0.0, "seed": 0}},
        {"partition": {"law": "sizes", "per_node": [10, 10, 10]}},
    ],
)  # fmt: skip
def test_json_and_back_is_the_same_setting(changes):
    values = made_setting(**changes).to_json()
    again = Setting.from_json(values)
    assert {name: values[name] for name in changes} == changes
    assert again.to_json() == values
    assert again == made_setting(**changes)
    assert hash(again) == hash(made_setting(**changes))


def test_settings_that_differ_anywhere_are_not_equal():
    plain = made_setting()
    others = [
        replace(plain, seed=1),
        replace(plain, network=Ring(4)),
        made_setting(noise={"kind": "output", "alpha": 1.0}),
    ]
    assert len({plain, *others}) == len({setting.id for setting in (plain, *others)}) == 4


def test_calibration_keeps_the_id_and_remembers_the_budget():
    asking = made_setting(noise=BUDGET)
    assert not asking.is_calibrated
    found = asking.with_noise(requested(asking).at_scale(4.0))
    assert found.noise == radmm.ObjectiveNoise(sigma=4.0, cancelling=2.0)
    assert found.to_json()["noise"] == {"kind": "objective", "sigma": 4.0, "cancelling": 2.0}
    assert (found.id, found.overrides, found.calibrated_to) == (asking.id, asking.overrides, asking.noise)
    assert found != asking


def test_noise_that_grows_meets_its_budget_by_a_schedule():
    for law, scale, ratio in (("gaussian", "sigma", 1 / 1.1), ("exponential-norm", "alpha", 1.1)):
        asking = made_setting(noise=BUDGET | {"law": law, "growth": 1.1, "cancelling": 0.0})
        assert isinstance(asking.noise, NoiseBudget)
        assert getattr(asking.noise.at_scale([1.0, 2.0, 3.0]), scale) == radmm.Geometric([1.0, 2.0, 3.0], ratio)


def test_equal_networks_are_drawn_once():
    settings = [entry.setting for entry in resolve(WHOLE)["fig5"]]
    assert len({id(network_of(setting)) for setting in settings}) == len({setting.network_name for setting in settings})


def test_another_seed_is_another_setting_with_an_id_of_its_own():
    (entry,) = resolve(only({"kind": "objective", "alpha": 1.0}))["fig"]
    drawn = drawn_with(entry.setting, 7)
    assert (drawn.seed, drawn.split.seed, drawn.network.seed) == (7, 7, 7)
    assert drawn.partition == entry.setting.partition  # the even one draws nothing
    assert drawn.id != entry.setting.id
    assert drawn_with(drawn, entry.setting.seed).id == drawn_with(entry.setting, entry.setting.seed).id


def test_another_process_gets_the_same_setting():
    asking = made_setting(noise=BUDGET)
    found = asking.with_noise(requested(asking).at_scale(4.0))
    for setting in (made_setting(), asking, found):
        again = pickle.loads(pickle.dumps(setting))  # noqa: S301
        assert again == setting
        assert (again.id, again.calibrated_to) == (setting.id, setting.calibrated_to)


def test_what_is_handed_to_a_job_is_unpacked_when_its_plug_ins_are_known():
    @dataclass(frozen=True)
    class Wheel(Topology):
        name: ClassVar[str] = "wheel"
        nodes: int = 4

        def edges(self):
            return Ring(self.nodes).edges()

        def size(self):
            return Ring(self.nodes).size()

    try:
        packed = pickle.dumps(Untracked([made_setting(network={"law": "wheel", "nodes": 5})]))
        TOPOLOGIES._classes.pop("wheel")
        handed = pickle.loads(packed)  # noqa: S301
        TOPOLOGIES.add(Wheel)
        assert handed.value[0].network == Wheel(5)
    finally:
        TOPOLOGIES._classes.pop("wheel", None)


def test_keys_tell_contents_apart_also_where_a_component_cannot_be_hashed():
    @dataclass(frozen=True)
    class Listed:
        values: list[int]
        named: dict[str, list[int]]

    one, same, other = (Listed([1, last], {"a": [1]}) for last in (2, 2, 3))
    assert content_key(one) == content_key(same) != content_key(other)
    assert hash(content_key(one)) == hash(content_key(same))
    assert to_json(one, without_defaults=True) == {"values": [1, 2], "named": {"a": [1]}}
