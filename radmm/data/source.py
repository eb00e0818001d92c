"""What a data source is: raw files that are known byte for byte, and how features are made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import scipy

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, make_component
from radmm.base.registry import Component, Registry
from radmm.base.store import file_hash, note, set_aside
from radmm.data.download import Source


@dataclass(frozen=True)
class Features:
    """Data that can be solved.

    Args:
        matrix: One row per record, of norm at most 1; dense, or compressed rows where most values are zero.
        columns: A name for each column.
        labels: For each row +1 or −1 if there are two classes, and else the class's number 0, 1, …
        facts: About how they were made, for people to read.
        node: For each row the number of the node that a column of the data names, or None if no column does.
        node_names: What the column calls the nodes 0, 1, …
    """

    matrix: Array | scipy.sparse.csr_array
    columns: Sequence[str]
    labels: Array
    facts: dict[str, Any]
    node: Integers | None = None
    node_names: Sequence[str] = field(default=())


class Size(NamedTuple):
    """How large a data set is.

    Args:
        rows: Those that are left when the features are made.
        features: The columns that they have.
        classes: The labels that there are: +1 and −1, or 0, 1, …
    """

    rows: int
    features: int
    classes: int


class DataSource(Component, ABC):
    """A data set. How large it is, is known while the config is read, before any file is there."""

    registry: ClassVar[Registry[DataSource]]

    if TYPE_CHECKING:  # whole numbers that the class states, unless `size` tells them otherwise
        rows: Any
        features: Any
        classes: Any

    @property
    def files(self) -> Mapping[str, str]:
        """Each raw file that is fetched, with its SHA-256."""
        return {}

    @property
    def caveat(self) -> str:
        """What was taken from the data although no noise protects it: a sentence beside every ε, or nothing."""
        return ""

    def size(self) -> Size:
        """How large the data set is, as far as settings depend on it: what the class states, unless a file tells."""
        return Size(self.rows, self.features, self.classes)

    def paths(self, raw: Path) -> list[Path]:
        """What features are made of.

        Args:
            raw: The folder that holds the raw files.
        """
        return [raw / file for file in self.files]

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; a source that has more to check does so after this."""
        check_fields("data", self)

    @abstractmethod
    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Where to look for the raw files, in turn.

        Args:
            local_files: The user's own copies: a path for each of the raw files, or nothing.
        """

    @abstractmethod
    def build(self, raw: Path) -> Features:
        """Make the features. The files may have come from anywhere, so `check_files` comes first.

        Args:
            raw: The folder that holds the raw files.
        """

    def check_files(self, raw: Path) -> None:
        """Refuse raw files with another SHA-256: one that was cut would pass for a smaller data set.

        Args:
            raw: The folder that holds the raw files.
        """
        for file, expected in self.files.items():
            try:
                found = file_hash(raw / file)
            except OSError as error:
                raise InputError(f"{raw / file}: {error.strerror}: must be the file of {self.name}") from None
            if found != expected:
                set_aside(raw / file)
                raise InputError(
                    f"{raw / file} has SHA-256 {found}, not {expected}: must be the file of {self.name} as it was "
                    "published; the next run fetches it again"
                )
            note(raw / file, found)


SOURCES: Registry[DataSource] = Registry("data.name", "radmm.data.sources")
DataSource.registry = SOURCES


def make_source(section: str | Mapping[str, Any]) -> DataSource:
    """The data set that a setting's data section describes.

    Args:
        section: The name of a data source, or that as `name` and its parameters.
    """
    return make_component(SOURCES, {"name": section} if isinstance(section, str) else section)
