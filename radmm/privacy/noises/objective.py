"""Noise in the objective: the paper's perturbation, and dual variable perturbation for plain ADMM."""

from typing import ClassVar

from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.noise import Noise


class ObjectiveNoise(Noise):
    """Objective perturbation, + ε·f in the argmin: the paper's, and dual variable perturbation for plain ADMM."""

    name: ClassVar[str] = "objective"
    can_cancel: ClassVar[bool] = True
    event: ClassVar[type[Release]] = PerturbedArgmin
