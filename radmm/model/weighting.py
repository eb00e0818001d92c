"""How much each node's data term counts: C_i, made in one place from what was asked."""

from enum import StrEnum
from typing import Any

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown


class Weighting(StrEnum):
    """What counts alike: the nodes, as in the paper, or the rows."""

    NODES = "nodes"
    ROWS = "rows"


def read_weighting(value: Any) -> Weighting:
    """One of the two, or an InputError that names them.

    Args:
        value: As the user gave it.
    """
    if not isinstance(value, str) or value not in list(Weighting):
        raise InputError(f"weighting = {shown(value)}: must be {' or '.join(Weighting)}")
    return Weighting(value)


def node_weights(C: float, row_counts: Integers, weighting: Weighting) -> Array:  # noqa: N803 (the paper's name)
    """C_i, one a node: C itself where nodes count alike, C·N·B_i/ΣB_j, whose mean is C, where rows do.

    With the latter C_i/B_i is the same at every node, so that no node's bound is larger for its having few rows.

    Args:
        C: What was asked for.
        row_counts: B_i, one a node.
        weighting: What counts alike.
    """
    weights: Array = np.full(len(row_counts), C)
    return weights if weighting == Weighting.NODES else weights * (len(row_counts) * row_counts / row_counts.sum())


def check_constants(C: float, rho: float, row_counts: Integers, weighting: Weighting) -> None:  # noqa: N803
    """Refuse constants that are not positive, or a C_i above B_i at any node.

    Args:
        C: The weight of the loss.
        rho: The weight ρ of the regulariser.
        row_counts: The paper's B_i, one a node.
        weighting: What counts alike.
    """
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
