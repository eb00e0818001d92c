"""The integer grid of gradients: every row contributes whole numbers of bounded norm, whatever the row holds.

The sum of a node's contributions is then exact, and replacing a row moves it by at most twice the bound. So the
sensitivity rests on no property of floating-point sums, of the loss's code or of the rows (docs/proofs.md, "Releases").
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError

FINENESS = 1000  # R over √d: rounding a row's gradient to the grid adds at most 0.05 % to its norm
MOST_ENTRIES = 3_000_000  # of f: beyond, d·R² may exceed 64 bits
MOST_ROWS = 2**40  # of a node: beyond, B·R may


@dataclass(frozen=True)
class GradientGrid:
    """Grid on which the gradient of each row's loss is rounded.

    Args:
        radius: R, the largest norm of a row's contribution, in steps of the grid.
        step: g, the length of a step, in units of the gradient of one row's loss.
    """

    radius: int
    step: float

    @classmethod
    def of(cls, dimension: int, slope_bound: float) -> "GradientGrid":
        """Return the grid for gradients of norm at most G: R depends on d alone, and g makes G fit into R.

        Args:
            dimension: Number d of entries of f.
            slope_bound: Bound G on the loss's slope, which is the norm of a row's gradient at most.
        """
        if dimension > MOST_ENTRIES:
            raise InputError(
                f"f has {dimension} entries: must have at most {MOST_ENTRIES} in a release, whose sums are of 64 bits"
            )
        radius = math.ceil(FINENESS * math.sqrt(dimension))
        return cls(radius, slope_bound / (radius - math.sqrt(dimension)))  # ½√d for rounding, as much to spare

    def contributions(self, rows: sparse.csr_array, coefficient: Array) -> Integers:
        """Return each row's gradient in whole steps of the grid, (stored value, output); rows longer than R give zeros.

        What a row gives depends on that row and its coefficient alone: every operation is on one value, or sums whole
        numbers of one row.

        Args:
            rows: Rows x, each column at most once in a row.
            coefficient: Derivatives of each row's loss in its scores, (row, output).
        """
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        exact = rows.data[:, None] * coefficient[row] / self.step
        steps: Integers = np.rint(np.clip(np.nan_to_num(exact, nan=0.0), -self.radius, self.radius)).astype(np.int64)
        square = np.zeros(rows.shape[0], dtype=np.int64)
        np.add.at(square, row, (steps**2).sum(axis=1))  # at most d·R², which 64 bits hold
        steps[(square > self.radius**2)[row]] = 0
        return steps

    def total(self, rows: sparse.csr_array, coefficient: Array) -> Integers:
        """Return the exact sum of all rows' contributions, (outputs · features,), class by class.

        Args:
            rows: Rows x, each column at most once in a row.
            coefficient: Derivatives of each row's loss in its scores, (row, output).
        """
        steps = self.contributions(rows, coefficient)
        sums = np.zeros((steps.shape[1], rows.shape[1]), dtype=np.int64)
        for output, values in enumerate(steps.T):
            np.add.at(sums[output], rows.indices, values)
        return sums.ravel()
