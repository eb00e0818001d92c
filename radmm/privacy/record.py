"""From what is public about a run to its ledger."""

from collections.abc import Callable

import numpy as np

from radmm.algorithms.families import Algorithm
from radmm.base.arrays import Array
from radmm.model.facts import TOLERANCE, PublicFacts
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise import GAUSSIAN, Noise


def ledger_of(facts: PublicFacts, algorithm: Algorithm, noise: Noise, iterations: int, dimension: int) -> Ledger:
    """The ledger of a run with these public facts."""
    data_steps = np.array([algorithm.data_steps(t) for t in range(iterations + 1)])
    shape = (int(data_steps[-1]), facts.nodes)
    steps = range(1, shape[0] + 1)

    def schedule(at: Callable[[int, int], Array]) -> Array:
        return np.array([at(k, facts.nodes) for k in steps]).reshape(shape)

    penalty, scale, repair = (schedule(at) for at in (algorithm.penalties, noise.scales, noise.repairs))
    curvature, penalty_curvature = facts.strong_convexity(penalty), 2.0 * penalty * facts.degrees
    sensitivity = np.broadcast_to(facts.gradient_sensitivity(), shape)
    if noise.name == "penalty":  # −2η_iV_i ε·f is the objective's noise at another scale
        scale = scale * penalty_curvature if noise.law == GAUSSIAN else scale / penalty_curvature
    output = not noise.perturbs_objective
    covers = np.full(shape, output) | (repair > 0)
    columns = {
        "mechanism": noise.name,
        "law": noise.law,
        "scale": scale,
        "sensitivity": sensitivity / curvature if output else sensitivity,
        "curvature": curvature,
        "penalty_curvature": penalty_curvature,
        "c1": facts.c1,
        "monotone": facts.monotone,
        "dimension": dimension,
        "rows": facts.row_counts,
        "tolerance": np.where(covers, TOLERANCE, 0.0),
        "repair": repair,
    }
    rows = {name: np.broadcast_to(np.asarray(values), shape).ravel() for name, values in columns.items()}
    return Ledger.of_releases(rows, facts.nodes, data_steps)
