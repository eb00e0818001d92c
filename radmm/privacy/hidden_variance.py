"""What noise that neighbours share leaves to hide a node: 1/[Σ⁻¹]_uu, never overstated.

Σ = diag(σ_i²) + σ_c² L is the matrix of an electrical network: node i is earthed by a conductance σ_i², and neighbours
are joined by one of σ_c². [Σ⁻¹]_uu is the potential of node u when a current of 1 enters there. By Thomson's principle
it is the least energy of all ways in which the current can flow to earth: with f_e along the edges and what remains,
g_i, from each node to earth,

    [Σ⁻¹]_uu ≤ Σ_e f_e²/σ_c² + Σ_i g_i²/σ_i²   (docs/proofs.md, section 7).

So any approximate solution x of Σx = e_u gives a bound, that of the flow f_e = σ_c²(x_i − x_j), and the error of the
bound is only the square of that of x. All terms are positive: no digits are lost where σ_c is large. What is left is
the rounding of g, at most 2⁻⁵³ (V_i + 2) of the currents through a node.
"""

from collections.abc import Callable

import numpy as np
import scipy
from scipy.sparse.linalg import cg, splu

from radmm.base.arrays import Array, Integers

BLOCK = 2e7  # numbers: of so many currents at a time, 160 megabytes
RESIDUAL = 1e-5  # of the iterative solutions
STEPS = 50  # after which a network is taken for one whose sparse factors stay sparse
TRIED = 5  # nodes from which that is told

Solve = Callable[[Integers], Array]  # takes nodes, and returns approximate columns of Σ⁻¹, (node, column)


def hidden_variance(own: Array, shared: float, pairs: Integers, solve: Solve) -> Array:
    """Return lower bounds on 1/[Σ⁻¹]_uu, one a node, as near as the approximate solutions are good.

    Args:
        own: Variance σ_i² of the own noise, one a node.
        shared: Variance σ_c² of a shared draw.
        pairs: Pairs of neighbours, (edges, 2).
        solve: Solves Σx = e_u approximately.
    """
    nodes, edges = len(own), len(pairs)
    ends = np.tile([1.0, -1.0], edges), (np.repeat(np.arange(edges), 2), pairs.ravel())
    difference = scipy.sparse.csr_array(ends, shape=(edges, nodes))
    divergence = scipy.sparse.csr_array(difference.T)
    most = np.diff(divergence.indptr).max()  # neighbours of a node
    rounding = 4.0 * (most + 2) * np.finfo(np.float64).eps * own.sum() / own.min()
    length = max(1, int(BLOCK / (nodes + edges)))
    energy = np.empty(nodes)
    for block in (np.arange(start, min(start + length, nodes)) for start in range(0, nodes, length)):
        flow = shared * (difference @ solve(block))
        earthed = -(divergence @ flow)
        earthed[block, np.arange(len(block))] += 1.0
        energy[block] = (flow**2).sum(axis=0) / shared + (earthed**2 / own[:, None]).sum(axis=0)
    limits: Array = (1.0 - rounding) / energy
    return limits


def covariance(own: Array, shared: float, pairs: Integers) -> scipy.sparse.csr_array:
    """Return Σ = diag(σ_i²) + σ_c² L as a sparse matrix.

    Args:
        own: Variance σ_i² of the own noise, one a node.
        shared: Variance σ_c² of a shared draw.
        pairs: Pairs of neighbours, (edges, 2).
    """
    first, second = pairs.T
    degrees = np.bincount(pairs.ravel(), minlength=len(own))
    links = np.full(len(pairs), -shared), (first, second)
    between = scipy.sparse.csr_array(links, shape=(len(own), len(own)))
    return scipy.sparse.csr_array(between + between.T + scipy.sparse.diags_array(own + shared * degrees))


def sparse_solver(own: Array, shared: float, pairs: Integers) -> Solve:
    """Return a solver of Σx = e_u for a large sparse network.

    Conjugate gradients are fast where current spreads fast. Where they are slow, few edges join large parts of the
    network, and its sparse factors stay sparse.

    Args:
        own: Variance σ_i² of the own noise, one a node.
        shared: Variance σ_c² of a shared draw.
        pairs: Pairs of neighbours, (edges, 2).
    """
    matrix, nodes = covariance(own, shared, pairs), len(own)
    scaled = scipy.sparse.csr_array(scipy.sparse.diags_array(1.0 / matrix.diagonal()))
    agreed = np.full(nodes, 1.0 / own.sum())  # the potentials in the limit of large σ_c

    def iterate(node: int) -> tuple[Array, int]:
        unit = np.zeros(nodes)
        unit[node] = 1.0
        found: tuple[Array, int] = cg(matrix, unit, x0=agreed, rtol=RESIDUAL, maxiter=STEPS, M=scaled)
        return found

    if any(iterate(node)[1] for node in np.linspace(0, nodes - 1, TRIED).astype(np.int64)):
        return _factorised(matrix)
    return lambda wanted: np.column_stack([iterate(node)[0] for node in wanted])


def _factorised(matrix: scipy.sparse.csr_array) -> Solve:
    symmetric = {"SymmetricMode": True, "DiagPivotThresh": 0.0, "ColPerm": "MMD_AT_PLUS_A"}
    factors = splu(scipy.sparse.csc_array(matrix), options=symmetric)

    def solve(wanted: Integers) -> Array:
        units = np.zeros((matrix.shape[0], len(wanted)))
        units[wanted, np.arange(len(wanted))] = 1.0
        solutions: Array = factors.solve(units)
        return solutions

    return solve
