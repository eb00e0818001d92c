"""Data source for the user's own table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import annotated_types

from radmm.base.errors import InputError, NotFetchedError
from radmm.data.download import Address, Source
from radmm.data.source import DataSource, Features, Size
from radmm.data.tables.recipe import Missing, Recipe, Scale
from radmm.data.tables.scan import Scan, Surveyed, checked_hash, scan, survey_libsvm, survey_table

RAW = Path("data/raw")  # where fetched files are
TABS = (".tsv", ".tsv.gz")
LIBSVM = (".svm", ".svm.gz", ".libsvm", ".libsvm.gz")
ENDINGS = (".csv", ".csv.gz", *TABS, ".parquet", *LIBSVM)
Value = Any  # a text or a number, which `_check_values` sees to: a union would be refused once for each of its kinds
Bounds = Annotated[list[float], annotated_types.Len(2, 2)]


@dataclass(frozen=True)
class OwnTable(DataSource):
    """A table of your own: CSV (.csv, .tsv), LIBSVM (.svm, .libsvm), all these also with .gz, or Parquet (.parquet).

    Args:
        file: Path of the file, looked for beside the config first and then in the working folder; ~ is your home. Or
            its address (https://…), which `snakemake fetch` downloads.
        label: Column with the labels; left out for LIBSVM, which has them in front.
        positive: Label of class +1; all others are −1.
        classes: Instead of positive, all labels: the first of two is −1 and the second +1; more are 0, 1, …
        sha256: SHA-256 of the file; required with an address, and checked wherever it is given. Settings' ids then
            depend on it and no longer on the path.
        categories: Columns to encode one-hot, with a list of their categories, or `found`: those in the data.
        bounds: Public bounds [lowest, highest] of columns of numbers by name, or one pair for all of them.
        ignore: Columns to leave out.
        missing: What happens to a row with a missing value: refused, dropped, or given a category of its own.
        missing_values: Texts that stand for a missing value, besides an empty one.
        node: Column that names the node of each row, for the partition `column`.
        intercept: Whether to add a column of ones, before rows are scaled to norm at most 1.
        separator: Character between the fields of a CSV file; .tsv files have a tab there.
        scale: How a number becomes a feature: divided by the largest absolute value that its bounds allow, or moved so
            that its bounds become 0 and 1 (`unit`) or −1 and 1 (`symmetric`), for which all numbers need bounds.
        rows: Number of rows, where it is declared: `radmm release` needs it.
        folder: Folder in which a relative path begins: that of the config if the file is there.
    """

    name: ClassVar[str] = "table"

    file: str
    label: str = ""
    positive: Value = None
    classes: list[Value] | None = None
    sha256: str | None = None
    categories: dict[str, list[Value] | Literal["found"]] = field(default_factory=dict)
    bounds: dict[str, Bounds] | Bounds = field(default_factory=dict)
    ignore: list[str] = field(default_factory=list)
    missing: Literal["refuse", "drop", "category"] = "refuse"
    missing_values: list[str] = field(default_factory=lambda: ["?", "NA", "NaN", "nan", "null"])
    node: str | None = None
    intercept: bool = False
    separator: str = ","
    scale: Literal["largest", "unit", "symmetric"] = "largest"
    rows: Annotated[int, annotated_types.Ge(1)] | None = None
    folder: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.file.endswith(ENDINGS):
            raise InputError(f"data.file = {self.file}: must end in one of {', '.join(ENDINGS)}")
        if self.on_the_web and not self.sha256:
            raise InputError(f"data.sha256 is missing: must be given with {self.file}, so that nothing else is used")
        self._check_values()
        if (self.positive is None) == (self.classes is None):
            raise InputError("data must have either positive, the label that is +1, or classes, the list of all labels")
        if self.classes is not None and (
            len(self.classes) < 2 or len({str(one) for one in self.classes}) < len(self.classes)
        ):
            raise InputError(f"data.classes = {self.classes}: must be at least two labels, each once")
        if len(self.separator) != 1:
            raise InputError(f"data.separator = {self.separator!r}: must be one character")
        self._check_bounds()
        self._check_columns()

    def _check_values(self) -> None:
        positive = [] if self.positive is None else [self.positive]
        listed = {f"categories.{name}": values for name, values in self.categories.items() if isinstance(values, list)}
        for field_name, values in {"positive": positive, "classes": self.classes or [], **listed}.items():
            for value in values:
                if isinstance(value, bool) or not isinstance(value, str | int | float):
                    raise InputError(
                        f"data.{field_name} = {value!r}: must be a text or a number; YAML reads yes and no as true and "
                        "false, so quote them"
                    )

    def _check_bounds(self) -> None:
        every = self.bounds if isinstance(self.bounds, dict) else {"": self.bounds}
        for name, (low, high) in every.items():
            where = f"data.bounds.{name}".rstrip(".") + f" = [{low:g}, {high:g}]"
            if not low <= high or max(abs(low), abs(high)) == 0:
                raise InputError(f"{where}: must be [lowest, highest], not both 0")
            if low == high and Scale(self.scale) != Scale.LARGEST:
                raise InputError(f"{where}: must be two numbers with data.scale = {self.scale}, which keeps them apart")

    def _check_columns(self) -> None:
        if not self.is_libsvm and not self.label:
            raise InputError(f"data.label is missing: must name the column of {self.file} that has the labels")
        named = [name for name in ("label", "categories", "ignore", "node") if getattr(self, name)]
        if self.is_libsvm and named:
            raise InputError(
                f"data.{named[0]} is given: must be left out with {self.file}, whose columns have no names"
            )
        if self.is_libsvm and Scale(self.scale) != Scale.LARGEST:
            raise InputError(f"data.scale = {self.scale}: must be largest with {self.file}, where most values are 0")

    @property
    def on_the_web(self) -> bool:
        """Whether the file must be downloaded."""
        return urlsplit(self.file).scheme in ("http", "https", "ftp")

    @property
    def is_libsvm(self) -> bool:
        """Whether the file is in LIBSVM format."""
        return self.file.endswith(LIBSVM)

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of the file, if it must be downloaded.

        Its name contains the hash, as two addresses may end in one name.
        """
        if not self.on_the_web:
            return {}
        digest = str(self.sha256)
        return {f"{digest[:12]}-{PurePosixPath(urlsplit(self.file).path).name}": digest}

    def paths(self, raw: Path) -> list[Path]:
        if self.on_the_web:
            return super().paths(raw)
        try:
            return [Path(self.folder, Path(self.file).expanduser())]
        except RuntimeError:
            raise InputError(f"data.file = {self.file}: must be a path below a folder that is there") from None

    @staticmethod
    def identity(section: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of its parameters tells the table from others: its content if that is given, else its path.

        Args:
            section: Parameters as JSON has them.
        """
        left_out = ["folder", *(["file"] if section.get("sha256") else [])]
        return {name: value for name, value in section.items() if name not in left_out}

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the file's web address as its only source.

        Args:
            local_files: The user's copies of raw files, of which none is this file.
        """
        return [Address(self.file)]

    @property
    def recipe(self) -> Recipe:
        """Recipe by which labels and features are made from the columns."""
        return Recipe(
            label=self.label,
            positive=None if self.positive is None else str(self.positive),
            classes=[str(one) for one in self.classes or ()],
            categories={
                name: listed if isinstance(listed, str) else [str(one) for one in listed]
                for name, listed in self.categories.items()
            },
            bounds=self.bounds,
            missing=Missing(self.missing),
            node=self.node,
            intercept=self.intercept,
            scale=Scale(self.scale),
        )

    def size(self) -> Size:
        """Return the size of the data set, from a scan of the file; rows that were declared must be as many."""
        found = self._scan().size
        if self.rows not in (None, found.rows):
            raise InputError(f"data.rows = {self.rows}: must be {found.rows}, as many as {self.file} has")
        return found

    @property
    def caveat(self) -> str:
        """Sentence on values taken from the data without the protection of noise, from a scan of the file."""
        return self._scan().caveat

    def _scan(self) -> Scan:
        (path,) = self.paths(RAW)
        if self.on_the_web and not path.is_file():
            raise NotFetchedError(f"data.file = {self.file}: must be fetched first, by `snakemake fetch`")
        return scan(path, asdict(self), self.sha256, lambda: self._survey(path))

    def _survey(self, path: Path) -> Surveyed:
        if self.is_libsvm:
            return survey_libsvm(path, self.recipe)
        return survey_table(
            [path],
            self.recipe,
            ignore=self.ignore,
            missing_values=self.missing_values,
            separator=self.field_separator,
        )

    @property
    def field_separator(self) -> str:
        """Character between the fields of the file."""
        return "\t" if self.separator == "," and self.file.endswith(TABS) else self.separator

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their bounds, categories one-hot, rows scaled to norm at most 1.

        Args:
            raw: Folder that holds the file if it was downloaded.
        """
        (path,) = self.paths(raw)
        digest, surveyed = checked_hash(path, self.sha256), self._survey(path)
        features = surveyed.encode()
        return replace(features, facts={"file": self.file, "sha256": digest, **features.facts})
