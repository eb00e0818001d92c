"""Noise that cancels between neighbours: each pair shares a draw that one adds and the other takes away.

Node i adds u_i + Σ_j ±v_ij, with u_i ~ N(0, σ_i²I) of its own and v_ij ~ N(0, σ_c²I) known to i and j alone.
The sum over the network has the own noises only. Over the nodes the noise has covariance Σ = diag(σ_i²) + σ_c² L, L the
Laplacian. Given all other nodes' noise, that of node u is normal with variance 1/[Σ⁻¹]_uu about a mean which both
of two neighbouring data sets share: this is what hides its rows (docs/proofs.md). Nodes that collude reveal
their draws, which takes them and their edges out of L. The idea for gradients is DECOR (Allouah et al., "The privacy
power of correlated noise in decentralized learning", 2024); docs/related_work.md names those before it.
"""

import math
from functools import lru_cache
from itertools import combinations

import numpy as np
import scipy

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.model.network import Network
from radmm.privacy.hidden_variance import covariance, hidden_variance, sparse_solver

MOST_SETS = 10_000  # of colluding nodes that are tried one by one
MOST_WORK = 1e10  # the same times N³; without colluders, edges times N: a minute
ROUNDING = 1e-9  # relative, of the inverses
MOST_DRAWN = 2**25  # numbers at once: a quarter of a gigabyte


@lru_cache(maxsize=16)  # networks: each release of a run asks for them
def pairs_of(network: Network) -> Integers:
    """Return the pairs of neighbours i < j as an (edges, 2) array that can't be changed, in ascending order."""
    links = scipy.sparse.triu(network.adjacency).tocoo()
    pairs: Integers = np.column_stack([links.row, links.col])[np.lexsort((links.col, links.row))].astype(np.int64)
    pairs.flags.writeable = False
    return pairs


def draw_cancelling(sigma: float, network: Network, dimension: int, runs: Integers, seed: int, step: int) -> Array:
    """Draw the noise that neighbours share and return what each node adds, (node, feature, run).

    Args:
        sigma: Standard deviation σ_c of a shared draw.
        network: Graph over which the nodes exchange values; each edge reads a row of its own of the draw.
        runs: Numbers of the runs, each of which has a stream of its own.
    """
    pairs = pairs_of(network)
    edge, ends = np.repeat(np.arange(len(pairs)), 2), pairs.ravel()
    signs = np.tile([1.0, -1.0], len(pairs))
    added = scipy.sparse.csr_array((signs, (ends, edge)), shape=(network.nodes, len(pairs)))
    noise = np.zeros((network.nodes, dimension, len(runs)))
    together = max(1, MOST_DRAWN // dimension)
    blocks = [added[:, first : first + together] for first in range(0, len(pairs), together)]
    for column, run in enumerate(runs):
        stream = generator(seed, Purpose.CANCELLING, run, step)
        for block in blocks:
            shared = stream.standard_normal((block.shape[1], dimension))
            shared *= sigma
            noise[:, :, column] += block @ shared
    return noise


def effective_scales(sigma: Array, ratio: float, colluders: int, network: Network) -> Array:
    """Return a lower bound σ_eff on the noise that hides each node's rows from any so many colluding other nodes.

    Args:
        sigma: Standard deviation σ_i of the own noise, one a node.
        ratio: σ_c over the least σ_i.
    """
    least = float(sigma.min())
    # Cut to nine digits, so that schedules share what is found: less noise hides less.
    pattern = np.floor(sigma / least * 1e9) / 1e9
    return least * np.array(_relative(tuple(pattern.tolist()), ratio, colluders, pairs_of(network).tobytes()))


@lru_cache(maxsize=256)
def _relative(sigma: tuple[float, ...], ratio: float, colluders: int, stored_pairs: bytes) -> tuple[float, ...]:
    own, nodes, shared = np.array(sigma) ** 2, len(sigma), ratio**2
    pairs = np.frombuffer(stored_pairs, dtype=np.int64).reshape(-1, 2)
    sets = math.comb(nodes, colluders)
    if sets <= MOST_SETS and sets * nodes**3 <= MOST_WORK:
        found = _by_enumeration(own, shared, colluders, pairs)
    elif colluders == 0 and nodes * len(pairs) <= MOST_WORK:
        found = hidden_variance(own, shared, pairs, sparse_solver(own, shared, pairs))
    else:
        found = lower_limit(own, shared, colluders, pairs) * (1.0 - ROUNDING)
    return tuple(np.maximum(np.sqrt(found), np.sqrt(own)).tolist())


def _by_enumeration(own: Array, shared: float, colluders: int, pairs: Integers) -> Array:
    """Return the minimum of 1/[Σ⁻¹]_uu over all sets of colluders, with Σ of the nodes that are left."""
    least = np.full(len(own), np.inf)
    for away in combinations(range(len(own)), colluders):
        left = np.setdiff1d(np.arange(len(own)), away)
        between = np.searchsorted(left, pairs[np.isin(pairs, left).all(axis=1)])
        least[left] = np.minimum(least[left], _by_inversion(own[left], shared, between))
    return least


def _by_inversion(own: Array, shared: float, pairs: Integers) -> Array:
    """Return 1/[Σ⁻¹]_uu, rounded down, and further down where the inverse has lost more digits than that."""
    inverse: Array = np.linalg.inv(covariance(own, shared, pairs).toarray())
    certain = hidden_variance(own, shared, pairs, lambda nodes: inverse[:, nodes])
    return np.minimum(1.0 / np.diag(inverse) * (1.0 - ROUNDING), certain)


def lower_limit(own: Array, shared: float, colluders: int, pairs: Integers) -> Array:
    """Return σ_u² plus the V_u − k smallest σ_c²σ_j²/(σ_j² + σ_c²) over the neighbours j, which is at most 1/[Σ⁻¹]_uu.

    That is the variance given the neighbours' noise if all draws between others were known, too; knowing more leaves
    no more variance.

    Args:
        own: Variance σ_i² of the own noise, one a node.
        shared: Variance σ_c² of a shared draw.
        colluders: Number k of nodes that collude.
        pairs: Pairs of neighbours, (edges, 2).
    """
    node, neighbour = np.concatenate([pairs, pairs[:, ::-1]]).T
    part = (shared * own / (own + shared))[neighbour]
    order = np.lexsort((part, node))  # node by node, the smallest first
    degrees = np.bincount(node, minlength=len(own))
    place = np.arange(len(node)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    kept = order[place < np.repeat(degrees - colluders, degrees)]
    limit: Array = own + np.bincount(node[kept], part[kept], minlength=len(own))
    return limit


def check_colluders(colluders: int, network: Network) -> None:
    """Refuse so many colluders that they can cut a node off from all others, so that only its own noise hides it."""
    node = int(network.degrees.argmin())
    if colluders >= network.degrees[node]:
        raise InputError(
            f"colluders = {colluders}: must be fewer than every node's neighbours, of which node {node} has "
            f"{network.degrees[node]:.0f}; they can cut it off from all others, and its noise is then its own"
        )


def threat(colluders: int) -> str:
    """Return against whom a guarantee with cancelling noise holds, as words that follow an ε."""
    few = "at most one node tells what it knows" if colluders == 1 else f"at most {colluders} nodes collude"
    who = few if colluders else "neighbours keep the draws that they share to themselves"
    return f"against whoever reads all messages, if {who} (noise cancels between neighbours)"
