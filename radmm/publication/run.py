"""`radmm.release`: one private run whose classifier may be published."""

import warnings
from typing import Any, NamedTuple

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.driver import check_parts, warn_of_divergence
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.outcome.classifier import Classifier
from radmm.privacy.checked_oracle import CheckedOracle
from radmm.privacy.noise import Noise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.proof_conditions import check_private
from radmm.privacy.query_log import QueryLog, record_queries
from radmm.privacy.relation import Neighbours, Relation
from radmm.publication.conditions import check_noise_for_release
from radmm.publication.discrete_noise import require_opendp
from radmm.publication.grid_oracle import GridOracle
from radmm.publication.label import UNDECLARED, make_label
from radmm.publication.plan import Plan, plan_argmins, plan_gradients
from radmm.publication.public_release import PublicRelease
from radmm.publication.row_slopes import check_loss_is_own


def release(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise,
    iterations: int,
    delta: float = 1e-5,
    neighbours: str = Neighbours.REPLACE,
    rows: int = 1,
) -> PublicRelease:
    """Run an algorithm once and return its classifier with a privacy label; both may be published.

    Every answer is rounded to an integer grid and released with discrete Gaussian noise, drawn from the operating
    system's randomness; nothing else of the run is kept. Nodes begin at zero. Each call spends privacy anew, and two
    calls give different classifiers.

    Args:
        problem: Data rows, the node each belongs to, and the objective's constants; a row whose gradient is longer
            than rows of norm 1 allow contributes nothing. How the rows were prepared is not known here, and stands in
            the label as a condition.
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm that asks for gradients, like `DGD(step=0.01)`, or for argmins, like `RADMM()`.
        noise: Gaussian gradient or output noise, like `GradientNoise(sigma=10.0)`; σ is rounded up to whole steps of
            the grid.
        iterations: Number of iterations T.
        delta: δ of the label's total (ε, δ).
        neighbours: Neighbouring relation of the guarantee: replace or zero-out.
        rows: Largest number of rows that one person contributes.
    """
    check_noise_for_release(noise)
    check_parts(problem, network, algorithm, noise, iterations)
    facts = PublicFacts.of_problem(problem, network.degrees)
    relation = Relation.named(neighbours, rows)
    warn_of_divergence(facts, network, algorithm)
    planned = plan_release(problem.loss, facts, network, algorithm, noise, iterations, relation)
    label = make_label(planned.plan, facts, algorithm, iterations, delta, UNDECLARED)
    return PublicRelease(planned.classifier(planned.train(problem)), label)


class PlannedRun(NamedTuple):
    """A run that is ready: all that it will answer is fixed, and no row was read.

    Args:
        loss: Loss for as many classes as the data have.
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm with its hyper-parameters.
        iterations: Number of iterations T.
        facts: Public facts of the problem and the network.
        query_log: Queries of the run.
        plan: Grid, sensitivity and noise of every answer.
    """

    loss: Loss
    network: Network
    algorithm: Algorithm[Any]
    iterations: int
    facts: PublicFacts
    query_log: QueryLog
    plan: Plan

    def train(self, problem: Problem) -> Array:
        """Run the algorithm on the rows and return the average of the nodes' last values.

        Args:
            problem: Problem that holds the rows, with the public facts that the plan was made from.
        """
        shape = self.facts.nodes, self.facts.dimension
        # NumPy's warnings of overflow would tell of rows.
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            oracle = CheckedOracle(GridOracle(problem, self.facts, self.plan), self.algorithm, shape, self.query_log)
            state = self.algorithm.first(np.zeros((*shape, 1)), self.network)
            for iteration in range(1, self.iterations + 1):
                oracle.iteration = iteration
                state = self.algorithm.advance(state, self.network, oracle)
            oracle.check_all_asked()
        flat: Array = state.mean[:, 0]
        return flat

    def classifier(self, flat: Array) -> Classifier:
        """Return the classifier of released weights; weights that overflowed are refused, which tells of no row.

        Args:
            flat: Weights, class by class.
        """
        if not np.isfinite(flat).all():
            raise InputError(
                "the iterates overflowed, which released values alone decide: nothing is written, but this privacy is "
                "spent; take a smaller step"
            )
        outputs = self.loss.outputs
        return Classifier(flat if outputs == 1 else flat.reshape(outputs, -1), self.loss)


def plan_release(
    loss: Loss,
    facts: PublicFacts,
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise,
    iterations: int,
    relation: Relation,
) -> PlannedRun:
    """Check, before any row is read, that a run can be published, and fix what it will answer.

    Args:
        loss: Loss for as many classes as the data have.
        noise: Noise that was checked to have a proof.
    """
    require_opendp()
    check_loss_is_own(loss)
    query_log = record_queries(algorithm, network, iterations)
    check_private(loss, facts, algorithm, query_log, noise)
    planning = plan_argmins if isinstance(noise, OutputNoise) else plan_gradients
    plan = planning(facts, query_log, noise, relation)
    return PlannedRun(loss, network, algorithm, iterations, facts, query_log, plan)
