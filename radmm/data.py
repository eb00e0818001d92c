"""The prepared data files: features with labels, and splits, as the solver reads them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from radmm.arrays import Array
from radmm.problem import Problem
from radmm.split import Split, assign_nodes
from radmm.store import content_hash, read_metadata, write_parquet

LABEL = "label"


@dataclass(frozen=True)
class DataSet:
    """Rows with labels ±1, and the hash of these values."""

    features: Array
    labels: Array
    hash: str


def write_features(target: Path, matrix: Array, columns: list[str], labels: Array) -> None:
    table = {**dict(zip(columns, matrix.T, strict=True)), LABEL: labels.astype(np.int8)}
    write_parquet(target, table, {"hash": content_hash(matrix, labels)})


def read_features(path: Path) -> DataSet:
    table = pq.read_table(path)
    labels = table.column(LABEL).to_numpy().astype(np.float64)
    features = np.column_stack([column.to_numpy() for column in table.drop_columns([LABEL]).itercolumns()])
    return DataSet(features, labels, read_metadata(path)["hash"])


def write_split(target: Path, split: Split) -> None:
    """One line a row number, in the order of the permutation."""
    rows = np.concatenate([split.train, split.test])
    part = np.repeat(["train", "test"], [len(split.train), len(split.test)])
    write_parquet(target, {"row": rows, "part": part.tolist()}, {"hash": content_hash(split.train, split.test)})


def read_split(path: Path) -> Split:
    table = pq.read_table(path)
    rows = table.column("row").to_numpy()
    is_train = np.array(table.column("part").to_pylist()) == "train"
    return Split(rows[is_train], rows[~is_train])


def make_problem(data: DataSet, split: Split, nodes: int, loss: str, C: float, rho: float) -> Problem:  # noqa: N803
    """The training rows, spread evenly over the nodes in the order of the split."""
    owner = assign_nodes(len(split.train), nodes)
    return Problem(data.features[split.train], data.labels[split.train], owner, loss, C, rho)
