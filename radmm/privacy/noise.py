"""The three ways to perturb a data-touching step, each with its price in pure differential privacy.

The noise ε has one of two laws. With α it has density ∝ exp(−α_i(k)‖ε‖₂): a norm from Gamma(d, 1/α) and, independently,
a uniform direction. With σ it is normal, N(0, σ_i(k)²I), which has no price in pure differential privacy.

The price of perturbing the objective is that of an exact argmin. A solver stops at a gradient norm τ, which leaves the
point within τ/λ0 of the argmin (λ0 is the subproblem's strong convexity). Adding a second, small normal noise to what
is released covers that distance: approximate minima perturbation (Iyengar et al., "Towards practical differentially
private convex optimization", 2019). `repair` is that noise's standard deviation.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers, per_node
from radmm.base.errors import InputError, about
from radmm.base.seeds import Purpose, generator
from radmm.model.facts import PublicFacts
from radmm.model.schedules import Schedule, as_schedule

EXPONENTIAL_NORM, GAUSSIAN = "exponential-norm", "gaussian"


@dataclass(frozen=True)
class Noise(ABC):
    """Noise of scale 1/α or σ at each data-touching step; either is one number, one per node, or a schedule."""

    alpha: Schedule | None = None
    sigma: Schedule | None = None
    repair: Schedule | None = None
    name: ClassVar[str]
    only_for: ClassVar[str | None] = None  # the algorithm's name, where just one can take this noise
    perturbs_objective: ClassVar[bool] = True  # else the argmin is released with ε added

    def __post_init__(self) -> None:
        if (self.alpha is None) == (self.sigma is None):
            raise InputError(f"alpha = {self.alpha} and sigma = {self.sigma}: exactly one of them must be given")
        _check_scale("alpha" if self.sigma is None else "sigma", self._given)
        if self.repair is not None:
            _check_scale("repair", self.repair)
            if not self.perturbs_objective:
                raise InputError(f"repair = {self.repair}: {self.name} noise covers the solver's tolerance itself")

    @property
    def law(self) -> str:
        return EXPONENTIAL_NORM if self.sigma is None else GAUSSIAN

    @property
    def _given(self) -> Schedule:
        scale = self.alpha if self.sigma is None else self.sigma
        assert scale is not None  # noqa: S101 (exactly one is given)
        return scale

    def scales(self, step: int, nodes: int) -> Array:
        """α_i or σ_i, whichever is given, at the k-th data-touching step."""
        with about("alpha" if self.sigma is None else "sigma"):
            return as_schedule(self._given).at(step, nodes)

    def repairs(self, step: int, nodes: int) -> Array:
        """The standard deviation of what is added to the released values at the k-th data-touching step."""
        if self.repair is None:
            return np.zeros(nodes)
        with about("repair"):
            return as_schedule(self.repair).at(step, nodes)

    def draw(self, step: int, dimension: int, runs: Integers, seed: int, nodes: int) -> Array:
        """(node, feature, run): one ε for every node and each of the numbered runs."""
        draw = draw_noise if self.law == EXPONENTIAL_NORM else draw_gaussian
        return draw(self.scales(step, nodes), dimension, runs, seed, step)

    def draw_repair(self, step: int, dimension: int, runs: Integers, seed: int, nodes: int) -> Array:
        """The same for what covers the solver's tolerance, from a stream of its own."""
        return draw_gaussian(self.repairs(step, nodes), dimension, runs, seed, step, Purpose.REPAIR)

    def linear_term(self, epsilon: Array, penalty: Array, degrees: Array) -> Array:
        """What is added to the linear term of the argmin."""
        return np.zeros_like(epsilon)

    @abstractmethod
    def cost(self, facts: PublicFacts, penalty: Array) -> tuple[Array, Array]:
        """(fixed, slope): one step costs a record of the node at most fixed + slope·α; penalty is (step, node)."""


class ObjectiveNoise(Noise):
    """+ ε·f in the argmin: the paper's perturbation, and dual variable perturbation for plain ADMM."""

    name: ClassVar[str] = "objective"

    def linear_term(self, epsilon: Array, penalty: Array, degrees: Array) -> Array:
        return epsilon

    def cost(self, facts: PublicFacts, penalty: Array) -> tuple[Array, Array]:
        """The privacy theorem: (2C/B_i)(1.4 c1/(ρ/N + 2η_iV_i) + α_i)."""
        sensitivity = facts.gradient_sensitivity()
        fixed = sensitivity * 1.4 * facts.c1 / facts.strong_convexity(penalty)
        return fixed, np.broadcast_to(sensitivity, fixed.shape)


class PenaltyNoise(Noise):
    """η_i S‖½(f_i + f_j) + ε − f‖² in the argmin: M-ADMM's penalty perturbation."""

    name: ClassVar[str] = "penalty"
    only_for: ClassVar[str | None] = "m-admm"

    def linear_term(self, epsilon: Array, penalty: Array, degrees: Array) -> Array:
        return -2.0 * per_node(penalty * degrees) * epsilon

    def cost(self, facts: PublicFacts, penalty: Array) -> tuple[Array, Array]:
        """M-ADMM's published bound (C/(η_iV_iB_i))(1.4 c1 + α_i); it forgoes the ρ/N in the curvature."""
        slope = facts.C / (penalty * facts.degrees * facts.row_counts)
        return 1.4 * facts.c1 * slope, slope


class OutputNoise(Noise):
    """The argmin is released with ε added; dual and even steps see the released value only."""

    name: ClassVar[str] = "output"
    perturbs_objective: ClassVar[bool] = False

    def cost(self, facts: PublicFacts, penalty: Array) -> tuple[Array, Array]:
        """Replacing one row moves the argmin by at most (2C/B_i)/(ρ/N + 2η_iV_i)."""
        sensitivity = facts.gradient_sensitivity() / facts.strong_convexity(penalty)
        return np.zeros_like(sensitivity), sensitivity


def _check_scale(field: str, value: Schedule) -> None:
    try:
        as_schedule(value)
    except InputError:
        raise InputError(f"{field} = {value}: must be positive, one number or one for each node") from None


NOISES: dict[str, type[Noise]] = {noise.name: noise for noise in (ObjectiveNoise, PenaltyNoise, OutputNoise)}


def draw_noise(alpha: Array, dimension: int, runs: Integers, seed: int, step: int) -> Array:
    """(node, feature, run): one ε for every node and each of the numbered runs at the given data-touching step."""
    direction, norm = np.empty((len(runs), len(alpha), dimension)), np.empty((len(runs), len(alpha)))
    for place, run in enumerate(runs):  # a stream each: no two runs may share noise
        generator(seed, Purpose.NOISE_DIRECTION, run, step).standard_normal(out=direction[place])
        norm[place] = generator(seed, Purpose.NOISE_NORM, run, step).gamma(dimension, size=len(alpha))
    norm /= alpha * np.sqrt(np.einsum("rnd,rnd->rn", direction, direction))
    direction *= norm[:, :, None]
    return np.ascontiguousarray(direction.transpose(1, 2, 0))


def draw_gaussian(
    sigma: Array,
    dimension: int,
    runs: Integers,
    seed: int,
    step: int,
    purpose: Purpose = Purpose.NOISE_DIRECTION,
) -> Array:
    """The same with ε ~ N(0, σ_i²I)."""
    noise = np.empty((len(sigma), dimension, len(runs)))
    for column, run in enumerate(runs):
        normal = generator(seed, purpose, run, step).standard_normal((len(sigma), dimension))
        np.multiply(normal, sigma[:, None], out=noise[:, :, column])
    return noise
