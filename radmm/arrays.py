"""The array type of the numerics.

Everything that lives at the nodes is stored as (node, feature, run): network operators act on the first axis,
and the runs, which share every data row, are the fast axis.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]


def dot(left: Array, right: Array) -> Array:
    """The inner products over the features, (node, run)."""
    product: Array = np.einsum("ndr,ndr->nr", left, right)
    return product


def per_node(values: Array) -> Array:
    """Shape one value a node so that it multiplies (node, feature, run) arrays."""
    return values[:, None, None]
