"""Holdings: the number of training rows of each class that every node has."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.store import checked, write_json
from radmm.data.partition import TrainingRows


@dataclass(frozen=True)
class Holdings:
    """Number of training rows of each class at each node.

    Args:
        counts: Numbers of rows, (class, node).
        classes: Label of each class.
        node_names: Names that a column of the data gives the nodes; empty if none does.
    """

    counts: Integers
    classes: tuple[float, ...]
    node_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, rows: TrainingRows, owner: Integers, nodes: int) -> "Holdings":
        """Count the rows of each class at each node."""
        classes, code = np.unique(rows.labels, return_inverse=True)
        counts = np.bincount(code * nodes + owner, minlength=len(classes) * nodes).reshape(len(classes), nodes)
        named = rows.node is not None and np.array_equal(owner, rows.node)  # else names are of other groups than these
        return cls(counts, tuple(float(label) for label in classes), rows.node_names if named else ())

    @property
    def row_counts(self) -> Integers:
        """Number of rows of each node, the paper's B_i."""
        counts: Integers = self.counts.sum(axis=0)
        return counts

    @property
    def extremes(self) -> str:
        """Return a phrase that names the smallest and the largest node."""
        rows = self.row_counts
        least, most = (f"{self._called(int(node))} with {rows[node]:,}" for node in (rows.argmin(), rows.argmax()))
        return f"fewest rows at {least}, most at {most}"

    def _called(self, node: int) -> str:
        return f"node {node}" + (f" ({self.node_names[node]})" if self.node_names else "")

    def write(self, target: Path, section: Mapping[str, Any]) -> None:
        """Write the holdings as JSON, for people and for later steps.

        Args:
            section: The setting's partition section, which made them.
        """
        content = {
            **section,
            "rows": int(self.counts.sum()),
            "rows_by_node": self.row_counts.tolist(),
            "classes": list(self.classes),
            "rows_by_class_and_node": self.counts.tolist(),
            "node_names": list(self.node_names),
        }
        write_json(target, content)


def read_row_counts(path: Path) -> Integers:
    """Read the numbers of rows B_i from a file that `Holdings.write` wrote."""
    return np.array(json.loads(checked(path).read_text(encoding="utf-8"))["rows_by_node"])
