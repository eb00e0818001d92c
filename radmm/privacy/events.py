"""Privacy events: what one node releases after touching its data, as frozen data, one type for each perturbation.

Accountants see nothing else. What is computed from released values alone, like an even iteration of the recycled
algorithms or a dual step, is post-processing, which costs nothing.
"""

import math
from abc import ABC
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from radmm.model.losses.loss import SOFTMAX
from radmm.privacy.noise_laws import Law, in_noise
from radmm.privacy.relation import Neighbours, Relation


@dataclass(frozen=True)
class Release(ABC):
    """One value released with noise; neighbouring data replace a record by another of norm at most 1 at the same node.

    Args:
        law: Law of the noise.
        scale: α or σ of the noise, as it was drawn.
        C: Weight C_i of the node's data term.
        G: Bound on the loss's slope.
        rows: Number of rows B_i of the node.
        dimension: Number of entries of f.
        gain: σ_eff/σ, above 1 where neighbours share noise that cancels between them.
        colluders: Number of nodes that may then collude.
    """

    law: Law
    scale: float
    C: float
    G: float
    rows: int
    dimension: int
    gain: float = field(default=1.0, kw_only=True)
    colluders: int = field(default=0, kw_only=True)
    mechanism: ClassVar[str]  # its name in files and messages
    types: ClassVar[dict[str, type["Release"]]] = {}  # by that name

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Release.types[cls.mechanism] = cls

    @property
    def gradient_sensitivity(self) -> float:
        """Sensitivity of the gradient to replacing a row, 2GC/B_i."""
        return 2.0 * self.C / self.rows * self.G

    @property
    def sensitivity(self) -> float:
        """Sensitivity, to replacing a row, of the value to which the noise is added."""
        return self.gradient_sensitivity

    def leg_sensitivity(self, relation: Relation) -> float:
        """Return the sensitivity to one leg of a relation: to zeroing a row, or half of that to replacing one.

        Args:
            relation: Neighbouring relation.
        """
        return self.sensitivity / 2.0

    @property
    def solver_shift(self) -> float:
        """Largest distance between two answers to one query, as a solver ends near the argmin; noise hides it, too."""
        return 0.0

    @property
    def shift(self) -> float:
        """Length of the shift that the noise must hide."""
        return self.sensitivity + self.solver_shift

    @property
    def entering_scale(self) -> float:
        """α or σ of the noise where it enters; σ_eff where it cancels between neighbours."""
        return self.scale * self.gain

    @property
    def jacobian(self) -> float:
        """The x for which replacing a row changes the release's density by at most 1 + x beyond the noise's factor."""
        return 0.0

    @property
    def repair_mu(self) -> float:
        """Shift over standard deviation of a second, normal noise that covers an inexact argmin; 0 without one."""
        return 0.0

    @property
    def exact(self) -> bool:
        """Whether the guarantee assumes an exact argmin, which no solver's is."""
        return False

    @property
    def shift_in_noise(self) -> float:
        """The shift in units of the noise: κ = αs for exponential-norm noise, μ = s/σ for Gaussian noise."""
        return in_noise(self.law, self.entering_scale, self.shift)


@dataclass(frozen=True)
class PerturbedArgmin(Release):
    """An argmin with noise in its linear term.

    Args:
        curvature: λ0 = ρ/N + w_i, the subproblem's strong convexity.
        c1: Bound on the loss's curvature.
        monotone: Whether the slope of the loss never changes sign.
        form: How the loss's curvature depends on its slope: logistic, softmax, or merely bounded by c1.
        classes: Number of classes, used only for the form softmax.
        tolerance: Gradient norm τ at which the solver stops; 0 where the argmin is taken to be exact.
        repair: Standard deviation of the normal noise that covers the tolerance, or 0.
    """

    curvature: float
    c1: float
    monotone: bool
    form: str
    classes: int
    tolerance: float
    repair: float
    mechanism: ClassVar[str] = "objective"

    @property
    def jacobian(self) -> float:
        """The x for which replacing a row changes the determinant of the argmin's Hessian by at most 1 + x.

        It is C c1/(B_i λ0) for a loss of one margin, and (1 + C/(q B_i λ0))^(q−1) − 1 for the softmax of q classes.
        """
        weight = self.gradient_sensitivity / (2.0 * self.G)
        if self.form == SOFTMAX:
            return math.expm1((self.classes - 1) * math.log1p(weight / (self.classes * self.curvature)))
        return weight * self.c1 / self.curvature

    @property
    def repair_mu(self) -> float:
        """Shift over standard deviation of the repair: two solutions within τ/λ0 of one argmin differ by 2τ/λ0."""
        return 2.0 * self.tolerance / (self.curvature * self.repair) if self.repair else 0.0

    @property
    def exact(self) -> bool:
        """Whether no repair covers the solver's tolerance."""
        return self.tolerance == 0.0


