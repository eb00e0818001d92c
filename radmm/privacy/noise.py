"""Interface of noises: law and scale, and where the noise enters an answer of the oracle.

The ε of objective perturbation assumes an exact argmin. A solver stops at a gradient norm τ, which leaves the point
within τ/λ0 of the argmin (λ0 is the subproblem's strong convexity). Adding a second, small normal noise to what
is released covers that distance: approximate minima perturbation (Iyengar et al., "Towards practical differentially
private convex optimization", 2019). `repair` is that noise's standard deviation.
"""

from abc import ABC
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError, about
from radmm.base.inputs import check_fields
from radmm.base.registry import Component, Registry
from radmm.base.seeds import Purpose
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts
from radmm.model.schedules.schedule import ScheduleLike, plain_schedule, values_at
from radmm.privacy.cancelling_noise import draw_cancelling, effective_scales
from radmm.privacy.events import Release
from radmm.privacy.noise_laws import Law, draw_gaussian, draw_noise
from radmm.privacy.query_log import ArgminQuery, Query


@dataclass(frozen=True)
class Noise(Component, ABC):
    """Base class of noises at data-touching steps; α or σ is given as one number, one per node, or a schedule.

    Args:
        alpha: α of noise with density ∝ exp(−α‖ε‖): smaller is more noise.
        sigma: Standard deviation of Gaussian noise.
        repair: Standard deviation of normal noise on the released value, which covers inexact argmins.
        cancelling: σ_c/σ of noise that neighbours share and that cancels between them, σ the least of the nodes'; 0 for
            none. The guarantee then assumes that shared draws stay between the two.
        colluders: Number of nodes that may tell an adversary all they know, with cancelling noise.
    """

    alpha: ScheduleLike | None = None
    sigma: ScheduleLike | None = None
    repair: ScheduleLike | None = None
    cancelling: Annotated[float, Ge(0), Le(1000)] = 0.0
    colluders: Annotated[int, Ge(0)] = 0
    registry: ClassVar[Registry["Noise"]]
    event: ClassVar[type[Release]]  # what a node releases
    perturbs: ClassVar[type[Query]] = ArgminQuery  # the query whose answers it is for
    can_cancel: ClassVar[bool] = False  # whether cancelling noise is proved for it
    on_output: ClassVar[bool] = False  # whether it is added to the answer, else it enters the argmin
    needs_slope_bound: ClassVar[bool] = True  # whether its proof rests on bounds that the loss states

    def __post_init__(self) -> None:
        if (self.alpha is None) == (self.sigma is None):
            raise InputError(f"alpha = {self.alpha} and sigma = {self.sigma}: exactly one of them must be given")
        for field in ("alpha", "sigma", "repair"):
            value = getattr(self, field)
            if value is not None:
                object.__setattr__(self, field, plain_schedule(field, value))
        check_fields("noise", self)
        if self.cancelling and not (self.can_cancel and self.law == Law.GAUSSIAN):
            raise InputError(
                f"cancelling = {self.cancelling:g}: must be left out for {self.law} {self.name} noise; "
                "that it hides as much is proved for gaussian objective, output, gradient and moments noise"
            )
        if self.colluders and not self.cancelling:
            raise InputError(
                f"colluders = {self.colluders}: must be left out without cancelling, as nobody shares noise"
            )
        if self.repair is not None and self.on_output:
            raise InputError(
                f"repair = {self.repair}: {self.name} noise needs none, as it is added to what is released"
            )

    @property
    def law(self) -> Law:
        """Law of the noise, which follows from the scale that is given."""
        return Law.EXPONENTIAL_NORM if self.sigma is None else Law.GAUSSIAN

    @property
    def _given(self) -> ScheduleLike:
        scale = self.alpha if self.sigma is None else self.sigma
        assert scale is not None  # noqa: S101 (exactly one is given)
        return scale

    def refusal(self, algorithm: Algorithm[Any]) -> str | None:
        """Return a sentence that says why the algorithm can't use this noise, or None if it can.

        Args:
            algorithm: Algorithm that would be run with this noise.
        """
        return None

    @classmethod
    def unit(cls, facts: PublicFacts) -> float:
        """Return the largest sensitivity of a gradient: the amount of noise at which calibrations begin.

        Args:
            facts: Public facts of the problem and the network.
        """
        return float(facts.gradient_sensitivity().max())

    def scales(self, step: int, nodes: int) -> Array:
        """Return α_i or σ_i, whichever is given, at the k-th data-touching step.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        with about("alpha" if self.sigma is None else "sigma"):
            return values_at(self._given, step, nodes)

    def repairs(self, step: int, nodes: int) -> Array:
        """Return the standard deviation of the noise added to released values at the k-th data-touching step.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        if self.repair is None:
            return np.zeros(nodes)
        with about("repair"):
            return values_at(self.repair, step, nodes)

    def gains(self, step: int, network: Network | None, nodes: int) -> Array:
        """Return σ_eff/σ_i of each node: 1 unless neighbours share noise.

        Args:
            step: Number k of the data-touching step, from 1.
            network: Graph over which the nodes exchange values.
            nodes: Number of nodes N.
        """
        if not self.cancelling:
            return np.ones(nodes)
        if network is None:
            raise InputError(f"cancelling = {self.cancelling:g}: must know who is whose neighbour")
        scales = self.scales(step, nodes)
        return effective_scales(scales, self.cancelling, self.colluders, network) / scales

    def draw_shared(self, step: int, dimension: int, runs: Integers, seed: int, network: Network) -> Array:
        """Draw the noise that cancels between neighbours, (node, feature, run).

        Args:
            step: Number k of the data-touching step, from 1.
            dimension: Number of features.
            runs: Numbers of the runs.
            seed: The user's seed.
            network: Graph over which the nodes exchange values.
        """
        sigma = self.cancelling * float(self.scales(step, network.nodes).min())
        return draw_cancelling(sigma, network, dimension, runs, seed, step)

    def draw(self, step: int, dimension: int, runs: Integers, seed: int, nodes: int) -> Array:
        """Draw the noise of every node and each of the numbered runs, (node, feature, run).

        Args:
            step: Number k of the data-touching step, from 1.
            dimension: Number of features.
            runs: Numbers of the runs.
            seed: The user's seed.
            nodes: Number of nodes N.
        """
        draw = draw_noise if self.law == Law.EXPONENTIAL_NORM else draw_gaussian
        return draw(self.scales(step, nodes), dimension, runs, seed, step)

    def draw_repair(self, step: int, dimension: int, runs: Integers, seed: int, nodes: int) -> Array:
        """Draw the noise that covers the solver's tolerance, (node, feature, run), from a stream of its own.

        Args:
            step: Number k of the data-touching step, from 1.
            dimension: Number of features.
            runs: Numbers of the runs.
            seed: The user's seed.
            nodes: Number of nodes N.
        """
        return draw_gaussian(self.repairs(step, nodes), dimension, runs, seed, step, Purpose.REPAIR)

    def linear_term(self, epsilon: Array, weight: Array) -> Array:
        """Return what the noise adds to the linear term of the argmin.

        Args:
            epsilon: The noise as it was drawn.
            weight: Quadratic weight w_i of the argmin, one a node.
        """
        return epsilon


NOISES: Registry[Noise] = Registry("noise.kind", "radmm.privacy.noises")
Noise.registry = NOISES
