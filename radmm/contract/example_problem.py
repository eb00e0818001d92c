"""Small example problems on which contracts are tried: four nodes, a triangle with a tail, rows of different laws."""

import numpy as np

from radmm.base.arrays import Array
from radmm.model.losses.loss import Loss, get_loss, is_multiclass
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts

EDGES = np.array([[0, 1], [1, 2], [2, 3], [1, 3]])
ROW_COUNTS = (7, 12, 9, 15)
NODES, DIMENSION, RUNS = len(ROW_COUNTS), 3, 3
CLASSES = 3  # where a loss takes more than two


def example_network() -> Network:
    """Return the network of the example problems: degrees 1, 3, 2 and 2."""
    return Network.from_edges(EDGES)


def example_problem(loss: str | Loss = "logistic") -> Problem:
    """Return a problem whose rows have norm at most 1, at each node around a centre of its own."""
    source = np.random.default_rng(0)
    node = np.repeat(np.arange(NODES), ROW_COUNTS)
    features = 0.5 * source.standard_normal((NODES, DIMENSION))[node] + source.standard_normal((len(node), DIMENSION))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = np.where(features @ source.standard_normal(DIMENSION) > 0, 1.0, -1.0)
    if is_multiclass(get_loss(loss)):
        labels = np.argmax(features @ source.standard_normal((DIMENSION, CLASSES)), axis=1).astype(np.float64)
    return Problem(features, labels, node, loss, C=5.0, rho=0.4)


def example_facts(problem: Problem) -> PublicFacts:
    """Return what is public of an example problem on the example network."""
    return PublicFacts.of_problem(problem, example_network().degrees)


def example_start() -> Array:
    """Return f(0) of the example problems: (node, feature, run)."""
    return np.random.default_rng(1).standard_normal((NODES, DIMENSION, RUNS))
