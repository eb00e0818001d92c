"""Configs to try things on."""

import copy

import pytest
import yaml

from radmm.base.errors import InputError
from radmm.study.resolution import resolve
from tests.conftest import ROOT

WHOLE = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())


def one_experiment(name="fig5"):
    """The shipped config with one experiment only, as a specimen."""
    return copy.deepcopy(WHOLE | {"experiments": {name: WHOLE["experiments"][name]}})


def with_change(config, path, value):
    """A copy of the config with one value set; the path is dotted, with the experiment fig5 left out."""
    changed = copy.deepcopy(config)
    section, *keys = path.split(".")
    tree = changed["defaults"] if section == "defaults" else changed["experiments"]["fig5"]["settings"][section]
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
    tree[keys[-1]] = value
    return changed


def only(noise, **others):
    """A config of one setting, R-ADMM with the given noise, on the default split and network."""
    setting = {"algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}, "noise": noise, **others}
    return {**WHOLE, "experiments": {"fig": {"figure": "comparison", "settings": {"R-ADMM": setting}}}}


def complaints(config):
    """What is wrong with a config, one sentence each."""
    with pytest.raises(InputError) as caught:
        resolve(config)
    return str(caught.value).splitlines()
