"""The UCI Covertype data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radmm.data.download import LocalFiles, Source
from radmm.data.packages import SourceDistribution
from radmm.data.source import DataSource, Features
from radmm.data.tables.recipe import Recipe, caveat
from radmm.data.tables.scan import survey_table

LABEL = "Cover_Type"
TYPES = [str(number) for number in range(1, 8)]  # spruce or fir, lodgepole pine, ponderosa pine, …
LODGEPOLE_PINE = "2"  # the most frequent type: 283,301 of the 581,012 patches
# By definition of the units: degrees, and shades from 0 to 255. Elevation and distances have no such bounds.
UNITS = {
    "Aspect": [0, 360],
    "Slope": [0, 90],
    **{f"Hillshade_{time}": [0, 255] for time in ("9am", "Noon", "3pm")},
}
INDICATORS = {
    **{f"Wilderness_Area{number}": [0, 1] for number in range(1, 5)},
    **{f"Soil_Type{number}": [0, 1] for number in range(1, 41)},
}


@dataclass(frozen=True)
class Covertype(DataSource):
    """UCI Covertype: the type of trees on a patch of forest of 30 × 30 metres in Colorado, from maps.

    Args:
        all_types: Whether the classes are all seven types; if not, lodgepole pine, which covers nearly half of the
            patches, is +1 and all other types are −1.
    """

    name: ClassVar[str] = "covertype"
    rows = 581_012
    features = 54
    files: ClassVar[Mapping[str, str]] = {
        "covtype.csv": "ea35ca6820fcbe0bdc6707e9ed31e11a9de84f07d88da73b511c737383c271a6"
    }
    caveat = caveat(maxima=5, categories=0)

    all_types: bool = False

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(TYPES) if self.all_types else 2

    def sources(self, local_files: Mapping[str, str]) -> list[Source]:
        """Return the user's own copy alone, if given; else a source distribution on the package index."""
        remote = SourceDistribution(
            "scikit-multiflow==0.4.1",
            "ed4f791107cb7f789f0bb0620c50e743a4d397905146a4d06c62eb98607aa101",
            "scikit-multiflow-0.4.1.tar.gz",
            {"covtype.csv": "scikit-multiflow-0.4.1/src/skmultiflow/data/datasets/covtype.csv"},
        )
        return [LocalFiles(local_files)] if local_files else [remote]

    def build(self, raw: Path) -> Features:
        """Make the features: numbers over their bounds or largest absolute value, rows of norm at most 1."""
        self.check_files(raw)
        return survey_table(self.paths(raw), self.recipe).encode()

    @property
    def recipe(self) -> Recipe:
        """Recipe by which labels and features are made from the columns."""
        bounds = {**UNITS, **INDICATORS}
        if self.all_types:
            return Recipe(label=LABEL, classes=TYPES, bounds=bounds)
        return Recipe(label=LABEL, positive=LODGEPOLE_PINE, bounds=bounds)
