"""From flags to what a run releases, by what is public alone."""

import argparse
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import create_model
from scipy import sparse

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.plugins import load_plugin
from radmm.budget import ledger
from radmm.command.flags import written
from radmm.command.guarantee import taken_from_data
from radmm.command.setting import choose
from radmm.model.losses.loss import is_multiclass
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.guarantee import UNKNOWN_PREPARATION
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.study.budgets import calibrate, known_bound, noise_parameters, reference_of
from radmm.study.expansion import merge
from radmm.study.fields import Section
from radmm.study.public import known_facts, network_of, notes_of
from radmm.study.sections import plain, setting_model
from radmm.study.settings import build_algorithm, build_loss, build_noise
from radmm.study.validation import parse_section

# Of a setting: all that is public and no data's.
FIELDS = ("network", "problem", "algorithm", "noise", "iterations", "tolerance")
MOST_ROWS = 10_000_000  # of all nodes together
MOST_FEATURES = 10_000_000


def public_ledger(given: argparse.Namespace) -> tuple[Ledger, str]:
    """All that a run would release, and what a config's data set takes from the data beside it, if a config is asked.

    Args:
        given: The flags.
    """
    if given.setting is not None:
        return _ledger_of_entry(given)
    parameters = public_parameters(given)
    noise = build_noise(parameters)
    if noise is None:
        raise InputError("--noise: must be given, as without noise there is no guarantee")
    problem, network = public_problem(given, parameters)
    length, tolerance = parameters["iterations"], parameters["tolerance"]
    return ledger(problem, network, build_algorithm(parameters), noise, length, tolerance), UNKNOWN_PREPARATION


def _ledger_of_entry(given: argparse.Namespace) -> tuple[Ledger, str]:
    chosen = choose(given)
    parameters, facts = chosen.setting.parameters, known_facts(chosen.setting.parameters)
    if parameters["noise"] is None:
        raise InputError(f"--setting {given.setting}: must have noise, as without it there is no guarantee")
    if facts is None:
        raise InputError(f"--setting {given.setting}: only its data tell how many rows a node has; use radmm solve")
    if not chosen.setting.is_calibrated:
        others = {each.id: each.parameters for part in chosen.study.experiments.values() for each in part}
        other = others.get(reference_of(parameters) or "")
        parameters = {**parameters, "noise": calibrate(parameters, facts, known_bound(parameters, other))}
    noise = build_noise(parameters)
    assert noise is not None  # noqa: S101 (checked above)
    return ledger_of(notes_of(parameters), facts, noise), taken_from_data(parameters)


def public_parameters(given: argparse.Namespace, **other: Any) -> dict[str, Any]:
    """A setting's parameters as far as no data are needed for them.

    Args:
        given: The flags.
        other: Sections that are no flags.
    """
    for path in given.plugin:
        load_plugin(path)
    said = merge({"iterations": 50, **written(given)}, other)
    unknown = [name for name in said if name not in FIELDS]
    if unknown:
        raise InputError(f"--set {unknown[0]}: must be a field of {', '.join(FIELDS)}, as no data are needed here")
    typed = parse_section(_model(setting_model()), said)
    parameters = plain(typed)
    if parameters["noise"] is not None:
        parameters["noise"] = noise_parameters(parameters["noise"])
    return parameters


@lru_cache
def _model(setting: type[Section]) -> type[Section]:
    fields: dict[str, Any] = {
        name: (setting.model_fields[name].annotation, setting.model_fields[name]) for name in FIELDS
    }
    return create_model("PublicSetting", __base__=Section, **fields)


def public_problem(given: argparse.Namespace, parameters: dict[str, Any]) -> tuple[Problem, Network]:
    """A problem whose rows are all zero, which has the same public facts as any other of that size.

    Args:
        given: The flags.
        parameters: Of the setting.
    """
    network = network_of(parameters)
    counts = _row_counts(given.rows_per_node, network.nodes)
    if given.dimension is None or not 1 <= given.dimension <= MOST_FEATURES:
        raise InputError(f"--dimension {shown(given.dimension)}: must be a whole number, from 1 to {MOST_FEATURES}")
    rows, loss = int(counts.sum()), build_loss(parameters)
    if is_multiclass(loss) and getattr(loss, "classes", None) is None:
        raise InputError(f"--loss {loss.name}: must say how many classes there are, like {loss.name},classes=3")
    zeros = sparse.csr_array((rows, given.dimension))
    options = {name: value for name, value in parameters["problem"].items() if name != "loss"}
    owner = np.repeat(np.arange(network.nodes), counts)
    return Problem(zeros, np.ones(rows), owner, loss, **options), network


def _row_counts(text: str | None, nodes: int) -> Integers:
    try:
        counts = [int(part) for part in (text or "").split(",")]
    except ValueError:
        counts = []
    if not counts or min(counts) < 1 or len(counts) not in (1, nodes):
        raise InputError(
            f"--rows-per-node {shown(text)}: must be a whole number, or one for each of {nodes} nodes: 8000,6000,…"
        )
    every = counts * nodes if len(counts) == 1 else counts
    if sum(every) > MOST_ROWS:
        raise InputError(f"--rows-per-node {shown(text)}: must be at most {MOST_ROWS} rows of all nodes together")
    return np.array(every)
