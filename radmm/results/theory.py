"""What the paper's theorems on convergence and sample size say of a setting. Nothing here is enforced.

The convergence theorem's matrices are not symmetric: A ≻ B is read as "the symmetric part of A − B is positive
definite", and its margin is the smallest eigenvalue of that part.
"""

import itertools
import json
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize

from radmm.algorithms.recycled import Recycled
from radmm.base.arrays import Array, Integers
from radmm.model.facts import PublicFacts
from radmm.model.network import Network
from radmm.study.public import facts_of, kept, known_facts, network_of
from radmm.study.settings import Parameters, build_algorithm, canonical

LARGEST_NETWORK = 50  # nodes up to which the conditions are evaluated: they take eigenvalues of N × N matrices
LARGEST_GAMMA = 1e12
ROUNDING = 1e-9  # an eigenvalue that is zero is not computed as such
ZOOM = 40.0 * 0.1 ** np.arange(7)  # how far each look at x goes to both sides, in twenty steps
# log L and log(μ − 1), from the best of which the search begins
STARTS: Array = np.array(list(itertools.product(range(-14, 15, 2), (-1.0, 1.0))))


@dataclass(frozen=True)
class Condition:
    """The theorem's conditions (i) and (ii) at the best L and μ that were found: both positive, and it applies."""

    first: float
    second: float
    L: float
    mu: float

    @property
    def margin(self) -> float:
        return min(self.first, self.second)


def convergence_condition(
    facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int, gamma: float | None = None
) -> Condition:
    """M_i is the public bound C_i·c1 + ρ/N."""
    return _best_of(_matrices(facts, network, algorithm, iterations, algorithm.gamma if gamma is None else gamma))


def _best_of(matrices: "_Matrices") -> Condition:
    def shortfall(point: Array) -> float:
        return -float(matrices.margins(point).min())

    point = STARTS[matrices.margins(STARTS).min(axis=-1).argmax()]
    for _ in range(2):  # the margin has edges, on which a simplex may collapse: the second one begins anew
        point = minimize(shortfall, point, method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-9}).x
    first, second = matrices.margins(point)
    return Condition(float(first), float(second), math.exp(point[0]), 1.0 + math.exp(point[1]))


@dataclass(frozen=True)
class _Matrices:
    """What the two conditions are made of, (pair of odd iterations, node, node)."""

    left: Array
    pull: Array
    gain: Array
    spread: Array
    curve: Array

    def margins(self, point: Array) -> Array:
        """Of both conditions, (…, 2), at each of the points log L, log(μ − 1), (…, 2)."""
        big, mu = (values[..., None, None, None] for values in (np.exp(point[..., 0]), 1.0 + np.exp(point[..., 1])))
        first = self.left - big * mu * self.pull
        second = self.gain - self.spread / big - big * mu / (mu - 1.0) * self.curve
        smallest: Array = np.linalg.eigvalsh(np.stack([first, second], axis=-4))[..., 0].min(axis=-1)
        return smallest

    def can_be_met(self) -> bool:
        """Whether both hold for some L and μ.

        (i) bounds Lμ, and (ii) is easiest at that bound. Left to choose is x = log(L/(Lμ − L)), in which the margin of
        (ii) is concave wherever the spread is positive semidefinite.
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


def _matrices(facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int, gamma: float) -> _Matrices:
    """At the first and the last pair of odd iterations k and k + 1."""
    last = max(2, (iterations + 1) // 2)  # of the odd iterations
    first, *rest = [_matrices_at(facts, network, algorithm, step, gamma) for step in sorted({1, last - 1})]
    # With penalties that don't grow both pairs are the same.
    pairs = [first, *(pair for pair in rest if not all(map(np.array_equal, first, pair)))]
    return _Matrices(*(np.stack(parts) for parts in zip(*pairs, strict=True)))


def _matrices_at(
    facts: PublicFacts, network: Network, algorithm: Recycled, step: int, gamma: float
) -> tuple[Array, ...]:
    now, after = (algorithm.penalties(k, facts.nodes) for k in (step, step + 1))
    adjacency, degree = network.adjacency.toarray(), np.diag(network.degrees)
    laplacian, signless = degree - adjacency, degree + adjacency
    tilde = 2.0 * now * network.degrees + gamma
    assert facts.c1 is not None  # noqa: S101 (the theorem is about losses with bounded curvature)
    squares = (facts.node_weights * facts.c1 + facts.rho / facts.nodes) ** 2
    mixing = after[:, None] * signless / tilde  # W(t+1)(D + A) D̃(t)⁻¹
    return (
        _symmetric(np.eye(facts.nodes) + mixing),
        _symmetric(np.linalg.pinv(after[:, None] * laplacian) * squares) / (2.0 * tilde.min()),
        _symmetric(after[:, None] * signless - mixing @ (now[:, None] * laplacian)),
        _symmetric(2.0 * mixing @ (after[:, None] * signless)),
        np.diag(squares) / (2.0 * tilde.min()),
    )


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2.0


def sufficient_gamma(facts: PublicFacts, network: Network, algorithm: Recycled, iterations: int) -> float | None:
    """The least γ, to three digits upwards, at which the theorem applies; None if no γ is large enough.

    As γ grows, (ii) tends to W(D + A) ≻ 0, which fails for bipartite networks.
    """

    def applies(gamma: float) -> bool:
        return _matrices(facts, network, algorithm, iterations, gamma).can_be_met()

    if not applies(LARGEST_GAMMA):
        return None
    low, high = -3.0, math.log10(LARGEST_GAMMA)
    while high - low > 1e-3:
        middle = (low + high) / 2.0
        low, high = (low, middle) if applies(10.0**middle) else (middle, high)
    unit = 10.0 ** (math.floor(high) - 2)
    return float(math.ceil(10.0**high / unit) * unit)


@dataclass(frozen=True)
class SampleSize:
    """How good a classifier the sample-size theorems are asked about; constants they leave open are at their kindest.

    The unknown factor w is 1, and a, Δ_i(k) are 0.
    """

    excess: float = 0.1  # τ, the loss above the reference classifier's
    failure: float = 0.05  # δ of the theorem, not of privacy
    reference_norm: float = 10.0  # ‖f_ref‖

    def without_noise(self) -> float:
        """‖f_ref‖² log(1/δ)/τ²."""
        return self.reference_norm**2 * math.log(1.0 / self.failure) / self.excess**2

    def denominator(self, facts: PublicFacts, dimension: int, alpha: float) -> float:
        """NC τ²/(2‖f_ref‖²) − N d²/(C α²) log(d/δ)²: not positive, and the theorem says nothing."""
        gain = facts.nodes * facts.C * self.excess**2 / (2.0 * self.reference_norm**2)
        loss = facts.nodes * dimension**2 / (facts.C * alpha**2) * math.log(dimension / self.failure) ** 2
        return gain - loss

    def with_noise(self, facts: PublicFacts, dimension: int, alpha: float) -> float | None:
        """The private theorem's sample size for α, or None where it is vacuous."""
        denominator = self.denominator(facts, dimension, alpha)
        return facts.C * facts.nodes * math.log(1.0 / self.failure) / denominator if denominator > 0 else None

    def least_alpha(self, facts: PublicFacts, dimension: int) -> float:
        """Below this α the private theorem is vacuous."""
        root = math.sqrt(2.0) * self.reference_norm / (facts.C * self.excess)
        return dimension * math.log(dimension / self.failure) * root


