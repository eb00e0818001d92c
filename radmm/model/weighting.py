"""Weights C_i of the nodes' data terms, as chosen by `weighting`."""

from enum import StrEnum

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown


class Weighting(StrEnum):
    """Whether all nodes have the same weight, as in the paper, or all rows."""

    NODES = "nodes"
    ROWS = "rows"


def read_weighting(value: object) -> Weighting:
    """Return the weighting, or raise an InputError that names the valid ones."""
    if not isinstance(value, str) or value not in list(Weighting):
        raise InputError(f"weighting = {shown(value)}: must be {' or '.join(Weighting)}")
    return Weighting(value)


def node_weights(C: float, row_counts: Integers, weighting: Weighting) -> Array:  # noqa: N803 (the paper's name)
    """Return the weights C_i: C for equal weights of nodes, C·N·B_i/ΣB_j, whose mean is C, for equal weights of rows.

    With the latter C_i/B_i is the same at every node, so no node's bound is larger for its having few rows.

    Args:
        C: Weight of the loss, as the user gave it.
    """
    weights: Array = np.full(len(row_counts), C)
    return weights if weighting == Weighting.NODES else weights * (len(row_counts) * row_counts / row_counts.sum())


def check_constants(C: float, rho: float, row_counts: Integers, weighting: Weighting) -> None:  # noqa: N803
    """Refuse constants that are not positive, or a C_i above B_i at any node."""
    for field, value in (("C", C), ("rho", rho)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{field} = {value:g}: must be a positive number")
    node = int(row_counts.argmin())
    if weighting == Weighting.NODES and row_counts[node] < C:
        raise InputError(
            f"C = {C:g} is more than the {row_counts[node]} rows of node {node}: must be at most B_i everywhere"
        )
    if weighting == Weighting.ROWS and row_counts.mean() < C:
        own = node_weights(C, row_counts, weighting)[node]
        raise InputError(
            f"C = {C:g} with weighting: rows gives node {node} the weight C_i = {own:g}, more than its "
            f"{row_counts[node]} rows: must be at most {row_counts.mean():g}, the rows of a node on average"
        )
