"""Noise on the gradient: what private gradient methods release."""

from typing import ClassVar

from radmm.privacy.events import NoisyGradient, Release
from radmm.privacy.noise import Noise
from radmm.privacy.notes import Call, GradientCall


class GradientNoise(Noise):
    """Every node's gradient is released with ε added."""

    name: ClassVar[str] = "gradient"
    can_cancel: ClassVar[bool] = True
    event: ClassVar[type[Release]] = NoisyGradient
    perturbs: ClassVar[type[Call]] = GradientCall
    on_output: ClassVar[bool] = True
