"""Noise on the output: the argmin is released with noise added."""

from typing import ClassVar

from radmm.privacy.events import NoisyArgmin, Release
from radmm.privacy.noise import Noise


class OutputNoise(Noise):
    """Output perturbation: the argmin is released with ε added; dual and even steps see the released value only."""

    name: ClassVar[str] = "output"
    can_cancel: ClassVar[bool] = True
    event: ClassVar[type[Release]] = NoisyArgmin
    on_output: ClassVar[bool] = True