@dataclass(frozen=True)
class PerturbedPenaltyArgmin(PerturbedArgmin):
    """An argmin with noise in its quadratic penalty, which enters the linear term as −w_i ε·f.

    Args:
        penalty_curvature: w_i = 2η_iV_i.
    """

    penalty_curvature: float
    mechanism: ClassVar[str] = "penalty"

    @property
    def entering_scale(self) -> float:
        """Scale of the linear term's noise: α/w_i or σ w_i."""
        factor = self.penalty_curvature
        return self.scale * factor if self.law == Law.GAUSSIAN else self.scale / factor


@dataclass(frozen=True)
class NoisyArgmin(Release):
    """An argmin with noise added to it; the noise hides the solver's tolerance as well.

    Args:
        curvature: λ0, the subproblem's strong convexity.
        tolerance: Gradient norm τ at which the solver stops.
    """

    curvature: float
    tolerance: float
    mechanism: ClassVar[str] = "output"

    @property
    def sensitivity(self) -> float:
        """Sensitivity of the argmin to replacing a row, (2GC/B_i)/λ0."""
        return self.gradient_sensitivity / self.curvature

    @property
    def solver_shift(self) -> float:
        """Largest distance between two solutions: each is within τ/λ0 of the argmin."""
        return 2.0 * self.tolerance / self.curvature


@dataclass(frozen=True)
class NoisyGradient(Release):
    """A gradient with noise added to it: computed, not searched for, so there is no tolerance and no Jacobian."""

    mechanism: ClassVar[str] = "gradient"


@dataclass(frozen=True)
class NoisyMoments(Release):
    """First and second moments of a node's rows w = y x: (C/B_i)(Σ w, √t Σ w wᵀ), with noise of one σ added to all.

    So σ₁ = σ is the standard deviation of the first moments' noise, and σ₂ = σ/√t that of the second ones'. Matrices
    are vectors of the same norm: upper triangles, times √2 off the diagonal.
    """

    mechanism: ClassVar[str] = "moments"
    ratio: ClassVar[float] = 2.0  # t = σ₁²/σ₂²: errors on Adult are least from 1 to 4, where they hardly depend on it

    @property
    def sensitivity(self) -> float:
        """Sensitivity of both moments together to replacing a row."""
        return self.C / self.rows * replacing_sensitivity(self.ratio)

    def leg_sensitivity(self, relation: Relation) -> float:
        """Sensitivity to zeroing a row, which is more than half of that to replacing one; else that half."""
        if relation.neighbours == Neighbours.ZERO_OUT:
            return self.C / self.rows * math.sqrt(1.0 + self.ratio)
        return super().leg_sensitivity(relation)


def replacing_sensitivity(ratio: float) -> float:
    """Return the largest distance of (w, √t w wᵀ) for two rows w of norm at most 1: docs/proofs.md, section 7.

    It is largest for unit rows with the inner product −1/(2t), or for opposite ones where that is below −1.

    Args:
        ratio: t, at least 0.
    """
    return math.sqrt(2.0 + 2.0 * ratio + 0.5 / ratio) if ratio >= 0.5 else 2.0


@dataclass(frozen=True)
class PostProcessing:
    """A value computed from those released at the iterations named: it costs nothing.

    Args:
        of: Iterations whose releases it is computed from.
    """

    of: tuple[int, ...]


def field_names() -> list[str]:
    """Return the fields of all types of releases, each once, in a fixed order."""
    names: dict[str, None] = {}
    for event in Release.types.values():
        names |= dict.fromkeys(field.name for field in fields(event))
    return list(names)
