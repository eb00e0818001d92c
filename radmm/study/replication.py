"""The paper's experiments on another pair of a split and a graph, and on another data set.

A pair is one seed: of the split, the graph, the initial points and the noise. Noise that refers to another setting's
bound is calibrated anew in each pair, as the bound depends on the graph.
"""

from collections.abc import Mapping
from typing import Any

from radmm.study.config import Config, Experiment
from radmm.study.entries import Entry
from radmm.study.experiment_sets import JUDGED
from radmm.study.grids import merge
from radmm.study.resolution import resolve_config


def on_pair(config: Config, defaults: Mapping[str, Any], seed: int) -> dict[str, list[Entry]]:
    """Return the entries of the experiments by which claims are judged, on the split and graph of a seed.

    Args:
        defaults: What settings have in place of the config's defaults: the data set, and the number of runs.
    """
    drawn = {"seed": seed, "split": {"seed": seed}, "network": {"seed": seed}}
    others = config.replication.experiments if config.replication else {}
    judged = {
        name: _with(one, merge(others.get(name, {}), drawn)) for name, one in config.chosen.items() if one.set in JUDGED
    }
    own = {"defaults": merge(config.defaults, defaults), "experiments": judged, "only": []}
    return resolve_config(config.model_copy(update=own))


def _with(experiment: Experiment, values: Mapping[str, Any]) -> Experiment:
    settings = {label: merge(own, values) for label, own in experiment.settings.items()}
    return experiment.model_copy(update={"settings": settings})
