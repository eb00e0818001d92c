"""Runs described by flags, with public parameters alone: their releases are known without data."""

import argparse
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import create_model
from scipy import sparse

from radmm.algorithms.algorithm import ALGORITHMS, Algorithm
from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.plugins import load_plugin
from radmm.budget import ledger
from radmm.command.chosen_setting import choose
from radmm.command.setting_flags import written
from radmm.data.topology import Topology, draw_edges, make_topology
from radmm.model.losses.loss import is_multiclass
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.guarantee import UNKNOWN_PREPARATION
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.study.budgets import calibrate, known_bound
from radmm.study.component_json import from_json
from radmm.study.field_types import Section
from radmm.study.grids import merge
from radmm.study.noise_budget import NoiseBudget, noise_from_json
from radmm.study.setting_facts import known_facts, query_log_of
from radmm.study.setting_model import setting_model
from radmm.study.split_and_problem import ProblemParameters
from radmm.study.validation import parse_section

MOST_ROWS = 10_000_000  # most rows of all nodes together
MOST_FEATURES = 10_000_000


def public_ledger(given: argparse.Namespace) -> tuple[Ledger, str]:
    """Return the ledger of the run that the flags describe, and what preparing a config's data took from the data."""
    if given.setting is not None:
        return _ledger_of_entry(given)
    run = public_run(given)
    if run.noise is None:
        raise InputError("--noise: must be given, as without noise there is no guarantee")
    problem, network = public_problem(given, run)
    return ledger(problem, network, run.algorithm, run.noise, run.iterations, run.tolerance), UNKNOWN_PREPARATION


def _ledger_of_entry(given: argparse.Namespace) -> tuple[Ledger, str]:
    chosen = choose(given)
    setting = chosen.entry.setting
    facts = known_facts(setting)
    if setting.noise is None:
        raise InputError(f"--setting {given.setting}: must have noise, as without it there is no guarantee")
    if facts is None:
        raise InputError(f"--setting {given.setting}: only its data tell how many rows a node has; use radmm solve")
    if not setting.is_calibrated:
        others = {entry.id: entry.setting for part in chosen.study.experiments.values() for entry in part}
        bound = known_bound(setting, others.get(setting.reference or ""))
        setting = setting.with_noise(calibrate(setting, facts, bound))
    noise = setting.known_noise
    assert noise is not None  # noqa: S101 (checked above)
    return ledger_of(query_log_of(setting), facts, noise), setting.data.caveat


@dataclass(frozen=True)
class PublicRun:
    """The public parameters of a run, without its data.

    Args:
        network: Law of the network.
        problem: Constants and loss of the objective.
        noise: Noise; None without privacy.
        iterations: Number of iterations T.
        tolerance: Gradient norm at which every argmin ends.
    """

    network: Topology
    problem: ProblemParameters
    algorithm: Algorithm[Any]
    noise: Noise | None
    iterations: int
    tolerance: float


FIELDS = tuple(field.name for field in fields(PublicRun))


def public_run(given: argparse.Namespace, **other: Any) -> PublicRun:
    """Return the public parameters that the flags give.

    Args:
        other: Further sections, which no flag gives.
    """
    for path in given.plugin:
        load_plugin(path)
    said = merge({"iterations": 50, **written(given)}, other)
    unknown = [name for name in said if name not in FIELDS]
    if unknown:
        raise InputError(f"--set {unknown[0]}: must be a field of {', '.join(FIELDS)}, as no data are needed here")
    values = parse_section(_model(setting_model()), said).model_dump(mode="json")
    noise = noise_from_json(values["noise"])
    if isinstance(noise, NoiseBudget):
        raise InputError(f"--noise {shown(given.noise)}: must give alpha or sigma; radmm calibrate finds them")
    return PublicRun(
        make_topology(values["network"]),
        ProblemParameters.from_json(values["problem"]),
        from_json(ALGORITHMS, values["algorithm"]),
        noise,
        values["iterations"],
        values["tolerance"],
    )


@lru_cache
def _model(setting: type[Section]) -> type[Section]:
    fields: dict[str, Any] = {
        name: (setting.model_fields[name].annotation, setting.model_fields[name]) for name in FIELDS
    }
    return create_model("PublicSetting", __base__=Section, **fields)


def public_problem(given: argparse.Namespace, run: PublicRun) -> tuple[Problem, Network]:
    """Return a problem whose rows are all zero: it has the same public facts as any other of its size.

    Args:
        run: Public parameters of the run.
        given: Flags with the number of rows and features.
    """
    network = Network.from_edges(draw_edges(run.network))
    counts = _row_counts(given.rows_per_node, network.nodes)
    if given.dimension is None or not 1 <= given.dimension <= MOST_FEATURES:
        raise InputError(f"--dimension {shown(given.dimension)}: must be a whole number, from 1 to {MOST_FEATURES}")
    rows, loss = int(counts.sum()), run.problem.loss
    if is_multiclass(loss) and getattr(loss, "classes", None) is None:
        raise InputError(f"--loss {loss.name}: must say how many classes there are, like {loss.name},classes=3")
    zeros = sparse.csr_array((rows, given.dimension))
    owner = np.repeat(np.arange(network.nodes), counts)
    constants = run.problem
    return Problem(zeros, np.ones(rows), owner, loss, constants.C, constants.rho, constants.weighting), network


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
