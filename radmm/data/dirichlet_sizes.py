"""Random numbers of rows for the nodes, from a Dirichlet distribution."""

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError

TRIES = 10_000  # draws after which it is said that the law hardly ever gives every node enough


def draw_counts(stream: np.random.Generator, beta: float, totals: Integers, nodes: int, least: int) -> Integers:
    """Spread each total over the nodes by a draw from Dirichlet(β, …, β); return the counts, (total, node).

    All are drawn again, from the same stream, until every node has the least number of rows in all.

    Args:
        beta: β; the smaller, the less even.
        totals: Numbers to spread: that of all rows, or those of each class.
        least: Least number of rows of each node.
    """
    rows = int(totals.sum())
    if nodes * least > rows:
        raise InputError(
            f"partition.least = {least}: must be at most {rows // nodes}, as {rows} rows are to be spread over "
            f"{nodes} nodes"
        )
    concentration, best, poorest = np.full(nodes, beta), -1, 0
    for _ in range(TRIES):
        cuts = np.rint(np.cumsum(stream.dirichlet(concentration, len(totals)), axis=1) * totals[:, None])
        cuts[:, -1] = totals
        counts: Integers = np.diff(np.minimum(cuts, totals[:, None]), axis=1, prepend=0).astype(np.int64)
        held = counts.sum(axis=0)
        if held.min() >= least:
            return counts
        if held.min() > best:
            best, poorest = int(held.min()), int(held.argmin())
    raise InputError(
        f"partition.beta = {beta:g} leaves a node with fewer than partition.least = {least} rows in each of {TRIES} "
        f"draws (in the best of them node {poorest} has {best}): must be larger, or least smaller, or the nodes fewer"
    )
