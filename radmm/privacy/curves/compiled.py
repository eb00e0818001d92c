"""The compiled dynamic program, built when radmm is installed; None where there was no compiler."""

import ctypes
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.compiled_library import CompiledCodeError, load_compiled

SOURCE = Path(__file__).with_name("program.c")


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL | None:
    """Return the compiled program, or None where it can't be used.

    It may not have been built, or from another source, or RADMM_ENGINE=numpy rules it out.
    """
    try:
        return load_compiled("radmm.privacy.curves._program", "radmm_program_digest", [SOURCE])
    except CompiledCodeError:
        return None


def doubles(*arrays: Array) -> list[Any]:
    """Return pointers to contiguous arrays of numbers, which must outlive the call."""
    if any(each.dtype != np.float64 or not each.flags.c_contiguous for each in arrays):
        raise ValueError("the compiled program takes contiguous arrays of doubles")
    return [each.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for each in arrays]


def hull(program: ctypes.CDLL, places: Array, heights: Array) -> Integers:
    """Return the indices of the points on the lower convex hull.

    Args:
        places: Abscissae of the points, ascending.
        heights: Ordinates of the points.
    """
    places, heights = (np.ascontiguousarray(each, dtype=np.float64) for each in (places, heights))
    chain = np.zeros(len(places), dtype=ctypes.c_long)
    program.radmm_hull.restype = ctypes.c_long
    pointer = chain.ctypes.data_as(ctypes.POINTER(ctypes.c_long))
    size = program.radmm_hull(ctypes.c_long(len(places)), *doubles(places, heights), pointer)
    return chain[:size].astype(np.int64)
