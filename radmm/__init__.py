"""Differentially private decentralised ADMM: ADMM, M-ADMM, R-ADMM and MR-ADMM with their noises and bounds."""

from radmm.algorithms import ADMM, MADMM, MRADMM, RADMM
from radmm.errors import InputError
from radmm.network import Network
from radmm.noise import ObjectiveNoise, OutputNoise, PenaltyNoise
from radmm.problem import Problem
from radmm.schedule import Geometric
from radmm.solve import solve
from radmm.trace import Result

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
