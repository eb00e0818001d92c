"""Differentially private decentralised ADMM: ADMM, M-ADMM, R-ADMM and MR-ADMM with their noises and bounds."""

from radmm.algorithms.families import ADMM, MADMM, MRADMM, RADMM
from radmm.base.errors import InputError
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.schedules import Geometric
from radmm.privacy.noise import ObjectiveNoise, OutputNoise, PenaltyNoise
from radmm.result import Result
from radmm.solve import solve

__version__ = "0.1.0"

__all__ = [
    "ADMM",
    "MADMM",
    "MRADMM",
    "RADMM",
    "Geometric",
    "InputError",
    "Network",
    "ObjectiveNoise",
    "OutputNoise",
    "PenaltyNoise",
    "Problem",
    "Result",
    "solve",
]
