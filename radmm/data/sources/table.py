"""Data source for the user's own table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import annotated_types

from radmm.base.errors import Complaints, InputError, NotFetchedError
from radmm.base.json_object import JsonObject
from radmm.base.store import file_hash
from radmm.data.download import Address, Source
from radmm.data.source import DataSource, Features, Size
from radmm.data.tables.option_checks import check_bounds, check_characters, check_labels, check_values
from radmm.data.tables.read import TableFormat
from radmm.data.tables.recipe import Missing, Recipe, Scale
from radmm.data.tables.scan import Scan, Surveyed, checked_hash, scan, survey_libsvm, survey_table
from radmm.data.tables.spelling import Spelling
from radmm.data.tables.suspicions import Suspicion

RAW = Path("data/raw")  # where fetched files are
TABS = (".tsv", ".tsv.gz")
LIBSVM = (".svm", ".svm.gz", ".libsvm", ".libsvm.gz")
ENDINGS = (".csv", ".csv.gz", *TABS, ".parquet", *LIBSVM)
Value = Any  # a text or a number, which `check_values` sees to: a union would be refused once for each of its kinds
Interval = Annotated[list[float], annotated_types.Len(2, 2)]


@dataclass(frozen=True)
class OwnTable(DataSource):
    """A table of your own: CSV (.csv, .tsv), LIBSVM (.svm, .libsvm), all these also with .gz, or Parquet (.parquet).

    Args:
        file: Path of the file, looked for beside the config first and then in the working folder; ~ is your home. Or
            its address (https://…), which `snakemake fetch` downloads.
        label: Column with the labels; left out for LIBSVM, which has them in front.
        positive: Label of class +1; all others are −1.
        above: Instead of positive, for labels that are numbers: those above this number are +1, all others −1.
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
        decimal: Decimal point of a CSV file's numbers.
        thousands: Character between groups of three digits of a CSV file's numbers.
        encoding: Encoding of a CSV file, like cp1252.
        accepted: Suspicions of `radmm check` that you have looked at, by name, which are told no more.
    """

    name: ClassVar[str] = "table"

    file: str
    label: str = ""
    positive: Value = None
    classes: list[Value] | None = None
    sha256: str | None = None
    categories: dict[str, list[Value] | Literal["found"]] = field(default_factory=dict)
    bounds: dict[str, Interval] | Interval = field(default_factory=dict)
    ignore: list[str] = field(default_factory=list)
    missing: Literal["refuse", "drop", "category"] = "refuse"
    missing_values: list[str] = field(default_factory=lambda: ["?", "NA", "NaN", "nan", "null"])
    node: str | None = None
    intercept: bool = False
    separator: str = ","
    scale: Literal["largest", "unit", "symmetric"] = "largest"
    rows: Annotated[int, annotated_types.Ge(1)] | None = None
    folder: str = ""
    above: float | None = None
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf8"
    accepted: list[Literal["index", "constant", "dates", "texts", "numbers", "quantity", "sorted", "place"]] = field(
        default_factory=list
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = Complaints()
        if not self.file.endswith(ENDINGS):
            problems.add(f"data.file = {self.file}: must end in one of {', '.join(ENDINGS)}")
        if self.on_the_web and not self.sha256:
            problems.add(f"data.sha256 is missing: must be given with {self.file}, so that nothing else is used")
        listed = {f"categories.{name}": values for name, values in self.categories.items() if isinstance(values, list)}
        positive = [] if self.positive is None else [self.positive]
        for name, values in {"positive": positive, "classes": self.classes or [], **listed}.items():
            with problems.collect():
                check_values(name, values)
        with problems.collect():
            check_labels(self.positive, self.classes, self.above)
        with problems.collect():
            check_characters(self.separator, self.decimal, self.thousands, self.encoding)
        with problems.collect():
            check_bounds(self.bounds, Scale(self.scale))
        with problems.collect():
            self._check_columns()
        problems.raise_if_any()

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
    def identity(section: Mapping[str, Any]) -> JsonObject:
        """Return what of its parameters tells the table from others: its content if that is given, else its path."""
        left_out = ["folder", "accepted", *(["file"] if section.get("sha256") else [])]
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
            above=self.above,
        )

    def size(self) -> Size:
        """Return the size of the data set, from a scan of the file; rows that were declared must be as many."""
        found = self.scan().size
        if self.rows not in (None, found.rows):
            raise InputError(f"data.rows = {self.rows}: must be {found.rows}, as many as {self.file} has")
        return found

    @property
    def caveat(self) -> str:
        """Sentence on values taken from the data without the protection of noise, from a scan of the file."""
        return self.scan().caveat

    @property
    def suspicions(self) -> list[str]:
        """Sentences on what may not be as it was meant, but for those that are accepted, from a scan of the file."""
        beside = [Suspicion("place", sentence) for sentence in self._other_file()]
        every = [*beside, *self.scan().suspicions]
        return [each.sentence for each in every if each.name not in self.accepted]

    def _other_file(self) -> Iterator[str]:
        (path,), other = self.paths(RAW), Path(self.file)
        if self.folder and other.is_file() and file_hash(other) != file_hash(path):
            yield (
                f"data.file = {self.file} is in the config's folder {self.folder}, and another in the working folder: "
                "the first is used; name it by its whole path, or accept this by data.accepted: [place]"
            )

    def scan(self) -> Scan:
        """Return what a scan of the file tells, from the cache if it was scanned before."""
        (path,) = self.paths(RAW)
        if self.on_the_web and not path.is_file():
            raise NotFetchedError(f"data.file = {self.file}: must be fetched first, by `snakemake fetch`")
        return scan(path, asdict(self), self.sha256, lambda: self._survey(path))

    def _survey(self, path: Path) -> Surveyed:
        if self.is_libsvm:
            return survey_libsvm(path, self.recipe)
        form = TableFormat(
            missing_values=self.missing_values,
            separator=self.field_separator,
            spelling=Spelling(self.decimal, self.thousands),
            encoding=self.encoding,
        )
        return survey_table([path], self.recipe, self.ignore, form)

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
