"""The ledger: all releases of a run, the only thing that accountants see."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.model.public_facts import PublicFacts
from radmm.privacy.cancelling_noise import threat
from radmm.privacy.events import PostProcessing, Release, field_names
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law, in_noise
from radmm.privacy.query_log import QueryLog

MECHANISM, LAW, TEXT = "mechanism", "law", ("law", "form")
FLAGS, WHOLE = ("monotone",), ("dimension", "rows", "classes")


@dataclass(frozen=True, eq=False)
class Ledger:
    """All releases of a run.

    Equal ones are stored once, and `which` says which node i makes at the k-th data-touching step.

    Args:
        releases: The distinct releases.
        which: Index of each release in that list, (data step, node).
        data_steps: Number K(t) of data-touching steps until t, for t = 0 … T.
    """

    releases: tuple[Release, ...]
    which: Integers  # (data step, node)
    data_steps: Integers  # K(t) for t = 0 … T

    @property
    def nodes(self) -> int:
        """Number of nodes N."""
        return int(self.which.shape[1])

    @property
    def iterations(self) -> int:
        """Number of iterations T, data-touching or not."""
        return len(self.data_steps) - 1

    def steps_after(self, iterations: int | None) -> int:
        """Return the number K(t) of data-touching steps within t iterations.

        Args:
            iterations: Number of iterations t; all of them for None.
        """
        if iterations is None:
            return int(self.data_steps[-1])
        if not 0 <= iterations <= self.iterations:
            raise InputError(f"iterations = {iterations}: must be from 0 to {self.iterations}, which the ledger has")
        return int(self.data_steps[iterations])

    def event(self, iteration: int, node: int) -> Release | PostProcessing:
        """Return what a node releases at an iteration.

        Args:
            iteration: Iteration t, from 1 to T.
            node: Number of the node.
        """
        step = int(self.data_steps[iteration])
        if step > self.data_steps[iteration - 1]:
            return self.releases[int(self.which[step - 1, node])]
        return PostProcessing((iteration - 2, iteration - 1))

    @property
    def idealised(self) -> bool:
        """Whether the guarantee assumes some exact argmin, which no solver's is."""
        return any(release.exact for release in self.releases)

    @property
    def threat(self) -> str | None:
        """Against whom the guarantee holds, where that is not just anybody, as words that follow an ε."""
        shared = [release.colluders for release in self.releases if release.gain > 1.0]
        return threat(min(shared)) if shared else None  # the total holds against no more than each release does

    @cached_property
    def node_classes(self) -> tuple[Integers, Integers]:
        """Return one node of each class, and the class of every node; nodes with the same releases are of one class."""
        if not len(self.which):
            return np.zeros(1, dtype=np.int64), np.zeros(self.nodes, dtype=np.int64)
        _, first, kind = np.unique(self.which, axis=1, return_index=True, return_inverse=True)
        return first, kind.reshape(-1)

    @cached_property
    def worst_nodes(self) -> Integers:
        """Return nodes among which the one that spends most must be.

        Noise of one law hides less as shift over scale, Jacobian or repair grows. Of the shift's two parts the solver's
        is the same however many rows change. So a node that is below another in both, in Jacobian and in repair at
        every step loses less by every accountant here and for every relation.
        """
        if len({(release.law, release.dimension, type(release)) for release in self.releases}) > 1:
            return self.node_classes[0]
        strength = []
        for release in self.releases:
            shifts = release.sensitivity, release.solver_shift
            lengths = [in_noise(release.law, release.entering_scale, shift) for shift in shifts]
            strength.append((*lengths, release.jacobian, release.repair_mu))
        return self.undominated(np.array(strength).reshape(-1, 4))

    def undominated(self, strength: Array) -> Integers:
        """Return one node of each class, without those below another in every respect at every step.

        Args:
            strength: What makes a release reveal more, (release, respect).
        """
        nodes = self.node_classes[0]
        taken = strength[self.which[:, nodes]].transpose(1, 0, 2).reshape(len(nodes), -1)
        order = np.argsort(-taken.sum(axis=1), kind="stable")
        worst: list[int] = []
        for kind in order:
            if not any(np.all(taken[kind] <= taken[other]) for other in worst):
                worst.append(int(kind))
        return np.asarray(nodes[worst])

    def beside(self, *others: "Ledger") -> "Ledger":
        """Return a ledger of the nodes of several networks, whose total is the largest of theirs.

        Args:
            others: Ledgers of the same algorithm with as many iterations.
        """
        every = (self, *others)
        if any(not np.array_equal(self.data_steps, other.data_steps) for other in others):
            raise InputError("ledgers: must touch data at the same iterations to be put beside each other")
        releases = tuple(dict.fromkeys(release for ledger in every for release in ledger.releases))
        place = {release: index for index, release in enumerate(releases)}
        moved = [np.array([place[each] for each in ledger.releases])[ledger.which] for ledger in every]
        return Ledger(releases, np.hstack(moved), self.data_steps)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the ledger as columns, one row an iteration and node.

        Post-processing has NaN, "" or 0 in releases' fields.
        """
        release = np.zeros((self.iterations, self.nodes), dtype=np.int64)  # 0 is post-processing
        touched = np.diff(self.data_steps) > 0
        release[touched] = self.which + 1
        table: dict[str, NDArray[Any]] = {
            "iteration": np.repeat(np.arange(1, self.iterations + 1), self.nodes),
            "node": np.tile(np.arange(self.nodes), self.iterations),
        }
        table[MECHANISM] = np.array(["", *(each.mechanism for each in self.releases)])[release.ravel()]
        for name in field_names():
            empty: Any = "" if name in TEXT else False if name in FLAGS else 0 if name in WHOLE else np.nan
            values = np.array([empty, *(getattr(each, name, empty) for each in self.releases)])
            table[name] = values[release.ravel()]
        return table

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]]) -> "Ledger":
        """Build a ledger from columns, the inverse of `columns`.

        Args:
            columns: Columns as `columns` returns them, or as a file has them.
        """
        iterations, nodes = (int(np.max(columns[name])) + extra for name, extra in (("iteration", 0), ("node", 1)))
        mechanism = np.asarray(columns[MECHANISM]).astype(str)
        touched = mechanism.reshape(iterations, nodes)[:, 0] != ""
        rows = np.repeat(touched, nodes)
        kinds = set(mechanism[rows].tolist()) or {next(iter(Release.types))}
        if len(kinds) > 1 or not kinds <= set(Release.types):
            raise InputError(f"mechanism = {', '.join(sorted(kinds))}: must be one of {', '.join(Release.types)}")
        event = Release.types[kinds.pop()]
        kept = {field.name: np.asarray(columns[field.name])[rows] for field in fields(event)}
        kept |= {name: kept[name].astype(str) for name in TEXT if name in kept}  # files give objects
        return cls.of_releases(event, kept, nodes, np.concatenate(([0], np.cumsum(touched))))

    @classmethod
    def of_releases(
        cls, event: type[Release], columns: Mapping[str, NDArray[Any]], nodes: int, data_steps: Integers
    ) -> "Ledger":
        """Build a ledger from one row a release, ordered by step and node.

        Args:
            event: Type of all releases.
            columns: Their fields.
            nodes: Number of nodes N.
            data_steps: Number K(t) of data-touching steps until t, for t = 0 … T.
        """
        code: Integers = np.zeros(nodes * int(data_steps[-1]), dtype=np.int64)
        for values in columns.values():  # number the distinct rows, column by column
            if len(values) and (values == values[0]).all():
                continue
            distinct, place = np.unique(values, return_inverse=True)
            if len(distinct) > 1:
                code = np.unique(code * len(distinct) + place, return_inverse=True)[1]
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        kept = {name: [_value(name, value) for value in values[first].tolist()] for name, values in columns.items()}
        releases = tuple(event(**dict(zip(kept, row, strict=True))) for row in zip(*kept.values(), strict=True))
        return cls(releases, inverse.reshape(-1, nodes), data_steps)


def _value(name: str, stored: Any) -> Any:
    return Law(stored) if name == LAW else stored


def ledger_of(query_log: QueryLog, facts: PublicFacts, noise: Noise) -> Ledger:
    """Return the ledger of a run with the given queries."""
    shape = (len(query_log.queries), facts.nodes)
    scale, repair = (
        np.array([at(k, facts.nodes) for k in range(1, shape[0] + 1)]).reshape(shape)
        for at in (noise.scales, noise.repairs)
    )
    weight = query_log.weights.reshape(shape)
    columns: dict[str, Any] = {
        "law": noise.law.value,
        "scale": scale,
        "C": facts.node_weights,
        "G": np.inf if facts.G is None else facts.G,
        "c1": np.inf if facts.c1 is None else facts.c1,
        "monotone": bool(facts.monotone),
        "form": facts.form,
        "classes": facts.classes,
        "rows": facts.row_counts,
        "dimension": facts.dimension,
        "curvature": facts.strong_convexity(weight),
        "penalty_curvature": weight,
        "tolerance": np.where((repair > 0) | noise.on_output, facts.tolerance, 0.0),
        "repair": repair,
        "gain": np.array([noise.gains(k, query_log.network, facts.nodes) for k in range(1, shape[0] + 1)]).reshape(
            shape
        ),
        "colluders": noise.colluders,
    }
    rows = {
        field.name: np.broadcast_to(np.asarray(columns[field.name]), shape).ravel() for field in fields(noise.event)
    }
    return Ledger.of_releases(noise.event, rows, facts.nodes, query_log.data_steps)
