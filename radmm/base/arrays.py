"""Array types of the numerics, and operations along their axes.

Everything that lives at the nodes is stored as (node, feature, run): network operators act on the first axis,
and the runs, which share every data row, are the fast axis.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]

CACHED = 2**16  # numbers: half a megabyte


def dot(left: Array, right: Array) -> Array:
    """Return the inner products over the features, (node, run)."""
    product: Array = np.einsum("ndr,ndr->nr", left, right)
    return product


def per_node(values: Array) -> Array:
    """Reshape one value a node so that it multiplies (node, feature, run) arrays."""
    return values[:, None, None]


def blocks_of_nodes(values: Array) -> Iterator[slice]:
    """Yield slices of (node, …) values that are small enough to stay in the cache from one operation to the next."""
    length = max(1, CACHED * len(values) // values.size)
    return (slice(start, start + length) for start in range(0, len(values), length))


def combine(*terms: tuple[Array | float, Array]) -> Array:
    """Return Σ c·v over pairs of a coefficient, one a node or one for all, and (node, feature, run) values."""
    nodes = len(terms[0][1])
    (first, start), *others = [(np.full(nodes, coefficient), values) for coefficient, values in terms]
    total: Array = np.empty_like(start)
    for block in blocks_of_nodes(total):
        part = np.multiply(per_node(first[block]), start[block], out=total[block])
        for coefficient, values in others:
            part += per_node(coefficient[block]) * values[block]
    return total
