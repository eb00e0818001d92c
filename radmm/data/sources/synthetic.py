"""Synthetic data of any size, with any degree of heterogeneity between nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.data.download import Source
from radmm.data.source import DataSource, Features
from radmm.data.tables.labels import facts_of_labels, loss_labels

MOST_VALUES = 500_000_000  # four gigabytes
CHUNK = 4096  # rows that are drawn from one stream: a row doesn't depend on how many follow


@dataclass(frozen=True)
class Synthetic(DataSource):
    """Points in a ball, labelled by the largest of as many linear scores as there are classes.

    Row n belongs to group n mod `groups`, which the data name as its node. A group's points are shifted by a vector of
    its own, and its scores have directions of its own, both in proportion to the heterogeneity.

    Args:
        rows: Number of rows.
        features: Number of columns.
        classes: Number of classes.
        groups: Number of kinds of nodes, for the partition `column`.
        heterogeneity: How much groups differ; 0 makes all rows alike.
        label_noise: Share of rows whose label is redrawn, uniformly over the classes.
        seed: Seed of all draws.
    """

    name: ClassVar[str] = "synthetic"

    rows: Annotated[int, Ge(2)] = 10_000
    features: Annotated[int, Ge(1)] = 20
    classes: Annotated[int, Ge(2)] = 2
    groups: Annotated[int, Ge(1)] = 5
    heterogeneity: Annotated[float, Ge(0)] = 0.0
    label_noise: Annotated[float, Ge(0), Le(1)] = 0.0
    seed: Annotated[int, Ge(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows * self.features > MOST_VALUES:
            raise InputError(
                f"data.rows = {self.rows} and data.features = {self.features}: must have a product of at most "
                f"{MOST_VALUES}, as all values are held in memory"
            )
        if self.groups > self.rows:
            raise InputError(f"data.groups = {self.groups}: must be at most the {self.rows} rows")

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        return []

    def build(self, raw: Path) -> Features:
        """Draw the points and their labels.

        Args:
            raw: Folder of the raw files, from which nothing is read.
        """
        common = generator(self.seed, Purpose.DATA, 0).standard_normal((self.classes, self.features))
        own = generator(self.seed, Purpose.DATA, 1).standard_normal((self.groups, self.classes, self.features))
        shift = generator(self.seed, Purpose.DATA, 2).standard_normal((self.groups, self.features))
        group = np.arange(self.rows) % self.groups
        chunks = enumerate(np.split(group, range(CHUNK, self.rows, CHUNK)))
        parts = [self._chunk(number, groups, common, own, shift) for number, groups in chunks]
        matrix, label = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        counts = np.bincount(label, minlength=self.classes)
        if not counts.all():
            raise InputError(
                f"data.rows = {self.rows}: class {int(counts.argmin())} has none of them: must be more, or another seed"
            )
        names = [f"group {number}" for number in range(self.groups)]
        facts = {
            "rows": self.rows,
            "features": self.features,
            **facts_of_labels(label, [str(number) for number in range(self.classes)]),
            "rows_of_node": dict(zip(names, np.bincount(group, minlength=self.groups).tolist(), strict=True)),
            "caveat": self.caveat,
        }
        return Features(
            matrix,
            [f"x{column}" for column in range(self.features)],
            loss_labels(label, self.classes),
            facts,
            group,
            names,
        )

    def _chunk(self, number: int, group: Integers, common: Array, own: Array, shift: Array) -> tuple[Array, Integers]:
        """Draw the points and classes of one chunk of rows."""
        random = generator(self.seed, Purpose.DATA, 3, number)
        points = random.standard_normal((CHUNK, self.features))[: len(group)] + self.heterogeneity * shift[group]
        scores = points @ common.T + self.heterogeneity * np.einsum("nf,nkf->nk", points, own[group])
        label = scores.argmax(axis=1)
        noisy = random.random(CHUNK)[: len(group)] < self.label_noise
        label = np.where(noisy, random.integers(self.classes, size=CHUNK)[: len(group)], label)
        points /= np.maximum(np.linalg.norm(points, axis=1), 1.0)[:, None]
        return points, label
