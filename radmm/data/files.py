"""The prepared data files: features with labels, splits and edges, as the solver reads them."""

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
    """Rows with labels, and what identifies them.

    Args:
        features: The rows, compressed.
        labels: For each row +1 or −1 if there are two classes, and else the class's number 0, 1, …
        hash: Of the values.
        classes: How many there are.
        node: For each row the number of the node that a column of the data names, or None if no column does.
        node_names: What the column calls the nodes 0, 1, …
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
        """What a partition may look at.

        Args:
            split: Which rows train.
        """
        node = None if self.node is None else self.node[split.train]
        return TrainingRows(self.labels[split.train], node, self.node_names)


def write_features(table: Path, rows: Path, features: Features, classes: int) -> None:
    """Twice: as a table for people, and as compressed rows, which a solver job reads far faster.

    A dense matrix is a table with a column for each feature. Of a sparse one the table has, for each row, the list of
    the columns that are not zero and the list of their values, so that both files grow with the values that are there.

    Args:
        table: The Parquet file to write.
        rows: The file of compressed rows to write: the arrays `data`, `indices`, `indptr` and `shape`, `labels`,
            `classes`, `hash` and `caveat`; `node` and `node_names` if a column of the data names the nodes.
        features: What to write.
        classes: How many labels there may be.
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
    told = {"hash": digest, "classes": classes, "caveat": features.facts.get("caveat", "")}
    write_parquet(
        table, {**shown, LABEL: labels.astype(np.int32), **named}, {**told, "columns": list(features.columns)}
    )
    if node is not None:
        named["node_names"] = np.array(features.node_names, dtype=np.str_)
    with vouched(rows) as temporary:
        np.savez(temporary, labels=labels, shape=compressed.shape, **told, **parts, **named)


def _sparse_columns(rows: scipy.sparse.csr_array) -> dict[str, Any]:
    starts = pa.array(rows.indptr, pa.int32())
    values = {"columns": pa.array(rows.indices, pa.int32()), "values": pa.array(rows.data, pa.float64())}
    return {name: pa.ListArray.from_arrays(starts, part) for name, part in values.items()}


def read_features(rows: Path) -> DataSet:
    """What `write_features` wrote.

    Args:
        rows: The file of compressed rows.
    """
    with np.load(checked(rows)) as stored:
        features = scipy.sparse.csr_array(tuple(stored[name] for name in _PARTS), shape=tuple(stored["shape"]))
        node = stored.get(NODE)
        names = () if node is None else tuple(stored["node_names"].tolist())
        told = str(stored["hash"]), int(stored["classes"]), node, names, str(stored["caveat"])
        return DataSet(features, stored["labels"], *told)


def write_split(target: Path, split: Split) -> None:
    """One line a row number, in the order of the permutation: the training rows, then the test rows.

    Args:
        target: The file to write.
        split: What to write.
    """
    rows = np.concatenate([split.train, split.test])
    part = np.repeat(["train", "test"], [len(split.train), len(split.test)])
    facts = {"train": len(split.train), "hash": content_hash(split.train, split.test)}
    write_parquet(target, {"row": rows, "part": part}, facts)


def read_split(path: Path) -> Split:
    """What `write_split` wrote.

    Args:
        path: The file.
    """
    rows = read_numbers(checked(path), "row")
    train = read_metadata(path)["train"]
    return Split(rows[:train], rows[train:])


def write_edges(target: Path, edges: Integers) -> None:
    """One line an edge: its two node numbers.

    Args:
        target: The file to write.
        edges: (edges, 2) node numbers; none for a network of one node.
    """
    write_text(target, "".join(f"{left} {right}\n" for left, right in edges.tolist()))


def read_edges(path: Path) -> Integers:
    """What `write_edges` wrote.

    Args:
        path: The file.
    """
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
    """The training rows, spread over the nodes.

    Args:
        data: All rows.
        split: Which of them train.
        partition: Which node a training row belongs to.
        nodes: Number of nodes, the paper's N.
        loss: A name or a loss, as `Problem` takes it.
        C: The weight of the loss.
        rho: The weight ρ of the regulariser.
        weighting: What counts alike, nodes or rows.
    """
    rows = data.training_rows(split)
    missing = np.setdiff1d(data.labels, rows.labels)
    if len(missing):
        raise InputError(f"class {missing[0]:g} has no training rows: must have one, so raise split.train")
    owner = spread_rows(partition, rows, nodes)
    return Problem(data.features[split.train], rows.labels, owner, loss, C, rho, weighting, data.classes)
