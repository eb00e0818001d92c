"""The prepared data files that the solver reads: features with labels, splits and edges."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.store import checked, content_hash, read_metadata, read_numbers, vouched, write_parquet, write_text
from radmm.data.partition import Partition, TrainingRows, spread_rows
from radmm.data.source import Features
from radmm.data.split import Split
from radmm.model.losses.loss import Loss
from radmm.model.problem import Problem
from radmm.model.weighting import Weighting

LABEL, NODE = "label", "node"
_PARTS = ("data", "indices", "indptr")


@dataclass(frozen=True)
class DataSet:
    """Rows with labels, and a hash that identifies them.

    Args:
        features: The rows as a sparse matrix.
        labels: For each row +1 or −1 with two classes, else the class's number 0, 1, …
        hash: SHA-256 of the values.
        classes: Number of classes.
        node: Number of the node that a column of the data names for each row, or None if no column does.
        node_names: Names in that column of the nodes 0, 1, …
        caveat: What was taken from the data although no noise protects it: a sentence beside every ε, or nothing.
    """

    features: scipy.sparse.csr_array
    labels: Array
    hash: str
    classes: int = 2
    node: Integers | None = None
    node_names: tuple[str, ...] = ()
    caveat: str = ""

    def training_rows(self, split: Split) -> TrainingRows:
        """Return all that a partition may read of the training rows.

        Args:
            split: Split that says which rows train.
        """
        node = None if self.node is None else self.node[split.train]
        return TrainingRows(self.labels[split.train], node, self.node_names)


def write_features(table: Path, rows: Path, features: Features, classes: int) -> None:
    """Write the features twice: as a table for people, and as compressed rows, which a solver job reads far faster.

    A dense matrix is a table with a column for each feature. Of a sparse one the table has, for each row, the list of
    the columns that are not zero and the list of their values, so that both files grow with the nonzero values.

    Args:
        table: Parquet file to write.
        rows: File of compressed rows to write: the arrays `data`, `indices`, `indptr` and `shape`, `labels`,
            `classes`, `hash` and `caveat`; `node` and `node_names` if a column of the data names the nodes.
    """
    matrix, labels, node = features.matrix, features.labels, features.node
    compressed = scipy.sparse.csr_array(matrix)
    parts = {name: getattr(compressed, name) for name in _PARTS}
    named: dict[str, Any] = {} if node is None else {NODE: node}
    content = [*parts.values(), np.array(compressed.shape)] if scipy.sparse.issparse(matrix) else [matrix]
    digest = content_hash(*content, labels, *named.values())
    shown = (
        _sparse_columns(compressed)
        if scipy.sparse.issparse(matrix)
        else dict(zip(features.columns, matrix.T, strict=True))
    )
    metadata = {"hash": digest, "classes": classes, "caveat": features.facts.get("caveat", "")}
    write_parquet(
        table, {**shown, LABEL: labels.astype(np.int32), **named}, {**metadata, "columns": list(features.columns)}
    )
    if node is not None:
        named["node_names"] = np.array(features.node_names, dtype=np.str_)
    with vouched(rows) as temporary:
        np.savez(temporary, labels=labels, shape=compressed.shape, **metadata, **parts, **named)


def _sparse_columns(rows: scipy.sparse.csr_array) -> dict[str, pa.ListArray]:
    starts = pa.array(rows.indptr, pa.int32())
    values = {"columns": pa.array(rows.indices, pa.int32()), "values": pa.array(rows.data, pa.float64())}
    return {name: pa.ListArray.from_arrays(starts, part) for name, part in values.items()}


def read_features(rows: Path) -> DataSet:
    """Read the data set from the compressed rows that `write_features` wrote.

    Args:
        rows: File of compressed rows.
    """
    with np.load(checked(rows)) as stored:
        features = scipy.sparse.csr_array(tuple(stored[name] for name in _PARTS), shape=tuple(stored["shape"]))
        node = stored.get(NODE)
        names = () if node is None else tuple(stored["node_names"].tolist())
        known = str(stored["hash"]), int(stored["classes"]), node, names, str(stored["caveat"])
        return DataSet(features, stored["labels"], *known)


def write_split(target: Path, split: Split) -> None:
    """Write a split, one row number a line in the order of the permutation: the training rows, then the test rows."""
    rows = np.concatenate([split.train, split.test])
    part = np.repeat(["train", "test"], [len(split.train), len(split.test)])
    facts = {"train": len(split.train), "hash": content_hash(split.train, split.test)}
    write_parquet(target, {"row": rows, "part": part}, facts)


def read_split(path: Path) -> Split:
    """Read a split that `write_split` wrote."""
    rows = read_numbers(checked(path), "row")
    train = read_metadata(path)["train"]
    return Split(rows[:train], rows[train:])


def write_edges(target: Path, edges: Integers) -> None:
    """Write a network's edges, two node numbers a line.

    Args:
        edges: Edges as an (edges, 2) array of node numbers; none for a network of one node.
    """
    write_text(target, "".join(f"{left} {right}\n" for left, right in edges.tolist()))


def read_edges(path: Path) -> Integers:
    """Read edges that `write_edges` wrote, as an (edges, 2) array of node numbers."""
    return np.array(checked(path).read_text(encoding="utf-8").split(), dtype=np.int64).reshape(-1, 2)


def make_problem(
    data: DataSet,
    split: Split,
    partition: Partition,
    *,
    nodes: int,
    loss: str | Loss,
    C: float,  # noqa: N803 (the paper's name)
    rho: float,
    weighting: str = Weighting.NODES,
) -> Problem:
    """Build the problem: the training rows, spread over the nodes.

    Args:
        split: Split that says which of them train.
        partition: Law that says which node a training row belongs to.
        loss: Name of a loss, or a loss, as `Problem` takes it.
    """
    rows = data.training_rows(split)
    missing = np.setdiff1d(data.labels, rows.labels)
    if len(missing):
        raise InputError(f"class {missing[0]:g} has no training rows: must have one, so raise split.train")
    owner = spread_rows(partition, rows, nodes)
    return Problem(data.features[split.train], rows.labels, owner, loss, C, rho, weighting, data.classes)
