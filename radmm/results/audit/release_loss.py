"""The exact privacy loss of one release: the log-ratio of its densities under two data sets.

Noise in the argmin's linear term is recovered from what is released, b = −∇J(f), and J's gradient is a bijection: the
density of f is that of b times the determinant of J's Hessian. Noise on the output is what is released minus the
argmin. Either way the other data set needs another noise, b + shift, for the same f.
"""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.noise_laws import Law
from radmm.results.audit.rows import Rows


@dataclass(frozen=True)
class Density:
    """Density of the noise where it enters, the linear term or the output: its law, and α or σ."""

    law: Law
    scale: float

    def loss(self, noise: Array, shift: Array, elsewhere: Array) -> Array:
        """Return the log-density at b less that at b + shift.

        The features may be coordinates of a subspace that contains the shift; elsewhere is ‖b‖² outside of it.
        """
        grown: Array = np.einsum("dr,dr->r", 2.0 * noise + shift, shift)  # ‖b + shift‖² − ‖b‖², without cancellation
        if self.law == Law.GAUSSIAN:
            return grown / (2.0 * self.scale**2)
        square = np.einsum("dr,dr->r", noise, noise) + elsewhere
        loss: Array = self.scale * grown / (np.sqrt(np.maximum(square + grown, 0.0)) + np.sqrt(square))
        return loss


@dataclass(frozen=True)
class NeighbouringRows:
    """The rows of the node at which two data sets differ: those that the run has, and the alternative's."""

    here: Rows
    there: Rows

    def argmin_loss(self, released: Array, linear: Array, curvature: float, law: Density, elsewhere: Array) -> Array:
        """Return the privacy loss of a released argmin with noise in its linear term."""
        slope = self.here.gradient(released)
        noise = -(slope + linear + curvature * released)
        shift = slope - self.there.gradient(released)
        jacobian = self.here.log_determinant(released, curvature) - self.there.log_determinant(released, curvature)
        return law.loss(noise, shift, elsewhere) + jacobian

    def output_loss(self, released: Array, linear: Array, curvature: float, law: Density, elsewhere: Array) -> Array:
        """Return the privacy loss of an argmin that is released with noise added."""
        argmin = self.here.minimise(linear, curvature)
        return law.loss(released - argmin, argmin - self.there.minimise(linear, curvature), elsewhere)
