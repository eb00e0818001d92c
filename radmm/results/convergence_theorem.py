"""The paper's convergence theorem: its two conditions as matrices, and the constants at which they are met best.

The matrices are not symmetric: A ≻ B is read as "the symmetric part of A − B is positive definite", and its margin is
the smallest eigenvalue of that part.
"""

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from radmm.algorithms.recycled import Recycled
from radmm.base.arrays import Array
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts

LARGEST_GAMMA = 1e12
ROUNDING = 1e-9  # an eigenvalue that is zero is not computed as such
ZOOM = 40.0 * 0.1 ** np.arange(7)  # how far each look at x goes to both sides, in twenty steps
# log L and log(μ − 1), from the best of which the search begins
STARTS: Array = np.array(list(itertools.product(range(-14, 15, 2), (-1.0, 1.0))))


@dataclass(frozen=True)
class ConvergenceMargins:
    """The margins of the theorem's conditions (i) and (ii) at the best L and μ found.

    The theorem applies if both are positive.
    """

    first: float
    second: float
    L: float
    mu: float

    @property
    def margin(self) -> float:
        """Smaller margin of the two conditions; both hold if it is positive."""
        return min(self.first, self.second)


def convergence_condition(
    facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int, gamma: float | None = None
) -> ConvergenceMargins:
    """Return the conditions of the convergence theorem, with the public bound M_i = C_i·c1 + ρ/N."""
    return best_of(matrices_of(facts, network, algorithm, iterations, algorithm.gamma if gamma is None else gamma))


def best_of(matrices: "Matrices") -> ConvergenceMargins:
    """Find the L and μ at which the smaller of both margins is largest, by Nelder and Mead's method.

    Args:
        matrices: Matrices of the conditions, for one setting.
    """

    def shortfall(point: Array) -> float:
        return -float(matrices.margins(point).min())

    point = STARTS[matrices.margins(STARTS).min(axis=-1).argmax()]
    for _ in range(2):  # the margin has edges, on which a simplex may collapse: the second one begins anew
        point = minimize(shortfall, point, method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-9}).x
    first, second = matrices.margins(point)
    return ConvergenceMargins(float(first), float(second), math.exp(point[0]), 1.0 + math.exp(point[1]))


class Matrices(NamedTuple):
    """Matrices of the theorem's two conditions, of shape (pair of odd iterations, node, node)."""

    left: Array
    pull: Array
    gain: Array
    spread: Array
    curve: Array

    def margins(self, point: Array) -> Array:
        """Return the margins of both conditions, (…, 2), at each of the points (log L, log(μ − 1)), also (…, 2)."""
        big, mu = (values[..., None, None, None] for values in (np.exp(point[..., 0]), 1.0 + np.exp(point[..., 1])))
        first = self.left - big * mu * self.pull
        second = self.gain - self.spread / big - big * mu / (mu - 1.0) * self.curve
        smallest: Array = np.linalg.eigvalsh(np.stack([first, second], axis=-4))[..., 0].min(axis=-1)
        return smallest

    def can_be_met(self) -> bool:
        """Return whether both conditions hold for some L and μ.

        Condition (i) bounds Lμ, and (ii) is easiest to meet at that bound. What remains is x = log(L/(Lμ − L)), in
        which the margin of (ii) is concave wherever the spread is positive semidefinite.
        """
        values, vectors = np.linalg.eigh(self.left)
        if values.min() <= ROUNDING:
            return False
        whitened = vectors / np.sqrt(values - ROUNDING)[:, None, :]
        bound = 1.0 / np.linalg.eigvalsh(np.swapaxes(whitened, 1, 2) @ self.pull @ whitened).max()
        best = 0.0
        for width in ZOOM:
            x = (best + width * np.linspace(-1.0, 1.0, 21))[:, None, None, None]
            matrices = self.gain - (1.0 + np.exp(-x)) / bound * self.spread - bound * np.exp(x) * self.curve
            margins = np.linalg.eigvalsh(matrices)[..., 0].min(axis=-1)
            if margins.max() > ROUNDING:
                return True
            best = float(x.flat[margins.argmax()])
        return False


def matrices_of(facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int, gamma: float) -> Matrices:
    """Return the matrices at the first and the last pair of odd iterations k and k + 1."""
    last = max(2, (iterations + 1) // 2)  # of the odd iterations
    first, final = ([algorithm.penalties(k, facts.nodes) for k in (step, step + 1)] for step in (1, last - 1))
    steps = [1] if np.array_equal(first, final) else [1, last - 1]  # with penalties that don't grow both are the same
    pairs = [matrices_at(facts, network, algorithm, step, gamma) for step in steps]
    return Matrices(*(np.stack(parts) for parts in zip(*pairs, strict=True)))


def matrices_at(
    facts: PublicFacts, network: Network, algorithm: Recycled, step: int, gamma: float
) -> tuple[Array, ...]:
    now, after = (algorithm.penalties(k, facts.nodes) for k in (step, step + 1))
    laplacian, signless, inverse = _spread_by(network, tuple(after.tolist()))
    tilde = 2.0 * now * network.degrees + gamma
    assert facts.c1 is not None  # noqa: S101 (the theorem is about losses with bounded curvature)
    squares = (facts.node_weights * facts.c1 + facts.rho / facts.nodes) ** 2
    mixing = after[:, None] * signless / tilde  # W(t+1)(D + A) D̃(t)⁻¹
    return (
        _symmetric(np.eye(facts.nodes) + mixing),
        _symmetric(inverse * squares) / (2.0 * tilde.min()),
        _symmetric(after[:, None] * signless - mixing @ (now[:, None] * laplacian)),
        _symmetric(2.0 * mixing @ (after[:, None] * signless)),
        np.diag(squares) / (2.0 * tilde.min()),
    )


@lru_cache(maxsize=256)
def _spread_by(network: Network, penalties: tuple[float, ...]) -> tuple[Array, Array, Array]:
    """Return D − A, D + A and (W(D − A))⁺, which no γ changes."""
    adjacency, degree = network.adjacency.toarray(), np.diag(network.degrees)
    laplacian = degree - adjacency
    return laplacian, degree + adjacency, np.linalg.pinv(np.array(penalties)[:, None] * laplacian)


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2.0


def sufficient_gamma(facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int) -> float | None:
    """Return the least γ, rounded up to three digits, at which the theorem applies; None if no γ is large enough.

    As γ grows, (ii) tends to W(D + A) ≻ 0, which fails for bipartite networks.
    """

    def applies(gamma: float) -> bool:
        return matrices_of(facts, network, algorithm, iterations, gamma).can_be_met()

    if not applies(LARGEST_GAMMA):
        return None
    low, high = -3.0, math.log10(LARGEST_GAMMA)
    while high - low > 1e-3:
        middle = (low + high) / 2.0
        low, high = (low, middle) if applies(10.0**middle) else (middle, high)
    unit = 10.0 ** (math.floor(high) - 2)
    return float(math.ceil(10.0**high / unit) * unit)
