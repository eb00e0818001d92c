"""The releases of a whole run: the only thing that accountants look at."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.privacy.events import PostProcessing, Release

TEXT, FLAGS = ("mechanism", "law"), ("monotone",)
WHOLE = ("dimension", "rows")


@dataclass(frozen=True, eq=False)
class Ledger:
    """Equal releases are kept once; `which` says which of them node i makes at the k-th data-touching iteration."""

    releases: tuple[Release, ...]
    which: Integers  # (data step, node)
    data_steps: Integers  # K(t) for t = 0 … T

    @property
    def nodes(self) -> int:
        return int(self.which.shape[1])

    @property
    def iterations(self) -> int:
        return len(self.data_steps) - 1

    def steps_after(self, iterations: int | None) -> int:
        """K(t), with all iterations for None."""
        if iterations is None:
            return int(self.data_steps[-1])
        if not 0 <= iterations <= self.iterations:
            raise InputError(f"iterations = {iterations}: must be from 0 to {self.iterations}, which the ledger has")
        return int(self.data_steps[iterations])

    def event(self, iteration: int, node: int) -> Release | PostProcessing:
        """What the node sends out at iteration t = 1 … T."""
        step = int(self.data_steps[iteration])
        if step > self.data_steps[iteration - 1]:
            return self.releases[int(self.which[step - 1, node])]
        return PostProcessing((iteration - 2, iteration - 1))

    @property
    def idealised(self) -> bool:
        """Whether the guarantee takes some argmin to be exact, which no solver's is."""
        return any(release.tolerance == 0.0 for release in self.releases)

    @cached_property
    def node_classes(self) -> tuple[Integers, Integers]:
        """One node of each kind, and for every node the number of its kind: alike are those with the same releases."""
        if not len(self.which):
            return np.zeros(1, dtype=np.int64), np.zeros(self.nodes, dtype=np.int64)
        _, first, kind = np.unique(self.which, axis=1, return_index=True, return_inverse=True)
        return first, kind.reshape(-1)

    @cached_property
    def worst_nodes(self) -> Integers:
        """Nodes among which the one that loses most must be.

        Noise of one law hides less as shift over scale, Jacobian or repair grows: who is below another in all of them
        at every step loses less by every accountant here.
        """
        nodes = self.node_classes[0]
        if len({(release.law, release.dimension, release.mechanism) for release in self.releases}) > 1:
            return nodes
        strength = np.array(
            [(release.shift_in_noise, release.jacobian, release.repair_mu) for release in self.releases]
        ).reshape(-1, 3)
        taken = strength[self.which[:, nodes]].transpose(1, 0, 2).reshape(len(nodes), -1)
        order = np.argsort(-taken.sum(axis=1), kind="stable")
        worst: list[int] = []
        for kind in order:
            if not any(np.all(taken[kind] <= taken[other]) for other in worst):
                worst.append(int(kind))
        return np.asarray(nodes[worst])

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row an iteration and node; post-processing has NaN, and "" or 0, for what only releases have."""
        release = np.zeros((self.iterations, self.nodes), dtype=np.int64)  # 0 is post-processing
        touched = np.diff(self.data_steps) > 0
        release[touched] = self.which + 1
        table: dict[str, NDArray[Any]] = {
            "iteration": np.repeat(np.arange(1, self.iterations + 1), self.nodes),
            "node": np.tile(np.arange(self.nodes), self.iterations),
        }
        for name in (field.name for field in fields(Release)):
            empty: Any = "" if name in TEXT else False if name in FLAGS else 0 if name in WHOLE else np.nan
            values = np.array([empty, *(getattr(each, name) for each in self.releases)])
            table[name] = values[release.ravel()]
        return table

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]]) -> "Ledger":
        """The inverse of `columns`."""
        iterations, nodes = (int(np.max(columns[name])) + extra for name, extra in (("iteration", 0), ("node", 1)))
        touched = np.asarray(columns["mechanism"]).reshape(iterations, nodes)[:, 0] != ""
        rows = np.repeat(touched, nodes)
        kept = {field.name: np.asarray(columns[field.name])[rows] for field in fields(Release)}
        kept |= {name: kept[name].astype(str) for name in TEXT}  # files give objects
        return cls.of_releases(kept, nodes, np.concatenate(([0], np.cumsum(touched))))

    @classmethod
    def of_releases(cls, columns: Mapping[str, NDArray[Any]], nodes: int, data_steps: Integers) -> "Ledger":
        """From one row a release, ordered by step and node."""
        code: Integers = np.zeros(nodes * int(data_steps[-1]), dtype=np.int64)
        for values in columns.values():  # number the distinct rows, column by column
            distinct, place = np.unique(values, return_inverse=True)
            if len(distinct) > 1:
                code = np.unique(code * len(distinct) + place, return_inverse=True)[1]
        _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
        releases = tuple(Release(*(values[row].item() for values in columns.values())) for row in first)
        return cls(releases, inverse.reshape(-1, nodes), data_steps)
