"""Noise on the gradient, which private gradient methods use."""

from typing import ClassVar

from radmm.privacy.events import NoisyGradient, Release
from radmm.privacy.noise import Noise
from radmm.privacy.query_log import GradientQuery, Query


class GradientNoise(Noise):
    """Gradient perturbation: every node's gradient is released with ε added."""

    name: ClassVar[str] = "gradient"
    can_cancel: ClassVar[bool] = True
    event: ClassVar[type[Release]] = NoisyGradient
    perturbs: ClassVar[type[Query]] = GradientQuery
    on_output: ClassVar[bool] = True
