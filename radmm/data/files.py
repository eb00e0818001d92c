"""The prepared data files: features with labels, and splits, as the solver reads them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from scipy import sparse

from radmm.base.arrays import Array
from radmm.base.store import content_hash, read_metadata, replacing, write_parquet
from radmm.data.partition import Partition
from radmm.data.split import Split
from radmm.model.losses.loss import Loss
from radmm.model.problem import Problem
from radmm.model.weighting import Weighting

LABEL = "label"


@dataclass(frozen=True)
class DataSet:
    """Rows with labels, and what identifies them.

    Args:
        features: The rows, compressed.
        labels: +1 or −1 for each.
        hash: Of both's values.
    """

    features: sparse.csr_array
    labels: Array
    hash: str


def write_features(table: Path, rows: Path, matrix: Array, columns: list[str], labels: Array) -> None:
    """Twice: as a table for people, and as compressed rows, which a solver job reads far faster.

    Args:
        table: The Parquet file to write.
        rows: The file of compressed rows to write.
        matrix: The features.
        columns: A name for each of its columns.
        labels: One for each of its rows.
    """
    digest = content_hash(matrix, labels)
    named = {**dict(zip(columns, matrix.T, strict=True)), LABEL: labels.astype(np.int8)}
    write_parquet(table, named, {"hash": digest})
    compressed = sparse.csr_array(matrix)
    parts = {name: getattr(compressed, name) for name in ("data", "indices", "indptr", "shape")}
    with replacing(rows) as temporary:
        np.savez(temporary, labels=labels, hash=digest, **parts)


def read_features(rows: Path) -> DataSet:
    """What `write_features` wrote.

    Args:
        rows: The file of compressed rows.
    """
    with np.load(rows) as stored:
        features = sparse.csr_array((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
        return DataSet(features, stored["labels"], str(stored["hash"]))


def write_split(target: Path, split: Split) -> None:
    """One line a row number, in the order of the permutation: the training rows, then the test rows.

    Args:
        target: The file to write.
        split: What to write.
    """
    rows = np.concatenate([split.train, split.test])
    part = np.repeat(["train", "test"], [len(split.train), len(split.test)])
    facts = {"train": len(split.train), "hash": content_hash(split.train, split.test)}
    write_parquet(target, {"row": rows, "part": part.tolist()}, facts)


def read_split(path: Path) -> Split:
    """What `write_split` wrote.

    Args:
        path: The file.
    """
    stored = pq.ParquetFile(path).read(columns=["row"], use_threads=False)
    rows = np.concatenate([np.from_dlpack(chunk) for chunk in stored.column("row").chunks])  # to_numpy imports pandas
    train = read_metadata(path)["train"]
    return Split(rows[:train], rows[train:])


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
    labels = data.labels[split.train]
    return Problem(data.features[split.train], labels, partition.assign(labels, nodes), loss, C, rho, weighting)
