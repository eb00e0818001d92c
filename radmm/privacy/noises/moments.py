"""Noise on first and second moments of the rows, which one-shot learning uses."""

from typing import ClassVar

from radmm.base.errors import InputError
from radmm.model.public_facts import PublicFacts
from radmm.privacy.events import NoisyMoments, Release
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import MomentsQuery, Query


class MomentNoise(Noise):
    """Moment perturbation: Gaussian noise of σ on (C/B_i) Σ y x, and of σ/√2 on (C/B_i) Σ x xᵀ, each once."""

    name: ClassVar[str] = "moments"
    can_cancel: ClassVar[bool] = True
    event: ClassVar[type[Release]] = NoisyMoments
    perturbs: ClassVar[type[Query]] = MomentsQuery
    on_output: ClassVar[bool] = True
    needs_slope_bound: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.law != Law.GAUSSIAN:
            raise InputError(f"noise.kind = {self.name}: must have a sigma, not an alpha: law: gaussian in a config")

    @classmethod
    def unit(cls, facts: PublicFacts) -> float:
        """Return the largest weight C_i/B_i of a row, at which calibrations begin."""
        return float(facts.row_weights.max())
