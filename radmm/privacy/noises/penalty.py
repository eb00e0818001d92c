"""Noise in the penalty: M-ADMM's own perturbation."""

from typing import Any, ClassVar

from radmm.algorithms.admm import MADMM
from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array, per_node
from radmm.privacy.events import PerturbedPenaltyArgmin, Release
from radmm.privacy.noise import Noise


class PenaltyNoise(Noise):
    """Penalty perturbation, η_i S‖½(f_i + f_j) + ε − f‖² in the argmin: M-ADMM's own."""

    name: ClassVar[str] = "penalty"
    event: ClassVar[type[Release]] = PerturbedPenaltyArgmin

    def refusal(self, algorithm: Algorithm[Any]) -> str | None:
        """Return why the algorithm can't use this noise: only M-ADMM has a published bound for it."""
        if isinstance(algorithm, MADMM):
            return None
        return f"{self.name} noise is defined for {MADMM.name} only, not for {algorithm.name}"

    def linear_term(self, epsilon: Array, weight: Array) -> Array:
        """Return −w_i ε, with w_i = 2η_iV_i, which the noise adds to the linear term of the argmin."""
        return -per_node(weight) * epsilon
