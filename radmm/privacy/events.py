"""What one node sends out in one iteration, as frozen data.

Each data-touching iteration is one `Release` by every node. An even iteration of the recycled algorithms, and every
dual step, is computed from released values alone: post-processing, which costs nothing.
"""

from dataclasses import dataclass

from radmm.privacy.noise import GAUSSIAN


@dataclass(frozen=True)
class Release:
    """One node's perturbed argmin, released; a record is replaced by another of norm at most 1 at the same node."""

    mechanism: str  # objective, penalty or output
    law: str  # of the noise
    scale: float  # α or σ of the noise as it enters the argmin's linear term, or the output
    sensitivity: float  # what replacing a row can move: the gradient (2C/B_i), or the argmin for the output mechanism
    curvature: float  # λ0 = ρ/N + 2η_iV_i, the subproblem's strong convexity
    penalty_curvature: float  # 2η_iV_i of it
    c1: float  # the largest curvature of the loss
    monotone: bool  # whether the slope of the loss never changes sign
    dimension: int
    rows: int  # B_i
    tolerance: float  # gradient norm τ at which the solver stops; 0 where the argmin is taken to be exact
    repair: float  # standard deviation of the normal noise that covers the tolerance, or 0

    @property
    def jacobian(self) -> float:
        """x = C c1/(B_i λ0): replacing a row changes the determinant of the argmin's Hessian by at most 1 + x."""
        return 0.0 if self.mechanism == "output" else self.sensitivity / 2.0 * self.c1 / self.curvature

    @property
    def shift(self) -> float:
        """How far the noise must hide a move. The output's own noise hides the solver's tolerance as well."""
        covered = 2.0 * self.tolerance / self.curvature if self.mechanism == "output" else 0.0
        return self.sensitivity + covered

    @property
    def shift_in_noise(self) -> float:
        """The shift in units of the noise: κ = αs for exponential-norm noise, μ = s/σ for Gaussian noise."""
        return self.shift / self.scale if self.law == GAUSSIAN else self.shift * self.scale

    @property
    def repair_mu(self) -> float:
        """Shift over standard deviation of the repair: two solvers within τ/λ0 of one argmin differ by 2τ/λ0."""
        return 2.0 * self.tolerance / (self.curvature * self.repair) if self.repair else 0.0


@dataclass(frozen=True)
class PostProcessing:
    """A value computed from those released at the iterations named: it costs nothing."""

    of: tuple[int, ...]
