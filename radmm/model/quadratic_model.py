"""Quadratic models of the nodes' objectives, whose matrices are kept as vectors of the same norm."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from radmm.base.arrays import Array, Integers

MOST_FEATURES = 1_000  # 500,500 entries: four megabytes for each node and run, and half a second to diagonalise


@dataclass(frozen=True)
class QuadraticModel:
    """Quadratic m_i·f + ½ f·M_i f at every node, which stands for O(f, D_i) up to a constant.

    Args:
        linear: The vectors m_i, (node, feature, run).
        matrix: The symmetric matrices M_i, packed, (node, entry, run).
        spread: Standard deviation of the noise that each node added to an entry of `matrix`, without what it shares
            with neighbours: public, one for each node of the network, 0 without noise.
    """

    linear: Array
    matrix: Array
    spread: Array

    @classmethod
    def of_moments(
        cls, first: Array, second: Array, spread: Array, quadratic: tuple[float, float], ridge: float
    ) -> "QuadraticModel":
        """Make the models of released moments, with a quadratic q1 z + ½ q2 z² that stands for the loss.

        They are q1 (Σ w)·f + ½ q2 f·(Σ w wᵀ) f + ½ ridge ‖f‖².

        Args:
            first: Weighted and perturbed Σ w, (node, feature, run).
            second: Likewise packed Σ w wᵀ, (node, entry, run).
            spread: Standard deviation of the noise that each node of the network added to an entry of `second`.
        """
        slope, curvature = quadratic
        regulariser = ridge * pack(np.eye(first.shape[1]))[:, None]
        return cls(slope * first, curvature * second + regulariser, curvature * spread)


def entries_of(features: int) -> int:
    """Return the number d(d + 1)/2 of entries of a packed symmetric matrix.

    Args:
        features: Number d of rows and columns.
    """
    return features * (features + 1) // 2


@lru_cache(maxsize=8)
def _triangle(features: int) -> tuple[Integers, Integers, Array]:
    """Return rows, columns and weights of the upper triangle: off the diagonal an entry stands for two."""
    row, column = np.triu_indices(features)
    return row, column, np.where(row == column, 1.0, np.sqrt(2.0))


def pack(matrix: Array) -> Array:
    """Return symmetric matrices as vectors of the same norm: upper triangles, times √2 off the diagonal.

    Args:
        matrix: Symmetric matrices, (…, d, d).
    """
    row, column, weight = _triangle(matrix.shape[-1])
    packed: Array = matrix[..., row, column] * weight
    return packed


def unpack(packed: Array, features: int) -> Array:
    """Return the symmetric matrices, (…, d, d), of packed ones, (…, entry).

    Args:
        packed: Packed matrices, as `pack` returns them.
        features: Number d of rows and columns.
    """
    row, column, weight = _triangle(features)
    matrix: Array = np.empty((*packed.shape[:-1], features, features))
    matrix[..., row, column] = matrix[..., column, row] = packed / weight
    return matrix
