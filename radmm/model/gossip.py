"""Chebyshev-accelerated gossip: neighbours average again and again until the nodes all but agree.

A round of plain gossip multiplies the nodes' values by W, the symmetric matrix of Metropolis weights. Its eigenvalue 1
belongs to the mean of all nodes; the others lie in an interval [l, h] below 1, so disagreement shrinks by max(|l|, |h|)
a round. Any polynomial p of degree m with p(1) = 1 takes m rounds, too, and keeps the mean as well. The smallest of
these on the interval is Chebyshev's: with centre c = (l + h)/2, half-width r = (h − l)/2 and z = (1 − c)/r,

    p_m(x) = T_m((x − c)/r)/T_m(z),   |p_m(x)| ≤ 1/T_m(z) on [l, h].

T_{k+1}(s) = 2s T_k(s) − T_{k−1}(s) gives the recursion by which nodes compute x_m = p_m(W) x_0, one exchange a round:

    x_1 = (W − c) x_0/(1 − c),   x_{k+1} = ω_{k+1} (W − c) x_k/(1 − c) + (1 − ω_{k+1}) x_{k−1},
    ω_{k+1} = 2z T_k(z)/T_{k+1}(z) = 1/(1 − ω_k/(4z²)),   beginning with 2 for ω_1.

As W keeps the mean, each x_k has that of x_0. W, l and h are facts of the network alone, so what is computed from
released values is post-processing: gossip touches no data and costs no privacy.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from radmm.base.arrays import Array

MOST_ROUNDS = 10_000  # that a user may ask for: in so many a ring of some thousand nodes agrees
MOST_FOR_DENSE = 1000  # nodes whose eigenvalues are computed from a dense matrix: a second at most
SHIFT = 1e-9  # above the eigenvalue 1, where W less the shift can be factorised
TRIES = 1000  # restarts of Lanczos's method, some seconds


@dataclass(frozen=True)
class Chebyshev:
    """The polynomial p_m that m rounds of gossip apply to the nodes' values.

    Args:
        rounds: Number m of rounds, at least 1.
        low: Lower bound l on the eigenvalues of W.
        high: Upper bound h, below 1, on the eigenvalues of W other than that of the mean.
    """

    rounds: int
    low: float
    high: float

    @property
    def centre(self) -> float:
        """Centre c of the interval of eigenvalues."""
        return (self.low + self.high) / 2.0

    @property
    def radius(self) -> float:
        """Half-width r of the interval of eigenvalues."""
        return (self.high - self.low) / 2.0

    def apply(self, mix: Callable[[Array], Array], values: Array) -> Array:
        """Return p_m(W) values, by m exchanges between neighbours.

        Args:
            mix: Multiplication by W; its answer may be overwritten.
            values: Values of the nodes, along the first axis.
        """
        quarter = (self.radius / (1.0 - self.centre)) ** 2 / 4.0

        def moved(now: Array) -> Array:
            away = mix(now)
            away -= self.centre * now
            away /= 1.0 - self.centre
            return away

        before, now, omega = values, moved(values), 2.0
        for _ in range(self.rounds - 1):
            omega = 1.0 / (1.0 - omega * quarter)
            before, now = now, omega * moved(now) + (1.0 - omega) * before
        return now

    def factors(self) -> tuple[Array, Array]:
        """Return points x of [l, h] and of the mean, x = 1, and the factors p_m(x) of such modes of disagreement.

        The points are Chebyshev's, eight to each half-wave of p_m, among them all at which |p_m| is largest.
        """
        angle = np.linspace(0.0, np.pi, 8 * self.rounds + 1)
        largest = 0.0  # 1/T_m(z), without overflow
        if self.radius > 0:
            largest = 1.0 / np.cosh(min(self.rounds * np.arccosh((1.0 - self.centre) / self.radius), 700.0))
        points = self.centre + self.radius * np.cos(angle)
        return np.append(points, 1.0), np.append(largest * np.cos(self.rounds * angle), 1.0)


def eigenvalue_bounds(mixing: scipy.sparse.csr_array, least: float) -> tuple[float, float]:
    """Return bounds l and h < 1 on the eigenvalues of W other than that of the mean.

    Both are rounded away from the eigenvalues to four digits (of h, 1 − h), so that no rounding of the solver shows.
    Below l p_m could grow, so l is certain: it is `least` where the network is too large for a dense matrix. Between h
    and 1 p_m stays between its bound and 1, so that an h too small could only slow gossip down.

    Args:
        mixing: Metropolis weights W.
        least: Lower bound on all eigenvalues, by Gershgorin's theorem.
    """
    nodes = mixing.shape[0]
    if nodes == 1:
        return 0.0, 0.0
    if nodes <= MOST_FOR_DENSE:
        least, second = np.linalg.eigvalsh(mixing.toarray())[[0, -2]]
    else:
        second = _second_eigenvalue(mixing)
    unit = 10.0 ** (np.floor(np.log10(1.0 - second)) - 3.0)
    gap = np.floor((1.0 - second) / unit - 1e-5) * unit
    return float(np.floor(1e4 * least - 1e-5) / 1e4), float(1.0 - gap)


def _second_eigenvalue(mixing: scipy.sparse.csr_array) -> float:
    """Return the second-largest eigenvalue by Lanczos's method, shifted and inverted where the plain one is too slow.

    That is where few edges hold large parts together, so that the sparse factors stay sparse.
    """
    nodes = mixing.shape[0]
    start = np.random.default_rng(0).standard_normal(nodes)
    without_mean = LinearOperator(mixing.shape, matvec=lambda x: mixing @ x - x.mean(), dtype=np.float64)
    options = {"v0": start, "return_eigenvectors": False}
    try:
        return float(eigsh(without_mean, k=1, which="LA", tol=1e-8, maxiter=TRIES, **options)[0])
    except ArpackNoConvergence:
        return float(min(eigsh(scipy.sparse.csc_array(mixing), k=2, sigma=1.0 + SHIFT, **options)))
