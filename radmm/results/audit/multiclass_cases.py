"""Pairs of data sets with more than two classes: f has a column for each, and all rows are of the first class.

The record's pull is largest where f is sure of another class: towards that and away from its own, √2 times its length.
Down the second axis both rows of a nearly opposite pair are taken for the second class, so that replacing one by the
other moves the gradient by nearly all that it can: 2√2 C/B.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from radmm.base.arrays import Array
from radmm.results.audit.case import PLANE, AuditCase
from radmm.results.audit.rows import Rows

OWN, OTHER = 0, 1  # the class of all rows, and the one that they are taken for


@dataclass(frozen=True)
class ClassRows(Rows):
    """A node's rows x, all of one class; points are (entry of f, run), class by class."""

    def _bends(self, point: Array) -> tuple[Array, Array]:
        """Return what each class's probability lacks to its target, and the probabilities, (row, class, run)."""
        columns = point.reshape(self.loss.outputs, -1, point.shape[1])
        chance: Array = softmax(np.einsum("nf,cfr->ncr", self.rows, columns), axis=1)
        missing = -chance
        missing[:, OWN] += 1.0
        return missing, chance

    def _gradient(self, missing: Array) -> Array:
        gradient: Array = -np.einsum("n,nf,ncr->cfr", self.weight, self.rows, missing)
        return gradient.reshape(-1, missing.shape[2])

    def _hessian(self, bend: Array, curvature: float) -> Array:
        """Return Σ w (diag p − p pᵀ) ⊗ x xᵀ, with the curvature added to its diagonal."""
        bends = np.einsum("ncr,ck->nckr", bend, np.eye(bend.shape[1])) - bend[:, :, None] * bend[:, None]
        products = np.einsum("n,nf,ng->nfg", self.weight, self.rows, self.rows)
        size = bend.shape[1] * self.rows.shape[1]
        hessian: Array = np.einsum("nckr,nfg->cfkgr", bends, products).reshape(size, size, -1)
        return hessian + curvature * np.eye(size)[:, :, None]


@dataclass(frozen=True)
class ClassCase(AuditCase):
    """A pair of data sets in a run with a loss of several classes, on two features."""

    @property
    def coordinates(self) -> int:
        return self.setup.dimension

    def node_rows(self, replaced: bool, coordinates: int) -> list[Rows]:
        """Return each node's rows as with two classes, on the features alone.

        Args:
            replaced: Whether the first node has the replacement.
            coordinates: Number of entries of f, all of which are used.
        """
        return [ClassRows(each.rows, each.weight, each.loss) for each in super().node_rows(replaced, PLANE)]

    @property
    def initial_point(self) -> Array:
        """Initial point, (node, entry of f), at which rows that go up the second axis are taken for the other class."""
        start = np.zeros((self.setup.network.nodes, self.setup.dimension))
        start[:, OTHER * PLANE + 1] = self.pair.start
        return start
