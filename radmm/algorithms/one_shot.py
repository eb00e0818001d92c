"""One-shot learning: one release of first and second moments a node, and gossip of what was released."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Le

from radmm.algorithms.algorithm import Algorithm, Sent, State, refusal_of_rounds
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, blocks_of_nodes
from radmm.base.errors import InputError
from radmm.model.gossip import MOST_ROUNDS
from radmm.model.losses.loss import Loss, quadratic_of
from radmm.model.network import Network
from radmm.model.quadratic_model import MOST_FEATURES, entries_of, unpack


@dataclass(frozen=True, kw_only=True)
class OneShotState(State):
    """State of one-shot learning, which carries along what the nodes average.

    Args:
        linear: Vectors m(t) of the quadratic models, 0 initially.
        matrix: Packed matrices M(t) of the quadratic models, 0 initially.
        noise_norm: Spectral norm that the noise is expected to have in the mean of the matrices, which is public.
    """

    linear: Array
    matrix: Array
    noise_norm: float


@dataclass(frozen=True)
class OneShot(Algorithm[OneShotState]):
    """One release of moments, which give a quadratic model of the objective; then gossip, and each node's minimum.

    Args:
        gossip: Number m of rounds of accelerated gossip in each iteration, the first one included.
        floor: Least eigenvalue of a node's matrix, in units of the norm that the noise of the mean is expected to have.
    """

    gossip: Annotated[int, Ge(0), Le(MOST_ROUNDS)] = 20
    floor: Annotated[float, Gt(0), Le(1000)] = 0.5
    name: ClassVar[str] = "one-shot"
    by_processes: ClassVar[bool] = True
    does_not_converge: ClassVar[str | None] = "it minimises a quadratic that stands for the loss"

    def check_problem(self, loss: Loss, features: int) -> None:
        """Refuse a loss for which no quadratic stands, and matrices that are too large."""
        quadratic_of(loss)
        if features > MOST_FEATURES:
            raise InputError(
                f"the data have {features} features: must be at most {MOST_FEATURES} for {self.name}, "
                f"which keeps and sends {self.numbers_kept(features)} numbers for each node and run"
            )

    def numbers_kept(self, features: int) -> int:
        """Return d + d(d + 1)/2, the entries of a vector and a packed matrix."""
        return features + entries_of(features)

    def sends(self, iteration: int, features: int) -> Sent:
        """Return what a node sends to each of its neighbours: both moments in each round of gossip."""
        return Sent(self.gossip, self.gossip * self.numbers_kept(features))

    def refusal_by_processes(self, network: Network) -> str | None:
        """Return why nodes can't be spread over processes, or None if they can."""
        return refusal_of_rounds(self.gossip, network) or super().refusal_by_processes(network)

    def first(self, primal: Array, network: Network) -> OneShotState:
        """Return the initial state: f(0) as given, and models of which nothing is known."""
        nodes, features, runs = primal.shape
        matrix = np.zeros((nodes, entries_of(features), runs))
        return OneShotState(iteration=0, primal=primal, linear=np.zeros_like(primal), matrix=matrix, noise_norm=0.0)

    def step(self, state: OneShotState, network: Network, oracle: Oracle) -> OneShotState:
        """Ask for the models at the first iteration alone; then m ← p(W)m, M ← p(W)M, f_i ← −[M_i]⁻¹ m_i.

        [M_i] has the eigenvalues of M_i below the floor raised to it, as a noisy matrix may be indefinite.
        """
        linear, matrix, noise_norm = state.linear, state.matrix, state.noise_norm
        if state.iteration == 0:
            model = oracle.moments(state.primal)
            linear, matrix = model.linear, model.matrix
            noise_norm = float(np.sqrt(2.0 * linear.shape[1]) * np.linalg.norm(model.spread) / len(model.spread))
        linear, matrix = (network.gossip(values, self.gossip) for values in (linear, matrix))
        primal = minima(linear, matrix, self.floor * noise_norm)
        now = state.iteration + 1
        return OneShotState(iteration=now, primal=primal, linear=linear, matrix=matrix, noise_norm=noise_norm)


def minima(linear: Array, matrix: Array, floor: float) -> Array:
    """Return −[M]⁻¹ m for every node and run, (node, feature, run), with eigenvalues of M raised to the floor.

    Along directions in which the raised matrix is still flat the minimum is put at 0.

    Args:
        linear: Vectors m, (node, feature, run).
        matrix: Packed matrices M, (node, entry, run).
        floor: Least eigenvalue, not negative.
    """
    lowest: Array = np.empty_like(linear)
    for block in blocks_of_nodes(matrix):  # as unpacked matrices take several times the room of packed ones
        eigenvalues, axes = np.linalg.eigh(unpack(matrix[block].swapaxes(1, 2), linear.shape[1]))
        raised = np.maximum(eigenvalues, floor)
        along = np.einsum("nrde,ndr->nre", axes, linear[block])
        along = np.divide(along, raised, out=np.zeros_like(along), where=raised > 0)
        lowest[block] = -np.einsum("nrde,nre->ndr", axes, along)
    return lowest
