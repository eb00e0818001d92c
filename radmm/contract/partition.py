"""The contract of a partition: every row gets a node, every node gets rows, and what it says of them is so."""

import numpy as np

from radmm.contract.broken import calling, require
from radmm.data.partition import Partition

SIZES = ((200, 4), (203, 7), (1000, 20))  # rows and nodes


def check_partition(partition: Partition) -> str | None:
    """All of it.

    Args:
        partition: With any parameters.
    """
    known = True
    for rows, nodes in SIZES:
        labels = np.where(np.random.default_rng(rows).random(rows) < 0.3, 1.0, -1.0)
        given = labels.copy()
        with calling(f"assign, of {rows} rows to {nodes} nodes,"):
            node = np.asarray(partition.assign(labels, nodes))
            again = np.asarray(partition.assign(labels, nodes))
        require(node.shape == (rows,), f"assign gives shape {node.shape} for {rows} rows: every row must get a node")
        require(node.dtype.kind in "iu", f"assign gives values of type {node.dtype}: must be whole numbers")
        inside = node.min() >= 0 and node.max() < nodes
        require(inside, f"assign names the nodes {node.min()} to {node.max()}: must be from 0 to {nodes - 1}")
        counts = np.bincount(node, minlength=nodes)
        require(
            counts.min() > 0,
            f"of {rows} rows node {int(counts.argmin())} of {nodes} gets none: every node needs at least one",
        )
        require(np.array_equal(node, again), "the same labels are spread differently the second time")
        require(np.array_equal(labels, given), "assign must not write into the labels")
        with calling("row_counts"):
            stated = partition.row_counts(rows, nodes)
        known = known and stated is not None
        agrees = stated is None or np.array_equal(np.asarray(stated), counts)
        require(agrees, f"row_counts says {stated}, but assign gives the nodes {counts} rows")
    return None if known else "only the data tell its row counts, so budgets are met when the data are there"
