"""Partition into nodes with different mixtures of the classes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt

from radmm.base.arrays import Integers
from radmm.base.seeds import Purpose, generator
from radmm.data.dirichlet_sizes import draw_counts
from radmm.data.partition import Partition, TrainingRows


@dataclass(frozen=True)
class LabelSkew(Partition):
    """Each class is spread over the nodes by a draw of its own from Dirichlet(β), so that mixtures and sizes differ.

    Args:
        beta: β; the smaller, the fewer classes most rows of a node belong to.
        seed: Seed of the draws.
        least: Least number of rows of each node; all classes are drawn again until it is reached.
    """

    beta: Annotated[float, Gt(0)]
    seed: Annotated[int, Ge(0)] = 0
    least: Annotated[int, Ge(1)] = 10
    name: ClassVar[str] = "label-skew"

    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        _, code, totals = np.unique(rows.labels, return_inverse=True, return_counts=True)
        stream = generator(self.seed, Purpose.LABEL_SKEW)
        counts = draw_counts(stream, self.beta, totals, nodes, self.least)
        owner = np.empty(len(rows), dtype=np.int64)
        owner[np.argsort(code, kind="stable")] = np.repeat(np.tile(np.arange(nodes), len(totals)), counts.ravel())
        return owner
