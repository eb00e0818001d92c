"""Differentially private decentralised ADMM: algorithms, noises, bounds, and what others may bring of their own.

A name is imported from its module when it is first asked for: jobs that need few of them start sooner.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from radmm.algorithms.admm import ADMM, MADMM
    from radmm.algorithms.algorithm import Algorithm, State
    from radmm.algorithms.dgd import DGD
    from radmm.algorithms.gradient_tracking import GradientTracking
    from radmm.algorithms.oracle import Oracle
    from radmm.algorithms.recycled import MRADMM, RADMM
    from radmm.base.errors import InputError
    from radmm.base.plugins import load_plugin
    from radmm.budget import calibrate, epsilon, ledger
    from radmm.data.partition import Partition
    from radmm.data.source import DataSource, Features
    from radmm.data.topology import Topology
    from radmm.driver import solve
    from radmm.model.losses.loss import Loss
    from radmm.model.network import Network
    from radmm.model.problem import Problem
    from radmm.model.schedules import Geometric
    from radmm.outcome.classifier import Classifier
    from radmm.privacy.accountants.accountant import Accountant
    from radmm.privacy.events import Release
    from radmm.privacy.guarantee import Guarantee
    from radmm.privacy.ledger import Ledger
    from radmm.privacy.noise import Noise
    from radmm.privacy.noises.gradient import GradientNoise
    from radmm.privacy.noises.objective import ObjectiveNoise
    from radmm.privacy.noises.output import OutputNoise
    from radmm.privacy.noises.penalty import PenaltyNoise
    from radmm.result import Result
    from radmm.results.figures.figure import FigureKind

__version__ = "0.1.0"

_MODULES = {
    "ADMM": "radmm.algorithms.admm",
    "DGD": "radmm.algorithms.dgd",
    "MADMM": "radmm.algorithms.admm",
    "MRADMM": "radmm.algorithms.recycled",
    "RADMM": "radmm.algorithms.recycled",
    "Accountant": "radmm.privacy.accountants.accountant",
    "Algorithm": "radmm.algorithms.algorithm",
    "Classifier": "radmm.outcome.classifier",
    "DataSource": "radmm.data.source",
    "Features": "radmm.data.source",
    "FigureKind": "radmm.results.figures.figure",
    "Geometric": "radmm.model.schedules",
    "GradientNoise": "radmm.privacy.noises.gradient",
    "GradientTracking": "radmm.algorithms.gradient_tracking",
    "Guarantee": "radmm.privacy.guarantee",
    "InputError": "radmm.base.errors",
    "Ledger": "radmm.privacy.ledger",
    "Loss": "radmm.model.losses.loss",
    "Network": "radmm.model.network",
    "Noise": "radmm.privacy.noise",
    "ObjectiveNoise": "radmm.privacy.noises.objective",
    "Oracle": "radmm.algorithms.oracle",
    "OutputNoise": "radmm.privacy.noises.output",
    "Partition": "radmm.data.partition",
    "PenaltyNoise": "radmm.privacy.noises.penalty",
    "Problem": "radmm.model.problem",
    "Release": "radmm.privacy.events",
    "Result": "radmm.result",
    "State": "radmm.algorithms.algorithm",
    "Topology": "radmm.data.topology",
    "calibrate": "radmm.budget",
    "epsilon": "radmm.budget",
    "ledger": "radmm.budget",
    "load_plugin": "radmm.base.plugins",
    "solve": "radmm.driver",
}

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'radmm' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
