"""Discrete Gaussian noise from OpenDP, whose generator takes its randomness from the operating system."""

from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError


def require_opendp() -> None:
    """Refuse, in one sentence, to release anything without OpenDP."""
    if find_spec("opendp") is None:
        raise InputError(
            "opendp is not installed: must be, as a release draws its noise with it: install radmm[release]"
        )


def add_discrete_gaussian(values: Integers, scale: int) -> Integers:
    """Release whole numbers with independent noise from N_Z(0, scale²) (Canonne, Kamath and Steinke, 2020).

    For integer vectors OpenDP samples that law exactly, in whole numbers of any size; results beyond 64 bits are cut
    off there, which is post-processing. No seed exists.

    Args:
        values: Whole numbers, (entries,).
        scale: σ of the noise in steps of the grid, a positive whole number below 2⁵³.
    """
    return np.array(_measurement(scale)(values.tolist()), dtype=np.int64)


def versions() -> dict[str, str]:
    """Return the versions of the packages that a release is made with, for the privacy label."""
    return {name: version(name) for name in ("radmm", "opendp", "numpy", "scipy")}


@lru_cache(maxsize=256)
def _measurement(scale: int) -> Any:
    import opendp.prelude as dp  # an optional extra, and slow to load

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=dp.i64)), dp.l2_distance(T=dp.i64)
    return dp.m.make_gaussian(*space, scale=float(scale))
