"""Interface of data sources: raw files with known hashes, and how features are made of them."""

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
from radmm.base.json_object import JsonObject
from radmm.base.registry import Component, Registry
from radmm.base.store import add_source, file_hash, set_aside
from radmm.data.download import Source


@dataclass(frozen=True)
class Features:
    """Features and labels made from a source's raw files.

    Args:
        matrix: One row per record, of norm at most 1; dense, or compressed rows where most values are zero.
        columns: Name of each column.
        labels: For each row +1 or −1 with two classes, else the class's number 0, 1, …
        facts: How the features were made, for people to read.
        node: Number of the node that a column of the data names for each row, or None if no column does.
        node_names: Names in that column of the nodes 0, 1, …
    """

    matrix: Array | scipy.sparse.csr_array
    columns: Sequence[str]
    labels: Array
    facts: JsonObject
    node: Integers | None = None
    node_names: Sequence[str] = field(default=())


class Size(NamedTuple):
    """Size of a data set.

    Args:
        rows: Number of rows that are left when the features are made.
        features: Number of columns.
        classes: Number of classes: +1 and −1, or 0, 1, …
    """

    rows: int
    features: int
    classes: int


class DataSource(Component, ABC):
    """Base class of data sets, whose size is known while the config is read, before any file is there."""

    registry: ClassVar[Registry[DataSource]]

    if TYPE_CHECKING:  # whole numbers that the class states, unless `size` tells them otherwise
        rows: Any
        features: Any
        classes: Any

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of each raw file that is to be downloaded."""
        return {}

    @property
    def caveat(self) -> str:
        """Sentence beside every ε on values taken from the data without the protection of noise; empty if there are
        none.
        """
        return ""

    @property
    def suspicions(self) -> Sequence[str]:
        """Sentences on what may not be as it was meant, each with the option that answers it."""
        return ()

    def size(self) -> Size:
        """Return the size of the data set: the class's constants, unless a file determines it."""
        return Size(self.rows, self.features, self.classes)

    def paths(self, raw: Path) -> list[Path]:
        """Return the paths of the raw files from which features are made.

        Args:
            raw: Folder of the raw files.
        """
        return [raw / file for file in self.files]

    @staticmethod
    def identity(section: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the parameters that tell the data set from others: settings' ids and names of files depend on these.

        Args:
            section: Parameters as JSON has them.
        """
        return section

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("data", self)

    @abstractmethod
    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the sources of the raw files, in the order in which to try them.

        Args:
            local_files: The user's own copies: a path for each raw file, or nothing.
        """

    @abstractmethod
    def build(self, raw: Path) -> Features:
        """Make the features from the raw files.

        Implementations call `check_files` first, as files may come from anywhere.

        Args:
            raw: Folder of the raw files.
        """

    def check_files(self, raw: Path) -> None:
        """Refuse raw files with another SHA-256: a truncated one would pass for a smaller data set.

        Args:
            raw: Folder of the raw files.
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
            add_source(raw / file, found)


SOURCES: Registry[DataSource] = Registry("data.name", "radmm.data.sources")
DataSource.registry = SOURCES


def make_source(section: str | Mapping[str, Any]) -> DataSource:
    """Build the data source that a setting's data section describes.

    Args:
        section: Name of a data source, or a mapping with that `name` and its parameters.
    """
    return make_component(SOURCES, {"name": section} if isinstance(section, str) else section)