def describe(parameters: Parameters, row_counts: Integers | None = None) -> dict[str, Any]:
    """A setting's columns in the table of settings: None where a theorem is not about it, or its facts need the data.

    Args:
        parameters: Of a setting whose noise is known.
        row_counts: B_i, one a node, where only the data tell; None if nobody has looked.
    """
    told = None if row_counts is None else tuple(row_counts.tolist())
    facts, algorithm, noise = _facts(parameters, told), build_algorithm(parameters), parameters["noise"]
    proven = isinstance(algorithm, Recycled) and noise is None  # of what the convergence theorem speaks
    small = facts is not None and facts.nodes <= LARGEST_NETWORK and facts.c1 is not None
    chosen = {name: parameters[name] for name in ("data", "split", "network", "partition", "problem", "iterations")}
    return {
        **_convergence(canonical(chosen), told, algorithm if proven and small else None),
        **_samples(facts, (noise or {}).get("alpha")),
    }


def _facts(parameters: Parameters, row_counts: tuple[int, ...] | None) -> PublicFacts | None:
    return known_facts(parameters) if row_counts is None else facts_of(parameters, np.array(row_counts))


@kept
def _convergence(
    chosen: str, row_counts: tuple[int, ...] | None, algorithm: Recycled | None
) -> dict[str, float | None]:
    if algorithm is None:
        return {"theory.margin": None, "theory.sufficient_gamma": None}
    facts, network, iterations = _public(chosen, row_counts)
    margin = convergence_condition(facts, network, algorithm, iterations).margin
    least = _least_gamma(chosen, row_counts, replace(algorithm, gamma=0.0))
    return {"theory.margin": margin, "theory.sufficient_gamma": least}


@kept
def _least_gamma(chosen: str, row_counts: tuple[int, ...] | None, algorithm: Recycled) -> float | None:
    facts, network, iterations = _public(chosen, row_counts)
    return sufficient_gamma(facts, network, algorithm, iterations)


def _samples(facts: PublicFacts | None, alpha: Any) -> dict[str, Any]:
    asked = SampleSize()
    columns: dict[str, Any] = {"theory.samples": asked.without_noise(), "theory.samples_private": None}
    # The private theorem is about nodes of one weight C.
    if facts is not None and np.all(facts.node_weights == facts.C) and isinstance(alpha, float | list):
        least = float(np.min(alpha))
        number = asked.with_noise(facts, facts.dimension, least)
        vacuous = f"vacuous: its denominator is {asked.denominator(facts, facts.dimension, least):.4g}"
        columns["theory.samples_private"] = vacuous if number is None else f"{number:.4g}"
    return columns


@kept
def _public(chosen: str, row_counts: tuple[int, ...] | None) -> tuple[PublicFacts, Network, int]:
    section = json.loads(chosen)
    facts = _facts(section, row_counts)
    assert facts is not None  # noqa: S101 (the caller has looked)
    return facts, network_of(section), section["iterations"]
