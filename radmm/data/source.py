"""What a data source is: raw files that are known byte for byte, and how features are made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields
from radmm.base.registry import Component, Registry

if TYPE_CHECKING:
    from radmm.data.download import Source  # which brings the web's libraries along


@dataclass(frozen=True)
class Features:
    """Data that can be solved.

    Args:
        matrix: One row per record, of norm at most 1.
        columns: A name for each column.
        labels: +1 or −1 for each row.
        facts: About how they were made, for people to read.
    """

    matrix: Array
    columns: list[str]
    labels: Array
    facts: dict[str, Any]


class DataSource(Component, ABC):
    """A data set. How large it is, is known while the config is read, before any file is there."""

    registry: ClassVar[Registry[DataSource]]
    files: ClassVar[Mapping[str, str]] = {}  # each raw file with its SHA-256
    rows: ClassVar[int]  # those that are left when the features are made
    features: ClassVar[int]
    classes: ClassVar[int]

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
        from radmm.base.store import file_hash  # which imports pyarrow

        for file, expected in self.files.items():
            try:
                found = file_hash(raw / file)
            except OSError as error:
                raise InputError(f"{raw / file}: {error.strerror}: must be the file of {self.name}") from None
            if found != expected:
                raise InputError(
                    f"{raw / file} has SHA-256 {found}, not {expected}: must be the file of {self.name} as it was "
                    "published; without it, it is fetched again"
                )


SOURCES: Registry[DataSource] = Registry("data", "radmm.data.sources")
DataSource.registry = SOURCES
