"""What a release refuses, each in one sentence and before any row is read."""

from typing import Any

from radmm.base.errors import InputError
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noises.gradient import GradientNoise

KINDS = (GradientNoise,)


def check_noise(noise: Noise | None) -> None:
    """Refuse a noise that has no proof on an integer grid.

    Args:
        noise: Noise of the setting.
    """
    if noise is None:
        raise InputError("noise = None: must be given, as without noise there is no guarantee to publish under")
    if type(noise) not in KINDS:
        _refuse(noise, "noise inside an argmin can't be put on a grid, so nothing is proved of the bytes it gives")
    if noise.law != Law.GAUSSIAN:
        _refuse(noise, f"{noise.law} noise has no sampler on a grid that is proved to be exact: give sigma, not alpha")
    if noise.cancelling:
        _refuse(noise, "noise that cancels assumes that its draws stay with the nodes, but one machine draws them all")


def _refuse(noise: Noise, reason: Any) -> None:
    kinds = " or ".join(kind.name for kind in KINDS)
    raise InputError(f"noise.kind = {noise.name}: must be gaussian {kinds} noise in a release: {reason}")
