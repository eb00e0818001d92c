"""A setting's id: the hash of what was asked, whatever may be asked besides, and however it is written."""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from radmm.algorithms.admm import ADMM
from radmm.algorithms.algorithm import ALGORITHMS
from radmm.study.config_files import read_configs
from radmm.study.resolution import resolve, resolve_config
from radmm.study.tuned_groups import resolve_groups
from radmm.study.validation import parse_config
from tests.conftest import ROOT
from tests.study.configs import one_experiment, only, with_change

SHIPPED_IDS = json.loads(Path(__file__).with_name("ids.json").read_text(encoding="utf-8"))


@pytest.fixture
def config():
    return one_experiment()


def ids(config):
    return {setting.id for settings in resolve(config).values() for setting in settings}


SLOW = pytest.mark.slow  # ten thousand settings
FILES = [pytest.param(file, marks=SLOW) if file == "frontier.yaml" else file for file in SHIPPED_IDS]


@pytest.mark.parametrize("file", FILES)
def test_shipped_settings_keep_the_ids_under_which_results_are_stored(file):
    """`ids.json` has, for each experiment and tuned study, how many settings there are and a hash of their ids."""
    files = dict.fromkeys([ROOT / "config" / "config.yaml", ROOT / "config" / file])
    config = parse_config(read_configs(files))
    found = defaultdict(list)
    for name, settings in resolve_config(config).items():
        found[name] += [setting.id for setting in settings]
    for group in resolve_groups(config):
        found[group.study] += [setting.id for setting in group.candidates]
    told = {
        name: f"{len(ids)} settings, {hashlib.sha256(' '.join(sorted(ids)).encode()).hexdigest()[:16]}"
        for name, ids in found.items()
    }
    assert {name: told.get(name) for name in SHIPPED_IDS[file]} == SHIPPED_IDS[file]


def test_equal_settings_have_one_id_however_they_are_written(config):
    other = with_change(config, "R-ADMM.noise.alpha", [2, 1, 0.5])
    other = with_change(other, "R-ADMM.algorithm.penalty", 1)
    other = with_change(other, "MR-ADMM.algorithm.penalty", {"ratio": 1.04})
    other = with_change(other, "M-ADMM.algorithm.penalty.scale", 1)
    assert ids(other) == ids(config)


def test_batches_and_their_threads_enter_no_id(config):
    assert ids({**config, "batches": {"seconds": 5, "threads": 8}}) == ids(config)


def test_a_changed_value_changes_its_own_setting_only(config):
    before = {(setting.label, *setting.grid_point.values()): setting.id for setting in resolve(config)["fig5"]}
    changed = with_change(config, "MR-ADMM.algorithm.gamma", 0.6)
    after = {(setting.label, *setting.grid_point.values()): setting.id for setting in resolve(changed)["fig5"]}
    assert {key[0] for key in before if before[key] != after[key]} == {"MR-ADMM"}


def test_a_constant_schedule_is_a_number(config):
    numbers = with_change(config, "MR-ADMM.algorithm.penalty", 2.0)
    for same in ({"scale": 2}, {"scale": 2.0, "ratio": 1.0}):
        assert ids(with_change(config, "MR-ADMM.algorithm.penalty", same)) == ids(numbers)
    lists = with_change(config, "MR-ADMM.algorithm.penalty", {"per_node": [1.0, 2.0, 3.0, 4.0, 5.0]})
    same = with_change(config, "MR-ADMM.algorithm.penalty", {"scale": {"per_node": [1, 2, 3, 4, 5]}})
    assert ids(lists) == ids(same) != ids(numbers)


def test_what_is_at_its_default_is_no_part_of_an_id():
    bare = only({"kind": "objective", "alpha": 1.0})
    spelled = only(
        {"kind": "objective", "alpha": 1.0, "law": "exponential-norm", "repair": None, "each_node": False},
        partition={"law": "even"},
        problem={"loss": {"name": "logistic"}},
        seed=0,
        tolerance=1e-8,
    )
    assert ids(bare) == ids(spelled)
    (setting,) = resolve(bare)["fig"]
    assert setting.setting.overrides["algorithm"] == {"name": "r-admm"}
    assert setting.parameters["algorithm"] == {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}
    assert setting.parameters["noise"] == {"kind": "objective", "alpha": 1.0}


@pytest.fixture
def define():
    """Define an algorithm as a plug-in would, again and again; it is forgotten afterwards."""
    yield lambda body: exec(body, {"dataclass": dataclass, "ClassVar": ClassVar, "ADMM": ADMM, "__name__": "plugin"})  # noqa: S102
    ALGORITHMS._classes.pop("slow-admm", None)


def test_a_field_that_is_added_changes_no_old_id(define):
    text = "@dataclass(frozen=True)\nclass Slow(ADMM):\n    name: ClassVar[str] = 'slow-admm'\n    pace: float = 0.5\n"
    config = only(None)
    config["experiments"]["fig"]["settings"]["R-ADMM"]["algorithm"] = {"name": "slow-admm", "pace": 0.25}
    define(text)
    before = ids(config)
    define(text + "    rest: float = 0.0\n    mode: str | None = None\n")
    (setting,) = resolve(config)["fig"]
    assert setting.parameters["algorithm"] == {
        "name": "slow-admm",
        "penalty": 1.0,
        "pace": 0.25,
        "rest": 0.0,
        "mode": None,
    }
    assert {setting.id} == before
    config["experiments"]["fig"]["settings"]["R-ADMM"]["algorithm"] |= {"rest": 0.5}
    assert ids(config) != before


def test_equal_questions_of_two_experiments_are_one_setting(config):
    """Also where labels differ, and one refers to another setting."""
    settings = config["experiments"]["fig5"]["settings"]
    other = {f"my {label}": part for label, part in settings.items()}
    for label in ("my ADMM", "my M-ADMM"):
        other[label] = {**other[label], "noise": {**other[label]["noise"], "total_bound": {"same_as": "my R-ADMM"}}}
    config["experiments"]["mine"] = {"figure": "comparison", "settings": other}
    both = resolve(config)
    assert [setting.id for setting in both["mine"]] == [setting.id for setting in both["fig5"]]


def test_a_budget_stays_a_budget_in_the_id():
    asked = only({"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5})
    (setting,) = resolve(asked)["fig"]
    assert setting.setting.overrides["noise"] == {"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5}
    named = only({"kind": "objective", "total_epsilon": 3.0, "delta": 1e-5, "accountant": "pld"})
    assert ids(named) != ids(asked)
