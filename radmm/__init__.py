"""Differentially private decentralised ADMM: algorithms, noises, accountants, and base classes for plug-ins."""

import radmm.base.address_space  # noqa: F401 (first: it refuses what would keep NumPy from being loaded)
from radmm.algorithms.admm import ADMM, MADMM
from radmm.algorithms.algorithm import Algorithm, Sent, State
from radmm.algorithms.dgd import DGD
from radmm.algorithms.gradient_tracking import GradientTracking
from radmm.algorithms.one_shot import OneShot
from radmm.algorithms.oracle import Oracle
from radmm.algorithms.recycled import MRADMM, RADMM
from radmm.base.errors import InputError
from radmm.base.plugins import load_plugin
from radmm.budget import calibrate, epsilon, ledger
from radmm.data.partition import Partition
from radmm.data.source import DataSource, Features
from radmm.data.topology import Topology
from radmm.driver import solve
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.schedules.geometric import Geometric
from radmm.model.schedules.schedule import Schedule
from radmm.outcome.classifier import Classifier
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.events import Release
from radmm.privacy.guarantee import Guarantee
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise import Noise
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.noises.moments import MomentNoise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.noises.penalty import PenaltyNoise
from radmm.publication.public_release import PublicRelease
from radmm.publication.run import release
from radmm.result import Result
from radmm.results.audit.one_run import one_run_audit
from radmm.results.figures.figure import FigureKind
from radmm.results.loading import load_results

__version__ = "0.1.0"

__all__ = [
    "ADMM",
    "DGD",
    "MADMM",
    "MRADMM",
    "RADMM",
    "Accountant",
    "Algorithm",
    "Classifier",
    "DataSource",
    "Features",
    "FigureKind",
    "Geometric",
    "GradientNoise",
    "GradientTracking",
    "Guarantee",
    "InputError",
    "Ledger",
    "Loss",
    "Metric",
    "MomentNoise",
    "Network",
    "Noise",
    "ObjectiveNoise",
    "OneShot",
    "Oracle",
    "OutputNoise",
    "Partition",
    "PenaltyNoise",
    "Problem",
    "PublicRelease",
    "Release",
    "Result",
    "Schedule",
    "Sent",
    "Snapshot",
    "State",
    "Topology",
    "calibrate",
    "epsilon",
    "ledger",
    "load_plugin",
    "load_results",
    "one_run_audit",
    "release",
    "solve",
]
