"""Cases of an audit: a pair of neighbouring data sets in a run.

One node's record is replaced, or zeroed. All rows lie in one plane, and nothing else in a run depends on the data, so
that its coordinates there tell all, whatever the dimension.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array, Integers
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.query_log import QueryLog, record_queries
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.audit.rows import LOSS, Rows

PlanePoint = tuple[float, float]

PLANE = 2
NETWORK = Network([[0, 1], [1, 0]])


@dataclass(frozen=True)
class RecordPair:
    """A record, its replacement, and further rows that every node has; rows are y x.

    Args:
        name: Name in tables.
        record: The first node's record, in one of the data sets.
        replacement: Its replacement in the other; the zero row zeroes the record out.
        others: Further rows, repeated in turn until a node has its number of rows.
        start: How far down the second axis every f_i(0) is: public, and history as good as any.
        least_dimension: Least dimension in which the pair makes sense.
    """

    name: str
    record: PlanePoint
    replacement: PlanePoint
    others: tuple[PlanePoint, ...] = ((0.6, 0.6), (-0.3, 0.8))
    start: float = 0.0
    least_dimension: int = 2

    @property
    def relation(self) -> Relation:
        """The narrowest relation by which the data sets are neighbours: zeroing is a replacement, too."""
        return Relation(Neighbours.ZERO_OUT if self.replacement == (0.0, 0.0) else Neighbours.REPLACE)


@dataclass(frozen=True)
class Setup:
    """All that is public about an audited run.

    Args:
        rows: Number of rows B_i of each node.
        C: Weight of the data term.
        rho: Weight ρ of the regulariser.
        dimension: Number of features.
        algorithm: Any algorithm.
        noise: Any noise.
        iterations: Number of iterations T.
        network: Network, of two nodes if not given; the first one's record changes.
        loss: Loss of one margin; logistic if not given.
    """

    rows: int
    C: float
    rho: float
    dimension: int
    algorithm: Algorithm[Any]
    noise: Noise
    iterations: int = 1
    network: Network = NETWORK
    loss: Loss = LOSS

    @property
    def facts(self) -> PublicFacts:
        """Public facts of the audited run, in which every node has as many rows."""
        row_counts = np.full(self.network.nodes, self.rows)
        degrees = self.network.degrees
        return PublicFacts.of(self.loss, self.C, self.rho, row_counts, degrees, self.dimension, Weighting.NODES)

    @cached_property
    def ledger(self) -> Ledger:
        """Ledger of the audited run: what it releases."""
        return ledger_of(self.query_log, self.facts, self.noise)

    @property
    def query_log(self) -> QueryLog:
        """Queries that the algorithm makes of the data."""
        return record_queries(self.algorithm, self.network, self.iterations)

    @property
    def data_steps(self) -> int:
        """Number K of iterations that touch the data."""
        return len(self.query_log.queries)

    @property
    def curvature(self) -> float:
        """Strong convexity λ0 of the first node's first release."""
        return float(self.facts.strong_convexity(self.query_log.queries[0].weight)[0])


@dataclass(frozen=True)
class Place:
    """Place of the first node's f at each of its releases, instead of a run's own history.

    The accountants' totals hold for every history, so for one that brings the node back to one place every time.

    Args:
        half: The noise along the first axis at which the record's margin is 0, and a logistic slope half the largest.
        across: How far f is down the second axis.
    """

    half: float
    across: float = 0.0


@dataclass(frozen=True)
class AuditCase:
    """A pair of neighbouring data sets in a run.

    Args:
        pair: The record and its replacement.
        setup: Public parameters of the run.
        panel: Panel of the figure, if it is shown there.
        place: Place of all releases, if they are held in one.
    """

    pair: RecordPair
    setup: Setup
    panel: str = ""
    place: Place | None = None

    @property
    def relation(self) -> Relation:
        """Relation by which the two data sets are neighbours."""
        return self.pair.relation

    @property
    def name(self) -> str:
        setup, noise = self.setup, self.setup.noise
        scale = f"α = {noise.alpha}" if noise.sigma is None else f"σ = {noise.sigma}"
        repair = "" if noise.repair is None else f" and a repair of {noise.repair:g}"
        nodes = "" if setup.network is NETWORK else f", {setup.network.nodes} nodes"
        nodes += f", noise of {noise.cancelling:g} as much that cancels" if noise.cancelling else ""
        nodes += "" if setup.loss is LOSS else f", {setup.loss.name}"
        middle = "half a slope" if setup.loss is LOSS else "margin 0"
        place = "" if self.place is None else f", {middle} at {self.place.half:g}"
        return (
            f"{self.pair.name}, {setup.algorithm.name}, {noise.name} noise with {scale}{repair}, "
            f"d = {setup.dimension}, C/B = {setup.C:g}/{setup.rows}, ρ = {setup.rho:g}, "
            f"K = {setup.data_steps}{nodes}{place}"
        )

    @property
    def coordinates(self) -> int:
        return min(PLANE, self.setup.dimension)

    def node_rows(self, replaced: bool, coordinates: int) -> list[Rows]:
        """Return each node's rows in the first coordinates; the first node's record may be the replacement."""
        changed = self.pair.replacement if replaced else self.pair.record
        first = self._weighted((changed, *self.pair.others), coordinates, self._counts(own=1))
        other = self._weighted(self.pair.others, coordinates, self._counts(own=0))
        return [first] + [other] * (self.setup.network.nodes - 1)

    def _counts(self, own: int) -> Integers:
        """Return how often each row occurs: the record once, the others in turn until the node has B rows."""
        turns = np.arange(self.setup.rows - own) % len(self.pair.others)
        return np.concatenate([np.ones(own, dtype=np.int64), np.bincount(turns, minlength=len(self.pair.others))])

    def _weighted(self, rows: tuple[PlanePoint, ...], coordinates: int, counts: Integers) -> Rows:
        inside = np.array(rows)[:, :coordinates]
        padded = np.pad(inside, ((0, 0), (0, coordinates - inside.shape[1])))
        return Rows(padded, self.setup.C / self.setup.rows * counts.astype(np.float64), self.setup.loss)

    def problem(self, replaced: bool) -> Problem:
        """Return the data row by row, as a problem for the solver."""
        nodes = self.node_rows(replaced, self.setup.dimension)
        counts = [self._counts(own=1)] + [self._counts(own=0)] * (len(nodes) - 1)
        features = np.concatenate(
            [np.repeat(node.rows, count, axis=0) for node, count in zip(nodes, counts, strict=True)]
        )
        owner = np.repeat(np.arange(len(nodes)), self.setup.rows)
        return Problem(features, np.ones(len(features)), owner, self.setup.loss, self.setup.C, self.setup.rho)

    @property
    def initial_point(self) -> Array:
        """Initial point, (node, feature)."""
        start = np.zeros((self.setup.network.nodes, PLANE))
        start[:, 1] = -self.pair.start
        return start[:, : self.coordinates]

    @property
    def linear(self) -> Array:
        """The first node's linear term at the case's place."""
        if self.place is None:
            raise ValueError(f"{self.name}: its releases are at no one place")
        slope = self.pair.record[1] / self.pair.record[0]
        down = self.setup.curvature * self.place.across
        return np.array([-self.place.half - down * slope, down])[: self.coordinates]
