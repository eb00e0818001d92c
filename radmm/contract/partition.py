"""The contract of a partition: every row gets a node, every node gets rows, and what it says of them is so."""

import numpy as np

from radmm.base.errors import InputError
from radmm.contract.contract_error import calling, require
from radmm.data.partition import Partition, TrainingRows

SIZES = ((200, 4), (203, 7), (1000, 20))  # rows and nodes


def check_partition(partition: Partition) -> str | None:
    """Raise Broken if a partition breaks its contract; else return a remark."""
    known, tried, refused = True, False, ""
    for rows, nodes in SIZES:
        labels = np.where(np.random.default_rng(rows).random(rows) < 0.3, 1.0, -1.0)
        named = np.arange(rows) // 2 % nodes
        given = TrainingRows(labels, named, tuple(f"site {number}" for number in range(nodes)))
        before = labels.copy(), named.copy()
        with calling(f"assign, of {rows} rows to {nodes} nodes,"):
            try:
                node = np.asarray(partition.assign(given, nodes))
            except InputError as error:  # sizes that are not its own
                refused = str(error)
                continue
            again = np.asarray(partition.assign(given, nodes))
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
        unchanged = all(map(np.array_equal, before, (labels, named)))
        require(unchanged, "assign must not write into the labels or the node column")
        with calling("row_counts"):
            stated = partition.row_counts(rows, nodes)
        known = known and stated is not None
        tried = True
        agrees = stated is None or np.array_equal(np.asarray(stated), counts)
        require(agrees, f"row_counts says {stated}, but assign gives the nodes {counts} rows")
    require(tried, f"assign refuses {', '.join(f'{rows} rows at {nodes} nodes' for rows, nodes in SIZES)}: {refused}")
    return None if known else "only the data tell its row counts, so budgets are met when the data are there"
