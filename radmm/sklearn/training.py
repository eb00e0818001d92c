"""Training of the estimator: every choice is a function of public numbers, so that none of them tells of a row.

The method is gradient descent with momentum, by all nodes of a network on noisy gradients, for a fixed number of
iterations. Its step is the one at which the noise of all iterations together moves each weight by a standard deviation
of about 1, so that the noise alone decides how far weights may go; but at most half of the largest stable one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from radmm.algorithms.dgd import DGD
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.budget import calibrate
from radmm.data.partition import TrainingRows, spread_rows
from radmm.data.partitions.even import Even
from radmm.data.split import training_rows
from radmm.driver import solve
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import Loss
from radmm.model.losses.softmax import Softmax
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.outcome.classifier import Classifier
from radmm.privacy.guarantee import Guarantee, guarantee_of
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.relation import REPLACE_ONE
from radmm.publication.calibration import meet_budget
from radmm.publication.declared_setting import telling_nothing
from radmm.publication.label import make_label
from radmm.publication.public_release import PublicRelease
from radmm.publication.run import PlannedRun, plan_release
from radmm.study.noise_budget import NoiseBudget

ITERATIONS = 100
MOMENTUM = 0.9
NOISE_OF_A_WEIGHT = 1.0  # standard deviation, from all iterations together
RHO = 1e-6  # weight of the regulariser, which there must be; that training ends early regularises
SPREAD = 0  # seed of the permutation by which rows are spread over nodes
EXAMPLE = GradientNoise(sigma=1.0)


@dataclass(frozen=True, eq=False)
class Trained:
    """What a fit gives: all of it is public, or computed from noisy answers.

    Args:
        classifier: Classifier of rows that are scaled.
        ledger: Every answer that the fit was given, with its sensitivity and noise.
        guarantee: Total ε, still without conditions on how the rows were made.
        label: Privacy label, if the noise came from the system's randomness.
    """

    classifier: Classifier
    ledger: Ledger
    guarantee: Guarantee
    label: JsonObject | None = None


@dataclass(frozen=True, eq=False)
class Training:
    """A training whose choices are all made, before any row is read.

    Args:
        network: Graph over which the nodes exchange values.
        loss: Logistic loss, or softmax with more than two classes.
        facts: Public facts of the problem and the network.
        epsilon: Total ε that may be spent.
        delta: δ that belongs to it.
    """

    network: Network
    loss: Loss
    facts: PublicFacts
    epsilon: float
    delta: float

    @classmethod
    def of(
        cls, rows: int, features: int, classes: int, nodes: int | Network, epsilon: float, delta: float
    ) -> "Training":
        """Return the training with every choice made from public numbers.

        Args:
            features: Number of features, the intercept among them.
            nodes: Network, or the number of nodes of a ring; one is the trusted curator.
            epsilon: Total ε that may be spent.
        """
        network = nodes if isinstance(nodes, Network) else ring(nodes)
        if network.nodes > rows:
            raise InputError(f"nodes = {network.nodes}: must be at most {rows}, the number of rows")
        loss = Logistic() if classes == 2 else Softmax(classes)
        counts, entries = Even().row_counts(rows, network.nodes), features * loss.outputs
        facts = PublicFacts.of(loss, 1.0, RHO, counts, network.degrees, entries, Weighting.ROWS)
        return cls(network, loss, facts, epsilon, delta)

    def algorithm(self, noise: Noise) -> DGD:
        """Return gradient descent with the step that belongs to a noise.

        Args:
            noise: Gaussian gradient noise, the same at all nodes.
        """
        sigma, nodes = float(noise.scales(1, self.facts.nodes).max()), self.facts.nodes
        wanted = NOISE_OF_A_WEIGHT * (1.0 - MOMENTUM) * math.sqrt(nodes / ITERATIONS) / sigma
        stable = DGD(momentum=MOMENTUM).largest_step(self.facts.largest_curvature(), self.network)
        return DGD(step=min(wanted, stable / 2), momentum=MOMENTUM)

    def problem(self, features: Array, labels: Array) -> Problem:
        """Return the rows spread evenly over the nodes, by a permutation that depends on nothing but their number.

        Args:
            features: Rows of norm at most 1.
            labels: Labels as the loss takes them.
        """
        order = training_rows(len(labels), len(labels), SPREAD)
        owner = spread_rows(Even(), TrainingRows(np.zeros(len(order))), self.facts.nodes)
        parts = features[order], labels[order], owner, self.loss
        return Problem(*parts, self.facts.C, self.facts.rho, Weighting.ROWS, self.facts.classes)

    def release(self, features: Array, labels: Array, preparation: Sequence[str], recipe: JsonObject) -> Trained:
        """Train with discrete noise from the system's randomness, as `radmm.release` does; no error tells of a row.

        Args:
            features: Rows of norm at most 1.
            labels: Labels as the loss takes them.
            preparation: Assumptions on how the rows were made, for the privacy label.
            recipe: Public parameters by which they were made, for the label, too.
        """
        budget = NoiseBudget(EXAMPLE, total_epsilon=self.epsilon, delta=self.delta)
        noise = meet_budget(budget, self.delta, lambda tried: self._planned(tried).plan, self.facts.nodes)
        planned = self._planned(noise)
        run = planned.algorithm, ITERATIONS, self.delta
        label = make_label(planned.plan, self.facts, *run, preparation, recipe)
        with telling_nothing():
            weights = planned.train(self.problem(features, labels))
        ledger = ledger_of(planned.query_log, self.facts, noise)
        release = PublicRelease(planned.classifier(weights), label)
        return Trained(release.classifier, ledger, release.guarantee, label)

    def _planned(self, noise: Noise) -> PlannedRun:
        algorithm = self.algorithm(noise)
        return plan_release(self.loss, self.facts, self.network, algorithm, noise, ITERATIONS, REPLACE_ONE)

    def research(self, features: Array, labels: Array, seed: int) -> Trained:
        """Train with noise that a seed gives, by `radmm.solve`.

        Args:
            features: Rows of norm at most 1.
            labels: Labels as the loss takes them.
        """
        problem = self.problem(features, labels)
        at_any_step = problem, self.network, self.algorithm(EXAMPLE)
        noise = calibrate(*at_any_step, GradientNoise, ITERATIONS, self.epsilon, self.delta)
        run = problem, self.network, self.algorithm(noise)
        result = solve(*run, noise=noise, iterations=ITERATIONS, runs=1, seed=seed, initial_scale=0.0)
        assert result.ledger is not None  # noqa: S101 (there is noise)
        return Trained(result.classifier(), result.ledger, guarantee_of(result.ledger, self.delta))


def ring(nodes: int) -> Network:
    """Return a ring of nodes: a single one is alone, and two are linked once."""
    return Network(nx.cycle_graph(nodes) if nodes > 1 else nx.empty_graph(1))
